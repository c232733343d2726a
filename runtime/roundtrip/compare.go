package roundtrip

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
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

// anyBag takes all bags as equal.
var anyBag = cmp.Comparer(func(a, b propertybag.Bag) bool { return true })

// same is an error that lists the paths at which got differs from want, with
// both values. What API versions carry for the hub is not compared: other laws
// tell whether it does what it is for.
func (t *Trial) same(when string, want, got any, more ...cmp.Option) error {
	want, got = withoutRemainder(want), withoutRemainder(got)
	if len(t.Compare) == 0 && reflect.DeepEqual(want, got) {
		return nil // far faster
	}
	r := &reporter{t: t}
	if cmp.Equal(want, got, comparison, t.Compare, cmp.Options(more), cmp.Reporter(r)) || len(r.lines) == 0 {
		return nil
	}
	return fmt.Errorf("%T differs %s:\n%s", want, when, atMost(r.lines))
}

// withoutRemainder is an object of a version that is not stored without what
// it carries, and any other value as it is.
func withoutRemainder(value any) any {
	object, ok := value.(runtime.Object)
	if _, isHub := value.(conversion.Hub); !ok || isHub {
		return value
	}
	if accessor, ok := value.(metav1.ObjectMetaAccessor); !ok || accessor.GetObjectMeta().GetAnnotations()[remainder.Annotation] == "" {
		return value
	}
	return plain(object)
}

// atMost joins lines, unless there are too many.
func atMost(lines []string) string {
	const most = 10
	if len(lines) > most {
		lines = append(lines[:most:most], fmt.Sprintf("\tand %d more", len(lines)-most))
	}
	return strings.Join(lines, "\n")
}

// reporter writes a line for each difference that is not waived.
type reporter struct {
	t     *Trial
	path  cmp.Path
	lines []string
}

func (r *reporter) PushStep(step cmp.PathStep) { r.path = append(r.path, step) }
func (r *reporter) PopStep()                   { r.path = r.path[:len(r.path)-1] }

func (r *reporter) Report(result cmp.Result) {
	if result.Equal() || r.t.waived(r.owners()) {
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

// owners are the properties on the path to the present difference.
func (r *reporter) owners() []owner {
	var owners []owner
	for i, step := range r.path {
		switch step := step.(type) {
		case cmp.StructField:
			in := r.path[i-1].Type()
			owners = append(owners, owner{in.Name(), jsonName(in.Field(step.Index()))})
		case cmp.MapIndex:
			if r.path[i-1].Type() == reflect.TypeFor[propertybag.Bag]() {
				owners = append(owners, owner{owners[len(owners)-1].typ, step.Key().String()})
			}
		}
	}
	return owners
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
