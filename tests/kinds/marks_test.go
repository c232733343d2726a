package kinds

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/internal/golden"
)

// TestMarks has the marks and corrections of all groups in one file, with what speaks for each, so that a person can
// review a change of them.
func TestMarks(t *testing.T) {
	files, err := filepath.Glob("../../apis/*/group.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no group.yaml: %v", err)
	}
	var lines strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var group struct {
			Properties yaml.Node `yaml:"properties"`
		}
		if err := yaml.Unmarshal(text, &group); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		entries := group.Properties.Content
		for i := 0; i+1 < len(entries); i += 2 {
			comment := strings.TrimSpace(strings.TrimPrefix(entries[i+1].LineComment, "#"))
			entries[i+1].LineComment = ""
			value, err := yaml.Marshal(entries[i+1])
			if err != nil {
				t.Fatal(err)
			}
			line := fmt.Sprintf("%s %s: %s", filepath.Base(filepath.Dir(file)), entries[i].Value, strings.TrimSpace(string(value)))
			if comment != "" {
				line += " # " + comment
			}
			lines.WriteString(line + "\n")
		}
	}
	golden.Equal(t, "testdata/marks.txt", lines.String())
}

// TestListKeys has the lists that the API server merges by keys, of all kinds, with what shows that a second element
// with the same keys is refused in Azure, too.
func TestListKeys(t *testing.T) {
	files, err := filepath.Glob("../../apis/*/crds/*_*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no CRDs: %v", err)
	}
	var lines []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := sigsyaml.Unmarshal(text, &crd); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		found := map[string]bool{}
		for _, v := range crd.Spec.Versions {
			if v.Schema != nil {
				keyedLists(v.Schema.OpenAPIV3Schema, "", found)
			}
		}
		group, _, _ := strings.Cut(crd.Spec.Group, ".")
		for _, list := range slices.Sorted(maps.Keys(found)) {
			evidence := evidenceOf(t, group, list)
			if evidence == "" {
				t.Errorf("%s: nothing shows that elements of %s %s are unique; write it into group.yaml, or merge: only", group,
					crd.Spec.Names.Kind, list)
			}
			lines = append(lines, fmt.Sprintf("%s %s %s # %s\n", group, crd.Spec.Names.Kind, list, evidence))
		}
	}
	golden.Equal(t, "testdata/listkeys.txt", strings.Join(lines, ""))
}

// evidenceOf returns what the group.yaml of a group says for the keys of a list, given as <path>: <keys>. A list of
// another type of that name would do, too.
func evidenceOf(t *testing.T, group, list string) string {
	t.Helper()
	path, _, _ := strings.Cut(list, ": ")
	name := path[strings.LastIndexByte(path, '.')+1:]
	decisions, err := config.Read("../../apis/" + group + "/group.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, property := range decisions.Properties.With(config.ListKeys) {
		for _, m := range decisions.Properties[property] {
			if m.Source != "" && strings.EqualFold(name, property[strings.IndexByte(property, '.')+1:]) {
				return m.Why + " (" + m.Source + ")"
			}
		}
	}
	return ""
}

// keyedLists finds the lists in a Spec that have keys, as <path>: <keys>.
func keyedLists(s *apiextensionsv1.JSONSchemaProps, path string, found map[string]bool) {
	if s == nil || strings.HasPrefix(path, ".status") {
		return
	}
	if s.XListType != nil && *s.XListType == "map" {
		found[strings.TrimPrefix(path, ".")+": "+strings.Join(s.XListMapKeys, ", ")] = true
	}
	for name, p := range s.Properties {
		keyedLists(&p, path+"."+name, found)
	}
	if s.Items != nil {
		keyedLists(s.Items.Schema, path+"[]", found)
	}
	if s.AdditionalProperties != nil {
		keyedLists(s.AdditionalProperties.Schema, path+"{}", found)
	}
}
