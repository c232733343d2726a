package remainder

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// annotationOf returns the annotation of a note.
func annotationOf(t testing.TB, n Note, limits Limits) string {
	t.Helper()
	annotations, err := n.Write(nil, limits, nil)
	if err != nil {
		t.Fatal(err)
	}
	return annotations[annotation.Remainder]
}

// lost returns the remainder of an account with one entry in its bag.
func lost(t testing.TB) Remainder { return collect(t, read[string](t, `{"B":1}`)) }

// bagOf returns the remainder of an account whose bag has a value.
func bagOf(t testing.TB, value string) Remainder {
	return collect(t, &account[string]{Bag: propertybag.Bag{"h": {Version: "1", Value: json.RawMessage(value)}}})
}

func TestNote(t *testing.T) {
	t.Run("format 2 has golden bytes", goldenBytes)
	t.Run("it is bound to its object", boundToObject)
	t.Run("the original version comes with the digest of the Spec", originalVersion)
}

// resource is the resource of the golden cases.
type resource[S ~string] struct {
	Spec   account[S] `json:"spec"`
	Status account[S] `json:"status"`
}

// goldenBytes: testdata/README.md says what each case is.
func goldenBytes(t *testing.T) {
	cases, err := filepath.Glob("testdata/format2/*.stored.json")
	if err != nil || len(cases) < 8 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, file := range cases {
		name := strings.TrimSuffix(file, ".stored.json")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		stored, plain, written := &resource[string]{}, &resource[string]{}, &resource[tier]{}
		for _, r := range []any{stored, plain, written} {
			if err := json.Unmarshal(data, r); err != nil {
				t.Fatal(err)
			}
		}
		plain.Spec.show()
		plain.Status.show()
		shown, err := json.MarshalIndent(plain, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, name+".shown.json", string(shown)+"\n")

		lost, err := Collect(stored, plain, accountOptions)
		if err != nil {
			t.Fatal(err)
		}
		n := Note{Object: person, Lost: lost}
		limits := Limits{Writers: []string{"v20210401", "v20210401storage"}}
		var keys *Keys
		switch filepath.Base(name) {
		case "original-version":
			n.OriginalVersion, n.Spec = "2021-04-01", mustDigest(t, plain.Spec)
		case "generation":
			n.Generation = 7
		case "marker":
			limits.Annotations = 1
		case "signed":
			if keys, err = NewKeys([]byte("a key that everybody knows is no")); err != nil {
				t.Fatal(err)
			}
			n.Object.UID, n.Generation = "0b36ad6c-4ba9-4e3c-a9b9-0d4c1f0e7ad5", 7
		}
		annotations, err := n.Write(nil, limits, keys)
		if err != nil {
			t.Fatal(err)
		}
		got := annotations[annotation.Remainder] + "\n"
		if golden.Equal(t, name+".annotation.json", got); t.Failed() {
			t.Fatal("these bytes are a compatibility contract: only a new case may be written")
		}
		note, err := Read(map[string]string{annotation.Remainder: got}, person, keys, nil)
		if limits.Annotations == 1 {
			if err == nil {
				t.Errorf("%s: a write is not refused", name)
			}
			continue
		}
		if err != nil || note.Generation != n.Generation {
			t.Errorf("%s: the generation is %d, want %d, %v", name, note.Generation, n.Generation, err)
		}
		if note.Lost.Restore(plain, written, nil); text(plain) != text(stored) {
			t.Errorf("%s: restored %s, want %s", name, text(plain), text(stored))
		}
	}
}

func TestRead(t *testing.T) {
	t.Run("a damaged, old or foreign annotation is ignored and counted", readIgnores)
	t.Run("an annotation of a newer release is an error", readNewer)
}

