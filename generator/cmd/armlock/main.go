// Command armlock writes the lock file of a service group that accepts its current
// plan, and the file for armload with the names that the lock keeps. The command
// lock.update copies the first over the file that is checked in.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
)

func main() { verb.Main("armlock", Run) }

// Run writes lock.bzl and the file for armload.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	dir := flags.String("dir", "the group's folder, such as apis/cache")
	lockFile := flags.String("lock", "the lock.bzl that is checked in")
	plans := flags.Strings("plan", "a plan file, for each package")
	digestFiles := flags.Strings("digests", "the digests of what a version declares, for each version")
	release := flags.Strings("release", "an alias version, such as v1alpha1api20200601, that the CRDs shall no longer list")
	out := flags.String("out", "the lock.bzl to write")
	loadFile := flags.String("load", "the file from armconfig with which the specs were read")
	loadOut := flags.String("load-out", "the same file with the names of the new lock, to write; if it differs, the plan may, too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	old, _, err := lock.Read(*lockFile)
	if err != nil {
		return err
	}
	load, err := config.ReadLoad(*loadFile)
	if err != nil {
		return err
	}
	packages, err := plan.Read(*plans...)
	if err != nil {
		return err
	}
	digests, err := lock.ReadDigests(*digestFiles...)
	if err != nil {
		return err
	}
	if err := old.Release(*lockFile, *release...); err != nil {
		return err
	}
	renewed := lock.New(packages, digests, old)
	text, err := renewed.Format(*dir)
	if err != nil {
		return err
	}
	load.Pins = renewed.Names
	outputs := verb.NewOutputs(*out, *loadOut)
	outputs.SetJSON(*loadOut, load)
	outputs.Set(*out, text)
	return outputs.Commit()
}
