package objects

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/remainder"
)

// Losses has the values that the version of a resource cannot hold.
type Losses struct {
	// Written is the version that the resource is written for.
	Written      string
	Spec, Status []Loss
}

// Loss is a value that a version cannot hold.
type Loss struct {
	Path string
	// Version is the ARM version that has the property, if that is known.
	Version string
	Value   any
}

func (l Loss) String() string {
	if l.Version != "" {
		return l.Path + " of " + l.Version + ": " + brief(l.Value)
	}
	return l.Path + ": " + brief(l.Value)
}

// LossesOf reads them from the annotation of a resource at an API version. It
// fails with a [remainder.TooLargeError] where that had no room for them.
func LossesOf(scheme *runtime.Scheme, resource conversion.KubernetesResource) (Losses, error) {
	gvk := resource.GetObjectKind().GroupVersionKind()
	object := remainder.Object{Group: gvk.Group, Kind: gvk.Kind, Namespace: resource.GetNamespace(), Name: resource.GetName()}
	if _, err := object.Unmark(maps.Clone(resource.GetLabels()), &remainder.Tally{}); err != nil {
		return Losses{}, err
	}
	note, err := remainder.Read(resource.GetAnnotations(), object, nil, nil)
	if err != nil {
		return Losses{}, err
	}
	found := Losses{Written: note.OriginalVersion}
	if note.Spec == "" {
		found.Written = resource.OriginalGVK().Version
	}
	for _, entry := range note.Lost.Entries() {
		all := unpack(entry, func(version, key string) string { return spelling(scheme, gvk.GroupKind(), version, key) })
		if strings.HasPrefix(entry.Path, "spec") {
			found.Spec = append(found.Spec, all...)
		} else {
			found.Status = append(found.Status, all...)
		}
	}
	return found, nil
}

// unpack returns what an entry has. The path of an entry of a bag is the property's, with
// the version that has it, as spelled there.
func unpack(entry remainder.Entry, spelled func(version, key string) string) []Loss {
	u := unpacker{spelled: spelled}
	switch value := entry.Value; {
	case value.Source != nil && value.Version == "": // also a bag that is none, whose entry has no name
		u.value(entry.Path+"."+propertybag.Name+step(entry.Name), "", decoded(value.Source))
	case entry.Name == "":
		u.value(entry.Path, "", decoded(value.Value))
	default:
		u.entry(entry.Path, entry.Name, value.Version, decoded(value.Value))
	}
	return u.found
}

// decoded returns the value of JSON that was read before.
func decoded(text []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.Decode(&value)
	return value
}

// unpacker collects the values in a value, but for null, which ARM does not miss.
type unpacker struct {
	spelled func(version, key string) string
	found   []Loss
}

// entry collects the values of an entry of a bag, which is below the path.
func (u *unpacker) entry(path, key, version string, value any) {
	name, _, _ := strings.Cut(key, "@"+version)
	u.value(path+"."+u.spelled(version, name), version, value)
}

// value collects the values in a value: those of properties and of lists of objects, and
// those of bags as the properties that they are.
func (u *unpacker) value(path, version string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if bag, isObject := v[name].(map[string]any); isObject && name == propertybag.Name && isBag(bag) {
				for _, key := range slices.Sorted(maps.Keys(bag)) {
					packed := bag[key].(map[string]any)
					u.entry(path, key, packed["version"].(string), packed["value"])
				}
				continue
			}
			u.value(path+step(name), version, v[name])
		}
		if len(v) > 0 {
			return
		}
	case []any:
		if slices.ContainsFunc(v, func(element any) bool { _, isObject := element.(map[string]any); return isObject }) {
			for i, element := range v {
				u.value(fmt.Sprintf("%s[%d]", path, i), version, element)
			}
			return
		}
	case nil:
		return
	}
	u.found = append(u.found, Loss{path, version, value})
}

// isBag reports whether an object is a bag, each of whose entries has a value and a version.
func isBag(object map[string]any) bool {
	for _, entry := range object {
		packed, _ := entry.(map[string]any)
		_, hasVersion := packed["version"].(string)
		if _, hasValue := packed["value"]; !hasVersion || !hasValue || len(packed) != 2 {
			return false
		}
	}
	return len(object) > 0
}

// step returns the step of a path to a member, whose name is quoted if it is empty, or has
// a dot or a bracket.
func step(name string) string {
	if name == "" || strings.ContainsAny(name, ".[") {
		return "[" + strconv.Quote(name) + "]"
	}
	return "." + name
}

// spelling returns the name of a property of an ARM version that a bag has in
// lower case, or that itself if the version has none or several spellings.
func spelling(scheme *runtime.Scheme, kind schema.GroupKind, version, lower string) string {
	found := map[string]bool{}
	for _, gv := range VersionsOf(scheme, kind) {
		resource, armVersion := ResourceAt(scheme, kind.WithVersion(gv))
		if armVersion == version {
			spellings(reflect.TypeOf(resource.GetSpec()), lower, found, map[reflect.Type]bool{})
			spellings(reflect.TypeOf(resource.GetStatus()), lower, found, map[reflect.Type]bool{})
		}
	}
	if len(found) != 1 {
		return lower
	}
	for name := range found {
		lower = name
	}
	return lower
}

// spellings adds the names of properties in a type that are equal without case.
func spellings(t reflect.Type, lower string, found map[string]bool, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if strings.EqualFold(name, lower) && name != "" {
			found[name] = true
		}
		if field.IsExported() {
			spellings(field.Type, lower, found, seen)
		}
	}
}

// ResourceAt returns an empty resource, and ARM's name of its version, which is
// empty for a storage version.
func ResourceAt(scheme *runtime.Scheme, gvk schema.GroupVersionKind) (conversion.KubernetesResource, string) {
	object, err := scheme.New(gvk)
	if err != nil {
		return nil, ""
	}
	resource, isResource := object.(conversion.KubernetesResource)
	if !isResource {
		return nil, ""
	}
	if spec, speaks := resource.GetSpec().(arm.ARMTransformer); speaks {
		return resource, spec.ARMResource().APIVersion
	}
	return resource, ""
}

// brief returns a value in one line, or the beginning of it.
func brief(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	if runes := []rune(string(text)); len(runes) > 80 {
		return string(runes[:80]) + " …"
	}
	return string(text)
}
