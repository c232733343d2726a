package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/naming"
	"sigs.k8s.io/yaml"
)

// crd is what a CRD weighs in bytes of compact JSON, by cause.
type crd struct {
	Name string `json:"name"`
	// Bytes are the sum of those below.
	Bytes int `json:"bytes"`
	// Descriptions of the API versions.
	Descriptions int `json:"descriptions"`
	// Schemas are the rest of the API versions.
	Schemas int `json:"schemas"`
	// Storage are the storage versions.
	Storage int `json:"storage"`
	// Rest is what stands beside the versions.
	Rest int `json:"rest"`
}

// weigh weighs the CRDs in a folder, sorted by name.
func weigh(folder string) ([]crd, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var errs diag.List
	crds := []crd{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			errs.Merge(err)
			continue
		}
		var object struct {
			Kind     string
			Metadata struct{ Name string }
			Spec     struct{ Versions []map[string]any }
		}
		compact, err := yaml.YAMLToJSON(text)
		if err == nil {
			err = json.Unmarshal(compact, &object)
		}
		if err != nil {
			errs.Addf(file, 0, 0, "%v", err)
			continue
		}
		if object.Kind != "CustomResourceDefinition" {
			continue // the kustomization
		}
		c := crd{Name: object.Metadata.Name, Bytes: len(compact)}
		for _, v := range object.Spec.Versions {
			bytes := size(v)
			if name, _ := v["name"].(string); strings.HasSuffix(name, naming.Storage("")) {
				c.Storage += bytes
				continue
			}
			descriptions := describe(v)
			c.Descriptions += descriptions
			c.Schemas += bytes - descriptions
		}
		c.Rest = c.Bytes - c.Descriptions - c.Schemas - c.Storage
		crds = append(crds, c)
	}
	slices.SortFunc(crds, func(a, b crd) int { return strings.Compare(a.Name, b.Name) })
	return crds, errs.Err()
}

// size is the number of bytes of a value in the form that YAMLToJSON writes.
func size(value any) int {
	text, _ := json.Marshal(value) // it was JSON before
	return len(text)
}

// describe is the number of bytes that descriptions take below a value. A
// property that is named "description" has an object there, not a text.
func describe(value any) int {
	bytes := 0
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			if text, ok := member.(string); ok && key == "description" {
				bytes += len(`"description":,`) + size(text)
			} else {
				bytes += describe(member)
			}
		}
	case []any:
		for _, element := range value {
			bytes += describe(element)
		}
	}
	return bytes
}
