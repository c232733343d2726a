package webhook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/untyped"
	"github.com/armature-dev/armature/runtime/webhook"
)

// fixture is a handler with its logs and metrics.
type fixture struct {
	*webhook.Handler
	t       testing.TB
	metrics *prometheus.Registry
	log     *bytes.Buffer
}

func newFixture(t testing.TB, change func(*webhook.Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, metrics: prometheus.NewRegistry(), log: &bytes.Buffer{}}
	options := webhook.Options{Scheme: scheme(), Metrics: f.metrics, Logger: slog.New(slog.NewTextHandler(f.log, nil)), Workers: 4}
	if change != nil {
		change(&options)
	}
	var err error
	if f.Handler, err = webhook.New(options); err != nil {
		t.Fatal(err)
	}
	return f
}

// body returns the body of a review.
func body(desired string, objects ...string) string {
	return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"the-uid","desiredAPIVersion":"` +
		desired + `","objects":[` + strings.Join(objects, ",") + `]}}`
}

// widget returns a Widget in JSON, with further metadata and a spec.
func widget(version, name, metadata, spec string) string {
	return fmt.Sprintf(`{"apiVersion":"example.com/%s","kind":"Widget","metadata":{"name":%q,"namespace":"default"%s},"spec":{%s}}`, version, name, metadata, spec)
}

func (f *fixture) post(body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(body)))
	return w
}

// answer returns the answer to a review, and checks its form.
func (f *fixture) answer(body string) *apiextensionsv1.ConversionResponse {
	f.t.Helper()
	w := f.post(body)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json" {
		f.t.Fatalf("status %d, %v: %s", w.Code, w.Header(), w.Body)
	}
	if got, want := w.Header().Get("Content-Length"), fmt.Sprint(w.Body.Len()); got != want {
		f.t.Errorf("Content-Length %s, but there are %s bytes", got, want)
	}
	var review apiextensionsv1.ConversionReview
	if err := json.Unmarshal(w.Body.Bytes(), &review); err != nil {
		f.t.Fatalf("%v: %s", err, w.Body)
	}
	if review.Kind != "ConversionReview" || review.Response == nil || review.Request != nil {
		f.t.Fatalf("this is no answer: %s", w.Body)
	}
	if review.Response.UID != "the-uid" {
		f.t.Errorf("UID %q", review.Response.UID)
	}
	return review.Response
}

// converted returns the objects of an answer.
func (f *fixture) converted(desired string, objects ...string) []string {
	f.t.Helper()
	response := f.answer(body(desired, objects...))
	if response.Result.Status != metav1.StatusSuccess {
		f.t.Fatalf("failed: %s", response.Result.Message)
	}
	var results []string
	for _, object := range response.ConvertedObjects {
		results = append(results, string(object.Raw))
	}
	if len(results) != len(objects) {
		f.t.Fatalf("%d objects became %d", len(objects), len(results))
	}
	return results
}

// refused returns the message of an answer that is a failure.
func (f *fixture) refused(body string) string {
	f.t.Helper()
	response := f.answer(body)
	if response.Result.Status != metav1.StatusFailure || len(response.ConvertedObjects) > 0 {
		f.t.Fatalf("it did not fail: %+v", response)
	}
	return response.Result.Message
}

func contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %q", part, text)
		}
	}
}

func lacks(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q is in %q", part, text)
		}
	}
}

