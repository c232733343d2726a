package command

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/tools/armature/types"
)

// newTyped returns the commands that need the Go types of the groups. They know their
// flags, and leave the rest to the program armature-types.
func newTyped(build string) []*cobra.Command {
	commands := types.Commands(runtime.NewScheme())
	for _, c := range commands {
		c.RunE = func(c *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			program, built, err := typesOf(self)
			if err != nil {
				return fmt.Errorf("%s needs the Go types of the groups: %w; build it with: %s", c.Name(), err, build)
			}
			if !built.IsZero() {
				c.PrintErrf("%s is as it was built at %s; to build it anew: %s\n", filepath.Base(program),
					built.Format(time.DateTime), build)
			}
			return syscall.Exec(program, append([]string{program}, os.Args[1:]...), os.Environ())
		}
	}
	return commands
}

// typesOf returns the program armature-types of a program armature, which is beside it. Bazel
// has it in a folder beside that of the program; it was built at the time that is returned
// then, maybe from other sources.
func typesOf(self string) (program string, built time.Time, err error) {
	folder, name := filepath.Dir(self), filepath.Base(self)+"-types"
	program = filepath.Join(folder, name)
	if _, err := os.Stat(program); err == nil {
		return program, built, nil
	}
	ofBazel := filepath.Join(filepath.Dir(folder), name+"_", name)
	if info, err := os.Stat(ofBazel); err == nil {
		return ofBazel, info.ModTime(), nil
	}
	return "", built, fmt.Errorf("found no program %s", program)
}
