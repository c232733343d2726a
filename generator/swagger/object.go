package swagger

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// typeKey identifies a named type: by its schema, or for the variant of a union
// by the schemas of the union and of the variant.
type typeKey struct{ node, variant *jsontree.Node }

// namedType is a type that has no final name yet.
type namedType struct {
	ir.Type
	// ref is the placeholder for the final name in a TypeRef.
	ref string
	at  schema
	// names are the possible names of the type, best first.
	names      []string
	definition bool
	// variantOf is the union of which the type is a variant, or nil.
	variantOf *namedType
}

// newType adds a type. Empty names are ignored.
func (r *reader) newType(key typeKey, at schema, names ...string) *namedType {
	t := &namedType{ref: strconv.Itoa(len(r.types)), at: at}
	for _, name := range names {
		if name != "" {
			t.names = append(t.names, naming.Type(name))
		}
	}
	_, t.definition = r.definitions[at.node]
	r.types = append(r.types, t)
	r.objects[key] = t
	return t
}

func (r *reader) emptyType(key typeKey, name string, at schema) *namedType {
	if t := r.objects[key]; t != nil {
		return t
	}
	t := r.newType(key, at, name)
	t.Kind = ir.Object
	return t
}

// typeOf returns the type that a reference names, or nil.
func (r *reader) typeOf(ref ir.TypeRef) *namedType {
	if ref.Named == "" {
		return nil
	}
	i, _ := strconv.Atoi(ref.Named)
	return r.types[i]
}

// members has the properties of an object, inherited ones included.
type members struct {
	list     []*member
	required map[string]bool
	// additional is the nearest additionalProperties.
	additional schema
	// discriminator is the nearest discriminator.
	discriminator schema
}

// member is a property: its own schema, then those that it overrides, nearest
// first.
type member struct {
	name    string
	schemas []schema
}

func (m *members) find(name string) *member {
	for _, member := range m.list {
		if member.name == name {
			return member
		}
	}
	return nil
}

// members returns the members of an object schema. Its own properties override
// those of its allOf.
func (r *reader) members(s schema) *members {
	m := &members{required: map[string]bool{}}
	r.collect(s, m)
	return m
}

func (r *reader) collect(s schema, m *members) {
	r.checkShape(s)
	if s.node.Has("$ref") {
		r.collect(r.target(s.get("$ref")), m)
	}
	for _, base := range s.node.Get("allOf").Items() {
		r.collect(schema{s.doc, base}, m)
	}
	for _, p := range s.node.Get("properties").Members() {
		own := schema{s.doc, p.Value}
		inherited := m.find(p.Name)
		switch {
		case inherited == nil:
			m.list = append(m.list, &member{p.Name, []schema{own}})
		case !slices.Contains(inherited.schemas, own):
			inherited.schemas = slices.Insert(inherited.schemas, 0, own)
		}
	}
	for _, name := range s.node.Get("required").Items() {
		m.required[name.Text()] = true
	}
	if additional := s.get("additionalProperties"); additional.node != nil {
		m.additional = additional
	}
	if discriminator := s.get("discriminator"); discriminator.node != nil {
		m.discriminator = discriminator
	}
}

// object returns the type of an object schema with members m.
func (r *reader) object(s schema, m *members, at valueContext) *namedType {
	definition := r.definitions[s.node]
	t := r.newType(typeKey{s.node, nil}, s, cmp.Or(definition, at.hint))
	t.Kind = ir.Object
	if definition != "" {
		t.Doc = description(s)
	}
	variants := r.variants(t, s, m)
	overridden := r.beginUnion(t, m, variants)
	for _, member := range m.list {
		if !overridden[member.name] && !t.discriminates(member.name) {
			r.addProperty(t, m, member)
		}
	}
	r.checkRequired(t, s, m)
	r.addSpread(t, m.additional)
	for _, v := range variants {
		r.addVariant(t, s, m, v, overridden)
	}
	if s.node.Has("discriminator") && len(variants) > 0 {
		r.checkVariants(t, m, variants)
	}
	sortProperties(t)
	return t
}

func sortProperties(t *namedType) {
	slices.SortStableFunc(t.Properties, func(a, b *ir.Property) int {
		return cmp.Or(cmp.Compare(a.ARM, b.ARM), cmp.Compare(a.Variant, b.Variant))
	})
}

// checkRequired adds notes on names in "required" that no property has.
func (r *reader) checkRequired(t *namedType, s schema, m *members) {
	for _, name := range slices.Sorted(maps.Keys(m.required)) {
		if m.find(name) == nil {
			r.note(ir.Approximated, t, name, s, fmt.Sprintf("%q is required but not declared; it is left out", name))
		}
	}
}

