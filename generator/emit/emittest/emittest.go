// Package emittest has what tests of the emitters share: the groups to try them on, and
// what an API server says about a CRD. Its main type is [Group].
package emittest

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
)

// Folders returns the folders of the made-up group and, in Bazel, of the groups that it
// has built. root is the path of the repository's root, or of its runfiles.
func Folders(t testing.TB, root string) []string {
	t.Helper()
	folders := []string{filepath.Join(root, "generator", "emit", "testdata", "widgets")}
	plans, _ := filepath.Glob(filepath.Join(root, "apis", "*", "*.plan.json"))
	if len(plans) == 0 && os.Getenv("TEST_SRCDIR") != "" {
		t.Fatal("found no groups that Bazel has built; the test's data lacks their :shapes")
	}
	for _, file := range plans {
		folders = append(folders, filepath.Dir(file))
	}
	return slices.Compact(folders)
}

// Group has the inputs of the emitters of a group.
type Group struct {
	Versions []*ir.Version
	Packages []*plan.Package
	Lock     *lock.Lock
}

// Meta has the types that armcrd passes to [crd.Files] too.
var Meta = crd.Meta{TypeMeta: metav1.TypeMeta{}, Condition: metav1.Condition{}}

// Read reads the IRs, plans and lock of a folder. A folder may have no lock; then no
// version was the hub before.
func Read(t testing.TB, folder string) *Group {
	t.Helper()
	g := new(Group)
	irs, _ := filepath.Glob(filepath.Join(folder, "*.ir.json"))
	for _, file := range irs {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := ir.Decode(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		g.Versions = append(g.Versions, v)
	}
	plans, _ := filepath.Glob(filepath.Join(folder, "*.plan.json"))
	if len(irs) == 0 || len(plans) == 0 {
		t.Fatalf("%s holds no group", folder)
	}
	var err error
	if g.Packages, err = plan.Read(plans...); err != nil {
		t.Fatal(err)
	}
	g.Lock = new(lock.Lock)
	lockFile := filepath.Join(folder, "lock.bzl")
	lockText, err := os.ReadFile(lockFile)
	if errors.Is(err, fs.ErrNotExist) {
		return g // Bazel's output folder has none: it is in the source tree
	}
	if err != nil {
		t.Fatal(err)
	}
	if g.Lock, err = lock.Parse(lockFile, lockText); err != nil {
		t.Fatal(err)
	}
	return g
}

// Version returns the IR of an ARM API version, or nil.
func (g *Group) Version(api string) *ir.Version {
	for _, v := range g.Versions {
		if v.APIVersion == api {
			return v
		}
	}
	return nil
}

// Alias returns the package of an API version again, as an alias with another name
// that the lock has.
func (g *Group) Alias(apiVersion, name string) *plan.Package {
	var alias plan.Package
	for _, p := range g.Packages {
		if p.Role == plan.API && p.APIVersion == apiVersion {
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
	return &alias
}

// CRDs returns the files of the group's CRDs, by name.
func (g *Group) CRDs(t testing.TB) map[string][]byte {
	t.Helper()
	files, _, err := crd.Files(g.Versions, g.Packages, g.Lock, Meta)
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return !strings.Contains(name, "_") })
	return files
}

// Validate decodes a CRD and returns why an API server would refuse it.
func Validate(t testing.TB, text []byte) (*apiextensionsv1.CustomResourceDefinition, field.ErrorList) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := apiextensionsv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		t.Fatal(err)
	}
	defaulted := crd.DeepCopy()
	scheme.Default(defaulted)
	apiextensionsv1.SetDefaults_CustomResourceDefinition(defaulted)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&defaulted.Spec)
	defaulted.Status.StoredVersions = []string{storedVersion(crd)}
	internal := new(apiextensions.CustomResourceDefinition)
	convert := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition
	if err := convert(defaulted, internal, nil); err != nil {
		t.Fatal(err)
	}
	return crd, crdvalidation.ValidateCustomResourceDefinition(context.Background(), internal)
}

func storedVersion(crd *apiextensionsv1.CustomResourceDefinition) string {
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}
