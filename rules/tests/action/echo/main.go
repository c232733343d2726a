// Command echo is a verb that writes its arguments, and the lines of the files
// that they name, to the file of --out.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var out, written strings.Builder
	for _, arg := range args {
		fmt.Fprintf(&written, "argument %s\n", arg)
		text, err := os.ReadFile(strings.TrimPrefix(arg, "@"))
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			fmt.Fprintf(&written, "line %s", line)
			if name, isOut := strings.CutPrefix(line, "--out="); isOut {
				out.WriteString(strings.TrimSpace(name))
			}
		}
	}
	return os.WriteFile(out.String(), []byte(written.String()), 0o644)
}
