package untyped

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// trail returns a mapping that notes its versions in spec.trail.
func trail(from, to string) ConversionMapping {
	return ConversionMapping{OriginalVersion: from, DesiredVersion: to, Convert: Edit(func(object *unstructured.Unstructured) error {
		way, _, err := unstructured.NestedString(object.Object, "spec", "trail")
		if err != nil {
			return err
		}
		return unstructured.SetNestedField(object.Object, way+from+">"+to+" ", "spec", "trail")
	})}
}

// chain returns mappings that join each version with the next, in both directions.
func chain(versions ...string) []ConversionMapping {
	var mappings []ConversionMapping
	for i := range versions[1:] {
		mappings = append(mappings, trail(versions[i], versions[i+1]), trail(versions[i+1], versions[i]))
	}
	return mappings
}

// to returns a single mapping, from v1alpha1 to v1beta1.
func to(convert func(Convertible) (Convertible, error)) []ConversionMapping {
	return []ConversionMapping{{OriginalVersion: "v1alpha1", DesiredVersion: "v1beta1", Convert: convert}}
}

func mustMake(t *testing.T, mappings []ConversionMapping) ConvertFunction {
	t.Helper()
	convert, err := MakeConvertFunction(mappings)
	if err != nil {
		t.Fatal(err)
	}
	return convert
}

func raw(text string) Convertible {
	return Convertible{RawExtension: runtime.RawExtension{Raw: []byte(text)}}
}

func widget(version string) string {
	return fmt.Sprintf(`{"apiVersion":"example.com/%s","kind":"Widget","metadata":{"name":"w","namespace":"n"}}`, version)
}

func field(t *testing.T, c Convertible, path ...string) any {
	t.Helper()
	object, err := c.Unstructured()
	if err != nil {
		t.Fatal(err)
	}
	value, _, err := unstructured.NestedFieldNoCopy(object.Object, path...)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// checkError checks that an error has all the parts.
func checkError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, expected one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q:\n%v", part, err)
		}
	}
}

func TestConvertFunction(t *testing.T) {
	t.Run("applies the mappings of adjacent versions, up and down", testAdjacentVersions)
	t.Run("applies mappings whatever the priority of their versions is", testPriorityOfVersions)
	t.Run("returns an object of the desired version unchanged", testDesiredVersion)
	t.Run("needs no mapping for an object of the desired version", testNoMappings)
	t.Run("leaves the caller's object unchanged", testCallersObject)
	t.Run("keeps integers exact", testIntegers)
	t.Run("can be called from several goroutines", testGoroutines)
	t.Run("sets apiVersion and kind", testAPIVersionAndKind)
	t.Run("names object and versions in the error of a bad mapping", testBadMapping)
	t.Run("wraps the mapping's error", testWrappedError)
	t.Run("keeps the value of a panic out of the message", testPanic)
	t.Run("says which version cannot be reached", testUnreachable)
}

func testAdjacentVersions(t *testing.T) {
	convert := mustMake(t, chain("v1alpha1", "v1alpha2", "v1beta1", "v1"))
	for _, c := range []struct{ from, to, trail string }{
		{"v1alpha1", "v1alpha2", "v1alpha1>v1alpha2 "},
		{"v1alpha1", "v1", "v1alpha1>v1alpha2 v1alpha2>v1beta1 v1beta1>v1 "},
		{"v1alpha2", "v1", "v1alpha2>v1beta1 v1beta1>v1 "},
		{"v1", "v1alpha1", "v1>v1beta1 v1beta1>v1alpha2 v1alpha2>v1alpha1 "},
		{"v1beta1", "v1alpha2", "v1beta1>v1alpha2 "},
	} {
		t.Run(c.from+" to "+c.to, func(t *testing.T) {
			got, err := convert(raw(widget(c.from)), "example.com/"+c.to)
			if err != nil {
				t.Fatal(err)
			}
			if way := field(t, got, "spec", "trail"); way != c.trail {
				t.Errorf("went %v, expected %v", way, c.trail)
			}
			if at := field(t, got, "apiVersion"); at != "example.com/"+c.to {
				t.Errorf("apiVersion is %v", at)
			}
		})
	}
}

