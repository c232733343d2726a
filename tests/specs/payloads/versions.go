package payloads

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"k8s.io/apimachinery/pkg/runtime"
)

// CheckVersions has clients of all versions of a scheme read the examples below a
// folder. For each example there is an object with the Spec of the request and the
// Status of the response. A client of every other version reads it and writes it
// back. After that the stored object, and the object at its own version, must be
// as before.
func CheckVersions(t *testing.T, root string, scheme *runtime.Scheme, expected RouteCount) {
	t.Helper()
	examples, _, err := find(root, scheme)
	if err != nil {
		t.Fatal(err)
	}
	var count RouteCount
	files := map[string]bool{}
	for _, x := range examples {
		files[x.File] = true
		for _, object := range x.objects(t, scheme) {
			count.Objects++
			for _, gv := range scheme.VersionsForGroupKind(x.kind.gvk.GroupKind()) {
				other, err := scheme.New(gv.WithKind(x.kind.gvk.Kind))
				if err != nil {
					t.Fatal(err)
				}
				_, isAPI := other.(conversion.KubernetesResource).GetSpec().(arm.ARMTransformer)
				if gv == x.kind.gvk.GroupVersion() || !isAPI {
					continue
				}
				count.Routes++
				if err := survives(object, other.(conversion.Convertible)); err != nil {
					t.Errorf("%s: %s by way of %s: %v", x.File, x.kind.gvk.Version, gv.Version, err)
				}
			}
		}
	}
	if count.Files = len(files); count != expected {
		t.Errorf("found %+v, expected %+v", count, expected)
	}
}

// RouteCount counts what there is to convert.
type RouteCount struct {
	Files int
	// Objects are as many as examples and their responses.
	Objects int
	// Routes lead from the version of an object to another version and back.
	Routes int
}

// objects returns the resource of an example's request, once with the Status of
// each response.
func (x *example) objects(t *testing.T, scheme *runtime.Scheme) []conversion.KubernetesResource {
	t.Helper()
	decoder := arm.Decoder{KeepSecret: secrets{}.keep}
	var objects []conversion.KubernetesResource
	add := func(response json.RawMessage) {
		empty, err := scheme.New(x.kind.gvk)
		if err != nil {
			t.Fatal(err)
		}
		object := empty.(conversion.KubernetesResource)
		object.SetNamespace("default")
		object.SetName("example")
		// [Check] reports what examples have and their specs do not.
		_, _ = decoder.Decode(x.body(), object.GetSpec())
		if response != nil {
			_, _ = decoder.Decode(response, object.GetStatus())
		}
		objects = append(objects, object)
	}
	for _, status := range []string{"200", "201"} {
		if body := x.Responses[status].Body; body != nil {
			add(body)
		}
	}
	if len(objects) == 0 {
		add(nil)
	}
	return objects
}

// survives converts an object to the version of an empty one and back, and returns
// an error if the object changes. Like the API server, it encodes and decodes the
// object on the way.
func survives(object conversion.KubernetesResource, other conversion.Convertible) error {
	stored := object.NewHub()
	if err := object.(conversion.Convertible).ConvertTo(stored); err != nil {
		return err
	}
	if err := other.ConvertFrom(stored); err != nil {
		return err
	}
	written := reflect.New(reflect.TypeOf(other).Elem()).Interface().(conversion.Convertible)
	if err := json.Unmarshal(encoded(other), written); err != nil {
		return err
	}
	storedAgain := object.NewHub()
	if err := written.ConvertTo(storedAgain); err != nil {
		return err
	}
	back := reflect.New(reflect.TypeOf(object).Elem()).Interface().(conversion.Convertible)
	if err := back.ConvertFrom(storedAgain); err != nil {
		return err
	}
	return errors.Join(same("stored", stored, storedAgain), same("shown", object, back))
}

func same(how string, want, got any) error {
	if before, after := unlabeled(parse(encoded(want))), unlabeled(parse(encoded(got))); !reflect.DeepEqual(before, after) {
		return fmt.Errorf("%s differently: %s", how, strings.Join(append(compare(before, after), compare(after, before)...), "; "))
	}
	return nil
}

// unlabeled removes the versions that entries of bags name, and leaves the values of each property in some order: an
// entry names the version of its last writer, of all that have its shape.
func unlabeled(value any) any {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			unlabeled(element)
		}
	case map[string]any:
		for name, member := range value {
			unlabeled(member)
			entries, isBag := member.(map[string]any)
			if !isBag || name != propertybag.Name {
				continue
			}
			byName := map[string]any{}
			for _, key := range slices.Sorted(maps.Keys(entries)) {
				entry := entries[key]
				if object, ok := entry.(map[string]any); ok {
					delete(object, "version")
				}
				property, _, _ := strings.Cut(key, "@")
				all, _ := byName[property].([]any)
				byName[property] = append(all, entry)
			}
			for _, all := range byName {
				slices.SortFunc(all.([]any), func(a, b any) int { return bytes.Compare(encoded(a), encoded(b)) })
			}
			value[name] = byName
		}
	}
	return value
}

func encoded(object any) []byte {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err) // generated types can be encoded
	}
	return text
}