func readIgnores(t *testing.T) {
	good := annotationOf(t, Note{Object: person, Lost: lost(t)}, Limits{})
	other := person
	other.Name = "jim"
	id := string(person.digest())
	note := func(lost string) string { return `{"format":2,"lost":` + lost + `,"object":"` + id + `"}` }
	for _, test := range []struct {
		why, annotation string
		tally           Tally
	}{
		{"made for another object", annotationOf(t, Note{Object: other, Lost: lost(t)}, Limits{}), Tally{Foreign: 1}},
		{"a marker for another object", annotationOf(t, Note{Object: other, Lost: lost(t)}, Limits{Annotations: 1}), Tally{Foreign: 1}},
		{"of a newer release, for another object", `{"format":3,"object":"x"}`, Tally{Foreign: 1}},
		{"an older format", `{"format":1,"object":"` + id + `","lost":{"a":["+",1]}}`, Tally{Older: 1}},
		{"empty", ``, Tally{Damaged: 1}},
		{"no JSON", good[1:], Tally{Damaged: 1}},
		{"cut off", good[:len(good)-1], Tally{Damaged: 1}},
		{"text after it", good + "{}", Tally{Damaged: 1}},
		{"no object", `[1]`, Tally{Damaged: 1}},
		{"null", `null`, Tally{Damaged: 1}},
		{"a format that is no integer", `{"format":2.5}`, Tally{Damaged: 1}},
		{"a format that is a text", `{"format":"2"}`, Tally{Damaged: 1}},
		{"a format that is not first", `{"object":"` + id + `","format":2}`, Tally{Damaged: 1}},
		{"two formats", `{"format":3,"format":2,"object":"` + id + `"}`, Tally{Damaged: 1}},
		{"an unknown member", strings.Replace(good, `,`, `,"x":1,`, 1), Tally{Damaged: 1}},
		{"an object that is no text", `{"format":2,"object":[]}`, Tally{Damaged: 1}},
		{"a number", note(`1`), Tally{Damaged: 1}},
		{"null is no node", note(`{"a":null}`), Tally{Damaged: 1}},
		{"an object without members", note(`{}`), Tally{Damaged: 1}},
		{"a bag without entries", note(`{"$propertyBag":{}}`), Tally{Damaged: 1}},
		{"a bag that is a text", note(`{"$propertyBag":"a"}`), Tally{Damaged: 1}},
		{"a list without anything", note(`[]`), Tally{Damaged: 1}},
		{"a list without identities", note(`[{"0":"a"}]`), Tally{Damaged: 1}},
		{"a list without elements", note(`[{},""]`), Tally{Damaged: 1}},
		{"elements that are not an object", note(`["a",""]`), Tally{Damaged: 1}},
		{"an element that is not a node", note(`[{"0":1},""]`), Tally{Damaged: 1}},
		{"an element that was not shown", note(`[{"1":"a"},"AAAAAAAA"]`), Tally{Damaged: 1}},
		{"an index that is none", note(`[{"x":"a"},"AAAAAAAA"]`), Tally{Damaged: 1}},
		{"a negative index", note(`[{"-1":"a"},"AAAAAAAA"]`), Tally{Damaged: 1}},
		{"an index twice", note(`[{"0":"a","0":"b"},"AAAAAAAA"]`), Tally{Damaged: 1}},
		{"a property twice", note(`{"a":"a","a":"b"}`), Tally{Damaged: 1}},
		{"an entry twice", note(`{"$propertyBag":{"a":1,"a":2}}`), Tally{Damaged: 1}},
		{"properties in another order", note(`{"b":"a","a":"b"}`), Tally{Damaged: 1}},
		{"identities that are no text", note(`[{"0":"a"},null]`), Tally{Damaged: 1}},
		{"identities that are no base64", note(`[{"0":"a"},"********"]`), Tally{Damaged: 1}},
		{"identities that are cut off", note(`[{"0":"a"},"AAAA"]`), Tally{Damaged: 1}},
		{"a key that is no text", note(`[{"0":"a"},"AAAAAAAA",1]`), Tally{Damaged: 1}},
		{"too many parts", note(`[{"0":"a"},"AAAAAAAA","name",1]`), Tally{Damaged: 1}},
		{"a size that is no number", `{"format":2,"object":"` + id + `","size":"big"}`, Tally{Damaged: 1}},
		{"deeper than JSON may be", note(strings.Repeat(`{"a":`, 20000) + `"a"` + strings.Repeat(`}`, 20000)), Tally{Damaged: 1}},
		{"larger than annotations may be", note(`{"a":"` + strings.Repeat("x", MaxAnnotations) + `"}`), Tally{Damaged: 1}},
	} {
		tally := Tally{}
		n, err := Read(map[string]string{annotation.Remainder: test.annotation}, person, nil, &tally)
		if err != nil || !n.Lost.Empty() || n.OriginalVersion != "" {
			t.Errorf("%s: read %+v, %v", test.why, n, err)
		}
		if tally != test.tally {
			t.Errorf("%s: counted %+v, want %+v", test.why, tally, test.tally)
		}
	}
	if n, err := Read(map[string]string{annotation.Remainder: good}, person, nil, nil); err != nil || n.Lost.Empty() {
		t.Errorf("the undamaged one is not read: %v", err)
	}
	if n, err := Read(nil, person, nil, nil); err != nil || !n.Lost.Empty() {
		t.Errorf("no annotation is read as %+v, %v", n, err)
	}
}

