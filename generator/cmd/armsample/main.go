// Command armsample writes a sample of each kind of a service group into a folder, and a
// Go file that has all of them.
package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/gofile"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/sample"
)

func main() { verb.Main("armsample", Run) }

// Run writes the samples of a group.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	apis := flags.Strings("api", "the shape of an API version, for each")
	plans := flags.Strings("plan", "a plan file, for each package")
	out := flags.String("out", "the folder to write")
	source := flags.String("go", "the Go file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*plans...)
	if err != nil {
		return err
	}
	versions, err := ir.Read(*apis...)
	if err != nil {
		return err
	}
	samples, err := sample.All(packages, versions)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*source)
	outputs.Folder(*out)
	var file strings.Builder
	fmt.Fprintf(&file, "%s\n\n// Package samples has a sample of each kind of %s.\npackage samples\n\n"+
		"// Of has the manifests, by kind.\nvar Of = map[string]string{\n", gofile.Header, packages[0].Group)
	for _, s := range samples {
		fmt.Fprintf(&file, "\t%q: %q,\n", s.Kind, s.YAML)
		outputs.Set(filepath.Join(*out, s.File()), s.YAML)
	}
	file.WriteString("}\n")
	outputs.Set(*source, []byte(file.String()))
	return outputs.Commit()
}
