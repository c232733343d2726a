package structure

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// strayFolders returns, in order, the folders of files that belong to nothing: the BUILD.bazel of the package that they
// are in does not name them. Modules of Go beside the main one are no packages of Bazel. It is given the text of each
// file.
func strayFolders(files map[string]string) []string {
	has := func(folder, name string) bool {
		_, found := files[path.Join(folder, name)]
		return found
	}
	var stray []string
	for name := range files {
		folder, inside := path.Dir(name), ""
		for folder != "." && !has(folder, "BUILD.bazel") && !has(folder, "go.mod") {
			folder, inside = path.Dir(folder), path.Base(folder)
		}
		build := path.Join(folder, "BUILD.bazel")
		if has(folder, "BUILD.bazel") && inside != "" && !names(files[build], inside, path.Ext(name)) {
			stray = append(stray, path.Join(folder, inside))
		}
	}
	slices.Sort(stray)
	return slices.Compact(stray)
}

// names reports whether a BUILD.bazel names a folder of its package, or all files with an extension. Go and other tools
// know testdata, and folders that start with a dot.
func names(build, folder, extension string) bool {
	return folder == "testdata" || strings.HasPrefix(folder, ".") ||
		regexp.MustCompile(`\b`+regexp.QuoteMeta(folder)+`\b`).MatchString(build) || strings.Contains(build, `"**/*`+extension+`"`)
}
