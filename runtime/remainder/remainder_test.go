package remainder

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/propertybag"
)

var person = Object{Group: "crm.azure.armature.dev", Kind: "Person", Namespace: "default", Name: "jo"}

// account is like a generated type: S is string in a storage version, and tier in an API
// version.
type account[S ~string] struct {
	Bag      propertybag.Bag        `json:"$propertyBag,omitempty"`
	Amount   *int64                 `json:"amount,omitempty"`
	Any      *json.RawMessage       `json:"any,omitempty"`
	Grid     [][]account[S]         `json:"grid,omitzero"`
	ID       *string                `json:"id,omitempty"`
	Name     *string                `json:"name,omitempty"`
	Part     *account[S]            `json:"part,omitempty"`
	Parts    map[string]*account[S] `json:"parts,omitzero"`
	Plain    map[string]account[S]  `json:"plain,omitzero"`
	Port     *int64                 `json:"port,omitempty"`
	Protocol *string                `json:"protocol,omitempty"`
	Ratio    *float64               `json:"ratio,omitempty"`
	Rules    []account[S]           `json:"rules,omitzero"`
	Since    *time.Time             `json:"since,omitempty"`
	Tags     map[string]string      `json:"tags,omitzero"`
	Tier     *S                     `json:"tier,omitempty"`
	TierOf   map[string]S           `json:"tierOf,omitzero"`
	Tiers    []S                    `json:"tiers,omitzero"`
	TierSets [][]S                  `json:"tierSets,omitzero"`
	Zones    []string               `json:"zones,omitzero"`
}

// tier is an enum, whose members are in lower case.
type tier string

// accountOptions are for lists of accounts.
var accountOptions = Options{Keys: [][]string{{"part/id", "port"}, {"port", "protocol"}}}

// show removes what an API version does not show: bags, and the spellings of enums.
func (a *account[S]) show() {
	lower := func(s S) S { return S(strings.ToLower(string(s))) }
	a.Bag = nil
	if a.Tier != nil {
		*a.Tier = lower(*a.Tier)
	}
	for key, member := range a.TierOf {
		a.TierOf[key] = lower(member)
	}
	for _, list := range append(a.TierSets, a.Tiers) {
		for i := range list {
			list[i] = lower(list[i])
		}
	}
	if a.Part != nil {
		a.Part.show()
	}
	for _, part := range a.Parts {
		if part != nil {
			part.show()
		}
	}
	for key, part := range a.Plain {
		part.show()
		a.Plain[key] = part
	}
	for _, list := range append(a.Grid, a.Rules) {
		for i := range list {
			list[i].show()
		}
	}
}

// short is how tests write a bag of one entry.
var short, long = regexp.MustCompile(`"B":(\d+)`), regexp.MustCompile(`"\$propertyBag":\{"h":\{"value":(\d+),"version":"1"\}\}`)

// read reads an account.
func read[S ~string](t testing.TB, text string) *account[S] {
	t.Helper()
	a := &account[S]{}
	text = short.ReplaceAllString(text, `"$$propertyBag":{"h":{"value":$1,"version":"1"}}`)
	if err := json.Unmarshal([]byte(text), a); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return a
}

// text writes a value as JSON.
func text(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return long.ReplaceAllString(string(data), `"B":$1`)
}

// shownOf returns a copy of an account as an API version shows it.
func shownOf(t testing.TB, stored *account[string]) *account[string] {
	t.Helper()
	shown := read[string](t, text(stored))
	shown.show()
	return shown
}

// collect returns the remainder of an account.
func collect(t testing.TB, stored *account[string]) Remainder {
	t.Helper()
	lost, err := Collect(stored, shownOf(t, stored), accountOptions)
	if err != nil {
		t.Fatal(err)
	}
	return lost
}

