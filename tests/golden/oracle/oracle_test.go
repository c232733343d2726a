package oracle

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/emit/emittest"
	"github.com/armature-dev/armature/generator/gofile"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/internal/night"
	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

const root = "../../.."

// group is the code that is generated for one group.
type group struct {
	deepCopy map[string][]byte // by the package's path in the oracle's module
	crds     map[string]*apiextensionsv1.CustomResourceDefinition
	dir      string          // in the oracle's module
	moved    []string        // import paths in quotes: planned, in the oracle's module, and so on
	aliases  map[string]bool // by the package's name
	retired  map[string]bool // by the package's name; no CRD has these versions
}

// generate emits a group into the oracle's module: API packages below api/,
// storage packages below storage/, none with its deep copies.
func generate(t *testing.T, o *Oracle, name, folder string) *group {
	t.Helper()
	inputs := emittest.Read(t, folder)
	g := &group{
		dir: name, deepCopy: map[string][]byte{}, crds: map[string]*apiextensionsv1.CustomResourceDefinition{},
		aliases: map[string]bool{}, retired: map[string]bool{},
	}
	for _, p := range inputs.Packages {
		g.aliases[p.Name], g.retired[p.Name] = p.Alias, p.Retired
		g.moved = append(g.moved, strconv.Quote(p.ImportPath), strconv.Quote(path.Join(module, g.folder(p))))
	}
	// Markers say what a version requires, which the schema of its CRD need not.
	relaxed := emittest.Group{Versions: crd.Relax(inputs.Versions, inputs.Packages)}
	for _, p := range inputs.Packages {
		g.emit(t, o, p, relaxed.Version(p.APIVersion))
	}
	for name, text := range inputs.CRDs(t) {
		crd := new(apiextensionsv1.CustomResourceDefinition)
		if err := yaml.UnmarshalStrict(text, crd); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		g.crds[crd.Spec.Names.Kind] = crd
	}
	return g
}

// folder returns the folder of a package in the oracle's module.
func (g *group) folder(p *plan.Package) string { return path.Join(g.dir, string(p.Role), p.Name) }

// emit emits the package that the oracle is asked about.
func (g *group) emit(t *testing.T, o *Oracle, p *plan.Package, v *ir.Version) {
	t.Helper()
	dir := g.folder(p)
	for name, emit := range map[string]func(*shape.Package) ([]byte, error){
		"types.go": emit.Types, "register.go": emit.Register, "deepcopy.go": emit.DeepCopy,
	} {
		text, err := emit(shape.New(p, v))
		text = []byte(strings.NewReplacer(g.moved...).Replace(string(text)))
		if err == nil {
			err = o.Write(path.Join(dir, name), text) // deepcopy.go is hidden by its build tag
		}
		if err != nil {
			t.Fatal(err)
		}
		if name == "deepcopy.go" {
			g.deepCopy[dir] = text
		}
	}
}

// versionsOf returns the versions of a CRD by name; first is the default one.
func versionsOf(crd *apiextensionsv1.CustomResourceDefinition) (first string,
	versions map[string]*apiextensionsv1.CustomResourceDefinitionVersion) {
	versions = map[string]*apiextensionsv1.CustomResourceDefinitionVersion{}
	for i := range crd.Spec.Versions {
		versions[crd.Spec.Versions[i].Name] = &crd.Spec.Versions[i]
	}
	return crd.Spec.Versions[0].Name, versions
}

// byDay are the groups about which controller-tools is asked by day; every night it is asked about all.
var byDay = []string{"widgets", "crm", "cache", "network"}

