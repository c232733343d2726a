// Package isolation_test sends the conversion webhook many reviews at once, with
// panics, errors, timeouts and clients that go away among them, and checks that
// no answer has anything of another object. Every night it runs with -race.
package isolation_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/webhook"
	"github.com/armature-dev/armature/tests/golden/convert/v1"
	"github.com/armature-dev/armature/tests/golden/convert/v1storage"
	"github.com/armature-dev/armature/tests/golden/convert/v2"
	"github.com/armature-dev/armature/tests/golden/convert/v2storage"
	"github.com/armature-dev/armature/tests/golden/convert/v3"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
)

const (
	group = "crm.example.com"
	hub   = "v3storage"
	// timeout is how long a review may take.
	timeout = time.Second
)

// Bomb is of a kind whose conversion goes wrong, in the way that its mode says.
type Bomb struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Mode   string `json:"mode,omitempty"`
		Secret string `json:"secret,omitempty"`
	} `json:"spec"`
}

type (
	BombSpoke struct{ Bomb }
	BombHub   struct{ Bomb }
)

func (b *BombSpoke) DeepCopyObject() runtime.Object        { d := *b; return &d }
func (b *BombHub) DeepCopyObject() runtime.Object          { d := *b; return &d }
func (*BombHub) Hub()                                      {}
func (b *BombSpoke) ConvertTo(to conversion.Hub) error     { return b.convertTo(&to.(*BombHub).Bomb) }
func (b *BombSpoke) ConvertFrom(from conversion.Hub) error { return from.(*BombHub).convertTo(&b.Bomb) }

func (b *Bomb) convertTo(to *Bomb) error {
	*to = *b // with the maps of its source
	switch b.Spec.Mode {
	case "error":
		return errors.New("a hook's own words")
	case "panic":
		panic(b.Spec.Secret)
	case "slow": // until the time of the review is over, and a little more
		time.Sleep(timeout + timeout/4)
	case "busy": // so that it may still be at work when the time is over
		time.Sleep(timeout / 100)
	}
	return nil
}

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		v1.AddToScheme, v1storage.AddToScheme, v2.AddToScheme, v2storage.AddToScheme, v3.AddToScheme, v3storage.AddToScheme,
	} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	for version, object := range map[string]runtime.Object{"v1": &BombSpoke{}, "v2": &BombSpoke{}, "v3": &BombSpoke{}, hub: &BombHub{}} {
		s.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: version, Kind: "Bomb"}, object)
	}
	return s
}

