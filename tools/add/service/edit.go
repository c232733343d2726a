package service

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bazelbuild/buildtools/build"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/tools/specs/digests"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// edits returns the files of the repository that list groups or services, with a
// group added. Names are relative to its root.
func (g *group) edits() (map[string][]byte, error) {
	list := g.in.folder() + "/groups.bzl"
	edits := map[string]func([]byte) ([]byte, error){
		list: func(text []byte) ([]byte, error) {
			return addToList(list, text, "PUBLISHED", "//"+g.dir())
		},
		"MODULE.bazel": func(text []byte) ([]byte, error) { return addToList("MODULE.bazel", text, "services", g.services()...) },
	}
	for _, folder := range layout.Checkouts() {
		edits[digests.PinsFile(folder)] = func(text []byte) ([]byte, error) { return g.pin(folder, text) }
	}
	files := map[string][]byte{}
	for name, edit := range edits {
		text, err := os.ReadFile(g.in.path(name))
		if os.IsNotExist(err) {
			continue // a repository of one's own need not have it
		}
		if err != nil {
			return nil, err
		}
		edited, err := edit(text)
		if err != nil {
			return nil, err
		}
		if string(edited) != string(text) {
			files[name] = edited
		}
	}
	return files, nil
}

// addToList adds strings to a list of a Starlark file, which is assigned to a
// variable or given as an argument of that name, and keeps the list sorted.
func addToList(file string, text []byte, name string, values ...string) ([]byte, error) {
	if len(values) == 0 {
		return text, nil
	}
	parse := build.ParseDefault
	if filepath.Base(file) == "MODULE.bazel" {
		parse = build.ParseModule
	}
	f, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	var list *build.ListExpr
	build.Walk(f, func(e build.Expr, _ []build.Expr) {
		assign, ok := e.(*build.AssignExpr)
		if !ok {
			return
		}
		if identOf(assign.LHS) == name && list == nil {
			list, _ = assign.RHS.(*build.ListExpr)
		}
	})
	if list == nil {
		return nil, fmt.Errorf("%s has no list %s, to which %s is to be added", file, name, strings.Join(values, ", "))
	}
	for _, value := range values {
		if slices.ContainsFunc(list.List, func(e build.Expr) bool { return stringOf(e) == value }) {
			continue
		}
		at := slices.IndexFunc(list.List, func(e build.Expr) bool { return stringOf(e) > value })
		if at < 0 {
			at = len(list.List)
		}
		list.List = slices.Insert(list.List, at, build.Expr(&build.StringExpr{Value: value}))
	}
	return build.Format(f), nil
}

// pin adds to the digests of a checkout those of the documents that the group reads, of those that speak of its
// properties, and of the examples of its resources, so that tools/specs checks them out. After a move of the pin the
// content of a document may be another.
func (g *group) pin(checkout string, text []byte) ([]byte, error) {
	pinned, err := digests.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", digests.PinsFile(checkout), err)
	}
	add := func(name string, text []byte) {
		file, found := strings.CutPrefix(name, checkout+"/")
		if !found {
			return
		}
		if digest, notJSON := digests.Of(text); notJSON == nil {
			pinned[file] = digest
		}
	}
	for _, files := range []map[string][]byte{g.used, g.consulted} {
		for name, text := range files {
			add(name, text)
		}
	}
	g.eachExample(g.raw, g.documents, func(name string, text []byte, _ *ir.Version, _ *ir.Resource) { add(name, text) })
	return []byte(digests.Format(pinned)), nil
}
