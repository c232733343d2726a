package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// screen writes to a terminal, or to a file or pipe. The latter get whole lines
// without colour.
type screen struct {
	mutex    sync.Mutex
	out      io.Writer
	terminal bool
}

func newScreen(out io.Writer) *screen {
	file, ok := out.(*os.File)
	return &screen{out: out, terminal: ok && term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb"}
}

func (s *screen) print(lines ...string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, line := range lines {
		fmt.Fprintln(s.out, strings.TrimRight(line, " "))
	}
}

// overwrite replaces the terminal's current line. It cuts what does not fit.
func (s *screen) overwrite(line string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if width, _, err := term.GetSize(int(s.out.(*os.File).Fd())); err == nil && width > 0 && utf8.RuneCountInString(line) >= width {
		line = string([]rune(line)[:width-1])
	}
	fmt.Fprint(s.out, "\r\x1b[K"+s.dim(line))
}

func (s *screen) style(code, text string) string {
	if !s.terminal || os.Getenv("NO_COLOR") != "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s *screen) bold(text string) string  { return s.style("1", text) }
func (s *screen) dim(text string) string   { return s.style("2", text) }
func (s *screen) green(text string) string { return s.style("32", text) }
func (s *screen) gold(text string) string  { return s.style("33", text) }

// A step shows how long it has taken so far at these intervals: a terminal gets
// it in place, a file gets a line each time.
const (
	tick     = time.Second
	reminder = 30 * time.Second
)

// step runs do and shows how long it takes.
func (s *screen) step(name string, do func() error) error {
	start, done := time.Now(), make(chan error, 1)
	go func() { done <- do() }()
	label := pad("  "+name, 34)
	ticker, remind := time.NewTicker(tick), time.NewTicker(reminder)
	defer ticker.Stop()
	defer remind.Stop()
	if s.terminal {
		s.overwrite(label + "…")
	}
	for {
		select {
		case err := <-done:
			if s.terminal {
				s.overwrite("")
			}
			if errors.Is(err, context.Canceled) {
				return err
			}
			if err != nil {
				s.print(label + "failed" + seconds(start))
				return err
			}
			s.ready(name, start)
			return nil
		case <-ticker.C:
			if s.terminal {
				s.overwrite(label + fmt.Sprintf("%8.0f s", time.Since(start).Seconds()))
			}
		case <-remind.C:
			if !s.terminal {
				s.print(fmt.Sprintf("%s%8.0f s so far", label, time.Since(start).Seconds()))
			}
		}
	}
}

// ready prints that a step is done that began at start.
func (s *screen) ready(name string, start time.Time) {
	s.print(pad("  "+name, 34) + s.green("ready ") + s.dim(seconds(start)))
}

// seconds returns how long ago start was.
func seconds(start time.Time) string { return fmt.Sprintf("%6.1f s", time.Since(start).Seconds()) }

// step is a part of what is started.
type step struct {
	name string
	do   func() error
}

// steps does steps one after the other.
func (s *screen) steps(ctx context.Context, all []step) error {
	for _, step := range all {
		if err := s.step(step.name, step.do); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// wrap breaks a text into lines of a width where there are spaces.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// indent returns lines that begin with by.
func indent(lines []string, by string) []string {
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i] = by + lines[i]
	}
	return lines
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-utf8.RuneCountInString(text), 1))
}

// cell is a cell of a table. Its width does not include its style.
type cell struct {
	text  string
	style func(string) string
}

func plain(text string) cell { return cell{text, func(s string) string { return s }} }

// table prints rows of cells below each other, in columns as wide as needed.
func (s *screen) table(rows [][]cell) {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c.text)+2)
		}
	}
	for _, row := range rows {
		line := "   "
		for i, c := range row {
			line += c.style(c.text)
			if i < len(row)-1 {
				line += strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c.text))
			}
		}
		s.print(line)
	}
}