func sameJSON(t testing.TB, got, want string) {
	t.Helper()
	decode := func(s string) (v any) {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%v: %s", err, s)
		}
		return v
	}
	if g, w := fmt.Sprint(decode(got)), fmt.Sprint(decode(want)); g != w {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestConvert(t *testing.T) {
	t.Run("objects convert between all versions", allVersions)
	t.Run("objects of mixed versions keep their order", mixedVersions)
	t.Run("an object is not taken for the one before", notTheOneBefore)
	t.Run("an object of the desired version comes back byte for byte", checkUntouched)
	t.Run("an empty review has an empty answer", emptyReview)
	t.Run("an object without metadata converts", noMetadata)
	t.Run("values come through exactly", exactValues)
	t.Run("kinds without Go types convert through functions", untypedKinds)
}

func allVersions(t *testing.T) {
	f := newFixture(t, nil)
	spec := `"count":1,"ratio":0.5,"parts":[{"size":2}],"tags":{}`
	for _, from := range []string{"v1", "v2", "v3"} {
		for _, to := range []string{"v1", "v2", "v3"} {
			got := f.converted("example.com/"+to, widget(from, "a", "", spec))[0]
			sameJSON(t, got, widget(to, "a", "", spec))
		}
	}
}

func mixedVersions(t *testing.T) {
	f := newFixture(t, nil)
	var objects []string
	for i := range 500 {
		objects = append(objects, widget(fmt.Sprintf("v%d", i%3+1), fmt.Sprint("w", i), "", fmt.Sprintf(`"count":%d`, i)))
	}
	for i, got := range f.converted("example.com/v3", objects...) {
		sameJSON(t, got, widget("v3", fmt.Sprint("w", i), "", fmt.Sprintf(`"count":%d`, i)))
	}
}

// notTheOneBefore checks that nothing about an object is read from the memory of the object
// before it, where the converted object is now.
func notTheOneBefore(t *testing.T) {
	f := newFixture(t, func(o *webhook.Options) { o.Workers = 1 })
	at := func(version string) string {
		return `{"kind":"Widget","apiVersion":"example.com/` + version + `","metadata":{"name":"a"},"unknown":1,"spec":{}}`
	}
	got := f.converted("example.com/v3", at("v1"), at("v3"), at("v1"))
	if got[1] != at("v3") || got[0] == at("v3") || got[0] != got[2] {
		t.Errorf("%s", got)
	}
}

func checkUntouched(t *testing.T) {
	f := newFixture(t, nil)
	for _, object := range []string{
		"{ \"kind\" : \"Widget\",\n\"spec\":{\"unknown\": 1.0e0,\"mode\":\"panic\"}, \"apiVersion\":\"example.com/v3\" }",
		`{"apiVersion":"example.com/v3","kind":"OfNobody","x":[1.50]}`,
	} {
		if got := f.converted("example.com/v3", object, object)[1]; got != object {
			t.Errorf("%s became %s", object, got)
		}
	}
}

func emptyReview(t *testing.T) {
	f := newFixture(t, nil)
	if got := f.converted("example.com/v3"); len(got) != 0 {
		t.Error(got)
	}
	f.answer(`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"the-uid","desiredAPIVersion":"example.com/v1","objects":null}}`)
}

func TestMetadata(t *testing.T) {
	t.Run("all but labels and annotations stays byte for byte", metadataStays)
	t.Run("a conversion may change labels and annotations", labelsChange)
	t.Run("a conversion may not change anything else", metadataChanged)
	t.Run("metadata that a conversion drops is kept", metadataForgotten)
}

func metadataStays(t *testing.T) {
	f := newFixture(t, nil)
	metadata := ` , "uid":"3b4f2fd6-2c5c" ,"selfLink":"/a/b","generation": 7,"creationTimestamp":"2021-04-01T12:00:00Z",` +
		`"ofAFutureRelease":{"a":[1,2.50]},"labels":{ "a":"b" },"annotations":{"x":"<y> \u0026 z"},"finalizers":["f"],` +
		`"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u","more":1}],` +
		`"managedFields":[ {"manager":"m","operation":"Update","fieldsV1":{"f:spec":{"f:count":{ }}},"time":"2021-04-01T12:00:00Z"} ]`
	for _, to := range []string{"v2", "v3"} {
		got := f.converted("example.com/"+to, widget("v1", "a", metadata, `"count":1`))[0]
		contains(t, got, `"metadata":{"name":"a","namespace":"default"`+metadata+`}`)
	}
}

func labelsChange(t *testing.T) {
	f := newFixture(t, nil)
	spec := `"mode":"annotate"`
	added := `"added":"<here> & \"there\""`
	for metadata, want := range map[string]string{
		"": `,"annotations":{` + added + `}`,
		`,"uid":"u","labels":{"gone":"x"},"selfLink":"/s"`:            `,"uid":"u","selfLink":"/s","annotations":{` + added + `}`,
		`,"labels":{"gone":"x","kept":"y"},"annotations":{"old":"z"}`: `,"annotations":{` + added + `,"old":"z"},"labels":{"kept":"y"}`,
	} {
		sameJSON(t, f.converted("example.com/v2", widget("v1", "a", metadata, spec))[0], widget("v2", "a", want, spec))
	}
}

func metadataChanged(t *testing.T) {
	f := newFixture(t, nil)
	message := f.refused(body("example.com/v2", widget("v1", "a", "", `"mode":"rename"`)))
	contains(t, message, "Widget.example.com default/a of v1 does not convert to v2", "changed metadata.name;",
		"only labels and annotations")
}

func metadataForgotten(t *testing.T) {
	f := newFixture(t, nil)
	object := widget("v1", "a", `,"labels":{"a":"b"}`, `"mode":"forget metadata"`)
	sameJSON(t, f.converted("example.com/v2", object)[0], strings.Replace(object, "/v1", "/v2", 1))
}

func noMetadata(t *testing.T) {
	f := newFixture(t, nil)
	got := f.converted("example.com/v2", `{"apiVersion":"example.com/v1","kind":"Widget","spec":{"count":1}}`,
		`{"apiVersion":"example.com/v1","kind":"Note"}`)
	sameJSON(t, got[0], `{"apiVersion":"example.com/v2","kind":"Widget","metadata":{},"spec":{"count":1}}`)
	sameJSON(t, got[1], `{"apiVersion":"example.com/v2","kind":"Note"}`)
	note := `{"apiVersion":"example.com/v1","kind":"Note","metadata":{"name":"a"}}`
	sameJSON(t, f.converted("example.com/v2", note)[0], strings.Replace(note, "/v1", "/v2", 1))
}

// exactValues checks that values stay as the API server has them: int64, and names with their
// case.
func exactValues(t *testing.T) {
	f := newFixture(t, nil)
	spec := `"count":9223372036854775807,"ratio":1.7976931348623157e+308,"secret":"é\u2028 <&> \"}]\\\" \u0000\\","tags":{"A":"1","a":"2"}`
	sameJSON(t, f.converted("example.com/v2", widget("v1", "a", "", spec))[0], widget("v2", "a", "", spec))
	sameJSON(t, f.converted("example.com/v2", widget("v1", "a", "", `"Count":1,"COUNT":2,"count":3`))[0],
		widget("v2", "a", "", `"count":3`))
	note := `{"apiVersion":"example.com/v1","kind":"Note","metadata":{"name":"a"},"spec":{"i":9007199254740993,"f":1.5,"l":[9223372036854775807]}}`
	sameJSON(t, f.converted("example.com/v2", note)[0], strings.Replace(note, "/v1", "/v2", 1))
}

func TestFailures(t *testing.T) {
	t.Run("one bad object fails the review and is named", badObject)
	t.Run("a message names the first ten of many objects", firstTen)
	t.Run("a panic is caught, counted and named", panics)
	t.Run("a body that is not a review of v1 is refused with the reason", notAReview)
	t.Run("a body that ends early is not a review", endsEarly)
	t.Run("a kind whose versions do not all convert is found at the start", foundAtStart)
}

func badObject(t *testing.T) {
	f := newFixture(t, nil)
	good := widget("v1", "good", "", "")
	for _, c := range []struct {
		name, object string
		want         []string
	}{
		{"a value of another type", widget("v1", "bad", "", `"parts":[{"size":1},{"size":"SECRET"}]`),
			[]string{"spec.parts[1].size: cannot read a string as an integer"}},
		{"a number that is too large", widget("v1", "bad", "", `"count":77777777777777777777`),
			[]string{"spec.count: cannot read a number as an integer"}},
		{"a key with a dot", widget("v1", "bad", "", `"tags":{"a.b":{}}`), []string{`spec.tags["a.b"]: cannot read an object as a string`}},
		{"a key that is very long", widget("v1", "bad", "", `"tags":{"`+strings.Repeat("k", 10_000)+`":{}}`),
			[]string{`spec.tags.` + strings.Repeat("k", 300) + `…: cannot read an object as a string`}},
		{"a time", widget("v1", "bad", `,"creationTimestamp":"SECRET"`, ``), []string{"metadata.creationTimestamp: cannot read"}},
		{"a duplicate name", widget("v1", "bad", "", `"count":1,"count":2`), []string{"spec.count: duplicate name"}},
		{"bytes that are no UTF-8", widget("v1", "bad", "", "\"secret\":\"\xff\""), []string{"invalid JSON"}},
		{"a hook", widget("v1", "bad", "", `"mode":"fail","secret":"SECRET"`), []string{errHook.Error()}},
		{"an unknown kind", strings.Replace(widget("v1", "bad", "", ""), "Widget", "Gadget", 1),
			[]string{`no kind "Gadget" of group "example.com", it has kinds Loner, Note, Widget`}},
		{"an unknown version", widget("v9", "bad", "", ""),
			[]string{`no version "v9" of kind Widget of group example.com, it has v3, v2, v1`}},
		{"an unknown group", strings.Replace(widget("v1", "bad", "", ""), "example.com", "example.org", 1),
			[]string{`it has groups example.com`}},
		{"a kind without a hub", strings.Replace(widget("v1", "bad", "", ""), "Widget", "Loner", 1),
			[]string{"no version of kind Loner of group example.com is a hub"}},
		{"no apiVersion", `{"kind":"Widget","metadata":{"namespace":"default","name":"bad"}}`, []string{"it has no apiVersion"}},
		{"no kind", `{"apiVersion":"example.com/v1","metadata":{"namespace":"default","name":"bad"}}`, []string{"it has no kind"}},
		{"garbage", strings.Replace(widget("v1", "bad", "", ""), "}}", "}]", 1), []string{"invalid JSON"}},
		{"garbage at the desired version", widget("v2", "bad", "", `"a":tru`), []string{"invalid JSON"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.t = t
			message := f.refused(body("example.com/v2", good, good, c.object))
			lacks(t, message, "SECRET", "object 0", "object 1", "777777")
			contains(t, message, append(c.want, "object 2: ", "default/bad", "does not convert to v2")...)
		})
	}
	f.t = t
	lacks(t, f.log.String(), "SECRET")
	contains(t, f.refused(body("example.org/v2", good)), `the desired apiVersion "example.org/v2" is of another group`)
}

func firstTen(t *testing.T) {
	f := newFixture(t, nil)
	var objects []string
	for i := range 300 {
		objects = append(objects, widget("v1", fmt.Sprint("w", i), "", `"mode":"fail"`))
	}
	message := f.refused(body("example.com/v2", objects...))
	contains(t, message, "and maybe more of 300 objects")
	if n := strings.Count(message, errHook.Error()); n != 10 {
		t.Errorf("it names %d", n)
	}
	if n := f.sum("armature_conversion_objects_total"); n >= 100 {
		t.Errorf("it went on with %v objects", n)
	}
}

func panics(t *testing.T) {
	f := newFixture(t, nil)
	message := f.refused(body("example.com/v3", widget("v1", "bad", "", `"mode":"panic","secret":"SECRET"`)))
	contains(t, message, "Widget.example.com default/bad of v1 does not convert to v3", "panic at types_test.go:")
	contains(t, f.log.String(), "panic in a conversion", "default/bad", "convertTo")
	lacks(t, message+f.log.String(), "SECRET")
	f.counts("armature_conversion_panics_total", `{from="v1",group="example.com",kind="Widget",to="v3"} 1`)
	if got := f.converted("example.com/v3", widget("v1", "good", "", "")); len(got) != 1 {
		t.Error(got)
	}
}

// counts compares the counters of a metric that are not 0.
func (f *fixture) counts(metric string, want ...string) {
	f.t.Helper()
	families, err := f.metrics.Gather()
	if err != nil {
		f.t.Fatal(err)
	}
	var got []string
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if family.GetName() != metric || m.GetCounter().GetValue() == 0 {
				continue
			}
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			got = append(got, fmt.Sprintf("{%s} %.0f", strings.Join(labels, ","), m.GetCounter().GetValue()))
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		f.t.Errorf("%s: %q, want %q", metric, got, want)
	}
}

