// Command armrenames prints the properties and types of a service group that
// probably have another name in a later version, for a person to assess. People
// run it as ./bazelw run //apis/<group>:renames; it is not part of a build.
package main

import (
	"context"
	"io"
	"os"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/renames"
)

func main() {
	verb.Main("armrenames", func(ctx context.Context, args []string, _ io.Writer) error { return Run(ctx, args, os.Stdout) })
}

// Run prints the findings to stdout.
func Run(_ context.Context, args []string, stdout io.Writer) error {
	flags := verb.NewFlags()
	dir := flags.String("dir", "the group's folder, such as apis/cache")
	configFile := flags.String("config", "group.yaml, which has the reasons of assessed changes")
	plans := flags.Strings("plan", "a plan file, for each package")
	irs := flags.Strings("ir", "the IR of an API version, with docs")
	all := flags.Bool("all", "also print the changes that are assessed, with the reasons")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var errs diag.List
	decisions, err := config.Read(*configFile)
	errs.Merge(err)
	packages, err := plan.Read(*plans...)
	errs.Merge(err)
	versions, err := ir.Read(*irs...)
	errs.Merge(err)
	if err := errs.Err(); err != nil {
		return err
	}
	findings, err := renames.Find(packages, versions, decisions)
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, renames.Format(findings, *dir, *all))
	return err
}
