// Package crds checks the CRDs of all groups by what an API server does with them and with
// objects: it accepts the CRDs, and loses nothing of what the API allows.
package crds

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/emit/emittest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/runtime/roundtrip"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// TestCRDKeepsObjects expects an API server to accept each CRD, and objects that
// the API allows to pass pruning, defaulting and validation unchanged.
func TestCRDKeepsObjects(t *testing.T) {
	// The environment overrides these options, as it does for the laws.
	options := roundtrip.Options{Runs: 20}.NewKind(t, nil).Options
	t.Logf("the seed is %d", options.Seed)
	given := map[string]bool{}
	for _, folder := range emittest.Folders(t, "../../..") {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			g := emittest.Read(t, folder)
			for kind, crd := range readCRDs(t, g) {
				for i := range crd.Spec.Versions {
					if v := &crd.Spec.Versions[i]; v.Served && !v.Storage {
						testVersion(t, options, g, kind, v, given)
					}
				}
			}
		})
	}
	for _, construct := range []string{"string", "integer", "number", "boolean", "any", "secret", "reference", "owner", "anyOwner",
		"conditions", "enum", "unknown value of an open enum", "pattern", "variant", "alternative", "empty list", "keyed list"} {
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
func readCRDs(t *testing.T, g *emittest.Group) map[string]*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crds := map[string]*apiextensionsv1.CustomResourceDefinition{}
	for name, text := range g.CRDs(t) {
		d, err := crd.Decode(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := (crd.Webhook{Namespace: "system", Service: "webhook"}).Complete(d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		completed, refusals := emittest.Validate(t, d.Text())
		for _, err := range refusals {
			t.Errorf("%s: %v", name, err)
		}
		crds[completed.Spec.Names.Kind] = completed
	}
	return crds
}

// testVersion puts random objects of a version through what an API server does
// with a custom resource.
func testVersion(t *testing.T, options roundtrip.Options, g *emittest.Group, kind string,
	version *apiextensionsv1.CustomResourceDefinitionVersion, given map[string]bool) {
	t.Helper()
	internal := new(apiextensions.JSONSchemaProps)
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema,
		internal, nil); err != nil {
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
	f := newFiller(shape, uint64(options.Seed))
	f.given = given
	for run := range options.Runs {
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
func shapeOf(g *emittest.Group, kind, name string) (*ir.Version, *ir.Resource) {
	for _, p := range g.Packages {
		if p.Name != name {
			continue
		}
		shape := plan.Shape(p, g.Version(p.APIVersion))
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
