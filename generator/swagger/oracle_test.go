package swagger

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-openapi/spec"
	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/internal/specs"
)

// fact has the attributes of a property that both readers report.
type fact struct {
	Type               string
	Required, ReadOnly bool
	// Enum has the values in order. Limits has those of the length, of the number
	// of items and of the value; see limits.
	Enum   string
	Limits [6]float64
}

// limits returns limits as numbers of which 0 means that there is none.
func limits(minLength, maxLength, minItems, maxItems *int64, minimum, maximum *float64) [6]float64 {
	var all [6]float64
	for i, n := range []*int64{minLength, maxLength, minItems, maxItems} {
		if n != nil {
			all[i] = float64(*n) + 1
		}
	}
	for i, n := range []*float64{minimum, maximum} {
		if n != nil {
			all[4+i] = *n + 0.5
		}
	}
	return all
}

// oracle reads documents with go-openapi/spec, and walks over allOf.
type oracle struct {
	t         *testing.T
	root      string
	documents map[string]json.RawMessage
	decoded   map[string]*spec.Swagger
}

// load returns the text of a document. It reads each document once.
func (o *oracle) load(file string) (json.RawMessage, error) {
	if text, known := o.documents[file]; known {
		return text, nil
	}
	text, err := os.ReadFile(file)
	if err == nil {
		o.documents[file] = text
	}
	return text, err
}

func (o *oracle) definition(file, name string) *spec.Schema {
	doc := o.decoded[file]
	if doc == nil {
		text, err := o.load(file)
		if err != nil {
			o.t.Fatal(err)
		}
		doc = new(spec.Swagger)
		if err := json.Unmarshal(text, doc); err != nil {
			o.t.Fatal(err)
		}
		o.decoded[file] = doc
	}
	s := doc.Definitions[name]
	return &s
}

// resolve returns the target of a reference, and the target's file.
func (o *oracle) resolve(file string, ref spec.Ref) (*spec.Schema, string) {
	target := file
	if name := ref.GetURL().Path; name != "" {
		target = filepath.Join(filepath.Dir(file), name)
	}
	pointer := strings.Split(ref.GetURL().Fragment, "/")
	if len(pointer) != 3 || pointer[1] != "definitions" {
		o.t.Fatalf("%s refers to %s, which is not a definition", file, ref.String())
	}
	return o.definition(target, jsontree.Unescape(pointer[2])), target
}

// properties returns facts about the properties of a schema, inherited ones
// included, and the names of those that are required.
func (o *oracle) properties(file string, s *spec.Schema) (facts map[string]fact, required map[string]bool) {
	facts, required = map[string]fact{}, map[string]bool{}
	if s.Ref.String() != "" {
		target, file := o.resolve(file, s.Ref)
		return o.properties(file, target)
	}
	for i := range s.AllOf {
		inherited, names := o.properties(file, &s.AllOf[i])
		maps.Copy(facts, inherited)
		maps.Copy(required, names)
	}
	for name, p := range s.Properties {
		facts[name] = o.fact(file, &p)
	}
	for _, name := range s.Required {
		required[name] = true
	}
	for name, f := range facts {
		f.Required = required[name]
		facts[name] = f
	}
	return facts, required
}

func (o *oracle) fact(file string, s *spec.Schema) fact {
	f := fact{ReadOnly: s.ReadOnly || onlyRead(s), Limits: limits(s.MinLength, s.MaxLength, s.MinItems, s.MaxItems, s.Minimum, s.Maximum)}
	var next *spec.Ref
	switch {
	case s.Ref.String() != "" && len(s.Enum) == 0:
		next = &s.Ref
	case len(s.AllOf) == 1 && len(s.Properties) == 0 && s.AllOf[0].Ref.String() != "":
		next = &s.AllOf[0].Ref
	}
	if next != nil {
		target, file := o.resolve(file, *next)
		inherited := o.fact(file, target)
		inherited.ReadOnly = inherited.ReadOnly || f.ReadOnly
		for i, limit := range f.Limits {
			if limit != 0 {
				inherited.Limits[i] = limit
			}
		}
		return inherited
	}
	switch {
	case len(s.Type) == 1 && s.Type[0] != "object":
		f.Type = s.Type[0]
	case len(s.Enum) > 0:
		f.Type = "string"
	default:
		f.Type = "object"
	}
	if f.Type == "number" && s.Format == "int32" {
		f.Type = "integer" // the format says that it is a whole number
	}
	if len(s.Enum) > 0 {
		f.Enum, f.Limits = fmt.Sprintln(s.Enum...), [6]float64{} // limits add nothing to the values
	}
	return f
}

