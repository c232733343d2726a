package emit

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// node is a JSON object in a CRD.
type node map[string]any

// list is a JSON array in a CRD.
type list []any

// docLevel says how much of the docs a schema keeps.
type docLevel int

// The levels of docs.
const (
	noDocs docLevel = iota
	firstSentences
	fullDocs
)

// keep returns the part of a doc that the level keeps.
func (l docLevel) keep(doc string) string {
	switch l {
	case noDocs:
		return ""
	case firstSentences:
		return firstSentence(doc)
	}
	return flow(doc)
}

// flow returns a doc with one line for each paragraph.
func flow(doc string) string {
	var lines []string
	for _, words := range paragraphs(doc) {
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "\n")
}

// abbreviations end in a period that does not end the sentence.
var abbreviations = []string{"e.g.", "i.e.", "etc.", "vs.", "eg.", "ie.", "cf.", "incl.", "no.", "ex."}

// firstSentence returns the first sentence of a doc's first paragraph. A period
// ends it if a space and no lower-case letter follow.
func firstSentence(doc string) string {
	all := paragraphs(doc)
	if len(all) == 0 {
		return ""
	}
	words := all[0]
	for i, word := range words {
		word = strings.TrimRight(word, `)"'`)
		if !strings.HasSuffix(word, ".") && !strings.HasSuffix(word, "!") && !strings.HasSuffix(word, "?") {
			continue
		}
		abbreviated := slices.Contains(abbreviations, strings.ToLower(strings.TrimLeft(word, `("'`)))
		if i+1 < len(words) && (abbreviated || startsLower(words[i+1])) {
			continue
		}
		return strings.Join(words[:i+1], " ")
	}
	return strings.Join(words, " ")
}

func startsLower(word string) bool { return word[0] >= 'a' && word[0] <= 'z' }

// Meta has the types of metav1 that every CRD contains, for their docs. The caller
// supplies them, because a verb that links metav1 takes longer to start than most
// verbs need for their work.
type Meta struct{ TypeMeta, Condition documented }

// documented has its own docs, under "", and those of its fields, under their JSON
// names.
type documented interface{ SwaggerDoc() map[string]string }

// schemer makes the OpenAPI schemas of a package.
type schemer struct {
	*goPackage
	docs docLevel
	meta Meta
	// repeated is the number of lists and maps around the value.
	repeated int
	// trial, if there is one, tries properties as untyped ones.
	trial *trial
}

// describe adds the part of a doc that the schema keeps, if there is any.
func (s *schemer) describe(n node, docs ...string) node { return s.describeKnown(n, "", docs...) }

// describeKnown adds the part of a doc that the schema keeps, and the values of an
// open enum.
func (s *schemer) describeKnown(n node, known string, docs ...string) node {
	kept := ""
	for _, doc := range docs {
		if kept = s.docs.keep(doc); kept != "" {
			break
		}
	}
	if s.docs != noDocs {
		kept = withKnown(kept, naming.Visible(known))
	}
	if kept != "" {
		n["description"] = kept
	}
	return n
}

// root returns the schema of a resource.
func (s *schemer) root(r resource) node {
	meta := s.meta.TypeMeta.SwaggerDoc()
	spec := s.half(r.shape.Spec)
	properties := node{
		"apiVersion": s.describe(node{"type": "string"}, meta["apiVersion"]),
		"kind":       s.describe(node{"type": "string"}, meta["kind"]),
		"metadata":   node{"type": "object"},
		"spec":       spec,
	}
	properties["status"] = s.half(r.shape.Status)
	n := node{"type": "object", "properties": properties, "required": list{"spec"}}
	return s.describe(n, s.resourceDoc(r))
}

// half returns the schema of a Spec or a Status.
func (s *schemer) half(name string) node {
	t := s.types[name]
	return s.describe(s.object(t), t.Doc)
}

