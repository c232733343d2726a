// Package apiversion has the rule for the names of storage versions, which the
// generator and the runtime share.
package apiversion

import "strings"

// storage is the end of the names of storage versions.
const storage = "storage"

// Storage returns the name of the storage version of an API or alias version.
func Storage(name string) string { return name + storage }

// CutStorage returns the name of the API or alias version of a storage version. Of
// any other name it returns the name itself, and false.
func CutStorage(name string) (version string, isStorage bool) {
	return strings.CutSuffix(name, storage)
}

// IsStorage reports whether a name is that of a storage version.
func IsStorage(name string) bool { return strings.HasSuffix(name, storage) }
