package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/jsontree"
)

// files has the files that may be read, by their names: slash-separated paths
// without the roots, which differ between machines.
type files struct {
	roots []string
	// update is the command that lists the files of published specs in BUILD.bazel, or "".
	update string
	paths  map[string]string
	used   map[string]bool
}

func newFiles(paths, roots []string) *files {
	f := &files{roots: roots, paths: map[string]string{}, used: map[string]bool{}}
	for _, p := range paths {
		f.paths[f.name(p)] = p
	}
	return f
}

// name returns the name of the file at a path.
func (f *files) name(file string) string {
	name := path.Clean(filepath.ToSlash(file))
	best := name
	for _, root := range f.roots {
		if rest, below := strings.CutPrefix(name, path.Clean(filepath.ToSlash(root))+"/"); below && len(rest) < len(best) {
			best = rest
		}
	}
	return best
}

// read returns the content of a file. It refuses a file that was not given, even
// if it exists, because Bazel would not build again after an edit of it.
func (f *files) read(name string) ([]byte, error) {
	name = path.Clean(name)
	file, given := f.paths[name]
	if !given {
		names := slices.Collect(maps.Keys(f.paths))
		by := ""
		if f.update != "" {
			by = ", as this does: " + f.update
		}
		return nil, fmt.Errorf("it is not among the files of the version%s; add it to the version's entry in BUILD.bazel%s",
			diag.DidYouMean(name, names), by)
	}
	f.used[name] = true
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if err := jsontree.CheckSize(info.Size()); err != nil {
		return nil, err // checked before the file fills the memory
	}
	return os.ReadFile(file)
}

// unused returns an error for each file that was given and not read.
func (f *files) unused() error {
	var errs diag.List
	for name := range f.paths {
		if !f.used[name] {
			errs.Addf(name, 0, 0, "nothing in the version refers to this file; remove it from the version's entry in BUILD.bazel")
		}
	}
	return errs.Err()
}
