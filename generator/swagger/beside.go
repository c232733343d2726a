package swagger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// mergeable are the members of a schema that an object takes from all schemas of an
// allOf, and so also from those beside a reference.
var mergeable = []string{"properties", "additionalProperties", "allOf", "required"}

// beside returns the members of a schema that say more about the structure of a value
// than the schema that its reference or its allOf names, base.
func (r *reader) beside(s, base schema) (names []string) {
	for _, name := range append(slices.Clone(mergeable), "discriminator", "items") {
		n := s.node.Get(name)
		switch {
		case name == "allOf" && !s.node.Has("$ref"): // which names base
		case name == "required" && r.requires(n, base),
			name != "required" && (n.Kind() == jsontree.String || n.True() || len(n.Items()) > 0 || len(n.Members()) > 0):
			names = append(names, name)
		}
	}
	return names
}

// requires reports whether a list of required properties has one that an object does
// not require.
func (r *reader) requires(required *jsontree.Node, base schema) bool {
	items := required.Items()
	if len(items) == 0 || !r.isObject(base) {
		return len(items) > 0
	}
	known := r.members(r.chain(base).last()).required
	return slices.ContainsFunc(items, func(item *jsontree.Node) bool { return !known[item.Text()] })
}

// extends reports whether the members of a schema beside a reference, or beside an
// allOf that is one, are merged with those of its target. Not if it is ambiguous what
// they mean: the target is no object, or a union of which the result would be none.
func (r *reader) extends(s, base schema) bool {
	names := r.beside(s, base)
	if len(names) == 0 || !r.isObject(base) {
		return false
	}
	last := r.chain(base).last()
	isUnion := r.members(last).discriminator.node != nil && len(r.subtypes[last.node]) > 0
	return !isUnion && !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(mergeable, name) })
}

// noteBeside adds notes on what stands beside the references of a chain and is left out.
func (r *reader) noteBeside(c chain, at valueContext) {
	for i, s := range c[:len(c)-1] {
		names := r.beside(s, c[i+1])
		if own, its := s.node.Get("type").Text(), c.last().node.Get("type").Text(); own != "" && its != "" && own != its {
			names = append(names, "type")
		}
		if len(names) > 0 {
			r.note(ir.Approximated, at.owner, at.property, s, fmt.Sprintf("found %s beside a $ref, which cannot be merged with the "+
				"target; the target alone is read", strings.Join(names, " and ")))
		}
	}
}
