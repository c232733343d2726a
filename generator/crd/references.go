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
	limitNames(destination.Properties["name"])
	limitKeys(destination.Properties["key"])
	s.describe(destination, "Destination is a key of a Secret or a ConfigMap that the operator writes.")
	by := func(of *schema, doc string) *schema {
		return s.describe(&schema{Type: "object", MaxProperties: new(int64(64)), AdditionalProperties: of}, doc)
	}
	return s.describe(&schema{Type: "object", Properties: map[string]*schema{
		"secrets":     by(destination, "Secrets has, by the name of an output, where its value goes."),
		"configMaps":  by(destination, "ConfigMaps has the same for outputs that are no secrets."),
		"expressions": by(s.expression(), "Expressions has, by names of your choice, values that are computed, and where they go."),
		// A schema stands in each version of each CRD with outputs, and this would be seven.
		"secretMetadata": s.describe(&schema{Type: "object", MaxProperties: new(int64(64)), PreserveUnknown: true},
			"SecretMetadata has, by the name of a Secret that the operator writes, its type, labels and annotations."),
		"inlineChildren": s.describe(&schema{Type: "string", Enum: []literal{{reference.InlineComplete, true}}},
			"InlineChildren is Complete if the lists of children in the Spec are all that there is, apart from children with "+
				"objects: ARM deletes what they leave out. Otherwise children stay that the Spec has never listed."),
	}}, doc, "OperatorSpec is for the operator alone: ARM gets nothing of it.")
}

// limitNames limits a text to the names of Secrets and ConfigMaps, and limitKeys to their keys.
func limitNames(n *schema) {
	n.Pattern, n.MaxLength = `^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`, new(int64(253))
}
func limitKeys(n *schema) { n.Pattern, n.MaxLength = `^[-._a-zA-Z0-9]+$`, new(int64(253)) }

// expression returns the schema of reference.Expression.
func (s *schemer) expression() *schema {
	n := s.fields(map[string]string{
		"secret":    "Secret is the name of the Secret, in the same namespace.",
		"configMap": "ConfigMap is the name of the ConfigMap, instead of a Secret.",
		"key":       "Key is the key of the value.",
		"value":     "Value is an expression in CEL: text or bytes made of self, outputs and, for a Secret, secretOutputs.",
	}, "key", "value")
	limitNames(n.Properties["secret"])
	limitNames(n.Properties["configMap"])
	limitKeys(n.Properties["key"])
	n.Properties["value"].MaxLength = new(int64(4096))
	return s.describe(n, "Expression is a value that is computed, and the key of a Secret or a ConfigMap that it goes into.")
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
