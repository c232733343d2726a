// Package objects reads resources from files, and shows them at other versions, with the values that these cannot hold.
// The commands that need the Go types of the groups share it.
package objects

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/spf13/cobra"
	yamlv3 "go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apimachinery/pkg/version"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// FromFile gives a command the flag -f, and prints what print makes of each
// resource in that file.
func FromFile(command *cobra.Command, print func(document []byte) ([]byte, error)) {
	AllFromFile(command, print, func(texts [][]byte) ([][]byte, error) { return texts, nil })
}

// AllFromFile gives a command the flag -f, and prints the texts that print makes of all
// that read returns for the resources in that file.
func AllFromFile[T any](command *cobra.Command, read func(document []byte) (T, error), print func(all []T) ([][]byte, error)) {
	var file string
	command.Flags().StringVarP(&file, "filename", "f", "", "file with the resources, as YAML or JSON; - is the standard input")
	Require(command, "filename")
	command.Args = cobra.NoArgs
	command.RunE = func(cmd *cobra.Command, _ []string) error {
		in := cmd.InOrStdin()
		if file != "-" {
			f, err := os.Open(file)
			if err != nil {
				return err
			}
			defer f.Close()
			in = f
		}
		all, err := readAll(file, in, read)
		if err != nil { // nothing is printed if one resource fails
			return err
		}
		texts, err := print(all)
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(bytes.Join(texts, []byte("---\n")))
		return err
	}
}

// Require makes a flag of a command required.
func Require(command *cobra.Command, name string) {
	if err := command.MarkFlagRequired(name); err != nil {
		panic(err) // the flag is defined
	}
}

// readAll reads each resource of a file. Its error joins those of all resources.
func readAll[T any](file string, in io.Reader, read func([]byte) (T, error)) ([]T, error) {
	var all []T
	found, err := Each(file, in, func(resource []byte) error {
		one, err := read(resource)
		all = append(all, one)
		return err
	})
	if found == 0 && err == nil {
		return nil, fmt.Errorf("%s: found no resource, expected at least one, as YAML or JSON", file)
	}
	return all, err
}

// Each calls do with each resource of a file, as JSON, and returns how many objects the file has, of which lists may
// have no resources. Its error joins those of all resources, with their places.
func Each(file string, in io.Reader, do func(resource []byte) error) (found int, err error) {
	var errs []error
	n := 0
	fail := func(err error) { errs = append(errs, fmt.Errorf("%s: resource %d: %w", file, n, err)) }
	documents := utilyaml.NewYAMLReader(bufio.NewReader(in))
	for {
		document, err := documents.Read()
		if err == io.EOF {
			return found, errors.Join(errs...)
		}
		if err != nil {
			return found, fmt.Errorf("%s: %w", file, err)
		}
		objects, err := objectsIn(document)
		found += len(objects)
		for _, object := range objects {
			resources, err := items(object)
			if err != nil {
				n++
				fail(err)
			}
			for _, resource := range resources {
				n++
				if err := do(resource); err != nil {
					fail(err)
				}
			}
		}
		if err != nil {
			n++
			fail(err)
		}
	}
}

// objectsIn returns the objects of a document as JSON: those of JSON, which stand one after
// the other, or that of YAML, if it has more than comments. An error comes with the objects
// before it.
func objectsIn(document []byte) ([]json.RawMessage, error) {
	if bytes.HasPrefix(bytes.TrimSpace(document), []byte("{")) {
		decoder := json.NewDecoder(bytes.NewReader(document))
		var objects []json.RawMessage
		var object json.RawMessage
		err := decoder.Decode(&object)
		for ; err == nil; err = decoder.Decode(&object) {
			objects = append(objects, slices.Clone(object))
		}
		if err == io.EOF {
			return objects, nil
		}
		if len(objects) > 0 {
			return objects, err
		}
	}
	text, err := yaml.YAMLToJSONStrict(document)
	if err != nil || string(text) == "null" {
		return nil, err
	}
	var node yamlv3.Node
	decoder := yamlv3.NewDecoder(bytes.NewReader(document))
	if err := decoder.Decode(&node); err != nil {
		return nil, err
	}
	if err := decoder.Decode(&node); err != io.EOF {
		return nil, errors.New("found more after the first object, expected a line --- between objects of YAML")
	}
	return []json.RawMessage{text}, nil
}

// items returns the resources in an object: those of a list, as `kubectl get` prints
// several, or the object itself.
func items(object json.RawMessage) ([]json.RawMessage, error) {
	var list struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}
	err := json.Unmarshal(object, &list)
	if list.APIVersion != "v1" || list.Kind != "List" {
		return []json.RawMessage{object}, nil // whose items, if it has any, may be of any type
	}
	return list.Items, withPlace(err)
}

// withPlace says of a value of a wrong type where it is and what was expected.
func withPlace(err error) error {
	wrong := (*json.UnmarshalTypeError)(nil)
	if !errors.As(err, &wrong) {
		return err
	}
	place := wrong.Field
	if place != "" {
		place += ": "
	}
	return fmt.Errorf("%sfound %s, expected %s", place, foundType(wrong.Value), expectedType(wrong.Type))
}

// foundType returns in words what a [json.UnmarshalTypeError] says of a value.
func foundType(value string) string {
	switch value {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "a boolean"
	}
	if number, isNumber := strings.CutPrefix(value, "number "); isNumber {
		return "the number " + number
	}
	return "a " + value
}

