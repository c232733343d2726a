package service

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bazelbuild/buildtools/build"
)

// edits returns the files of the repository that list groups or services, with a
// group added. Names are relative to root.
func (g *group) edits(root string) (map[string][]byte, error) {
	edits := map[string]func([]byte) ([]byte, error){
		"apis/groups.bzl": func(text []byte) ([]byte, error) {
			return addToList("apis/groups.bzl", text, "PUBLISHED", "//"+g.dir())
		},
		"MODULE.bazel":          func(text []byte) ([]byte, error) { return addToList("MODULE.bazel", text, "services", g.services()...) },
		"tools/specs/pins.json": g.pin,
	}
	if g.decided == nil { // an existing group is counted already
		edits[".ci/groups"] = countOneMore
	}
	files := map[string][]byte{}
	for name, edit := range edits {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
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
		if ident, ok := assign.LHS.(*build.Ident); ok && ident.Name == name && list == nil {
			list, _ = assign.RHS.(*build.ListExpr)
		}
	})
	if list == nil {
		return nil, fmt.Errorf("%s has no list %s, to which %s is to be added", file, name, strings.Join(values, ", "))
	}
	valueOf := func(e build.Expr) string {
		s, _ := e.(*build.StringExpr)
		if s == nil {
			return ""
		}
		return s.Value
	}
	for _, value := range values {
		if slices.ContainsFunc(list.List, func(e build.Expr) bool { return valueOf(e) == value }) {
			continue
		}
		at := slices.IndexFunc(list.List, func(e build.Expr) bool { return valueOf(e) > value })
		if at < 0 {
			at = len(list.List)
		}
		list.List = slices.Insert(list.List, at, build.Expr(&build.StringExpr{Value: value}))
	}
	return build.Format(f), nil
}

// countOneMore adds one to a file that holds a number.
func countOneMore(text []byte) ([]byte, error) {
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf(".ci/groups: %w", err)
	}
	return fmt.Appendf(nil, "%d\n", n+1), nil
}

// pin adds to pins.json the folders of the group's specs, so that tools/specs
// checks them out.
func (g *group) pin(text []byte) ([]byte, error) {
	var pins []json.RawMessage
	if err := json.Unmarshal(text, &pins); err != nil {
		return nil, fmt.Errorf("tools/specs/pins.json: %w", err)
	}
	edited := string(text)
	for _, raw := range pins {
		var pin struct {
			Folder   string
			Patterns []string
		}
		if err := json.Unmarshal(raw, &pin); err != nil {
			return nil, fmt.Errorf("tools/specs/pins.json: %w", err)
		}
		patterns := slices.Clone(pin.Patterns)
		for _, pattern := range g.patterns(pin.Folder) {
			if !slices.Contains(patterns, pattern) && !covered(pattern, patterns) {
				patterns = append(patterns, pattern)
			}
		}
		if len(patterns) == len(pin.Patterns) {
			continue
		}
		slices.Sort(patterns)
		edited = strings.Replace(edited, listOf(pin.Patterns), listOf(patterns), 1)
	}
	return []byte(edited), nil
}

// listOf returns the patterns as pins.json has them.
func listOf(patterns []string) string {
	return `"patterns": [` + "\n      \"" + strings.Join(patterns, "\",\n      \"") + "\"\n    ]"
}

// covered reports whether a pattern is below the folder of another one.
func covered(pattern string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return strings.HasSuffix(p, "/") && strings.HasPrefix(pattern, p) })
}

// patterns returns the patterns that check out the group's specs of a folder.
func (g *group) patterns(folder string) []string {
	var patterns []string
	for _, docs := range g.documents {
		for _, doc := range docs {
			rest, found := strings.CutPrefix(doc, folder+"/")
			if !found {
				continue
			}
			pattern := "/schemas/*/" + rest[strings.LastIndexByte(rest, '/')+1:]
			if service := serviceOf(doc); service != "" {
				pattern = "/specification/" + service + "/resource-manager/"
			}
			if !slices.Contains(patterns, pattern) {
				patterns = append(patterns, pattern)
			}
		}
	}
	return patterns
}
