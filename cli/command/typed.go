package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	apiruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/cli/types"
	"github.com/armature-dev/armature/runtime/version"
)

// newTyped returns the commands that need the Go types of the groups. They know their
// flags, and leave the rest to the program armature-types.
func newTyped(build string) []*cobra.Command {
	commands := types.Commands(apiruntime.NewScheme(), nil)
	for _, c := range commands {
		c.RunE = func(c *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			typed, built, err := typesOf(self)
			if err != nil {
				return fmt.Errorf("%s needs the Go types of the groups: %w; %sbuild it with: %s", c.Name(), err,
					released(self, version.String()), build)
			}
			if !built.IsZero() {
				c.PrintErrf("%s is as it was built at %s; to build it anew: %s\n", filepath.Base(typed),
					built.Format(time.DateTime), build)
			}
			return syscall.Exec(typed, os.Args, os.Environ()) // under the name by which this one was called
		}
	}
	return commands
}

// typesName returns the name of the program armature-types of a program, which may be called as a plugin of kubectl.
func typesName(self string) string {
	return strings.TrimPrefix(filepath.Base(self), program.Plugin) + "-types"
}

// typesOf returns the program armature-types of a program armature, which is beside it, or beside what it is a link to.
// Bazel has it in a folder beside that of the program; it was built at the time that is returned then, maybe from other
// sources.
func typesOf(self string) (typed string, built time.Time, err error) {
	target, err := filepath.EvalSymlinks(self)
	if err != nil {
		return "", built, err
	}
	for _, place := range []string{self, target} {
		folder, name := filepath.Dir(place), typesName(place)
		typed = filepath.Join(folder, name)
		if _, err := os.Stat(typed); err == nil {
			return typed, built, nil
		}
		ofBazel := filepath.Join(filepath.Dir(folder), name+"_", name)
		if info, err := os.Stat(ofBazel); err == nil {
			return ofBazel, info.ModTime(), nil
		}
	}
	return "", built, fmt.Errorf("found no program %s", filepath.Join(filepath.Dir(self), typesName(self)))
}

// released returns the beginning of an advice that names the file of a release with the program armature-types, or ""
// for a program that is of no release.
func released(self, of string) string {
	const typed = "armature-types"
	if typesName(self) != typed || of == version.Unknown {
		return ""
	}
	return fmt.Sprintf("put it there from %s-%s-%s-%s.tar.gz of the release, or ", typed, of, runtime.GOOS, runtime.GOARCH)
}
