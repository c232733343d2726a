// Package await waits, in tests, for what other processes do. Its main function is [Until].
//
// A wait has no deadline: how long something takes depends on what else the machine does. It ends when what is wrong
// stays the same, look after look. A busy machine takes longer for each look, too.
package await

import (
	"testing"
	"time"
)

const (
	// The pause between two looks grows from the first of these to the second.
	first, pause = 5 * time.Millisecond, 200 * time.Millisecond
	// looks is how many in a row may find the same. With the pauses that is ten minutes, the longest that the operator
	// itself waits between two tries.
	looks = 3010
)

// Until looks until nothing is wrong with what is waited for. It fails the test with what is wrong if that has stayed
// the same for ten minutes, and for as many looks as a quiet machine takes in that time. "" says that nothing is wrong,
// so a state that may be empty has a word before it.
func Until(t testing.TB, what string, wrong func() string) {
	t.Helper()
	if last := settle(wrong); last != "" {
		t.Fatalf("%s: looked %d times, and nothing has changed: %s", what, looks, last)
	}
}

// settle returns what is wrong and stays so, or "".
func settle(wrong func() string) string {
	last, same := "", 0
	for between := first; ; between = min(2*between, pause) {
		found := wrong()
		if found == "" {
			return ""
		}
		if found != last {
			last, same = found, 0
		}
		if same++; same > looks {
			return found
		}
		time.Sleep(between)
	}
}

// True is [Until] for a condition of which there is nothing to say.
func True(t testing.TB, what string, condition func() bool) {
	t.Helper()
	Until(t, what, func() string {
		if condition() {
			return ""
		}
		return "it is not so"
	})
}

// Success is [Until] for what succeeds in the end.
func Success(t testing.TB, what string, try func() error) {
	t.Helper()
	Until(t, what, func() string {
		if err := try(); err != nil {
			return err.Error()
		}
		return ""
	})
}
