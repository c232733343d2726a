package untypedtest

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/armature-dev/armature/runtime/untyped"
)

// mappings doubles spec.size on the way up from v1, and refuses to go down.
func mappings(t *testing.T) untyped.ConvertFunction {
	t.Helper()
	convert, err := untyped.MakeConvertFunction([]untyped.ConversionMapping{
		{OriginalVersion: "v1", DesiredVersion: "v2", Convert: untyped.Edit(func(object *unstructured.Unstructured) error {
			n, _, err := unstructured.NestedInt64(object.Object, "spec", "size")
			if err != nil {
				return err
			}
			return unstructured.SetNestedField(object.Object, 2*n, "spec", "size")
		})},
		{OriginalVersion: "v2", DesiredVersion: "v1", Convert: func(untyped.Convertible) (untyped.Convertible, error) {
			return untyped.Convertible{}, errors.New("no way down")
		}},
		{OriginalVersion: "v2", DesiredVersion: "v3", Convert: func(untyped.Convertible) (untyped.Convertible, error) {
			panic("no row needs this mapping")
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return convert
}

// byHand is a convert function without mappings, which sets the apiVersion.
func byHand(object untyped.Convertible, desiredAPIVersion string) (untyped.Convertible, error) {
	content, err := object.Unstructured()
	if err != nil {
		return untyped.Convertible{}, err
	}
	if content.GetKind() != "Widget" {
		return untyped.Convertible{}, errors.New("not a Widget")
	}
	content.SetAPIVersion(desiredAPIVersion)
	return untyped.FromUnstructured(content), nil
}

const two = "{apiVersion: example.com/v1, kind: Widget, spec: {size: 2}}"

func TestRunTable(t *testing.T) {
	t.Run("a row passes for what a mapping does", func(t *testing.T) {
		RunTable(t, mappings(t), []TableRow{
			{Name: "a result", OriginalVersion: "v1", DesiredVersion: "v2", Input: two,
				Expected: `{"apiVersion": "example.com/v2", "kind": "Widget", "spec": {"size": 4}}`},
			{Name: "an error", OriginalVersion: "v2", DesiredVersion: "v1", Input: strings.Replace(two, "v1", "v2", 1),
				ExpectedError: "no way down"},
		})
	})
	t.Run("a row passes for what a function written by hand does", func(t *testing.T) {
		RunTable(t, byHand, []TableRow{
			{Name: "a result", OriginalVersion: "v1", DesiredVersion: "v3", Input: two, Expected: strings.Replace(two, "v1", "v3", 1)},
			{Name: "an error", OriginalVersion: "v1", DesiredVersion: "v3", Input: strings.Replace(two, "Widget", "Gadget", 1),
				ExpectedError: "not a Widget"},
		})
	})
	for name, c := range map[string]struct {
		row  TableRow
		want string
	}{
		"another result": {TableRow{
			OriginalVersion: "v1", DesiredVersion: "v2", Input: two,
			Expected: "{apiVersion: example.com/v2, kind: Widget, spec: {size: 5}}"}, "v1 → v2 (-expected +got)"},
		"a result without the version": {TableRow{
			OriginalVersion: "v1", DesiredVersion: "v2", Input: two, Expected: "{kind: Widget, spec: {size: 4}}"},
			`+ 	"apiVersion": string("example.com/v2")`},
		"an error for a result": {TableRow{
			OriginalVersion: "v2", DesiredVersion: "v1", Input: strings.Replace(two, "v1", "v2", 1), Expected: two}, "no way down"},
		"a result for an error": {TableRow{
			OriginalVersion: "v1", DesiredVersion: "v2", Input: two, ExpectedError: "no way"}, `expected an error with "no way", got {`},
		"another error": {TableRow{
			OriginalVersion: "v2", DesiredVersion: "v1", Input: strings.Replace(two, "v1", "v2", 1), ExpectedError: "no way up"},
			`expected an error with "no way up", got: Widget`},
		"a version without mappings": {TableRow{OriginalVersion: "v1", DesiredVersion: "v4", Input: two, Expected: two},
			"no mapping knows version v4, only v1, v2, v3"},
		"an input of another version": {TableRow{OriginalVersion: "v2", DesiredVersion: "v1", Input: two, Expected: two},
			"the row's Input has apiVersion example.com/v1, but its OriginalVersion is v2"},
		"an input that is no YAML": {TableRow{OriginalVersion: "v1", DesiredVersion: "v2", Input: "{", Expected: two},
			"the row's Input: "},
		"a result that is no YAML": {TableRow{OriginalVersion: "v1", DesiredVersion: "v2", Input: two, Expected: "{"},
			"the row's Expected: "},
		"nothing expected": {TableRow{OriginalVersion: "v1", DesiredVersion: "v2", Input: two},
			"one of Expected and ExpectedError"},
		"two things expected": {TableRow{
			OriginalVersion: "v1", DesiredVersion: "v2", Input: two, Expected: two, ExpectedError: "x"},
			"one of Expected and ExpectedError"},
	} {
		t.Run("a row fails for "+name, func(t *testing.T) {
			err := c.row.check(mappings(t))
			// cmp writes either kind of space.
			if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "\u00a0", " "), c.want) {
				t.Errorf("got %v, expected an error with %q", err, c.want)
			}
		})
	}
}
