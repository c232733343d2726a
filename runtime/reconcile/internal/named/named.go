// Package named identifies objects in the cluster.
package named

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Object identifies an object. Without a name it stands for the objects of a kind in a namespace.
type Object struct {
	schema.GroupKind
	types.NamespacedName
}

// Of returns the Object of a kind and a name.
func Of(kind schema.GroupKind, name types.NamespacedName) Object { return Object{kind, name} }

// Outputs returns what stands for the outputs of an object. No object has such a name.
func (o Object) Outputs() Object {
	o.Name += "/outputs"
	return o
}

// String returns the kind, the namespace and the name.
func (o Object) String() string { return o.Kind + " " + o.NamespacedName.String() }

// The kinds of objects with contents.
var (
	SecretKind    = schema.GroupKind{Kind: "Secret"}
	ConfigMapKind = schema.GroupKind{Kind: "ConfigMap"}
)

// NameIn returns how a message to the readers of a namespace names the object. They are not told the names
// of objects in other namespaces.
func (o Object) NameIn(namespace string) string {
	if o.Namespace != namespace {
		return "an object of another namespace"
	}
	return o.String()
}
