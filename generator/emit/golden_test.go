package emit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/emit/emittest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/serve"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// emitAll returns all files of types and CRDs of a group, by path.
func emitAll(t testing.TB, g *emittest.Group) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, p := range g.Packages {
		for name, emit := range map[string]func(*plan.Package, *ir.Version) ([]byte, error){
			"types.go": emit.Types, "register.go": emit.Register, "deepcopy.go": emit.DeepCopy,
		} {
			text, err := emit(p, g.Version(p.APIVersion))
			if err != nil {
				t.Fatalf("%s of %s: %v", name, p.Name, err)
			}
			files[filepath.Join(p.Name, name)] = text
		}
	}
	crds, _, err := emit.CRDs(g.Versions, g.Packages, g.Lock, emittest.Meta)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range crds {
		files[filepath.Join("crds", name)] = text
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

// TestSizes reads the sizes from the text of the CRDs again, and where outputs go.
func TestSizes(t *testing.T) {
	g := emittest.Read(t, filepath.Join("testdata", "widgets"))
	files, sizes, err := emit.CRDs(g.Versions, g.Packages, g.Lock, emittest.Meta)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes {
		plural, group, _ := strings.Cut(size.CRD, ".")
		crd, err := serve.Read(files[group+"_"+plural+".yaml"])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(crd.Versions, size.Versions, cmpopts.IgnoreUnexported(serve.Version{})); diff != "" || crd.Price().Bytes != size.Bytes {
			t.Errorf("%s has %d bytes and is said to have %d (-has +said):\n%s", size.CRD, crd.Price().Bytes, size.Bytes, diff)
		}
		if !crd.Outputs || crd.OutputsInConfigMaps != (crd.Kind == "Widget") {
			t.Errorf("%s: outputs are read as %v, in ConfigMaps as %v", crd.Kind, crd.Outputs, crd.OutputsInConfigMaps)
		}
	}
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
	const name = "v1alpha1api20210101"
	g := emittest.Read(t, filepath.Join("testdata", "widgets"))
	var alias plan.Package
	for _, p := range g.Packages {
		if p.Role == plan.API && p.APIVersion == "2021-01-01" {
			alias = *p
		}
	}
	alias.Name, alias.Alias = name, true
	alias.Resources = slices.Clone(alias.Resources)
	for i, r := range alias.Resources {
		alias.Resources[i].Next = name + "storage"
		locked := g.Lock.Resources[r.Kind]
		locked.Aliases = []string{name + "storage"}
		g.Lock.Resources[r.Kind] = locked
	}
	v := g.Version(alias.APIVersion)

	t.Run("types.go has no docs of the spec", func(t *testing.T) {
		text, err := emit.Types(&alias, v)
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
					t.Errorf("the doc %q of %s is there", doc, typ.Name)
				}
			}
		}
	})
	t.Run("the CRD has no descriptions", func(t *testing.T) {
		files, _, err := emit.CRDs(g.Versions, append(g.Packages, &alias), g.Lock, emittest.Meta)
		if err != nil {
			t.Fatal(err)
		}
		for file, text := range files {
			var crd apiextensionsv1.CustomResourceDefinition
			if err := yaml.Unmarshal(text, &crd); err != nil || crd.Spec.Group == "" {
				continue // the kustomization
			}
			i := slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == name })
			if i < 0 {
				t.Fatalf("%s does not list %s", file, name)
			}
			schema, err := yaml.Marshal(crd.Spec.Versions[i].Schema)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(schema, []byte("description:")) {
				t.Errorf("%s:\n%s", file, schema)
			}
		}
	})
}

// BenchmarkEmit emits all files of types, and the CRDs, of the group in the
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
