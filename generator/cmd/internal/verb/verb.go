// Package verb has the common parts of Armature's commands: arguments from a file,
// required flags, exit codes, and outputs that are written completely or not at
// all. Its main functions are [Main] and [Flags.Parse].
//
// A verb is a function Run(ctx, args, stderr) error in its own package, so that
// tests can call it. Its main is one line.
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

// Run is the function of a verb. It writes warnings to stderr. [Main] prints its
// error.
type Run func(ctx context.Context, args []string, stderr io.Writer) error

// Main runs a verb as a process. It exits with 0, with 1 for bad input, or with 2
// for wrong arguments.
func Main(name string, run Run) {
	// A verb runs for milliseconds, and early garbage collection would take most
	// of that. An action may use 150 MB, some of them for the program itself.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(128 << 20)
	os.Exit(status(name, run(context.Background(), os.Args[1:], os.Stderr), os.Stderr))
}

// status prints an error as lines and returns the exit code.
func status(name string, err error, stderr io.Writer) int {
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, new(helpError)):
		fmt.Fprintln(stderr, err)
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return 2
	}
	fmt.Fprintln(stderr, err)
	return 1
}

// usageError is the error for wrong arguments.
type usageError string

func (e usageError) Error() string { return string(e) }

// helpError is the list of flags, for who asks for it.
type helpError string

func (e helpError) Error() string { return string(e) }

// Usagef returns an error for wrong arguments.
func Usagef(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

// Flags is the set of flags of a verb. A flag is written --name=value.
type Flags struct {
	set      *flag.FlagSet
	required []*values
}

// NewFlags returns an empty set of flags.
func NewFlags() *Flags {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	return &Flags{set: set}
}

// values has the values of a flag that may be repeated.
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

// single has the value of a flag that may be given once.
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

// Parse parses the arguments. An argument @file stands for the lines of a file.
func (f *Flags) Parse(args []string) error {
	args, err := expand(args)
	if err != nil {
		return err
	}
	switch err := f.set.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return helpError(f.usage())
	case err != nil:
		return Usagef("%s\n%s", dashes.Replace(err.Error()), f.usage())
	}
	if f.set.NArg() > 0 {
		return Usagef("%q is not a flag; flags are written --name=value\n%s", f.set.Arg(0), f.usage())
	}
	for _, v := range f.required {
		if len(v.list) == 0 {
			return Usagef("--%s is missing\n%s", v.name, f.usage())
		}
	}
	return nil
}

// dashes makes messages name flags with two dashes. Package flag takes both, and writes one.
var dashes = strings.NewReplacer("for flag -", "for flag --", "not defined: -", "not defined: --", "argument: -", "argument: --")

// usage returns the list of flags.
func (f *Flags) usage() string {
	var text strings.Builder
	text.WriteString("flags:")
	f.set.VisitAll(func(flag *flag.Flag) { fmt.Fprintf(&text, "\n  --%s  %s", flag.Name, flag.Usage) })
	return text.String()
}

// expand replaces each @file by the lines of the file. Bazel writes such a file
// with one argument on each line and without quotes.
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
