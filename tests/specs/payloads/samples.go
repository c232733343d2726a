package payloads

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reference"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Sample is an object that a user could create for an example.
type Sample struct {
	// File is that of the example, below the root.
	File string
	GVK  schema.GroupVersionKind
	// Object has the Spec of the request and the Status of the first response, if
	// there is one.
	Object conversion.KubernetesResource
}

// Samples returns a sample for each example below a folder that belongs to a
// resource of the scheme, sorted by group, kind, API version and file.
func Samples(t *testing.T, root string, scheme *runtime.Scheme) []Sample {
	t.Helper()
	examples, _, err := find(root, scheme)
	if err != nil {
		t.Fatal(err)
	}
	var samples []Sample
	for _, x := range examples {
		object := x.objects(t, scheme)[0]
		owner, _ := x.owner()
		setOwner(reflect.ValueOf(object.GetSpec()), owner)
		samples = append(samples, Sample{x.File, x.kind.gvk, object})
	}
	slices.SortStableFunc(samples, func(a, b Sample) int {
		order := func(s Sample) string { return s.GVK.Group + " " + s.GVK.Kind + " " + s.GVK.Version + " " + s.File }
		return strings.Compare(order(a), order(b))
	})
	return samples
}

// owner returns the ARM id of the owner of the example's resource, and the name
// that the resource has there.
func (x *example) owner() (owner, name string) {
	url := x.url()
	at := strings.LastIndexByte(url, '/')
	owner, name = url[:strings.LastIndexByte(url[:at], '/')], url[at+1:]
	if i := strings.LastIndex(owner, "/providers/"); i >= 0 && !strings.Contains(owner[i+len("/providers/"):], "/") {
		owner = owner[:i]
	}
	return owner, name
}

// setOwner sets the ARM id of the owner in the Spec that spec points to, if it has
// an owner.
func setOwner(spec reflect.Value, owner string) {
	switch field := spec.Elem().FieldByName("Owner"); {
	case !field.IsValid():
	case field.Type() == reflect.TypeFor[*reference.Owner]():
		field.Set(reflect.ValueOf(&reference.Owner{ARMID: owner}))
	case field.Type() == reflect.TypeFor[*reference.AnyOwner]():
		field.Set(reflect.ValueOf(&reference.AnyOwner{ARMID: owner}))
	}
}
