// Package shape answers what both Go files and CRDs ask of a generated package: which
// resources and types it has, and what is known of their values. Its main type is
// [Package].
package shape

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// Package is a package with its types in the shape in which Go declares them.
type Package struct {
	*plan.Package
	// Version has the resources and types of the package.
	Version *ir.Version
	types   map[string]*ir.Type
}

// New returns a package. v is the package's own API version.
func New(pkg *plan.Package, v *ir.Version) *Package {
	p := &Package{Package: pkg, Version: plan.Shape(pkg, v), types: map[string]*ir.Type{}}
	if pkg.Alias {
		pruneDocs(p.Version)
	}
	for _, t := range p.Version.Types {
		p.types[t.Name] = t
	}
	return p
}

// pruneDocs removes the docs of an alias, because its twin has them. It replaces
// the types and properties, which other packages share.
func pruneDocs(v *ir.Version) {
	types := make([]*ir.Type, len(v.Types))
	for i, t := range v.Types {
		bare := *t
		bare.Doc = ""
		bare.Properties = slices.Clone(t.Properties)
		for j, p := range t.Properties {
			property := *p
			property.Doc = ""
			bare.Properties[j] = &property
		}
		bare.Values = slices.Clone(t.Values)
		for j := range bare.Values {
			bare.Values[j].Doc = ""
		}
		types[i] = &bare
	}
	v.Types = types
}

// Resource is a resource of a package, with its shape.
type Resource struct {
	*plan.Resource
	Shape *ir.Resource
}

// Declared returns the resources of the package that its API version has.
func (p *Package) Declared() []Resource {
	var all []Resource
	for i := range p.Resources {
		if own := p.Version.Resource(p.Resources[i].ARMType); own != nil {
			all = append(all, Resource{&p.Resources[i], own})
		}
	}
	return all
}

// ResourceDoc returns the doc of a resource.
func (p *Package) ResourceDoc(r Resource) string {
	if p.Role == plan.Storage {
		return fmt.Sprintf("%s is the stored form of %s at API version %s.", r.Kind, r.ARMType, p.APIVersion)
	}
	return fmt.Sprintf("%s is %s at API version %s.", r.Kind, r.ARMType, p.APIVersion)
}

// Type returns the type that has a name, or nil.
func (p *Package) Type(name string) *ir.Type { return p.types[name] }

// Halves returns the Spec and the Status of a resource.
func (p *Package) Halves(r Resource) []*ir.Type {
	return []*ir.Type{p.types[r.Shape.Spec], p.types[r.Shape.Status]}
}

// Parts returns the types that are not the Spec or Status of a resource, sorted
// by name.
func (p *Package) Parts() []*ir.Type {
	halves := map[string]bool{}
	for _, r := range p.Version.Resources {
		halves[r.Spec], halves[r.Status] = true, true
	}
	var parts []*ir.Type
	for _, t := range p.Version.Types {
		if !halves[t.Name] {
			parts = append(parts, t)
		}
	}
	return parts
}

// IsSpec reports whether a type is the Spec of a resource.
func (p *Package) IsSpec(t *ir.Type) bool {
	return slices.ContainsFunc(p.Version.Resources, func(r *ir.Resource) bool { return r.Spec == t.Name })
}

// Base returns the primitive that a value is in JSON: for an enum that of its
// values. It returns "" for objects, lists and maps.
func (p *Package) Base(r ir.TypeRef) ir.Primitive {
	if t := p.types[r.Named]; t != nil && t.Kind == ir.Enum {
		return t.Base
	}
	return r.Primitive
}

// ListKeys returns the properties by which the API server identifies the elements of a list, or nil.
// The API server accepts only keys that are required scalars.
func (p *Package) ListKeys(of *ir.Property) []string {
	if of.Type.Primitive == ir.Conditions {
		return []string{"type"}
	}
	if of.Type.Items == nil || of.MergeOnly {
		return nil
	}
	element := p.types[of.Type.Items.Named]
	for _, name := range of.ListKeys {
		if element == nil {
			return nil
		}
		key := element.Property(name)
		if key == nil || !key.Required || !isScalar(p.Base(key.Type)) {
			return nil
		}
	}
	return of.ListKeys
}

// isScalar reports whether values of a primitive are JSON scalars.
func isScalar(p ir.Primitive) bool {
	return p == ir.String || p == ir.Integer || p == ir.Number || p == ir.Boolean
}

// Alternative is a text of a type, and the reference to it, by their names. A user sets one of them, or none unless
// the text is required.
type Alternative struct {
	Property, From string
	Required       bool
}

// Alternatives returns the texts of a type that have a reference.
func Alternatives(t *ir.Type) []Alternative {
	var all []Alternative
	for _, p := range t.Properties {
		if from := t.ValueFrom(p); from != nil {
			all = append(all, Alternative{p.Name, from.Name, p.Required})
		}
	}
	return all
}

// Variants returns the sorted names of the properties that are variants of a union.
func Variants(t *ir.Type) []string {
	var names []string
	for _, p := range t.Properties {
		if p.Variant != "" {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

// IsUnion reports whether a value of the type must be one of its variants. In a
// Status it need not, because services add variants.
func IsUnion(t *ir.Type) bool {
	return t.Discriminator != "" && !t.Status && len(Variants(t)) > 0
}

// Literal returns an enum's value in Go, which is the same in JSON.
func Literal(base ir.Primitive, value string) string {
	if base == ir.String {
		return strconv.Quote(value)
	}
	return value
}

// Limits returns the part of a validation that has a meaning for a value of a type.
func (p *Package) Limits(r ir.TypeRef, v *ir.Validation) ir.Validation {
	switch base := p.Base(r); {
	case v == nil:
	case r.Items != nil:
		return ir.Validation{MinItems: v.MinItems, MaxItems: v.MaxItems}
	case base == ir.String:
		return ir.Validation{Pattern: v.Pattern, MinLength: v.MinLength, MaxLength: v.MaxLength}
	case base == ir.Integer || base == ir.Number:
		return ir.Validation{
			Minimum: v.Minimum, ExclusiveMinimum: v.ExclusiveMinimum && v.Minimum != nil,
			Maximum: v.Maximum, ExclusiveMaximum: v.ExclusiveMaximum && v.Maximum != nil,
			MultipleOf: v.MultipleOf,
		}
	}
	return ir.Validation{}
}
