// Package outputs says what goes into the Secrets and ConfigMaps that an object asks for.
package outputs

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reference"
)

// In stands for the Secrets or the ConfigMaps of a namespace that have outputs. Who looks
// at it is told of those that belong to it.
func In(of schema.GroupKind, namespace string) named.Object {
	return named.Object{GroupKind: of, NamespacedName: types.NamespacedName{Namespace: namespace}}
}

// Container is a Secret or a ConfigMap that an object wants to have.
type Container struct {
	named.Object
	Outputs map[string]arm.Output // by key
}

// Wanted returns what a Spec asks for, sorted by kind and name, of the outputs that its kind
// has. wrong says what cannot be.
func Wanted(namespace string, known []arm.Output, asked reference.OperatorSpec) (all []*Container, wrong []string) {
	byName := map[string]arm.Output{}
	var names []string
	for _, o := range known {
		byName[o.Name] = o
		names = append(names, o.Name)
	}
	found := map[named.Object]*Container{}
	for _, half := range []struct {
		field string
		kind  schema.GroupKind
		asked map[string]reference.Destination
	}{{"secrets", named.SecretKind, asked.Secrets}, {"configMaps", named.ConfigMapKind, asked.ConfigMaps}} {
		for _, name := range slices.Sorted(maps.Keys(half.asked)) {
			to, at := half.asked[name], "spec.operatorSpec."+half.field+"."+name
			of := named.Object{GroupKind: half.kind, NamespacedName: types.NamespacedName{Namespace: namespace, Name: to.Name}}
			o, isKnown := byName[name]
			switch {
			case !isKnown:
				wrong = append(wrong, fmt.Sprintf("%s: there is no such output, expected one of %s", at, strings.Join(names, ", ")))
				continue
			case half.kind == named.ConfigMapKind && o.Action != "":
				wrong = append(wrong, at+": it is a secret, which goes into Secrets only")
				continue
			case half.kind == named.SecretKind && to.Name == credentials.SecretName:
				wrong = append(wrong, fmt.Sprintf("%s: Secret %s is for the credential of the namespace: name another one", at, to.Name))
				continue
			case found[of] == nil:
				found[of] = &Container{of, map[string]arm.Output{}}
			case found[of].Outputs[to.Key].Name != "":
				wrong = append(wrong, fmt.Sprintf("%s: the key %q of %v is that of %s", at, to.Key, of, found[of].Outputs[to.Key].Name))
			}
			found[of].Outputs[to.Key] = o
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b *Container) int { return strings.Compare(a.String(), b.String()) }), wrong
}

// Fill returns the Secret or the ConfigMap as it is to be: with the outputs that are meant for
// it and nothing else, belonging to an owner. own is the one that there is, or nil. Where a
// value is not known, what an action answered before stays.
func (c *Container) Fill(own client.Object, values map[string][]byte, owner metav1.OwnerReference) client.Object {
	data, before := map[string][]byte{}, map[string][]byte{}
	next := New(c.Object)
	if own != nil {
		before, next = Data(own), own.DeepCopyObject().(client.Object)
	}
	for key, o := range c.Outputs {
		if value, found := values[o.Name]; found {
			data[key] = value
		} else if old := before[key]; o.Action != "" && old != nil {
			data[key] = old
		}
	}
	SetData(next, data)
	references := slices.DeleteFunc(slices.Clone(next.GetOwnerReferences()),
		func(o metav1.OwnerReference) bool { return o.UID == owner.UID })
	next.SetOwnerReferences(append(references, owner))
	Label(next, owner.UID)
	return next
}

// Label lets a Secret or a ConfigMap be found as that of an owner.
func Label(object client.Object, owner types.UID) {
	labels := maps.Clone(object.GetLabels())
	if labels == nil {
		labels = map[string]string{}
	}
	labels[annotation.OutputOf] = string(owner)
	object.SetLabels(labels)
}

// New returns an empty Secret or ConfigMap.
func New(of named.Object) client.Object {
	at := metav1.ObjectMeta{Namespace: of.Namespace, Name: of.Name}
	if of.GroupKind == named.SecretKind {
		return &corev1.Secret{ObjectMeta: at, Type: corev1.SecretTypeOpaque}
	}
	return &corev1.ConfigMap{ObjectMeta: at}
}

// Data returns the content of a Secret or a ConfigMap. Every value is there, also an
// empty one.
func Data(object client.Object) map[string][]byte {
	data := map[string][]byte{}
	switch object := object.(type) {
	case *corev1.Secret:
		for key, value := range object.Data {
			data[key] = append([]byte{}, value...)
		}
	case *corev1.ConfigMap:
		for key, value := range object.Data {
			data[key] = []byte(value)
		}
	}
	return data
}

// SetData sets the content of a Secret or a ConfigMap.
func SetData(object client.Object, data map[string][]byte) {
	switch object := object.(type) {
	case *corev1.Secret:
		object.Data = data
	case *corev1.ConfigMap:
		object.Data, object.BinaryData = map[string]string{}, nil
		for key, value := range data {
			object.Data[key] = string(bytes.ToValidUTF8(value, []byte("�")))
		}
	}
}