// sum returns the value of a counter, added over all routes.
func (f *fixture) sum(metric string) (sum float64) {
	families, err := f.metrics.Gather()
	if err != nil {
		f.t.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if family.GetName() == metric {
				sum += m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

func TestMetrics(t *testing.T) {
	t.Run("each route is counted", metricsOfRoutes)
	t.Run("the number of routes is limited", notTooManyRoutes)
}

func notTooManyRoutes(t *testing.T) {
	s := runtime.NewScheme()
	hub := schema.GroupVersionKind{Group: group, Version: "v1", Kind: "Widget"}
	s.AddKnownTypeWithName(hub, &WidgetV2{})
	const versions = 65 // 65² routes
	for i := 2; i <= versions; i++ {
		s.AddKnownTypeWithName(hub.GroupKind().WithVersion(fmt.Sprint("v", i)), &WidgetV1{})
	}
	f := newFixture(t, func(o *webhook.Options) { o.Scheme = s })
	var objects []string
	for i := 1; i <= versions; i++ {
		objects = append(objects, widget(fmt.Sprint("v", i), "a", "", ""))
	}
	for range 2 {
		for i := 1; i <= versions; i++ {
			f.converted(fmt.Sprint("example.com/v", i), objects...)
		}
	}
	families, err := f.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if n := len(family.GetMetric()); family.GetName() == "armature_conversion_objects_total" && n != 4001 {
			t.Errorf("%d series, want 4,001", n)
		}
	}
	if n := f.sum("armature_conversion_objects_total"); n != 2*versions*versions {
		t.Errorf("%v objects are counted, want %d", n, 2*versions*versions)
	}
}

func metricsOfRoutes(t *testing.T) {
	f := newFixture(t, nil)
	a, b := widget("v1", "a", "", `"count":1`), widget("v3", "b", "", "")
	f.converted("example.com/v3", a, a, b)
	f.refused(body("example.com/v2", widget("v1", "c", "", `"mode":"fail"`)))
	f.refused(body("example.com/v2", widget("v77", "c", "", "")))
	f.post("{")
	f.counts("armature_conversion_objects_total",
		`{from="unknown",group="unknown",kind="unknown",to="unknown"} 1`,
		`{from="v1",group="example.com",kind="Widget",to="v2"} 1`,
		`{from="v1",group="example.com",kind="Widget",to="v3"} 2`,
		`{from="v3",group="example.com",kind="Widget",to="v3"} 1`)
	f.counts("armature_conversion_failures_total",
		`{from="unknown",group="unknown",kind="unknown",to="unknown"} 1`,
		`{from="v1",group="example.com",kind="Widget",to="v2"} 1`)
	f.counts("armature_conversion_in_bytes_total",
		fmt.Sprintf(`{from="unknown",group="unknown",kind="unknown",to="unknown"} %d`, len(b)+1),
		fmt.Sprintf(`{from="v1",group="example.com",kind="Widget",to="v2"} %d`, len(widget("v1", "c", "", `"mode":"fail"`))),
		fmt.Sprintf(`{from="v1",group="example.com",kind="Widget",to="v3"} %d`, 2*len(a)),
		fmt.Sprintf(`{from="v3",group="example.com",kind="Widget",to="v3"} %d`, len(b)))
	f.counts("armature_conversion_out_bytes_total",
		fmt.Sprintf(`{from="v1",group="example.com",kind="Widget",to="v3"} %d`, 2*len(a)),
		fmt.Sprintf(`{from="v3",group="example.com",kind="Widget",to="v3"} %d`, len(b)))
	f.counts("armature_conversion_reviews_total", `{result="converted"} 1`, `{result="failed"} 2`, `{result="invalid"} 1`)
}

func notAReview(t *testing.T) {
	f := newFixture(t, nil)
	good := body("example.com/v2", widget("v1", "a", "", ""))
	for _, c := range []struct{ name, body, want string }{
		{"nothing", ``, "byte 0: unexpected EOF"},
		{"no JSON", `<html>`, "byte 0: invalid character '<' at start of value"},
		{"cut off", good[:len(good)-20], "unexpected EOF"},
		{"more behind it", good + "{}", "found more than one value"},
		{"v1beta1", strings.Replace(good, "apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1", 1),
			`its apiVersion is "apiextensions.k8s.io/v1beta1", expected apiextensions.k8s.io/v1`},
		{"another kind", strings.Replace(good, "ConversionReview", "AdmissionReview", 1), `its kind is "AdmissionReview"`},
		{"no request", `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}`, "it has no request"},
		{"no uid", strings.Replace(good, `"uid"`, `"UID"`, 1), "no uid"},
		{"no desired version", strings.Replace(good, `"desired`, `"Desired`, 1), "no desiredAPIVersion"},
		{"a request twice", strings.Replace(good, `"request"`, `"request":{"uid":"the-uid"},"request"`, 1), "a second request"},
		{"an object that is a number", strings.Replace(good, `"objects":[`, `"objects":[17,`, 1), "object 0 is not a JSON object"},
		{"an object without members", strings.Replace(good, `"objects":[`, `"objects":[{},`, 1), "object 0 has no apiVersion and kind"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := f.post(c.body)
			message := w.Body.String()
			if w.Code == http.StatusOK {
				f.t = t
				message = f.refused(c.body)
			} else if w.Code != http.StatusBadRequest {
				t.Errorf("status %d", w.Code)
			}
			contains(t, message, "the ConversionReview cannot be read", c.want)
		})
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/convert", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: status %d", w.Code)
	}
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(good))
	r.Header.Set("Content-Type", "application/yaml")
	if f.ServeHTTP(w, r); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("YAML: status %d", w.Code)
	}
}

