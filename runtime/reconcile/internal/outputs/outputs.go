// Package outputs determines what goes into the Secrets and ConfigMaps that an object asks for.
package outputs

import (
	"bytes"
	"cmp"
	"encoding/json"
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
	Keys map[string]Source
	// Metadata is what a Secret has beside its values.
	Metadata reference.SecretMetadata
}

// Source is what goes into a key: an output, or the value of an expression.
type Source struct {
	Output arm.Output
	// Expression is the name of an expression, "" for an output, and Text what it says.
	Expression, Text string
}

// String returns the name of the output or the expression.
func (s Source) String() string { return cmp.Or(s.Expression, s.Output.Name) }

// Content is what a key gets: its Value, or if there is none what it has, if it Keeps that.
type Content struct {
	Value []byte
	Keeps bool
}

const (
	maxExpressions = 64
	maxMetadata    = 64
)

// Wanted returns the Secrets and ConfigMaps that a Spec asks for, sorted by kind and name. known has the
// outputs of its kind. wrong says which requests are not possible.
func Wanted(namespace string, known []arm.Output, asked reference.OperatorSpec) (all []*Container, wrong []string) {
	w := wish{namespace: namespace, byName: map[string]arm.Output{}, found: map[named.Object]*Container{}}
	for _, o := range known {
		w.byName[o.Name] = o
		w.names = append(w.names, o.Name)
	}
	w.outputs("secrets", named.SecretKind, asked.Secrets)
	w.outputs("configMaps", named.ConfigMapKind, asked.ConfigMaps)
	w.expressions(asked.Expressions)
	w.metadata(asked.SecretMetadata)
	return slices.SortedFunc(maps.Values(w.found), func(a, b *Container) int { return strings.Compare(a.String(), b.String()) }), w.wrong
}

// wish collects what a Spec asks for.
type wish struct {
	namespace string
	byName    map[string]arm.Output
	names     []string
	found     map[named.Object]*Container
	wrong     []string
}

// refuse notes what is wrong at a place in the operatorSpec.
func (w *wish) refuse(at, format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf("spec.operatorSpec.%s: "+format, append([]any{at}, args...)...))
}

// outputs adds the outputs that a section asks for.
func (w *wish) outputs(section string, into schema.GroupKind, asked map[string]reference.Destination) {
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		o, isKnown := w.byName[name]
		switch at := section + "." + name; {
		case !isKnown:
			w.refuse(at, "there is no such output, expected one of %s", strings.Join(w.names, ", "))
		case into == named.ConfigMapKind && o.Action != "":
			w.refuse(at, "it is a secret, which goes into Secrets only")
		default:
			w.add(at, into, asked[name].Name, asked[name].Key, Source{Output: o})
		}
	}
}

// expressions adds the expressions.
func (w *wish) expressions(asked map[string]reference.Expression) {
	if n := len(asked); n > maxExpressions {
		w.refuse("expressions", "found %d, expected at most %d", n, maxExpressions)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		e, at := asked[name], "expressions."+name
		source := Source{Expression: name, Text: e.Value}
		switch {
		case (e.Secret == "") == (e.ConfigMap == ""):
			w.refuse(at, "it goes into a Secret or a ConfigMap: set secret or configMap")
		case e.Secret != "":
			w.add(at, named.SecretKind, e.Secret, e.Key, source)
		default:
			w.add(at, named.ConfigMapKind, e.ConfigMap, e.Key, source)
		}
	}
}

// add adds what goes into a key.
func (w *wish) add(at string, kind schema.GroupKind, name, key string, source Source) {
	of := named.Object{GroupKind: kind, NamespacedName: types.NamespacedName{Namespace: w.namespace, Name: name}}
	if kind == named.SecretKind && name == credentials.SecretName {
		w.refuse(at, "Secret %s is for the credential of the namespace: name another one", name)
		return
	}
	if w.found[of] == nil {
		w.found[of] = &Container{Object: of, Keys: map[string]Source{}}
	}
	if other, isTaken := w.found[of].Keys[key]; isTaken {
		w.refuse(at, "the key %q of %v is that of %s", key, of, other)
	}
	w.found[of].Keys[key] = source
}