// The mappings say which versions are adjacent: v2alpha1 comes after v1, although
// Kubernetes orders it below v1beta1.
func testPriorityOfVersions(t *testing.T) {
	convert := mustMake(t, chain("v1beta1", "v1", "v2alpha1"))
	got, err := convert(raw(widget("v1beta1")), "example.com/v2alpha1")
	if err != nil {
		t.Fatal(err)
	}
	if way := field(t, got, "spec", "trail"); way != "v1beta1>v1 v1>v2alpha1 " {
		t.Errorf("went %v", way)
	}
}

func testDesiredVersion(t *testing.T) {
	convert := mustMake(t, chain("v1alpha1", "v1"))
	for name, text := range map[string]string{
		"its spacing":                         "{ \"kind\": \"Widget\",\n\t\"apiVersion\": \"example.com/v1\" }\n",
		"numbers that Go would write shorter": `{"apiVersion":"example.com/v1","kind":"Widget","spec":{"n":1.0}}`,
		"empty metadata":                      `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"labels":{}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := convert(raw(text), "example.com/v1")
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Raw) != text {
				t.Errorf("became %s", got.Raw)
			}
		})
	}
}

// A CRD with one version needs no mappings.
func testNoMappings(t *testing.T) {
	got, err := mustMake(t, nil)(raw(widget("v1")), "example.com/v1")
	if err != nil {
		t.Fatal(err)
	}
	if string(got.Raw) != widget("v1") {
		t.Errorf("became %s", got.Raw)
	}
}

func testCallersObject(t *testing.T) {
	convert := mustMake(t, chain("v1alpha1", "v1"))
	original := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(widget("v1alpha1")), original); err != nil {
		t.Fatal(err)
	}
	before := original.DeepCopy()
	if _, err := convert(FromUnstructured(original), "example.com/v1"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, original); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func testIntegers(t *testing.T) {
	convert := mustMake(t, chain("v1alpha1", "v1beta1", "v1"))
	got, err := convert(raw(`{"apiVersion":"example.com/v1alpha1","kind":"Widget","spec":{"n":9007199254740993}}`), "example.com/v1")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(got.Raw), `"n":9007199254740993`) {
		t.Errorf("became %s", got.Raw)
	}
}

func testGoroutines(t *testing.T) {
	convert := mustMake(t, chain("v1alpha1", "v1beta1", "v1"))
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			from, to := "v1alpha1", "v1"
			if i%2 == 0 {
				from, to = to, from
			}
			if _, err := convert(raw(widget(from)), "example.com/"+to); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func testAPIVersionAndKind(t *testing.T) {
	for name, result := range map[string]string{
		"left as it was":             widget("v1alpha1"),
		"set by the mapping":         widget("v1beta1"),
		"left out":                   `{"metadata":{"name":"w","namespace":"n"}}`,
		"left out with the metadata": `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			convert := mustMake(t, to(func(Convertible) (Convertible, error) { return raw(result), nil }))
			got, err := convert(raw(widget("v1alpha1")), "example.com/v1beta1")
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Raw) != widget("v1beta1") {
				t.Errorf("became %s", got.Raw)
			}
		})
	}
}

