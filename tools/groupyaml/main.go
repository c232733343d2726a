// Groupyaml rewrites files of the form that group.yaml had when each mark of a property was
// a list of its own, such as references and notSecrets, and renames and removals were two:
//
//	./bazelw run //tools/groupyaml -- $PWD/apis/*/group.yaml
//
// Comments stay: those above an entry go with it. It prints what a person has to add, such
// as the reason why a property is no secret, and leaves files of the new form as they are.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
)

func main() {
	c := &cobra.Command{
		Use:           "groupyaml FILE...",
		Short:         "Rewrite group.yaml files from before there were marks and changes",
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(_ *cobra.Command, files []string) error { return run(files) },
	}
	if err := c.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(files []string) error {
	if len(files) == 0 {
		return errors.New("found no file, expected the names of group.yaml files")
	}
	var errs diag.List
	for _, file := range files {
		errs.Merge(rewriteFile(file))
	}
	return errs.Err()
}

// rewriteFile rewrites a file, and returns what is wrong with it then.
func rewriteFile(file string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, err := rewrite(file, old)
	if err != nil {
		return err
	}
	if !bytes.Equal(text, old) {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	_, err = config.Parse(file, text)
	return err
}
