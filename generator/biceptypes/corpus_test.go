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
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
)

// corpusVersion is one API version of a provider in a checkout of bicep-types-az.
type corpusVersion struct {
	provider, version string
	roots             []string
}

// corpus returns the versions of the checkout that ARMATURE_SPECS names, and a function
// that reads its files. It skips the test if there is no checkout.
func corpus(t testing.TB) ([]corpusVersion, func(string) ([]byte, error)) {
	root := filepath.Join(os.Getenv("ARMATURE_SPECS"), "bicep-types-az")
	if _, err := os.Stat(root); os.Getenv("ARMATURE_SPECS") == "" || err != nil {
		t.Skip("ARMATURE_SPECS names no checkout of bicep-types-az")
	}
	versions := map[string]*corpusVersion{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, _ fs.DirEntry, err error) error {
		parts := strings.Split(name, "/")
		if n := len(parts); err == nil && n > 2 && parts[n-1] == "types.json" {
			key := parts[n-3] + " " + parts[n-2]
			if versions[key] == nil {
				versions[key] = &corpusVersion{provider: parts[n-3], version: parts[n-2]}
			}
			versions[key].roots = append(versions[key].roots, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var sorted []corpusVersion
	for _, key := range slices.Sorted(maps.Keys(versions)) {
		sorted = append(sorted, *versions[key])
	}
	return sorted, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(root, filepath.FromSlash(name))) }
}

// input returns the input that exports all types of a version.
func (v corpusVersion) input(t testing.TB, read func(string) ([]byte, error)) documents.Input {
	t.Helper()
	in := documents.Input{Provider: v.provider, APIVersion: v.version, Roots: v.roots, Read: read, Exports: map[string]string{}}
	types, err := biceptypes.Reader{}.Types(in)
	if err != nil {
		t.Fatalf("%s %s: %v", v.provider, v.version, err)
	}
	folded := map[string]bool{}
	for _, doc := range slices.Sorted(maps.Keys(types)) {
		for _, armType := range types[doc] {
			if !folded[strings.ToLower(armType)] {
				folded[strings.ToLower(armType)] = true
				in.Exports[armType] = "K" + strings.NewReplacer("/", "", ".", "", "-", "", "_", "", "$", "").Replace(armType)
			}
		}
	}
	return in
}

// TestCorpus reads every version of the checkout, exports every resource, and checks the
// result.
func TestCorpus(t *testing.T) {
	versions, read := corpus(t)
	resources, types, actions, notes := 0, 0, 0, 0
	for _, v := range versions {
		got, err := biceptypes.Reader{}.Read(v.input(t, read))
		if err != nil {
			t.Errorf("%s %s: %v", v.provider, v.version, err)
			continue
		}
		documentstest.Check(t, got)
		resources, types = resources+len(got.Resources), types+len(got.Types)
		actions, notes = actions+len(got.Actions), notes+len(got.Notes)
	}
	t.Logf("%d versions with %d resources, %d types, %d actions and %d notes", len(versions), resources, types, actions, notes)
}

func BenchmarkRead(b *testing.B) {
	versions, read := corpus(b)
	largest, size := corpusVersion{}, int64(0)
	for _, v := range versions {
		for _, name := range v.roots {
			if text, err := read(name); err == nil && int64(len(text)) > size && len(v.roots) == 1 {
				largest, size = v, int64(len(text))
			}
		}
	}
	in := largest.input(b, read)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (biceptypes.Reader{}).Read(in); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%s %s", path.Dir(largest.provider), largest.version)
}
