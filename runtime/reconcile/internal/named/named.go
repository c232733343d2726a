// Package named names objects in the cluster.
package named

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Object names an object, or with no name something about all of a namespace.
type Object struct {
	schema.GroupKind
	types.NamespacedName
}

// Of names an object of a kind.
func Of(kind schema.GroupKind, name types.NamespacedName) Object { return Object{kind, name} }

func (o Object) String() string { return o.Kind + " " + o.NamespacedName.String() }

// The kinds of objects with contents.
var (
	SecretKind    = schema.GroupKind{Kind: "Secret"}
	ConfigMapKind = schema.GroupKind{Kind: "ConfigMap"}
)

// NameIn returns the name of the object in a message to the readers of a namespace. They are not
// told the names of another one.
func (o Object) NameIn(namespace string) string {
	if o.Namespace != namespace {
		return "an object of another namespace"
	}
	return o.String()
}
