package convert_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/armature-dev/armature/runtime/webhook"
	"github.com/armature-dev/armature/tests/golden/convert/v1"
	"github.com/armature-dev/armature/tests/golden/convert/v1storage"
	"github.com/armature-dev/armature/tests/golden/convert/v2"
	"github.com/armature-dev/armature/tests/golden/convert/v2storage"
	"github.com/armature-dev/armature/tests/golden/convert/v3"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
)

// replica is a conversion webhook.
type replica struct {
	*testing.T
	*webhook.Handler
	metrics *prometheus.Registry
	log     bytes.Buffer
}

// newReplica returns a webhook that has the keys, the first of which signs.
func newReplica(t *testing.T, secrets ...string) *replica {
	t.Helper()
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{
		"v1": &v1.Person{}, "v1storage": &v1storage.Person{},
		"v2": &v2.Person{}, "v2storage": &v2storage.Person{},
		"v3": &v3.Person{}, "v3storage": &v3storage.Person{},
	} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: version, Kind: "Person"}, object)
	}
	r := &replica{T: t, metrics: prometheus.NewRegistry()}
	options := webhook.Options{Scheme: scheme, Metrics: r.metrics, Logger: slog.New(slog.NewTextHandler(&r.log, nil))}
	if len(secrets) > 0 {
		var all [][]byte
		for _, secret := range secrets {
			all = append(all, []byte(strings.Repeat(secret, remainder.MinKey)))
		}
		keys, err := remainder.NewKeys(all...)
		if err != nil {
			t.Fatal(err)
		}
		options.Keys = func() *remainder.Keys { return keys }
	}
	var err error
	if r.Handler, err = webhook.New(options); err != nil {
		t.Fatal(err)
	}
	return r
}

// tryConvert converts an object, and returns the message if that fails.
func (r *replica) tryConvert(to string, object any) (converted map[string]any, message string) {
	r.Helper()
	body, err := json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
		"request": map[string]any{"uid": "u", "desiredAPIVersion": group + "/" + to, "objects": []any{object}},
	})
	if err != nil {
		r.Fatal(err)
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(body)))
	var review apiextensionsv1.ConversionReview
	if err := json.Unmarshal(w.Body.Bytes(), &review); err != nil || review.Response == nil {
		r.Fatalf("%v: %s", err, w.Body)
	}
	if review.Response.Result.Status != metav1.StatusSuccess {
		return nil, review.Response.Result.Message
	}
	if err := json.Unmarshal(review.Response.ConvertedObjects[0].Raw, &converted); err != nil {
		r.Fatal(err)
	}
	return converted, ""
}

func (r *replica) convert(to string, object any) map[string]any {
	r.Helper()
	converted, message := r.tryConvert(to, object)
	if message != "" {
		r.Fatal(message)
	}
	return converted
}

// count returns the sum of a metric over all series with a label event.
func (r *replica) count(metric, event string) (sum float64) {
	families, err := r.metrics.Gather()
	if err != nil {
		r.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			for _, l := range m.GetLabel() {
				if family.GetName() == "armature_conversion_"+metric && l.GetName() == "event" && l.GetValue() == event {
					sum += m.GetCounter().GetValue()
				}
			}
		}
	}
	return sum
}

// ada is stored at the hub, with more than version 1 can hold.
func ada() map[string]any {
	return map[string]any{
		"apiVersion": group + "/v3storage", "kind": "Person",
		"metadata": map[string]any{"name": "ada", "namespace": "default", "uid": "uid-1", "generation": 3},
		"spec": map[string]any{
			"originalVersion": "v3", "familyName": "Lovelace", "tier": "Gold", "levels": []any{1, 2},
			"$propertyBag": map[string]any{"email": map[string]any{"value": "ada@example.com", "version": "2012-02-02"}},
		},
		"status": map[string]any{"id": "/subscriptions/s/ada"},
	}
}

func metadataOf(object map[string]any) map[string]any { return object["metadata"].(map[string]any) }

// annotate sets the annotation of an object.
func annotate(object map[string]any, text string) {
	metadataOf(object)["annotations"] = map[string]any{annotation.Remainder: text}
}

// remainderOf returns the annotation of an object.
func remainderOf(t *testing.T, object map[string]any) string {
	t.Helper()
	annotations, _ := metadataOf(object)["annotations"].(map[string]any)
	text, _ := annotations[annotation.Remainder].(string)
	if text == "" {
		t.Fatalf("there is no annotation: %v", object)
	}
	return text
}