func TestLimits(t *testing.T) {
	t.Run("size and depth are limited", sizeAndDepth)
	t.Run("an object may be deeper when it is read, or is being deleted, than when it is written", deeperReads)
	t.Run("an object whose lists are too long is refused, with a higher limit when it is read", longLists)
	t.Run("values that the API server keeps short must be short", shortValues)
	t.Run("a large body waits for room, and a small one does not", waitsForRoom)
	t.Run("no more objects than workers are converted at once", workersAtOnce)
	t.Run("a timeout is answered", checkTimeout)
	t.Run("a cancelled request ends the work", cancelledRequest)
}

func sizeAndDepth(t *testing.T) {
	f := newFixture(t, func(o *webhook.Options) { o.MaxBytes, o.MaxDepth = 5000, 20 })
	large := body("example.com/v2", widget("v1", "a", "", `"secret":"`+strings.Repeat("x", 5000)+`"`))
	for _, length := range []int64{int64(len(large)), -1, 1 << 60} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(large))
		r.ContentLength = length
		if f.ServeHTTP(w, r); w.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("status %d", w.Code)
		}
		contains(t, w.Body.String(), "larger than the webhook's limit of 5000 bytes")
	}
	deep := strings.Repeat(`{"a":[`, 10) + strings.Repeat("]}", 10)
	contains(t, f.refused(body("example.com/v2", widget("v1", "a", "", `"deep":`+deep))), "JSON is nested deeper than the limit of 20")
	f.converted("example.com/v2", widget("v1", "a", "", `"deep":`+deep[6:len(deep)-2]))
	f.counts("armature_conversion_reviews_total", `{result="converted"} 1`, `{result="too_large"} 4`)
}

