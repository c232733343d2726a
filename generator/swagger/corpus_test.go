package swagger_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/swagger"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/internal/specs"
)

// corpus returns the versions of the checkout that ARMATURE_SPECS names, and a
// function that reads its files. It skips the test if there is no checkout.
func corpus(t testing.TB) ([]documentstest.PublishedVersion, func(string) ([]byte, error)) {
	root := specs.Folder()
	if root == "" {
		t.Skip("ARMATURE_SPECS is not set: no checkout of the published specs to read")
	}
	root = filepath.Join(root, "azure-rest-api-specs")
	return documentstest.PublishedSwagger(t, root), func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(root, filepath.FromSlash(path.Clean(name))))
	}
}

// allPuts returns exports of every resource in the documents of a version.
func allPuts(t testing.TB, v documentstest.PublishedVersion, read func(string) ([]byte, error)) map[string]string {
	putPath := regexp.MustCompile(`(?i)"/[^"]*/providers/(` + regexp.QuoteMeta(v.Provider) + `(?:/[^"/{}]+/[^"/]+)+)"`)
	exports := map[string]string{}
	folded := map[string]bool{}
	for _, root := range v.Roots {
		text, err := read(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range putPath.FindAllSubmatch(text, -1) {
			segments := strings.Split(string(m[1]), "/")
			armType, kind := segments[0], ""
			for i := 1; i < len(segments); i += 2 {
				armType += "/" + segments[i]
				kind += strings.ToUpper(segments[i][:1]) + segments[i][1:]
			}
			if !folded[strings.ToLower(armType)] {
				folded[strings.ToLower(armType)] = true
				exports[armType] = kind
			}
		}
	}
	return exports
}

func TestPublishedSpecs(t *testing.T) {
	versions, read := corpus(t)
	kinds := map[string]int{}
	for _, version := range versions {
		v, err := swagger.Reader{}.Read(documents.Input{
			Provider: version.Provider, APIVersion: version.APIVersion, Roots: version.Roots, Read: read,
			Exports: allPuts(t, version, read),
		})
		if err != nil {
			t.Errorf("%s %s:\n%v", version.Provider, version.APIVersion, err)
			continue
		}
		documentstest.Check(t, v)
		checkPaths(t, v)
		t.Logf("%s %s: %d resources, %d types, %d notes", v.Provider, v.APIVersion, len(v.Resources), len(v.Types), len(v.Notes))
		for _, n := range v.Notes {
			kinds[fmt.Sprintf("%s: %s", n.Kind, generalize(n.Reason))]++
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%5d %s", kinds[kind], kind)
	}
}

// TestPublishedCollections lists the collections of all published resources.
func TestPublishedCollections(t *testing.T) {
	versions, read := corpus(t)
	found := map[string]bool{}
	for _, version := range versions {
		v, err := swagger.Reader{}.Read(documents.Input{
			Provider: version.Provider, APIVersion: version.APIVersion, Roots: version.Roots, Read: read,
			Exports: allPuts(t, version, read),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range v.Resources {
			for _, c := range r.Collections {
				if !collections.IsChild(c.Type, r.Type) {
					t.Errorf("%s is not below %s", c.Type, r.Type)
				}
				line := strings.TrimPrefix(r.Type, "Microsoft.") + " " + c.Path + " " + path.Base(c.Type)
				if c.Flat {
					line += " flat"
				}
				found[line] = true
			}
		}
	}
	golden.Equal(t, "testdata/collections.txt", strings.Join(slices.Sorted(maps.Keys(found)), "\n")+"\n")
}

// checkPaths reports the resources without a path.
func checkPaths(t *testing.T, v *ir.Version) {
	t.Helper()
	for _, r := range v.Resources {
		if r.Path == "" {
			t.Errorf("%s %s: %s lacks its path", v.Provider, v.APIVersion, r.Type)
		}
	}
}

// generalize replaces the names in a reason.
func generalize(reason string) string {
	return regexp.MustCompile(`"[^"]*"|/\S+|inherited \S+|which is \S+|body \(\S+\)`).ReplaceAllString(reason, "…")
}

// BenchmarkLoadStorage reads the five versions of storage in the checkout,
// with all of their resources: 1.2 MB of Swagger.
func BenchmarkLoadStorage(b *testing.B) {
	versions, read := corpus(b)
	var inputs []documents.Input
	texts := map[string][]byte{}
	for _, v := range versions {
		if v.Provider != "Microsoft.Storage" {
			continue
		}
		inputs = append(inputs, documents.Input{
			Provider: v.Provider, APIVersion: v.APIVersion, Roots: v.Roots, Exports: allPuts(b, v, read),
			Read: func(name string) ([]byte, error) {
				if texts[name] == nil {
					text, err := read(name)
					if err != nil {
						return nil, err
					}
					texts[name] = text
				}
				return texts[name], nil
			},
		})
	}
	load := func() {
		for _, in := range inputs {
			if _, err := (swagger.Reader{}).Read(in); err != nil {
				b.Fatal(err)
			}
		}
	}
	load()
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		load()
	}
}
