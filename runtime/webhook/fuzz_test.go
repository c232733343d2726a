package webhook_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
	kjson "sigs.k8s.io/json"

	"github.com/armature-dev/armature/runtime/webhook"
)

// FuzzReview checks that every body has one answer, in the form that the API server
// reads. An object that converts is in the body as apimachinery reads it, and becomes
// what controller-runtime makes of it, with its metadata as it was.
func FuzzReview(f *testing.F) {
	seeds, _ := filepath.Glob("testdata/reviews/*.json")
	if len(seeds) == 0 {
		f.Fatal("there are no seeds")
	}
	for _, file := range seeds {
		seed, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	scheme := scheme()
	handler, err := webhook.New(webhook.Options{Scheme: scheme, MaxDepth: 30, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	stock := conversion.NewWebhookHandler(scheme, conversion.NewRegistry())
	f.Fuzz(func(t *testing.T, body []byte) {
		if bytes.Contains(body, []byte("lock")) {
			t.Skip() // a conversion that waits
		}
		post := func(h http.Handler) (int, *apiextensionsv1.ConversionReview) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(body)))
			answer := &apiextensionsv1.ConversionReview{}
			if err := json.Unmarshal(w.Body.Bytes(), answer); w.Code == http.StatusOK && (err != nil || answer.Response == nil) {
				t.Fatalf("%v: %s", err, w.Body)
			}
			return w.Code, answer
		}
		status, answer := post(handler)
		var asked, askedOfStock apiextensionsv1.ConversionReview
		err := kjson.UnmarshalCaseSensitivePreserveInts(body, &asked)
		_ = json.Unmarshal(body, &askedOfStock) // whatever the case of names
		switch {
		case status != http.StatusOK:
			if status != http.StatusBadRequest {
				t.Fatalf("status %d", status)
			}
			return
		case answer.Response.Result.Status == metav1.StatusFailure:
			if len(answer.Response.ConvertedObjects) > 0 || answer.Response.Result.Message == "" {
				t.Fatalf("a failure with objects or without a message: %+v", answer.Response)
			}
			return
		case err != nil || asked.Request == nil:
			t.Fatalf("it converted what is no review: %v", err)
		case answer.Response.UID != asked.Request.UID:
			t.Fatalf("UID %q, want %q", answer.Response.UID, asked.Request.UID)
		case len(answer.Response.ConvertedObjects) != len(asked.Request.Objects):
			t.Fatalf("%d objects became %d", len(asked.Request.Objects), len(answer.Response.ConvertedObjects))
		}
		for i, object := range answer.Response.ConvertedObjects {
			checkConverted(t, asked.Request, i, object.Raw)
		}
		if !reflect.DeepEqual(asked, askedOfStock) {
			return
		}
		if _, theirs := post(stock); theirs.Response != nil && theirs.Response.Result.Status == metav1.StatusSuccess {
			for i, object := range theirs.Response.ConvertedObjects {
				got, want := tree(t, answer.Response.ConvertedObjects[i].Raw), tree(t, object.Raw)
				if !reflect.DeepEqual(got["spec"], want["spec"]) {
					t.Fatalf("object %d: %v, want %v", i, got["spec"], want["spec"])
				}
			}
		}
	})
}

func checkConverted(t *testing.T, request *apiextensionsv1.ConversionRequest, i int, raw []byte) {
	t.Helper()
	before, after := tree(t, request.Objects[i].Raw), tree(t, raw)
	if after["apiVersion"] != request.DesiredAPIVersion || after["kind"] != before["kind"] {
		t.Fatalf("object %d is %s of %s", i, after["kind"], after["apiVersion"])
	}
	x, _ := before["metadata"].(map[string]any)
	y, _ := after["metadata"].(map[string]any)
	for _, metadata := range []map[string]any{x, y} {
		delete(metadata, "labels")
		delete(metadata, "annotations")
	}
	if len(x)+len(y) > 0 && !reflect.DeepEqual(x, y) {
		t.Fatalf("object %d: metadata %v became %v", i, x, y)
	}
}

// tree is a JSON object with its numbers as they are written.
func tree(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("more than one value: %s", raw)
	}
	return object
}
