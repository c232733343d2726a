package service

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/bazelbuild/buildtools/build"
	"golang.org/x/mod/modfile"
)

// Repository says where groups are, and what their names begin and end with.
type Repository struct {
	// Root is the folder of the repository.
	Root string
	// Folder is the folder of Root that has a folder for each group. The default is "apis".
	Folder string
	// Domain is what the Kubernetes API group of a new group ends with. The default is "azure.com".
	Domain string
	// ImportPath is the Go import path of Folder. The default is that of the module in go.mod, and then Folder.
	ImportPath string
}

// folder returns the folder of the groups, by slashes.
func (r Repository) folder() string { return path.Clean(filepath.ToSlash(cmp.Or(r.Folder, "apis"))) }

// path returns the place of a file, whose name is relative to the root.
func (r Repository) path(name string) string { return filepath.Join(r.Root, filepath.FromSlash(name)) }

// groups returns the names of the groups.
func (r Repository) groups() ([]string, error) {
	entries, err := os.ReadDir(r.path(r.folder()))
	if err != nil {
		return nil, fmt.Errorf("%s has no folder %s: name the one that holds the groups with --folder", r.Root, r.folder())
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// importPath returns the Go import path of a group's folder.
func (r Repository) importPath(group string) (string, error) {
	if r.ImportPath != "" {
		return r.ImportPath + "/" + group, nil
	}
	text, err := os.ReadFile(r.path("go.mod"))
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	module := modfile.ModulePath(text)
	if module == "" {
		return "", fmt.Errorf("%s has no go.mod with a line `module`: give the Go import path of %s with --importpath", r.Root, r.folder())
	}
	return path.Join(module, r.folder(), group), nil
}

// rules returns the label of the rules, as the repository calls the module that has them.
func (r Repository) rules() (string, error) {
	const rules = "//rules:defs.bzl"
	text, err := os.ReadFile(r.path("MODULE.bazel"))
	if err != nil {
		return "", err
	}
	file, err := build.ParseModule("MODULE.bazel", text)
	if err != nil {
		return "", err
	}
	for _, module := range file.Rules("module") {
		if module.Name() == "armature" {
			return rules, nil
		}
	}
	for _, dependency := range file.Rules("bazel_dep") {
		if dependency.Name() == "armature" {
			return "@" + cmp.Or(dependency.AttrString("repo_name"), "armature") + rules, nil
		}
	}
	return "", fmt.Errorf("MODULE.bazel of %s does not depend on Armature: add bazel_dep(name = \"armature\", version = …)", r.Root)
}
