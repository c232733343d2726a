package await

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestUntil(t *testing.T) {
	for name, test := range map[string]struct {
		// wrong is what the n-th look finds.
		wrong func(n int) string
		// each is how long a look takes.
		each, least, most time.Duration
		want              string
	}{
		"what is right at once takes no time": {
			wrong: func(int) string { return "" },
		},
		"what comes soon is found soon": {
			wrong: found(3), least: 35 * time.Millisecond, most: 35 * time.Millisecond,
		},
		"what stays wrong ends after ten minutes": {
			wrong: func(int) string { return "no pod" }, least: 10 * time.Minute, most: 11 * time.Minute, want: "no pod",
		},
		"a busy machine has longer": {
			wrong: found(1400), each: time.Second, least: 20 * time.Minute, most: 40 * time.Minute,
		},
		"what changes has as long as it takes": {
			wrong: func(n int) string {
				if n == 20_000 {
					return ""
				}
				return fmt.Sprint(n/1000, " of 20 are ready")
			},
			least: time.Hour, most: 2 * time.Hour,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, begin := 0, time.Now()
				last := settle(func() string {
					n++
					time.Sleep(test.each)
					return test.wrong(n - 1)
				})
				if last != test.want {
					t.Errorf("got %q, want %q", last, test.want)
				}
				if took := time.Since(begin); took < test.least || took > test.most {
					t.Errorf("it took %v, want %v to %v", took, test.least, test.most)
				}
			})
		})
	}
}

// found returns a function of which the n-th look finds nothing wrong any longer.
func found(n int) func(int) string {
	return func(i int) string {
		if i < n {
			return "no pod"
		}
		return ""
	}
}