// carried returns a remainder as it is read from its annotation.
func carried(t testing.TB, r Remainder) Remainder {
	t.Helper()
	annotations, err := Note{Object: person, Lost: r}.Write(nil, Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tally := Tally{}
	note, err := Read(annotations, person, nil, &tally)
	if err != nil || tally != (Tally{}) || note.Lost.Len() != r.Len() || len(note.Lost.Entries()) != r.Len() {
		t.Fatalf("%v, %+v, %d of %d entries, from %v", err, tally, note.Lost.Len(), r.Len(), annotations)
	}
	return note.Lost
}

// restore restores lost data in an account that a client wrote.
func restore(t testing.TB, lost Remainder, written string) (merged *account[string], dropped int) {
	t.Helper()
	tally := Tally{}
	merged = read[string](t, written)
	lost.Restore(merged, read[tier](t, written), &tally)
	if tally.Applied+tally.Dropped != lost.Len() {
		t.Errorf("%d entries, %+v", lost.Len(), tally)
	}
	return merged, tally.Dropped
}

// TestRestore has a row for each rule. What a client writes is given as the client sees
// it: without bags, and with the members of enums in lower case.
func TestRestore(t *testing.T) {
	for _, test := range []struct {
		why, stored, written, want string
		dropped                    int
	}{
		// Objects.
		{"nothing is lost, nothing happens", `{"name":"a"}`, `{"name":"b"}`, `{"name":"b"}`, 0},
		{"a bag comes back", `{"B":1,"name":"a"}`, `{"name":"a"}`, `{"B":1,"name":"a"}`, 0},
		{"an edit costs nothing beside it", `{"B":1,"name":"a"}`, `{"name":"b"}`, `{"B":1,"name":"b"}`, 0},
		{"of an object in it too", `{"part":{"B":1,"name":"a"}}`, `{"part":{}}`, `{"part":{"B":1}}`, 0},
		{"an object that is gone takes its bag along", `{"B":1,"part":{"B":2}}`, `{}`, `{"B":1}`, 1},
		{"and all that was in it", `{"part":{"B":2,"part":{"B":3,"tier":"Gold"}}}`, `{}`, `{}`, 3},
		{"an entry that the client's conversion makes is the client's",
			`{"$propertyBag":{"h":{"value":1,"version":"1"},"i":{"value":2,"version":"1"}}}`, `{"B":5}`,
			`{"$propertyBag":{"h":{"value":5,"version":"1"},"i":{"value":2,"version":"1"}}}`, 1},
		{"an entry comes back as it was written", `{"$propertyBag":{"h":{"value":{"b":1.50,"a":[1E400]},"version":"1"},"odd":"damaged"}}`,
			`{}`, `{"$propertyBag":{"h":{"value":{"b":1.50,"a":[1E400]},"version":"1"},"odd":"damaged"}}`, 0},

		// Maps.
		{"entries of maps are found by their keys", `{"parts":{"A":{"B":1},"a":{"B":2}}}`, `{"parts":{"a":{},"b":{}}}`,
			`{"parts":{"a":{"B":2},"b":{}}}`, 1},
		{"in maps of structs too", `{"plain":{"A":{"B":1},"a":{"B":2}}}`, `{"plain":{"a":{"name":"x"},"b":{}}}`,
			`{"plain":{"a":{"B":2,"name":"x"},"b":{}}}`, 1},
		{"a key that is named as bags are", `{"plain":{"$propertyBag":{"B":1},"$$x":{"B":2},"$":{"B":3}}}`,
			`{"plain":{"$propertyBag":{},"$$x":{},"$":{}}}`, `{"plain":{"$":{"B":3},"$$x":{"B":2},"$propertyBag":{"B":1}}}`, 0},
		{"null is no object", `{"parts":{"a":{"B":1},"n":null}}`, `{"parts":{"a":null}}`, `{"parts":{"a":null}}`, 1},

		// Enums.
		{"a spelling comes back", `{"tier":"Gold"}`, `{"tier":"gold"}`, `{"tier":"Gold"}`, 0},
		{"another member wins", `{"tier":"Gold"}`, `{"tier":"iron"}`, `{"tier":"iron"}`, 1},
		{"and so does none", `{"tier":"Gold"}`, `{}`, `{}`, 1},
		{"in a map", `{"tierOf":{"a":"Gold","b":"IRON"}}`, `{"tierOf":{"a":"gold","c":"iron"}}`, `{"tierOf":{"a":"Gold","c":"iron"}}`, 1},
		{"in a list, by position", `{"tiers":["Gold","IRON","gold"]}`, `{"tiers":["gold","iron","gold"]}`,
			`{"tiers":["Gold","IRON","gold"]}`,
			0},
		{"in a list with an edit", `{"tiers":["Gold","IRON"]}`, `{"tiers":["gold","zinc"]}`, `{"tiers":["Gold","zinc"]}`, 1},
		{"in a longer list, at the first that is equal", `{"tiers":["Gold","IRON"]}`, `{"tiers":["zinc","iron","gold","gold"]}`,
			`{"tiers":["zinc","IRON","Gold","gold"]}`, 0},
		{"in lists of lists", `{"tierSets":[["Gold"],["IRON","iron"]]}`, `{"tierSets":[["iron","iron"],["gold"]]}`,
			`{"tierSets":[["IRON","iron"],["Gold"]]}`, 0},

		// Elements with a key.
		{"found by name in another order", `{"rules":[{"B":1,"name":"a"},{"B":2,"name":"b"}]}`, `{"rules":[{"name":"b"},{"name":"a"}]}`,
			`{"rules":[{"B":2,"name":"b"},{"B":1,"name":"a"}]}`, 0},
		{"found by name behind an insertion, in a list of the same length",
			`{"rules":[{"B":1,"name":"a"},{"B":2,"name":"b"}]}`, `{"rules":[{"name":"n"},{"name":"a"}]}`,
			`{"rules":[{"name":"n"},{"B":1,"name":"a"}]}`, 1},
		{"found by name, edited", `{"rules":[{"B":1,"name":"a","amount":1},{"B":2,"name":"b"}]}`,
			`{"rules":[{"name":"b","amount":3},{"name":"a","amount":2}]}`,
			`{"rules":[{"B":2,"amount":3,"name":"b"},{"B":1,"amount":2,"name":"a"}]}`, 0},
		{"a new element is nobody's heir", `{"rules":[{"B":1,"name":"a"}]}`, `{"rules":[{"name":"b"}]}`, `{"rules":[{"name":"b"}]}`, 1},
		{"id goes before name", `{"rules":[{"B":1,"id":"1","name":"a"}]}`, `{"rules":[{"id":"1","name":"b"}]}`,
			`{"rules":[{"B":1,"id":"1","name":"b"}]}`, 0},
		{"what all have goes before what some have", `{"rules":[{"B":1,"id":"1","name":"a"},{"name":"b"}]}`,
			`{"rules":[{"name":"b"},{"id":"2","name":"a"}]}`, `{"rules":[{"name":"b"},{"B":1,"id":"2","name":"a"}]}`, 0},
		{"what two share is no key", `{"rules":[{"B":1,"name":"a","amount":1},{"B":2,"name":"a","amount":2}]}`,
			`{"rules":[{"name":"a","amount":2},{"name":"a","amount":1}]}`,
			`{"rules":[{"B":2,"amount":2,"name":"a"},{"B":1,"amount":1,"name":"a"}]}`, 0},
		{"a declared key of two properties", `{"rules":[{"B":1,"port":80,"protocol":"t"},{"B":2,"port":80,"protocol":"u"}]}`,
			`{"rules":[{"port":80,"protocol":"u","name":"x"}]}`, `{"rules":[{"B":2,"name":"x","port":80,"protocol":"u"}]}`, 1},
		{"a key that lies in an object of the element",
			`{"rules":[{"B":1,"part":{"id":"a"},"port":1},{"B":2,"part":{"id":"b"},"port":1}]}`,
			`{"rules":[{"port":1},{"part":{"id":"b"},"port":1,"name":"x"},{"part":{"id":"a"},"port":1}]}`,
			`{"rules":[{"port":1},{"B":2,"name":"x","part":{"id":"b"},"port":1},{"B":1,"part":{"id":"a"},"port":1}]}`, 0},
		{"the client made a key twice: the first has it", `{"rules":[{"B":1,"name":"a"}]}`,
			`{"rules":[{"name":"a","amount":1},{"name":"a"}]}`,
			`{"rules":[{"B":1,"amount":1,"name":"a"},{"name":"a"}]}`, 0},
		{"the client gave an element another's key: that one keeps what is its own",
			`{"rules":[{"B":1,"name":"a"},{"B":2,"name":"b"}]}`, `{"rules":[{"name":"b"},{"name":"b"}]}`,
			`{"rules":[{"name":"b"},{"B":2,"name":"b"}]}`, 1},

		// Elements whose key is missing.
		{"the key was cleared: found by position", `{"rules":[{"B":1,"name":"a"},{"B":2,"name":"b"}]}`,
			`{"rules":[{"name":"a"},{"amount":1}]}`, `{"rules":[{"B":1,"name":"a"},{"B":2,"amount":1}]}`, 0},
		{"even in a list of one", `{"rules":[{"B":1,"name":"a"}]}`, `{"rules":[{}]}`, `{"rules":[{"B":1}]}`, 0},
		{"the key was emptied", `{"rules":[{"B":1,"name":"a"}]}`, `{"rules":[{"name":""}]}`, `{"rules":[{"B":1,"name":""}]}`, 0},
		{"one of several properties of the key was cleared", `{"rules":[{"B":1,"port":80,"protocol":"t"}]}`, `{"rules":[{"port":80}]}`,
			`{"rules":[{"B":1,"port":80}]}`, 0},
		{"the key was set", `{"rules":[{"B":1},{"B":2,"name":"b"}]}`, `{"rules":[{"name":"a"},{"name":"b"}]}`,
			`{"rules":[{"B":1,"name":"a"},{"B":2,"name":"b"}]}`, 0},
		{"one without a key is found by content", `{"rules":[{"B":1,"amount":1},{"B":2,"name":"b"}]}`,
			`{"rules":[{"name":"n"},{"name":"b"},{"amount":1}]}`, `{"rules":[{"name":"n"},{"B":2,"name":"b"},{"B":1,"amount":1}]}`, 0},
		{"an empty key is none", `{"rules":[{"B":1,"name":"","amount":1},{"B":2,"name":"b"}]}`,
			`{"rules":[{"name":"b"},{"name":"","amount":1},{}]}`, `{"rules":[{"B":2,"name":"b"},{"B":1,"amount":1,"name":""},{}]}`, 0},
		{"where not all had one, a new key is no other element", `{"rules":[{"B":1,"name":"a"},{}]}`, `{"rules":[{"name":"c"},{}]}`,
			`{"rules":[{"B":1,"name":"c"},{}]}`, 0},
		{"in a list of another length position says nothing", `{"rules":[{"B":1,"name":"a"}]}`, `{"rules":[{},{}]}`,
			`{"rules":[{},{}]}`, 1},

		// Elements without a key.
		{"found by content behind an insertion, in a list of the same length",
			`{"rules":[{"B":1,"amount":1},{"B":2,"amount":2}]}`, `{"rules":[{"amount":3},{"amount":1}]}`,
			`{"rules":[{"amount":3},{"B":1,"amount":1}]}`, 1},
		{"found by content in another order", `{"rules":[{"B":1,"amount":1},{"B":2,"amount":2},{"B":3,"amount":3}]}`,
			`{"rules":[{"amount":3},{"amount":1},{"amount":2}]}`,
			`{"rules":[{"B":3,"amount":3},{"B":1,"amount":1},{"B":2,"amount":2}]}`, 0},
		{"by content without the spelling of enums", `{"rules":[{"B":1,"tier":"Gold"},{"B":2,"tier":"IRON"}]}`,
			`{"rules":[{"tier":"iron"},{"tier":"gold"}]}`, `{"rules":[{"B":2,"tier":"IRON"},{"B":1,"tier":"Gold"}]}`, 0},
		{"edited in place: found by position", `{"rules":[{"B":1,"amount":1},{"B":2,"amount":2}]}`,
			`{"rules":[{"amount":1},{"amount":5}]}`, `{"rules":[{"B":1,"amount":1},{"B":2,"amount":5}]}`, 0},
		{"a place that another has moved to is taken", `{"rules":[{"B":1,"amount":1},{"B":2,"amount":2}]}`,
			`{"rules":[{"amount":2},{"amount":5}]}`, `{"rules":[{"B":2,"amount":2},{"amount":5}]}`, 1},
		{"position says nothing in a longer list", `{"rules":[{"B":1,"amount":1},{"B":2,"amount":2}]}`,
			`{"rules":[{"amount":5},{"amount":2},{"amount":3}]}`, `{"rules":[{"amount":5},{"B":2,"amount":2},{"amount":3}]}`, 1},
		{"of two that look alike the first went, by what stands behind them",
			`{"rules":[{"B":1,"amount":1},{"B":2,"amount":2},{"B":3,"amount":1}]}`, `{"rules":[{"amount":2},{"amount":1}]}`,
			`{"rules":[{"B":2,"amount":2},{"B":3,"amount":1}]}`, 1},
		{"of two that look alike the last went",
			`{"rules":[{"B":1,"amount":1},{"B":2,"amount":2},{"B":3,"amount":1}]}`, `{"rules":[{"amount":1},{"amount":2}]}`,
			`{"rules":[{"B":1,"amount":1},{"B":2,"amount":2}]}`, 1},
		{"of two that look alike no telling which went: the first stays", `{"rules":[{"B":1,"amount":1},{"B":2,"amount":1}]}`,
			`{"rules":[{"amount":1}]}`, `{"rules":[{"B":1,"amount":1}]}`, 1},
		{"two that look alike keep their order", `{"rules":[{"B":1,"amount":1},{"B":2,"amount":1},{"B":3,"amount":2}]}`,
			`{"rules":[{"amount":2},{"amount":1},{"amount":1}]}`,
			`{"rules":[{"B":3,"amount":2},{"B":1,"amount":1},{"B":2,"amount":1}]}`, 0},
		{"lists of lists", `{"grid":[[{"B":1,"name":"a"}],[{"B":2,"name":"b"},{"name":"c"}]]}`,
			`{"grid":[[{"name":"b"},{"name":"c"}],[{"name":"a"}]]}`,
			`{"grid":[[{"B":2,"name":"b"},{"name":"c"}],[{"B":1,"name":"a"}]]}`, 0},
		{"untyped JSON tells elements apart by its meaning", `{"rules":[{"B":1,"any":{"a":1,"b":[]}},{"B":2,"any":2}]}`,
			`{"rules":[{"any":2.0},{"any":{"b":[],"a":1e0}}]}`, `{"rules":[{"B":2,"any":2.0},{"B":1,"any":{"b":[],"a":1e0}}]}`, 0},
	} {
		t.Run(test.why, func(t *testing.T) {
			stored := read[string](t, test.stored)
			lost := carried(t, collect(t, stored))
			if merged, dropped := restore(t, lost, test.written); text(merged) != test.want || dropped != test.dropped {
				t.Errorf("got %s, %d dropped, want %s, %d; from %s", text(merged), dropped, test.want, test.dropped, lost.text)
			}
			// Without an edit, every row is restored.
			if merged, dropped := restore(t, lost, text(shownOf(t, stored))); text(merged) != text(stored) || dropped > 0 {
				t.Errorf("without an edit %s, want %s, %d dropped; from %s", text(merged), text(stored), dropped, lost.text)
			}
		})
	}
}

// TestRestoreAnything is about nodes that Collect does not make.
func TestRestoreAnything(t *testing.T) {
	const bag = `{"$propertyBag":{"a":{"value":1,"version":"1"}}}`
	for _, test := range []struct{ why, lost string }{
		{"a property that the type lacks", `{"wrong":"x"}`},
		{"within a property that the type lacks", `{"wrong":` + bag + `}`},
		{"names do not fold", `{"Part":` + bag + `}`},
		{"a text that is no enum", `{"name":"A"}`},
		{"an enum that is not there", `{"tier":"gold"}`},
		{"a text is no object", `{"name":` + bag + `}`},
		{"an object is no text", `{"part":"x"}`},
		{"an object is no list", `{"part":[{"0":"x"},"AAAAAAAA"]}`},
		{"a list is no object", `{"zones":` + bag + `}`},
		{"an object that is not there", `{"parts":{"b":` + bag + `}}`},
		{"a number is nothing", `{"amount":` + bag + `}`},
		{"an element that is not found", `{"tiers":[{"0":"Gold"},"AAAAAAAAAAAAAAAA"]}`},
		{"another member", `{"tiers":[{"0":"Iron"},"AAAAAAAA"]}`},
		{"no text", `"Gold"`},
		{"no object", `[{"0":"Gold"},"AAAAAAAA"]`},
	} {
		t.Run(test.why+": it is dropped", func(t *testing.T) {
			annotations := map[string]string{annotation.Remainder: `{"format":2,"lost":` + test.lost + `,"object":"` +
				string(person.digest()) +
				`"}`}
			note, err := Read(annotations, person, nil, nil)
			if err != nil || note.Lost.Empty() {
				t.Fatalf("not read, %v", err)
			}
			const written = `{"amount":1,"name":"a","part":{},"parts":{"a":{}},"tiers":["gold"],"zones":["a"]}`
			if merged, dropped := restore(t, note.Lost, written); text(merged) != written || dropped != note.Lost.Len() || dropped == 0 {
				t.Errorf("got %s, %d of %d dropped", text(merged), dropped, note.Lost.Len())
			}
		})
	}
	t.Run("what a client wrote is not changed", func(t *testing.T) {
		gold := "gold"
		merged, written := &account[string]{Tier: &gold}, &account[tier]{Tier: (*tier)(&gold)} // as a conversion shares it
		lost := carried(t, collect(t, read[string](t, `{"tier":"Gold"}`)))
		if lost.Restore(merged, written, nil); *written.Tier != "gold" || *merged.Tier != "Gold" {
			t.Errorf("%s became %s", *written.Tier, *merged.Tier)
		}
	})
}

// TestCollect has round trips whose results have another structure.
func TestCollect(t *testing.T) {
	for _, test := range []struct{ why, stored, plain, lost string }{
		{"an entry that the round trip gives is not lost", `{"B":1,"part":{"B":2}}`, `{"B":3,"part":{}}`,
			`{"part":{"$propertyBag":{"h":{"value":2,"version":"1"}}}}`},
		{"a bag of an object that the round trip lacks has no place", `{"part":{"B":2}}`, `{}`, ``},
		{"nor has one of an element of a list of another length", `{"rules":[{"B":2},{}]}`, `{"rules":[{}]}`, ``},
		{"nor one in a map without the key", `{"parts":{"a":{"B":2}},"plain":{"a":{"B":2}}}`, `{"parts":{"b":{}},"plain":{}}`, ``},
		{"a text that is another one is no spelling", `{"name":"a","zones":["x"]}`, `{"name":"b","zones":["y"]}`, ``},
		{"a list has the identities of all elements", `{"rules":[{"B":1,"name":"a"},{"name":"b"}]}`,
			`{"rules":[{"name":"a"},{"name":"b"}]}`,
			`{"rules":[{"0":{"$propertyBag":{"h":{"value":1,"version":"1"}}}},"qjMnxZoSilnFzbDb","name"]}`},
	} {
		t.Run(test.why, func(t *testing.T) {
			lost, err := Collect(read[string](t, test.stored), read[string](t, test.plain), accountOptions)
			if err != nil || lost.text != test.lost {
				t.Errorf("lost %s, want %s, %v", lost.text, test.lost, err)
			}
		})
	}
	t.Run("a list whose elements share their memory is compared as any other", func(t *testing.T) {
		stored := read[string](t, `{"rules":[{"name":"a"},{"name":"b","tier":"Gold"},{"name":"c"}],"tiers":["Gold","Iron"]}`)
		plain := &account[string]{Rules: slices.Clone(stored.Rules), Tiers: slices.Clone(stored.Tiers)}
		if lost, err := Collect(stored, plain, accountOptions); err != nil || !lost.Empty() {
			t.Errorf("lost %s, want nothing, %v", lost.text, err)
		}
		stored.Rules[2].Bag = entry(1)
		plain.Tiers[1] = "iron"
		lost, err := Collect(stored, plain, accountOptions)
		if got := lost.Entries(); err != nil || len(got) != 2 || got[0].Path != "rules[2]" || got[1].Path != "tiers[1]" {
			t.Errorf("lost %+v, want what rules[2] and tiers[1] have, %v", got, err)
		}
	})
	t.Run("what is no JSON is an error", func(t *testing.T) {
		stored := &account[string]{Bag: propertybag.Bag{"a": {Version: "1", Value: json.RawMessage(`{"a"`)}}}
		if _, err := Collect(stored, &account[string]{}, Options{}); err == nil {
			t.Error("there is none")
		}
	})
	t.Run("the places of what no version can read are listed", func(t *testing.T) {
		lost := collect(t, read[string](t, `{"part":{"rules":[{},{"$propertyBag":{"a.b":"x","c":{"value":1,"version":"1"}}}]}}`))
		if got := lost.listUnreadable(); got != `part.rules[1]["a.b"]` {
			t.Error(got)
		}
	})
}

func TestEntries(t *testing.T) {
	stored := read[string](t,
		`{"B":1,"part":{"rules":[{},{"B":2,"tier":"Gold"}]},"plain":{"$propertyBag":{"B":3},"a.b":{"B":4}},"tiers":["Gold"]}`)
	var got []string
	for _, e := range carried(t, collect(t, stored)).Entries() {
		got = append(got, fmt.Sprintf("%s %s %s %s", e.Path, e.Name, e.Value.Version, e.Value.Value))
	}
	want := []string{` h 1 1`, `part.rules[1] h 1 2`, `part.rules[1].tier   "Gold"`, `plain.$propertyBag h 1 3`, `plain["a.b"] h 1 4`,
		`tiers[0]   "Gold"`}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestWithout(t *testing.T) {
	lost := collect(t, read[string](t, `{"part":{"B":1},"plain":{"a":{"B":2},"b":{"B":3}},"tier":"Gold"}`))
	rest := lost.Without("plain")
	if want := collect(t, read[string](t, `{"part":{"B":1},"tier":"Gold"}`)); rest.text != want.text || rest.Len() != 2 {
		t.Errorf("got %s, %d entries", rest.text, rest.Len())
	}
	if none := rest.Without("part").Without("tier"); !none.Empty() || none.Len() != 0 || !none.Without("x").Empty() {
		t.Errorf("got %s", none.text)
	}
}

// TestOptionsOf checks the options that come from tags.
func TestOptionsOf(t *testing.T) {
	type rule struct {
		Size *int64 `json:"size,omitempty"`
	}
	type service struct {
		Rules map[string][]rule `json:"rules,omitzero" listMapKey:"port,protocol"`
		More  []*rule           `json:"more,omitzero" listMapKey:"port,protocol"`
		Again *service          `json:"again,omitempty"`
	}
	want := Options{Keys: [][]string{{"port", "protocol"}}}
	for range 2 {
		if got := OptionsOf(&service{}); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// seeds returns how many random objects a test tries: n, or fewer with -short, as under
// the race detector.
func seeds(n int) int {
	if testing.Short() {
		return n / 7
	}
	return n
}

func mustDigest(t testing.TB, object any) Digest {
	t.Helper()
	digest, err := DigestOf(object)
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

func TestDigestOf(t *testing.T) {
	t.Run("two objects have one digest exactly if their JSON means the same", randomDigests)
	of := func(text string) Digest {
		raw := []byte(text)
		return mustDigest(t, &account[string]{Any: (*json.RawMessage)(&raw)})
	}
	shown := of(`{"a":[1,{"b":null}],"c":"é","d":100}`)
	for _, test := range []struct {
		why, json string
		same      bool
	}{
		{"as it was", `{"a":[1,{"b":null}],"c":"é","d":100}`, true},
		{"white space", ` {"a" : [1, {"b":null} ],"c":"é","d":100}`, true},
		{"the order of members", `{"d":100,"c":"é","a":[1,{"b":null}]}`, true},
		{"how a string is written", `{"a":[1,{"b":null}],"c":"\u00e9","d":100}`, true},
		{"how a number is written", `{"a":[1.0,{"b":null}],"c":"é","d":1e2}`, true},
		{"another number", `{"a":[1,{"b":null}],"c":"é","d":100.5}`, false},
		{"a number or a string", `{"a":[1,{"b":null}],"c":"é","d":"100"}`, false},
		{"null or absent", `{"a":[1,{}],"c":"é","d":100}`, false},
		{"the order of elements", `{"a":[{"b":null},1],"c":"é","d":100}`, false},
		{"where something is", `{"a":[1],"b":null,"c":"é","d":100}`, false},
		{"what looks like the end of a string", `{"a":[1,{"b":null}],"c":"é\",\"d\":100"}`, false},
	} {
		t.Run("untyped JSON, "+test.why, func(t *testing.T) {
			if same := of(test.json) == shown; same != test.same {
				t.Errorf("the same digest is %v", same)
			}
		})
	}
	t.Run("a value that JSON does not have is an error", func(t *testing.T) {
		infinite := math.Inf(1)
		for want, value := range map[string]any{"func()": func() {}, "+Inf": &account[string]{Ratio: &infinite}} {
			if _, err := DigestOf(value); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", want, err)
			}
		}
	})
	t.Run("they are part of the format", func(t *testing.T) {
		for _, test := range []struct {
			why, json string
			want      Digest
		}{
			{"null", `null`, "dCNOmK_nSY-12vHzasLXig"},
			{"a list", `[1,"a",null]`, "ATebxpj4Tz_YFBenVHtVDg"},
			{"members in order", `{"b":[1,{"c":"<\u2028é\u0001\""}],"a":1.0}`, "xwvoGtLSTCU050rC7TEfDA"},
		} {
			if got := mustDigest(t, tree(t, test.json)); got != test.want {
				t.Errorf("%s: %s", test.why, got)
			}
		}
	})
}

// tree reads JSON.
func tree(t testing.TB, text string) (tree any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return tree
}

func randomDigests(t *testing.T) {
	same, others := 0, 0
	for seed := range seeds(400) {
		m := &model{Rand: rand.New(rand.NewPCG(4, uint64(seed))), did: map[string]int{}}
		a := m.object(2)
		b := copied(a)
		if m.one(2) {
			m.edit(b, copied(a))
		}
		one, other := read[string](t, text(a)), read[string](t, text(b))
		if mustDigest(t, one) != mustDigest(t, tree(t, text(one))) {
			t.Fatalf("seed %d: one digest of an object, another of its tree", seed)
		}
		equal := text(a) == text(b)
		if equal != (mustDigest(t, one) == mustDigest(t, other)) {
			t.Fatalf("seed %d: the same JSON is %v, the same digest %v:\n%s\n%s", seed, equal, !equal, text(a), text(b))
		}
		if equal {
			same++
		} else {
			others++
		}
	}
	if few := seeds(40); same < few || others < few {
		t.Errorf("%d are the same, %d are not", same, others)
	}
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
					if mustDigest(t, a) != mustDigest(t, b) {
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
			if mustDigest(t, pair[0]) == mustDigest(t, pair[1]) {
				t.Error("they are the same")
			}
		})
	}
}
