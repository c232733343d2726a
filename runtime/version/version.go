// Package version has the version of Armature. MODULE.bazel says what it is.
package version

import (
	"runtime/debug"
	"strings"
)

// linked is the version that Bazel links.
var linked string

// module is the Go module of the runtime, which has the version in builds without Bazel.
const module = "github.com/armature-dev/armature/runtime"

// Unknown is the version in a build of Armature's own tree without Bazel.
const Unknown = "0.0.0-devel"

// String returns the version of Armature that the program was built with, such as
// "1.2.3", or [Unknown].
func String() string {
	if linked != "" {
		return linked
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return of(info)
	}
	return Unknown
}

// of returns the version of the runtime's module in a program.
func of(info *debug.BuildInfo) string {
	for _, dep := range info.Deps {
		if dep.Path == module && dep.Replace == nil {
			return strings.TrimPrefix(dep.Version, "v")
		}
	}
	return Unknown
}