// expectedType returns in words what JSON has for a type.
func expectedType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Pointer:
		return expectedType(t.Elem())
	}
	return "an integer"
}

// Decode reads a resource of the scheme. A property that its version does not
// have is an error.
func Decode(scheme *runtime.Scheme, text []byte) (conversion.KubernetesResource, error) {
	var kind runtime.TypeMeta
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, withPlace(err)
	}
	gvk := schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)
	if !scheme.Recognizes(gvk) {
		if len(VersionsOf(scheme, gvk.GroupKind())) > 0 {
			return nil, noVersion(scheme, gvk.GroupKind(), gvk.Version)
		}
		return nil, noKind(scheme, gvk.GroupKind())
	}
	object, err := scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	strict, err := kjson.UnmarshalStrict(text, object)
	if err = errors.Join(append(strict, withPlace(err))...); err != nil {
		return nil, err
	}
	resource, ok := object.(conversion.KubernetesResource)
	if !ok {
		return nil, fmt.Errorf("%s does not convert: expected a resource of a service group", gvk.Kind)
	}
	return resource, nil
}

// noKind returns the error for a kind that the scheme does not have.
func noKind(scheme *runtime.Scheme, kind schema.GroupKind) error {
	var kinds, groups []string
	for gvk := range scheme.AllKnownTypes() {
		if resource, _ := ResourceAt(scheme, gvk); resource == nil {
			continue // one of Kubernetes' own
		}
		if gvk.Group == kind.Group {
			kinds = append(kinds, gvk.Kind)
		}
		groups = append(groups, gvk.Group)
	}
	if len(kinds) > 0 {
		return fmt.Errorf("found the kind %q of %s, which has no such kind%s", kind.Kind, kind.Group, diag.DidYouMean(kind.Kind, kinds))
	}
	slices.Sort(groups)
	return fmt.Errorf("found the kind %q of the group %q, expected one of %s", kind.Kind, kind.Group,
		strings.Join(slices.Compact(groups), ", "))
}

// NewAt returns an empty resource of a kind at a version, which goes by its
// Kubernetes name or by ARM's.
func NewAt(scheme *runtime.Scheme, kind schema.GroupKind, version string) (conversion.KubernetesResource, error) {
	for _, name := range VersionsOf(scheme, kind) {
		resource, armVersion := ResourceAt(scheme, kind.WithVersion(name))
		if resource != nil && (name == version || armVersion != "" && armVersion == version) {
			resource.GetObjectKind().SetGroupVersionKind(kind.WithVersion(name))
			return resource, nil
		}
	}
	return nil, noVersion(scheme, kind, version)
}

func noVersion(scheme *runtime.Scheme, kind schema.GroupKind, version string) error {
	return fmt.Errorf("%s has no version %q; it has %s", kind, version, strings.Join(VersionsOf(scheme, kind), ", "))
}

// VersionsOf lists the versions of a kind, the preferred one first.
func VersionsOf(scheme *runtime.Scheme, kind schema.GroupKind) []string {
	var names []string
	for _, gv := range scheme.VersionsForGroupKind(kind) {
		names = append(names, gv.Version)
	}
	slices.SortFunc(names, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
	return names
}

// HubOf converts a resource to the hub, at whose version it may be itself.
func HubOf(resource conversion.KubernetesResource) (conversion.Hub, error) {
	convertible, ok := resource.(conversion.Convertible)
	if !ok {
		return resource.(conversion.Hub), nil
	}
	hub := resource.NewHub()
	return hub, convertible.ConvertTo(hub)
}

// Show converts the hub to result, which may itself be at the hub's version, and keeps the
// version of result.
func Show(hub conversion.Hub, result conversion.KubernetesResource) error {
	kind := result.GetObjectKind().GroupVersionKind()
	defer func() { result.GetObjectKind().SetGroupVersionKind(kind) }()
	if convertible, ok := result.(conversion.Convertible); ok {
		return convertible.ConvertFrom(hub)
	}
	text, err := json.Marshal(hub)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, result)
}

// MissingAt converts the hub to a manifest, and returns what that cannot hold of
// the Spec.
func MissingAt(scheme *runtime.Scheme, hub conversion.Hub, manifest conversion.KubernetesResource) ([]Loss, error) {
	if err := Show(hub, manifest); err != nil {
		return nil, err
	}
	found, err := LossesOf(scheme, manifest)
	if tooLarge := (*remainder.TooLargeError)(nil); errors.As(err, &tooLarge) {
		return []Loss{{Path: "spec", Value: "more than there is room for in an annotation"}}, nil
	}
	return found.Spec, err
}

// ManifestOf returns the text of a resource without what belongs to one cluster.
func ManifestOf(resource conversion.KubernetesResource) ([]byte, error) {
	text, err := json.Marshal(resource)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	delete(object.Object, "status")
	metadata := map[string]any{"name": object.GetName()}
	if namespace := object.GetNamespace(); namespace != "" {
		metadata["namespace"] = namespace
	}
	if labels := remainder.StripLabel(object.GetLabels()); len(labels) > 0 {
		metadata["labels"] = labels
	}
	annotations := object.GetAnnotations()
	delete(annotations, annotation.Remainder)
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	if len(annotations) > 0 {
		metadata["annotations"] = annotations
	}
	object.Object["metadata"] = metadata
	return yaml.Marshal(object.Object)
}
