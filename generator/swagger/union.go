package swagger

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
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
// has no discriminator. If s inherits another discriminator, its value is one of that.
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
	inherits := slices.ContainsFunc(s.node.Get("allOf").Items(), func(base *jsontree.Node) bool {
		inherited := r.members(schema{s.doc, base}).discriminator.node
		return inherited != nil && inherited.Text() != m.discriminator.node.Text()
	})
	var visit func(sub schema)
	visit = func(sub schema) {
		children := r.subtypes[sub.node]
		value := sub.node.Get("x-ms-discriminator-value").Text()
		if value == "" && len(children) == 0 {
			value = r.definitions[sub.node]
		}
		if sub != s || !inherits {
			add(value, sub)
		}
		if own := sub.get("discriminator"); own.node != nil && own.node.Text() != m.discriminator.node.Text() {
			if value == "" {
				r.note(ir.Skipped, t, "", own, fmt.Sprintf("the discriminator of %s is %q, of which it has no value, and that of "+
					"its own subtypes is %q; these are left out", r.definitions[sub.node], m.discriminator.node.Text(), own.node.Text()))
			}
			return // its subtypes are variants of it
		}
		for _, child := range children {
			visit(child)
		}
	}
	visit(s)
	slices.SortFunc(variants, func(a, b variant) int { return cmp.Compare(a.value, b.value) })
	return variants
}

// beginUnion makes t a union of variants, if there are any, and returns the properties that
// they override.
func (r *reader) beginUnion(t *namedType, m *members, variants []variant) (overridden map[string]bool) {
	if len(variants) > 0 {
		t.Discriminator = m.discriminator.node.Text()
		t.VariantOptional = m.find(t.Discriminator) != nil && !m.required[t.Discriminator]
	}
	return r.overridden(t, m, variants)
}

// discriminates reports whether a property is the discriminator of the type, or of a union
// of which the type is a variant.
func (t *namedType) discriminates(name string) bool {
	return t != nil && (t.Discriminator != "" && t.Discriminator == name || t.variantOf.discriminates(name))
}

// overridden returns the properties of the union t that a variant has otherwise than the
// others. ARM has them in the same object, so they are none that all variants share.
func (r *reader) overridden(t *namedType, shared *members, variants []variant) map[string]bool {
	found := map[string]bool{}
	for _, v := range variants {
		m := r.members(v.schema)
		for _, member := range m.list {
			inherited := shared.find(member.name)
			if t.discriminates(member.name) || inherited == nil || slices.Equal(member.schemas, inherited.schemas) {
				continue
			}
			if !reflect.DeepEqual(r.meaning(t.names[0], shared, inherited), r.meaning(variantName(t, v), m, member)) {
				found[member.name] = true
				r.note(ir.Approximated, t, "", member.schemas[0],
					fmt.Sprintf("the variant %q overrides %q; each variant has its own", v.value, member.name))
			}
		}
	}
	return found
}

// meaning returns a property of a type without what says nothing about its values.
func (r *reader) meaning(typeName string, m *members, member *member) *ir.Property {
	scratch := &namedType{names: []string{typeName}} // no resource reaches it, so notes on it are dropped
	r.addProperty(scratch, m, member)
	p := scratch.Properties[0]
	p.Doc, p.Default, p.At, p.Required = "", "", jsontree.Place{}, false
	return p
}

func variantName(t *namedType, v variant) string { return t.names[0] + naming.Type(v.value) }

// addVariant adds a variant to the union t. Its type has the properties that the
// variant adds to those that all variants share, and those that a variant overrides.
func (r *reader) addVariant(t *namedType, union schema, shared *members, v variant, overridden map[string]bool) {
	vt := r.newType(typeKey{union.node, v.node}, v.schema, variantName(t, v))
	vt.Kind, vt.variantOf = ir.Object, t
	vt.Doc = description(v.schema)
	vt.definition = t.definition
	m := r.members(v.schema)
	var nested []variant
	if own := v.schema.node.Get("discriminator").Text(); own != "" && own != t.Discriminator {
		nested = r.variants(vt, v.schema, m)
	}
	overriddenHere := r.beginUnion(vt, m, nested)
	for _, member := range m.list {
		inherited := shared.find(member.name)
		switch {
		case vt.discriminates(member.name) || overriddenHere[member.name]:
		case inherited == nil || overridden[member.name]:
			r.addProperty(vt, m, member)
		case m.required[member.name] && !shared.required[member.name]:
			r.note(ir.Approximated, vt, member.name, v.schema,
				fmt.Sprintf("the variant %q requires %q, which others do not; it is not required", v.value, member.name))
		}
	}
	r.checkRequired(vt, v.schema, m)
	if m.additional != shared.additional {
		r.addSpread(vt, m.additional)
	}
	for _, n := range nested {
		r.addVariant(vt, v.schema, m, n, overriddenHere)
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
