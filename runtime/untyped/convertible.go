package untyped

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
)

// Convertible is an object of a custom resource at one of its versions, of
// which nothing is known but the JSON. It is what a ConversionReview holds.
//
// What a mapping gets has Raw. What it returns has either Raw or Object.
type Convertible struct {
	runtime.RawExtension
}

// FromUnstructured is a Convertible of the object, which belongs to it from then on.
func FromUnstructured(object *unstructured.Unstructured) Convertible {
	return Convertible{runtime.RawExtension{Object: object}}
}

// Unstructured decodes the object. The result is the caller's to change, which
// does not change the Convertible.
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
		return nil, errors.New("there is no object")
	}
	return content, nil
}

// head is what tells one object from others, and what a walk starts from.
type head struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Namespace    string `json:"namespace"`
		Name         string `json:"name"`
		GenerateName string `json:"generateName"`
	} `json:"metadata"`
}

// headOf reads the head of an object that it leaves undecoded.
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

// String is how an error names the object.
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
