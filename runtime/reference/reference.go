// Package reference has the types by which the Spec of a resource refers to what
// it does not hold itself: another ARM resource ([Resource], [RoleDefinition]), its own parent
// ([Owner], [AnyOwner]), a secret value ([Secret]), or a value that another object has ([Value]). It also
// has what a user asks of the operator beside the resource ([OperatorSpec]).
// +kubebuilder:object:generate=true
package reference

import (
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Resource refers to an ARM resource: to one that is managed in this cluster by group, kind and
// name, or to any by its ARM id.
type Resource struct {
	// Group is the API group of the resource in this cluster.
	Group string `json:"group,omitempty"`
	// Kind is the kind of the resource in this cluster.
	Kind string `json:"kind,omitempty"`
	// Name is the name of the resource in this cluster, in the same namespace.
	Name string `json:"name,omitempty"`
	// ARMID is the id of the resource in ARM, instead of group, kind and name.
	ARMID string `json:"armId,omitempty"`
}

// RoleDefinition refers to a role definition: to one that is managed in this cluster by group, kind
// and name, to any by its ARM id, or to one of Azure's own roles by its name.
type RoleDefinition struct {
	// Group is the API group of the role definition in this cluster.
	Group string `json:"group,omitempty"`
	// Kind is the kind of the role definition in this cluster.
	Kind string `json:"kind,omitempty"`
	// Name is the name of the role definition in this cluster, in the same namespace.
	Name string `json:"name,omitempty"`
	// ARMID is the id of the role definition in ARM, instead of group, kind and name.
	ARMID string `json:"armId,omitempty"`
	// WellKnownName is the name of one of Azure's own roles, such as Contributor, instead of all
	// others.
	WellKnownName string `json:"wellKnownName,omitempty"`
}

// Owner refers to the parent of a resource, whose kind is known: by its name in this cluster or
// by its ARM id.
type Owner struct {
	// Name is the name of the owner in this cluster, in the same namespace.
	Name string `json:"name,omitempty"`
	// ARMID is the id of the owner in ARM, instead of a name.
	ARMID string `json:"armId,omitempty"`
}

// AnyOwner refers to the resource that an extension resource belongs to: to one that is managed in
// this cluster by group, kind and name, or to any by its ARM id.
type AnyOwner struct {
	// Group is the API group of the owner in this cluster.
	Group string `json:"group,omitempty"`
	// Kind is the kind of the owner in this cluster.
	Kind string `json:"kind,omitempty"`
	// Name is the name of the owner in this cluster, in the same namespace.
	Name string `json:"name,omitempty"`
	// ARMID is the id of the owner in ARM, instead of group, kind and name. "/" is the tenant.
	ARMID string `json:"armId,omitempty"`
}

// Secret refers to a value in a Kubernetes Secret.
type Secret struct {
	// Name is the name of the Secret, in the same namespace.
	Name string `json:"name"`
	// Key is the key of the value in the Secret.
	// +required
	Key string `json:"key,omitempty"` // "" is all keys, as an object of texts
}

// Value refers to a text that another object in the cluster has: to an output of a resource, or to a
// key of a ConfigMap. It is never a Secret, because ARM shows what a plain property has.
type Value struct {
	// Group is its API group. A ConfigMap has none.
	Group string `json:"group,omitempty"`
	// Kind is its kind: one of a resource, or ConfigMap.
	Kind string `json:"kind"`
	// Name is its name, in the same namespace.
	Name string `json:"name"`
	// Output is an output of the resource, or a key of the ConfigMap.
	Output string `json:"output"`
}

// OperatorSpec is for the operator alone: ARM gets nothing of it.
type OperatorSpec struct {
	// Secrets has, by the name of an output, where its value goes.
	// +kubebuilder:validation:MaxProperties=64
	Secrets map[string]Destination `json:"secrets,omitzero"`
	// ConfigMaps has the same for outputs that are no secrets.
	// +kubebuilder:validation:MaxProperties=64
	ConfigMaps map[string]Destination `json:"configMaps,omitzero"`
	// Expressions has, by names of your choice, values that are computed, and where they go.
	// +kubebuilder:validation:MaxProperties=64
	Expressions map[string]Expression `json:"expressions,omitzero"`
	// SecretMetadata has, by the name of a Secret that the operator writes, its type, labels and
	// annotations.
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:validation:MaxProperties=64
	// +kubebuilder:pruning:PreserveUnknownFields
	SecretMetadata map[string]SecretMetadata `json:"secretMetadata,omitzero"`
	// InlineChildren is Complete if the lists of children in the Spec are all that there is,
	// apart from children with objects: ARM deletes what they leave out. Otherwise children
	// stay that the Spec has never listed.
	// +kubebuilder:validation:Enum=Complete
	InlineChildren string `json:"inlineChildren,omitempty"`
}

// InlineComplete is the value of [OperatorSpec.InlineChildren] that makes the lists complete.
const InlineComplete = "Complete"

// Expression is a value that is computed, and the key of a Secret or a ConfigMap that it goes into.
type Expression struct {
	// Secret is the name of the Secret, in the same namespace.
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`
	Secret string `json:"secret,omitempty"`
	// ConfigMap is the name of the ConfigMap, instead of a Secret.
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`
	ConfigMap string `json:"configMap,omitempty"`
	// Key is the key of the value.
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[-._a-zA-Z0-9]+$`
	Key string `json:"key"`
	// Value is an expression in CEL: text or bytes made of self, outputs and, for a Secret,
	// secretOutputs.
	// +kubebuilder:validation:MaxLength=4096
	Value string `json:"value"`
}

// SecretMetadata is what a Secret has beside its values. No schema of a CRD has it, which would have
// it hundreds of times: the webhook and the operator refuse what is wrong.
type SecretMetadata struct {
	// Type is one of [SecretTypes], Opaque if none is given. It cannot change.
	Type string `json:"type,omitempty"`
	// Labels are labels of it.
	Labels map[string]string `json:"labels,omitzero"`
	// Annotations are annotations of it.
	Annotations map[string]string `json:"annotations,omitzero"`
	// Unknown has the properties that are none of these, such as one whose name is misspelled. An API server
	// keeps them, and so do conversions; the operator refuses them.
	Unknown map[string]apiextensionsv1.JSON `json:"-"`
}

// fields returns the properties that are known.
func (m *SecretMetadata) fields() map[string]any {
	return map[string]any{"type": &m.Type, "labels": &m.Labels, "annotations": &m.Annotations}
}

// UnmarshalJSON reads the properties, also those that are unknown.
func (m *SecretMetadata) UnmarshalJSON(text []byte) error {
	*m = SecretMetadata{}
	if err := json.Unmarshal(text, &m.Unknown); err != nil {
		return err
	}
	for name, field := range m.fields() {
		value := m.Unknown[name].Raw
		if delete(m.Unknown, name); len(value) == 0 { // it is absent or null
			continue
		}
		if err := json.Unmarshal(value, field); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(m.Unknown) == 0 {
		m.Unknown = nil
	}
	return nil
}

// MarshalJSON writes the properties, also those that are unknown.
func (m SecretMetadata) MarshalJSON() ([]byte, error) {
	all := map[string]any{}
	for name, value := range m.Unknown {
		all[name] = value
	}
	if m.Type != "" {
		all["type"] = m.Type
	}
	if m.Labels != nil {
		all["labels"] = m.Labels
	}
	if m.Annotations != nil {
		all["annotations"] = m.Annotations
	}
	return json.Marshal(all)
}

// SecretTypes are the types that a Secret may have. Of each other type something in the cluster makes more
// than a text: of a token for a ServiceAccount, for example, the token of any account that an annotation names.
var SecretTypes = []string{"Opaque", "kubernetes.io/basic-auth", "kubernetes.io/dockerconfigjson", "kubernetes.io/tls"}

// Destination is a key of a Secret or a ConfigMap that the operator writes.
type Destination struct {
	// Name is the name of the Secret or the ConfigMap, in the same namespace.
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`
	Name string `json:"name"`
	// Key is the key of the value.
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[-._a-zA-Z0-9]+$`
	Key string `json:"key"`
}
