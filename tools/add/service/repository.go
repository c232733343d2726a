package service

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bazelbuild/buildtools/build"
	"golang.org/x/mod/modfile"
)

// Repository says where groups are, and what their names begin and end with.
type Repository struct {
	// Root is the folder of the repository.
	Root string
	// Folder is the folder of Root that has a folder for each group. The default is "apis".
	Folder string
	// Domain is what the Kubernetes API group of a new group ends with. The default is DOMAIN in Folder's domain.bzl.
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

// domain returns DOMAIN in domain.bzl, which the groups share, or "" if there is no such file.
func (r Repository) domain() (string, error) {
	name := path.Join(r.folder(), "domain.bzl")
	text, err := os.ReadFile(r.path(name))
	if os.IsNotExist(err) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	file, err := build.ParseBzl(name, text)
	if err != nil {
		return "", err
	}
	for _, statement := range file.Stmt {
		if assign, ok := statement.(*build.AssignExpr); ok && identOf(assign.LHS) == "DOMAIN" && stringOf(assign.RHS) != "" {
			return stringOf(assign.RHS), nil
		}
	}
	return "", fmt.Errorf("%s has no DOMAIN: expected DOMAIN = \"azure.example.com\", with a domain of your own", name)
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

// loads returns the labels of the files from which a group loads: the rules, as the repository calls the module that
// has them, and the published specs.
func (r Repository) loads() (rules, specs string, err error) {
	text, err := os.ReadFile(r.path("MODULE.bazel"))
	if err != nil {
		return "", "", err
	}
	file, err := build.ParseModule("MODULE.bazel", text)
	if err != nil {
		return "", "", err
	}
	armature, err := armature(file)
	if err != nil {
		return "", "", err
	}
	repository, err := specsRepository(file)
	return armature + "//rules:defs.bzl", "@" + repository + "//:specs.bzl", err
}

// armature returns the repository of this module as a MODULE.bazel calls it, or "" for its own.
func armature(file *build.File) (string, error) {
	for _, module := range file.Rules("module") {
		if module.Name() == "armature" {
			return "", nil
		}
	}
	for _, dependency := range file.Rules("bazel_dep") {
		if dependency.Name() == "armature" {
			return "@" + cmp.Or(dependency.AttrString("repo_name"), "armature"), nil
		}
	}
	return "", errors.New("MODULE.bazel does not depend on Armature: add bazel_dep(name = \"armature\", version = …)")
}

// specsRepository returns the repository with the published specs of a MODULE.bazel, as it calls it.
func specsRepository(file *build.File) (string, error) {
	extension := ""
	for _, statement := range file.Stmt {
		switch statement := statement.(type) {
		case *build.AssignExpr:
			call, ok := statement.RHS.(*build.CallExpr)
			if ok && isCall(call, "use_extension") && len(call.List) >= 2 && stringOf(call.List[1]) == "specs" {
				extension = identOf(statement.LHS)
			}
		case *build.CallExpr:
			if !isCall(statement, "use_repo") || len(statement.List) < 2 || extension == "" || identOf(statement.List[0]) != extension {
				continue
			}
			// Beside the specs the extension makes a repository that says which groups are built.
			for _, repository := range statement.List[1:] {
				name, called := stringOf(repository), stringOf(repository)
				if renamed, ok := repository.(*build.AssignExpr); ok {
					name, called = stringOf(renamed.RHS), identOf(renamed.LHS)
				}
				if strings.HasSuffix(name, "_specs") {
					return called, nil
				}
			}
		}
	}
	return "", errors.New("MODULE.bazel has no specs of its own: add specs = use_extension(\"@armature//rules:extensions.bzl\", " +
		"\"specs\"), specs.checkout(services = []), and use_repo(specs, \"<name of the module>_specs\")")
}

func isCall(call *build.CallExpr, name string) bool { return identOf(call.X) == name }

// identOf returns the name that an expression is, or "".
func identOf(e build.Expr) string {
	if name, ok := e.(*build.Ident); ok {
		return name.Name
	}
	return ""
}

// stringOf returns the string that an expression is, or "".
func stringOf(e build.Expr) string {
	if s, ok := e.(*build.StringExpr); ok {
		return s.Value
	}
	return ""
}
