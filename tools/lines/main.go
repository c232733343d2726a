// Lines reports the lines of files that are too long. The files are its arguments, or the lines of its standard input
// if it has no arguments.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "lines:", err)
		os.Exit(1)
	}
}

// run prints the lines of all files that are too long. It returns an error if there are any.
func run(files []string, stdin io.Reader, stdout io.Writer) error {
	if len(files) == 0 {
		names := bufio.NewScanner(stdin)
		for names.Scan() {
			files = append(files, names.Text())
		}
		if err := names.Err(); err != nil {
			return err
		}
	}
	count := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, l := range tooLong(file, string(text)) {
			fmt.Fprintf(stdout, "%s:%d: %d columns, expected at most %d\n", file, l.number, l.columns, l.limit)
			count++
		}
	}
	if count > 0 {
		return fmt.Errorf("%d lines are too long; break them, or say it in fewer words", count)
	}
	return nil
}
