package untyped

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
)

// ConvertFunction converts an object to a version. The version has a group, such as
// example.com/v1, as in a ConversionRequest. The function does not change its
// argument, and may be called from several goroutines.
type ConvertFunction func(object Convertible, desiredAPIVersion string) (Convertible, error)

// MakeConvertFunction returns a function that applies the mappings from an object's
// version to the desired one. It returns an error for a nil Convert, a duplicate or
// a cycle. [Validate] checks whether the mappings are complete for a CRD.
//
// The function returns an object of the desired version unchanged, byte for byte.
// It converts the items of a list, whose kind ends in List, each from its own
// version.
func MakeConvertFunction(mappings []ConversionMapping) (ConvertFunction, error) {
	g, err := newGraph(mappings)
	if err != nil {
		return nil, err
	}
	return g.convert, nil
}

func (g *graph) convert(object Convertible, desiredAPIVersion string) (Convertible, error) {
	h, err := headOf(object)
	if err != nil {
		return Convertible{}, err
	}
	if strings.HasSuffix(h.Kind, "List") {
		l, err := listOf(object)
		if err != nil {
			return Convertible{}, fmt.Errorf("%s: %w", h, err)
		}
		if l != nil {
			return g.convertList(h, l, desiredAPIVersion)
		}
	}
	if h.APIVersion == desiredAPIVersion {
		return object, nil
	}
	original, desired, err := versionsOf(h.APIVersion, desiredAPIVersion)
	if err != nil {
		return Convertible{}, fmt.Errorf("%s: %w", h, err)
	}
	way, err := g.route(original.Version, desired.Version)
	if err != nil {
		return Convertible{}, fmt.Errorf("%s, %s: %w", h, edge{original.Version, desired.Version}, err)
	}
	w, err := newWalk(g, object, original.Group)
	for i := 1; err == nil && i < len(way); i++ {
		err = w.step(edge{way[i-1], way[i]})
	}
	if err != nil {
		return Convertible{}, fmt.Errorf("%s, %s: %w", h, edge{original.Version, desired.Version}, err)
	}
	return Convertible{runtime.RawExtension{Raw: w.at}}, nil
}

// versionsOf parses two apiVersions, which must have the same group.
func versionsOf(original, desired string) (from, to schema.GroupVersion, err error) {
	if from, err = schema.ParseGroupVersion(original); err != nil {
		return from, to, fmt.Errorf("apiVersion %q is not of the form group/version, such as example.com/v1", original)
	}
	if to, err = schema.ParseGroupVersion(desired); err != nil || to.Version == "" {
		return from, to, fmt.Errorf("the desired apiVersion %q is not of the form group/version, such as example.com/v1", desired)
	}
	if from.Group != to.Group {
		return from, to, fmt.Errorf("its apiVersion is %s, which does not convert to %s of another group", original, desired)
	}
	return from, to, nil
}

// walk is an object on its way through the mappings. It is JSON between two
// mappings, so that a mapping cannot change what another one, or the walk, holds.
type walk struct {
	*graph
	group string
	kept  fixed
	at    []byte
}

// fixed has the parts of an object that no mapping may change.
type fixed struct {
	Kind     string         `json:"kind"`
	Metadata map[string]any `json:"metadata"`
}

func newWalk(g *graph, object Convertible, group string) (*walk, error) {
	w := &walk{graph: g, group: group}
	var err error
	if w.at, err = object.MarshalJSON(); err != nil {
		return nil, err
	}
	return w, json.Unmarshal(w.at, &w.kept)
}

func (w *walk) step(e edge) error {
	result, err := call(w.mappings[e], Convertible{runtime.RawExtension{Raw: w.at}})
	if err != nil {
		return fmt.Errorf("mapping %s: %w", e, err)
	}
	content, err := resultOf(result)
	if err != nil {
		return fmt.Errorf("mapping %s returned no object: %w", e, err)
	}
	if err := errors.Join(w.setAPIVersion(content, e), w.kept.restore(content)); err != nil {
		return fmt.Errorf("mapping %s %w", e, err)
	}
	w.at, err = json.Marshal(content)
	if err != nil {
		return fmt.Errorf("mapping %s returned a value that JSON does not have: %w", e, err)
	}
	return nil
}

// resultOf returns the content of a mapping's result.
func resultOf(result Convertible) (map[string]any, error) {
	if result.Raw != nil && result.Object != nil {
		return nil, errors.New("it has both Raw and Object, and they may differ; set one of them")
	}
	if object, ok := result.Object.(*unstructured.Unstructured); ok && object != nil && object.Object != nil {
		return object.Object, nil
	}
	return result.decode()
}

// setAPIVersion sets the apiVersion of the object to the version at the end of the
// edge.
func (w *walk) setAPIVersion(content map[string]any, e edge) error {
	before := schema.GroupVersion{Group: w.group, Version: e.from}.String()
	promised := schema.GroupVersion{Group: w.group, Version: e.to}.String()
	switch got := content["apiVersion"]; got {
	case nil, "", before, promised:
		content["apiVersion"] = promised
		return nil
	default:
		return fmt.Errorf("returned an object of apiVersion %v, not of %s", got, promised)
	}
}
