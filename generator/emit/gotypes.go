package emit

import (
	"cmp"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// The import paths of packages whose types generated types use.
const (
	metaPath          = "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtimePath       = "k8s.io/apimachinery/pkg/runtime"
	apiextensionsPath = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	bagPath           = "github.com/armature-dev/armature/runtime/propertybag"
	referencePath     = "github.com/armature-dev/armature/runtime/reference"
)

// goPackage is a package with its types in the shape in which Go declares them.
type goPackage struct {
	*plan.Package
	shape *ir.Version
	types map[string]*ir.Type
	// cut has the properties at which schemas stop. API packages only.
	cut map[stop]bool
}

func newGoPackage(pkg *plan.Package, v *ir.Version) *goPackage {
	g := &goPackage{Package: pkg, shape: plan.Shape(pkg, v), types: map[string]*ir.Type{}}
	if pkg.Alias {
		pruneDocs(g.shape)
	}
	for _, t := range g.shape.Types {
		g.types[t.Name] = t
	}
	if pkg.Role == plan.API {
		g.cut = stops(g.shape)
	}
	return g
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

// resources returns the resources of the package that its API version has.
func (g *goPackage) resources() []resource {
	var all []resource
	for i := range g.Resources {
		if own := g.shape.Resource(g.Resources[i].ARMType); own != nil {
			all = append(all, resource{&g.Resources[i], own})
		}
	}
	return all
}

// resource is a resource in a package, with its shape.
type resource struct {
	*plan.Resource
	shape *ir.Resource
}

// declared returns the Spec and the Status of a resource, which types.go declares
// below it.
func (g *goPackage) declared(r resource) []*ir.Type {
	return []*ir.Type{g.types[r.shape.Spec], g.types[r.shape.Status]}
}

// parts returns the types that are not the Spec or Status of a resource, sorted
// by name.
func (g *goPackage) parts() []*ir.Type {
	halves := map[string]bool{}
	for _, r := range g.shape.Resources {
		halves[r.Spec], halves[r.Status] = true, true
	}
	var parts []*ir.Type
	for _, t := range g.shape.Types {
		if !halves[t.Name] {
			parts = append(parts, t)
		}
	}
	return parts
}

// isSpec reports whether a type is the Spec of a resource.
func (g *goPackage) isSpec(t *ir.Type) bool {
	return slices.ContainsFunc(g.shape.Resources, func(r *ir.Resource) bool { return r.Spec == t.Name })
}

// external has the Go types of primitives that other packages declare.
var external = map[ir.Primitive][2]string{
	ir.Any:            {apiextensionsPath, "JSON"},
	ir.Secret:         {referencePath, "Secret"},
	ir.SecretJSON:     {referencePath, "Secret"},
	ir.Reference:      {referencePath, "Resource"},
	ir.RoleDefinition: {referencePath, "RoleDefinition"},
	ir.Owner:          {referencePath, "Owner"},
	ir.AnyOwner:       {referencePath, "AnyOwner"},
	ir.OperatorSpec:   {referencePath, "OperatorSpec"},
	ir.Conditions:     {metaPath, "Condition"},
}

// basic has the Go types of primitives that Go has itself.
var basic = map[ir.Primitive]string{
	ir.String:  "string",
	ir.Integer: "int64",
	ir.Number:  "float64",
	ir.Boolean: "bool",
}

// condition is the type of an element of conditions, which are a primitive in the IR.
var condition = ir.TypeRef{Primitive: ir.Conditions}

// goValue returns how the file writes the type of a value.
func goValue(f *File, r ir.TypeRef) string {
	switch {
	case r.Items != nil:
		return "[]" + goValue(f, *r.Items)
	case r.Map != nil:
		return "map[string]" + goValue(f, *r.Map)
	case r.Named != "":
		return r.Named
	}
	if ident, known := external[r.Primitive]; known {
		return f.Ident(ident[0], ident[1])
	}
	return basic[r.Primitive]
}

// goField returns how the file writes the type of a field, and the option by which
// JSON omits an absent one. With omitzero, a nil slice or map differs from an
// empty one.
func goField(f *File, r ir.TypeRef) (goType, omit string) {
	switch {
	case r.Primitive == ir.Conditions:
		return "[]" + goValue(f, condition), "omitzero"
	case r.Items != nil || r.Map != nil:
		return goValue(f, r), "omitzero"
	}
	return "*" + goValue(f, r), "omitempty"
}

// base returns the primitive that a value is in JSON: for an enum that of its
// values. It returns "" for objects, lists and maps.
func (g *goPackage) base(r ir.TypeRef) ir.Primitive {
	if t := g.types[r.Named]; t != nil && t.Kind == ir.Enum {
		return t.Base
	}
	return r.Primitive
}

// listKeys returns the properties that identify the elements of a list, or nil.
// The API server accepts only keys that are required scalars.
func (g *goPackage) listKeys(p *ir.Property) []string {
	if p.Type.Items == nil {
		return nil
	}
	element := g.types[p.Type.Items.Named]
	for _, key := range p.ListKeys {
		if element == nil {
			return nil
		}
		k := element.Property(key)
		if k == nil || !k.Required || basic[g.base(k.Type)] == "" {
			return nil
		}
	}
	return p.ListKeys
}

// variants returns the sorted names of the properties that are variants of a union.
func variants(t *ir.Type) []string {
	var names []string
	for _, p := range t.Properties {
		if p.Variant != "" {
			names = append(names, p.Name)
		}
	}
	slices.SortFunc(names, cmp.Compare[string])
	return names
}
