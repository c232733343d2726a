package gofile

import (
	"bytes"
	"fmt"
	"go/doc/comment"
	"strings"
	"unicode/utf8"
)

// layout indents and aligns lines of Go as gofmt does. It knows only as much of
// Go as the emitters print, and so takes a fraction of the time of parsing and
// formatting the file. Tests compare all generated files with gofmt.
type layout struct {
	text  bytes.Buffer
	depth int
	// blank reports whether a blank line comes next, unless a block ends or begins.
	blank, began bool
	rows         []row // that are not aligned yet
	err          error
}

// row is a line with cells.
type row struct {
	depth int
	cells []string
}

// lines adds one or several lines.
func (l *layout) lines(text []byte) {
	for {
		line, rest, more := bytes.Cut(text, []byte{'\n'})
		l.line(line)
		if !more {
			return
		}
		text = rest
	}
}

// line adds a line.
func (l *layout) line(line []byte) {
	if len(line) == 0 {
		l.blank = true
		return
	}
	opened, closed, complete := brackets(line)
	if closed > 0 {
		l.depth--
	}
	switch {
	case l.err != nil:
	case l.depth < 0:
		l.err = fmt.Errorf("this line closes a block that no line opens: %s", line)
	case !complete:
		l.err = fmt.Errorf("this line has a string without an end: %s", line)
	}
	if l.blank && l.began && closed == 0 {
		l.align()
		l.text.WriteByte('\n')
	}
	l.blank, l.began = false, true
	if bytes.IndexByte(line, '\t') > 0 && !bytes.HasPrefix(line, []byte("//")) {
		l.rows = append(l.rows, row{l.depth, strings.Split(string(line), "\t")})
	} else {
		l.align()
		l.indent(l.depth)
		l.text.Write(line)
		l.text.WriteByte('\n')
	}
	if opened > 0 {
		l.depth++
		l.began = false
	}
}

func (l *layout) indent(depth int) {
	for range depth {
		l.text.WriteByte('\t')
	}
}

// align prints the rows. It makes each cell, except the last of a row, as wide as
// the widest cell above and below it.
func (l *layout) align() {
	rows := l.rows
	l.rows = rows[:0]
	var widths []int
	for _, r := range rows {
		for i, cell := range r.cells[:len(r.cells)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range rows {
		l.indent(r.depth)
		for i, cell := range r.cells {
			l.text.WriteString(cell)
			if i < len(r.cells)-1 {
				for range widths[i] + 1 - utf8.RuneCountInString(cell) {
					l.text.WriteByte(' ')
				}
			}
		}
		l.text.WriteByte('\n')
	}
}

// bytes returns all lines.
func (l *layout) bytes() ([]byte, error) {
	l.align()
	if l.depth > 0 && l.err == nil {
		l.err = fmt.Errorf("%d blocks are not closed", l.depth)
	}
	return l.text.Bytes(), l.err
}

// brackets returns how many brackets a line leaves open, and how many brackets of
// earlier lines it closes. Strings and comments do not count. It also reports whether
// the line has the end of each string that begins on it.
func brackets(line []byte) (opened, closed int, complete bool) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '(', '[', '{':
			opened++
		case ')', ']', '}':
			if opened > 0 {
				opened--
			} else {
				closed++
			}
		case '"', '`':
			if i = endOfString(line, i); i == len(line) {
				return opened, closed, false
			}
		case '/':
			if i+1 < len(line) && line[i+1] == '/' {
				return opened, closed, true
			}
		}
	}
	return opened, closed, true
}

// endOfString returns the end of the string that begins at i, or the length of the
// line if it is not on the line.
func endOfString(line []byte, i int) int {
	quote := line[i]
	for i++; i < len(line); i++ {
		switch {
		case line[i] == quote:
			return i
		case line[i] == '\\' && quote == '"':
			i++
		}
	}
	return len(line)
}

// asDoc brings a comment into the form that gofmt gives it. Most have it: it is
// lists, headings, links and quotation marks that gofmt writes in another way.
func asDoc(lines []string) []string {
	if !mayHaveMarkup(lines) {
		return lines
	}
	text := (&comment.Printer{}).Comment(new(comment.Parser).Parse(strings.Join(lines, "\n")))
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// mayHaveMarkup reports whether gofmt may take a part of a comment for more than
// text.
func mayHaveMarkup(lines []string) bool {
	blank := 0
	for _, line := range lines {
		first, _ := utf8.DecodeRuneInString(line)
		switch {
		case line == "":
			if blank++; blank > 1 { // what stands between may be a heading
				return true
			}
		case strings.ContainsRune("-*+•#[0123456789", first), strings.HasSuffix(line, "{"), strings.HasSuffix(line, "\\"),
			strings.Contains(line, "``"), strings.Contains(line, "''"):
			return true
		}
	}
	return false
}