func deeperReads(t *testing.T) {
	f := newFixture(t, nil)
	deep := func(version, metadata string, depth int) string {
		return widget(version, "a", metadata, `"deep":`+strings.Repeat(`[`, depth-2)+strings.Repeat("]", depth-2))
	}
	f.converted("example.com/v2", deep("v1", "", 1000))
	contains(t, f.refused(body("example.com/v2", deep("v1", "", 1001))),
		"default/a of v1 does not convert to v2: JSON is nested deeper than the limit of 1000")
	f.converted("example.com/v2", deep("v1", `,"deletionTimestamp":"2021-04-01T12:00:00Z"`, 1001))
	for _, to := range []string{"example.com/v1", "example.com/v2"} {
		f.converted(to, deep("v2", "", 9900))
	}
	f.converted("example.com/v1", deep("v3", "", 9900)) // nothing is stored by that
	contains(t, f.refused(body("example.com/v1", deep("v2", "", 9901))), "JSON is nested deeper than the limit of 9900")
	f.counts("armature_conversion_reviews_total", `{result="converted"} 5`, `{result="too_large"} 2`)
}

func longLists(t *testing.T) {
	f := newFixture(t, func(o *webhook.Options) { o.MaxBytes, o.Memory = 1<<20, 160<<20 })
	list := func(version, metadata string, length int) string {
		return widget(version, "a", metadata, `"parts":[{}`+strings.Repeat(`,{}`, length-1)+`]`)
	}
	const most = 40 << 20 / 700
	f.converted("example.com/v2", list("v1", "", most/2))
	contains(t, f.refused(body("example.com/v2", list("v1", "", most))), fmt.Sprint(most+3, " objects, "),
		"MB of memory to convert, more than the limit of 40 MB: its lists are too long")
	f.converted("example.com/v1", list("v2", "", most))
	f.converted("example.com/v2", list("v1", `,"deletionTimestamp":"2021-04-01T12:00:00Z"`, most))
	contains(t, f.refused(body("example.com/v1", list("v2", "", 2*most))), "more than the limit of 80 MB")
	f.counts("armature_conversion_reviews_total", `{result="converted"} 3`, `{result="too_large"} 2`)
}