func testBadMapping(t *testing.T) {
	failure := errors.New("no room")
	for name, c := range map[string]struct {
		convert func(Convertible) (Convertible, error)
		want    string
	}{
		"it fails": {
			func(Convertible) (Convertible, error) { return Convertible{}, failure },
			"mapping v1alpha1 → v1beta1: no room",
		},
		"it returns another version": {
			func(Convertible) (Convertible, error) { return raw(widget("v1")), nil },
			"returned an object of apiVersion example.com/v1, not of example.com/v1beta1",
		},
		"it returns another group": {
			func(Convertible) (Convertible, error) { return raw(`{"apiVersion":"other.com/v1beta1"}`), nil },
			"returned an object of apiVersion other.com/v1beta1, not of example.com/v1beta1",
		},
		"it returns an apiVersion that is not a string": {
			func(Convertible) (Convertible, error) { return raw(`{"apiVersion":1}`), nil },
			"returned an object of apiVersion 1, not of example.com/v1beta1",
		},
		"it returns another kind": {
			func(Convertible) (Convertible, error) { return raw(`{"kind":"Gadget"}`), nil },
			"changed the kind from Widget to Gadget",
		},
		"it returns nothing": {
			func(Convertible) (Convertible, error) { return Convertible{}, nil },
			"returned no object: expected a JSON object, got null",
		},
		"it returns an empty Unstructured": {
			func(Convertible) (Convertible, error) { return FromUnstructured(&unstructured.Unstructured{}), nil },
			"returned no object: expected a JSON object, got null",
		},
		"it returns a list": {
			func(Convertible) (Convertible, error) { return raw(`[]`), nil },
			"returned no object: not a JSON object",
		},
		"it returns a value that JSON does not have": {
			Edit(func(object *unstructured.Unstructured) error { object.Object["spec"] = math.NaN(); return nil }),
			"returned a value that JSON does not have",
		},
		"it returns two objects in one": {
			func(c Convertible) (Convertible, error) { c.Object = &unstructured.Unstructured{}; return c, nil },
			"it has both Raw and Object",
		},
		"it panics by mistake": {
			Edit(func(object *unstructured.Unstructured) error { _ = object.Object["spec"].(map[string]any); return nil }),
			"panic at untyped_test.go:",
		},
		"it panics on purpose": {
			func(c Convertible) (Convertible, error) { panic("secret " + string(c.Raw)) },
			"with a string",
		},
	} {
		t.Run(name, func(t *testing.T) {
			mappings := append(chain("v1beta1", "v1"), to(c.convert)...)
			_, err := mustMake(t, mappings)(raw(widget("v1alpha1")), "example.com/v1")
			checkError(t, err, "Widget n/w, v1alpha1 → v1: mapping v1alpha1 → v1beta1", c.want)
		})
	}
}

func testWrappedError(t *testing.T) {
	failure := errors.New("no room")
	_, err := mustMake(t, to(func(Convertible) (Convertible, error) { return Convertible{}, failure }))(raw(widget("v1alpha1")),
		"example.com/v1beta1")
	if !errors.Is(err, failure) {
		t.Errorf("not the mapping's: %v", err)
	}
}

func testPanic(t *testing.T) {
	convert := mustMake(t, to(func(c Convertible) (Convertible, error) { panic("secret") }))
	_, err := convert(raw(widget("v1alpha1")), "example.com/v1beta1")
	var panicked *PanicError
	if !errors.As(err, &panicked) {
		t.Fatalf("no PanicError: %v", err)
	}
	if panicked.Value != "secret" || !strings.Contains(string(panicked.Stack), "untyped_test.go") {
		t.Errorf("value %v, stack %s", panicked.Value, panicked.Stack)
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("the message has the value: %v", err)
	}
}

func TestMakeConvertFunction(t *testing.T) {
	_, err := MakeConvertFunction([]ConversionMapping{
		trail("v1alpha1", "v1beta1"),
		trail("v1beta1", "v1"),
		trail("v1", "v1alpha1"),
		trail("v1alpha1", "v1beta1"),
		{OriginalVersion: "v1", DesiredVersion: "v2"},
		trail("v3", "v3"),
		trail("example.com/v1", "v2"),
		trail("v2", ""),
	})
	checkError(t, err,
		"mapping 2, v1 → v1alpha1: it makes a cycle with the mappings before it (v1 → v1beta1 → v1alpha1 → v1), so there would be two ways from v1 to v1alpha1",
		"mapping 3, v1alpha1 → v1beta1: an earlier mapping has the same versions",
		"mapping 4, v1 → v2: its Convert is nil",
		"mapping 5, v3 → v3: a version needs no mapping to itself",
		`mapping 6, example.com/v1 → v2: OriginalVersion has a group; write "v1" only`,
		`mapping 7, v2 → : DesiredVersion is "", which is not the name of a version such as v1beta1`,
	)
	if strings.Contains(err.Error(), "mapping 0") || strings.Contains(err.Error(), "mapping 1,") {
		t.Errorf("sound mappings are refused too: %v", err)
	}
}

