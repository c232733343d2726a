package emit

import (
	"github.com/armature-dev/armature/generator/gofile"
	"github.com/armature-dev/armature/generator/ir"
)

// The import paths of packages whose types generated types use.
const (
	metaPath          = "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtimePath       = "k8s.io/apimachinery/pkg/runtime"
	apiextensionsPath = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	bagPath           = "github.com/armature-dev/armature/runtime/propertybag"
	referencePath     = "github.com/armature-dev/armature/runtime/reference"
)

// external has the Go types of primitives that other packages declare.
var external = map[ir.Primitive][2]string{
	ir.Any:            {apiextensionsPath, "JSON"},
	ir.Secret:         {referencePath, "Secret"},
	ir.SecretJSON:     {referencePath, "Secret"},
	ir.Reference:      {referencePath, "Resource"},
	ir.RoleDefinition: {referencePath, "RoleDefinition"},
	ir.Value:          {referencePath, "Value"},
	ir.Owner:          {referencePath, "Owner"},
	ir.AnyOwner:       {referencePath, "AnyOwner"},
	ir.OperatorSpec:   {referencePath, "OperatorSpec"},
	ir.Conditions:     {metaPath, "Condition"},
}

// basic has the Go types of primitives that Go has itself.
var basic = map[ir.Primitive]string{
	ir.String:     "string",
	ir.Integer:    "int64",
	ir.Number:     "float64",
	ir.Boolean:    "bool",
	ir.Generation: "int64",
}

// condition is the type of an element of conditions, which are a primitive in the IR.
var condition = ir.TypeRef{Primitive: ir.Conditions}

// goValue returns how the file writes the type of a value.
func goValue(f *gofile.File, r ir.TypeRef) string {
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
func goField(f *gofile.File, r ir.TypeRef) (goType, omit string) {
	switch {
	case r.Primitive == ir.Conditions:
		return "[]" + goValue(f, condition), "omitzero"
	case r.Items != nil || r.Map != nil:
		return goValue(f, r), "omitzero"
	}
	return "*" + goValue(f, r), "omitempty"
}
