// Package progress shows how far a command is that takes a while. Its main type is [Progress].
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// Progress shows a state: on a terminal in a line that changes, elsewhere in a line from time to time.
type Progress struct {
	out      io.Writer
	terminal bool
	every    time.Duration
}

// New returns a Progress on out.
func New(out io.Writer) Progress {
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return Progress{out, true, 200 * time.Millisecond}
	}
	return Progress{out, false, 10 * time.Second}
}

// During calls do, and shows what state returns until do ends.
func (p Progress) During(state func() string, do func() error) error {
	ticker := time.NewTicker(p.every)
	defer ticker.Stop()
	done := make(chan error, 1)
	go func() { done <- do() }()
	for {
		select {
		case <-ticker.C:
			if p.terminal {
				fmt.Fprintf(p.out, "\r\x1b[K%s", state())
			} else {
				fmt.Fprintln(p.out, state())
			}
		case err := <-done:
			if p.terminal {
				fmt.Fprint(p.out, "\r\x1b[K")
			}
			return err
		}
	}
}

// width is the number of characters of a bar.
const width = 20

// Bar returns a bar with the numbers beside it. A total that is too small, because there came more, grows.
func Bar(done, total int) string {
	total = max(done, total, 1)
	filled := width * done / total
	return fmt.Sprintf("[%s%s] %d of %d", strings.Repeat("#", filled), strings.Repeat(".", width-filled), done, total)
}