func testUnreachable(t *testing.T) {
	mappings := append(chain("v1alpha1", "v1alpha2"), trail("v1alpha2", "v1beta1"), trail("v1", "v1beta1"))
	mappings = append(mappings, chain("v2", "v3")...)
	for name, c := range map[string]struct{ object, to, want string }{
		"a missing mapping": {widget("v1alpha1"), "example.com/v1", "Widget n/w, v1alpha1 → v1: there is no mapping v1beta1 → v1"},
		"versions apart":    {widget("v1"), "example.com/v3", "Widget n/w, v1 → v3: no mappings join v1 and v3"},
		"an unknown version": {widget("v9"), "example.com/v1",
			"no mapping knows version v9, only v1alpha1, v1alpha2, v1beta1, v1, v2, v3"},
		"an unknown target":    {widget("v1"), "example.com/v9", "no mapping knows version v9"},
		"another group":        {widget("v1"), "other.com/v1", "example.com/v1, which does not convert to other.com/v1 of another group"},
		"a target without one": {widget("v1"), "v1beta1", "does not convert to v1beta1 of another group"},
		"no target":            {widget("v1"), "", `the desired apiVersion "" is not of the form group/version`},
		"a target of nonsense": {widget("v1"), "a/b/c", `the desired apiVersion "a/b/c" is not of the form group/version`},
		"no apiVersion":        {`{"kind":"Widget","metadata":{"name":"w"}}`, "example.com/v1", "Widget w: it has no apiVersion"},
		"no kind": {`{"apiVersion":"example.com/v1","metadata":{"generateName":"w-"}}`, "example.com/v1",
			"object w-*: it has no kind"},
		"no object":      {`"text"`, "example.com/v1", "not a Kubernetes object"},
		"half an object": {`{"apiVersion":"example.com/v1"`, "example.com/v1", "not a Kubernetes object"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mustMake(t, mappings)(raw(c.object), c.to)
			checkError(t, err, c.want)
		})
	}
	t.Run("no mappings", func(t *testing.T) {
		_, err := mustMake(t, nil)(raw(widget("v1")), "example.com/v2")
		checkError(t, err, "Widget n/w, v1 → v2: there are no mappings")
	})
}

func crd(versions ...string) *apiextensionsv1.CustomResourceDefinition {
	c := &apiextensionsv1.CustomResourceDefinition{}
	c.Name = "widgets.example.com"
	for _, v := range versions {
		c.Spec.Versions = append(c.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{Name: v})
	}
	return c
}

func TestValidate(t *testing.T) {
	for name, c := range map[string]struct {
		mappings []ConversionMapping
		versions []string
		want     []string
	}{
		"all there":                     {chain("v1alpha1", "v1beta1", "v1"), []string{"v1", "v1alpha1", "v1beta1"}, nil},
		"one version needs none":        {nil, []string{"v1"}, nil},
		"versions that are yet to come": {chain("v1beta1", "v1", "v2"), []string{"v1beta1", "v1"}, nil},
		"no mappings": {nil, []string{"v1", "v2"}, []string{
			"widgets.example.com: cannot convert v1 → v2: there are no mappings",
			"widgets.example.com: cannot convert v2 → v1: there are no mappings",
		}},
		"one way only": {append(chain("v1beta1", "v1"), trail("v1alpha1", "v1beta1")), []string{"v1", "v1beta1", "v1alpha1"}, []string{
			"widgets.example.com: cannot convert v1beta1 → v1alpha1: there is no mapping v1beta1 → v1alpha1",
			"widgets.example.com: cannot convert v1 → v1alpha1: there is no mapping v1beta1 → v1alpha1",
		}},
		"a slip of the pen": {chain("v1bata1", "v1"), []string{"v1", "v1beta1"}, []string{
			"widgets.example.com: cannot convert v1beta1 → v1: no mapping knows version v1beta1, only v1bata1, v1",
			"widgets.example.com: cannot convert v1 → v1beta1: no mapping knows version v1beta1, only v1bata1, v1",
			"widgets.example.com: the mappings have v1bata1, which the CRD does not have; it has v1beta1, v1",
		}},
		"unsound mappings": {[]ConversionMapping{trail("v1", "v1")}, []string{"v1"}, []string{
			"widgets.example.com: mapping 0, v1 → v1: a version needs no mapping to itself",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			if err := Validate(c.mappings, crd(c.versions...)); err != nil {
				got = strings.Split(err.Error(), "\n")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestVersions(t *testing.T) {
	got := Versions(crd("v10", "v1", "v2", "v1beta2", "v1alpha10", "v1alpha2", "v1beta1").Spec)
	if diff := cmp.Diff([]string{"v1alpha2", "v1alpha10", "v1beta1", "v1beta2", "v1", "v2", "v10"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
