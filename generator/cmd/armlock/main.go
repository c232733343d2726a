// Command armlock writes the lock file and the baseline of a service group that
// accept its current plan. The command lock.update copies them over the files
// that are checked in.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
)

func main() { verb.Main("armlock", Run) }

// Run writes lock.bzl and baseline.txt.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	dir := flags.String("dir", "the group's folder, such as apis/cache")
	lockFile := flags.String("lock", "the lock.bzl that is checked in")
	plans := flags.Strings("plan", "a plan file, for each package")
	digestFiles := flags.Strings("digests", "the digests of what a version declares, for each version")
	release := flags.Strings("release", "an alias version, such as v1alpha1api20200601, that the CRDs shall no longer list")
	out := flags.String("out", "the lock.bzl to write")
	baseline := flags.String("baseline-out", "the baseline.txt to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	old, _, err := lock.Read(*lockFile)
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
	text, err := lock.New(packages, digests, old).Format(*dir)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*out, *baseline)
	outputs.Set(*out, text)
	outputs.Set(*baseline, lock.FormatBaseline(packages, *dir))
	return outputs.Commit()
}
