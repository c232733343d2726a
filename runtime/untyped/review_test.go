package untyped

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func named(version, name string) string {
	return fmt.Sprintf(`{"apiVersion":"example.com/%s","kind":"Widget","metadata":{"name":"%s"}}`, version, name)
}

func request(objects ...string) *apiextensionsv1.ConversionRequest {
	r := &apiextensionsv1.ConversionRequest{UID: "uid", DesiredAPIVersion: "example.com/v1"}
	for _, object := range objects {
		r.Objects = append(r.Objects, runtime.RawExtension{Raw: []byte(object)})
	}
	return r
}

func TestConvertRequest(t *testing.T) {
	t.Run("keeps the order of objects of several versions", testMixedVersions)
	t.Run("answers an empty request with an empty list", testEmptyRequest)
	t.Run("fails if one object fails, and names it", testBadObjects)
	t.Run("does not number a single object", testSingleObject)
	t.Run("names the first ten of many bad objects", testManyBadObjects)
	t.Run("stops when the context ends", testContext)
}

func testMixedVersions(t *testing.T) {
	convert := mustMake(t, chain("v1alpha1", "v1beta1", "v1"))
	response := ConvertRequest(t.Context(), request(named("v1beta1", "a"), named("v1", "b"), named("v1alpha1", "c"),
		named("v1beta1", "d")), convert)
	if response.UID != "uid" || response.Result.Status != metav1.StatusSuccess {
		t.Fatalf("%+v", response)
	}
	var got []string
	for _, object := range response.ConvertedObjects {
		c := Convertible{RawExtension: object}
		got = append(got, fmt.Sprint(field(t, c, "metadata", "name"), " at ", field(t, c, "apiVersion"), " by ",
			field(t, c, "spec", "trail")))
	}
	if diff := cmp.Diff([]string{
		"a at example.com/v1 by v1beta1>v1 ",
		"b at example.com/v1 by <nil>",
		"c at example.com/v1 by v1alpha1>v1beta1 v1beta1>v1 ",
		"d at example.com/v1 by v1beta1>v1 ",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func testEmptyRequest(t *testing.T) {
	response := ConvertRequest(t.Context(), request(), mustMake(t, nil))
	if response.Result.Status != metav1.StatusSuccess || response.ConvertedObjects == nil {
		t.Errorf("%+v", response)
	}
}

func testBadObjects(t *testing.T) {
	convert := mustMake(t, chain("v1beta1", "v1"))
	response := ConvertRequest(t.Context(), request(named("v1beta1", "a"), named("v7", "b"), named("v1beta1", "c"),
		named("v8", "d")), convert)
	if response.UID != "uid" || response.Result.Status != metav1.StatusFailure || response.ConvertedObjects != nil {
		t.Errorf("%+v", response)
	}
	want := "object 1: Widget b, v7 → v1: no mapping knows version v7, only v1beta1, v1\n" +
		"object 3: Widget d, v8 → v1: no mapping knows version v8, only v1beta1, v1"
	if diff := cmp.Diff(want, response.Result.Message); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func testSingleObject(t *testing.T) {
	message := ConvertRequest(t.Context(), request(named("v7", "b")), mustMake(t, chain("v1beta1", "v1"))).Result.Message
	if want := "Widget b, v7 → v1: no mapping knows version v7, only v1beta1, v1"; message != want {
		t.Errorf("got %q, expected %q", message, want)
	}
}

func testManyBadObjects(t *testing.T) {
	var objects []string
	for range 25 {
		objects = append(objects, named("v7", "b"))
	}
	message := ConvertRequest(t.Context(), request(objects...), mustMake(t, chain("v1beta1", "v1"))).Result.Message
	lines := strings.Split(message, "\n")
	if len(lines) != 11 || lines[10] != "and 15 more of 25 objects" {
		t.Errorf("%d lines:\n%s", len(lines), message)
	}
}

func testContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	response := ConvertRequest(ctx, request(named("v1", "a"), named("v1", "b"), named("v1", "c")),
		func(c Convertible, _ string) (Convertible, error) {
			if calls++; calls == 2 {
				cancel()
			}
			return c, nil
		})
	if calls != 2 || response.Result.Status != metav1.StatusFailure ||
		response.Result.Message != "stopped after 2 of 3 objects: context canceled" {
		t.Errorf("%d calls, %+v", calls, response)
	}
}

func TestList(t *testing.T) {
	t.Run("items convert from their own versions", testItems)
	t.Run("a bad item is named", testBadItem)
	t.Run("a resource whose kind ends in List is an object", testKindCalledList)
}

func testItems(t *testing.T) {
	convert := mustMake(t, chain("v1alpha1", "v1beta1", "v1"))
	items := `[` + named("v1alpha1", "a") + `,` + named("v1", "b") + `]`
	for name, c := range map[string]struct{ object, apiVersion string }{
		"of the kind": {`{"apiVersion":"example.com/v1beta1","kind":"WidgetList","metadata":{"continue":"x"},"items":` +
			items + `}`, "example.com/v1"},
		"of the desired version": {`{"apiVersion":"example.com/v1","kind":"WidgetList","metadata":{"continue":"x"},"items":` +
			items + `}`, "example.com/v1"},
		"of any kind": {`{"apiVersion":"v1","kind":"List","metadata":{"continue":"x"},"items":` + items + `}`, "v1"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := convert(raw(c.object), "example.com/v1")
			if err != nil {
				t.Fatal(err)
			}
			if at := field(t, got, "apiVersion"); at != c.apiVersion {
				t.Errorf("the list's apiVersion is %v", at)
			}
			if next := field(t, got, "metadata", "continue"); next != "x" {
				t.Errorf("the list's metadata is lost")
			}
			all := field(t, got, "items").([]any)
			var versions []any
			for _, item := range all {
				versions = append(versions, item.(map[string]any)["apiVersion"])
			}
			if diff := cmp.Diff([]any{"example.com/v1", "example.com/v1"}, versions); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func testBadItem(t *testing.T) {
	convert := mustMake(t, chain("v1beta1", "v1"))
	_, err := convert(raw(`{"apiVersion":"example.com/v1beta1","kind":"WidgetList","items":[`+
		named("v1beta1", "a")+`,`+named("v7", "b")+`]}`), "example.com/v1")
	checkError(t, err, "object 1: Widget b, v7 → v1: no mapping knows version v7")
	_, err = convert(raw(`{"apiVersion":"other.com/v1beta1","kind":"WidgetList","items":[]}`), "example.com/v1")
	checkError(t, err, "WidgetList: its apiVersion is other.com/v1beta1, which does not convert to example.com/v1 of another group")
}

func testKindCalledList(t *testing.T) {
	convert := mustMake(t, chain("v1beta1", "v1"))
	got, err := convert(raw(`{"apiVersion":"example.com/v1beta1","kind":"AllowList","metadata":{"name":"a"}}`), "example.com/v1")
	if err != nil {
		t.Fatal(err)
	}
	if way := field(t, got, "spec", "trail"); way != "v1beta1>v1 " {
		t.Errorf("went %v", way)
	}
}
