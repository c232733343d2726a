// Command armhooks finds the hooks in the hand-written Go files of a service
// group. It writes their signatures, which the plan depends on, and in another
// file their places, for messages. So an edit of a hook's body plans nothing.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
)

func main() { verb.Main("armhooks", Run) }

// Run writes the signatures and the places of hooks.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	sources := flags.Strings("source", "<package>=<a hand-written Go file of it>, for each")
	out := flags.String("out", "the file of signatures to write")
	places := flags.String("places", "the file of places to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	found, err := find(*sources)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*out, *places)
	outputs.SetJSON(*out, found.sources)
	outputs.SetJSON(*places, found.places)
	return outputs.Commit()
}
