package armschema_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/armschema"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/internal/specs"
)

// corpusVersion has the published files of one version of a provider.
type corpusVersion struct {
	provider, version string
	roots             []string
	exports           map[string]string
}

// corpus returns a function that reads files, and all published versions.
func corpus(tb testing.TB) (func(string) ([]byte, error), []corpusVersion) {
	tb.Helper()
	root := specs.Folder()
	if root == "" {
		tb.Skip("ARMATURE_SPECS is not set: no published specs to read")
	}
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(root, filepath.FromSlash(name))) }
	files, err := filepath.Glob(filepath.Join(root, "arm-json-schema/schemas/*/*.json"))
	if err != nil {
		tb.Fatal(err)
	}
	var versions []corpusVersion
	for _, file := range files {
		version, base := path.Base(filepath.Dir(file)), filepath.Base(file)
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		if version == "common" || !(armschema.Reader{}).Recognizes(base, text) {
			continue // definitions for others, or an empty schema
		}
		provider := strings.Join(strings.Split(base, ".")[:2], ".")
		if n := len(versions); n == 0 || versions[n-1].provider != provider || versions[n-1].version != version {
			versions = append(versions, corpusVersion{provider: provider, version: version})
		}
		v := &versions[len(versions)-1]
		v.roots = append(v.roots, path.Join("arm-json-schema/schemas", version, base))
	}
	for i := range versions {
		versions[i].exports = everyType(tb, read, versions[i].roots)
	}
	if len(versions) < 60 {
		tb.Fatalf("found %d versions", len(versions))
	}
	return read, versions
}

// everyType returns exports of every resource type in some files, with kinds made
// of the segments of the types.
func everyType(tb testing.TB, read func(string) ([]byte, error), roots []string) map[string]string {
	exports := map[string]string{}
	for _, root := range roots {
		text, err := read(root)
		if err != nil {
			tb.Fatal(err)
		}
		doc, err := jsontree.Parse(root, text)
		if err != nil {
			tb.Fatal(err)
		}
		for _, section := range doc.Root.Members() {
			if !strings.HasSuffix(strings.ToLower(section.Name), "resourcedefinitions") {
				continue
			}
			for _, m := range section.Value.Members() {
				armType := m.Value.Get("properties").Get("type").Get("enum").Items()[0].Text()
				segments := strings.Split(armType, "/")[1:]
				for i, s := range segments {
					segments[i] = strings.ToUpper(s[:1]) + s[1:]
				}
				exports[armType] = strings.Join(segments, "")
			}
		}
	}
	return exports
}

func (v corpusVersion) load(read func(string) ([]byte, error)) (*ir.Version, error) {
	return armschema.Reader{}.Read(documents.Input{
		Provider: v.provider, APIVersion: v.version, Roots: v.roots, Read: read, Exports: v.exports,
	})
}

func TestPublishedSchemas(t *testing.T) {
	read, versions := corpus(t)
	resources, types, properties, unions, notes := 0, 0, 0, 0, map[string]int{}
	for _, v := range versions {
		loaded, err := v.load(read)
		if err != nil {
			t.Errorf("%s %s:\n%v", v.provider, v.version, err)
			continue
		}
		if len(loaded.Resources) != len(v.exports) {
			t.Errorf("%s %s: %d of %d resources", v.provider, v.version, len(loaded.Resources), len(v.exports))
		}
		documentstest.Check(t, loaded)
		resources += len(loaded.Resources)
		types += len(loaded.Types)
		for _, typ := range loaded.Types {
			properties += len(typ.Properties)
			if typ.Discriminator != "" {
				unions++
			}
		}
		for _, n := range loaded.Notes {
			notes[string(n.Kind)]++
		}
	}
	t.Logf("%d versions, %d resources, %d types, %d properties, %d unions; notes: %v", len(versions), resources, types,
		properties, unions, notes)
}

func BenchmarkPublishedSchemas(b *testing.B) {
	read, versions := corpus(b)
	cache := map[string][]byte{}
	cached := func(name string) ([]byte, error) {
		if text, known := cache[name]; known {
			return text, nil
		}
		text, err := read(name)
		cache[name] = text
		return text, err
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, v := range versions {
			if _, err := v.load(cached); err != nil {
				b.Fatal(err)
			}
		}
	}
}
