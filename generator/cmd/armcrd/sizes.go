package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/naming"
	"sigs.k8s.io/yaml"
)

// crd is what a CRD weighs in bytes of compact JSON: in all, and by cause. What
// no cause takes stands beside the versions.
type crd struct {
	name  string
	bytes int
	// descriptions of the API versions, and the rest of these.
	descriptions, schemas int
	storage               int // the storage versions
}

// weigh weighs the CRDs among some files, sorted by name.
func weigh(files map[string][]byte) ([]crd, error) {
	var errs diag.List
	var crds []crd
	for _, name := range slices.Sorted(maps.Keys(files)) {
		var object struct {
			Kind     string
			Metadata struct{ Name string }
			Spec     struct{ Versions []map[string]any }
		}
		compact, err := yaml.YAMLToJSON(files[name])
		if err == nil {
			err = json.Unmarshal(compact, &object)
		}
		if err != nil {
			errs.Addf(name, 0, 0, "%v", err)
			continue
		}
		if object.Kind != "CustomResourceDefinition" {
			continue // the kustomization
		}
		c := crd{name: object.Metadata.Name, bytes: len(compact)}
		for _, v := range object.Spec.Versions {
			bytes := size(v)
			if name, _ := v["name"].(string); strings.HasSuffix(name, naming.Storage("")) {
				c.storage += bytes
				continue
			}
			descriptions := describe(v)
			c.descriptions += descriptions
			c.schemas += bytes - descriptions
		}
		crds = append(crds, c)
	}
	return crds, errs.Err()
}

// page is the sizes as a table in Markdown.
func page(crds []crd) []byte {
	var b bytes.Buffer
	b.WriteString("# What the CRDs weigh\n\nBytes of compact JSON, by cause.\n\n")
	b.WriteString("| CRD | all | descriptions | schemas | storage versions | rest |\n|---|--:|--:|--:|--:|--:|\n")
	sum := crd{name: "**all**"}
	for _, c := range crds {
		sum.bytes += c.bytes
		sum.descriptions += c.descriptions
		sum.schemas += c.schemas
		sum.storage += c.storage
	}
	for _, c := range append(crds, sum) {
		rest := c.bytes - c.descriptions - c.schemas - c.storage
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", c.name, c.bytes, c.descriptions, c.schemas, c.storage, rest)
	}
	return b.Bytes()
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
