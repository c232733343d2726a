package await

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

var noPod, silent = errors.New("no pod"), errors.New("")

func TestUntil(t *testing.T) {
	for name, test := range map[string]struct {
		// try is the n-th look.
		try func(n int) error
		// each is how long a look takes.
		each, least, most time.Duration
		want              error
	}{
		"what is right at once takes no time": {
			try: func(int) error { return nil },
		},
		"what comes soon is found soon": {
			try: found(3), least: 35 * time.Millisecond, most: 35 * time.Millisecond,
		},
		"what stays wrong ends after ten minutes": {
			try: func(int) error { return noPod }, least: 10 * time.Minute, most: 11 * time.Minute, want: noPod,
		},
		"so does what is wrong and says nothing": {
			try: func(int) error { return silent }, least: 10 * time.Minute, most: 11 * time.Minute, want: silent,
		},
		"a connection that is closed each time is the same, from whichever port": {
			try:   reset,
			least: 10 * time.Minute, most: 11 * time.Minute, want: reset(looks),
		},
		"a busy machine has longer": {
			try: found(1400), each: time.Second, least: 20 * time.Minute, most: 40 * time.Minute,
		},
		"what changes has as long as it takes": {
			try: func(n int) error {
				if n == 20_000 {
					return nil
				}
				return fmt.Errorf("%d of 20 are ready", n/1000)
			},
			least: time.Hour, most: 2 * time.Hour,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, begin := 0, time.Now()
				err := settle(func() error {
					n++
					time.Sleep(test.each)
					return test.try(n - 1)
				})
				if fmt.Sprint(err) != fmt.Sprint(test.want) {
					t.Errorf("got %v, want %v", err, test.want)
				}
				if took := time.Since(begin); took < test.least || took > test.most {
					t.Errorf("it took %v, want %v to %v", took, test.least, test.most)
				}
			})
		})
	}
}

// found returns a function of which the n-th look finds nothing wrong any longer.
func found(n int) func(int) error {
	return func(i int) error {
		if i < n {
			return noPod
		}
		return nil
	}
}

// reset returns what a request says when the other end closes its connection, the n-th of this end. In the end, so
// that the test has one, it is no longer closed.
func reset(n int) error {
	if n == 20_000 {
		return nil
	}
	return fmt.Errorf("read tcp 127.0.0.1:%d->127.0.0.1:443: connection reset by peer", 40_000+n)
}