// forge returns an annotation like that of an object that was shown, but for what is lost.
func forge(t *testing.T, shown map[string]any, lost string) string {
	t.Helper()
	before, rest, ok := strings.Cut(remainderOf(t, shown), annotation.RemainderLost)
	at := strings.Index(rest, `,"object":`)
	if !ok || at < 0 {
		t.Fatalf("nothing is lost: %v", shown)
	}
	return before + annotation.RemainderLost + lost + rest[at:]
}

// TestForgedAnnotation checks that an annotation changes nothing that the version shows.
func TestForgedAnnotation(t *testing.T) {
	const entry = `{"value":"eve@example.com","version":"2012-02-02"}`
	for _, test := range []struct{ what, lost string }{
		{"spells an id in the Status in another way", `{"status":{"id":"/Subscriptions/s/ada"}}`},
		{"spells a text in another way", `{"spec":{"lastName":"LOVELACE"}}`},
		{"sets a text that is absent", `{"spec":{"firstName":"Eve"}}`},
		{"names another member of an enum", `{"spec":{"tier":"Silver"}}`},
		{"names what is no member", `{"spec":{"tier":"thirty-three characters are too many"}}`},
		{"has a property that the type lacks", `{"spec":{"wrong":"a"}}`},
		{"has a bag in an object that is absent", `{"spec":{"home":{"$propertyBag":{"a":` + entry + `}}}}`},
		{"has a bag where there is no object", `{"spec":{"lastName":{"$propertyBag":{"a":` + entry + `}}}}`},
		{"has a bag of an element that is absent", `{"spec":{"grid":[{"0":[{"0":{"$propertyBag":{"a":` + entry +
			`}}},"AAAAAAAA"]},"AAAAAAAA"]}}`},
		{"adds an element", `{"spec":{"levels":[{"2":"3"},"AAAAAAAAAAAAAAAAAAAAAAAA"]}}`},
		{"has elements of a text", `{"spec":{"lastName":[{"0":"a"},"AAAAAAAA"]}}`},
	} {
		t.Run(test.what, func(t *testing.T) {
			unkeyed := newReplica(t)
			shown := unkeyed.convert("v1", ada())
			forged := forge(t, shown, test.lost)
			annotate(shown, forge(t, shown, `{"spec":{"wrong":"a"}}`))
			want := unkeyed.convert("v3storage", shown)
			before := unkeyed.count("remainder_entries_total", "dropped")
			annotate(shown, forged)
			if diff := cmp.Diff(want, unkeyed.convert("v3storage", shown)); diff != "" {
				t.Errorf("without keys (-without the annotation +with it):\n%s", diff)
			}
			if unkeyed.count("remainder_entries_total", "dropped") == before {
				t.Error("nothing is counted as dropped")
			}
			keyed := newReplica(t, "a")
			if _, message := keyed.tryConvert("v3storage", shown); !strings.Contains(message,
				"was not written by this webhook") || !strings.Contains(message, "remove the annotation") {
				t.Errorf("with keys it is not refused: %q", message)
			}
			if keyed.count("remainder_unreadable_total", "forged") != 1 {
				t.Error("it is not counted")
			}
		})
	}
	t.Run("beside it, what the version has no place for is restored without keys", func(t *testing.T) {
		r := newReplica(t)
		shown := r.convert("v1", ada())
		annotate(shown, forge(t, shown, `{"spec":{"$propertyBag":{"email":`+entry+`},"lastName":"LOVELACE"}}`))
		spec := r.convert("v3storage", shown)["spec"].(map[string]any)
		if bag, _ := json.Marshal(spec["$propertyBag"]); spec["familyName"] != "Lovelace" || !strings.Contains(string(bag), "eve@") {
			t.Errorf("%v", spec)
		}
	})
}

// TestRespelledMember checks that an enum's member that is stored in another spelling
// than the schema's keeps it, though both are at a path that the version has.
func TestRespelledMember(t *testing.T) {
	r := newReplica(t, "a")
	stored := ada()
	stored["spec"].(map[string]any)["tier"] = "gOLD"
	shown := r.convert("v1", stored)
	if got := shown["spec"].(map[string]any)["tier"]; got != "Gold" {
		t.Fatalf("shown as %v", got)
	}
	if got := textOf(r.convert("v3storage", shown)["spec"]); got != textOf(stored["spec"]) {
		t.Errorf("%s became %s", textOf(stored["spec"]), got)
	}
}