func newHandler(t *testing.T) *webhook.Handler {
	t.Helper()
	h, err := webhook.New(webhook.Options{
		Scheme: newScheme(t), Timeout: timeout, Workers: 4, MaxBytes: 8 << 20, Memory: 200 << 20, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// mark matches the beginning of the texts of an object. No two objects have the same.
var mark = regexp.MustCompile(`mark\d+x`)

// object is one to convert, and what it becomes at each version.
type object struct {
	mark string
	raw  string
	want map[string]string // by version, absent if it does not convert
}

// person returns a person at a version. All its texts have its mark.
func person(r *rand.Rand, mark, version string) string {
	text := func() string {
		length := 10
		switch r.Intn(20) {
		case 0:
			length = 1 << r.Intn(18)
		case 1:
			return mark + `<é\u0000\"` + strings.Repeat(`\\`, length)
		}
		return mark + strings.Repeat("y", length)
	}
	metadata := []string{fmt.Sprintf(`"name":"%s","namespace":"%s","uid":"%s"`, mark, mark, mark)}
	if r.Intn(2) == 0 {
		metadata = append(metadata, fmt.Sprintf(`"labels":{"%s":"%s"},"annotations":{"%s":"%s"}`, mark, mark, mark, text()))
	}
	if r.Intn(2) == 0 {
		metadata = append(metadata, fmt.Sprintf(`"managedFields":[{"manager":"%s"}]`, text()))
	}
	var spec []string
	for _, name := range map[string][]string{
		"v1": {"lastName", "firstName", "badge"},
		"v3": {"familyName"},
		hub:  {"familyName", "originalVersion"},
	}[version] {
		spec = append(spec, fmt.Sprintf(`"%s":"%s"`, name, text()))
	}
	if version == "v1" {
		spec = append(spec, fmt.Sprintf(`"legacy":{"%s":"%s","other":"%s"}`, mark, text(), text()))
	}
	if version == hub {
		var entries []string
		for i := range r.Intn(4) {
			entries = append(entries, fmt.Sprintf(`"%s%d":{"value":"%s","version":"2001-01-01"}`, strings.ToLower(mark), i, text()))
		}
		spec = append(spec, `"$propertyBag":{`+strings.Join(entries, ",")+`}`)
	}
	return fmt.Sprintf(`{"apiVersion":"%s/%s","kind":"Person","metadata":{%s},"spec":{%s}}`, group, version,
		strings.Join(metadata, ","), strings.Join(spec, ","))
}

func body(to string, objects []*object) string {
	var raw []string
	for _, o := range objects {
		raw = append(raw, o.raw)
	}
	return fmt.Sprintf(`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u","desiredAPIVersion":"%s/%s","objects":[%s]}}`,
		group, to, strings.Join(raw, ","))
}

// answer is a ConversionReview's, as far as it is looked at.
type answer struct {
	Response struct {
		ConvertedObjects []json.RawMessage
		Result           struct{ Status, Message string }
	}
}

// send returns the status and the answer to a review. Where end is not 0, the
// client goes away after that time.
func send(h http.Handler, text string, slowly bool, end time.Duration) (status int, a answer, raw string, err error) {
	ctx := context.Background()
	if end > 0 {
		limited, cancel := context.WithTimeout(ctx, end)
		defer cancel()
		ctx = limited
	}
	var from io.Reader = strings.NewReader(text)
	if slowly {
		from = io.MultiReader(strings.NewReader(text[:len(text)/2]), pause{}, strings.NewReader(text[len(text)/2:]))
	}
	request := httptest.NewRequest(http.MethodPost, "/convert", from).WithContext(ctx)
	request.ContentLength = int64(len(text))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request)
	raw = w.Body.String()
	if w.Code == http.StatusOK && end == 0 {
		err = json.Unmarshal(w.Body.Bytes(), &a)
	}
	return w.Code, a, raw, err
}

// pause is a reader that takes some time for nothing.
type pause struct{}

func (pause) Read([]byte) (int, error) {
	time.Sleep(5 * time.Millisecond)
	return 0, io.EOF
}

// objects returns good ones, with what they become where nothing disturbs.
func objects(t *testing.T, r *rand.Rand, count int) []*object {
	t.Helper()
	h := newHandler(t)
	var all []*object
	for i := range count {
		m := fmt.Sprintf("mark%dx", i)
		o := &object{mark: m, raw: person(r, m, []string{"v1", "v3", hub}[i%3]), want: map[string]string{}}
		for _, to := range []string{"v1", "v2", "v3", hub} {
			for { // the time of a review is short
				status, a, raw, err := send(h, body(to, []*object{o}), false, 0)
				if err != nil || status != http.StatusOK {
					t.Fatal(status, err, raw)
				}
				if a.Response.Result.Status == "Success" {
					o.want[to] = string(a.Response.ConvertedObjects[0])
					break
				}
				if !strings.Contains(a.Response.Result.Message, "objects were converted within") {
					t.Fatal(a.Response.Result.Message)
				}
			}
		}
		all = append(all, o)
	}
	return all
}

// bomb returns an object that goes wrong. Its secret is in no answer.
func bomb(r *rand.Rand) *object {
	mode := []string{"error", "error", "panic", "panic", "busy", "busy", "busy"}[r.Intn(7)]
	if r.Intn(25) == 0 {
		mode = "slow"
	}
	version := []string{"v1", "v2", hub}[r.Intn(3)]
	return &object{mark: "bomb",
		raw: fmt.Sprintf(`{"apiVersion":"%s/%s","kind":"Bomb","metadata":{"name":"bomb"},"spec":{"mode":%q,"secret":"SECRET"}}`,
			group, version, mode)}
}

func TestIsolation(t *testing.T) {
	total := night.Times(20_000, 200_000)
	good := objects(t, rand.New(rand.NewSource(1)), 120)
	h := newHandler(t)
	var converted, failed, refused, lost atomic.Int64
	var clients sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(total))
	for i := range 16 {
		clients.Go(func() {
			r := rand.New(rand.NewSource(int64(i)))
			for left.Load() > 0 && !t.Failed() {
				var review []*object
				for range 1 + r.Intn(30) {
					review = append(review, good[r.Intn(len(good))])
				}
				if r.Intn(4) == 0 {
					review[r.Intn(len(review))] = bomb(r)
				}
				left.Add(-int64(len(review)))
				to := []string{"v1", "v2", "v3", hub}[r.Intn(4)]
				var end time.Duration
				if r.Intn(10) == 0 {
					end = time.Duration(r.Int63n(int64(20 * time.Millisecond)))
				}
				status, a, raw, err := send(h, body(to, review), r.Intn(10) == 0, end)
				switch {
				case err != nil:
					t.Errorf("no answer can be read: %v: %.1000s", err, raw)
				case status != http.StatusOK || end > 0:
					refused.Add(1)
					foreign(t, raw, review)
				case a.Response.Result.Status == "Success":
					converted.Add(int64(len(review)))
					check(t, a, review, to)
				default:
					if strings.Contains(a.Response.Result.Message, "were converted within") {
						lost.Add(1)
					}
					failed.Add(1)
					foreign(t, raw, review)
				}
			}
		})
	}
	clients.Wait()
	t.Logf("%d objects were converted; %d reviews failed, of which %d had no time; %d were refused or cancelled",
		converted.Load(), failed.Load(), lost.Load(), refused.Load())
	if converted.Load() < int64(total)/20 || failed.Load() == 0 || lost.Load() == 0 || refused.Load() == 0 {
		t.Error("too little of one of these was tried")
	}
}

// check compares an answer with what its objects become alone.
func check(t *testing.T, a answer, review []*object, to string) {
	if len(a.Response.ConvertedObjects) != len(review) {
		t.Errorf("%d objects became %d", len(review), len(a.Response.ConvertedObjects))
		return
	}
	for i, o := range review {
		got := string(a.Response.ConvertedObjects[i])
		if want, ok := o.want[to]; ok && got != want {
			t.Errorf("%s at %s is %.2000s\nalone it is %.2000s", o.mark, to, got, want)
		}
		foreign(t, got, []*object{o})
	}
}

// foreign checks that a text has the marks of some objects only.
func foreign(t *testing.T, text string, of []*object) {
	own := map[string]bool{}
	for _, o := range of {
		own[o.mark] = true
	}
	for _, m := range mark.FindAllString(text, -1) {
		if !own[m] {
			t.Errorf("%s is in the answer to a review without it: %.2000s", m, text)
			return
		}
	}
	if strings.Contains(text, "SECRET") && !strings.Contains(text, `"kind":"Bomb"`) {
		t.Errorf("a value is in a message: %.2000s", text)
	}
}
