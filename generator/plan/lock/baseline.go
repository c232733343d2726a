package lock

import (
	"fmt"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/internal/bazel"
)

// FormatBaseline returns the text of a baseline that lists all changes that nobody
// has assessed.
func FormatBaseline(packages []*plan.Package, dir string) []byte {
	text := fmt.Appendf(nil, "# Properties that a later version lacks, or has with another type, and that\n# nobody "+
		"has assessed. Written by //%s:lock.update.\n", dir)
	for _, c := range plan.Unassessed(packages) {
		text = append(append(text, c.Line()...), '\n')
	}
	return text
}

// CheckBaseline compares the changes that nobody has assessed with the baseline that
// is checked in. An absent baseline is an empty one.
func CheckBaseline(packages []*plan.Package, dir, file string, text []byte, config string) error {
	known := map[string]int{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			known[line] = number
		}
	}
	var errs diag.List
	var fresh []plan.Change
	for _, c := range plan.Unassessed(packages) {
		if _, listed := known[c.Line()]; !listed {
			fresh = append(fresh, c)
		}
		delete(known, c.Line())
	}
	if len(fresh) > 0 {
		errs.Addf(config, 0, 0, "%s", freshMessage(fresh, dir))
	}
	for line, number := range known {
		errs.Addf(file, number, 1, "%q no longer holds, or is assessed; remove it with: %s", line, UpdateCommand(dir))
	}
	return errs.Err()
}

// freshMessage lists the changes that a person should assess, with the lines to
// paste into group.yaml.
func freshMessage(fresh []plan.Change, dir string) string {
	var text, entries strings.Builder
	for i, c := range fresh {
		if c.What == plan.Removed {
			fmt.Fprintf(&text, "  %s of %s is not in %s\n", c.Property, c.Older, c.Since)
		} else {
			fmt.Fprintf(&text, "  %s of %s has another type in %s: %s\n", c.Property, c.Older, c.Since, c.What)
		}
		if i == 0 || c.Property != fresh[i-1].Property || c.Since != fresh[i-1].Since {
			fmt.Fprintf(&entries, "  - {property: %s, since: %q, removed: %q}\n", c.Property, c.Since, "why it is right")
		}
	}
	return fmt.Sprintf("not assessed:\n%sWhere it has another name now, add renamed with that name to changes; what is "+
		"likely prints: %s\nWhere the change is right, add\nchanges:\n%sTo decide later, list it in baseline.txt with: %s",
		&text, bazel.Run("//"+dir+":renames"), &entries, UpdateCommand(dir))
}
