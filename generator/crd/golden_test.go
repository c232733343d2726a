package crd_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/emit/emittest"
	"github.com/armature-dev/armature/internal/golden"
)

// widgets returns the made-up group with every construct.
func widgets(t testing.TB) *emittest.Group {
	t.Helper()
	return emittest.Read(t, filepath.Join("..", "emit", "testdata", "widgets"))
}

// filesOf returns the files and the index of a group.
func filesOf(t testing.TB, g *emittest.Group) (map[string]string, *crd.Index) {
	t.Helper()
	files, index, err := crd.Files(g.Versions, g.Packages, g.Lock, emittest.Meta)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for name, text := range files {
		texts[name] = string(text)
	}
	return texts, index
}

func TestGolden(t *testing.T) {
	files, _ := filesOf(t, widgets(t))
	golden.EqualFolder(t, filepath.Join("testdata", "widgets"), files)
}

// TestSizes compares the index with the CRDs.
func TestSizes(t *testing.T) {
	files, index := filesOf(t, widgets(t))
	for _, c := range index.CRDs {
		text, err := yaml.YAMLToJSON([]byte(files[c.File]))
		if err != nil {
			t.Fatal(err)
		}
		var all struct {
			Spec struct{ Versions []json.RawMessage }
		}
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		if c.Bytes != len(text) {
			t.Errorf("%s has %d bytes and is said to have %d", c.Name, len(text), c.Bytes)
		}
		for i, v := range c.Versions {
			var version apiextensionsv1.CustomResourceDefinitionVersion
			if err := json.Unmarshal(all.Spec.Versions[i], &version); err != nil {
				t.Fatal(err)
			}
			descriptions, nodes := weigh(t, version.Schema.OpenAPIV3Schema)
			want := crd.Version{
				Name: version.Name, APIVersion: v.APIVersion, Served: version.Served, Storage: version.Storage,
				Bytes: len(all.Spec.Versions[i]), DescriptionBytes: descriptions, Nodes: nodes,
			}
			if diff := cmp.Diff(want, v); diff != "" {
				t.Errorf("%s (-is +said):\n%s", c.Name, diff)
			}
		}
		if !c.Outputs {
			t.Errorf("%s: it is said to have no outputs", c.Kind)
		}
	}
}

// weigh returns the bytes of the descriptions in a schema, with their keys and commas,
// and the number of schemas in it.
func weigh(t *testing.T, s *apiextensionsv1.JSONSchemaProps) (descriptions, nodes int) {
	t.Helper()
	var below []*apiextensionsv1.JSONSchemaProps
	for _, p := range s.Properties {
		below = append(below, &p)
	}
	if s.Items != nil {
		below = append(below, s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		below = append(below, s.AdditionalProperties.Schema)
	}
	for _, p := range below {
		d, n := weigh(t, p)
		descriptions, nodes = descriptions+d, nodes+n
	}
	if s.Description != "" {
		text, err := json.Marshal(s.Description)
		if err != nil {
			t.Fatal(err)
		}
		descriptions += len(`"description":,`) + len(text)
	}
	return descriptions, nodes + 1
}

// TestOrder checks that the order of versions and packages does not matter.
func TestOrder(t *testing.T) {
	first, _ := filesOf(t, widgets(t))
	for range 5 {
		g := widgets(t)
		slices.Reverse(g.Versions)
		slices.Reverse(g.Packages)
		got, _ := filesOf(t, g)
		if diff := cmp.Diff(first, got); diff != "" {
			t.Fatalf("the files depend on the order of the inputs:\n%s", diff)
		}
	}
}

func TestAlias(t *testing.T) {
	const name = "v1alpha1api20210101"
	g := widgets(t)
	g.Packages = append(g.Packages, g.Alias("2021-01-01", name))
	files, index := filesOf(t, g)
	for _, c := range index.CRDs {
		var d apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal([]byte(files[c.File]), &d); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(d.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == name })
		if i < 0 {
			t.Fatalf("%s does not list %s", c.File, name)
		}
		schema, err := yaml.Marshal(d.Spec.Versions[i].Schema)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(schema, []byte("description:")) {
			t.Errorf("%s has descriptions:\n%s", c.File, schema)
		}
	}
}

// BenchmarkFiles makes the CRDs of the made-up group.
func BenchmarkFiles(b *testing.B) {
	g := widgets(b)
	b.ReportAllocs()
	for b.Loop() {
		filesOf(b, g)
	}
}
