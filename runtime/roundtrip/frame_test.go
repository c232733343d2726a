package roundtrip

import (
	"encoding/json"
	"reflect"
	"testing"
)

// cellar has a list whose key lies deeper than its elements' own properties.
type cellar struct {
	house
	Barrels []struct {
		Label struct {
			Number string `json:"number"`
		} `json:"label"`
	} `json:"barrels" listMapKey:"label/number"`
}

// Nobody can say which of two elements is which if an edit gave them the same key.
// Frame checks all other elements, and all if an edit took one away.
func TestFrame(t *testing.T) {
	for _, test := range []struct {
		name, before, after, plainBefore, plainAfter string
		wrong                                        int
	}{
		{"an added element with the key of another may take its values", `[{"id":"a","x":1},{"id":"b","x":2}]`,
			`[{"id":"a","n":1,"x":1},{"id":"a"},{"id":"b","x":2}]`,
			`[{"id":"a"},{"id":"b"}]`, `[{"id":"a","n":1},{"id":"a"},{"id":"b"}]`, 0},
		{"also beside one without a key", `[{"n":3},{"id":"a","x":1}]`, `[{"n":3},{"id":"a","n":1},{"id":"a"}]`,
			`[{"n":3},{"id":"a"}]`, `[{"n":3},{"id":"a","n":1},{"id":"a"}]`, 0},
		{"that one must not change then", `[{"n":3,"x":5},{"id":"a","x":1}]`, `[{"n":3},{"id":"a","n":1},{"id":"a"}]`,
			`[{"n":3},{"id":"a"}]`, `[{"n":3},{"id":"a","n":1},{"id":"a"}]`, 1},
		{"a third element must not change then", `[{"id":"a","x":1},{"id":"b","x":2}]`, `[{"id":"a","n":1,"x":1},{"id":"a"},{"id":"b"}]`,
			`[{"id":"a"},{"id":"b"}]`, `[{"id":"a","n":1},{"id":"a"},{"id":"b"}]`, 1},
		{"an added element with a key of its own takes no values", `[{"id":"a","x":1}]`, `[{"id":"c","x":1},{"id":"a"}]`,
			`[{"id":"a"}]`, `[{"id":"c"},{"id":"a"}]`, 1},
		{"an added element without a key takes no values", `[{"id":"a","x":1}]`, `[{"n":1,"x":1},{"id":"a"}]`,
			`[{"id":"a"}]`, `[{"n":1},{"id":"a"}]`, 1},
		{"elements that had no key before are checked", `[{"id":"a","n":1,"x":1},{"id":"a","x":2}]`,
			`[{"id":"a","n":1},{"id":"a","x":2},{"id":"a","n":2}]`,
			`[{"id":"a","n":1},{"id":"a"}]`, `[{"id":"a","n":1},{"id":"a"},{"id":"a","n":2}]`, 1},
		{"an element is another one if the key in its bag is",
			`[{"$propertyBag":{"id":{"value":"a","version":"v"}},"x":1}]`, `[{"$propertyBag":{"id":{"value":"b","version":"v"}}}]`,
			`[{"$propertyBag":{"id":{"value":"a","version":"v"}}}]`, `[{"$propertyBag":{"id":{"value":"b","version":"v"}}}]`, 0},
		{"an element whose bag keeps the key is checked",
			`[{"$propertyBag":{"id":{"value":"a","version":"v"}},"n":1,"x":1}]`, `[{"$propertyBag":{"id":{"value":"a","version":"v"}}}]`,
			`[{"$propertyBag":{"id":{"value":"a","version":"v"}},"n":1}]`, `[{"$propertyBag":{"id":{"value":"a","version":"v"}}}]`, 1},
		{"an element is another one if a key that lies deeper is", `[{"label":{"number":"1"},"x":1}]`, `[{"label":{"number":"2"}}]`,
			`[{"label":{"number":"1"}}]`, `[{"label":{"number":"2"}}]`, 0},
		{"an element that keeps a key that lies deeper is checked", `[{"label":{"number":"1"},"n":1,"x":1}]`, `[{"label":{"number":"1"}}]`,
			`[{"label":{"number":"1"},"n":1}]`, `[{"label":{"number":"1"}}]`, 1},
		{"a value that the hub can hold takes the place of one in the bag", `[{"$propertyBag":{"n@storage":{"value":5}},"id":"a"}]`,
			`[{"id":"a","n":1}]`, `[{"id":"a"}]`, `[{"id":"a","n":1}]`, 0},
		{"an empty bag is no entry", `[{"$propertyBag":{},"id":"a"}]`, `[{"$propertyBag":{},"id":"a","n":1}]`,
			`[{"$propertyBag":{},"id":"a"}]`, `[{"$propertyBag":{},"id":"a","n":1}]`, 0},
		{"another entry of the bag stays", `[{"$propertyBag":{"m":{"value":4},"n":{"value":5}},"id":"a"}]`,
			`[{"id":"a","n":1}]`, `[{"id":"a"}]`, `[{"id":"a","n":1}]`, 1},
		{"elements are checked if one of two is taken away", `[{"id":"a","n":1,"x":1},{"id":"a","x":2}]`, `[{"id":"a","x":1}]`,
			`[{"id":"a","n":1},{"id":"a"}]`, `[{"id":"a"}]`, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var lists [4][]any
			for i, text := range []string{test.before, test.after, test.plainBefore, test.plainAfter} {
				if err := json.Unmarshal([]byte(text), &lists[i]); err != nil {
					t.Fatal(err)
				}
			}
			trial := &Trial{Kind: &Kind{Hub: &house{}}, Object: &roomyHouse{}}
			f := framer{t: trial, hub: reflect.TypeFor[house](), keys: keysOf(&cellar{})}
			if !f.lists([]string{"list"}, lists[0], lists[1], lists[2], lists[3]) || len(f.wrong) != test.wrong {
				t.Errorf("%d faults, want %d: %q", len(f.wrong), test.wrong, f.wrong)
			}
		})
	}
}