func shortValues(t *testing.T) {
	f := newFixture(t, nil)
	long := strings.Repeat("x", 1025)
	for _, c := range []struct{ name, body, want string }{
		{"an UID", strings.Replace(body("example.com/v2"), "the-uid", long, 1), `"uid" has 1027 bytes, expected at most 1024`},
		{"a version", body(long), `"desiredAPIVersion" has 1027 bytes`},
		{"what nobody knows", strings.Replace(body("example.com/v2"), `"request"`, `"more":["`+long+`"],"request"`, 1),
			`"more" has 1029 bytes`},
	} {
		w := f.post(c.body)
		if w.Code != http.StatusBadRequest && w.Code != http.StatusOK {
			t.Errorf("%s: status %d", c.name, w.Code)
		}
		contains(t, w.Body.String(), strings.ReplaceAll(c.want, `"`, ""))
	}
	objects := make([]string, 100_001)
	for i := range objects {
		objects[i] = `{"apiVersion":"example.com/v2","kind":"Widget"}`
	}
	f.converted("example.com/v2", objects[1:]...)
	contains(t, f.refused(body("example.com/v2", objects...)), "it has more than 100000 objects")
}

// sending is the body of a request that stops after its beginning.
type sending struct {
	*strings.Reader
	arrived chan struct{} // closed when the beginning was read
	rest    chan struct{} // closed when the rest may be read
	end     string
}

