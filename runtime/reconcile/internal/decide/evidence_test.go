package decide_test

import (
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
)

// TestAbsence asks ARM, which never has the resource, each time when Next says so.
func TestAbsence(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name    string
		use     decide.Use
		unclear bool
		answers int
		over    time.Duration
		list    bool
	}{
		{"a first PUT, which If-None-Match guards", decide.FirstPut, false, 1, 0, false},
		{"a report", decide.Report, false, 2, decide.FirstRetry, false},
		{"a PUT of what ARM had", decide.Recreate, false, 4, decide.Outage, true},
		{"leaving out a child", decide.Omit, false, 4, decide.Outage, true},
		{"leaving out a child of a parent that is gone", decide.OmitWithParent, false, 1, 0, false},
		{"the end of a deletion that ARM has done", decide.Release, false, 1, 0, false},
		{"the end of a deletion of which ARM has done nothing", decide.ReleaseUndone, false, 4, decide.Outage, true},
		{"the end of a doubt", decide.EndDoubt, false, 4, decide.Outage, true},
		{"a first PUT, after unclear answers", decide.FirstPut, true, 2, decide.FirstRetry, false},
		{"a report, after unclear answers", decide.Report, true, 4, decide.Outage, false},
		{"a PUT of what ARM had, after unclear answers", decide.Recreate, true, 8, time.Hour, true},
		{"the end of a deletion that ARM has done, after unclear answers", decide.Release, true, 4, decide.Outage, false},
		{"the end of a deletion of which ARM has done nothing, after unclear answers", decide.ReleaseUndone, true, 8, time.Hour, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, now := decide.Absence{}.With(begin, test.unclear), begin
			for range 20 {
				proven, needsList := a.Proves(test.use, decide.Outage)
				if proven || needsList {
					break
				}
				if now = a.Next(test.use, decide.Outage); !now.After(a.Last) {
					t.Fatalf("ARM is asked at once, after %+v", a)
				}
				a = a.With(now, test.unclear)
			}
			_, needsList := a.Proves(test.use, decide.Outage)
			if a.Answers != test.answers || now.Sub(begin) != test.over || needsList != test.list {
				t.Errorf("got %d answers in %v, list: %v", a.Answers, now.Sub(begin), needsList)
			}
			a.Unlisted = true
			if proven, _ := a.Proves(test.use, decide.Outage); !proven {
				t.Error("nothing is proven")
			}
		})
	}
	t.Run("answers that follow each other closely count as one", func(t *testing.T) {
		a := decide.Absence{}
		for i := range 100 {
			a = a.With(begin.Add(time.Duration(i)*10*time.Millisecond), false)
		}
		if a.Answers != 1 {
			t.Errorf("got %d answers", a.Answers)
		}
	})
	t.Run("many answers in a short time prove nothing that lasts", func(t *testing.T) {
		a := decide.Absence{}
		for i := range 20 {
			a = a.With(begin.Add(time.Duration(i)*decide.FirstRetry), false)
		}
		proven, needsList := a.Proves(decide.Recreate, decide.Outage)
		if next := a.Next(decide.Recreate, decide.Outage); proven || needsList || next != begin.Add(decide.Outage) {
			t.Errorf("%+v proves it, or ARM is asked again at %v", a, next)
		}
	})
}
