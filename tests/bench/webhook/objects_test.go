package webhook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	storage "github.com/armature-dev/armature/apis/storage/v20190601"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// hub is the version at which a StorageAccount is stored.
var hub = path.Base(reflect.TypeOf((&storage.StorageAccount{}).NewHub()).Elem().PkgPath())

// directions are the conversions of the benchmarks: up to the hub, down from the
// hub, and across from one API version to another.
var directions = []struct{ name, from, to string }{
	{"up", "v20190601", hub},
	{"down", hub, "v20190601"},
	{"across", "v20190601", "v20210401"},
}

// account returns a StorageAccount with every property, 6 KB of JSON, at the old
// version or at the hub.
func account(t testing.TB, version string) []byte {
	t.Helper()
	var old storage.StorageAccount
	fill(reflect.ValueOf(&old).Elem(), "")
	old.TypeMeta = metav1.TypeMeta{APIVersion: "storage.azure.armature.dev/v20190601", Kind: "StorageAccount"}
	old.Name, old.Namespace, old.UID, old.ResourceVersion, old.Generation = "account", "default",
		"3b4f2fd6-2c5c-4e0c-9f57-3a3ea5d4b8a4", "12345", 3
	old.CreationTimestamp = metav1.NewTime(time.Date(2021, 4, 1, 12, 0, 0, 0, time.UTC))
	object := runtime.Object(&old)
	if version == hub {
		stored := old.NewHub()
		if err := old.ConvertTo(stored); err != nil {
			t.Fatal(err)
		}
		object = stored.(runtime.Object)
	}
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return inOrder(t, data)
}

// inOrder sorts the members of JSON objects by name, as the API server does.
func inOrder(t testing.TB, data []byte) []byte {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// managed adds the managedFields that an API server would keep for an object.
func managed(t testing.TB, object []byte) []byte {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal(object, &tree); err != nil {
		t.Fatal(err)
	}
	var fieldsOf func(value any) map[string]any
	fieldsOf = func(value any) map[string]any {
		fields := map[string]any{}
		if members, ok := value.(map[string]any); ok {
			for name, member := range members {
				fields["f:"+name] = fieldsOf(member)
			}
		}
		return fields
	}
	entry := func(manager, subresource, half string) map[string]any {
		return map[string]any{
			"apiVersion": tree["apiVersion"], "fieldsType": "FieldsV1", "manager": manager, "operation": "Apply",
			"subresource": subresource,
			"time":        "2021-04-01T12:00:00Z", "fieldsV1": map[string]any{"f:" + half: fieldsOf(tree[half])},
		}
	}
	tree["metadata"].(map[string]any)["managedFields"] = []any{entry("kubectl", "", "spec"), entry("operator", "status", "status")}
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// lengthened repeats a rule of an object's network ACLs until the object has a
// size.
func lengthened(t testing.TB, object []byte, size int) []byte {
	t.Helper()
	rule := []byte(`{"action":"value of action","id":"value of id","state":"value of state"},`)
	at := bytes.Index(object, []byte(`"virtualNetworkRules":[`)) + len(`"virtualNetworkRules":[`)
	if at < len(rule) {
		t.Fatal("there are no rules")
	}
	more := bytes.Repeat(rule, max(size-len(object), 0)/len(rule))
	return slices.Concat(object[:at], more, object[at:])
}

// fill sets every property of v.
func fill(v reflect.Value, name string) {
	switch v.Type() {
	case reflect.TypeFor[metav1.Time]():
		v.Set(reflect.ValueOf(metav1.NewTime(time.Date(2021, 4, 1, 12, 0, 0, 0, time.UTC))))
		return
	case reflect.TypeFor[propertybag.Bag](), reflect.TypeFor[metav1.ObjectMeta](), reflect.TypeFor[metav1.TypeMeta]():
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.String:
		v.SetString("value of " + strings.ToLower(name))
	case reflect.Int64:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), name)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		element := reflect.New(v.Type().Elem()).Elem()
		fill(element, name)
		v.SetMapIndex(reflect.ValueOf("key"), element)
	default:
		panic(fmt.Sprintf("no value for a %s", v.Type()))
	}
}

// review is the body of a review of many copies of an object. It makes the body
// while it is read, so that the memory of the client is not measured.
type review struct {
	head, object, tail []byte
	left               int
	rest               []byte
}

func newReview(object []byte, count int, desired string) *review {
	return &review{
		head: []byte(`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002","desiredAPIVersion":"storage.azure.armature.dev/` +
			desired + `","objects":[`),
		object: object, tail: []byte(`]}}`), left: count,
	}
}

func (r *review) size() int64 {
	return int64(len(r.head) + len(r.tail) + r.left*(len(r.object)+1) - 1)
}

func (r *review) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(r.rest) == 0 {
			switch {
			case r.head != nil:
				r.rest, r.head = r.head, nil
			case r.left > 1:
				r.rest = append(slices.Clip(r.object), ',')
				r.left--
			case r.left == 1:
				r.rest = r.object
				r.left--
			case r.tail != nil:
				r.rest, r.tail = r.tail, nil
			default:
				if n > 0 {
					return n, nil
				}
				return 0, io.EOF
			}
		}
		copied := copy(p[n:], r.rest)
		n, r.rest = n+copied, r.rest[copied:]
	}
	return n, nil
}
