package webhook

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
	"github.com/armature-dev/armature/tests/golden/convert/v1"
	"github.com/armature-dev/armature/tests/golden/convert/v1storage"
	"github.com/armature-dev/armature/tests/golden/convert/v2"
	"github.com/armature-dev/armature/tests/golden/convert/v2storage"
	"github.com/armature-dev/armature/tests/golden/convert/v3"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
)

// TestWeight compares the memory that objects take with their weights. It counts all
// allocations, including garbage, which is more than the memory in use at once.
func TestWeight(t *testing.T) {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		v1.AddToScheme, v1storage.AddToScheme, v2.AddToScheme, v2storage.AddToScheme, v3.AddToScheme, v3storage.AddToScheme,
	} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	h, err := New(Options{Scheme: s, Memory: 8 << 30, Timeout: time.Hour, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	const size = 1_000_000
	list := func(element string) string {
		return strings.TrimSuffix(strings.Repeat(element+",", size/(len(element)+1)), ",")
	}
	members := func(value string) string {
		var all strings.Builder
		for i := 0; all.Len() < size; i++ {
			fmt.Fprintf(&all, `,"%x":%s`, i, value)
		}
		return all.String()[1:]
	}
	for _, of := range []struct{ name, spec string }{
		{"objects in a list", `"grid":[[` + list(`{}`) + `]]`},
		{"objects with a property", `"grid":[[` + list(`{"city":""}`) + `]]`},
		{"null in a list", `"grid":[[` + list(`null`) + `]]`},
		{"lists in a list", `"grid":[` + list(`[]`) + `]`},
		{"strings in a list", `"codes":[[` + list(`""`) + `]]`},
		{"strings in a map", `"legacy":{` + members(`""`) + `}`},
		{"objects in a map", `"groups":{` + members(`{}`) + `}`},
		{"unknown members", members(`0`)},
		{"a long string", `"lastName":"` + strings.Repeat("x", size) + `"`},
		{"a long string with escapes", `"lastName":"` + strings.Repeat(`\u003c`, size/6) + `"`},
		{"entries of a bag", `"$propertyBag":{` + members(`{"value":0,"version":"2001-01-01"}`) + `}`},
	} {
		t.Run(of.name, func(t *testing.T) {
			for _, way := range [][2]string{{"v1", "v3storage"}, {"v1", "v3"}, {"v3storage", "v1"}, {"v3storage", "v3"}} {
				object := fmt.Sprintf(`{"apiVersion":"crm.example.com/%s","kind":"Person","metadata":{"name":"ada"},"spec":{%s}}`,
					way[0], of.spec)
				r := rawjson.New([]byte(object))
				_, m := r.Measured()
				weight := h.kinds[schema.GroupKind{Group: "crm.example.com", Kind: "Person"}].structSizes.weight(len(object), m, 0)
				body := fmt.Sprintf(`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u","desiredAPIVersion":"crm.example.com/%s","objects":[%s]}}`, way[1], object)
				request := httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(body))
				w := &discard{header: http.Header{}}
				var before, after goruntime.MemStats
				goruntime.ReadMemStats(&before)
				h.ServeHTTP(w, request)
				goruntime.ReadMemStats(&after)
				allocated := int64(after.TotalAlloc-before.TotalAlloc) - 2*int64(len(body)) // the body itself is accounted for elsewhere
				t.Logf("%s to %s: %d times its size, of %d", way[0], way[1], allocated/int64(len(object)), weight/int64(len(object)))
				if allocated > weight {
					t.Errorf("%s to %s: %d MB were allocated, of %d MB", way[0], way[1], allocated>>20, weight>>20)
				}
			}
		})
	}
}

// discard is a ResponseWriter that drops the answer.
type discard struct {
	io.Writer
	header http.Header
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
