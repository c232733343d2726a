package corpora_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// difference is one place where two Specs differ.
type difference struct {
	// path has the Kubernetes names of the properties on the way, arm has their
	// ARM names. Both have "[]" for the elements of a list, "{}" for those of a
	// map, and "~x" for the variant x.
	path, arm []string
	kind      kindOfDifference
	what      string
	// swagger and schema are the property in each version. One may be nil.
	swagger, schema *ir.Property
}

type kindOfDifference string

const (
	onlySwagger      kindOfDifference = "only in Swagger"
	onlySchema       kindOfDifference = "only in the schema"
	requiredOnOne    kindOfDifference = "required"
	otherType        kindOfDifference = "type"
	otherMembers     kindOfDifference = "enum"
	otherUnion       kindOfDifference = "union"
	optionalUnion    kindOfDifference = "optional union"
	otherSpelling    kindOfDifference = "spelling"
	otherName        kindOfDifference = "name of type"
	resourceDiffers  kindOfDifference = "resource"
	resourceIsAbsent kindOfDifference = "no resource"
)

// comparison compares the Specs of one resource in two versions: the properties,
// which of them are required, their types, and the members of enums. It does not
// distinguish open enums from closed ones, because a JSON schema does not.
type comparison struct {
	swagger, schema *ir.Version
	seen            map[[2]string]bool
	found           []difference
}

func compare(swagger, schema *ir.Version, a, b *ir.Resource) []difference {
	c := &comparison{swagger: swagger, schema: schema, seen: map[[2]string]bool{}}
	if was, is := identity(a), identity(b); was != is {
		c.add(place{}, resourceDiffers, nil, nil, "%s, %s", was, is)
	}
	c.types(place{}, a.Spec, b.Spec)
	return c.found
}

func identity(r *ir.Resource) string {
	return fmt.Sprintf("scopes %s parent %q fixed name %q", r.Scopes, r.Parent, r.FixedName)
}

// place is the way to a value.
type place struct{ path, arm []string }

func (p place) step(name string, arm ...string) place {
	return place{append(slices.Clone(p.path), name), append(slices.Clone(p.arm), arm...)}
}

func (p place) property(prop *ir.Property) place {
	switch {
	case prop.Variant != "" && prop.Flattened:
		return p.step("~"+prop.Variant, "properties", "~"+prop.Variant)
	case prop.Variant != "":
		return p.step("~"+prop.Variant, "~"+prop.Variant)
	case prop.Spread:
		return p.step("{}", "{}")
	case prop.Flattened:
		return p.step(prop.Name, "properties", prop.ARMName())
	}
	return p.step(prop.Name, prop.ARMName())
}

func (c *comparison) add(at place, kind kindOfDifference, a, b *ir.Property, format string, args ...any) {
	c.found = append(c.found, difference{at.path, at.arm, kind, fmt.Sprintf(format, args...), a, b})
}

// types compares two objects. It compares each pair once.
func (c *comparison) types(at place, swagger, schema string) {
	if c.seen[[2]string{swagger, schema}] {
		return
	}
	c.seen[[2]string{swagger, schema}] = true
	a, b := c.swagger.Type(swagger), c.schema.Type(schema)
	switch {
	case a.Discriminator != b.Discriminator:
		c.add(at, otherUnion, nil, nil, "by %q, by %q", a.Discriminator, b.Discriminator)
	case a.VariantOptional && !b.VariantOptional:
		c.add(at, optionalUnion, nil, nil, "by %q", a.Discriminator)
	case a.VariantOptional != b.VariantOptional:
		c.add(at, otherUnion, nil, nil, "by %q, required, optional", a.Discriminator)
	}
	for _, pair := range pairs(a, b) {
		switch a, b := pair[0], pair[1]; {
		case b == nil:
			c.add(at.property(a), onlySwagger, a, b, "%s", a.Type)
		case a == nil:
			c.add(at.property(b), onlySchema, a, b, "%s", b.Type)
		default:
			c.properties(at.property(a), a, b)
		}
	}
}

// pairs returns the properties of two objects in pairs that have the same place in
// ARM, sorted. A property that the other object lacks is paired with nil. Those that only
// refer to the value of another one are left out.
func pairs(a, b *ir.Type) [][2]*ir.Property {
	key := func(p *ir.Property) string {
		return strings.ToLower(strings.Join(place{}.property(p).arm, "/"))
	}
	var pairs [][2]*ir.Property
	isOfARM := func(p *ir.Property) bool { return p.ValueOf == "" }
	for _, p := range a.Properties {
		if !isOfARM(p) {
			continue
		}
		pair := [2]*ir.Property{p, nil}
		for _, q := range b.Properties {
			if key(p) == key(q) {
				pair[1] = q
			}
		}
		pairs = append(pairs, pair)
	}
	for _, q := range b.Properties {
		if isOfARM(q) && !slices.ContainsFunc(a.Properties, func(p *ir.Property) bool { return key(p) == key(q) }) {
			pairs = append(pairs, [2]*ir.Property{nil, q})
		}
	}
	slices.SortStableFunc(pairs, func(x, y [2]*ir.Property) int {
		return strings.Compare(key(cmp.Or(x[0], x[1])), key(cmp.Or(y[0], y[1])))
	})
	return pairs
}

func (c *comparison) properties(at place, a, b *ir.Property) {
	if a.Name != b.Name || a.ARMName() != b.ARMName() {
		c.add(at, otherSpelling, a, b, "%s in ARM %s, %s in ARM %s", a.Name, a.ARMName(), b.Name, b.ARMName())
	}
	if a.Required != b.Required {
		c.add(at, requiredOnOne, a, b, "%v, %v", a.Required, b.Required)
	}
	c.refs(at, a, b, a.Type, b.Type)
}

func (c *comparison) refs(at place, p, q *ir.Property, a, b ir.TypeRef) {
	aKind, aType := kindOf(c.swagger, a)
	bKind, bType := kindOf(c.schema, b)
	switch {
	case aKind != bKind:
		c.add(at, otherType, p, q, "%s, %s", aKind, bKind)
	case a.Items != nil:
		c.refs(at.step("[]", "[]"), p, q, *a.Items, *b.Items)
	case a.Map != nil:
		c.refs(at.step("{}", "{}"), p, q, *a.Map, *b.Map)
	case aType != nil && aType.Kind == ir.Enum:
		if a, b := members(aType, bType), members(bType, aType); len(a)+len(b) > 0 {
			c.add(at, otherMembers, p, q, "beside the common members %q, %q", a, b)
		}
	case aType != nil:
		// Variants are named differently: after the union, or after the kind.
		if a.Named != b.Named && p.Variant == "" {
			c.add(at, otherName, p, q, "%s, %s", a.Named, b.Named)
		}
		c.types(at, a.Named, b.Named)
	}
}

// kindOf returns the kind of a type as text, and the type that ref names, if it
// names one.
func kindOf(v *ir.Version, ref ir.TypeRef) (string, *ir.Type) {
	switch {
	case ref.Items != nil:
		return "list", nil
	case ref.Map != nil:
		return "map", nil
	case ref.Named == "":
		return string(ref.Primitive), nil
	}
	t := v.Type(ref.Named)
	if t.Kind == ir.Enum {
		return "enum of " + string(t.Base), t
	}
	return "object", t
}

// members returns the values of one enum that another lacks.
func members(of, lackedBy *ir.Type) []string {
	var rest []string
	for _, value := range of.Values {
		if !slices.ContainsFunc(lackedBy.Values, func(v ir.EnumValue) bool { return v.Value == value.Value }) {
			rest = append(rest, value.Value)
		}
	}
	return rest
}
