package crd

import (
	"fmt"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/shape"
)

// Meta has the types of metav1 that every CRD contains, for their docs. The caller
// supplies them, because a verb that links metav1 takes longer to start than most
// verbs need for their work.
type Meta struct{ TypeMeta, Condition documented }

// documented has its own docs, under "", and those of its fields, under their JSON
// names.
type documented interface{ SwaggerDoc() map[string]string }

// schemer makes the OpenAPI schemas of a package.
type schemer struct {
	*shape.Package
	stops map[Stop]bool
	docs  docLevel
	meta  Meta
	// describedAt is the version that describes a Status, or "" if this one does.
	describedAt string
	// repeated is the number of lists and maps around the value.
	repeated int
	// trial, if there is one, tries properties as untyped ones.
	trial *trial
}

// WithoutDocs ends the description of a kind that was built from its facts alone.
const WithoutDocs = "It was built without the specs that Azure publishes, so nothing of it is described."

// root returns the schema of a resource.
func (s *schemer) root(r shape.Resource) *schema {
	meta := s.meta.TypeMeta.SwaggerDoc()
	without := ""
	if s.Version.WithoutDocs {
		without = WithoutDocs
	}
	return s.describeKnown(&schema{
		Type: "object",
		Properties: map[string]*schema{
			"apiVersion": s.describe(&schema{Type: "string"}, meta["apiVersion"]),
			"kind":       s.describe(&schema{Type: "string"}, meta["kind"]),
			"metadata":   {Type: "object"},
			"spec":       s.half(s.Type(r.Shape.Spec)),
			"status":     s.status(r),
		},
		Required: []string{"spec"},
	}, without, s.ResourceDoc(r))
}

// status returns the schema of a Status. At a version that is not the default one it is
// what the operator says itself, for those who wait for a condition, and any content
// beside it: clients do not write a Status, and what the conversion makes needs no check.
func (s *schemer) status(r shape.Resource) *schema {
	t := s.Type(r.Shape.Status)
	if s.describedAt == "" {
		return s.half(t)
	}
	own := *t
	own.Properties = slices.DeleteFunc(slices.Clone(t.Properties), func(p *ir.Property) bool {
		return p.Type.Primitive != ir.Conditions && p.Type.Primitive != ir.Generation
	})
	n := s.half(&own)
	n.PreserveUnknown = true
	return s.describeKnown(n, fmt.Sprintf("The rest is described at the default version: kubectl explain %s.status --api-version=%s/%s",
		r.Plural, s.Group, s.describedAt), t.Doc)
}

// unseen returns the Status of an object that the operator has not seen, which has observed a generation that no
// object has, so that no tool takes the object for ready. It returns nil for a type without an observed generation,
// such as a Spec.
func unseen(status *ir.Type) map[string]int64 {
	for _, p := range status.Properties {
		if p.Type.Primitive == ir.Generation {
			return map[string]int64{p.Name: -1}
		}
	}
	return nil
}

// half returns the schema of a Spec or a Status.
func (s *schemer) half(t *ir.Type) *schema {
	n := s.object(t)
	n.Default = unseen(t)
	return s.describe(n, t.Doc)
}

// object returns the schema of an object, without its description.
func (s *schemer) object(t *ir.Type) *schema {
	n := &schema{Type: "object", Properties: map[string]*schema{}}
	for _, p := range t.Properties {
		n.Properties[p.Name] = s.property(t, p)
		if p.Required && t.ValueFrom(p) == nil {
			n.Required = append(n.Required, p.Name)
		}
	}
	slices.Sort(n.Required)
	s.addAlternatives(n, t)
	if shape.IsUnion(t) {
		s.addUnion(n, t)
	}
	return n
}

// addAlternatives adds to a schema that a text and the reference to it are not both set, in the way of
// [schemer.addUnion].
func (s *schemer) addAlternatives(n *schema, t *ir.Type) {
	for _, a := range shape.Alternatives(t) {
		names := []string{a.Property, a.From}
		if s.repeated == 0 {
			n.Validations = append(n.Validations, oneRule(names, a.Required))
			continue
		}
		both := &condition{Not: &condition{Required: names}}
		if a.Required {
			both = &condition{OneOf: []*condition{{Required: names[:1]}, {Required: names[1:]}}}
		}
		n.AllOf = append(n.AllOf, both)
	}
}

// addUnion adds to a schema that a union has one variant. A rule has a message that
// a person understands, but an API server refuses rules that may cost too much,
// which depends on how often they are checked. So a union in a list or a map has a
// oneOf.
func (s *schemer) addUnion(n *schema, t *ir.Type) {
	if r, ok := unionRule(t); ok && s.repeated == 0 {
		n.Validations = append(n.Validations, r)
		return
	}
	n.OneOf = oneOf(t)
}

// oneOf returns conditions that require one of the variants of a union, or also
// allows none.
func oneOf(t *ir.Type) []*condition {
	var one []*condition
	for _, name := range shape.Variants(t) {
		one = append(one, &condition{Required: []string{name}})
	}
	if t.VariantOptional {
		one = append(one, &condition{Not: &condition{AnyOf: slices.Clone(one)}})
	}
	return one
}