// onlyRead reports whether x-ms-mutability has neither create nor update.
func onlyRead(s *spec.Schema) bool {
	can, _ := s.Extensions.GetStringSlice("x-ms-mutability")
	return len(can) > 0 && !slices.Contains(can, "create") && !slices.Contains(can, "update")
}

// facts returns what this reader says about a type's own properties.
func (r *reader) facts(t *namedType) map[string]fact {
	facts := map[string]fact{}
	for _, p := range t.Properties {
		if p.Variant != "" || p.Spread {
			continue
		}
		f := fact{Required: p.Required, ReadOnly: p.ReadOnly, Type: "object"}
		if named := r.typeOf(p.Type); named != nil && named.Kind == ir.Enum {
			f.Type = string(named.Base)
			values := make([]any, len(named.Values))
			for i, value := range named.Values {
				values[i] = value.Value
			}
			f.Enum = fmt.Sprintln(values...)
		}
		if v := p.Validation; v != nil {
			f.Limits = limits(v.MinLength, v.MaxLength, v.MinItems, v.MaxItems, v.Minimum, v.Maximum)
		}
		switch p.Type.Primitive {
		case ir.String, ir.Integer, ir.Number, ir.Boolean:
			f.Type = string(p.Type.Primitive)
		}
		if p.Type.Items != nil {
			f.Type = "array"
		}
		facts[p.ARM] = f
	}
	return facts
}

// TestGoOpenAPI compares every definition of the published specs with what
// go-openapi/spec reads.
func TestGoOpenAPI(t *testing.T) {
	root := specs.Folder()
	if root == "" {
		t.Skip("ARMATURE_SPECS is not set: no checkout of the published specs to read")
	}
	root = filepath.Join(root, "azure-rest-api-specs")
	o := &oracle{t, root, map[string]json.RawMessage{}, map[string]*spec.Swagger{}}
	compared := 0
	for _, v := range documentstest.PublishedSwagger(t, root) {
		compared += o.compareVersion(v.Roots)
	}
	t.Logf("%d types compared", compared)
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// compareVersion compares all definitions of a version that are objects, and all
// variants of unions. It returns their number.
func (o *oracle) compareVersion(roots []string) int {
	r := newReader(documents.Input{Exports: map[string]string{}, Roots: roots, Read: func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(o.root, filepath.FromSlash(name)))
	}})
	r.readDocuments()
	for _, name := range slices.Sorted(maps.Keys(r.documents)) {
		doc := r.documents[name]
		for _, m := range doc.Root.Get("definitions").Members() {
			r.value(schema{doc, m.Value}, valueContext{hint: m.Name})
		}
	}
	if err := r.errs.Err(); err != nil {
		o.t.Error(err)
		return 0
	}
	compared := 0
	for key, typ := range r.objects {
		name := r.definitions[typ.at.node]
		if typ.Kind != ir.Object || name == "" {
			continue
		}
		compared++
		file := filepath.Join(o.root, typ.at.doc.Name)
		want, _ := o.properties(file, o.definition(file, name))
		delete(want, typ.Discriminator)
		if key.variant != nil {
			union := r.objects[typeKey{key.node, nil}]
			shared, _ := o.properties(filepath.Join(o.root, union.at.doc.Name),
				o.definition(filepath.Join(o.root, union.at.doc.Name), r.definitions[key.node]))
			for inherited := range shared {
				delete(want, inherited)
			}
		}
		for name, f := range want {
			if f.Type == "file" {
				f.Type = "object"
				want[name] = f
			}
		}
		if diff := cmp.Diff(want, r.facts(typ)); diff != "" {
			o.t.Errorf("%s %s (-go-openapi +reader):\n%s", typ.at.doc.Name, name, diff)
		}
	}
	return compared
}