func TestGeneratedGroups(t *testing.T) {
	o, err := New(root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]int{}
	for _, folder := range emittest.Folders(t, root) {
		name := filepath.Base(folder)
		if !night.Is() && !slices.Contains(byDay, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			g := generate(t, o, name, folder)
			for _, role := range []plan.Role{plan.API, plan.Storage} {
				answer, err := o.Ask(path.Join(name, string(role)))
				if err != nil {
					t.Fatal(err)
				}
				for dir, want := range answer.DeepCopies {
					short, err := Shorten(want, g.deepCopy[dir], used)
					if err != nil {
						t.Fatalf("%s: %v", dir, err)
					}
					if diff := cmp.Diff(strings.Split(short, "\n"), strings.Split(Methods(g.deepCopy[dir]), "\n")); diff != "" {
						t.Errorf("%s/deepcopy.go (-controller-tools, shortened +armature):\n%s", dir, diff)
					}
					delete(g.deepCopy, dir)
				}
				if role == plan.API {
					compareCRDs(t, g, answer, used)
				}
			}
			for dir := range g.deepCopy {
				t.Errorf("%s: controller-tools prints no deep copies", dir)
			}
		})
	}
	for _, p := range Patterns {
		t.Logf("pattern %q: %d times", p.Name, used[p.Name])
		if used[p.Name] == 0 {
			t.Errorf("pattern %q is not needed any more (%s); delete it", p.Name, p.Reason)
		}
	}
	for _, e := range Exceptions {
		t.Logf("exception %q: %d times", e.Name, used[e.Name])
		if used[e.Name] == 0 {
			t.Errorf("exception %q is not needed any more (%s); delete it", e.Name, e.Reason)
		}
	}
}

// compareCRDs compares each kind's CRD, and counts the exceptions. It leaves out the
// storage versions, whose schemas armature collapses.
func compareCRDs(t *testing.T, g *group, answer *Answer, used map[string]int) {
	t.Helper()
	if len(g.crds) == 0 || len(g.crds) != len(answer.CRDs) {
		t.Errorf("%d CRDs; controller-tools makes %d", len(g.crds), len(answer.CRDs))
	}
	for kind, theirs := range answer.CRDs {
		ours := g.crds[kind]
		if ours == nil {
			t.Errorf("%s: no CRD", kind)
			continue
		}
		if diff := cmp.Diff(theirs.Spec.Names, ours.Spec.Names); diff != "" {
			t.Errorf("%s: names (-controller-tools +armature):\n%s", kind, diff)
		}
		first, versions := versionsOf(ours)
		for i := range theirs.Spec.Versions {
			theirVersion := theirs.Spec.Versions[i]
			ourVersion := versions[theirVersion.Name]
			if isRetired := g.retired[theirVersion.Name]; isRetired != (ourVersion == nil) {
				t.Errorf("%s %s: retired %v, absent %v", kind, theirVersion.Name, isRetired, ourVersion == nil)
			}
			if ourVersion == nil {
				continue
			}
			where := fmt.Sprintf("%s %s", kind, theirVersion.Name)
			ourSchema, theirSchema := ourVersion.Schema, theirVersion.Schema
			a, b := *ourVersion, theirVersion
			a.Schema, b.Schema, b.Storage = nil, nil, false // one version alone is taken for the stored one
			if diff := cmp.Diff(b, a); diff != "" {
				t.Errorf("%s (-controller-tools +armature):\n%s", where, diff)
			}
			compareSchemas(t, where, ourSchema, theirSchema, theirVersion.Name == first, g.aliases[theirVersion.Name], used)
		}
	}
}

func compareSchemas(t *testing.T, where string, ours, theirs *apiextensionsv1.CustomResourceValidation, isDefault,
	isAlias bool, used map[string]int) {
	t.Helper()
	differences, err := Compare(ours.OpenAPIV3Schema, theirs.OpenAPIV3Schema, isDefault, isAlias)
	if err != nil {
		t.Fatal(err)
	}
next:
	for _, d := range differences {
		for _, e := range Exceptions {
			if e.Holds(d) {
				used[e.Name]++
				continue next
			}
		}
		t.Errorf("%s: %s\narmature:         %v\ncontroller-tools: %v", where, d.Path, d.Ours, d.Theirs)
	}
}

// TestReferences checks that the deep copies of runtime/reference are those of
// controller-tools too.
func TestReferences(t *testing.T) {
	o, err := New(root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const importPath = "github.com/armature-dev/armature/runtime/reference"
	answer, err := o.Ask(importPath)
	if err != nil {
		t.Fatal(err)
	}
	text := "//go:build !ignore_autogenerated\n\n" + gofile.Header + "\n\n" + WithoutHeader(answer.DeepCopies[importPath])
	golden.Equal(t, filepath.Join(root, "runtime/reference/deepcopy.go"), text)
}