// property returns the schema of a property.
func (s *schemer) property(t *ir.Type, p *ir.Property) *schema {
	if s.trial != nil {
		return s.trial.property(s, t, p)
	}
	return s.typed(t, p)
}

// typed returns the schema of a property that is of its own type.
func (s *schemer) typed(t *ir.Type, p *ir.Property) *schema {
	if s.stops[Stop{t.Name, p.Name}] {
		return s.describe(anyObjects(p.Type), p.Doc, s.Type(p.Type.Leaf().Named).Doc)
	}
	n := s.value(p.Type, p.Doc)
	if p.WholeSecret {
		n.Required = []string{"name"}
		const key = "Key is the key of the value in the Secret, as JSON. Without it all keys are properties of the value."
		s.describe(n.Properties["key"], key)
	}
	n.Validations = append(n.Validations, OperatorRules(s.Package, t, p)...)
	s.addLimits(n, p.Type, p.Validation)
	if p.Type.Items != nil {
		s.addLimits(n.Items, *p.Type.Items, p.ItemValidation)
	}
	if p.Type.Map != nil {
		s.addLimits(n.AdditionalProperties, *p.Type.Map, p.ItemValidation)
	}
	if keys := s.ListKeys(p); len(keys) > 0 {
		n.ListType, n.ListMapKeys = "map", keys
	}
	return n
}

// anyObjects returns the schema with which one stops: objects of any content.
func anyObjects(r ir.TypeRef) *schema {
	switch {
	case r.Items != nil:
		return &schema{Type: "array", Items: anyObjects(*r.Items)}
	case r.Map != nil:
		return &schema{Type: "object", AdditionalProperties: anyObjects(*r.Map)}
	}
	return &schema{Type: "object", PreserveUnknown: true}
}

// value returns the schema of a value, described by doc or by the doc of its type.
func (s *schemer) value(r ir.TypeRef, doc string) *schema {
	switch {
	case r.Items != nil:
		return s.container(&schema{Type: "array", Items: s.element(*r.Items)}, r, doc)
	case r.Map != nil:
		return s.container(&schema{Type: "object", AdditionalProperties: s.element(*r.Map)}, r, doc)
	case r.Named == "":
		return s.primitive(r.Primitive, doc)
	}
	t := s.Type(r.Named)
	if t.Kind == ir.Enum {
		return s.describeKnown(enum(t), shape.Known(t), doc, t.Doc)
	}
	return s.describe(s.object(t), doc, t.Doc)
}

// container describes the schema of a list or a map. A description of its own ends
// in the values of an open enum, because kubectl explain shows no other.
func (s *schemer) container(n *schema, r ir.TypeRef, doc string) *schema {
	if doc == "" {
		return n
	}
	return s.describeKnown(n, shape.Known(s.Type(r.Leaf().Named)), doc)
}

// element returns the schema of an element of a list or a map.
func (s *schemer) element(r ir.TypeRef) *schema {
	s.repeated++
	defer func() { s.repeated-- }()
	return s.value(r, "")
}

// enum returns the schema of an enum. An open one lists no values, because ARM
// accepts others.
func enum(t *ir.Type) *schema {
	n := scalar(t.Base)
	if !t.Open {
		for _, v := range t.Values {
			n.Enum = append(n.Enum, literal{v.Value, t.Base == ir.String})
		}
	}
	return n
}

// scalar returns the schema of a scalar.
func scalar(p ir.Primitive) *schema {
	if p == ir.Integer {
		return &schema{Type: "integer", Format: "int64"}
	}
	return &schema{Type: string(p)}
}

// primitive returns the schema of a value that has no type in the IR.
func (s *schemer) primitive(p ir.Primitive, doc string) *schema {
	switch p {
	case ir.Any:
		return s.describe(&schema{PreserveUnknown: true}, doc)
	case ir.OperatorSpec:
		return s.operatorSpec(doc)
	case ir.Conditions:
		return s.describe(&schema{Type: "array", Items: s.condition()}, doc)
	case ir.Generation:
		return s.describe(scalar(ir.Integer), doc)
	}
	if ref, known := references[p]; known {
		return s.describe(s.fields(ref.fields, ref.required...), doc, ref.doc)
	}
	return s.describe(scalar(p), doc)
}

// fields returns the schema of an object whose properties are strings.
func (s *schemer) fields(docs map[string]string, required ...string) *schema {
	n := &schema{Type: "object", Properties: map[string]*schema{}, Required: required}
	for name, doc := range docs {
		n.Properties[name] = s.describe(&schema{Type: "string"}, doc)
	}
	return n
}

// addLimits adds the limits of a validation to a schema.
func (s *schemer) addLimits(n *schema, r ir.TypeRef, from *ir.Validation) {
	if from == nil {
		return
	}
	v := s.Limits(r, from)
	n.MinLength, n.MaxLength, n.Pattern = v.MinLength, v.MaxLength, v.Pattern
	n.Minimum, n.ExclusiveMinimum = v.Minimum, v.ExclusiveMinimum
	n.Maximum, n.ExclusiveMaximum = v.Maximum, v.ExclusiveMaximum
	n.MultipleOf, n.MinItems, n.MaxItems = v.MultipleOf, v.MinItems, v.MaxItems
}
