// Command armgoproxy makes a Go module of packages, as the tree from which a Go proxy
// serves it.
package main

import (
	"context"
	"io"
	"path"

	"github.com/armature-dev/armature/generator/cmd/internal/gofiles"
	"github.com/armature-dev/armature/generator/cmd/internal/verb"
)

func main() { verb.Main("armgoproxy", Run) }

// Run writes the tree.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	read := gofiles.Flags(flags)
	version := flags.String("version", "the module's version, such as v1.2.3")
	out := flags.String("out", "the folder to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	m, versions, err := read()
	if err != nil {
		return err
	}
	goMod, _, err := versions.Require(m)
	if err != nil {
		return err
	}
	files, err := m.Proxy(*version, goMod)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs()
	outputs.Folder(*out)
	for name, text := range files {
		outputs.Set(path.Join(*out, name), text)
	}
	return outputs.Commit()
}
