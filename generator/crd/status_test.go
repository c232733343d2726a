package crd_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// TestStatus looks at the Status of a kind at each version of its CRD.
func TestStatus(t *testing.T) {
	const alias = "v1alpha1api20210101"
	g := widgets(t)
	g.Packages = append(g.Packages, g.Alias("2021-01-01", alias))
	files, index := filesOf(t, g)
	for _, c := range index.CRDs {
		var d apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict([]byte(files[c.File]), &d); err != nil {
			t.Fatal(err)
		}
		byDefault := d.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["status"]
		t.Run(c.Kind+" has a whole Status at the default version", func(t *testing.T) {
			if byDefault.XPreserveUnknownFields != nil || len(byDefault.Properties) < 3 {
				t.Errorf("found the properties %v, open: %v", propertiesOf(byDefault), byDefault.XPreserveUnknownFields != nil)
			}
		})
		for _, v := range d.Spec.Versions[1:] {
			status, hasSchema := v.Schema.OpenAPIV3Schema.Properties["status"]
			if strings.HasSuffix(v.Name, "storage") {
				t.Run(c.Kind+" has nothing but the default of the Status at "+v.Name, func(t *testing.T) {
					if diff := cmp.Diff(byDefault.Default, status.Default); !hasSchema || diff != "" {
						t.Errorf("an API server reads what is stored with another default (-default version +%s):\n%s", v.Name, diff)
					}
					if status.XPreserveUnknownFields == nil || len(status.Properties) > 0 {
						t.Errorf("found the properties %v, open: %v", propertiesOf(status), status.XPreserveUnknownFields != nil)
					}
				})
				continue
			}
			t.Run(c.Kind+" has no schema of the Status at "+v.Name+" but its conditions", func(t *testing.T) {
				if got := strings.Join(propertiesOf(status), " "); got != "conditions observedGeneration" {
					t.Errorf("found the properties %s", got)
				}
				if status.XPreserveUnknownFields == nil {
					t.Error("what it has beside these is pruned")
				}
				if diff := cmp.Diff(byDefault.Default, status.Default); diff != "" {
					t.Errorf("the default (-default version +%s):\n%s", v.Name, diff)
				}
				got, want := status.Properties["conditions"], byDefault.Properties["conditions"]
				if diff := cmp.Diff(withoutDocs(want), withoutDocs(got)); diff != "" {
					t.Errorf("conditions (-default version +%s):\n%s", v.Name, diff)
				}
				where := "kubectl explain " + c.Plural + ".status --api-version=widgets.azure.armature.dev/v20210101"
				if says := strings.HasSuffix(status.Description, where); says == (v.Name == alias) {
					t.Errorf("the description is %q; want %s at the end, and at an alias no description", status.Description, where)
				}
			})
		}
	}
}

func propertiesOf(s apiextensionsv1.JSONSchemaProps) []string {
	return slices.Sorted(maps.Keys(s.Properties))
}

// withoutDocs returns a schema without descriptions.
func withoutDocs(s apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
	s = *s.DeepCopy()
	s.Description = ""
	for name, p := range s.Properties {
		s.Properties[name] = withoutDocs(p)
	}
	if s.Items != nil {
		*s.Items.Schema = withoutDocs(*s.Items.Schema)
	}
	return s
}
