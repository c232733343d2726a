// Package specs finds the specs that Azure publishes. Its main function is [Folder].
package specs

import (
	"os"
	"path/filepath"
)

// Folder returns the folder with the published specs that a build uses, or "" if there is
// none: the one that ARMATURE_SPECS names unless that is "none", and if the variable is not
// set, the one where tools/specs makes a checkout.
func Folder() string {
	switch named := os.Getenv("ARMATURE_SPECS"); named {
	case "none":
		return ""
	case "":
		if _, err := os.Stat(Own()); err != nil {
			return ""
		}
		return Own()
	default:
		return named
	}
}

// Own returns the folder where tools/specs makes a checkout unless it is told another one, or "" if the user has no
// folder for caches.
func Own() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "armature", "specs")
}
