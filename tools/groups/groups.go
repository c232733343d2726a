// Package groups knows the service groups of this repository, which apis/groups.bzl lists. Its function is [Check].
package groups

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
)

// label matches the folder of a group in the lists.
var label = regexp.MustCompile(`"//apis/([a-z0-9-]+)"`)

// Check returns an error if some names are none of groups of the repository at root.
func Check(root string, names []string) error {
	text, err := os.ReadFile(filepath.Join(root, "apis", "groups.bzl"))
	if err != nil {
		return err
	}
	var known []string
	for _, match := range label.FindAllSubmatch(text, -1) {
		known = append(known, string(match[1]))
	}
	slices.Sort(known)
	var unknown []string
	for _, name := range names {
		if !slices.Contains(known, name) {
			unknown = append(unknown, fmt.Sprintf("%q%s", name, diag.DidYouMean(name, known)))
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return fmt.Errorf("found %s; expected groups of apis/groups.bzl: %s", strings.Join(unknown, ", "), strings.Join(known, ", "))
}
