package untypedtest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/armature-dev/armature/runtime/untyped"
)

// CRDVersionTest takes objects through the versions of a CRD.
type CRDVersionTest struct {
	// Name is the name of the subtest. The default is the name of the CRD.
	Name string

	// Spec is the spec of the CRD.
	Spec apiextensionsv1.CustomResourceDefinitionSpec

	// MinVersion and MaxVersion bound the versions, both included, in the order of
	// Kubernetes' version priority. An empty one does not bound them.
	MinVersion string
	MaxVersion string

	// Seed returns the objects to start with, at the lowest version. It may
	// leave out apiVersion and kind, and the namespace, which is then default.
	Seed func(t *testing.T, version string) []*unstructured.Unstructured

	// Test checks the objects at a version, in the order of Seed. It may change
	// them; the changed objects are then converted to the next version.
	Test func(t *testing.T, version string, objects []*unstructured.Unstructured)

	// Convert converts the objects, in memory.
	Convert untyped.ConvertFunction

	// Client, in place of Convert, is a client of an API server, which converts. The
	// CRD must be installed there. The objects are created at the lowest version,
	// then read and updated at each next one, and deleted at the end. Versions that
	// are not served are skipped.
	Client dynamic.Interface
}

// RunCRDVersionTest seeds objects at the lowest version and runs Test; then
// upgrades them version by version to the highest, with Test after each step,
// and downgrades them the same way. It stops at the first step that fails.
func RunCRDVersionTest(t *testing.T, test CRDVersionTest) {
	t.Helper()
	name := test.Name
	if name == "" {
		name = test.crdName()
	}
	t.Run(name, test.run)
}

func (c CRDVersionTest) run(t *testing.T) {
	steps, err := c.steps()
	if err != nil {
		t.Fatal(err)
	}
	objects, err := c.seeds(t, steps[0].version)
	if err != nil {
		t.Fatal(err)
	}
	m := c.medium(t)
	for i, step := range steps {
		if i == 0 {
			objects, err = m.seed(step.version, objects)
		} else {
			objects, err = m.move(step.version, objects)
		}
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		shown, err := normal(objects)
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		if !t.Run(step.String(), func(t *testing.T) { c.Test(t, step.version, shown) }) {
			return
		}
		if shown, err = normal(shown); err != nil {
			t.Fatalf("%s: what Test left: %v", step, err)
		}
		if reflect.DeepEqual(objects, shown) {
			continue
		}
		if objects, err = m.write(step.version, shown); err != nil {
			t.Fatalf("%s: writing what Test changed: %v", step, err)
		}
	}
}

// step is a version at which Test runs, and how the objects get there.
type step struct{ how, version string }

func (s step) String() string { return s.how + " " + s.version }

// steps returns the seed, the upgrades and the downgrades, or an error that says
// what is wrong with the test.
func (c CRDVersionTest) steps() ([]step, error) {
	switch {
	case c.Seed == nil || c.Test == nil:
		return nil, errors.New("a CRDVersionTest needs Seed and Test")
	case (c.Convert == nil) == (c.Client == nil):
		return nil, errors.New("a CRDVersionTest needs one of Convert and Client")
	}
	versions, err := c.versions()
	if err != nil {
		return nil, err
	}
	steps := []step{{"seed at", versions[0]}}
	for _, v := range versions[1:] {
		steps = append(steps, step{"upgrade to", v})
	}
	slices.Reverse(versions)
	for _, v := range versions[1:] {
		steps = append(steps, step{"downgrade to", v})
	}
	return steps, nil
}

// versions returns the versions within the bounds, the lowest first; at least one.
func (c CRDVersionTest) versions() ([]string, error) {
	all, which := untyped.Versions(c.Spec), "versions"
	if c.Client != nil {
		which = "served versions"
		all = slices.DeleteFunc(all, func(v string) bool { return !c.version(v).Served })
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no %s", c.crdName(), which)
	}
	low, high := 0, len(all)-1
	if c.MinVersion != "" {
		low = slices.Index(all, c.MinVersion)
	}
	if c.MaxVersion != "" {
		high = slices.Index(all, c.MaxVersion)
	}
	unknown := func(field, value string) error {
		return fmt.Errorf("%s %s is none of the %s of %s: %s", field, value, which, c.crdName(), strings.Join(all, ", "))
	}
	switch {
	case low < 0:
		return nil, unknown("MinVersion", c.MinVersion)
	case high < 0:
		return nil, unknown("MaxVersion", c.MaxVersion)
	case low > high:
		return nil, fmt.Errorf("MinVersion %s comes after MaxVersion %s: the order is %s", all[low], all[high], strings.Join(all, ", "))
	}
	return all[low : high+1], nil
}

func (c CRDVersionTest) version(name string) *apiextensionsv1.CustomResourceDefinitionVersion {
	for i := range c.Spec.Versions {
		if c.Spec.Versions[i].Name == name {
			return &c.Spec.Versions[i]
		}
	}
	return nil
}

func (c CRDVersionTest) crdName() string { return c.Spec.Names.Plural + "." + c.Spec.Group }

func (c CRDVersionTest) gvk(version string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: c.Spec.Group, Version: version, Kind: c.Spec.Names.Kind}
}

// seeds returns the objects of Seed, and adds what Seed may leave out.
func (c CRDVersionTest) seeds(t *testing.T, version string) ([]*unstructured.Unstructured, error) {
	objects, err := normal(c.Seed(t, version))
	if err != nil {
		return nil, fmt.Errorf("what Seed returned: %w", err)
	}
	if len(objects) == 0 {
		return nil, errors.New("Seed returned no objects")
	}
	gvk := c.gvk(version)
	for i, object := range objects {
		if object.GetAPIVersion() == "" && object.GetKind() == "" {
			object.SetGroupVersionKind(gvk)
		}
		if got := object.GroupVersionKind(); got != gvk {
			return nil, fmt.Errorf("object %d of Seed is a %s of %s, not a %s of %s", i, got.Kind, got.GroupVersion(), gvk.Kind,
				gvk.GroupVersion())
		}
		if c.Spec.Scope == apiextensionsv1.NamespaceScoped && object.GetNamespace() == "" {
			object.SetNamespace("default")
		}
	}
	return objects, nil
}

// normal copies objects as their JSON says, so that an int that a test wrote is
// an int64 as it is from an API server.
func normal(objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	var all []*unstructured.Unstructured
	for i, object := range objects {
		same, err := untyped.FromUnstructured(object).Unstructured()
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", i, err)
		}
		all = append(all, same)
	}
	return all, nil
}
