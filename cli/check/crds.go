package check

import (
	"fmt"
	"io"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd"
)

// CompareCRDs returns what a person should know before the CRDs of an API group are replaced
// by others. Both are files by name, as [crd.Files] returns them.
func CompareCRDs(name string, before, after map[string][]byte) ([]Finding, error) {
	c := &comparison{}
	var err error
	if c.before, err = groupOf(name, before); err != nil {
		return nil, err
	}
	if c.after, err = groupOf(name, after); err != nil {
		return nil, err
	}
	c.compareKinds()
	sortFindings(c.findings)
	return c.findings, nil
}

// groupOf returns the group with CRDs.
func groupOf(name string, files map[string][]byte) (*group, error) {
	g := &group{name: name, listed: map[string]*crd.Summary{}, crds: map[string]*apiextensionsv1.CustomResourceDefinition{}}
	for file, text := range files {
		if !strings.HasPrefix(file, name+"_") {
			continue
		}
		definition := new(apiextensionsv1.CustomResourceDefinition)
		if err := yaml.UnmarshalStrict(text, definition); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		g.crds[definition.Name] = definition
		g.listed[definition.Name] = &crd.Summary{Name: definition.Name}
	}
	return g, nil
}

// Print writes findings as a table, with what to do about them.
func Print(out io.Writer, findings []Finding) error {
	return printTable(out, newReport(findings, true))
}
