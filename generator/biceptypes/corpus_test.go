package biceptypes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/biceptypes"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/armature-dev/armature/internal/specs"
)

func read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(specs.Folder(), checkout, filepath.FromSlash(name)))
}

const checkout = "bicep-types-az"

// corpus returns all published versions.
func corpus(tb testing.TB) []documentstest.PublishedVersion {
	tb.Helper()
	root := filepath.Join(specs.Folder(), checkout)
	if _, err := os.Stat(root); specs.Folder() == "" || err != nil {
		tb.Skip("ARMATURE_SPECS names no folder with a checkout of bicep-types-az: no published types to read")
	}
	return documentstest.PublishedTypes(tb, root)
}

// inputOf returns the input of a reader that exports every type.
func inputOf(tb testing.TB, v documentstest.PublishedVersion) documents.Input {
	in := documents.Input{Provider: v.Provider, APIVersion: v.APIVersion, Roots: v.Roots, Read: read}
	types, err := biceptypes.Reader{}.Types(in)
	if err != nil {
		tb.Fatal(err)
	}
	in.Exports = map[string]string{}
	for _, root := range v.Roots {
		for _, armType := range types[root] {
			segments := strings.Split(armType, "/")[1:]
			for i, s := range segments {
				segments[i] = strings.ToUpper(s[:1]) + s[1:]
			}
			in.Exports[armType] = strings.NewReplacer("-", "", ".", "", "$", "").Replace(strings.Join(segments, ""))
		}
	}
	return in
}

func TestPublishedTypes(t *testing.T) {
	resources, types, properties, unions, actions, notes := 0, 0, 0, 0, 0, map[string]int{}
	versions := corpus(t)
	for _, v := range versions {
		in := inputOf(t, v)
		loaded, err := biceptypes.Reader{}.Read(in)
		if err != nil {
			t.Errorf("%s %s:\n%v", v.Provider, v.APIVersion, err)
			continue
		}
		if len(loaded.Resources) != len(in.Exports) {
			for armType := range in.Exports {
				if loaded.Resource(armType) == nil {
					t.Errorf("%s %s: %s is described and not read", v.Provider, v.APIVersion, armType)
				}
			}
		}
		documentstest.Check(t, loaded)
		shaped, err := transform.Shape(loaded, &config.Load{Exports: in.Exports})
		if err != nil {
			t.Errorf("%s %s:\n%v", v.Provider, v.APIVersion, err)
			continue
		}
		resources += len(loaded.Resources)
		types += len(loaded.Types)
		actions += len(loaded.Actions)
		for _, typ := range loaded.Types {
			properties += len(typ.Properties)
			if typ.Discriminator != "" {
				unions++
			}
		}
		for _, n := range shaped.Notes {
			notes[string(n.Kind)]++
		}
	}
	t.Logf("%d versions, %d resources, %d types, %d properties, %d unions, %d actions; notes: %v", len(versions), resources,
		types, properties, unions, actions, notes)
}

// BenchmarkPublishedTypes reads and shapes every published version.
func BenchmarkPublishedTypes(b *testing.B) {
	versions := corpus(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, v := range versions {
			in := inputOf(b, v)
			raw, err := biceptypes.Reader{}.Read(in)
			if err != nil {
				b.Fatal(err)
			}
			var shaped *ir.Version
			if shaped, err = transform.Shape(raw, &config.Load{Exports: in.Exports}); err != nil {
				b.Fatal(err)
			}
			if len(shaped.Resources) == 0 && len(in.Exports) > 0 {
				b.Fatal("no resources")
			}
		}
	}
}
