// Package await waits, in tests, for what other processes do. Its main function is [Until].
//
// A wait has no deadline: how long something takes depends on what else the machine does. It ends when what is wrong
// stays the same, look after look. A busy machine takes longer for each look, too.
package await

import (
	"errors"
	"regexp"
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

// localPort matches what errors of the net package say of this end of a connection, which is new with each try.
var localPort = regexp.MustCompile(`[^ ]+:[0-9]+->`)

// Until calls try until it returns nil. It fails the test with the last error if its text has stayed the same for ten
// minutes, and for as many looks as a quiet machine takes in that time.
func Until(t testing.TB, what string, try func() error) {
	t.Helper()
	if err := settle(try); err != nil {
		t.Fatalf("%s: looked %d times, and nothing has changed: %v", what, looks, err)
	}
}

// settle returns the error that stays the same, or nil.
func settle(try func() error) error {
	last, same := "", 0
	for between := first; ; between = min(2*between, pause) {
		err := try()
		if err == nil {
			return nil
		}
		if text := localPort.ReplaceAllString(err.Error(), ""); text != last {
			last, same = text, 0
		}
		if same++; same > looks {
			return err
		}
		time.Sleep(between)
	}
}

// True is [Until] for a condition of which there is nothing to say.
func True(t testing.TB, what string, condition func() bool) {
	t.Helper()
	Until(t, what, func() error {
		if condition() {
			return nil
		}
		return errors.New("it is not so")
	})
}
