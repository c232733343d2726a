package convert_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/lawfacts"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/roundtrip"
	moves0 "github.com/armature-dev/armature/tests/golden/convert/moves/v20100101storage"
	moves1 "github.com/armature-dev/armature/tests/golden/convert/moves/v20110101storage"
	moves2 "github.com/armature-dev/armature/tests/golden/convert/moves/v20120202storage"
	moves3 "github.com/armature-dev/armature/tests/golden/convert/moves/v20130303storage"
	moves4 "github.com/armature-dev/armature/tests/golden/convert/moves/v20140404storage"
	"github.com/armature-dev/armature/tests/golden/convert/shapes/v20110101storage"
	"github.com/armature-dev/armature/tests/golden/convert/shapes/v20120202storage"
	"github.com/armature-dev/armature/tests/golden/convert/shapes/v20130303storage"
	"github.com/armature-dev/armature/tests/golden/convert/shapes/v20140404storage"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// shapeSpecs and moveSpecs have an empty Spec of each version.
var (
	shapeSpecs = map[string]conversion.ConvertibleSpec{
		"v1": &v20110101storage.Person_Spec{},
		"v2": &v20120202storage.Person_Spec{},
		"v3": &v20130303storage.Person_Spec{},
		"v4": &v20140404storage.Person_Spec{},
	}
	moveSpecs = map[string]conversion.ConvertibleSpec{
		"m0": &moves0.Person_Spec{},
		"m1": &moves1.Person_Spec{},
		"m2": &moves2.Person_Spec{},
		"m3": &moves3.Person_Spec{},
		"m4": &moves4.Person_Spec{},
	}
)

func TestLawsOfHistories(t *testing.T) {
	for folder, builder := range map[string]runtime.SchemeBuilder{
		"shapes": runtime.NewSchemeBuilder(v20110101storage.AddToScheme, v20120202storage.AddToScheme,
			v20130303storage.AddToScheme, v20140404storage.AddToScheme),
		"moves": runtime.NewSchemeBuilder(moves0.AddToScheme, moves1.AddToScheme, moves2.AddToScheme, moves3.AddToScheme,
			moves4.AddToScheme),
	} {
		t.Run(folder, func(t *testing.T) {
			scheme := runtime.NewScheme()
			if err := builder.AddToScheme(scheme); err != nil {
				t.Fatal(err)
			}
			h := histories[slices.IndexFunc(histories, func(h history) bool { return h.folder == folder })]
			packages, _ := h.packages(t)
			bags := map[string][]roundtrip.BagEntry{}
			for typ, entries := range lawfacts.Bags(packages...) {
				for _, e := range entries {
					bags[typ] = append(bags[typ], roundtrip.BagEntry(e))
				}
			}
			roundtrip.Options{Bags: bags}.Check(t, scheme, schema.GroupKind{Group: folder + ".example.com", Kind: "Person"})
		})
	}
}

// TestPairsOfHistories converts random Specs from each version to each other and back.
func TestPairsOfHistories(t *testing.T) {
	for _, specs := range []map[string]conversion.ConvertibleSpec{shapeSpecs, moveSpecs} {
		for a := range specs {
			for b := range specs {
				for seed := range int64(50) {
					src, there, back := emptySpec(a), emptySpec(b), emptySpec(a)
					roundtrip.NewFiller(seed).Fill(src)
					before := text(t, src)
					if err := src.ConvertSpecTo(there); err != nil {
						t.Fatal(err)
					}
					if err := back.ConvertSpecFrom(there); err != nil {
						t.Fatal(err)
					}
					if got := text(t, back); got != before {
						t.Fatalf("%s → %s → %s, seed %d: %s\nbecame %s\nby way of %s", a, b, a, seed, before, got, text(t, there))
					}
				}
			}
		}
	}
}

