package roundtrip

import (
	"encoding/json"
	"reflect"
	"testing"
)

// Of two elements to which an edit gave the same key, Frame does not ask which
// is which. It asks for all others, and for what an edit takes away.
func TestFrameAsksNotForElementsOfADoubledKey(t *testing.T) {
	for _, test := range []struct {
		why, before, after, plainBefore, plainAfter string
		wrong                                       int
	}{
		{"the added one takes what the other has", `[{"id":"a","x":1},{"id":"b","x":2}]`, `[{"id":"a","n":1,"x":1},{"id":"a"},{"id":"b","x":2}]`,
			`[{"id":"a"},{"id":"b"}]`, `[{"id":"a","n":1},{"id":"a"},{"id":"b"}]`, 0},
		{"and a third loses", `[{"id":"a","x":1},{"id":"b","x":2}]`, `[{"id":"a","n":1,"x":1},{"id":"a"},{"id":"b"}]`,
			`[{"id":"a"},{"id":"b"}]`, `[{"id":"a","n":1},{"id":"a"},{"id":"b"}]`, 1},
		{"the added one has a key of its own", `[{"id":"a","x":1}]`, `[{"id":"c","x":1},{"id":"a"}]`,
			`[{"id":"a"}]`, `[{"id":"c"},{"id":"a"}]`, 1},
		{"the added one has no key", `[{"id":"a","x":1}]`, `[{"n":1,"x":1},{"id":"a"}]`,
			`[{"id":"a"}]`, `[{"n":1},{"id":"a"}]`, 1},
		{"the list had no key before", `[{"id":"a","n":1,"x":1},{"id":"a","x":2}]`, `[{"id":"a","n":1},{"id":"a","x":2},{"id":"a","n":2}]`,
			`[{"id":"a","n":1},{"id":"a"}]`, `[{"id":"a","n":1},{"id":"a"},{"id":"a","n":2}]`, 1},
		{"one of two is taken away", `[{"id":"a","n":1,"x":1},{"id":"a","x":2}]`, `[{"id":"a","x":1}]`,
			`[{"id":"a","n":1},{"id":"a"}]`, `[{"id":"a"}]`, 1},
	} {
		var lists [4][]any
		for i, text := range []string{test.before, test.after, test.plainBefore, test.plainAfter} {
			if err := json.Unmarshal([]byte(text), &lists[i]); err != nil {
				t.Fatal(err)
			}
		}
		f := framer{t: &Trial{Kind: &Kind{Hub: &house{}}, Object: &roomyHouse{}}, hub: reflect.TypeFor[house]()}
		if !f.lists([]string{"list"}, lists[0], lists[1], lists[2], lists[3]) || len(f.wrong) != test.wrong {
			t.Errorf("%s: %d faults, want %d: %q", test.why, len(f.wrong), test.wrong, f.wrong)
		}
	}
}
