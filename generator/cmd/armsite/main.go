// Command armsite writes the pages of a service group as static HTML into a folder.
package main

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/generator/site"
)

func main() { verb.Main("armsite", Run) }

// Run writes the pages of a group.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	configFile := flags.String("config", "group.yaml")
	irs := flags.Strings("ir", "the IR of an API version, for each")
	plans := flags.Strings("plan", "a plan file, for each package")
	given := flags.Optional("given", "the file with what is given of the samples")
	folder := flags.String("folder", "the name of the folder of the group in a site")
	out := flags.String("out", "the folder to write")
	list := flags.String("list", "the file to write with what the pages over all groups say of this one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	in, err := read(*configFile, *given, *irs, *plans)
	if err != nil {
		return err
	}
	in.Folder = *folder
	pages, group, err := site.Files(in)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*list)
	outputs.SetJSON(*list, group)
	outputs.Folder(*out)
	for name, text := range pages {
		outputs.Set(filepath.Join(*out, filepath.FromSlash(name)), text)
	}
	return outputs.Commit()
}

// read reads all inputs. Its error lists every file that cannot be read.
func read(configFile, given string, irs, plans []string) (site.Input, error) {
	var in site.Input
	var errs diag.List
	var err error
	in.Config, err = config.Read(configFile)
	errs.Merge(err)
	in.Shapes, err = ir.Read(irs...)
	errs.Merge(err)
	in.Packages, err = plan.Read(plans...)
	errs.Merge(err)
	if given != "" {
		text, err := os.ReadFile(given)
		errs.Merge(err)
		if err == nil {
			in.Given, err = sample.ParseGiven(given, text)
			errs.Merge(err)
		}
	}
	return in, errs.Err()
}
