// Package names checks that no name of a kind means two things: kubectl takes a
// plural, a singular or a short name without a group, and picks one kind of all
// that have it.
package names

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/naming"
)

func TestNamesAreUnique(t *testing.T) {
	files, err := filepath.Glob("../../apis/*/group.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no groups: %v", err)
	}
	owners := map[string]string{}
	for kind := range scheme.Scheme.AllKnownTypes() {
		if strings.HasSuffix(kind.Kind, "List") || strings.HasSuffix(kind.Kind, "Options") {
			continue
		}
		plural, singular := meta.UnsafeGuessKindToResource(kind)
		owners[plural.Resource], owners[singular.Resource] = "Kubernetes' own "+kind.Kind, "Kubernetes' own "+kind.Kind
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		group, err := config.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		for armType, export := range group.Exports {
			own := map[string]bool{cmp.Or(export.Plural, naming.Plural(export.Kind)): true, naming.Singular(export.Kind): true}
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