// addSpread adds the map of additional properties to an object that has declared
// properties too.
func (r *reader) addSpread(t *namedType, additional schema) {
	if additional.node.Kind() != jsontree.Object && !additional.node.True() {
		return
	}
	v := value{}
	v.ref.Map = &ir.TypeRef{Primitive: ir.Any}
	if additional.node.Kind() == jsontree.Object {
		r.elements(additional, additional, &v, v.ref.Map, valueContext{t.names[0] + "Value", t, ""})
	}
	t.Properties = append(t.Properties, &ir.Property{
		Spread: true, Type: v.ref, Doc: description(additional), IsSecret: v.isSecret, IsARMID: v.isARM,
		ResourceTypes: v.resourceTypes, ItemValidation: v.itemValidation, At: additional.place(),
	})
}

func (r *reader) addProperty(t *namedType, m *members, member *member) {
	at := valueContext{t.names[0] + naming.Type(member.name), t, member.name}
	c := r.propertyChain(member)
	v := r.valueOf(c, at)
	r.checkOverride(member, c, v, at)
	p := &ir.Property{
		ARM: member.name, Type: v.ref, Doc: r.propertyDoc(c, v),
		Default: c.get("default").node.JSON(), Required: m.required[member.name],
		ReadOnly: c.get("readOnly").node.True(), IsSecret: v.isSecret, IsARMID: v.isARM, ResourceTypes: v.resourceTypes,
		Encoding: v.encoding, ListKeys: r.listKeys(c, v), Validation: v.validation, ItemValidation: v.itemValidation,
		At: member.schemas[0].place(),
	}
	setMutability(p, c.get("x-ms-mutability").node)
	if c.get("x-nullable").node.True() {
		r.note(ir.Approximated, t, member.name, c.get("x-nullable"), "null cannot be distinguished from absent")
	}
	r.noteUnchecked(c, at)
	t.Properties = append(t.Properties, p)
}

// propertyChain returns the chain of a property. A schema that says nothing about
// the type, such as one with a description only, is followed by the schemas that
// it overrides.
func (r *reader) propertyChain(member *member) chain {
	var c chain
	for _, s := range member.schemas {
		c = append(c, r.chain(s)...)
		if last := c.last().node; hasStructure(last) || last.Has("type") || last.Has("$ref") || last.Has("allOf") {
			break
		}
	}
	return c
}

// checkOverride adds a note if a property overrides one of another type.
func (r *reader) checkOverride(member *member, c chain, v value, at valueContext) {
	for _, s := range member.schemas[1:] {
		if slices.Contains(c, s) {
			continue
		}
		if inherited := r.value(s, at); !r.sameType(inherited.ref, v.ref) {
			r.note(ir.Approximated, at.owner, at.property, c[0],
				fmt.Sprintf("overrides the inherited %s, which is %s", at.property, r.describe(inherited.ref)))
		}
	}
}

// sameType reports whether two references mean the same type. An enum counts as
// the type of its values.
func (r *reader) sameType(a, b ir.TypeRef) bool {
	return r.describe(a) == r.describe(b)
}

// describe returns a type as text for notes.
func (r *reader) describe(ref ir.TypeRef) string {
	ref = ref.Clone()
	leaf := ref.Leaf()
	if t := r.typeOf(*leaf); t != nil {
		leaf.Named = t.names[0]
		if t.Kind == ir.Enum {
			*leaf = ir.TypeRef{Primitive: t.Base}
		}
	}
	return ref.String()
}

// propertyDoc returns the description of a property. It skips the description of
// a definition that becomes a named type, because the type has it.
func (r *reader) propertyDoc(c chain, v value) string {
	doc := ""
	for _, s := range c {
		if _, isDefinition := r.definitions[s.node]; isDefinition && v.ref.Named != "" {
			continue
		}
		if doc = description(s); doc != "" {
			break
		}
	}
	return doc
}

// setMutability reads x-ms-mutability, which lists "create", "update" and "read".
func setMutability(p *ir.Property, mutability *jsontree.Node) {
	if len(mutability.Items()) == 0 {
		return
	}
	can := map[string]bool{}
	for _, item := range mutability.Items() {
		can[item.Text()] = true
	}
	p.ReadOnly = p.ReadOnly || !can["create"] && !can["update"]
	p.WriteOnly = !can["read"] && !p.ReadOnly
	p.CreateOnly = can["create"] && !can["update"]
}

// listKeys reads x-ms-identifiers, the properties that identify the elements of a
// list. One that lies deeper in the elements has "/" between the names.
func (r *reader) listKeys(c chain, v value) []string {
	if v.ref.Items == nil {
		return nil
	}
	var keys []string
	for _, item := range c.get("x-ms-identifiers").node.Items() {
		keys = append(keys, strings.TrimPrefix(item.Text(), "/"))
	}
	return keys
}