// TestPropertiesOfChangingShapes sets properties at one version. Another version
// shows them. They come back if nobody changes them there, and otherwise the change
// does.
func TestPropertiesOfChangingShapes(t *testing.T) {
	for _, test := range []edit{
		{"int → float", "v1", `{"count":5}`, "v2", `{"count":5}`, "", ""},
		{"2^53+1 is no float64", "v1", `{"count":9007199254740993}`, "v2", `{}`, "", ""},
		{"but an int64 at the next version", "v1", `{"count":9007199254740993}`, "v3", `{"count":9007199254740993}`, "", ""},
		{"and gives way to a number", "v1", `{"count":9007199254740993}`, "v2", `{}`, `{"count":7}`, `{"count":7}`},
		{"a number without a fraction", "v2", `{"count":1000}`, "v1", `{"count":1000}`, "", ""},
		{"a number with one", "v2", `{"count":1.5}`, "v1", `{}`, "", ""},
		{"gives way to an integer", "v2", `{"count":1.5}`, "v1", `{}`, `{"count":2}`, `{"count":2}`},
		{"-0 is not 0", "v2", `{"count":-0}`, "v1", `{}`, "", ""},
		{"digits → int", "v1", `{"code":"12"}`, "v2", `{"code":12}`, "", ""},
		{"zeros in front", "v1", `{"code":"007"}`, "v2", `{}`, "", ""},
		{"which the next version takes as they are", "v1", `{"code":"007"}`, "v3", `{"code":"007"}`, "", ""},
		{"an exponent", "v1", `{"code":"1e3"}`, "v4", `{}`, "", ""},
		{"gives way to an int", "v1", `{"code":"1e3"}`, "v4", `{}`, `{"code":1000}`, `{"code":"1000"}`},
		{"one object → a list of one", "v1", `{"rule":{"name":"a"}}`, "v2", `{"rule":[{"name":"a"}]}`, "", ""},
		{"of which a second is not seen, and kept", "v2", `{"rule":[{"name":"a"},{"order":2}]}`, "v1", `{}`, "", ""},
		{"until one is set", "v2", `{"rule":[{"name":"a"},{"order":2}]}`, "v1", `{}`, `{"rule":{"name":"b"}}`, `{"rule":[{"name":"b"}]}`},
		{"an empty list is not absent", "v2", `{"rule":[]}`, "v4", `{}`, "", ""},
		{"nor is an empty object", "v1", `{"rule":{}}`, "v2", `{"rule":[{}]}`, "", ""},
		{"what only the list's element has", "v2", `{"rule":[{"order":2}]}`, "v1", `{"rule":{}}`,
			`{"rule":{"name":"b"}}`, `{"rule":[{"name":"b","order":2}]}`},
		{"a list and an object and a list", "v1", `{"rules":[{"name":"a"},{"name":"b"}]}`, "v4",
			`{"rules":[{"name":"a"},{"name":"b"}]}`, "", ""},
		{"are one property: what is set between wins", "v1", `{"rules":[{"name":"a"},{"name":"b"}]}`, "v3", `{}`,
			`{"rules":{"name":"c"}}`, `{"rules":[{"name":"c"}]}`},

		{"D10: an object came back with other properties", "v1", `{"disk":{"caching":"RW"}}`, "v3", `{"disk":{}}`, "", ""},
		{"which are set beside the former ones", "v1", `{"disk":{"caching":"RW"}}`, "v3", `{"disk":{}}`,
			`{"disk":{"ephemeral":"Local"}}`, `{"disk":{"caching":"RW"}}`},
		{"and with the former ones", "v1", `{"disk":{"caching":"RW"}}`, "v4", `{"disk":{"caching":"RW"}}`,
			`{"disk":{"caching":"RO"}}`, `{"disk":{"caching":"RO"}}`},
		{"and with one of another type", "v1", `{"disk":{"size":7}}`, "v3", `{"disk":{"size":"7"}}`, "", ""},
		{"that not all values have", "v3", `{"disk":{"size":"007"}}`, "v1", `{"disk":{}}`, "", ""},
		{"D25: text came back as an object: two properties", "v1", `{"mode":"None"}`, "v3", `{}`, "", ""},
		{"each of which keeps its value", "v1", `{"mode":"None"}`, "v3", `{}`, `{"mode":{"type":"None"}}`, `{"mode":"None"}`},
		{"and text came back as text", "v1", `{"mode":"None"}`, "v4", `{"mode":"None"}`, `{"mode":"Some"}`, `{"mode":"Some"}`},
		{"D23: a list came back as an object", "v1", `{"limits":[{"max":1}]}`, "v3", `{"limits":{"max":1}}`, "", ""},
		{"of which there may have been two", "v1", `{"limits":[{"max":1},{"unit":{"name":"a"}}]}`, "v3", `{}`, "", ""},
		{"until one is set", "v1", `{"limits":[{"max":1},{"max":2}]}`, "v3", `{}`, `{"limits":{"max":3}}`, `{"limits":[{"max":3}]}`},
		{"and as a list again", "v1", `{"limits":[{"max":1},{"unit":{"name":"a"}}]}`, "v4",
			`{"limits":[{"max":1},{"unit":{"name":"a"}}]}`, "", ""},
		{"a property and its type came back under other names", "v1",
			`{"home":{"street":"s","alphaKey":"a","number":1,"sku":{"name":"n","tier":"t"}}}`, "v3",
			`{"house":{"number":1,"sku":{"name":"n"},"sortKey":"a","street":"s"}}`, "", ""},
		{"and can be edited there", "v1", `{"home":{"alphaKey":"a"}}`, "v4", `{"house":{"sortKey":"a"}}`,
			`{"house":{"sortKey":"b"}}`, `{"home":{"alphaKey":"b"}}`},
		{"and removed", "v1", `{"home":{"alphaKey":"a"}}`, "v4", `{"house":{"sortKey":"a"}}`, `{"house":null}`, `{}`},
		{"in lists", "v1", `{"items":[{"disk":{"caching":"RW"}},{"name":"b"},{"disk":{"size":1}}]}`, "v4",
			`{"items":[{"disk":{"caching":"RW"}},{"name":"b"},{"disk":{"size":"1"}}]}`, "", ""},
		{"an object inside that only the later shape has", "v3", `{"extra":{"unit":{"name":"a"}}}`, "v1",
			`{"extra":{}}`, `{"extra":{"name":"n"}}`, `{"extra":{"name":"n","unit":{"name":"a"}}}`},
		{"and it alone", "v4", `{"extra":{"unit":{"scale":1}}}`, "v1", `{"extra":{}}`, `{"extra":{"name":"n"}}`,
			`{"extra":{"name":"n","unit":{"scale":1}}}`},
		{"types that do not match, neighbours: two properties", "v1", `{"flag":"x"}`, "v2", `{}`, `{"flag":true}`, `{"flag":"x"}`},
		{"of which the first comes back", "v1", `{"flag":"x"}`, "v4", `{"flag":"x"}`, `{"flag":null}`, `{}`},
		{"JSON of any content got a type", "v1", `{"state":{"phase":"on","since":1}}`, "v2", `{}`, "", ""},
		{"and is as it was where it has none again", "v1", `{"state":{"phase":"on","since":1}}`, "v4",
			`{"state":{"phase":"on","since":1}}`, "", ""},
		{"and what has the type is not lost where it has none", "v2", `{"state":{"phase":"off"}}`, "v1", `{}`, "", ""},
		{"JSON of any content got a type without properties", "v1", `{"seats":{"a":{},"b":{}}}`, "v2", `{"seats":{"a":{},"b":{}}}`, "", ""},
		{"an empty map is not absent", "v1", `{"seats":{}}`, "v2", `{"seats":{}}`, "", ""},
		{"what the type has no place for", "v1", `{"seats":{"a":{},"b":{"row":1}}}`, "v2", `{}`, "", ""},
		{"gives way to what is set", "v1", `{"seats":{"a":{},"b":{"row":1}}}`, "v2", `{}`, `{"seats":{"c":{}}}`, `{"seats":{"c":{}}}`},
		{"null is no object", "v1", `{"seats":{"a":null}}`, "v2", `{}`, "", ""},
		{"and the other way", "v2", `{"seats":{"a":{}}}`, "v1", `{"seats":{"a":{}}}`, `{"seats":{"b":{"row":1}}}`, `{}`},
		{"out of a bag", "v2", `{"seats":{"a":{}}}`, "v4", `{"seats":{"a":{}}}`, "", ""},
		{"into a bag and out of it", "v4", `{"seats":{"a":{}}}`, "v2", `{"seats":{"a":{}}}`,
			`{"seats":{"b":{}}}`, `{"seats":{"a":{},"b":{}}}`},
		{"what stays in the bag", "v4", `{"seats":{"a":{"row":1}}}`, "v2", `{}`, "", ""},
	} {
		test.check(t)
	}
}