// TestPolicyParts encodes notes, and expects in them the parts that admission policies
// search for.
func TestPolicyParts(t *testing.T) {
	lost := lost(t)
	for _, test := range []struct {
		name   string
		note   Note
		limits Limits
		prefix string
		has    []string
		hasNot []string
	}{
		{"what is lost", Note{Object: person, Generation: 7, Lost: lost}, Limits{},
			annotation.RemainderGeneration + "7,", []string{annotation.RemainderLost}, []string{annotation.RemainderSize}},
		{"a marker", Note{Object: person, Generation: 7, Lost: lost}, Limits{Annotations: 1},
			annotation.RemainderGeneration + "7,", []string{annotation.RemainderSize}, []string{annotation.RemainderLost}},
		{"no generation", Note{Object: person, Lost: lost}, Limits{},
			"{", []string{annotation.RemainderLost}, []string{annotation.RemainderGeneration}},
		{"nothing lost", Note{Object: person, Generation: 7, Spec: "digest"}, Limits{},
			annotation.RemainderGeneration + "7,", nil, []string{annotation.RemainderLost, annotation.RemainderSize}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := annotationOf(t, test.note, test.limits)
			if !strings.HasPrefix(text, test.prefix) {
				t.Errorf("got %s, want it to begin with %s", text, test.prefix)
			}
			for _, part := range test.has {
				if !strings.Contains(text, part) {
					t.Errorf("got %s, want %s in it", text, part)
				}
			}
			for _, part := range test.hasNot {
				if strings.Contains(text, part) {
					t.Errorf("got %s, want no %s in it", text, part)
				}
			}
		})
	}
}

func boundToObject(t *testing.T) {
	annotations := map[string]string{
		annotation.Remainder: annotationOf(t, Note{Object: person, Lost: lost(t)}, Limits{}),
	}
	for _, other := range []Object{
		{Group: "cache.azure.armature.dev", Kind: "Person", Namespace: "default", Name: "jo"},
		{Group: "crm.azure.armature.dev", Kind: "Party", Namespace: "default", Name: "jo"},
		{Group: "crm.azure.armature.dev", Kind: "Person", Namespace: "other", Name: "jo"},
		{Group: "crm.azure.armature.dev", Kind: "Person", Namespace: "default", Name: "jim"},
		{Group: "crm.azure.armature.dev", Kind: "Person", Namespace: "", Name: "defaultjo"},
	} {
		if n, err := Read(annotations, other, nil, nil); err != nil || !n.Lost.Empty() {
			t.Errorf("%s takes the remainder of %s", other, person)
		}
	}
}