// metadata adds what Secrets have beside their values.
func (w *wish) metadata(asked map[string]reference.SecretMetadata) {
	if n := len(asked); n > maxMetadata {
		w.refuse("secretMetadata", "found %d, expected at most %d", n, maxMetadata)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		m, at := asked[name], "secretMetadata."+name
		of := named.Object{GroupKind: named.SecretKind, NamespacedName: types.NamespacedName{Namespace: w.namespace, Name: name}}
		if w.found[of] == nil {
			w.refuse(at, "nothing of this object goes into %v", of)
			continue
		}
		if m.Type != "" && !slices.Contains(reference.SecretTypes, m.Type) {
			w.refuse(at+".type", "found %q, expected one of %s", m.Type, strings.Join(reference.SecretTypes, ", "))
		}
		for _, property := range slices.Sorted(maps.Keys(m.Unknown)) {
			w.refuse(at, "found the property %q, expected type, labels or annotations", property)
		}
		w.refuseReserved(at+".labels", m.Labels)
		w.refuseReserved(at+".annotations", m.Annotations)
		w.found[of].Metadata = m
	}
}

// refuseReserved refuses labels and annotations by which the cluster or Armature knows what to do with a Secret.
func (w *wish) refuseReserved(at string, all map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		prefix, _, _ := strings.Cut(strings.ToLower(name), "/") // of an annotation, an API server does not mind the case
		for _, domain := range []string{annotation.Domain, "kubernetes.io", "k8s.io"} {
			if prefix == domain || strings.HasSuffix(prefix, "."+domain) {
				w.refuse(at, "found %s, expected none of %s, whose names mean something to the cluster or the operator", name, domain)
			}
		}
	}
}

// Fill returns the Secret or the ConfigMap as it should be: with an owner, what is meant for its keys, and no others.
// own is the existing one, or nil. If it has another type than it should, it keeps that.
func (c *Container) Fill(own client.Object, contents map[string]Content, owner metav1.OwnerReference) client.Object {
	data, before := map[string][]byte{}, map[string][]byte{}
	next := c.New()
	if own != nil {
		before, next = Data(own), own.DeepCopyObject().(client.Object)
	}
	for key := range c.Keys {
		if content := contents[key]; content.Value != nil {
			data[key] = content.Value
		} else if old := before[key]; content.Keeps && old != nil {
			data[key] = old
		}
	}
	SetData(next, data)
	references := slices.DeleteFunc(slices.Clone(next.GetOwnerReferences()),
		func(o metav1.OwnerReference) bool { return o.UID == owner.UID })
	next.SetOwnerReferences(append(references, owner))
	c.setMetadata(next)
	Label(next, owner.UID)
	return next
}

// asked are the names of the labels and annotations that a Secret has from a Spec.
type asked struct {
	Labels      []string `json:"labels,omitempty"`
	Annotations []string `json:"annotations,omitempty"`
}

// setMetadata sets the labels and annotations that are asked for, and takes those away that no longer are. All others
// stay: somebody else has set them.
func (c *Container) setMetadata(of client.Object) {
	var before asked
	json.Unmarshal([]byte(of.GetAnnotations()[annotation.OutputMetadata]), &before) // what somebody has written there is nothing
	next := asked{slices.Sorted(maps.Keys(c.Metadata.Labels)), slices.Sorted(maps.Keys(c.Metadata.Annotations))}
	of.SetLabels(replace(of.GetLabels(), before.Labels, c.Metadata.Labels))
	annotations := replace(of.GetAnnotations(), append(before.Annotations, annotation.OutputMetadata), c.Metadata.Annotations)
	if len(next.Labels)+len(next.Annotations) > 0 {
		text, err := json.Marshal(next)
		if err != nil {
			panic(err) // texts can be written
		}
		annotations[annotation.OutputMetadata] = string(text)
	}
	of.SetAnnotations(annotations)
}

// replace returns a map without some names, and with those of another one.
func replace(all map[string]string, without []string, with map[string]string) map[string]string {
	next := maps.Clone(all)
	if next == nil {
		next = map[string]string{}
	}
	for _, name := range without {
		delete(next, name)
	}
	maps.Copy(next, with)
	return next
}

// TypeOf returns the type that a Secret has, and the one that it should have, "" for a ConfigMap.
func (c *Container) TypeOf(object client.Object) (is, want corev1.SecretType) {
	if secret, isSecret := object.(*corev1.Secret); isSecret {
		return cmp.Or(secret.Type, corev1.SecretTypeOpaque), cmp.Or(corev1.SecretType(c.Metadata.Type), corev1.SecretTypeOpaque)
	}
	return "", ""
}

// New returns the Secret or the ConfigMap without content.
func (c *Container) New() client.Object {
	object := New(c.Object)
	if secret, isSecret := object.(*corev1.Secret); isSecret {
		_, secret.Type = c.TypeOf(secret)
	}
	return object
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
