package arm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/armature-dev/armature/runtime/reference"
	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func TestDecode(t *testing.T) {
	t.Run("what ARM sends is read", checkReads)
	t.Run("a value of another type is named and left out, and the rest is read", namesMisfits)
	t.Run("a value of another type is read if nothing is lost", readsLossless)
	t.Run("what is no object is an error", needsObject)
	t.Run("a Status may read in a way of its own", ownWay)
	t.Run("of many ignored properties some paths are kept", ignoredPaths)
	t.Run("the result shares nothing with the body", sharesNothing)
	t.Run("many may decode at once", concurrent)
}

func checkReads(t *testing.T) {
	for _, row := range []struct {
		reason  string
		body    string
		want    any
		ignored []string
	}{
		{"nothing", ` { } `, &House_Status{}, nil},
		{"null is absent", `{"id":null,"properties":{"doors":null,"pets":null}}`, &House_Status{}, nil},
		{"also of properties that nobody knows", `{"etag":null,"properties":{"roof":null}}`, &House_Status{}, nil},
		{"all of properties may be null", `{"properties":null}`, &House_Status{}, nil},
		{"empty is not absent", `{"properties":{"pets":[],"floors":{}}}`,
			&House_Status{Pets: []Pet_Status{}, Floors: map[string][]string{}}, nil},
		{"empty properties are present", `{"properties":{}}`, &House_Spec{Empty: &Nothing{}}, nil},
		{"properties that are all null are present", `{"Properties":{"doors":null}}`, &House_Spec{Empty: &Nothing{}}, nil},
		{"properties that are all unknown are present", `{"properties":{"roof":1}}`, &House_Spec{Empty: &Nothing{}},
			[]string{"properties.roof"}},
		{"properties that are null are absent", `{"properties":null}`, &House_Spec{}, nil},
		{"properties with a value do not set the empty struct", `{"properties":{"pets":[]}}`, &House_Spec{Pets: []Pet{}}, nil},
		{"a value in a variant does not set it either", `{"kind":"Rent","properties":{"month":3}}`,
			&Deal_Spec{Rent: &Rent{Month: p(int64(3))}}, nil},
		{"a whole without properties of its own", `{"kind":"Rent","properties":{}}`, &Deal_Spec{Rent: &Rent{}, Empty: &Nothing{}}, nil},
		{"unknown properties are counted, with all that is in them", `{"etag":{"a":[{"b":"}"}]},"properties":{"doors":1,"roof":"]"}}`,
			&House_Status{Doors: p(int64(1))}, []string{"etag", "properties.roof"}},
		{"unknown properties in elements are counted", `{"properties":{"pets":[{"kind":"Cat","tail":1}]}}`,
			&House_Status{Pets: []Pet_Status{{Cat: &Cat{}}}}, []string{"properties.pets[0].tail"}},
		{"names are ARM's, which has no case", `{"ID":"x","Properties":{"DOORS":1}}`, &House_Status{Id: p("x"), Doors: p(int64(1))}, nil},
		{"the discriminator may come last", `{"properties":{"pets":[{"lives":9,"name":"Tom","kind":"Cat"}]}}`,
			&House_Status{Pets: []Pet_Status{{Name: p("Tom"), Cat: &Cat{Lives: p(int64(9))}}}}, nil},
		{"the value of the discriminator has no case", `{"properties":{"pets":[{"Kind":"microsoft.DOG"}]}}`,
			&House_Status{Pets: []Pet_Status{{Dog: &Dog{}}}}, nil},
		{"an unknown variant is kept as it is", `{"properties":{"pets":[{"kind":"Fish", "name":"N","fins":2.50}]}}`,
			&House_Status{Pets: []Pet_Status{{Name: p("N"), Other: p(raw(`{"kind":"Fish", "name":"N","fins":2.50}`))}}}, nil},
		{"a variant without discriminator is kept as it is", `{"properties":{"pets":[{"fins":2}]}}`,
			&House_Status{Pets: []Pet_Status{{Other: p(raw(`{"fins":2}`))}}}, nil},
		{"an unknown whole", `{"id":"x","kind":"Swap","properties":{"for":"y"}}`,
			&Deal_Status{Id: p("x"), Other: p(raw(`{"id":"x","kind":"Swap","properties":{"for":"y"}}`))}, nil},
		{"a known whole", `{"properties":{"month":3},"kind":"Rent","plan":"x"}`,
			&Deal_Status{Rent: &Rent{Plan: p("x"), Month: p(int64(3))}}, nil},
		{"a whole whose type and properties both have fields there", `{"properties":{"month":3,"date":"May"},"kind":"Rent"}`,
			&Deal_Spec{Date: p("May"), Rent: &Rent{Month: p(int64(3))}}, nil},
		{"a variant in properties", `{"properties":{"lives":1,"type":"Paint","until":"May"}}`,
			&Job_Spec{Until: p("May"), Paint: &Cat{Lives: p(int64(1))}}, nil},
		{"additional properties", `{"properties":{"shelf":{"a":"1","wood":"oak"}}}`,
			&House_Spec{Shelf: &Shelf{Wood: p("oak"), Rest: map[string]string{"a": "1"}}}, nil},
		{"an id becomes a reference", `{"properties":{"streetId":"/x","streets":{"a":["/y"]}}}`,
			&House_Spec{Street: &reference.Resource{ARMID: "/x"}, Streets: map[string][]reference.Resource{"a": {{ARMID: "/y"}}}}, nil},
		{"and that of a role too", `{"properties":{"roleId":"/x"}}`, &House_Spec{Role: &reference.RoleDefinition{ARMID: "/x"}}, nil},
		{"strings are unescaped", `{"location":"a\"\\\u00e9\ud83d\ude00é","tags":{"\u0041":"\/"}}`,
			&House_Spec{Location: p("a\"\\é😀é"), Tags: map[string]string{"A": "/"}}, nil},
		{"whole numbers that other programs write", `{"properties":{"doors":5.0}}`, &House_Status{Doors: p(int64(5))}, nil},
		{"exact ones", `{"properties":{"doors":-9223372036854775808}}`, &House_Status{Doors: p(int64(-1 << 63))}, nil},
		{"untyped JSON as it is", `{"properties":{"any":{"n":1.10},"raws":[null,1]}}`,
			&House_Spec{Any: p(raw(`{"n":1.10}`)), Raws: []apiextensionsv1.JSON{raw("null"), raw("1")}}, nil},
		{"an enum's value that is not listed", `{"properties":{"color":"ultraviolet"}}`, &House_Spec{Color: p(color("ultraviolet"))}, nil},
		{"the last of two", `{"id":"x","id":"y"}`, &House_Status{Id: p("y")}, nil},
	} {
		got := newOf(row.want)
		ignored, err := Decode([]byte(row.body), got)
		if err != nil {
			t.Errorf("%s: %v", row.reason, err)
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
		if diff := cmp.Diff(Ignored{Count: len(row.ignored), Paths: row.ignored}, ignored); diff != "" {
			t.Errorf("%s: ignored (-want +got):\n%s", row.reason, diff)
		}
	}
}

func newOf(value any) any {
	switch value.(type) {
	case *House_Status:
		return &House_Status{}
	case *House_Spec:
		return &House_Spec{}
	case *Deal_Status:
		return &Deal_Status{}
	case *Deal_Spec:
		return &Deal_Spec{}
	}
	return &Job_Spec{}
}

// namesMisfits has the word canary in the values, which no misfit may repeat.
func namesMisfits(t *testing.T) {
	for _, row := range []struct {
		reason string
		body   string
		want   string // of the Spec besides the location
		misfit string
	}{
		{"a list for an object", `{"location":"here","properties":["canary"]}`, `{}`, "properties: found an array, expected an object"},
		{"a string for an integer", `{"properties":{"doors":"canary","sold":true},"location":"here"}`, `{"properties":{"sold":true}}`,
			"properties.doors: found a string, expected an integer"},
		{"one that has another text than the integer", `{"properties":{"doors":"03"},"location":"here"}`, `{}`,
			"properties.doors: found a string, expected an integer"},
		{"a fraction", `{"properties":{"doors":3.5},"location":"here"}`, `{}`,
			"properties.doors: found another number, expected an integer of 64 bits"},
		{"too many digits", `{"properties":{"doors":9223372036854775808},"location":"here"}`, `{}`,
			"properties.doors: found another number, expected an integer of 64 bits"},
		{"a whole number that may have been rounded", `{"properties":{"doors":9007199254740993.0},"location":"here"}`, `{}`,
			"properties.doors: found another number, expected an integer of 64 bits"},
		{"too large a number", `{"properties":{"height":1e999},"location":"here"}`, `{}`,
			"properties.height: found a larger number, expected a number of 64 bits"},
		{"a number of a million digits", `{"properties":{"doors":` + strings.Repeat("7", 1e6) + `},"location":"here"}`, `{}`,
			"properties.doors: found another number, expected an integer of 64 bits"},
		{"a number for a string, in a way that nobody writes it", `{"properties":{"name":1.50},"location":"here"}`, `{}`,
			"properties.name: found a number, expected a string"},
		{"a number where an enum is", `{"properties":{"color":7},"location":"here"}`, `{}`,
			"properties.color: found a number, expected a string"},
		{"an object for a string", `{"tags":{"a b":{"x":["canary","}"]},"c":"d"},"location":"here"}`, `{"tags":{"c":"d"}}`,
			`tags["a b"]: found an object, expected a string`},
		{"a text that is no UTF-8", "{\"properties\":{\"name\":\"canary\xff\"},\"location\":\"here\"}", `{}`,
			"properties.name: found a string that is not UTF-8, expected a string"},
		{"half a character", `{"properties":{"name":"canary\ud83d"},"location":"here"}`, `{}`,
			"properties.name: found a string that is not UTF-8, expected a string"},
		{"a secret that is no UTF-8", "{\"properties\":{\"key\":\"canary\xff\"},\"location\":\"here\"}", `{}`,
			"properties.key: found a string that is not UTF-8, expected a secret"},
		{"one that is JSON", "{\"properties\":{\"keyRing\":[\"canary\xff\"]},\"location\":\"here\"}", `{}`,
			"properties.keyRing: found JSON that is not UTF-8, expected a secret"},
		{"an element", `{"properties":{"pets":[null,{"kind":"Cat"}]},"location":"here"}`, `{"properties":{"pets":[{"kind":"Cat"}]}}`,
			"properties.pets[0]: found null, expected an object"},
		{"a number for a truth", `{"properties":{"sold":1},"location":"here"}`, `{}`,
			"properties.sold: found a number, expected true or false"},
		{"an id", `{"properties":{"streetId":7},"location":"here"}`, `{}`,
			"properties.streetId: found a number, expected the ARM id of a resource"},
		{"an unknown variant in a Spec, which has no place for it", `{"properties":{"pet":{"kind":"canary"}},"location":"here"}`, `{}`,
			`properties.pet: found another kind, expected one of "Cat", "Microsoft.Dog"`},
	} {
		got := &House_Spec{}
		decoder := Decoder{KeepSecret: func(string, string) (reference.Secret, error) { return reference.Secret{}, errors.New("kept") }}
		ignored, err := decoder.Decode([]byte(row.body), got)
		if err != nil || len(ignored.Misfits) != 1 || ignored.Misfits[0].String() != row.misfit || ignored.Count != 0 {
			t.Errorf("%s: got %+v, %v, want %q", row.reason, ignored, err, row.misfit)
		}
		if strings.Contains(fmt.Sprint(ignored), "canary") {
			t.Errorf("%s: it tells the value: %+v", row.reason, ignored)
		}
		if got.Location == nil || *got.Location != "here" {
			t.Errorf("%s: the rest was not read", row.reason)
		}
		got.Location, got.Empty = nil, nil
		if body, err := Encode(context.Background(), got, nil); err != nil || string(body) != row.want {
			t.Errorf("%s: got %s, %v, want %s", row.reason, body, err, row.want)
		}
	}
	t.Run("the property is the same for all elements and keys", func(t *testing.T) {
		ignored, err := Decode([]byte(`{"tags":{"a":[],"b":[]},"properties":{"pets":[1,{"kind":"Cat","name":[]}]}}`), &House_Spec{})
		var all []string
		for _, m := range ignored.Misfits {
			all = append(all, m.Property)
		}
		if diff := cmp.Diff([]string{"tags[]", "tags[]", "properties.pets[]", "properties.pets[].name"}, all); diff != "" || err != nil {
			t.Error(diff, err)
		}
	})
	t.Run("too deep", func(t *testing.T) {
		got := &House_Spec{}
		body := strings.Repeat(`{"properties":{"inside":`, 150) + "1" + strings.Repeat("}}", 149) + `},"location":"here"}`
		ignored, err := Decode([]byte(body), got)
		if err != nil || len(ignored.Misfits) != 1 || !strings.HasSuffix(ignored.Misfits[0].String(), "nested more than 200 deep") ||
			len(ignored.Misfits[0].String()) > 1000 || *got.Location != "here" {
			t.Errorf("got %+v, %v", ignored, err)
		}
	})
	t.Run("of many some are kept", func(t *testing.T) {
		ignored, err := Decode([]byte(`{"properties":{"pets":[`+strings.Repeat("1,", 1000)+`{"kind":"Cat"}]}}`), &House_Spec{})
		if err != nil || len(ignored.Misfits) != 100 {
			t.Errorf("got %d, %v", len(ignored.Misfits), err)
		}
	})
}

func readsLossless(t *testing.T) {
	for _, row := range []struct {
		body string
		want *House_Spec
	}{
		{`{"properties":{"doors":"3"}}`, &House_Spec{Doors: p(int64(3))}},
		{`{"properties":{"doors":"-9223372036854775808"}}`, &House_Spec{Doors: p(int64(-1 << 63))}},
		{`{"properties":{"height":"2.5"}}`, &House_Spec{Height: p(2.5)}},
		{`{"properties":{"sold":"true"}}`, &House_Spec{Sold: p(true)}},
		{`{"location":3,"tags":{"a":2.5,"b":false}}`, &House_Spec{Location: p("3"), Tags: map[string]string{"a": "2.5", "b": "false"}}},
	} {
		got := &House_Spec{}
		ignored, err := Decode([]byte(row.body), got)
		if err != nil || len(ignored.Misfits) > 0 {
			t.Errorf("%s: got %v, %v", row.body, ignored, err)
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.body, diff)
		}
	}
}

