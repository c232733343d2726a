// Package record writes down what a run against ARM does, so that the result can be shown to
// others. A line is made of words that are known before (types, API versions, names of properties
// that were sent, status and error codes) and of numbers, never of what ARM says in sentences. Its
// main types are [Log] and [Recorder].
package record

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Log is a log without ids, names and secrets.
type Log struct {
	mutex  sync.Mutex
	out    io.Writer
	start  time.Time
	hidden *regexp.Regexp
}

// forms are those of what identifies somebody or lets somebody in, wherever it comes from: ids,
// tokens, and keys in base64.
const forms = `[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|eyJ[\w-]+(\.[\w-]+)*|[\w+/-]{40,}=*`

// NewLog returns a Log that begins now. It hides the words too, in any line and whatever their case,
// should one ever get into it.
func NewLog(out io.Writer, words ...string) *Log {
	all := []string{forms}
	for _, word := range words {
		if word != "" {
			all = append(all, regexp.QuoteMeta(word))
		}
	}
	return &Log{out: out, start: time.Now(), hidden: regexp.MustCompile(`(?i)` + strings.Join(all, "|"))}
}

// Print writes a line, with the time since the start.
func (l *Log) Print(format string, arguments ...any) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	line := strings.Join(strings.Fields(fmt.Sprintf(format, arguments...)), " ")
	line = l.hidden.ReplaceAllString(line, "(hidden)")
	fmt.Fprintf(l.out, "%7.1f s  %s\n", time.Since(l.start).Seconds(), line)
}

// Heading writes a line without the time, and with its spaces.
func (l *Log) Heading(line string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	fmt.Fprintln(l.out, l.hidden.ReplaceAllString(line, "(hidden)"))
}

var code = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.]{0,63}$`)

// Code returns a word of ARM's or of a condition if it has the form of a code, and otherwise that
// it is hidden.
func Code(word string) string {
	if !code.MatchString(word) {
		return "(hidden)"
	}
	return word
}
