package untypedtest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/runtime/untyped"
)

// TableRow is one conversion of one object.
type TableRow struct {
	Name string

	// OriginalVersion and DesiredVersion are versions of the CRD, such as
	// v1alpha1. They are adjacent in a test of a single mapping.
	OriginalVersion string
	DesiredVersion  string

	// Input is the object before, as YAML or JSON.
	Input string

	// Expected is the whole object after, at its new apiVersion.
	Expected string

	// ExpectedError is a part of the error's message. It takes the place of Expected.
	ExpectedError string
}

// RunTable converts the object of each row, in a subtest. The function convert
// is written by hand, or made of mappings by [untyped.MakeConvertFunction].
func RunTable(t *testing.T, convert untyped.ConvertFunction, rows []TableRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.Name, func(t *testing.T) {
			if err := row.check(convert); err != nil {
				t.Error(err)
			}
		})
	}
}

func (r TableRow) check(convert untyped.ConvertFunction) error {
	if (r.Expected == "") == (r.ExpectedError == "") {
		return errors.New("the row must have one of Expected and ExpectedError")
	}
	input, desired, err := r.input()
	if err != nil {
		return err
	}
	converted, err := convert(input, desired)
	if r.ExpectedError != "" {
		return r.checkError(converted, err)
	}
	if err != nil {
		return err
	}
	got, err := converted.Unstructured()
	if err != nil {
		return err
	}
	want, err := parse(r.Expected)
	if err != nil {
		return fmt.Errorf("the row's Expected: %w", err)
	}
	if diff := cmp.Diff(want.Object, got.Object); diff != "" {
		return fmt.Errorf("%s → %s (-expected +got):\n%s", r.OriginalVersion, r.DesiredVersion, diff)
	}
	return nil
}

// input returns the object to convert and the apiVersion to convert it to.
func (r TableRow) input() (untyped.Convertible, string, error) {
	object, err := parse(r.Input)
	if err != nil {
		return untyped.Convertible{}, "", fmt.Errorf("the row's Input: %w", err)
	}
	at := object.GroupVersionKind().GroupVersion()
	if at.Version != r.OriginalVersion {
		return untyped.Convertible{}, "", fmt.Errorf("the row's Input has apiVersion %s, but its OriginalVersion is %s", at,
			r.OriginalVersion)
	}
	at.Version = r.DesiredVersion
	data, err := json.Marshal(object.Object)
	return untyped.Convertible{RawExtension: runtime.RawExtension{Raw: data}}, at.String(), err
}

func (r TableRow) checkError(converted untyped.Convertible, err error) error {
	switch {
	case err == nil:
		return fmt.Errorf("expected an error with %q, got %s", r.ExpectedError, converted.Raw)
	case !strings.Contains(err.Error(), r.ExpectedError):
		return fmt.Errorf("expected an error with %q, got: %w", r.ExpectedError, err)
	}
	return nil
}

// parse reads one object from YAML or JSON. Its numbers have the types that an
// API server gives them.
func parse(text string) (*unstructured.Unstructured, error) {
	data, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return nil, err
	}
	return untyped.Convertible{RawExtension: runtime.RawExtension{Raw: data}}.Unstructured()
}
