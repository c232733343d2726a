// Package bazel has the command with which a person runs Bazel, for messages.
package bazel

import (
	"cmp"
	"os"
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
