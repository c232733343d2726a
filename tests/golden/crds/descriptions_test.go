package crds

import (
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/generator/emit/emittest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// TestDescriptions expects that `kubectl explain`, which shows the default version, has for
// each property at each level what the specs say of it. Only a property of which no spec
// says anything has no description.
func TestDescriptions(t *testing.T) {
	all, undescribed := 0, 0
	for _, folder := range emittest.Folders(t, "../../..") {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			e := explained{T: t}
			g := emittest.Read(t, folder)
			for kind, crd := range readCRDs(t, g) {
				first := crd.Spec.Versions[0]
				var resource *ir.Resource
				e.shape, resource = shapeOf(g, kind, first.Name)
				root := first.Schema.OpenAPIV3Schema.Properties
				spec, status := root["spec"], root["status"]
				e.properties(kind+".spec", &spec, e.shape.Type(resource.Spec))
				e.properties(kind+".status", &status, e.shape.Type(resource.Status))
			}
			t.Logf("%d of %d properties have no description, and none in the specs", e.undescribed, e.all)
			all, undescribed = all+e.all, undescribed+e.undescribed
		})
	}
	t.Logf("%d of %d properties have no description, and none in the specs", undescribed, all)
}

// explained walks the schema of a version beside its shape.
type explained struct {
	*testing.T
	shape *ir.Version
	// all counts the properties, and undescribed those without a description.
	all, undescribed int
}

// properties checks the properties of an object and all below them. What is no type of the
// shape, such as a reference, is Armature's own and says what each of its properties is.
func (e *explained) properties(path string, s *apiextensionsv1.JSONSchemaProps, of *ir.Type) {
	for name, p := range s.Properties {
		e.all++
		path := path + "." + name
		text, object := leaf(&p)
		var below *ir.Type
		doc, own := "", true
		if of != nil {
			property := of.Property(name)
			below, own = e.shape.Type(property.Type.Leaf().Named), property.Type.Leaf().Named == ""
			doc = property.Doc
			if doc == "" && below != nil {
				doc = below.Doc
			}
		}
		switch {
		case text == "" && doc == "" && of != nil:
			e.undescribed++
		case text == "" || !strings.HasPrefix(oneLine(text), oneLine(doc)):
			e.Errorf("%s is described as %q, want %q", path, text, doc)
		}
		if below != nil && below.Kind == ir.Object || own {
			e.properties(path, object, below)
		}
	}
}

// leaf returns what `kubectl explain` says of a property, which has its own description or
// else that of its elements, and the schema of the elements, if it is a list or a map.
func leaf(s *apiextensionsv1.JSONSchemaProps) (description string, object *apiextensionsv1.JSONSchemaProps) {
	description = s.Description
	for {
		switch {
		case s.Items != nil:
			s = s.Items.Schema
		case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
			s = s.AdditionalProperties.Schema
		default:
			return description, s
		}
		if description == "" {
			description = s.Description
		}
	}
}

// oneLine returns a text without line breaks, and without what nobody sees, as documents have it.
func oneLine(text string) string { return strings.Join(strings.Fields(naming.Visible(text)), " ") }