func (s *sending) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != io.EOF {
		return n, nil
	}
	if s.end != "" {
		close(s.arrived)
		<-s.rest
		s.Reader, s.end = strings.NewReader(s.end), ""
		return s.Reader.Read(p)
	}
	return n, err
}

func waitsForRoom(t *testing.T) {
	f := newFixture(t, func(o *webhook.Options) { o.MaxBytes, o.Memory, o.Timeout = 1<<20, 134<<20, 2*time.Second })
	small := body("example.com/v2", widget("v1", "a", "", ""))
	large := body("example.com/v2", widget("v1", "a", "", `"secret":"`+strings.Repeat("x", 1<<20-1000)+`"`))
	s := &sending{strings.NewReader(large[:64<<10]), make(chan struct{}), make(chan struct{}), large[64<<10:]}
	slow := make(chan *httptest.ResponseRecorder)
	go func() {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/convert", s)
		r.ContentLength = int64(len(large))
		f.ServeHTTP(w, r)
		slow <- w
	}()
	<-s.arrived // and so it has room
	w := f.post(large)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "1" {
		t.Errorf("status %d, %v", w.Code, w.Header())
	}
	contains(t, w.Body.String(), "no memory left", "try again")
	contains(t, f.post(small).Body.String(), `"status":"Success"`)
	close(s.rest)
	<-slow // in time or not
	contains(t, f.post(large).Body.String(), `"status":"Success"`)
	f.post(strings.Repeat(" ", 1<<20) + "}")
	f.counts("armature_conversion_reviews_total", `{result="busy"} 1`, `{result="converted"} 3`, `{result="too_large"} 1`)
}

func workersAtOnce(t *testing.T) {
	f := newFixture(t, func(o *webhook.Options) { o.Workers, o.Timeout = 2, time.Second })
	answers := make(chan string)
	for range 3 {
		go func() {
			answers <- f.post(body("example.com/v2", widget("v1", "a", "", `"mode":"block"`))).Body.String()
		}()
	}
	await.True(t, "two are at work", func() bool { return blocking.Load() == 2 })
	contains(t, f.refused(body("example.com/v2", widget("v1", "b", "", ""))), "0 of 1 objects were converted within 1s")
	for range 3 {
		contains(t, <-answers, "0 of 1 objects were converted within 1s")
	}
	if n := blocking.Load(); n != 2 {
		t.Errorf("%d are at work", n)
	}
	blocked <- struct{}{}
	blocked <- struct{}{}
	contains(t, f.post(body("example.com/v2", widget("v1", "c", "", ""))).Body.String(), `"status":"Success"`)
}

func checkTimeout(t *testing.T) {
	f := newFixture(t, func(o *webhook.Options) { o.Timeout, o.Workers = time.Second, 1 })
	message := f.refused(body("example.com/v2", widget("v1", "a", "", ""), widget("v1", "b", "", `"mode":"block"`),
		widget("v1", "c", "", "")))
	contains(t, message, "1 of 3 objects were converted within 1s")
	f.counts("armature_conversion_reviews_total", `{result="timed_out"} 1`)
	blocked <- struct{}{}
	if got := f.converted("example.com/v2", widget("v1", "a", "", "")); len(got) != 1 {
		t.Error("it does not convert after a timeout")
	}
}

func cancelledRequest(t *testing.T) {
	f := newFixture(t, func(o *webhook.Options) { o.Workers = 1 })
	ctx, cancel := context.WithCancel(t.Context())
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/convert",
		strings.NewReader(body("example.com/v2", widget("v1", "a", "", `"mode":"block"`), widget("v1", "b", "", ""))))
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		f.ServeHTTP(w, r.WithContext(ctx))
	}()
	await.True(t, "it is at work", func() bool { return blocking.Load() == 1 })
	cancel()
	<-answered
	if w.Body.Len() > 0 {
		t.Errorf("answered %s", w.Body)
	}
	f.counts("armature_conversion_reviews_total", `{result="cancelled"} 1`)
	blocked <- struct{}{}
	time.Sleep(200 * time.Millisecond)
	f.counts("armature_conversion_objects_total", `{from="v1",group="example.com",kind="Widget",to="v2"} 1`)
}