// edit sets properties at one version. Another version shows them, and may change them.
type edit struct {
	reason  string
	at, set string // at a version, what is set
	to, see string // at another, what is to be seen
	edit    string // there, "" for none
	want    string // at the first; "" for what was set
}

func (test edit) check(t *testing.T) {
	t.Helper()
	name := fmt.Sprintf("%s: %s set at %s, seen at %s", test.reason, test.set, test.at, test.to)
	src, there, back := emptySpec(test.at), emptySpec(test.to), emptySpec(test.at)
	read(t, test.set, src)
	set := text(t, src)
	if err := src.ConvertSpecTo(there); err != nil {
		t.Fatal(err)
	}
	if got := plainText(t, there); got != test.see {
		t.Errorf("%s: saw %s, want %s", name, got, test.see)
	}
	want := set
	if test.edit != "" {
		there = merge(t, there, test.edit, test.to)
		want = test.want
	}
	if err := back.ConvertSpecFrom(there); err != nil {
		t.Fatal(err)
	}
	got := text(t, back)
	if test.edit != "" {
		got = plainText(t, back)
	}
	if got != want {
		t.Errorf("%s: %s came back, want %s\nfrom %s", name, got, want, text(t, there))
	}
}

// TestPropertiesOfOneName writes two properties of the same name several times,
// which stay apart.
func TestPropertiesOfOneName(t *testing.T) {
	v1, v3 := emptySpec("v1"), emptySpec("v3")
	read(t, `{"mode":"None"}`, v1)
	if err := v1.ConvertSpecTo(v3); err != nil {
		t.Fatal(err)
	}
	v3 = merge(t, v3, `{"mode":{"type":"Wire"}}`, "v3")
	v2 := emptySpec("v2")
	if err := v3.ConvertSpecTo(v2); err != nil {
		t.Fatal(err)
	}
	want := `{"$propertyBag":{"mode@2013-03-03":{"value":{"type":"Wire"},"version":"2013-03-03"},"mode@2014-04-04":{"value":"None","version":"2014-04-04"}}}`
	if got := text(t, v2); got != want {
		t.Errorf("v2 has %s, want %s", got, want)
	}
	for range 3 {
		v1, v3 = emptySpec("v1"), emptySpec("v3")
		if err := v2.ConvertSpecTo(v1); err != nil {
			t.Fatal(err)
		}
		if got := plainText(t, v1); got != `{"mode":"None"}` {
			t.Errorf("v1 sees %s", got)
		}
		if err := v1.ConvertSpecTo(v3); err != nil {
			t.Fatal(err)
		}
		if got := plainText(t, v3); got != `{"mode":{"type":"Wire"}}` {
			t.Errorf("v3 sees %s", got)
		}
		v2 = emptySpec("v2")
		if err := v3.ConvertSpecTo(v2); err != nil {
			t.Fatal(err)
		}
		if got := text(t, v2); got != want {
			t.Errorf("v2 has %s, want %s", got, want)
		}
	}
}

