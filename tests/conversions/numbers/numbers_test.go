// Package numbers_test tests that nothing that is stored is lost when a person notes that integers of a group are
// numbers with fractions, which Bicep types do not tell.
package numbers_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/runtime/webhook"
	after "github.com/armature-dev/armature/tests/conversions/numbers/after/scheme"
	before "github.com/armature-dev/armature/tests/conversions/numbers/before/scheme"
)

// The version that Swagger describes says that they are integers, and still does afterwards.
var versions = []string{"v20210101", "v20240101", "v20260101"}

const hub = "v20260101storage"

type object = map[string]any

func TestNumbers(t *testing.T) {
	old, new := handler(t, before.AddToScheme), handler(t, after.AddToScheme)
	for _, value := range []json.Number{"0", "1", "-1", "4294967296", "9007199254740991", "-9007199254740991"} {
		for _, written := range versions {
			t.Run(value.String()+" at "+written, func(t *testing.T) {
				stored := convert(t, old, oven(written, value), hub)
				for _, version := range versions {
					shown := convert(t, new, stored, version)
					if diff := cmp.Diff(content(stored), content(convert(t, new, shown, hub))); diff != "" {
						t.Errorf("by way of %s (-stored +written back):\n%s", version, diff)
					}
					if diff := cmp.Diff(content(convert(t, old, stored, version)), content(shown)); diff != "" {
						t.Errorf("%s (-before +after):\n%s", version, diff)
					}
				}
			})
		}
	}
	t.Run("a fraction survives a client of the version that has integers", func(t *testing.T) {
		stored := convert(t, new, oven("v20240101", "0.5"), hub)
		back := convert(t, new, convert(t, new, stored, "v20210101"), hub)
		if diff := cmp.Diff(content(stored), content(back)); diff != "" {
			t.Errorf("-stored +written back:\n%s", diff)
		}
		if !strings.Contains(text(t, back), `"cpu":0.5`) {
			t.Errorf("got %s", text(t, back))
		}
	})
}

// oven returns an object with a value in its Spec and Status, and in a list.
func oven(version string, value json.Number) object {
	return object{
		"apiVersion": "kiln.azure.armature.dev/" + version, "kind": "Oven",
		"metadata": object{"name": "a", "namespace": "default", "uid": "u"},
		"spec":     object{"cpu": value, "plates": []any{object{"load": value}, object{"load": value}}},
		"status":   object{"cpu": value},
	}
}

// content returns the Spec and the Status.
func content(o object) object { return object{"spec": o["spec"], "status": o["status"]} }

func handler(t *testing.T, add func(*runtime.Scheme) error) http.Handler {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := add(scheme); err != nil {
		t.Fatal(err)
	}
	h, err := webhook.New(webhook.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// convert sends an object to a webhook, as the API server does, and returns it at another version.
func convert(t *testing.T, h http.Handler, o object, to string) object {
	t.Helper()
	if to == strings.TrimPrefix(o["apiVersion"].(string), "kiln.azure.armature.dev/") {
		return o
	}
	body := text(t, object{"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
		"request": object{"uid": "u", "desiredAPIVersion": "kiln.azure.armature.dev/" + to, "objects": []any{o}}})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(body)))
	var review apiextensionsv1.ConversionReview
	if err := json.Unmarshal(w.Body.Bytes(), &review); err != nil || review.Response == nil || len(review.Response.ConvertedObjects) != 1 {
		t.Fatalf("%s: %v: %s", to, err, w.Body)
	}
	decoder := json.NewDecoder(bytes.NewReader(review.Response.ConvertedObjects[0].Raw))
	decoder.UseNumber()
	var converted object
	if err := decoder.Decode(&converted); err != nil {
		t.Fatal(err)
	}
	return converted
}

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