func readNewer(t *testing.T) {
	for _, value := range []string{
		`{"format":3,"object":"` + string(person.digest()) + `"}`,
		`{"format":4,"object":"` + string(person.digest()) + `","lost":"in another way","size":[]}`,
	} {
		tally := Tally{}
		_, err := Read(map[string]string{annotation.Remainder: value}, person, nil, &tally)
		var newer *NewerError
		if !errors.As(err, &newer) || newer.Object != person || tally != (Tally{Newer: 1}) {
			t.Fatalf("%s: %v, %+v", value, err, tally)
		}
		if !strings.Contains(err.Error(), "Person.crm.azure.armature.dev default/jo has format") ||
			!strings.Contains(err.Error(), "read the object again") {
			t.Error(err)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Run("over the budget a marker refuses writes", overBudget)
	t.Run("the budget is never more than the API server takes", budgetOfServer)
	t.Run("without room for the marker it fails", noRoomForMarker)
	t.Run("what is as deep as an object may be is carried", deep)
	t.Run("nothing lost is no annotation", nothingLost)
}

func overBudget(t *testing.T) {
	n := Note{
		Object: person, OriginalVersion: "2021-04-01", Spec: "x",
		Lost: bagOf(t, `"`+strings.Repeat("x", 1000)+`"`),
	}
	size := len(annotationOf(t, n, Limits{}))
	others := map[string]string{"k": strings.Repeat("v", 500)}
	total := len(annotation.Remainder) + size + 501
	for _, test := range []struct {
		why    string
		limit  int
		marked bool
	}{
		{"it just fits", total, false},
		{"one byte too many, others included", total - 1, true},
		{"no room at all", 1, true},
		{"the default is enough", 0, false},
	} {
		annotations, err := n.Write(maps.Clone(others),
			Limits{Annotations: test.limit, Writers: []string{"v20210401", "v20210401storage"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if annotations["k"] != others["k"] {
			t.Errorf("%s: the other annotation is gone", test.why)
		}
		tally := Tally{}
		read, err := Read(annotations, person, nil, &tally)
		if !test.marked {
			if err != nil || read.Lost.Empty() || read.OriginalVersion != "2021-04-01" {
				t.Errorf("%s: %v", test.why, err)
			}
			continue
		}
		var large *TooLargeError
		if !errors.As(err, &large) || large.Size != size || tally != (Tally{Refused: 1}) {
			t.Fatalf("%s: %v, %+v", test.why, err, tally)
		}
		for _, want := range []string{"Person.crm.azure.armature.dev default/jo", fmt.Sprint(size, " bytes"),
			"at version v20210401 or v20210401storage"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not say %q", err, want)
			}
		}
	}
}

func budgetOfServer(t *testing.T) {
	n := Note{Object: person, Lost: bagOf(t, `"`+strings.Repeat("x", MaxAnnotations)+`"`)}
	annotations, err := n.Write(nil, Limits{Annotations: 1 << 30}, nil)
	if err != nil || len(annotations[annotation.Remainder]) > 1000 {
		t.Errorf("%d bytes, %v", len(annotations[annotation.Remainder]), err)
	}
	if n, err := Read(annotations, person, nil, nil); err == nil {
		t.Errorf("the marker was read as %+v", n)
	}
}

func noRoomForMarker(t *testing.T) {
	n := Note{Object: person, Lost: lost(t)}
	room := MaxAnnotations - len(annotation.Remainder) - len(annotationOf(t, n, Limits{Annotations: 1})) - len("k")
	if _, err := n.Write(map[string]string{"k": strings.Repeat("v", room)}, Limits{}, nil); err != nil {
		t.Errorf("there is room: %v", err)
	}
	full := map[string]string{"k": strings.Repeat("v", room+1)}
	if annotations, err := n.Write(maps.Clone(full), Limits{}, nil); err != ErrNoRoom || !maps.Equal(annotations, full) {
		t.Errorf("without room: %v", err)
	}
	n = Note{Object: person, OriginalVersion: "2021-04-01", Spec: "x"}
	full = map[string]string{"k": strings.Repeat("v", MaxAnnotations-len("k"))}
	if annotations, err := n.Write(maps.Clone(full), Limits{}, nil); err != nil || !maps.Equal(annotations, full) {
		t.Errorf("nothing is lost, without room: %v", err)
	}
	annotations, err := n.Write(map[string]string{"k": strings.Repeat("v", DefaultLimit)}, Limits{}, nil)
	if read, err2 := Read(annotations, person, nil, nil); err != nil || err2 != nil || read.OriginalVersion != n.OriginalVersion {
		t.Errorf("nothing is lost, over the limit: %v, %v", err, err2)
	}
}

// TestLabel marks objects whose annotations have no room.
func TestLabel(t *testing.T) {
	other := person
	other.Name = "jim"
	tally := Tally{}
	for _, before := range []map[string]string{nil, {"a": "b"}} {
		labels := person.Mark(maps.Clone(before))
		if errs := metav1validation.ValidateLabels(labels, nil); len(errs) > 0 {
			t.Error(errs)
		}
		var large *TooLargeError
		if _, err := person.Unmark(maps.Clone(labels), &tally); !errors.As(err, &large) ||
			!strings.Contains(err.Error(), "remove the label "+annotation.RemainderLabel) {
			t.Errorf("a write of a marked object: %v", err)
		}
		if got, err := other.Unmark(labels, &tally); err != nil || !maps.Equal(got, before) {
			t.Errorf("another object has the label: %v, %v", got, err)
		}
	}
	if tally != (Tally{Refused: 2, Foreign: 2}) {
		t.Errorf("%+v", tally)
	}
}

func TestCheckSize(t *testing.T) {
	annotations := map[string]string{annotation.Remainder: strings.Repeat("x", MaxAnnotations), "k": strings.Repeat("v", MaxOwn-1)}
	if err := person.CheckSize(annotations); err != nil {
		t.Error(err)
	}
	annotations["k"] += "v"
	if err := person.CheckSize(annotations); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("default/jo have %d bytes, expected at most %d", MaxOwn+1, MaxOwn)) {
		t.Error(err)
	}
	// What fits there leaves room for a marker.
	n := Note{Object: person, Lost: lost(t)}
	if _, err := n.Write(map[string]string{"k": strings.Repeat("v", MaxOwn-1)},
		Limits{Writers: []string{strings.Repeat("v", 63)}}, nil); err != nil {
		t.Error(err)
	}
}

// The webhook refuses objects before they reach the depth limit of JSON. So their lost data is
// never too deep, with the parts of the annotation around it.
func deep(t *testing.T) {
	const read = 9900
	lost := bagOf(t, strings.Repeat("[", read)+strings.Repeat("]", read))
	note, err := Read(map[string]string{annotation.Remainder: annotationOf(t, Note{Object: person, Lost: lost}, Limits{})},
		person, nil, nil)
	if err != nil || note.Lost.text != lost.text {
		t.Errorf("not read: %v", err)
	}
}

func nothingLost(t *testing.T) {
	old := Note{Object: person, Lost: lost(t)}
	for _, test := range []struct {
		why          string
		before, want map[string]string
	}{
		{"none", nil, nil},
		{"an empty map stays one", map[string]string{}, map[string]string{}},
		{"others stay", map[string]string{"k": "v"}, map[string]string{"k": "v"}},
		{"an old one is removed", map[string]string{"k": "v", annotation.Remainder: annotationOf(t, old, Limits{})},
			map[string]string{"k": "v"}},
		{"the last one takes the map along, since it came with it", map[string]string{annotation.Remainder: "x"}, nil},
	} {
		got, err := Note{Object: person}.Write(maps.Clone(test.before), Limits{}, nil)
		if err != nil || !maps.Equal(got, test.want) || (got == nil) != (test.want == nil) {
			t.Errorf("%s: %v, %v", test.why, got, err)
		}
	}
	annotations, err := old.Write(map[string]string{annotation.Remainder: "old"}, Limits{}, nil)
	if n, err2 := Read(annotations, person, nil, nil); err != nil || err2 != nil || n.Lost.Empty() {
		t.Errorf("a new one does not replace the old: %v, %v", err, err2)
	}
}

func originalVersion(t *testing.T) {
	annotations := map[string]string{annotation.Remainder: annotationOf(t,
		Note{Object: person, OriginalVersion: "2021-04-01", Spec: "digest"}, Limits{})}
	n, err := Read(annotations, person, nil, nil)
	if err != nil || n.OriginalVersion != "2021-04-01" || n.Spec != "digest" || !n.Lost.Empty() {
		t.Fatalf("%+v, %v", n, err)
	}
}
