package config

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
)

// Collections corrects what the specs say of lists in the bodies of resources.
type Collections struct {
	// Add has lists whose elements are resources of their own, and which the specs do
	// not show to be such.
	Add []Collection `yaml:"add" json:"add,omitempty"`
	// Deny has lists that only look so.
	Deny []Collection `yaml:"deny" json:"deny,omitempty"`
}

// Collection is a list in the body of a resource.
type Collection struct {
	Resource string `yaml:"resource" json:"resource"` // the ARM type, as exported
	Path     string `yaml:"path" json:"path"`         // by ARM's names, such as properties/subnets
	// Type is the ARM type of the elements. Entries of Deny have none.
	Type string `yaml:"type" json:"type,omitempty"`
}

// Entry returns what stands for an entry of a list of group.yaml, add or deny, among
// those that have an effect on a version.
func (c Collection) Entry(list string) string {
	return "collections." + list + "/" + c.Resource + " " + c.Path
}

var bodyPath = form(`^[\w$@.-]+(/[\w$@.-]+)*$`)

// eachCollection calls f with each entry.
func (g *Group) eachCollection(f func(entry []any, list string, col Collection)) {
	for i, col := range g.Collections.Add {
		f(at("collections", "add", i), "add", col)
	}
	for i, col := range g.Collections.Deny {
		f(at("collections", "deny", i), "deny", col)
	}
}

// collections checks what the entries show by themselves.
func (c *checker) collections() {
	seen := uses{}
	c.eachCollection(func(entry []any, list string, col Collection) {
		c.required(entry, "resource", col.Resource)
		c.required(entry, "path", col.Path)
		if col.Resource != "" && c.Exports[col.Resource] == nil {
			c.errorf(append(entry, "resource"), "%s is not exported%s", col.Resource, diag.DidYouMean(col.Resource, c.types()))
		}
		if col.Path != "" && !bodyPath().MatchString(col.Path) {
			c.errorf(append(entry, "path"), "%q is not a path; expected ARM's names, such as properties/subnets", col.Path)
		}
		switch {
		case list == "deny" && col.Type != "":
			c.errorf(append(entry, "type"), "an entry of deny has no type; remove it")
		case list == "add" && col.Resource != "":
			c.required(entry, "type", col.Type)
			if col.Type != "" && (!armType().MatchString(col.Type) || !collections.IsChild(col.Type, col.Resource)) {
				c.errorf(append(entry, "type"), "%q is not a type below %s; expected a form such as %[2]s/rules", col.Type, col.Resource)
			}
		}
		if first := seen.take(strings.ToLower(col.Resource+" "+col.Path), list); first != "" && col.Path != "" {
			c.errorf(entry, "%s of %s is already under %s", col.Path, col.Resource, first)
		}
	})
}

// unusedCollections reports the entries that change nothing in any version.
func (c *checker) unusedCollections(versions []*ir.Version, used map[string]bool) {
	c.eachCollection(func(entry []any, list string, col Collection) {
		if used[col.Entry(list)] {
			return
		}
		var lists, found []string
		for _, v := range versions {
			r := v.Resource(col.Resource)
			if r == nil {
				continue
			}
			named := func(ref ir.TypeRef) *ir.Type { return v.Type(ref.Named) }
			lists = append(lists, collections.Lists(v.Type(r.Spec), named)...)
			for _, known := range r.Collections {
				found = append(found, known.Path)
			}
		}
		switch {
		case list == "deny":
			c.errorf(append(entry, "path"), "without the entry, %s of %s would be no list of resources either; remove it%s",
				col.Path, col.Resource, cmp.Or(diag.DidYouMean(col.Path, found), among(found)))
		case slices.Contains(found, col.Path):
			c.errorf(entry, "all specs with %s show that it holds resources; remove the entry", col.Path)
		default:
			c.errorf(append(entry, "path"), "no version of %s has a list of objects with names at %s in its body%s",
				col.Resource, col.Path, cmp.Or(diag.DidYouMean(col.Path, lists), among(lists)))
		}
	})
}
