package roundtrip

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// comparison keeps nil and empty apart, and takes strings, integers and
// booleans exactly, numbers within the tolerance that other languages' JSON
// needs, and JSON by its meaning.
var comparison = cmp.Options{
	cmpopts.EquateApprox(1e-12, 0),
	cmp.Comparer(func(a, b metav1.Time) bool { return a.Equal(&b) }),
	cmp.Comparer(func(a, b json.RawMessage) bool { return sameJSON(a, b) }),
	cmp.Comparer(func(a, b apiextensionsv1.JSON) bool { return sameJSON(a.Raw, b.Raw) }),
}

// anyEmptyMetadata takes nil and empty as equal in metadata, where Kubernetes'
// own JSON does not keep them apart.
var anyEmptyMetadata = cmp.FilterPath(func(path cmp.Path) bool {
	return slices.ContainsFunc(path, func(step cmp.PathStep) bool { return step.Type() == reflect.TypeFor[metav1.ObjectMeta]() })
}, cmpopts.EquateEmpty())

// same is an error that lists the paths at which got differs from want, with both values.
func (k *Kind) same(when string, want, got any, more ...cmp.Option) error {
	r := &reporter{}
	if cmp.Equal(want, got, comparison, k.Compare, cmp.Options(more), cmp.Reporter(r)) {
		return nil
	}
	const most = 10
	if len(r.lines) > most {
		r.lines = append(r.lines[:most], fmt.Sprintf("and %d more", len(r.lines)-most))
	}
	return fmt.Errorf("%T differs %s:\n%s", want, when, strings.Join(r.lines, "\n"))
}

// reporter writes a line for each difference.
type reporter struct {
	path  cmp.Path
	lines []string
}

func (r *reporter) PushStep(step cmp.PathStep) { r.path = append(r.path, step) }
func (r *reporter) PopStep()                   { r.path = r.path[:len(r.path)-1] }

func (r *reporter) Report(result cmp.Result) {
	if result.Equal() {
		return
	}
	var path strings.Builder
	for _, step := range r.path {
		switch step := step.(type) {
		case cmp.StructField, cmp.SliceIndex, cmp.MapIndex:
			path.WriteString(step.String())
		}
	}
	want, got := r.path.Last().Values()
	r.lines = append(r.lines, fmt.Sprintf("\t%s: want %s, got %s", strings.TrimPrefix(path.String(), "."), show(want), show(got)))
}

// show prints a value as JSON, so that nothing hides behind a pointer.
func show(v reflect.Value) string {
	if !v.IsValid() {
		return "nothing"
	}
	if data, err := json.Marshal(v.Interface()); err == nil {
		return string(data)
	}
	return fmt.Sprintf("%+v", v)
}

func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := parse(a)
	y, errY := parse(b)
	return errors.Join(errX, errY) == nil && reflect.DeepEqual(x, y)
}

// parse keeps numbers as they were written.
func parse(data []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}