// object returns the schema of an object, without its description.
func (s *schemer) object(t *ir.Type) node {
	n := node{"type": "object"}
	properties := node{}
	var required []string
	for _, p := range t.Properties {
		properties[p.Name] = s.property(t, p)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	if len(properties) > 0 {
		n["properties"] = properties
	}
	if len(required) > 0 {
		slices.Sort(required)
		n["required"] = texts(required)
	}
	if s.validates(t) {
		s.addUnion(n, t)
	}
	return n
}

// addUnion adds to a schema that a union has one variant. A rule has a message that
// a person understands, but an API server refuses rules that may cost too much,
// which depends on how often they are checked. So a union in a list or a map has a
// oneOf.
func (s *schemer) addUnion(n node, t *ir.Type) {
	if r, ok := unionRule(t); ok && s.repeated == 0 {
		addRules(n, []rule{r})
		return
	}
	n["oneOf"] = oneOf(t)
}

// oneOf returns a schema that requires one of the variants of a union, or also
// allows none.
func oneOf(t *ir.Type) list {
	var one list
	for _, name := range variants(t) {
		one = append(one, node{"required": list{name}})
	}
	if t.VariantOptional {
		one = append(one, node{"not": node{"anyOf": slices.Clone(one)}})
	}
	return one
}

// property returns the schema of a property.
func (s *schemer) property(t *ir.Type, p *ir.Property) node {
	if s.trial != nil {
		return s.trial.property(s, t, p)
	}
	return s.typed(t, p)
}

// typed returns the schema of a property that is of its own type.
func (s *schemer) typed(t *ir.Type, p *ir.Property) node {
	if s.cut[stop{t.Name, p.Name}] {
		return s.describe(cut(p.Type), p.Doc)
	}
	n := s.value(p.Type, p.Doc)
	addRules(n, s.outputRules(t, p))
	s.addLimits(n, p.Type, p.Validation)
	if p.Type.Items != nil {
		s.addLimits(n["items"].(node), *p.Type.Items, p.ItemValidation)
	}
	if p.Type.Map != nil {
		s.addLimits(n["additionalProperties"].(node), *p.Type.Map, p.ItemValidation)
	}
	keys := s.listKeys(p)
	if p.Type.Primitive == ir.Conditions {
		keys = []string{"type"}
	}
	if len(keys) > 0 {
		n["x-kubernetes-list-type"] = "map"
		n["x-kubernetes-list-map-keys"] = texts(keys)
	}
	return n
}

// cut returns the schema with which one stops: objects of any content.
func cut(r ir.TypeRef) node {
	switch {
	case r.Items != nil:
		return node{"type": "array", "items": cut(*r.Items)}
	case r.Map != nil:
		return node{"type": "object", "additionalProperties": cut(*r.Map)}
	}
	return node{"type": "object", preserve: true}
}

const preserve = "x-kubernetes-preserve-unknown-fields"

// value returns the schema of a value, described by doc or by the doc of its type.
func (s *schemer) value(r ir.TypeRef, doc string) node {
	switch {
	case r.Items != nil:
		return s.container(node{"type": "array", "items": s.element(*r.Items)}, r, doc)
	case r.Map != nil:
		return s.container(node{"type": "object", "additionalProperties": s.element(*r.Map)}, r, doc)
	case r.Named == "":
		return s.primitive(r.Primitive, doc)
	}
	t := s.types[r.Named]
	if t.Kind == ir.Enum {
		return s.describeKnown(enum(t), known(t), doc, t.Doc)
	}
	return s.describe(s.object(t), doc, t.Doc)
}

// container describes the schema of a list or a map. A description of its own ends
// in the values of an open enum, because kubectl explain shows no other.
func (s *schemer) container(n node, r ir.TypeRef, doc string) node {
	if doc == "" {
		return n
	}
	return s.describeKnown(n, known(s.types[r.Leaf().Named]), doc)
}

// element returns the schema of an element of a list or a map.
func (s *schemer) element(r ir.TypeRef) node {
	s.repeated++
	defer func() { s.repeated-- }()
	return s.value(r, "")
}

// enum returns the schema of an enum. An open one lists no values, because ARM
// accepts others.
func enum(t *ir.Type) node {
	n := scalar(t.Base)
	if t.Open {
		return n
	}
	var values list
	for _, v := range t.Values {
		values = append(values, constant{literal(t.Base, v.Value)})
	}
	n["enum"] = values
	return n
}

// constant is JSON text.
type constant struct{ json string }

// MarshalJSON returns the text itself.
func (c constant) MarshalJSON() ([]byte, error) { return []byte(c.json), nil }

// scalar returns the schema of a scalar.
func scalar(p ir.Primitive) node {
	if p == ir.Integer {
		return node{"type": "integer", "format": "int64"}
	}
	return node{"type": string(p)}
}

// primitive returns the schema of a value that has no type in the IR.
func (s *schemer) primitive(p ir.Primitive, doc string) node {
	switch p {
	case ir.Any:
		return s.describe(node{preserve: true}, doc)
	case ir.OperatorSpec:
		return s.operatorSpec(doc)
	case ir.Conditions:
		return s.describe(node{"type": "array", "items": s.condition()}, doc)
	}
	if ref, known := references[p]; known {
		n := s.fields(ref.fields, ref.required)
		return s.describe(n, doc, ref.doc)
	}
	return s.describe(scalar(p), doc)
}

// operatorSpec returns the schema of reference.OperatorSpec.
func (s *schemer) operatorSpec(doc string) node {
	destination := s.fields(map[string]string{
		"name": "Name is the name of the Secret or the ConfigMap, in the same namespace.",
		"key":  "Key is the key of the value.",
	}, []string{"key", "name"})
	properties := destination["properties"].(node)
	for name, pattern := range map[string]string{"name": `^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`, "key": `^[-._a-zA-Z0-9]+$`} {
		n := properties[name].(node)
		n["pattern"], n["maxLength"] = pattern, int64(253)
	}
	s.describe(destination, "Destination is a key of a Secret or a ConfigMap that the operator writes.")
	into := func(doc string) node {
		return s.describe(node{"type": "object", "maxProperties": int64(64), "additionalProperties": destination}, doc)
	}
	return s.describe(node{"type": "object", "properties": node{
		"secrets":    into("Secrets has, by the name of an output, where its value goes."),
		"configMaps": into("ConfigMaps has the same for outputs that are no secrets."),
	}}, doc, "OperatorSpec is for the operator alone: ARM gets nothing of it.")
}

// fields returns the schema of an object whose properties are strings.
func (s *schemer) fields(docs map[string]string, required []string) node {
	properties := node{}
	for name, doc := range docs {
		properties[name] = s.describe(node{"type": "string"}, doc)
	}
	n := node{"type": "object", "properties": properties}
	if len(required) > 0 {
		n["required"] = texts(required)
	}
	return n
}

// condition returns the schema of metav1.Condition.
func (s *schemer) condition() node {
	docs := s.meta.Condition.SwaggerDoc()
	properties := node{
		"lastTransitionTime": node{"type": "string", "format": "date-time"},
		"message":            node{"type": "string", "maxLength": int64(32768)},
		"observedGeneration": node{"type": "integer", "format": "int64", "minimum": float64(0)},
		"reason": node{"type": "string", "minLength": int64(1), "maxLength": int64(1024),
			"pattern": `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`},
		"status": node{"type": "string", "enum": list{"True", "False", "Unknown"}},
		"type": node{"type": "string", "maxLength": int64(316),
			"pattern": `^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`},
	}
	for name, p := range properties {
		s.describe(p.(node), docs[name])
	}
	n := node{"type": "object", "properties": properties,
		"required": list{"lastTransitionTime", "message", "reason", "status", "type"}}
	return s.describe(n, docs[""])
}

// addLimits adds the limits of a validation to a schema.
func (s *schemer) addLimits(n node, r ir.TypeRef, from *ir.Validation) {
	v := s.limit(r, from)
	setNumber := func(key string, value *float64) {
		if value != nil {
			n[key] = *value
		}
	}
	setInteger := func(key string, value *int64) {
		if value != nil {
			n[key] = *value
		}
	}
	setInteger("minLength", v.MinLength)
	setInteger("maxLength", v.MaxLength)
	if v.Pattern != "" {
		n["pattern"] = v.Pattern
	}
	setNumber("minimum", v.Minimum)
	setNumber("maximum", v.Maximum)
	if v.ExclusiveMinimum {
		n["exclusiveMinimum"] = true
	}
	if v.ExclusiveMaximum {
		n["exclusiveMaximum"] = true
	}
	setNumber("multipleOf", v.MultipleOf)
	setInteger("minItems", v.MinItems)
	setInteger("maxItems", v.MaxItems)
}

func texts(all []string) list {
	l := make(list, len(all))
	for i, text := range all {
		l[i] = text
	}
	return l
}

// references has the schemas of the types of runtime/reference, with their Go docs.
var references = map[ir.Primitive]referenceType{
	ir.Reference: {
		doc: "Resource refers to an ARM resource: to one that is managed in this cluster by group, kind and name, or to any by its ARM id.",
		fields: map[string]string{
			"group": "Group is the API group of the resource in this cluster.",
			"kind":  "Kind is the kind of the resource in this cluster.",
			"name":  "Name is the name of the resource in this cluster, in the same namespace.",
			"armId": "ARMID is the id of the resource in ARM, instead of group, kind and name.",
		},
	},
	ir.RoleDefinition: {
		doc: "RoleDefinition refers to a role definition: to one that is managed in this cluster by group, kind and name, to any by its ARM id, or to one of Azure's own roles by its name.",
		fields: map[string]string{
			"group":         "Group is the API group of the role definition in this cluster.",
			"kind":          "Kind is the kind of the role definition in this cluster.",
			"name":          "Name is the name of the role definition in this cluster, in the same namespace.",
			"armId":         "ARMID is the id of the role definition in ARM, instead of group, kind and name.",
			"wellKnownName": "WellKnownName is the name of one of Azure's own roles, such as Contributor, instead of all others.",
		},
	},
	ir.Owner: {
		doc: "Owner refers to the parent of a resource, whose kind is known: by its name in this cluster or by its ARM id.",
		fields: map[string]string{
			"name":  "Name is the name of the owner in this cluster, in the same namespace.",
			"armId": "ARMID is the id of the owner in ARM, instead of a name.",
		},
	},
	ir.AnyOwner: {
		doc: "AnyOwner refers to the resource that an extension resource belongs to: to one that is managed in this cluster by group, kind and name, or to any by its ARM id.",
		fields: map[string]string{
			"group": "Group is the API group of the owner in this cluster.",
			"kind":  "Kind is the kind of the owner in this cluster.",
			"name":  "Name is the name of the owner in this cluster, in the same namespace.",
			"armId": "ARMID is the id of the owner in ARM, instead of group, kind and name.",
		},
	},
	ir.Secret:     secretType,
	ir.SecretJSON: secretType,
}

// secretType is the type reference.Secret; the value in the Secret may be text or
// JSON.
var secretType = referenceType{
	doc: "Secret refers to a value in a Kubernetes Secret.",
	fields: map[string]string{
		"name": "Name is the name of the Secret, in the same namespace.",
		"key":  "Key is the key of the value in the Secret.",
	},
	required: []string{"key", "name"},
}

type referenceType struct {
	doc      string
	fields   map[string]string
	required []string
}
