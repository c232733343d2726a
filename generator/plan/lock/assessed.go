package lock

import (
	"fmt"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/internal/bazel"
)

// CheckAssessed returns an error that lists the changes that nobody has assessed, with
// the lines to paste into group.yaml, which is file.
func CheckAssessed(packages []*plan.Package, dir, file string) error {
	left := plan.ChangesBy(packages, plan.Nobody)
	if len(left) == 0 {
		return nil
	}
	var text, entries strings.Builder
	for i, c := range left {
		fmt.Fprintf(&text, "  %s\n", c.Text())
		if i == 0 || c.Property != left[i-1].Property || c.Since != left[i-1].Since {
			entry := config.Change{Property: c.Property, Since: c.Since, Removed: "why it is right"}
			fmt.Fprintf(&entries, "\n  - %s", entry.Entry())
		}
	}
	return diag.Error{File: file, Message: fmt.Sprintf("not assessed:\n%sWhere it has another name or place now, add renamed or moved to "+
		"changes; what is likely prints: %s\nWhere the change is right, add\nchanges:%s", &text, bazel.Run("//"+dir+":renames"), &entries)}
}
