// Package names checks that no name of a kind means two things, because kubectl takes
// a plural, a singular or a short name without a group, and picks one kind of all that
// have it; and that plurals are those that people expect.
package names

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gobuffalo/flect"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/runtime/annotation"
)

// groups returns the group.yaml of all groups by file.
func groups(t *testing.T) map[string]*config.Group {
	files, err := filepath.Glob("../../apis/*/group.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no groups: %v", err)
	}
	groups := map[string]*config.Group{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if groups[file], err = config.Parse(file, text); err != nil {
			t.Fatal(err)
		}
	}
	return groups
}

func plural(export *config.Export) string { return cmp.Or(export.Plural, naming.Plural(export.Kind)) }

// TestPlurals compares the plurals of all kinds with those that controller-gen would
// make, which users of other operators guess.
func TestPlurals(t *testing.T) {
	others := map[string]string{
		"Person": "persons", // as it was published
	}
	for file, group := range groups(t) {
		for armType, export := range group.Exports {
			want := cmp.Or(others[export.Kind], strings.ToLower(flect.Pluralize(export.Kind)))
			if got := plural(export); got != want {
				t.Errorf("%s: the plural of %s is %q, and controller-gen's is %q; add plural: %[4]s to its export",
					file, armType, got, want)
			}
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	owners := map[string]string{}
	for kind := range scheme.Scheme.AllKnownTypes() {
		if strings.HasSuffix(kind.Kind, "List") || strings.HasSuffix(kind.Kind, "Options") {
			continue
		}
		plural, singular := meta.UnsafeGuessKindToResource(kind)
		owners[plural.Resource], owners[singular.Resource] = "Kubernetes' own "+kind.Kind, "Kubernetes' own "+kind.Kind
	}
	for file, group := range groups(t) {
		for armType, export := range group.Exports {
			own := map[string]bool{plural(export): true, naming.Singular(export.Kind): true}
			for _, short := range export.ShortNames {
				own[short] = true
			}
			for name := range own {
				if owner := owners[name]; owner != "" {
					t.Errorf("%s: %s is named %q, and so is %s; give one of them another kind", file, armType, name, owner)
				}
				owners[name] = armType
			}
		}
	}
}

// taken are the short names of Kubernetes' own resources, which a client that has one of
// them takes for these. TestShortNames in tests/e2e/published asks a real API server.
var taken = []string{
	"cj", "cm", "crd", "crds", "cs", "csr", "deploy", "ds", "ep", "ev", "hpa", "ing", "ip", "limits", "netpol", "no", "ns",
	"pc", "pdb", "po", "pv", "pvc", "quota", "rc", "rs", "sa", "sc", "sts", "svc", "vac",
}

// TestShortNames compares the short names of all kinds with a golden file. Users type them
// and scripts have them, so one that is published stays.
func TestShortNames(t *testing.T) {
	var lines []string
	for file, group := range groups(t) {
		for _, export := range group.Exports {
			for _, short := range export.ShortNames {
				if slices.Contains(taken, short) {
					t.Errorf("%s: %s has the short name %s, which is one of Kubernetes' own", file, export.Kind, short)
				}
				lines = append(lines, fmt.Sprintf("%-10s %s of %s\n", short, export.Kind, filepath.Base(filepath.Dir(file))))
			}
		}
	}
	slices.Sort(lines)
	golden.Equal(t, filepath.Join("testdata", "shortnames.txt"), strings.Join(lines, ""))
}

// TestCRDs compares the names of all CRDs with those that another operator for Azure has.
// A cluster has one CRD of a name, so that two operators with the same name would take
// each other's objects.
func TestCRDs(t *testing.T) {
	text, err := os.ReadFile("testdata/othernames.txt")
	if err != nil {
		t.Fatal(err)
	}
	others := strings.Fields(string(text))
	indexes, err := filepath.Glob("../../apis/*/crds/" + crd.IndexFile)
	if err != nil || len(indexes) == 0 || len(others) == 0 {
		t.Fatalf("found %d groups and %d other names: %v", len(indexes), len(others), err)
	}
	for _, file := range indexes {
		index, err := crd.ReadIndex(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(index.Group, "."+annotation.GroupDomain) {
			t.Errorf("the group %s does not end with .%s: apis/domain.bzl and runtime/annotation differ",
				index.Group, annotation.GroupDomain)
		}
		for _, c := range index.CRDs {
			if slices.Contains(others, c.Name) {
				t.Errorf("%s is the name of another operator's CRD too", c.Name)
			}
		}
	}
}
