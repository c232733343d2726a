package biceptypes_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/biceptypes"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/transform"
)

// corpusVersion has the published files of one version of a provider.
type corpusVersion struct {
	provider, version string
	roots             []string
}

func read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(os.Getenv("ARMATURE_SPECS"), filepath.FromSlash(name)))
}

// corpus returns all published versions, wherever their files lie.
func corpus(tb testing.TB) []corpusVersion {
	tb.Helper()
	root := os.Getenv("ARMATURE_SPECS")
	if root == "" {
		tb.Skip("ARMATURE_SPECS is not set: no published specs to read")
	}
	versions := map[string]*corpusVersion{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Base(name) != "types.json" {
			return err
		}
		text, err := read(name)
		if err != nil || !(biceptypes.Reader{}).Recognizes(name, text) {
			return err
		}
		dir := path.Dir(name)
		key := path.Base(path.Dir(dir)) + " " + path.Base(dir)
		if versions[key] == nil {
			versions[key] = &corpusVersion{provider: path.Base(path.Dir(dir)), version: path.Base(dir)}
		}
		versions[key].roots = append(versions[key].roots, name)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	if len(versions) == 0 {
		tb.Skip("the published specs have no bicep types")
	}
	var all []corpusVersion
	for _, key := range slices.Sorted(maps.Keys(versions)) {
		all = append(all, *versions[key])
	}
	return all
}

// input returns the input of a reader that exports every type.
func (v corpusVersion) input(tb testing.TB) documents.Input {
	in := documents.Input{Provider: v.provider, APIVersion: v.version, Roots: v.roots, Read: read}
	types, err := biceptypes.Reader{}.Types(in)
	if err != nil {
		tb.Fatal(err)
	}
	in.Exports = map[string]string{}
	for _, root := range v.roots {
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
		in := v.input(t)
		loaded, err := biceptypes.Reader{}.Read(in)
		if err != nil {
			t.Errorf("%s %s:\n%v", v.provider, v.version, err)
			continue
		}
		if len(loaded.Resources) != len(in.Exports) {
			for armType := range in.Exports {
				if loaded.Resource(armType) == nil {
					t.Errorf("%s %s: %s is described and not read", v.provider, v.version, armType)
				}
			}
		}
		documentstest.Check(t, loaded)
		shaped, err := transform.Shape(loaded, &config.Load{Exports: in.Exports})
		if err != nil {
			t.Errorf("%s %s:\n%v", v.provider, v.version, err)
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
			in := v.input(b)
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
