package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/term"
)

// progress shows how far a checkout is while git is silent: on a terminal in a line that changes, elsewhere in a line
// from time to time.
type progress struct {
	out      io.Writer
	terminal bool
	every    time.Duration
}

func newProgress(out io.Writer) progress {
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return progress{out, true, 200 * time.Millisecond}
	}
	return progress{out, false, 10 * time.Second}
}

// during calls do, and shows what state returns until do ends.
func (p progress) during(state func() string, do func() error) error {
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

// fetched returns what has arrived: the size of git's folder, and how many of some files there are in dir.
func fetched(dir, gitFolder string, names []string) string {
	var size int64
	// git removes files at any time.
	filepath.WalkDir(gitFolder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	text := fmt.Sprintf("%.1f MB fetched", float64(size)/1e6)
	if names == nil {
		return text
	}
	n := 0
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			n++
		}
	}
	return fmt.Sprintf("%s, %d of %d files", text, n, len(names))
}
