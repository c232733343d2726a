// Command armreport tells what a service group exports, what of its specs the
// Kubernetes API says in another way or lacks, and what nobody has assessed: as
// a page and as JSON. What the CRDs weigh is armcrd's to tell, since it depends
// on descriptions, which a report must not be made again for.
package main

import (
	"context"
	"io"
	"os"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

func main() { verb.Main("armreport", Run) }

// Run writes a report.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	notes := flags.Strings("notes", "the notes of an API version, for each")
	plans := flags.Strings("plan", "a plan file, for each package")
	page := flags.String("md", "the page to write")
	data := flags.String("json", "the JSON file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*plans...)
	if err != nil {
		return err
	}
	versions, err := readNotes(*notes)
	if err != nil {
		return err
	}
	r := newReport(packages, versions)
	outputs := verb.NewOutputs(*page, *data)
	outputs.Set(*page, r.page())
	if err := outputs.SetJSON(*data, r); err != nil {
		return err
	}
	return outputs.Commit()
}

func readNotes(files []string) ([]*ir.Version, error) {
	var errs diag.List
	versions := make([]*ir.Version, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			errs.Merge(err)
			continue
		}
		if versions[i], err = ir.Decode(text); err != nil {
			errs.Addf(file, 0, 0, "%v", err)
		}
	}
	return versions, errs.Err()
}
