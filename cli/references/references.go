// Package references lets resources whose manifests are written together refer to each other by name, in place of
// values that belong to one Azure.
package references

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reference"
)

// Set has resources whose manifests are written together.
type Set struct{ all []*source }

// source is a resource at an API version.
type source struct {
	object conversion.KubernetesResource
	spec   arm.ARMTransformer
	id     string            // in ARM, or ""
	texts  map[string]string // of its outputs that are texts and no secrets, by name
}

// Add adds a resource at an API version, with its Status. Any other object is ignored.
func (s *Set) Add(object conversion.KubernetesResource) {
	spec, isARM := object.GetSpec().(arm.ARMTransformer)
	if !isARM {
		return
	}
	added := &source{object: object, spec: spec, texts: map[string]string{}}
	s.all = append(s.all, added)
	status, err := json.Marshal(object.GetStatus())
	if err != nil {
		return // then it has no outputs
	}
	added.id, _ = arm.IDOf(status)
	for _, o := range spec.ARMResource().Outputs {
		if o.Action != "" || o.KindIn(reflect.TypeOf(object.GetStatus())) != reflect.String || slices.Contains(common, o.Name) {
			continue
		}
		if text, err := o.Value(status); err == nil && len(text) >= minText {
			added.texts[o.Name] = string(text)
		}
	}
}

// common are the outputs whose values many resources have in common, so that an equal value proves nothing.
var common = []string{"tenantId", "location"}

// minText is the number of bytes from which on an equal text is no coincidence. GUIDs and addresses have more.
const minText = 8

// Refer lets each Spec refer to what another resource has: to an output that has the text of a property, if there is
// no doubt about which, and to the resources whose ids are keys of a map. No resource waits for one that waits for it.
func (s *Set) Refer() error {
	for _, of := range s.all {
		if err := arm.ReferTo(of.spec, referrer{s, of}); err != nil {
			return err
		}
	}
	return nil
}

// referrer knows what the Spec of one source can refer to.
type referrer struct {
	*Set
	of *source
}

// Named returns the resource that has an ARM id.
func (r referrer) Named(id string) (reference.Resource, bool) {
	for _, other := range r.all {
		if other.id != "" && arm.SameID(other.id, id) && r.mayReferTo(other) {
			kind := other.object.GetObjectKind().GroupVersionKind()
			return reference.Resource{Group: kind.Group, Kind: kind.Kind, Name: other.object.GetName()}, true
		}
	}
	return reference.Resource{}, false
}

// Valued returns the one output that has a text. Of several it is the one that is called as the property.
func (r referrer) Valued(property, text string) (reference.Value, bool) {
	var same, others []reference.Value
	for _, other := range r.all {
		for _, output := range other.outputsOf(text) {
			if !r.mayReferTo(other) {
				break
			}
			kind := other.object.GetObjectKind().GroupVersionKind()
			found := reference.Value{Group: kind.Group, Kind: kind.Kind, Name: other.object.GetName(), Output: output}
			if strings.EqualFold(output, property) {
				same = append(same, found)
			} else {
				others = append(others, found)
			}
		}
	}
	if len(same) == 0 {
		same = others
	}
	if len(same) != 1 {
		return reference.Value{}, false
	}
	return same[0], true
}

// outputsOf returns the names of the outputs that have a text, sorted. GUIDs and host names differ in case at times.
func (s *source) outputsOf(text string) (names []string) {
	for name, value := range s.texts {
		if strings.EqualFold(value, text) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// mayReferTo reports whether the source can refer to another one: it is in its namespace, and does not wait for it.
func (r referrer) mayReferTo(other *source) bool {
	return other != r.of && other.object.GetNamespace() == r.of.object.GetNamespace() && !r.waits(other, map[*source]bool{})
}

// waits reports whether a source refers to the one of the referrer, maybe by others.
func (r referrer) waits(at *source, seen map[*source]bool) bool {
	if seen[at] {
		return false
	}
	seen[at] = true
	found := false
	Each(reflect.ValueOf(at.spec), func(ref any) {
		for _, next := range r.all {
			found = found || refersTo(at, ref, next) && (next == r.of || r.waits(next, seen))
		}
	})
	return found
}

// refersTo reports whether a reference of a source means another one.
func refersTo(of *source, ref any, other *source) bool {
	if other.object.GetNamespace() != of.object.GetNamespace() {
		return false
	}
	var group, kind, name string
	switch ref := ref.(type) {
	case *reference.Resource:
		group, kind, name = ref.Group, ref.Kind, ref.Name
	case *reference.AnyOwner:
		group, kind, name = ref.Group, ref.Kind, ref.Name
	case *reference.Value:
		group, kind, name = ref.Group, ref.Kind, ref.Name
	case *reference.Owner:
		own := of.spec.ARMResource().Type
		parent := own[:max(strings.LastIndexByte(own, '/'), 0)]
		return ref.Name == other.object.GetName() && strings.EqualFold(parent, other.spec.ARMResource().Type)
	}
	is := other.object.GetObjectKind().GroupVersionKind()
	return name == other.object.GetName() && kind == is.Kind && group == is.Group
}

// Each calls do with each reference to an object that a value has: a pointer to a [reference.Resource], a
// [reference.Owner], a [reference.AnyOwner] or a [reference.Value], which do may change.
func Each(v reflect.Value, do func(any)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			Each(v.Elem(), do)
		}
	case reflect.Slice:
		for n := range v.Len() {
			Each(v.Index(n), do)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem() // a map's own cannot be changed
			value.Set(v.MapIndex(key))
			Each(value, do)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		if v.CanAddr() {
			switch ref := v.Addr().Interface().(type) {
			case *reference.Resource, *reference.Owner, *reference.AnyOwner, *reference.Value:
				do(ref)
				return
			}
		}
		for n := range v.NumField() {
			if v.Type().Field(n).IsExported() {
				Each(v.Field(n), do)
			}
		}
	}
}
