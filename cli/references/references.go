// Package references lets resources whose manifests are written together refer to each other by name, in place of
// values that belong to one Azure.
package references

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reference"
)

// Set has resources whose manifests are written together.
type Set struct {
	all    []*source
	byID   map[string][]*source // by arm.IDKey
	byName map[types.NamespacedName][]*source
	byText map[string][]output // in lower case: GUIDs and host names differ in case at times
}

// source is a resource at an API version.
type source struct {
	object conversion.KubernetesResource
	spec   arm.ARMTransformer
}

// output is an output of a source, which is a text and no secret.
type output struct {
	of   *source
	name string
}

// key returns the name and the namespace of an object beside the source.
func (s *source) key(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: s.object.GetNamespace(), Name: name}
}

// Add adds a resource at an API version, with its Status. Any other object is ignored.
func (s *Set) Add(object conversion.KubernetesResource) {
	spec, isARM := object.GetSpec().(arm.ARMTransformer)
	if !isARM {
		return
	}
	if s.all == nil {
		s.byID, s.byName, s.byText = map[string][]*source{}, map[types.NamespacedName][]*source{}, map[string][]output{}
	}
	added := &source{object: object, spec: spec}
	s.all = append(s.all, added)
	key := added.key(object.GetName())
	s.byName[key] = append(s.byName[key], added)
	status, err := json.Marshal(object.GetStatus())
	if err != nil {
		return // then it has no outputs
	}
	if id, _ := arm.IDOf(status); id != "" {
		s.byID[arm.IDKey(id)] = append(s.byID[arm.IDKey(id)], added)
	}
	for _, o := range spec.ARMResource().Outputs {
		if o.Action != "" || o.KindIn(reflect.TypeOf(object.GetStatus())) != reflect.String || slices.Contains(common, o.Name) {
			continue
		}
		if text, err := o.Value(status); err == nil && len(text) >= minText {
			text := strings.ToLower(string(text))
			s.byText[text] = append(s.byText[text], output{added, o.Name})
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
	for _, other := range r.byID[arm.IDKey(id)] {
		if r.mayReferTo(other) {
			kind := other.object.GetObjectKind().GroupVersionKind()
			return reference.Resource{Group: kind.Group, Kind: kind.Kind, Name: other.object.GetName()}, true
		}
	}
	return reference.Resource{}, false
}

// Valued returns the one output that has a text. Of several it is the one that is called as the property.
func (r referrer) Valued(property, text string) (reference.Value, bool) {
	var same, others []reference.Value
	for _, output := range r.byText[strings.ToLower(text)] {
		if !r.mayReferTo(output.of) {
			continue
		}
		object := output.of.object
		kind := object.GetObjectKind().GroupVersionKind()
		found := reference.Value{Group: kind.Group, Kind: kind.Kind, Name: object.GetName(), Output: output.name}
		if strings.EqualFold(output.name, property) {
			same = append(same, found)
		} else {
			others = append(others, found)
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
		for _, next := range r.meant(at, ref) {
			found = found || next == r.of || r.waits(next, seen)
		}
	})
	return found
}

// meant returns the resources that a reference of a source means.
func (s *Set) meant(of *source, ref any) (meant []*source) {
	var group, kind, name, parent string
	switch ref := ref.(type) {
	case *reference.Resource:
		group, kind, name = ref.Group, ref.Kind, ref.Name
	case *reference.AnyOwner:
		group, kind, name = ref.Group, ref.Kind, ref.Name
	case *reference.Value:
		group, kind, name = ref.Group, ref.Kind, ref.Name
	case *reference.Owner:
		own := of.spec.ARMResource().Type
		name, parent = ref.Name, own[:max(strings.LastIndexByte(own, '/'), 0)]
	}
	for _, other := range s.byName[of.key(name)] {
		is := other.object.GetObjectKind().GroupVersionKind()
		if parent != "" && strings.EqualFold(parent, other.spec.ARMResource().Type) || kind == is.Kind && group == is.Group {
			meant = append(meant, other)
		}
	}
	return meant
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
