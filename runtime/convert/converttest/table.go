package converttest

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

	"github.com/armature-dev/armature/runtime/convert"
)

// TableRow is one case of one mapping.
type TableRow struct {
	Name string

	// OriginalVersion and DesiredVersion are the mapping's: v1alpha1, v1beta1.
	OriginalVersion string
	DesiredVersion  string

	// Input is the object before, as YAML or JSON.
	Input string

	// Expected is the object after: all of it, at its new apiVersion.
	Expected string

	// ExpectedError is a part of the error's message, in place of Expected.
	ExpectedError string
}

// RunTable runs each row as a subtest, with just the mapping that it is for,
// and with all that a walk checks and sets.
func RunTable(t *testing.T, mappings []convert.ConversionMapping, rows []TableRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.Name, func(t *testing.T) {
			if err := row.check(mappings); err != nil {
				t.Error(err)
			}
		})
	}
}

func (r TableRow) check(mappings []convert.ConversionMapping) error {
	if (r.Expected == "") == (r.ExpectedError == "") {
		return errors.New("the row must have one of Expected and ExpectedError")
	}
	mapping, err := r.mapping(mappings)
	if err != nil {
		return err
	}
	input, desired, err := r.input()
	if err != nil {
		return err
	}
	converted, err := mapping(input, desired)
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

// mapping is a walk of one step.
func (r TableRow) mapping(mappings []convert.ConversionMapping) (convert.ConvertFunction, error) {
	var others []string
	for _, m := range mappings {
		if m.OriginalVersion == r.OriginalVersion && m.DesiredVersion == r.DesiredVersion {
			return convert.MakeConvertFunction([]convert.ConversionMapping{m})
		}
		others = append(others, m.OriginalVersion+" → "+m.DesiredVersion)
	}
	return nil, fmt.Errorf("there is no mapping %s → %s; there are: %s", r.OriginalVersion, r.DesiredVersion, strings.Join(others, ", "))
}

// input is the object to convert and the apiVersion to convert it to.
func (r TableRow) input() (convert.Convertible, string, error) {
	object, err := parse(r.Input)
	if err != nil {
		return convert.Convertible{}, "", fmt.Errorf("the row's Input: %w", err)
	}
	at := object.GroupVersionKind().GroupVersion()
	if at.Version != r.OriginalVersion {
		return convert.Convertible{}, "", fmt.Errorf("the row's Input has apiVersion %s, but its OriginalVersion is %s", at, r.OriginalVersion)
	}
	at.Version = r.DesiredVersion
	data, err := json.Marshal(object.Object)
	return convert.Convertible{RawExtension: runtime.RawExtension{Raw: data}}, at.String(), err
}

func (r TableRow) checkError(converted convert.Convertible, err error) error {
	switch {
	case err == nil:
		return fmt.Errorf("expected an error with %q, got %s", r.ExpectedError, converted.Raw)
	case !strings.Contains(err.Error(), r.ExpectedError):
		return fmt.Errorf("expected an error with %q, got: %w", r.ExpectedError, err)
	}
	return nil
}

// parse reads one object of YAML or JSON, its numbers as an API server has them.
func parse(text string) (*unstructured.Unstructured, error) {
	data, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return nil, err
	}
	return convert.Convertible{RawExtension: runtime.RawExtension{Raw: data}}.Unstructured()
}
