// Command armreport writes the report of a service group, as a page and as JSON:
// what the group exports, what its Kubernetes API approximates or lacks, what
// nobody has assessed, and what becomes of each property between versions. Armcrd
// reports the sizes of the CRDs, because they depend on descriptions, and an edit
// of a description must not make a new report.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/report"
)

func main() { verb.Main("armreport", Run) }

// Run writes a report.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	configFile := flags.String("config", "group.yaml")
	shapes := flags.Strings("limits", "the shape of an API version with limits, for each")
	notes := flags.Strings("notes", "the notes of an API version, for each")
	plans := flags.Strings("plan", "a plan file, for each package")
	page := flags.String("md", "the page to write")
	data := flags.String("json", "the JSON file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	in, err := read(*configFile, *shapes, *notes, *plans)
	if err != nil {
		return err
	}
	r, err := report.New(in)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*page, *data)
	outputs.Set(*page, r.Page())
	outputs.SetJSON(*data, r)
	return outputs.Commit()
}

// read reads all inputs. Its error lists every file that cannot be read.
func read(configFile string, shapes, notes, plans []string) (report.Input, error) {
	var in report.Input
	var errs diag.List
	var err error
	in.Config, err = config.Read(configFile)
	errs.Merge(err)
	in.Shapes, err = ir.Read(shapes...)
	errs.Merge(err)
	in.Notes, err = ir.Read(notes...)
	errs.Merge(err)
	in.Packages, err = plan.Read(plans...)
	errs.Merge(err)
	return in, errs.Err()
}
