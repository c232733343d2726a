package decide

import (
	"testing"
	"time"
)

// TestAbsence asks ARM, which never has the resource, each time when Next says so.
func TestAbsence(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name    string
		use     Use
		answers int
		over    time.Duration
		list    bool
	}{
		{"a first PUT, which If-None-Match guards", FirstPut, 1, 0, false},
		{"a report", Report, 2, FirstRetry, false},
		{"a PUT of what ARM had", Recreate, 4, Outage, true},
		{"leaving out a child", Omit, 4, Outage, true},
		{"leaving out a child of a parent that is gone", OmitWithParent, 1, 0, false},
		{"the end of a deletion that ARM has done", Release, 1, 0, false},
		{"the end of a deletion of which ARM has done nothing", ReleaseUndone, 4, Outage, true},
		{"the end of a doubt", EndDoubt, 4, Outage, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, now := Absence{}.With(begin), begin
			for range 20 {
				proven, needsList := a.Proves(test.use)
				if proven || needsList {
					break
				}
				if now = a.Next(test.use); !now.After(a.Last) {
					t.Fatalf("ARM is asked at once, after %+v", a)
				}
				a = a.With(now)
			}
			if _, needsList := a.Proves(test.use); a.Answers != test.answers || now.Sub(begin) != test.over || needsList != test.list {
				t.Errorf("got %d answers in %v, list: %v", a.Answers, now.Sub(begin), needsList)
			}
			a.Unlisted = true
			if proven, _ := a.Proves(test.use); !proven {
				t.Error("nothing is proven")
			}
		})
	}
	t.Run("answers that follow each other closely count as one", func(t *testing.T) {
		a := Absence{}
		for i := range 100 {
			a = a.With(begin.Add(time.Duration(i) * 10 * time.Millisecond))
		}
		if a.Answers != 1 {
			t.Errorf("got %d answers", a.Answers)
		}
	})
	t.Run("many answers in a short time prove nothing that lasts", func(t *testing.T) {
		a := Absence{}
		for i := range 20 {
			a = a.With(begin.Add(time.Duration(i) * FirstRetry))
		}
		if proven, needsList := a.Proves(Recreate); proven || needsList || a.Next(Recreate) != begin.Add(Outage) {
			t.Errorf("%+v proves it, or ARM is asked again at %v", a, a.Next(Recreate))
		}
	})
}
