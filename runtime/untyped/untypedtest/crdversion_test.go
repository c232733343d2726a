package untypedtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/armature-dev/armature/runtime/untyped"
)

// spec is the spec of the CRD widgets.example.com with the versions v1 to v4. v4 is
// not served, v3 has no status subresource.
func spec() apiextensionsv1.CustomResourceDefinitionSpec {
	s := apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "example.com",
		Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Kind: "Widget"},
		Scope: apiextensionsv1.NamespaceScoped,
	}
	for _, v := range []string{"v3", "v1", "v4", "v2"} {
		version := apiextensionsv1.CustomResourceDefinitionVersion{Name: v, Served: v != "v4"}
		if v != "v3" {
			version.Subresources = &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}}
		}
		s.Versions = append(s.Versions, version)
	}
	return s
}

// move is a conversion in which each version has its number under another name:
// spec.v1, spec.v2, ...
func move(t *testing.T) untyped.ConvertFunction {
	t.Helper()
	rename := func(from, to string) untyped.ConversionMapping {
		return untyped.ConversionMapping{OriginalVersion: from, DesiredVersion: to,
			Convert: untyped.Edit(func(object *unstructured.Unstructured) error {
				n, found, err := unstructured.NestedInt64(object.Object, "spec", from)
				if err != nil || !found {
					return fmt.Errorf("there is no number spec.%s: %v, %w", from, object.Object["spec"], err)
				}
				unstructured.RemoveNestedField(object.Object, "spec", from)
				return unstructured.SetNestedField(object.Object, n, "spec", to)
			})}
	}
	function, err := untyped.MakeConvertFunction([]untyped.ConversionMapping{
		rename("v1", "v2"), rename("v2", "v3"), rename("v3", "v4"), rename("v4", "v3"), rename("v3", "v2"), rename("v2", "v1"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return function
}

// seed returns an object with the number 1, as a Go int.
func seed(_ *testing.T, version string) []*unstructured.Unstructured {
	return []*unstructured.Unstructured{{Object: map[string]any{
		"metadata": map[string]any{"name": "w"},
		"spec":     map[string]any{version: 1},
		"status":   map[string]any{"phase": "seeded"},
	}}}
}

// counting returns a Test that notes what it sees and increments the number.
func counting(seen *[]string) func(*testing.T, string, []*unstructured.Unstructured) {
	return func(t *testing.T, version string, objects []*unstructured.Unstructured) {
		object := objects[0]
		n, _, _ := unstructured.NestedInt64(object.Object, "spec", version)
		phase, _, _ := unstructured.NestedString(object.Object, "status", "phase")
		*seen = append(*seen, fmt.Sprintf("%s %s %s/%s: %d, %s", object.GetKind(), object.GetAPIVersion(), object.GetNamespace(),
			object.GetName(), n, phase))
		object.Object["spec"] = map[string]any{version: int(n) + 1}
		object.Object["status"] = map[string]any{"phase": "seen at " + version}
	}
}

func TestRunCRDVersionTest(t *testing.T) {
	t.Run("converts what Test leaves, up and down", testUpAndDown)
	t.Run("lets an API server convert if there is a client", testClient)
	t.Run("does not write objects that Test leaves unchanged", testUnchanged)
	t.Run("includes both bounds", testBounds)
	t.Run("refuses an incomplete test", testIncomplete)
	t.Run("refuses a seed of another version", testSeed)
	t.Run("finds a convert function that does not convert", testNotConverting)
}

func testUpAndDown(t *testing.T) {
	var seen []string
	RunCRDVersionTest(t, CRDVersionTest{Name: "in memory", Spec: spec(), Seed: seed, Test: counting(&seen), Convert: move(t)})
	if diff := cmp.Diff([]string{
		"Widget example.com/v1 default/w: 1, seeded",
		"Widget example.com/v2 default/w: 2, seen at v1",
		"Widget example.com/v3 default/w: 3, seen at v2",
		"Widget example.com/v4 default/w: 4, seen at v3",
		"Widget example.com/v3 default/w: 5, seen at v4",
		"Widget example.com/v2 default/w: 6, seen at v3",
		"Widget example.com/v1 default/w: 7, seen at v2",
	}, seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func testClient(t *testing.T) {
	var seen []string
	server := &standIn{t: t, convert: move(t), stored: map[string]*unstructured.Unstructured{}}
	RunCRDVersionTest(t, CRDVersionTest{Name: "on a server", Spec: spec(), Seed: seed, Test: counting(&seen), Client: server})
	if diff := cmp.Diff([]string{
		"Widget example.com/v1 default/w: 1, seeded",
		"Widget example.com/v2 default/w: 2, seen at v1",
		"Widget example.com/v3 default/w: 3, seen at v2",
		"Widget example.com/v2 default/w: 4, seen at v3",
		"Widget example.com/v1 default/w: 5, seen at v2",
	}, seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := "create v1,status v1, update v1,status v1, " + // seed, and what Test made of it
		"update v2,status v2, update v2,status v2, " +
		"update v3, update v3, " +
		"update v2,status v2, update v2,status v2, " +
		"update v1,status v1, update v1,status v1"
	if got := strings.Join(server.log, ","); got != strings.ReplaceAll(want, ", ", ",") {
		t.Errorf("the server's log is %s", got)
	}
	if len(server.stored) != 0 {
		t.Errorf("objects are left behind: %v", server.stored)
	}
}

// A Test with a client of its own would otherwise meet conflicts.
func testUnchanged(t *testing.T) {
	server := &standIn{t: t, convert: move(t), stored: map[string]*unstructured.Unstructured{}}
	RunCRDVersionTest(t, CRDVersionTest{Spec: spec(), MaxVersion: "v2", Seed: seed, Client: server,
		Test: func(t *testing.T, version string, objects []*unstructured.Unstructured) {}})
	if got := strings.Join(server.log, ","); got != "create v1,status v1,update v2,status v2,update v1,status v1" {
		t.Errorf("the server's log is %s", got)
	}
}

func testBounds(t *testing.T) {
	for _, c := range []struct {
		min, max, want string
	}{
		{"", "", "seed at v1, upgrade to v2, upgrade to v3, upgrade to v4, downgrade to v3, downgrade to v2, downgrade to v1"},
		{"v2", "v3", "seed at v2, upgrade to v3, downgrade to v2"},
		{"v3", "", "seed at v3, upgrade to v4, downgrade to v3"},
		{"", "v2", "seed at v1, upgrade to v2, downgrade to v1"},
		{"v2", "v2", "seed at v2"},
	} {
		t.Run(c.min+" to "+c.max, func(t *testing.T) {
			steps, err := CRDVersionTest{Spec: spec(), MinVersion: c.min, MaxVersion: c.max, Seed: seed, Test: counting(nil),
				Convert: move(t)}.steps()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, step := range steps {
				got = append(got, step.String())
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %v, expected %s", got, c.want)
			}
		})
	}
}

func testIncomplete(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*CRDVersionTest)
		want   string
	}{
		"no Seed":               {func(c *CRDVersionTest) { c.Seed = nil }, "needs Seed and Test"},
		"no Test":               {func(c *CRDVersionTest) { c.Test = nil }, "needs Seed and Test"},
		"nothing that converts": {func(c *CRDVersionTest) { c.Convert = nil }, "needs one of Convert and Client"},
		"two that convert":      {func(c *CRDVersionTest) { c.Client = &standIn{} }, "needs one of Convert and Client"},
		"no versions":           {func(c *CRDVersionTest) { c.Spec.Versions = nil }, "widgets.example.com has no versions"},
		"an unknown bound below": {func(c *CRDVersionTest) { c.MinVersion = "v0" },
			"MinVersion v0 is none of the versions of widgets.example.com: v1, v2, v3, v4"},
		"an unknown bound above": {func(c *CRDVersionTest) { c.MaxVersion = "v9" },
			"MaxVersion v9 is none of the versions of widgets.example.com: v1, v2, v3, v4"},
		"bounds the wrong way": {func(c *CRDVersionTest) { c.MinVersion, c.MaxVersion = "v3", "v2" },
			"MinVersion v3 comes after MaxVersion v2: the order is v1, v2, v3, v4"},
		"a bound that the server does not serve": {
			func(c *CRDVersionTest) { c.Convert, c.Client, c.MaxVersion = nil, &standIn{}, "v4" },
			"MaxVersion v4 is none of the served versions of widgets.example.com: v1, v2, v3",
		},
	} {
		t.Run(name, func(t *testing.T) {
			test := CRDVersionTest{Spec: spec(), Seed: seed, Test: counting(nil), Convert: move(t)}
			c.change(&test)
			if _, err := test.steps(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, expected an error with %q", err, c.want)
			}
		})
	}
}

func testSeed(t *testing.T) {
	test := CRDVersionTest{Spec: spec()}
	for name, c := range map[string]struct {
		object map[string]any
		want   string
	}{
		"another version": {map[string]any{"apiVersion": "example.com/v2", "kind": "Widget"},
			"object 0 of Seed is a Widget of example.com/v2, not a Widget of example.com/v1"},
		"another kind": {map[string]any{"apiVersion": "example.com/v1", "kind": "Gadget"},
			"object 0 of Seed is a Gadget of example.com/v1"},
		"nothing": {nil, "what Seed returned: object 0: expected a JSON object, got null"},
	} {
		t.Run(name, func(t *testing.T) {
			test.Seed = func(*testing.T, string) []*unstructured.Unstructured {
				return []*unstructured.Unstructured{{Object: c.object}}
			}
			if _, err := test.seeds(t, "v1"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, expected an error with %q", err, c.want)
			}
		})
	}
	test.Seed = func(*testing.T, string) []*unstructured.Unstructured { return nil }
	if _, err := test.seeds(t, "v1"); err == nil {
		t.Error("a test without objects tests nothing")
	}
}

// A function of MakeConvertFunction always converts, one that is written by hand may
// not.
func testNotConverting(t *testing.T) {
	test := CRDVersionTest{Spec: spec(), Convert: func(object untyped.Convertible, _ string) (untyped.Convertible, error) {
		return object, nil
	}}
	object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Widget"}}
	_, err := memory{test}.move("v2", []*unstructured.Unstructured{object})
	if err == nil || !strings.Contains(err.Error(), "object 0: it became a Widget of example.com/v1, not a Widget of example.com/v2") {
		t.Errorf("got %v", err)
	}
}
