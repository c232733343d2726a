package service

import (
	"fmt"
	"maps"
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
// group added, if they change. examples are those of which samples have values.
func (s *sources) edits(examples map[string][]byte) (map[string][]byte, error) {
	list := s.in.folder() + "/groups.bzl"
	edits := map[string]func([]byte) ([]byte, error){
		list: func(text []byte) ([]byte, error) {
			return addToList(list, text, "PUBLISHED", "//"+s.dir())
		},
		"MODULE.bazel": func(text []byte) ([]byte, error) { return addToList("MODULE.bazel", text, "services", s.services()...) },
	}
	for _, folder := range layout.Checkouts() {
		edits[digests.PinsFile(folder)] = func(text []byte) ([]byte, error) { return s.pin(folder, text, examples) }
	}
	files := map[string][]byte{}
	for name, edit := range edits {
		text, err := os.ReadFile(s.in.path(name))
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
func (s *sources) pin(checkout string, text []byte, examples map[string][]byte) ([]byte, error) {
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
	for _, files := range []map[string][]byte{s.used, s.consulted, examples} {
		for name, text := range files {
			add(name, text)
		}
	}
	s.eachExample(s.raw, s.documents, func(name string, text []byte, _ *ir.Version, _ *ir.Resource) { add(name, text) })
	return []byte(digests.Format(pinned)), nil
}

// services returns the folders of azure-rest-api-specs/specification that the
// group's documents are in, and the files that they refer to.
func (s *sources) services() []string {
	found := map[string]bool{}
	for name := range s.used {
		if service := serviceOf(name); service != "" {
			found[service] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// serviceOf returns the folder of azure-rest-api-specs/specification that a
// document or folder is in, or "".
func serviceOf(name string) string {
	rest, found := strings.CutPrefix(name, layout.SwaggerFolder+"/")
	if !found {
		return ""
	}
	service, _, _ := strings.Cut(rest, "/")
	return service
}
