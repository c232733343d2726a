// Package outputs determines what goes into the Secrets and ConfigMaps that an object asks for.
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

// In returns the name that stands for the Secrets or the ConfigMaps of a namespace that have outputs. An
// object that depends on it is woken when one of its own changes.
func In(of schema.GroupKind, namespace string) named.Object {
	return named.Object{GroupKind: of, NamespacedName: types.NamespacedName{Namespace: namespace}}
}

// Container is a Secret or a ConfigMap that an object asks for.
type Container struct {
	named.Object
	Outputs map[string]arm.Output // by key
}

// Wanted returns the Secrets and ConfigMaps that a Spec asks for, sorted by kind and name. known has the
// outputs of its kind. wrong says which requests are not possible.
func Wanted(namespace string, known []arm.Output, asked reference.OperatorSpec) (all []*Container, wrong []string) {
	byName := map[string]arm.Output{}
	var names []string
	for _, o := range known {
		byName[o.Name] = o
		names = append(names, o.Name)
	}
	found := map[named.Object]*Container{}
	for _, section := range []struct {
		field string
		kind  schema.GroupKind
		asked map[string]reference.Destination
	}{{"secrets", named.SecretKind, asked.Secrets}, {"configMaps", named.ConfigMapKind, asked.ConfigMaps}} {
		for _, name := range slices.Sorted(maps.Keys(section.asked)) {
			to, at := section.asked[name], "spec.operatorSpec."+section.field+"."+name
			of := named.Object{GroupKind: section.kind, NamespacedName: types.NamespacedName{Namespace: namespace, Name: to.Name}}
			o, isKnown := byName[name]
			switch {
			case !isKnown:
				wrong = append(wrong, fmt.Sprintf("%s: there is no such output, expected one of %s", at, strings.Join(names, ", ")))
				continue
			case section.kind == named.ConfigMapKind && o.Action != "":
				wrong = append(wrong, at+": it is a secret, which goes into Secrets only")
				continue
			case section.kind == named.SecretKind && to.Name == credentials.SecretName:
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

// Fill returns the Secret or the ConfigMap as it should be: with an owner, the outputs that are meant for
// it, and nothing else. own is the existing one, or nil. If the value of an action's output is not known,
// it keeps the existing one.
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

// Label adds the label by which the Secret or the ConfigMap of an owner is found.
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

// Data returns the content of a Secret or a ConfigMap. No value is nil, not even an empty one.
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
