package lock

import (
	"fmt"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/internal/bazel"
)

// CheckAssessed returns an error that lists the changes that nobody has assessed, with
// the lines to paste into group.yaml, which is config.
func CheckAssessed(packages []*plan.Package, dir, config string) error {
	var errs diag.List
	left := plan.ChangesBy(packages, plan.Nobody)
	if len(left) == 0 {
		return nil
	}
	var text, entries strings.Builder
	for i, c := range left {
		if c.What == plan.Removed {
			fmt.Fprintf(&text, "  %s of %s is not in %s\n", c.Property, c.Older, c.Since)
		} else {
			fmt.Fprintf(&text, "  %s of %s has another type in %s: %s\n", c.Property, c.Older, c.Since, c.What)
		}
		if i == 0 || c.Property != left[i-1].Property || c.Since != left[i-1].Since {
			fmt.Fprintf(&entries, "  - {property: %s, since: %q, removed: \"why it is right\"}\n", c.Property, c.Since)
		}
	}
	errs.Addf(config, 0, 0, "not assessed:\n%sWhere it has another name or place now, add renamed or moved to changes; what is "+
		"likely prints: %s\nWhere the change is right, add\nchanges:\n%s", &text, bazel.Run("//"+dir+":renames"),
		strings.TrimSuffix(entries.String(), "\n"))
	return errs.Err()
}
