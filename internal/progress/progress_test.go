package progress

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	for _, test := range []struct {
		behavior    string
		terminal    bool
		begins, end string
	}{
		{"a terminal has one line, which is gone at the end", true, "\r\x1b[Khalf\r\x1b[K", "\r\x1b[K"},
		{"elsewhere there is a line from time to time", false, "half\n", "half\n"},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			var out bytes.Buffer
			shown := make(chan bool)
			show := sync.OnceFunc(func() { close(shown) })
			err := Progress{&out, test.terminal, time.Millisecond}.During(
				func() string { show(); return "half" }, func() error { <-shown; return nil })
			if got := out.String(); err != nil || !strings.HasPrefix(got, test.begins) || !strings.HasSuffix(got, test.end) {
				t.Errorf("got %q, %v; want %q … %q", got, err, test.begins, test.end)
			}
		})
	}
}

func TestBar(t *testing.T) {
	for _, test := range []struct {
		behavior    string
		done, total int
		want        string
	}{
		{"it fills", 3, 4, "[###############.....] 3 of 4"},
		{"nothing is no division by zero", 0, 0, "[....................] 0 of 1"},
		{"a total that was too small grows", 7, 4, "[####################] 7 of 7"},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if got := Bar(test.done, test.total); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
