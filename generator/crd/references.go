package crd

import (
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/runtime/reference"
)

// operatorSpec returns the schema of reference.OperatorSpec.
func (s *schemer) operatorSpec(doc string) *schema {
	destination := s.fields(map[string]string{
		"name": "Name is the name of the Secret or the ConfigMap, in the same namespace.",
		"key":  "Key is the key of the value.",
	}, "key", "name")
	for name, pattern := range map[string]string{"name": `^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`, "key": `^[-._a-zA-Z0-9]+$`} {
		n := destination.Properties[name]
		n.Pattern, n.MaxLength = pattern, new(int64(253))
	}
	s.describe(destination, "Destination is a key of a Secret or a ConfigMap that the operator writes.")
	into := func(doc string) *schema {
		return s.describe(&schema{Type: "object", MaxProperties: new(int64(64)), AdditionalProperties: destination}, doc)
	}
	return s.describe(&schema{Type: "object", Properties: map[string]*schema{
		"secrets":    into("Secrets has, by the name of an output, where its value goes."),
		"configMaps": into("ConfigMaps has the same for outputs that are no secrets."),
		"inlineChildren": s.describe(&schema{Type: "string", Enum: []literal{{reference.InlineComplete, true}}},
			"InlineChildren is Complete if the lists of children in the Spec are all that there is, apart from children with "+
				"objects: ARM deletes what they leave out. Otherwise children stay that the Spec has never listed."),
	}}, doc, "OperatorSpec is for the operator alone: ARM gets nothing of it.")
}

// condition returns the schema of metav1.Condition.
func (s *schemer) condition() *schema {
	docs := s.meta.Condition.SwaggerDoc()
	n := &schema{
		Type: "object",
		Properties: map[string]*schema{
			"lastTransitionTime": {Type: "string", Format: "date-time"},
			"message":            {Type: "string", MaxLength: new(int64(32768))},
			"observedGeneration": {Type: "integer", Format: "int64", Minimum: new(0.0)},
			"reason": {Type: "string", MinLength: new(int64(1)), MaxLength: new(int64(1024)),
				Pattern: `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`},
			"status": {Type: "string", Enum: []literal{{"True", true}, {"False", true}, {"Unknown", true}}},
			"type": {Type: "string", MaxLength: new(int64(316)),
				Pattern: `^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?` +
					`(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`},
		},
		Required: []string{"lastTransitionTime", "message", "reason", "status", "type"},
	}
	for name, p := range n.Properties {
		s.describe(p, docs[name])
	}
	return s.describe(n, docs[""])
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
		doc: "RoleDefinition refers to a role definition: to one that is managed in this cluster by group, kind and name, " +
			"to any by its ARM id, or to one of Azure's own roles by its name.",
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
		doc: "AnyOwner refers to the resource that an extension resource belongs to: " +
			"to one that is managed in this cluster by group, kind and name, or to any by its ARM id.",
		fields: map[string]string{
			"group": "Group is the API group of the owner in this cluster.",
			"kind":  "Kind is the kind of the owner in this cluster.",
			"name":  "Name is the name of the owner in this cluster, in the same namespace.",
			"armId": "ARMID is the id of the owner in ARM, instead of group, kind and name. \"/\" is the tenant.",
		},
	},
	ir.Value: {
		doc: "Value refers to a text that another object in the cluster has: to an output of a resource, or to a key of a " +
			"ConfigMap. It is never a Secret, because ARM shows what a plain property has.",
		fields: map[string]string{
			"group":  "Group is its API group. A ConfigMap has none.",
			"kind":   "Kind is its kind: one of a resource, or ConfigMap.",
			"name":   "Name is its name, in the same namespace.",
			"output": "Output is an output of the resource, or a key of the ConfigMap.",
		},
		required: []string{"kind", "name", "output"},
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
