package structure

import (
	"path"
	"slices"
	"strings"
)

// strayFolders returns, in order, the folders of files that belong to nothing: they are in no package of Bazel and in
// no further module of Go, and the BUILD.bazel of the package above does not name them. It is given the text of each
// file.
func strayFolders(files map[string]string) []string {
	var stray []string
	for name := range files {
		inside := ""
		for folder := path.Dir(name); ; folder = path.Dir(folder) {
			build, isPackage := files[path.Join(folder, "BUILD.bazel")]
			if _, isModule := files[path.Join(folder, "go.mod")]; isModule && folder != "." {
				break
			}
			if isPackage || folder == "." {
				if inside != "" && !names(build, inside, path.Ext(name)) {
					stray = append(stray, path.Join(folder, inside))
				}
				break
			}
			inside = path.Base(folder)
		}
	}
	slices.Sort(stray)
	return slices.Compact(stray)
}

// names reports whether the files of some extension in a folder of a package are to be there, given its BUILD.bazel.
// Go and other tools know folders that start with a dot, and testdata.
func names(build, folder, extension string) bool {
	return folder == "testdata" || strings.HasPrefix(folder, ".") || strings.Contains(build, folder) ||
		strings.Contains(build, `"**/*`+extension+`"`)
}
