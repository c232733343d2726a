package remainder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/propertybag"
)

var person = Object{Group: "crm.azure.armature.dev", Kind: "Person", Namespace: "default", Name: "jo"}

// tree reads JSON.
func tree(t testing.TB, text string) any {
	t.Helper()
	tree, err := parse(text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return tree
}

// text writes a value as JSON, members in the order of their names.
func text(value any) string {
	var e encoder
	switch value.(type) {
	case nil, map[string]any, []any, string, bool, int64, float64, json.Number, Digest, Absent:
	default:
		value, e.err = treeOf(value)
	}
	e.value(value)
	return string(e.text)
}

// carried is a remainder as it comes out of the annotation.
func carried(t testing.TB, r Remainder) Remainder {
	t.Helper()
	annotations, err := Note{Object: person, Lost: r}.Write(nil, Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tally := Tally{}
	note, err := Read(annotations, person, nil, &tally)
	if err != nil || tally != (Tally{}) {
		t.Fatalf("%v, %+v, from %s", err, tally, annotations[annotation.Remainder])
	}
	return note.Lost
}

// diff returns what plain lacks of stored: two trees, or two pointers to objects.
func diff(t testing.TB, stored, plain any, options Options) Remainder {
	t.Helper()
	r, err := Diff(&stored, &plain, options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// apply applies a remainder to a tree or a pointer to an object, and returns
// what becomes of it.
func apply(t testing.TB, r Remainder, written any, tally *Tally) (merged any, dropped []Entry) {
	t.Helper()
	dropped, err := r.Apply(&written, tally)
	if err != nil {
		t.Fatal(err)
	}
	return written, dropped
}

// restore does what the two conversions do.
func restore(t testing.TB, stored, plain, written any, options Options) (any, []Entry) {
	t.Helper()
	r := carried(t, diff(t, stored, plain, options))
	tally := Tally{}
	merged, dropped := apply(t, r, written, &tally)
	if tally.Dropped != len(dropped) || tally.Applied+tally.Dropped != len(r.Entries()) {
		t.Errorf("%d entries, %d dropped: counted %+v", len(r.Entries()), len(dropped), tally)
	}
	return merged, dropped
}

// box is an object with a bag and the variants of a union.
type box struct {
	A         any             `json:"a,omitempty"`
	Bag       propertybag.Bag `json:"$propertyBag,omitempty"`
	Blob      any             `json:"blob,omitempty"`
	DaysAfter any             `json:"daysAfter,omitempty"`
	File      any             `json:"file,omitempty"`
	Name      string          `json:"name,omitempty"`
	Queue     any             `json:"queue,omitempty"`
	S         any             `json:"s,omitempty"`
	U         *box            `json:"u,omitempty"`
	X         map[string]any  `json:"x,omitzero"`
	Y         map[string]any  `json:"y,omitzero"`
	Z         map[string]any  `json:"z,omitzero"`
}

// boxed reads a box.
func boxed(t testing.TB, text string) any {
	t.Helper()
	b := &box{}
	if err := json.Unmarshal([]byte(text), b); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return b
}

// TestApply has a row for each clause of the merge. The written object is
// what the client sent, converted to the stored object's shape.
func TestApply(t *testing.T) {
	variants := Options{Unions: [][]string{{"blob", "file", "queue"}}}
	ports := Options{Keys: [][]string{{"port", "protocol"}}}
	for _, test := range []struct {
		why                           string
		stored, plain, written, merge string
		dropped                       string // paths, a space for that of the whole tree
		options                       Options
		read                          func(testing.TB, string) any // tree if nil
	}{
		// Values.
		{why: "nothing is lost, nothing happens", stored: `{"a":1}`, plain: `{"a":1}`, written: `{"a":2}`, merge: `{"a":2}`},
		{why: "what the old version does not know comes back",
			stored: `{"a":1,"b":2}`, plain: `{"a":1}`, written: `{"a":1}`, merge: `{"a":1,"b":2}`},
		{why: "an edit costs no neighbour",
			stored: `{"a":1,"b":2}`, plain: `{"a":1}`, written: `{"a":5}`, merge: `{"a":5,"b":2}`},
		{why: "clearing is an edit",
			stored: `{"a":1,"b":2}`, plain: `{"a":1}`, written: `{}`, merge: `{"b":2}`},
		{why: "what is shown otherwise comes back as it was",
			stored: `{"a":"Basic"}`, plain: `{"a":"basic"}`, written: `{"a":"basic"}`, merge: `{"a":"Basic"}`},
		{why: "the client's edit of it wins",
			stored: `{"a":"Basic"}`, plain: `{"a":"basic"}`, written: `{"a":"premium"}`, merge: `{"a":"premium"}`, dropped: "a"},
		{why: "clearing it wins too",
			stored: `{"a":"Basic"}`, plain: `{"a":"basic"}`, written: `{}`, merge: `{}`, dropped: "a"},
		{why: "a long value is compared by its digest",
			stored: `{"a":"H"}`, plain: `{"a":"ppppppppppppppppppppppppppppppppp"}`,
			written: `{"a":"ppppppppppppppppppppppppppppppppp"}`, merge: `{"a":"H"}`},
		{why: "and differs by its digest",
			stored: `{"a":"H"}`, plain: `{"a":"ppppppppppppppppppppppppppppppppp"}`,
			written: `{"a":"pppppppppppppppppppppppppppppppppp"}`, merge: `{"a":"pppppppppppppppppppppppppppppppppp"}`, dropped: "a"},
		{why: "what the round trip makes up goes",
			stored: `{"b":1}`, plain: `{"a":"default","b":1}`, written: `{"a":"default","b":2}`, merge: `{"b":2}`},
		{why: "unless the client sets it",
			stored: `{}`, plain: `{"a":"default"}`, written: `{"a":"own"}`, merge: `{"a":"own"}`, dropped: "a"},
		{why: "what the client made absent is absent already",
			stored: `{}`, plain: `{"a":"default"}`, written: `{}`, merge: `{}`, dropped: "a"},
		{why: "set by the client through a version that has it, the client's wins",
			stored: `{"b":2}`, plain: `{}`, written: `{"b":3}`, merge: `{"b":3}`, dropped: "b"},
		{why: "null is not absent",
			stored: `{"a":null}`, plain: `{}`, written: `{}`, merge: `{"a":null}`},
		{why: "nor the other way round",
			stored: `{}`, plain: `{"a":null}`, written: `{"a":null}`, merge: `{}`},
		{why: "empty is not absent",
			stored: `{"a":[],"b":{}}`, plain: `{}`, written: `{}`, merge: `{"a":[],"b":{}}`},
		{why: "empty is not null",
			stored: `{"a":[],"b":{}}`, plain: `{"a":null,"b":null}`, written: `{"a":null,"b":null}`, merge: `{"a":[],"b":{}}`},
		{why: "false and 0 are values",
			stored: `{"a":false,"b":0}`, plain: `{}`, written: `{}`, merge: `{"a":false,"b":0}`},
		{why: "another type",
			stored: `{"a":{"x":1}}`, plain: `{"a":"x"}`, written: `{"a":"x"}`, merge: `{"a":{"x":1}}`},
		{why: "text is no number",
			stored: `{"a":"1"}`, plain: `{"a":1}`, written: `{"a":1}`, merge: `{"a":"1"}`},
		{why: "integers beyond 2^53 stay apart",
			stored: `{"a":9007199254740993}`, plain: `{"a":9007199254740992}`, written: `{"a":9007199254740992}`,
			merge: `{"a":9007199254740993}`},
		{why: "how a number is written says nothing",
			stored: `{"a":"H"}`, plain: `{"a":1.0}`, written: `{"a":1}`, merge: `{"a":"H"}`},
		{why: "a number comes back as it was written",
			stored: `{"a":1.50,"b":1E400}`, plain: `{}`, written: `{}`, merge: `{"a":1.50,"b":1E400}`},
		{why: "the whole tree",
			stored: `[1]`, plain: `"x"`, written: `"x"`, merge: `[1]`},

		// Parents.
		{why: "what is gone takes along what was in it",
			stored: `{"s":{"a":1,"b":2},"t":3}`, plain: `{"s":{"a":1},"t":3}`, written: `{"t":3}`, merge: `{"t":3}`, dropped: "s.b"},
		{why: "what was emptied is still there",
			stored: `{"s":{"a":1,"b":2}}`, plain: `{"s":{"a":1}}`, written: `{"s":{}}`, merge: `{"s":{"b":2}}`},
		{why: "what became something else is gone",
			stored: `{"s":{"a":1,"b":2}}`, plain: `{"s":{"a":1}}`, written: `{"s":"x"}`, merge: `{"s":"x"}`, dropped: "s.b"},
		{why: "a list that became something else is gone",
			stored: `{"s":[{"b":2}]}`, plain: `{"s":[{}]}`, written: `{"s":{"b":1}}`, merge: `{"s":{"b":1}}`, dropped: "s[0].b"},
		{why: "keys of maps are names, and do not fold",
			stored: `{"m":{"A":{"h":1},"a":{"h":2}}}`, plain: `{"m":{"A":{},"a":{}}}`, written: `{"m":{"a":{}}}`,
			merge: `{"m":{"a":{"h":2}}}`, dropped: "m.A.h"},
		{why: "an odd key in a path is quoted",
			stored: `{"m":{"a.b":{"h":1},"":{"h":2}}}`, plain: `{"m":{"a.b":{},"":{}}}`, written: `{"m":{}}`, merge: `{"m":{}}`,
			dropped: `m[""].h m["a.b"].h`},
		{why: "the variant that the client chose has no other beside it",
			stored: `{"u":{"blob":{"x":1}}}`, plain: `{"u":{}}`, written: `{"u":{"file":{}}}`, merge: `{"u":{"file":{}}}`,
			dropped: "u.blob", options: variants, read: boxed},
		{why: "no other variant was chosen",
			stored: `{"u":{"blob":{"x":1}}}`, plain: `{"u":{}}`, written: `{"u":{"s":1}}`, merge: `{"u":{"blob":{"x":1},"s":1}}`,
			options: variants, read: boxed},
		{why: "a variant that was shown instead goes first",
			stored: `{"u":{"blob":{}}}`, plain: `{"u":{"queue":{}}}`, written: `{"u":{"queue":{}}}`, merge: `{"u":{"blob":{}}}`,
			options: variants, read: boxed},
		{why: "an edit of the variant that was shown instead wins",
			stored: `{"u":{"blob":{}}}`, plain: `{"u":{"queue":{}}}`, written: `{"u":{"queue":{"a":1}}}`,
			merge: `{"u":{"queue":{"a":1}}}`, dropped: "u.queue u.blob", options: variants, read: boxed},
		{why: "an object that has two of the names is not of that union",
			stored: `{"u":{"blob":1,"file":2}}`, plain: `{"u":{}}`, written: `{"u":{"queue":3}}`,
			merge: `{"u":{"blob":1,"file":2,"queue":3}}`, options: variants, read: boxed},

		// Bags.
		{why: "an entry of a bag is taken as a whole, since its shape goes with its version",
			stored:  `{"$propertyBag":{"x":{"version":"2","value":{"first":"a"}}}}`,
			plain:   `{"$propertyBag":{"x":{"version":"1","value":{"name":"a"}}}}`,
			written: `{"$propertyBag":{"x":{"version":"1","value":{"name":"b"}}}}`,
			merge:   `{"$propertyBag":{"x":{"value":{"name":"b"},"version":"1"}}}`, dropped: `$propertyBag.x`, read: boxed},
		{why: "unchanged it comes back",
			stored:  `{"$propertyBag":{"x":{"version":"2","value":{"first":"a"}}}}`,
			plain:   `{"$propertyBag":{"x":{"version":"1","value":{"name":"a"}}}}`,
			written: `{"$propertyBag":{"x":{"version":"1","value":{"name":"a"}}}}`,
			merge:   `{"$propertyBag":{"x":{"value":{"first":"a"},"version":"2"}}}`, read: boxed},
		{why: "a bag that is not there is an empty one: a new entry costs no other",
			stored: `{"$propertyBag":{"x":{"value":1,"version":"1"}}}`, plain: `{}`,
			written: `{"$propertyBag":{"y":{"value":2,"version":"2"}}}`,
			merge:   `{"$propertyBag":{"x":{"value":1,"version":"1"},"y":{"value":2,"version":"2"}}}`, read: boxed},
		{why: "a bag is made for what comes back",
			stored: `{"$propertyBag":{"x":{"value":1,"version":"1"}}}`, plain: `{"$propertyBag":{"y":1}}`, written: `{}`,
			merge: `{"$propertyBag":{"x":{"value":1,"version":"1"}}}`, dropped: "$propertyBag.y", read: boxed},
		{why: "an empty bag is none",
			stored: `{"a":1}`, plain: `{"$propertyBag":{"x":1},"a":1}`, written: `{"$propertyBag":{"x":1},"a":1}`,
			merge: `{"a":1}`, read: boxed},
		{why: "none is made for nothing",
			stored: `{}`, plain: `{"$propertyBag":{"x":1}}`, written: `{}`, merge: `{}`, dropped: "$propertyBag.x", read: boxed},
		{why: "a damaged bag is an entry like others",
			stored: `{"$propertyBag":"odd"}`, plain: `{"$propertyBag":{"x":1}}`, written: `{"$propertyBag":{"x":1}}`,
			merge: `{"$propertyBag":{"":"odd"}}`, read: boxed},

		{why: "an entry of a bag that has less in it",
			stored: `{"$propertyBag":{"x":{"value":1}}}`, plain: `{"$propertyBag":{"x":{"value":1,"version":"1"}}}`,
			written: `{"$propertyBag":{"x":{"value":1,"version":"1"},"y":1}}`,
			merge:   `{"$propertyBag":{"x":{"value":1},"y":1}}`, read: boxed},
		{why: "an entry of a bag with another list of the same length",
			stored: `{"$propertyBag":{"x":["A",{}]}}`, plain: `{"$propertyBag":{"x":["a",{}]}}`,
			written: `{"$propertyBag":{"x":["a",{}],"y":1}}`,
			merge:   `{"$propertyBag":{"x":["A",{}],"y":1}}`, read: boxed},

		// Elements with a key.
		{why: "found by name in another order",
			stored: `[{"name":"a","h":1},{"name":"b","h":2}]`, plain: `[{"name":"a"},{"name":"b"}]`,
			written: `[{"name":"b"},{"name":"a"}]`, merge: `[{"h":2,"name":"b"},{"h":1,"name":"a"}]`},
		{why: "found by name behind an insertion, in a list of the same length",
			stored: `[{"name":"a","h":1},{"name":"b","h":2}]`, plain: `[{"name":"a"},{"name":"b"}]`,
			written: `[{"name":"n"},{"name":"a"}]`, merge: `[{"name":"n"},{"h":1,"name":"a"}]`, dropped: "[name=b].h"},
		{why: "a new element is nobody's heir",
			stored: `[{"name":"a","h":1}]`, plain: `[{"name":"a"}]`,
			written: `[{"name":"b"}]`, merge: `[{"name":"b"}]`, dropped: "[name=a].h"},
		{why: "id goes before name",
			stored: `[{"id":"1","name":"a","h":1}]`, plain: `[{"id":"1","name":"a"}]`,
			written: `[{"id":"1","name":"b"}]`, merge: `[{"h":1,"id":"1","name":"b"}]`},
		{why: "what not all have is no key",
			stored: `[{"id":"1","name":"a","h":1},{"name":"b"}]`, plain: `[{"id":"1","name":"a"},{"name":"b"}]`,
			written: `[{"id":"2","name":"a"},{"name":"b"}]`, merge: `[{"h":1,"id":"2","name":"a"},{"name":"b"}]`},
		{why: "what two share is no key",
			stored: `[{"name":"a","x":1,"h":1},{"name":"a","x":2,"h":2}]`, plain: `[{"name":"a","x":1},{"name":"a","x":2}]`,
			written: `[{"name":"a","x":2},{"name":"a","x":1}]`, merge: `[{"h":2,"name":"a","x":2},{"h":1,"name":"a","x":1}]`},
		{why: "a declared key of two properties",
			stored:  `[{"port":80,"protocol":"t","h":1},{"port":80,"protocol":"u","h":2}]`,
			plain:   `[{"port":80,"protocol":"t"},{"port":80,"protocol":"u"}]`,
			written: `[{"port":80.0,"protocol":"u","x":1}]`, merge: `[{"h":2,"port":80.0,"protocol":"u","x":1}]`,
			dropped: `[port,protocol=[80,"t"]].h`, options: ports},
		{why: "a declared key goes before name",
			stored: `[{"name":"a","port":80,"protocol":"t","h":1}]`, plain: `[{"name":"a","port":80,"protocol":"t"}]`,
			written: `[{"name":"n"},{"name":"b","port":80,"protocol":"t"}]`,
			merge:   `[{"name":"n"},{"h":1,"name":"b","port":80,"protocol":"t"}]`, options: ports},
		{why: "nothing is no name",
			stored: `[{"name":"","h":1}]`, plain: `[{"name":""}]`, written: `[{"name":"b"}]`, merge: `[{"h":1,"name":"b"}]`},
		{why: "a list is no name",
			stored: `[{"name":["a"],"h":1}]`, plain: `[{"name":["a"]}]`, written: `[{"name":["b"]}]`, merge: `[{"h":1,"name":["b"]}]`},
		{why: "a long key goes by its digest",
			stored: `[{"id":"/subscriptions/0/resourceGroups/g/x","h":1}]`, plain: `[{"id":"/subscriptions/0/resourceGroups/g/x"}]`,
			written: `[{"id":"n"},{"id":"/subscriptions/0/resourceGroups/g/x"}]`,
			merge:   `[{"id":"n"},{"h":1,"id":"/subscriptions/0/resourceGroups/g/x"}]`},
		{why: "what looks like a digest is none",
			stored: `[{"id":"#x","h":1}]`, plain: `[{"id":"#x"}]`, written: `[{"id":"n"},{"id":"#x"}]`,
			merge: `[{"id":"n"},{"h":1,"id":"#x"}]`},
		{why: "the client made a key twice: the first has it",
			stored: `[{"name":"a","h":1}]`, plain: `[{"name":"a"}]`,
			written: `[{"name":"a"},{"name":"a"}]`, merge: `[{"h":1,"name":"a"},{"name":"a"}]`},
		{why: "the key is shown otherwise",
			stored: `[{"name":"A"},{"name":"B"}]`, plain: `[{"name":"a"},{"name":"b"}]`,
			written: `[{"name":"b","x":1}]`, merge: `[{"name":"B","x":1}]`, dropped: "[name=a].name"},
		{why: "moved by a hook: the stored object's order comes back",
			stored: `[{"name":"b","h":2},{"name":"a","h":1}]`, plain: `[{"name":"a"},{"name":"b"}]`,
			written: `[{"name":"a","x":1},{"name":"b"}]`, merge: `[{"h":2,"name":"b"},{"h":1,"name":"a","x":1}]`},
		{why: "only moved",
			stored: `[{"name":"b"},{"name":"a"}]`, plain: `[{"name":"a"},{"name":"b"}]`,
			written: `[{"name":"a"},{"name":"b"}]`, merge: `[{"name":"b"},{"name":"a"}]`},
		{why: "moved by a hook, and by the client: the client's order stays",
			stored: `[{"name":"c"},{"name":"b"},{"name":"a","h":1}]`, plain: `[{"name":"a"},{"name":"b"},{"name":"c"}]`,
			written: `[{"name":"b"},{"name":"a"},{"name":"c"}]`, merge: `[{"name":"b"},{"h":1,"name":"a"},{"name":"c"}]`},

		// Elements that only one side has.
		{why: "an element that the old version does not show",
			stored: `[{"name":"a"},{"name":"h"},{"name":"b"}]`, plain: `[{"name":"a"},{"name":"b"}]`,
			written: `[{"name":"a"},{"name":"b"}]`, merge: `[{"name":"a"},{"name":"h"},{"name":"b"}]`},
		{why: "it goes with the one before it",
			stored: `[{"name":"a"},{"name":"h"},{"name":"b"}]`, plain: `[{"name":"a"},{"name":"b"}]`,
			written: `[{"name":"b"},{"name":"a"},{"name":"n"}]`, merge: `[{"name":"b"},{"name":"a"},{"name":"h"},{"name":"n"}]`},
		{why: "or with the one before that",
			stored: `[{"name":"a"},{"name":"b"},{"name":"h"}]`, plain: `[{"name":"a"},{"name":"b"}]`,
			written: `[{"name":"a"}]`, merge: `[{"name":"a"},{"name":"h"}]`},
		{why: "the client has one of its name: the client's stays",
			stored: `[{"name":"a"},{"name":"h","x":1}]`, plain: `[{"name":"a"}]`,
			written: `[{"name":"a"},{"name":"h"}]`, merge: `[{"name":"a"},{"name":"h"}]`, dropped: "[name=h]"},
		{why: "a list that was emptied stays empty",
			stored: `[{"name":"a"},{"name":"h"}]`, plain: `[{"name":"a"}]`, written: `[]`, merge: `[]`, dropped: "[name=h]"},
		{why: "a list that was replaced as a whole stays so",
			stored: `[{"name":"a"},{"name":"h"}]`, plain: `[{"name":"a"}]`, written: `[{"name":"n"}]`, merge: `[{"name":"n"}]`,
			dropped: "[name=h]"},
		{why: "a list that was shown empty has all of it still",
			stored: `[{"name":"h"}]`, plain: `[]`, written: `[]`, merge: `[{"name":"h"}]`},
		{why: "and beside what the client adds",
			stored: `[{"name":"h"}]`, plain: `[]`, written: `[{"name":"n"}]`, merge: `[{"name":"h"},{"name":"n"}]`},
		{why: "an element that a hook makes up goes",
			stored: `[{"name":"a","h":1}]`, plain: `[{"name":"a"},{"name":"x"}]`,
			written: `[{"name":"a"},{"name":"x"},{"name":"n"}]`, merge: `[{"h":1,"name":"a"},{"name":"n"}]`},
		{why: "unless the client made it its own",
			stored: `[{"name":"a"}]`, plain: `[{"name":"a"},{"name":"x"}]`,
			written: `[{"name":"a"},{"name":"x","y":1}]`, merge: `[{"name":"a"},{"name":"x","y":1}]`, dropped: "[name=x]"},
		{why: "an element without a key that the old version does not show",
			stored: `["a","h","b"]`, plain: `["a","b"]`, written: `["a","b","n"]`, merge: `["a","h","b","n"]`},
		{why: "in a list that was left alone, at its place",
			stored: `["h","a","h","b","h"]`, plain: `["a","b"]`, written: `["a","b"]`, merge: `["h","a","h","b","h"]`},
		{why: "an element without a key that a hook makes up",
			stored: `["a","b"]`, plain: `["x","a","b"]`, written: `["x","b"]`, merge: `["b"]`},
		{why: "an element that is not shown goes with the one before it, without a key too",
			stored: `["a","h","b"]`, plain: `["a","b"]`, written: `["b","a"]`, merge: `["b","a","h"]`},
		{why: "one list has other keys and more elements: the list as a whole",
			stored: `[{"name":"a"},{"name":"b"},{"name":"c"}]`, plain: `[{"name":"x"},{"name":"a"}]`,
			written: `[{"name":"x"},{"name":"a"}]`, merge: `[{"name":"a"},{"name":"b"},{"name":"c"}]`},
		{why: "one list has other keys and fewer elements: the client's list as a whole",
			stored: `[{"name":"x"}]`, plain: `[{"name":"a"},{"name":"b"}]`,
			written: `[{"name":"b"},{"name":"n"}]`, merge: `[{"name":"b"},{"name":"n"}]`, dropped: " "},
		{why: "one list has other texts and fewer elements: the list as a whole",
			stored: `["A"]`, plain: `["a","b"]`, written: `["a","b"]`, merge: `["A"]`},
		{why: "no telling which is which: the list as a whole",
			stored: `[{"v":1,"h":1},{"v":2}]`, plain: `[{"v":1}]`, written: `[{"v":1}]`, merge: `[{"h":1,"v":1},{"v":2}]`},
		{why: "no telling which is which: the client's list as a whole",
			stored: `["A","b"]`, plain: `["a"]`, written: `["c"]`, merge: `["c"]`, dropped: " "},

		// Elements without a key.
		{why: "found by content behind an insertion, in a list of the same length",
			stored: `[{"v":1,"h":1},{"v":2,"h":2}]`, plain: `[{"v":1},{"v":2}]`,
			written: `[{"v":3},{"v":1}]`, merge: `[{"v":3},{"h":1,"v":1}]`, dropped: "[1].h"},
		{why: "found by content in another order",
			stored: `[{"v":1,"h":1},{"v":2,"h":2},{"v":3,"h":3}]`, plain: `[{"v":1},{"v":2},{"v":3}]`,
			written: `[{"v":3},{"v":1},{"v":2}]`, merge: `[{"h":3,"v":3},{"h":1,"v":1},{"h":2,"v":2}]`},
		{why: "edited in place: found by position",
			stored: `[{"v":1,"h":1},{"v":2,"h":2}]`, plain: `[{"v":1},{"v":2}]`,
			written: `[{"v":1},{"v":5}]`, merge: `[{"h":1,"v":1},{"h":2,"v":5}]`},
		{why: "a place that another has moved to is taken",
			stored: `[{"v":1,"h":1},{"v":2}]`, plain: `[{"v":1},{"v":2}]`,
			written: `[{"v":2},{"v":5}]`, merge: `[{"v":2},{"v":5}]`, dropped: "[0].h"},
		{why: "in a list of another length position says nothing",
			stored: `[{"v":1,"h":1},{"v":2,"h":2}]`, plain: `[{"v":1},{"v":2}]`,
			written: `[{"v":5},{"v":2},{"v":3}]`, merge: `[{"v":5},{"h":2,"v":2},{"v":3}]`, dropped: "[0].h"},
		{why: "of two that look alike the first went, by what stands behind them",
			stored: `[{"v":1,"h":1},{"v":2,"h":2},{"v":1,"h":3}]`, plain: `[{"v":1},{"v":2},{"v":1}]`,
			written: `[{"v":2},{"v":1}]`, merge: `[{"h":2,"v":2},{"h":3,"v":1}]`, dropped: "[0].h"},
		{why: "of two that look alike the last went",
			stored: `[{"v":1,"h":1},{"v":2,"h":2},{"v":1,"h":3}]`, plain: `[{"v":1},{"v":2},{"v":1}]`,
			written: `[{"v":1},{"v":2}]`, merge: `[{"h":1,"v":1},{"h":2,"v":2}]`, dropped: "[2].h"},
		{why: "of two that look alike no telling which went: the first stays",
			stored: `[{"v":1,"h":1},{"v":1,"g":2}]`, plain: `[{"v":1},{"v":1}]`, written: `[{"v":1}]`, merge: `[{"h":1,"v":1}]`,
			dropped: "[1].g"},
		{why: "two that look alike keep their order",
			stored: `[{"v":1,"h":1},{"v":1,"h":2},{"v":2}]`, plain: `[{"v":1},{"v":1},{"v":2}]`,
			written: `[{"v":2},{"v":1},{"v":1}]`, merge: `[{"v":2},{"h":1,"v":1},{"h":2,"v":1}]`},
		{why: "text that is shown otherwise, in another order",
			stored: `["A","B","c"]`, plain: `["a","b","c"]`, written: `["c","b","a"]`, merge: `["c","B","A"]`},
		{why: "text that is edited",
			stored: `["A","B"]`, plain: `["a","b"]`, written: `["a","x"]`, merge: `["A","x"]`, dropped: "[1]"},
		{why: "lists of lists",
			stored: `[["A"],["B","b"]]`, plain: `[["a"],["b","b"]]`, written: `[["b","b"],["a","n"],["a"]]`,
			merge: `[["B","b"],["a","n"],["A"]]`},
		{why: "elements of several types",
			stored: `[1,"H",{"h":1},null]`, plain: `[1,"h",{},null]`, written: `[null,{},"h"]`, merge: `[null,{"h":1},"H"]`},
	} {
		t.Run(test.why, func(t *testing.T) {
			read := test.read
			if read == nil {
				read = tree
			}
			merged, dropped := restore(t, read(t, test.stored), read(t, test.plain), read(t, test.written), test.options)
			if text(merged) != test.merge {
				t.Errorf("got %s, want %s", text(merged), test.merge)
			}
			var paths []string
			for _, entry := range dropped {
				paths = append(paths, entry.Path)
			}
			if got := strings.Join(paths, " "); got != strings.TrimSpace(test.dropped) || len(dropped) > 0 != (test.dropped != "") {
				t.Errorf("dropped %q, want %q", got, test.dropped)
			}
			// Without an edit, every row is restored.
			merged, dropped = restore(t, read(t, test.stored), read(t, test.plain), read(t, test.plain), test.options)
			if want := text(read(t, test.stored)); text(merged) != want || len(dropped) > 0 {
				t.Errorf("without an edit %s, want %s, dropped %v", text(merged), want, dropped)
			}
		})
	}
}

func TestEntries(t *testing.T) {
	t.Run("entries list what is lost", func(t *testing.T) {
		r := carried(t, diff(t, tree(t, `{"b":[{"name":"x","h":null},"s"],"a":"`+strings.Repeat("h", 40)+`"}`),
			tree(t, `{"b":[{"name":"x"},"t"],"a":"p","c":[1]}`), Options{}))
		want := []Entry{
			{Path: "a", Plain: "p", Stored: strings.Repeat("h", 40)},
			{Path: "b[0].h", Plain: Absent{}},
			{Path: "b[1]", Plain: "t", Stored: "s"},
			{Path: "c", Plain: digestOf([]any{int64(1)}), Stored: Absent{}},
		}
		if got := r.Entries(); !slices.Equal(got, want) {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("the type of the object says which are in a bag", func(t *testing.T) {
		read := func(text string) *halves {
			o := &tenant{}
			if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "%", `{"x":{"value":1,"version":"v"}}`)), o); err != nil {
				t.Fatal(err)
			}
			return &halves{Spec: o}
		}
		stored := read(`{"$propertyBag":%,"any":{"$propertyBag":%},"deep":{"$propertyBag":{"x":"1"}},"parts":{"$propertyBag":{"$propertyBag":%}},"rules":[{"$propertyBag":%,"tags":{"$propertyBag":"a"}}]}`)
		plain := read(`{"any":{"$propertyBag":{}},"deep":{"$propertyBag":{}},"parts":{"$propertyBag":{}},"rules":[{"tags":{"$propertyBag":"b"}}]}`)
		want := []string{"spec.$propertyBag.x", "spec.parts.$propertyBag.$propertyBag.x", "spec.rules[0].$propertyBag.x"}
		var got []string
		entries := carried(t, diff(t, stored, plain, Options{})).EntriesOf(&halves{Spec: &tenant{}})
		for _, entry := range entries {
			if entry.InBag {
				got = append(got, entry.Path)
			}
		}
		if !slices.Equal(got, want) || len(entries) != len(want)+3 {
			t.Errorf("in bags are %q, want %q, of %+v", got, want, entries)
		}
	})
	t.Run("they are in the order of the elements", func(t *testing.T) {
		stored, plain := []any{}, []any{}
		for i := range 12 {
			stored, plain = append(stored, map[string]any{"v": int64(i), "h": true}), append(plain, map[string]any{"v": int64(i)})
		}
		for i, entry := range diff(t, stored, plain, Options{}).Entries() {
			if want := fmt.Sprintf("[%d].h", i); entry.Path != want {
				t.Errorf("entry %d is %s, want %s", i, entry.Path, want)
			}
		}
	})
}

func TestNumbers(t *testing.T) {
	for _, numbers := range [][]any{
		{int64(1), float64(1), json.Number("1"), json.Number("1.0"), json.Number("1e0")},
		{int64(0), math.Copysign(0, -1), json.Number("-0"), json.Number("0.0")},
		{int64(math.MinInt64), float64(math.MinInt64), json.Number("-9223372036854775808")},
		{1e308, json.Number("1e308"), json.Number("10e307")},
		{1.5, json.Number("1.50")},
		{float64(1 << 63), json.Number("9223372036854775808")},
	} {
		for _, a := range numbers {
			for _, b := range numbers {
				t.Run(fmt.Sprintf("%T %v and %T %v are the same", a, a, b, b), func(t *testing.T) {
					if !same(a, b) || digestOf(a) != digestOf(b) || !diff(t, a, b, Options{}).Empty() {
						t.Error("they differ")
					}
				})
			}
		}
	}
	for _, pair := range [][2]any{
		{int64(1<<53 + 1), float64(1 << 53)}, {int64(math.MaxInt64), float64(1 << 63)}, {int64(1), "1"},
		{json.Number("1e400"), json.Number("1e401")}, {int64(0), nil}, {int64(0), false},
	} {
		t.Run(fmt.Sprintf("%T %v and %T %v differ", pair[0], pair[0], pair[1], pair[1]), func(t *testing.T) {
			if same(pair[0], pair[1]) || same(pair[1], pair[0]) || digestOf(pair[0]) == digestOf(pair[1]) ||
				diff(t, pair[0], pair[1], Options{}).Empty() {
				t.Error("they are the same")
			}
		})
	}
}

// TestApplyBesideBag is about properties whose values the stored object's type
// cannot always hold, which are in its bag then.
func TestApplyBesideBag(t *testing.T) {
	for _, test := range []struct{ why, stored, plain, written, want string }{
		{"the client left it alone",
			`{"daysAfter":0.16}`, `{}`,
			`{}`, `{"daysAfter":0.16}`},
		{"the client set a value that only the bag can hold",
			`{"daysAfter":0.16}`, `{}`,
			`{"$propertyBag":{"daysafter":%s}}`, `{"$propertyBag":{"daysafter":%s}}`},
		{"the client set one of several shapes",
			`{"daysAfter":0.16}`, `{}`,
			`{"$propertyBag":{"daysafter@2018-11-01":%s}}`, `{"$propertyBag":{"daysafter@2018-11-01":%s}}`},
		{"the bag had it before as well",
			`{"daysAfter":0.16}`, `{"$propertyBag":{"daysafter":%s}}`,
			`{"$propertyBag":{"daysafter":%s}}`, `{"daysAfter":0.16}`},
		{"the stored object's bag had it, too",
			`{"$propertyBag":{"daysafter":%s},"daysAfter":0.16}`, `{}`,
			`{}`, `{"$propertyBag":{"daysafter":%s},"daysAfter":0.16}`},
		{"the bag has another property",
			`{"daysAfter":0.16}`, `{}`,
			`{"$propertyBag":{"days":%s}}`, `{"$propertyBag":{"days":%s},"daysAfter":0.16}`},
	} {
		t.Run(test.why, func(t *testing.T) {
			read := func(text string) string {
				return strings.ReplaceAll(text, "%s", `{"value":"1e3","version":"2018-11-01"}`)
			}
			lost := carried(t, diff(t, boxed(t, read(test.stored)), boxed(t, read(test.plain)), Options{}))
			if got, _ := apply(t, lost, boxed(t, read(test.written)), nil); text(got) != read(test.want) {
				t.Errorf("got %s, want %s", text(got), read(test.want))
			}
		})
	}
}

// TestDeepKeys checks that a key may lie in an object of the element.
func TestDeepKeys(t *testing.T) {
	options := Options{Keys: [][]string{{"of/id", "port"}}}
	list := func(texts ...string) any { return tree(t, "["+strings.Join(texts, ",")+"]") }
	a, b, c := `{"of":{"id":"a"},"port":1}`, `{"of":{"id":"b"},"port":1}`, `{"port":1}`
	stored := list(`{"of":{"id":"a"},"port":1,"lost":"x"}`, `{"of":{"id":"b"},"port":1,"lost":"y"}`)
	merged, dropped := restore(t, stored, list(a, b), list(c, b, a), options)
	want := list(c, `{"of":{"id":"b"},"port":1,"lost":"y"}`, `{"of":{"id":"a"},"port":1,"lost":"x"}`)
	if text(merged) != text(want) || len(dropped) > 0 {
		t.Errorf("got %s, want %s; dropped %v", text(merged), text(want), dropped)
	}
}

// TestBestMatch checks where the remainder of an element goes if a client adds another
// element with its key: to the one to which most of it applies, wherever it stands, or
// to the first. So no more is dropped than if the other were not there.
func TestBestMatch(t *testing.T) {
	element := func(r *rand.Rand) box {
		value := func() map[string]any { return map[string]any{"v": int64(r.IntN(3)), "w": int64(r.IntN(3))} }
		e := box{Name: "a"}
		for _, in := range []*map[string]any{&e.X, &e.Y, &e.Z} {
			if r.IntN(4) > 0 {
				*in = value()
			}
		}
		if r.IntN(4) > 0 {
			text, _ := json.Marshal(value())
			if err := json.Unmarshal(text, &e.Bag); err != nil {
				t.Fatal(err)
			}
		}
		return e
	}
	list := func(elements ...box) *[]box { // a copy that shares nothing
		text, _ := json.Marshal(elements)
		copied := new([]box)
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(copied); err != nil {
			t.Fatal(err)
		}
		return copied
	}
	apart := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(5, seed))
		stored, plain, one, other := element(r), element(r), element(r), element(r)
		lost := diff(t, list(stored), list(plain), Options{})
		dropped := func(written *[]box) ([]box, int) {
			_, dropped := apply(t, lost, written, nil)
			return *written, len(dropped)
		}
		mergedOne, ofOne := dropped(list(one))
		mergedOther, ofOther := dropped(list(other))
		first, ofFirst := dropped(list(one, other))
		second, ofSecond := dropped(list(other, one))
		if ofFirst != min(ofOne, ofOther) || ofSecond != ofFirst {
			t.Fatalf("seed %d: of two elements with one key %d and %d entries are dropped; of each alone %d and %d", seed,
				ofFirst, ofSecond, ofOne, ofOther)
		}
		wantFirst, wantSecond := []box{mergedOne[0], other}, []box{mergedOther[0], one}
		switch {
		case ofOne < ofOther:
			wantSecond = []box{other, mergedOne[0]}
			apart++
		case ofOther < ofOne:
			wantFirst = []box{one, mergedOther[0]}
			apart++
		}
		if !diff(t, first, wantFirst, Options{}).Empty() || !diff(t, second, wantSecond, Options{}).Empty() {
			t.Fatalf("seed %d: got %v and %v, want %v and %v", seed, first, second, wantFirst, wantSecond)
		}
	}
	if apart < 500 {
		t.Errorf("only %d pairs could be told apart", apart)
	}
}
