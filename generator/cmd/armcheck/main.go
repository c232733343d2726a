// Command armcheck compares the plan of a service group with the hubs, links and
// versions in lock.bzl. It also reports the changes of properties that nobody has
// assessed in group.yaml, and the hand-written hooks that no conversion calls. It
// writes nothing but errors.
package main

import (
	"context"
	"io"
	"os"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
)

func main() { verb.Main("armcheck", Run) }

// Run checks a group. Its only output is an empty file, which Bazel needs.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	dir := flags.String("dir", "the group's folder, such as apis/cache")
	lockFile := flags.String("lock", "lock.bzl")
	config := flags.String("config", "the name of group.yaml for messages")
	plans := flags.Strings("plan", "a plan file, for each package")
	digestFiles := flags.Strings("digests", "the digests of what a version declares, for each version")
	placesFile := flags.Optional("places", "the places of the hand-written hooks, if there are any")
	stamp := flags.String("stamp", "the empty file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	accepted, lockText, err := lock.Read(*lockFile)
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
	var places []plan.HookPlace
	if *placesFile != "" {
		text, err := os.ReadFile(*placesFile)
		if err != nil {
			return err
		}
		if places, err = plan.DecodeHooks[plan.HookPlace](text); err != nil {
			return diag.Error{File: *placesFile, Message: err.Error()}
		}
	}
	var errs diag.List
	errs.Merge(lock.Check(packages, digests, accepted, *dir, *lockFile, lockText))
	errs.Merge(lock.CheckAssessed(packages, *dir, *config))
	errs.Merge(lock.CheckHooks(packages, places))
	if err := errs.Err(); err != nil {
		return err
	}
	outputs := verb.NewOutputs(*stamp)
	outputs.Set(*stamp, nil)
	return outputs.Commit()
}
