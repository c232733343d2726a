package site

import (
	"maps"
	"slices"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/site/page"
)

// search collects the properties on the pages of a group, for the search in the browser.
type search struct {
	kinds, types map[string][]indexed // by kind, and by type; those of older versions first
}

// indexed is a page with its trees of properties.
type indexed struct {
	page string
	tree []*node
}

// add adds the page of a kind at a version. Newer versions are added later.
func (s *search) add(kind, page string, tree []*node) {
	if s.kinds == nil {
		s.kinds = map[string][]indexed{}
	}
	s.kinds[kind] = append(s.kinds[kind], indexed{page, tree})
}

// addType adds the page of a type at a version. Newer versions are added later.
func (s *search) addType(name, page string, tree []*node) {
	if s.types == nil {
		s.types = map[string][]indexed{}
	}
	s.types[name] = append(s.types[name], indexed{page, tree})
}

// script returns the script with all properties. Each is there once, on the newest of the
// pages that have it.
func (s *search) script(group string) []byte {
	list := func(all map[string][]indexed, title func(string) string) []any {
		rows := []any{}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			known := map[string]bool{}
			var pages []any
			for _, at := range slices.Backward(all[name]) {
				if names := newNames(at.tree, "", known); len(names) > 0 {
					pages = append(pages, []any{at.page, names})
				}
			}
			rows = append(rows, []any{title(name), pages})
		}
		return rows
	}
	same := func(kind string) string { return kind }
	return page.Call("properties", group, list(s.kinds, same), list(s.types, naming.Common))
}

// newNames returns the names in a tree that are not known, with the names above them, and
// makes them known. A name is followed by the list of those below it.
func newNames(tree []*node, above string, known map[string]bool) (names []any) {
	for _, n := range tree {
		path := n.path(above)
		first := !known[path]
		known[path] = true
		below := newNames(n.Below, path, known)
		if first || len(below) > 0 {
			names = append(names, n.Name)
		}
		if len(below) > 0 {
			names = append(names, below)
		}
	}
	return names
}
