package emit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/emit/emittest"
	"github.com/armature-dev/armature/generator/shape"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/google/go-cmp/cmp"
)

// emitAll returns all files of types of a group, by path.
func emitAll(t testing.TB, g *emittest.Group) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, p := range g.Packages {
		for name, emit := range map[string]func(*shape.Package) ([]byte, error){
			"types.go": emit.Types, "register.go": emit.Register, "deepcopy.go": emit.DeepCopy,
		} {
			text, err := emit(shape.New(p, g.Version(p.APIVersion)))
			if err != nil {
				t.Fatalf("%s of %s: %v", name, p.Name, err)
			}
			files[filepath.Join(p.Name, name)] = text
		}
	}
	return files
}

func TestGolden(t *testing.T) {
	folder := filepath.Join("testdata", "widgets")
	got := map[string]string{}
	for name, text := range emitAll(t, emittest.Read(t, folder)) {
		got[filepath.ToSlash(name)] = string(text)
	}
	golden.EqualFolder(t, filepath.Join(folder, "expected"), got)
}

func TestOrderOfInputs(t *testing.T) {
	folder := filepath.Join("testdata", "widgets")
	first := emitAll(t, emittest.Read(t, folder))
	for range 5 {
		g := emittest.Read(t, folder)
		slices.Reverse(g.Versions)
		slices.Reverse(g.Packages)
		for name, text := range emitAll(t, g) {
			if !bytes.Equal(text, first[name]) {
				t.Fatalf("%s depends on the order of the inputs:\n%s", name, cmp.Diff(string(first[name]), string(text)))
			}
		}
	}
}

// TestAlias emits the newest version of the group again, as an alias of itself.
func TestAlias(t *testing.T) {
	g := emittest.Read(t, filepath.Join("testdata", "widgets"))
	alias := g.Alias("2021-01-01", "v1alpha1api20210101")
	v := g.Version(alias.APIVersion)
	text, err := emit.Types(shape.New(alias, v))
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range v.Types {
		docs := []string{typ.Doc}
		for _, p := range typ.Properties {
			docs = append(docs, p.Doc)
		}
		for _, value := range typ.Values {
			docs = append(docs, value.Doc)
		}
		for _, doc := range docs {
			if doc != "" && bytes.Contains(text, []byte("// "+doc)) {
				t.Errorf("types.go has the doc %q of %s", doc, typ.Name)
			}
		}
	}
}

// BenchmarkEmit emits all files of types of the group in the
// folder that ARMATURE_BENCH_GROUP names, by default the small one here.
func BenchmarkEmit(b *testing.B) {
	folder := os.Getenv("ARMATURE_BENCH_GROUP")
	if folder == "" {
		folder = filepath.Join("testdata", "widgets")
	}
	g := emittest.Read(b, folder)
	lines := 0
	b.ReportAllocs()
	for b.Loop() {
		lines = 0
		for _, text := range emitAll(b, g) {
			lines += bytes.Count(text, []byte("\n"))
		}
	}
	b.ReportMetric(float64(lines), "lines/op")
}
