// Package bazel has the command with which a person runs Bazel, for messages.
package bazel

import (
	"cmp"
	"os"
	"path"
)

// Command returns the command. In this repository it is the script bazelw. The rules set ARMATURE_BAZEL where another
// repository uses them.
func Command() string { return cmp.Or(os.Getenv("ARMATURE_BAZEL"), "./bazelw") }

// Run returns the command that runs a target.
func Run(target string) string { return Command() + " run " + target }

// RunOwn returns the command that runs a target of Armature's own repository.
func RunOwn(target string) string {
	if os.Getenv("ARMATURE_BAZEL") != "" {
		return Run("@armature" + target)
	}
	return Run(target)
}

// UpdateFacts returns the command that makes the facts of a group what the specs say. dir is
// the group's folder, such as "apis/cache".
func UpdateFacts(dir string) string {
	command := RunOwn("//tools/add") + " -- " + path.Base(dir) + " --update --stable=0"
	if folder := path.Dir(dir); folder != "apis" {
		command += " --folder=" + folder
	}
	return command
}
