// Command armconfig checks a group.yaml and writes the part that affects how a
// spec is read. After an edit of any other part, no spec is read again.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
)

func main() { verb.Main("armconfig", Run) }

// Run checks a group.yaml and writes the part for armload.
func Run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := verb.NewFlags()
	file := flags.String("config", "the group.yaml")
	provider := flags.Optional("provider", "the ARM resource provider, if the exports are to be checked against it")
	names := flags.Optional("names", "the names in the lock, as JSON")
	out := flags.String("out", "the file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	group, err := config.Read(*file)
	if err != nil {
		return err
	}
	if *provider != "" {
		if err := group.CheckProvider(*provider); err != nil {
			return err
		}
	}
	load := group.Load()
	if *names != "" {
		if err := ir.DecodeStrict(*names, &load.Pins); err != nil {
			return verb.Usagef("--names=%s: %v", *names, err)
		}
	}
	outputs := verb.NewOutputs(*out)
	outputs.SetJSON(*out, load)
	return outputs.Commit()
}
