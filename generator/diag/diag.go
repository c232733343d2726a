// Package diag collects the errors of an input, so that one run reports all of
// them, each with its position. Its main type is [List].
package diag

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one error in an input.
type Error struct {
	File string
	// Line and Column start at 1. They are 0 if the error has no position.
	Line, Column int
	// Message says what was found, what was expected, and the fix.
	Message string
}

func (e Error) Error() string {
	switch {
	case e.File == "":
		return e.Message
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// List is an error that holds all errors of a run. The zero List is empty.
type List struct{ errs []Error }

// Add appends an error.
func (l *List) Add(e Error) { l.errs = append(l.errs, e) }

// Addf appends an error at a position.
func (l *List) Addf(file string, line, column int, format string, args ...any) {
	l.Add(Error{file, line, column, fmt.Sprintf(format, args...)})
}

// Merge appends the errors of err, which may be a *List, an Error or any other error.
func (l *List) Merge(err error) {
	switch err := err.(type) {
	case nil:
	case *List:
		l.errs = append(l.errs, err.errs...)
	case Error:
		l.Add(err)
	default:
		l.Add(Error{Message: err.Error()})
	}
}

// Err returns nil for an empty list, else the list, sorted and without repetitions.
func (l *List) Err() error {
	if len(l.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(l.errs, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Message, b.Message))
	})
	l.errs = slices.Compact(l.errs)
	return l
}

// Error returns the errors, each on a line.
func (l *List) Error() string {
	lines := make([]string, len(l.errs))
	for i, e := range l.errs {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Position returns the line and the column of an offset in bytes. Both start at
// 1, and columns count bytes, as in compilers.
func Position(text []byte, offset int64) (line, column int) {
	before := text[:min(int(offset), len(text))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}

// Nearest returns the candidate that a misspelled name most likely means, or ""
// if none is near: at most a third of the name's letters may differ, and one
// letter always may. Case does not count.
func Nearest(name string, candidates []string) string {
	best, limit := "", max(1, len(name)/3)+1
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d < limit {
			best, limit = c, d
		}
	}
	return best
}

// DidYouMean returns "; did you mean X?" for the nearest candidate, or "" if
// none is near.
func DidYouMean(name string, candidates []string) string {
	if best := Nearest(name, candidates); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// distance returns how many bytes of a must be inserted, deleted, replaced or
// swapped with the next one to make b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := range len(a) {
		for j := range len(b) {
			replace := rows[i][j]
			if a[i] != b[j] {
				replace++
			}
			best := min(replace, rows[i+1][j]+1, rows[i][j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				best = min(best, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = best
		}
	}
	return rows[len(a)][len(b)]
}