func needsObject(t *testing.T) {
	for _, row := range []struct {
		reason, body, want string
	}{
		{"no object", `[]`, "found an array, expected an object"},
		{"no JSON", `{"id": x}`, "the body is not JSON: byte 7: "},
		{"nothing", ``, "the body is not JSON"},
		{"two", `{} {}`, "the body is not JSON"},
		{"too much", `"` + strings.Repeat("x", maxBytes) + `"`, "expected at most"},
		{"a secret that nobody keeps", `{"properties":{"key":"canary"}}`, "properties.key: found a secret"},
	} {
		_, err := Decode([]byte(row.body), &House_Spec{})
		if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: got %v, want %q", row.reason, err, row.want)
		}
	}
}

func TestKeepSecret(t *testing.T) {
	t.Run("a secret goes where the caller keeps it", keptByCaller)
	t.Run("a secret that is not a string is kept as JSON", keptAsJSON)
}

func keptByCaller(t *testing.T) {
	kept := map[string]string{}
	decoder := Decoder{KeepSecret: func(path, value string) (reference.Secret, error) {
		kept[path] = value
		if value == "refused" {
			return reference.Secret{}, errors.New("no")
		}
		return reference.Secret{Name: "n", Key: "k"}, nil
	}}
	var spec House_Spec
	_, err := decoder.Decode([]byte(`{"properties":{"key":"s3cret","inside":{"properties":{"key":"refused"}}}}`), &spec)
	if err == nil || !strings.Contains(err.Error(), "properties.inside.properties.key: no") {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(map[string]string{"properties.key": "s3cret", "properties.inside.properties.key": "refused"}, kept); diff != "" {
		t.Error(diff)
	}
	if spec.Key == nil || *spec.Key != (reference.Secret{Name: "n", Key: "k"}) {
		t.Errorf("got %v", spec.Key)
	}
}

// keptAsJSON checks that Encode writes the JSON of a secret that Decode has read, whatever it is.
func keptAsJSON(t *testing.T) {
	for _, value := range []string{`{"script":"a\u00e9\n","n":12345678901234567890.10,"none":null}`, `[]`, `"text"`, `false`, `1.50`} {
		kept := values("")
		decoder := Decoder{KeepSecret: func(path, value string) (reference.Secret, error) {
			if path != "properties.keyRing" {
				t.Errorf("kept for %s", path)
			}
			kept = values(value)
			return reference.Secret{Name: "n", Key: "k"}, nil
		}}
		body := `{"properties":{"keyRing":` + value + `}}`
		var spec House_Spec
		if _, err := decoder.Decode([]byte(body), &spec); err != nil || string(kept) != value {
			t.Errorf("kept %s, %v; want %s", kept, err, value)
			continue
		}
		if sent, err := Encode(context.Background(), &spec, kept); err != nil || string(sent) != body {
			t.Errorf("sent %s, %v; want %s", sent, err, body)
		}
	}
	var spec House_Spec
	if _, err := Decode([]byte(`{"codes":null,"properties":{"keyRing":null}}`), &spec); err != nil || spec.Keys != nil ||
		spec.Codes != nil {
		t.Errorf("null is absent; got %v, %v, %v", spec.Keys, spec.Codes, err)
	}
	_, err := Decode([]byte(`{"properties":{"keyRing":{"a":"s3cret"}}}`), &spec)
	if err == nil || !strings.Contains(err.Error(), "properties.keyRing: found a secret") || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a secret that nobody takes: got %v", err)
	}
}