// TestLabels takes an entry through a version that has its property, and back.
func TestLabels(t *testing.T) {
	at := func(from conversion.ConvertibleSpec, version string) conversion.ConvertibleSpec {
		t.Helper()
		to := emptySpec(version)
		if err := from.ConvertSpecTo(to); err != nil {
			t.Fatal(err)
		}
		return to
	}
	v1 := emptySpec("v1")
	read(t, `{"mode":"None","state":{"phase":"on","since":1}}`, v1)
	before := emptySpec("v2")
	read(t, `{"$propertyBag":{
		"mode@2011-01-01":{"value":"None","version":"2011-01-01"},
		"state@2011-01-01":{"value":{"phase":"on","since":1},"version":"2011-01-01"}}}`, before)
	after := at(at(before, "v4"), "v2")
	t.Run("an entry has the label of the version that had its property last, and is otherwise as it was", func(t *testing.T) {
		want := strings.ReplaceAll(text(t, before), "2011-01-01", "2014-04-04")
		if got := text(t, after); got != want {
			t.Errorf("became %s, want %s", got, want)
		}
	})
	t.Run("every version of the shape takes it by either label", func(t *testing.T) {
		for _, v2 := range []conversion.ConvertibleSpec{before, after} {
			if got, want := text(t, at(v2, "v1")), text(t, v1); got != want {
				t.Errorf("v1 has %s, want %s", got, want)
			}
			if got, want := plainText(t, at(v2, "v4")), text(t, v1); got != want {
				t.Errorf("v4 has %s, want %s", got, want)
			}
		}
	})
	t.Run("a second time nothing changes", func(t *testing.T) {
		if got := text(t, at(at(after, "v4"), "v2")); got != text(t, after) {
			t.Errorf("became %s, want %s", got, text(t, after))
		}
	})
}

func emptySpec(version string) conversion.ConvertibleSpec {
	spec := shapeSpecs[version]
	if spec == nil {
		spec = moveSpecs[version]
	}
	return emptyLike(spec).(conversion.ConvertibleSpec)
}

func read(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, object any) string {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// plainText returns the JSON of an object without its bags, as a client would see it.
func plainText(t *testing.T, object any) string {
	t.Helper()
	var strip func(any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			delete(v, "$propertyBag")
			for _, value := range v {
				strip(value)
			}
		case []any:
			for _, value := range v {
				strip(value)
			}
		}
	}
	d := json.NewDecoder(strings.NewReader(text(t, object)))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	strip(tree)
	plain := emptyLike(object)
	read(t, text(t, tree), plain)
	return text(t, plain)
}

func emptyLike(object any) any { return reflect.New(reflect.TypeOf(object).Elem()).Interface() }

// merge returns the Spec with an edit in JSON's merge patch form.
func merge(t *testing.T, spec conversion.ConvertibleSpec, edit, version string) conversion.ConvertibleSpec {
	t.Helper()
	var patch func(into map[string]any, from map[string]any)
	patch = func(into, from map[string]any) {
		for key, value := range from {
			inner, object := into[key].(map[string]any)
			if change, also := value.(map[string]any); object && also {
				patch(inner, change)
			} else if into[key] = value; value == nil {
				delete(into, key)
			}
		}
	}
	var tree, change map[string]any
	read(t, text(t, spec), &tree)
	read(t, edit, &change)
	patch(tree, change)
	result := emptySpec(version)
	read(t, text(t, tree), result)
	return result
}
