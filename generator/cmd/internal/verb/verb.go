// Package verb is what armature's commands share: one file of arguments, flags
// that say what is missing, exit codes, and outputs that are written whole or
// not at all. Its main functions are [Main] and [Flags.Parse].
//
// A verb is a function Run(ctx, args, stderr) error in its own package, so that
// tests and a future worker process can call it; its main is one line.
package verb

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

// Run is a verb. It writes warnings to stderr; its error is for [Main] to print.
type Run func(ctx context.Context, args []string, stderr io.Writer) error

// Main runs a verb as a process and exits: 0, or 1 for bad input, or 2 for a
// wrong call.
func Main(name string, run Run) {
	// A verb lives for milliseconds: collecting garbage before there is much
	// of it costs more than all else, and an action may use 200 MB.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(150 << 20)
	os.Exit(status(name, run(context.Background(), os.Args[1:], os.Stderr), os.Stderr))
}

// status prints an error as lines and returns the exit code.
func status(name string, err error, stderr io.Writer) int {
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return 2
	}
	fmt.Fprintln(stderr, err)
	return 1
}

// usageError is a wrong call.
type usageError string

func (e usageError) Error() string { return string(e) }

// Usagef is the error of a wrong call.
func Usagef(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

// Flags are the flags of a verb, written --name=value.
type Flags struct {
	set      *flag.FlagSet
	required []*values
}

// NewFlags returns flags without any.
func NewFlags() *Flags {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	return &Flags{set: set}
}

// values are the values of a flag that may be repeated.
type values struct {
	name string
	list []string
	once bool
}

func (v *values) String() string { return strings.Join(v.list, " ") }

func (v *values) Set(s string) error {
	if v.once && len(v.list) > 0 {
		return errors.New("given twice")
	}
	v.list = append(v.list, s)
	return nil
}

// String adds a flag that must be given once.
func (f *Flags) String(name, usage string) *string {
	value := f.Optional(name, usage)
	f.required = append(f.required, f.set.Lookup(name).Value.(*single).values)
	return value
}

// Optional adds a flag that may be given once.
func (f *Flags) Optional(name, usage string) *string {
	v := &single{values: &values{name: name, once: true}, value: new(string)}
	f.set.Var(v, name, usage)
	return v.value
}

// single makes the one value of values a string.
type single struct {
	*values
	value *string
}

func (s *single) String() string { return "" }

func (s *single) Set(text string) error {
	*s.value = text
	return s.values.Set(text)
}

// Strings adds a flag that may be given any number of times.
func (f *Flags) Strings(name, usage string) *[]string {
	v := &values{name: name}
	f.set.Var(v, name, usage)
	return &v.list
}

// Bool adds a flag that is given without a value.
func (f *Flags) Bool(name, usage string) *bool { return f.set.Bool(name, false, usage) }

// Parse reads the arguments. An argument @file stands for the lines of a file.
func (f *Flags) Parse(args []string) error {
	args, err := expand(args)
	if err != nil {
		return err
	}
	if err := f.set.Parse(args); err != nil {
		return Usagef("%v\n%s", err, f.usage())
	}
	if f.set.NArg() > 0 {
		return Usagef("%q is no flag; flags are written --name=value\n%s", f.set.Arg(0), f.usage())
	}
	for _, v := range f.required {
		if len(v.list) == 0 {
			return Usagef("--%s is missing\n%s", v.name, f.usage())
		}
	}
	return nil
}

// usage lists the flags.
func (f *Flags) usage() string {
	var text strings.Builder
	text.WriteString("flags:")
	f.set.VisitAll(func(flag *flag.Flag) { fmt.Fprintf(&text, "\n  --%s  %s", flag.Name, flag.Usage) })
	return text.String()
}

// expand replaces each @file by the file's lines. Bazel writes such a file with
// one argument a line and no quoting.
func expand(args []string) ([]string, error) {
	var all []string
	for _, arg := range args {
		file, isFile := strings.CutPrefix(arg, "@")
		if !isFile {
			all = append(all, arg)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, Usagef("%v", err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimRight(line, "\r\n"); line != "" {
				all = append(all, line)
			}
		}
	}
	return all, nil
}
