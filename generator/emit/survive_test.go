package emit_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// folders returns the folders of the made-up group and of the groups below the
// folder that ARMATURE_GENERATED names, such as bazel-bin/apis.
func folders(t *testing.T) []string {
	all := []string{filepath.Join("testdata", "widgets")}
	plans, _ := filepath.Glob(filepath.Join(os.Getenv("ARMATURE_GENERATED"), "*", "*.plan.json"))
	for _, file := range plans {
		if folder := filepath.Dir(file); os.Getenv("ARMATURE_GENERATED") != "" && !slices.Contains(all, folder) {
			all = append(all, folder)
		}
	}
	return all
}

// runs is the number of objects of each version.
func runs(t *testing.T) int {
	if text := os.Getenv("ARMATURE_RUNS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 20
}

func seed(t *testing.T) uint64 {
	if text := os.Getenv("ARMATURE_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 1
}

// TestCRDKeepsObjects expects an API server to accept each CRD, and objects that
// the API allows to pass pruning, defaulting and validation unchanged.
func TestCRDKeepsObjects(t *testing.T) {
	given := map[string]bool{}
	for _, folder := range folders(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			g := readGroup(t, folder)
			for kind, crd := range readCRDs(t, g) {
				for i := range crd.Spec.Versions {
					if v := &crd.Spec.Versions[i]; v.Served && !v.Storage {
						testVersion(t, g, kind, v, given)
					}
				}
			}
		})
	}
	for _, construct := range []string{"string", "integer", "number", "boolean", "any", "secret", "reference", "owner", "anyOwner",
		"conditions", "enum", "unknown value of an open enum", "pattern", "variant", "empty list", "keyed list"} {
		if !given[construct] {
			t.Errorf("no object had this: %s", construct)
		}
	}
	for _, construct := range slices.Sorted(maps.Keys(given)) {
		if strings.HasPrefix(construct, "pattern without") {
			t.Log(construct)
		}
	}
}

// readCRDs returns a group's CRDs by kind, each accepted by an API server once
// its stanza is complete.
func readCRDs(t *testing.T, g *group) map[string]*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crds := map[string]*apiextensionsv1.CustomResourceDefinition{}
	for name, text := range crdFiles(t, g) {
		completed, err := emit.Webhook{Namespace: "system", Service: "webhook"}.Complete(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		crd, refusals := validate(t, completed)
		for _, err := range refusals {
			t.Errorf("%s: %v", name, err)
		}
		crds[crd.Spec.Names.Kind] = crd
	}
	return crds
}

// crdFiles returns the files of a group's CRDs, by name.
func crdFiles(t *testing.T, g *group) map[string][]byte {
	t.Helper()
	files, _, err := emit.CRDs(g.versions, g.packages, g.lock, meta)
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return !strings.Contains(name, "_") })
	return files
}

// validate decodes a CRD and returns why an API server would refuse it.
func validate(t *testing.T, text []byte) (*apiextensionsv1.CustomResourceDefinition, field.ErrorList) {
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
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(defaulted, internal, nil); err != nil {
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

// testVersion puts random objects of a version through what an API server does
// with a custom resource.
func testVersion(t *testing.T, g *group, kind string, version *apiextensionsv1.CustomResourceDefinitionVersion, given map[string]bool) {
	t.Helper()
	internal := new(apiextensions.JSONSchemaProps)
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, internal, nil); err != nil {
		t.Fatal(err)
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		t.Fatal(err)
	}
	shape, resource := shapeOf(g, kind, version.Name)
	f := newFiller(shape, seed(t))
	f.given = given
	for run := range runs(t) {
		spec, status := f.object(f.types[resource.Spec], 0), f.object(f.types[resource.Status], 0)
		if spec == (impossible{}) {
			t.Errorf("%s %s: found no object that its limits allow", kind, version.Name)
			return
		}
		object := roundTrip(t, map[string]any{
			"apiVersion": "x/" + version.Name, "kind": kind, "metadata": map[string]any{"name": "x"}, "spec": spec, "status": status,
		})
		got := runtime.DeepCopyJSON(object)
		pruning.Prune(got, structural, true)
		defaulting.Default(got, structural)
		if diff := cmp.Diff(object, got); diff != "" {
			t.Errorf("%s %s, run %d (-object +survived):\n%s", kind, version.Name, run, diff)
		}
		errs := validation.ValidateCustomResource(nil, got, validator)
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, got)...)
		for _, err := range errs {
			t.Errorf("%s %s, run %d: %v", kind, version.Name, run, err)
		}
	}
}

// shapeOf returns the API package's shape and the resource of a kind in it.
func shapeOf(g *group, kind, name string) (*ir.Version, *ir.Resource) {
	for _, p := range g.packages {
		if p.Name != name {
			continue
		}
		shape := plan.Shape(p, g.version(p.APIVersion))
		for _, r := range shape.Resources {
			if r.Kind == kind {
				return shape, r
			}
		}
	}
	return nil, nil
}

// roundTrip returns an object as Kubernetes decodes it.
func roundTrip(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var decoded map[string]any
	if err := utiljson.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}
