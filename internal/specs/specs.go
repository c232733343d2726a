// Package specs finds the specs that Azure publishes. Its function is [Folder].
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
		cache, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		folder := filepath.Join(cache, "armature", "specs")
		if _, err := os.Stat(folder); err != nil {
			return ""
		}
		return folder
	default:
		return named
	}
}