func endsEarly(t *testing.T) {
	f := newFixture(t, nil)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", io.MultiReader(strings.NewReader(`{"kind"`), failing{})))
	if w.Code != http.StatusBadRequest {
		t.Errorf("status %d", w.Code)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken") }

func untypedKinds(t *testing.T) {
	gadgets := schema.GroupKind{Group: "example.org", Kind: "Gadget"}
	edit := func(change func(map[string]any)) func(untyped.Convertible) (untyped.Convertible, error) {
		return untyped.Edit(func(u *unstructured.Unstructured) error { change(u.Object); return nil })
	}
	function, err := untyped.MakeConvertFunction([]untyped.ConversionMapping{
		{OriginalVersion: "v1", DesiredVersion: "v2", Convert: edit(func(o map[string]any) {
			if o["panic"] != nil {
				panic(o["panic"])
			}
			o["new"] = o["old"]
			delete(o, "old")
			o["metadata"].(map[string]any)["labels"] = map[string]any{"x": "y"}
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, func(o *webhook.Options) {
		o.Untyped = map[schema.GroupKind]untyped.ConvertFunction{
			gadgets:                              function,
			{Group: "example.org", Kind: "Liar"}: func(c untyped.Convertible, _ string) (untyped.Convertible, error) { return c, nil },
			{Group: "example.org", Kind: "Thief"}: func(c untyped.Convertible, _ string) (untyped.Convertible, error) {
				raw := strings.Replace(strings.Replace(string(c.Raw), `"mine"`, `"yours"`, 1), "/v1", "/v2", 1)
				return untyped.Convertible{RawExtension: runtime.RawExtension{Raw: []byte(raw)}}, nil
			},
		}
	})
	gadget := `{"apiVersion":"example.org/v1","kind":"Gadget","metadata":{"name":"mine","managedFields":[ {"manager":"m"} ], "generation": 1},"old":1}`
	got := f.converted("example.org/v2", gadget)[0]
	sameJSON(t, got, `{"apiVersion":"example.org/v2","kind":"Gadget","metadata":{"name":"mine","managedFields":[{"manager":"m"}],"generation": 1,"labels":{"x":"y"}},"new":1}`)
	contains(t, got, `"name":"mine","managedFields":[ {"manager":"m"} ],"generation": 1`)
	contains(t, f.refused(body("example.org/v2", strings.Replace(gadget, "Gadget", "Liar", 1))),
		`the result of the conversion has kind "Liar" and apiVersion "example.org/v1", expected Liar and example.org/v2`)
	contains(t, f.refused(body("example.org/v2", strings.Replace(gadget, "Gadget", "Thief", 1))), "changed metadata.name")
	contains(t, f.refused(body("example.org/v3", gadget)), "no mapping knows version v3")
	contains(t, f.refused(body("example.org/v2", strings.Replace(gadget, `"old"`, `"panic"`, 1))),
		"Gadget.example.org mine of v1 does not convert to v2", "panic at webhook_test.go")
	f.counts("armature_conversion_panics_total", `{from="v1",group="example.org",kind="Gadget",to="v2"} 1`)
	f.counts("armature_conversion_objects_total",
		`{from="unknown",group="unknown",kind="unknown",to="unknown"} 3`,
		`{from="v1",group="example.org",kind="Gadget",to="v2"} 2`)
}

func foundAtStart(t *testing.T) {
	twoHubs := scheme()
	twoHubs.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: "v4", Kind: "Widget"}, &NoteV2{})
	half := scheme()
	half.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: "v4", Kind: "Widget"}, &Loner{})
	noHub := runtime.NewScheme()
	noHub.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: "v1", Kind: "Widget"}, &WidgetV1{})
	widgets := schema.GroupKind{Group: group, Kind: "Widget"}
	function := func(c untyped.Convertible, _ string) (untyped.Convertible, error) { return c, nil }
	for _, c := range []struct {
		options webhook.Options
		want    string
	}{
		{webhook.Options{}, "there is nothing to convert"},
		{webhook.Options{Scheme: twoHubs}, "Widget.example.com: it has the hubs v4, v2, expected one"},
		{webhook.Options{Scheme: half}, "Widget.example.com: v4 do not convert with its hub v2"},
		{webhook.Options{Scheme: noHub}, "Widget.example.com: v1 convert with a hub, but none is in the scheme"},
		{webhook.Options{Untyped: map[schema.GroupKind]untyped.ConvertFunction{widgets: nil}},
			"Widget.example.com: its convert function is nil"},
		{webhook.Options{Scheme: scheme(), Untyped: map[schema.GroupKind]untyped.ConvertFunction{widgets: function}},
			"Go types in the scheme and a convert function"},
	} {
		if _, err := webhook.New(c.options); err == nil {
			t.Errorf("no error, want %s", c.want)
		} else {
			contains(t, err.Error(), c.want)
		}
	}
}
