package untyped

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
)

// Convertible is an object of a custom resource at one of its versions, as JSON.
// A ConversionReview holds such objects.
//
// A mapping gets it with Raw set, and returns it with either Raw or Object set.
type Convertible struct {
	runtime.RawExtension
}

// FromUnstructured returns a Convertible that owns the object.
func FromUnstructured(object *unstructured.Unstructured) Convertible {
	return Convertible{runtime.RawExtension{Object: object}}
}

// Unstructured decodes the object. The caller may change the result, which does
// not change the Convertible.
func (c Convertible) Unstructured() (*unstructured.Unstructured, error) {
	content, err := c.decode()
	if err != nil {
		return nil, err
	}
	return &unstructured.Unstructured{Object: content}, nil
}

func (c Convertible) decode() (map[string]any, error) {
	data, err := c.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var content map[string]any
	if err := json.Unmarshal(data, &content); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if content == nil {
		return nil, errors.New("expected a JSON object, got null")
	}
	return content, nil
}

// head has the parts of an object that identify it.
type head struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Namespace    string `json:"namespace"`
		Name         string `json:"name"`
		GenerateName string `json:"generateName"`
	} `json:"metadata"`
}

// headOf reads the head of an object without decoding the rest.
func headOf(c Convertible) (head, error) {
	var h head
	data, err := c.MarshalJSON()
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return h, fmt.Errorf("not a Kubernetes object: %w", err)
	}
	switch {
	case h.Kind == "":
		return h, fmt.Errorf("%s: it has no kind", h)
	case h.APIVersion == "":
		return h, fmt.Errorf("%s: it has no apiVersion", h)
	}
	return h, nil
}

// String returns the name of the object for errors.
func (h head) String() string {
	kind, name := h.Kind, h.Metadata.Name
	if kind == "" {
		kind = "object"
	}
	if name == "" && h.Metadata.GenerateName != "" {
		name = h.Metadata.GenerateName + "*"
	}
	if h.Metadata.Namespace != "" {
		name = h.Metadata.Namespace + "/" + name
	}
	return strings.TrimSpace(kind + " " + name)
}