func textOf(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

func TestKeys(t *testing.T) {
	const refused, stale = "was not written by this webhook, or the key that signed it is gone: read the object again",
		"is of an earlier state of the object: read the object again"
	uid := func(uid string, generation int) func(map[string]any) {
		return func(m map[string]any) { m["uid"], m["generation"] = uid, generation }
	}
	same := func(map[string]any) {}
	for _, test := range []struct {
		what          string
		writer, taker []string // their keys
		metadata      func(map[string]any)
		want          string // message, or "" where the write is taken
		restored      bool
	}{
		{"the same key", []string{"a"}, []string{"a"}, same, "", true},
		{"no keys at all", nil, nil, same, "", true},
		{"the key was replaced, and the former one is still accepted", []string{"a"}, []string{"b", "a"}, same, "", true},
		{"another replica does not sign with the new key yet", []string{"b", "a"}, []string{"a", "b"}, same, "", true},
		{"the former key is gone", []string{"a"}, []string{"b"}, same, refused, false},
		{"a webhook without keys wrote it", nil, []string{"a"}, same, refused, false},
		{"a webhook without keys takes it", []string{"a"}, nil, same, "", true},
		{"a copy with another name", []string{"a"}, []string{"a"}, func(m map[string]any) { m["name"] = "grace" }, "", false},
		{"restored from a backup", []string{"a"}, []string{"a"}, uid("uid-2", 1), "", true},
		{"restored, and changed since", []string{"a"}, []string{"a"}, uid("uid-2", 2), stale, false},
		{"the API server does not know the UID yet", []string{"a"}, []string{"a"}, uid("", 0), "", true},
		{"the client changed the Spec", []string{"a"}, []string{"a"}, uid("uid-1", 4), "", true},
		{"others changed the Spec as well", []string{"a"}, []string{"a"}, uid("uid-1", 5), stale, false},
	} {
		t.Run(test.what, func(t *testing.T) {
			writer, taker := newReplica(t, test.writer...), newReplica(t, test.taker...)
			shown := writer.convert("v1", ada())
			test.metadata(metadataOf(shown))
			stored, message := taker.tryConvert("v3storage", shown)
			switch {
			case test.want != "":
				if !strings.Contains(message, test.want) {
					t.Errorf("got %q %v, want the message %q", message, stored, test.want)
				}
			case message != "":
				t.Error(message)
			default:
				if got := strings.Contains(textOf(stored["spec"]), "ada@example.com"); got != test.restored {
					t.Errorf("restored: %v, want %v: %v", got, test.restored, stored)
				}
				if _, there := metadataOf(stored)["annotations"]; there {
					t.Errorf("the annotation is stored: %v", stored)
				}
			}
		})
	}
}

// TestSignature changes what a key has signed.
func TestSignature(t *testing.T) {
	r := newReplica(t, "a")
	shown := r.convert("v1", ada())
	text := remainderOf(t, shown)
	mac := text[strings.Index(text, `,"mac":"`):][:len(`,"mac":""`)+22]
	at := strings.Index(text, mac)
	without := text[:at] + text[at+len(mac):]
	for what, changed := range map[string]string{
		"another value":       strings.Replace(text, "ada@", "eve@", 1),
		"no MAC":              without,
		"an empty MAC":        strings.Replace(text, mac, `,"mac":""`, 1),
		"half a MAC":          strings.Replace(text, mac, mac[:20]+`"`, 1),
		"another UID":         strings.Replace(text, "uid-1", "uid-2", 1),
		"no UID":              strings.Replace(text, `,"uid":"uid-1"`, "", 1),
		"another generation":  strings.Replace(text, `"generation":3`, `"generation":9`, 1),
		"the MAC twice":       strings.Replace(text, mac, mac+mac, 1),
		"the MAC at the end":  strings.TrimSuffix(without, "}") + mac + "}",
		"one more value":      strings.Replace(text, `"uid"`, `"writers":["x"],"uid"`, 1),
		"of another's object": strings.Replace(text, `"object":"`, `"object":"A`, 1),
	} {
		t.Run(what, func(t *testing.T) {
			if changed == text {
				t.Fatalf("nothing was changed in %s", text)
			}
			annotate(shown, changed)
			stored, message := r.tryConvert("v3storage", shown)
			ignored := slices.Contains([]string{"of another's object"}, what)
			switch moved := what == "the MAC at the end"; {
			case moved: // the same text was signed
				if message != "" || !strings.Contains(textOf(stored), "ada@") {
					t.Errorf("%q %v", message, stored)
				}
			case ignored && (message != "" || strings.Contains(textOf(stored), "ada@")):
				t.Errorf("it is not ignored: %q %v", message, stored)
			case !ignored && !strings.Contains(message, "was not written by this webhook"):
				t.Errorf("it is not refused: %q %v", message, stored)
			}
		})
	}
}