// own is a Status that reads responses itself.
type own struct{ read string }

func (o *own) FromARM(body []byte) (Ignored, error) {
	o.read = string(body)
	return Ignored{Count: 7}, nil
}

func ownWay(t *testing.T) {
	var status own
	if ignored, err := Decode([]byte("anything"), &status); err != nil || ignored.Count != 7 || status.read != "anything" {
		t.Errorf("got %v, %v, %q", ignored, err, status.read)
	}
}

func ignoredPaths(t *testing.T) {
	var body strings.Builder
	body.WriteString(`{"id":"x"`)
	for i := range 1000 {
		fmt.Fprintf(&body, `,"p%d":0`, i)
	}
	body.WriteString("}")
	ignored, err := Decode([]byte(body.String()), &House_Status{})
	if err != nil || ignored.Count != 1000 || len(ignored.Paths) != 100 {
		t.Errorf("got %d, %d paths, %v", ignored.Count, len(ignored.Paths), err)
	}
}

func sharesNothing(t *testing.T) {
	body := []byte(`{"id":"abc","kind":"Fish","name":"n"}`)
	untyped := []byte(`{"properties":{"any":{"a":1}}}`)
	var got Pet_Status
	var spec House_Spec
	if _, err := Decode(body, &got); err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(untyped, &spec); err != nil {
		t.Fatal(err)
	}
	clear(body)
	clear(untyped)
	if string(spec.Any.Raw) != `{"a":1}` {
		t.Errorf("got %s", spec.Any.Raw)
	}
	if *got.Name != "n" || string(got.Other.Raw) != `{"id":"abc","kind":"Fish","name":"n"}` {
		t.Errorf("got %s, %s", *got.Name, got.Other.Raw)
	}
}

func concurrent(t *testing.T) {
	type recursive struct {
		A *recursive `json:"a,omitempty"`
		B []struct {
			C map[string]recursive `json:"c,omitzero"`
		} `json:"b,omitzero"`
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			const body = `{"a":{"b":[{"c":{"x":{}}}]}}`
			var value recursive
			if _, err := Decode([]byte(body), &value); err != nil {
				t.Error(err)
			}
			if got, err := Encode(context.Background(), &value, nil); err != nil || string(got) != body {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
	group.Wait()
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"id":"x","properties":{"doors":1,"pets":[{"kind":"Fish","a":[null]}],"floors":{"a":["b"]}}}`))
	f.Add([]byte(`{"id":"\ud83d","properties":{"doors":-0.0e1}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var status, again House_Status
		if _, err := Decode(body, &status); err != nil {
			return
		}
		encoded, err := Encode(context.Background(), &status, nil)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if ignored, err := Decode(encoded, &again); err != nil || ignored.Count > 0 {
			t.Fatalf("%s: %v, %v", encoded, ignored, err)
		}
		twice, err := Encode(context.Background(), &again, nil)
		if err != nil || string(twice) != string(encoded) {
			t.Fatalf("%s became %s, %v", encoded, twice, err)
		}
	})
}
