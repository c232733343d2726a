// Command armcheck compares the plan of a service group with what a person
// accepted: the hubs and links in lock.bzl, and the changes of properties that
// are listed as not assessed in baseline.txt; and it reports the hand-written
// hooks that the plan has no use for. It writes nothing but errors.
package main

import (
	"context"
	"io"
	"os"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/plan"
)

func main() { verb.Main("armcheck", Run) }

// Run checks a group. Its only output is an empty file, for the build's sake.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	dir := flags.String("dir", "the group's folder, such as apis/cache")
	lockFile := flags.String("lock", "lock.bzl")
	baseline := flags.Optional("baseline", "baseline.txt, if there is one")
	config := flags.String("config", "group.yaml, to be named in messages")
	plans := flags.Strings("plan", "a plan file, for each package")
	placesFile := flags.Optional("places", "the places of the hand-written hooks, if there are any")
	stamp := flags.String("stamp", "the empty file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	lock, lockText, err := plan.ReadLock(*lockFile)
	if err != nil {
		return err
	}
	var baselineText []byte
	if *baseline != "" {
		if baselineText, err = os.ReadFile(*baseline); err != nil {
			return err
		}
	}
	packages, err := plan.Read(*plans...)
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
	errs.Merge(plan.CheckLock(packages, lock, *dir, *lockFile, lockText))
	errs.Merge(plan.CheckBaseline(packages, *dir, *baseline, baselineText, *config))
	errs.Merge(plan.CheckHooks(packages, places))
	if err := errs.Err(); err != nil {
		return err
	}
	outputs := verb.NewOutputs(*stamp)
	outputs.Set(*stamp, nil)
	return outputs.Commit()
}
