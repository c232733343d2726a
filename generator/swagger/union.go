package swagger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// variant is a definition that a value of the discriminator selects.
type variant struct {
	value string
	schema
}

// variants returns the definitions that inherit from the schema s of the type t,
// directly or not, in all documents, and s itself, as far as a value of the
// discriminator selects them. It returns nil if nothing inherits from s, or if s
// has no discriminator.
func (r *reader) variants(t *namedType, s schema, m *members) []variant {
	if m.discriminator.node == nil || len(r.subtypes[s.node]) == 0 {
		return nil
	}
	var variants []variant
	add := func(value string, sub schema) {
		i := slices.IndexFunc(variants, func(v variant) bool { return v.value == value })
		switch {
		case value == "":
		case i < 0:
			variants = append(variants, variant{value, sub})
		case variants[i].node != sub.node:
			r.note(ir.Skipped, t, "", sub, fmt.Sprintf("a second definition has the discriminator's value %q; %s is "+
				"used", value, r.definitions[variants[i].node]))
		}
	}
	var visit func(sub schema)
	visit = func(sub schema) {
		children := r.subtypes[sub.node]
		value := sub.node.Get("x-ms-discriminator-value").Text()
		if value == "" && len(children) == 0 {
			value = r.definitions[sub.node]
		}
		add(value, sub)
		if own := sub.get("discriminator"); own.node != nil && own.node.Text() != m.discriminator.node.Text() {
			r.note(ir.Skipped, t, "", own, fmt.Sprintf("the discriminator of %s is %q, and that of its own subtypes "+
				"is %q; these are left out", r.definitions[sub.node], m.discriminator.node.Text(), own.node.Text()))
			return
		}
		for _, child := range children {
			visit(child)
		}
	}
	visit(s)
	slices.SortFunc(variants, func(a, b variant) int { return cmp.Compare(a.value, b.value) })
	return variants
}

// addVariant adds a variant to the union t. Its type has the properties that the
// variant adds to those that all variants share.
func (r *reader) addVariant(t *namedType, union schema, shared *members, v variant) {
	vt := r.newType(typeKey{union.node, v.node}, v.schema, t.names[0]+naming.Type(v.value))
	vt.Kind = ir.Object
	vt.Doc = description(v.schema)
	vt.definition = t.definition
	m := r.members(v.schema)
	for _, member := range m.list {
		inherited := shared.find(member.name)
		switch {
		case member.name == t.Discriminator:
		case inherited == nil:
			r.addProperty(vt, m, member)
		case !slices.Equal(member.schemas, inherited.schemas):
			r.note(ir.Approximated, vt, member.name, member.schemas[0],
				fmt.Sprintf("the variant %q overrides %q, which all variants share; the shared one is kept", v.value, member.name))
		case m.required[member.name] && !shared.required[member.name]:
			r.note(ir.Approximated, vt, member.name, v.schema,
				fmt.Sprintf("the variant %q requires %q, which others do not; it is not required", v.value, member.name))
		}
	}
	r.checkRequired(vt, v.schema, m)
	if m.additional != shared.additional {
		r.addSpread(vt, m.additional)
	}
	sortProperties(vt)
	t.Properties = append(t.Properties, &ir.Property{Variant: v.value, Type: ir.TypeRef{Named: vt.ref}, Doc: vt.Doc, At: v.schema.place()})
}

// checkVariants adds notes on values of the discriminator that no definition has.
func (r *reader) checkVariants(t *namedType, m *members, variants []variant) {
	discriminator := m.find(t.Discriminator)
	if discriminator == nil {
		return
	}
	enum := r.propertyChain(discriminator).get("enum")
	for _, value := range enum.node.Items() {
		known := slices.ContainsFunc(variants, func(v variant) bool { return strings.EqualFold(v.value, value.Text()) })
		if !known {
			r.note(ir.Skipped, t, t.Discriminator, enum, fmt.Sprintf("no definition describes values whose %s is "+
				"%q; there is no such variant", t.Discriminator, value.Text()))
		}
	}
}
