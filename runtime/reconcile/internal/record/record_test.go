package record_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// store is an API server with the Secret of keys, and a clock.
type store struct {
	*record.Keys
	api   client.Client
	now   time.Time
	reads int
}

var secretName = types.NamespacedName{Namespace: "operator", Name: "keys"}

func newStore(t *testing.T) *store {
	t.Helper()
	s := &store{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: secretName.Namespace, Name: secretName.Name},
		Data: map[string][]byte{"k1": []byte(strings.Repeat("x", 32)), "current": []byte("k1")}}
	s.api = fake.NewClientBuilder().WithObjects(secret).WithInterceptorFuncs(interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			s.reads++
			return c.Get(ctx, key, o, opts...)
		}}).Build()
	s.restart()
	return s
}

// restart forgets the keys that were read.
func (s *store) restart() {
	s.Keys = &record.Keys{Reader: s.api, Writer: s.api, Secret: secretName, Now: func() time.Time { return s.now }}
}

// secret returns the Secret of keys.
func (s *store) secret(t *testing.T) *corev1.Secret {
	t.Helper()
	secret := new(corev1.Secret)
	if err := s.api.Get(t.Context(), secretName, secret); err != nil {
		t.Fatal(err)
	}
	return secret
}

// object returns an object of the namespace shop with a record.
func object(text string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "h", UID: "uid-1",
		Annotations: map[string]string{annotation.Sent: text}}}
}

// examples returns the texts of the records in testdata, by the names of their files.
func examples(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	files, err := filepath.Glob("testdata/records/*.json")
	if err != nil || len(files) < 4 {
		t.Fatalf("found %q and %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = strings.TrimSuffix(string(text), "\n")
	}
	return all
}

// TestRecord reads and writes records. Those in testdata are those of all releases.
func TestRecord(t *testing.T) {
	s := newStore(t)
	read := func(t *testing.T, o metav1.Object) (*record.Record, bool) {
		t.Helper()
		r, confirmed, err := s.Read(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return r, confirmed
	}
	t.Run("the records of all releases are the operator's own, and are written back as they are", func(t *testing.T) {
		for name, text := range examples(t) {
			o := object(text)
			r, confirmed := read(t, o)
			if !confirmed && !golden.Updating() {
				t.Errorf("%s is not confirmed", name)
			}
			if !confirmed {
				r = record.Of(o)
			}
			if err := s.Write(t.Context(), r, o); err != nil {
				t.Fatal(err)
			}
			golden.Equal(t, "testdata/records/"+name, o.Annotations[annotation.Sent]+"\n")
		}
	})
	unknown := examples(t)["unknown.json"]
	t.Run("members that nobody knows stay, also in the record of the next PUT", func(t *testing.T) {
		o := object(unknown)
		r, confirmed := read(t, o)
		if !confirmed {
			t.Fatal("it is not confirmed")
		}
		next := &record.Record{Phase: record.Sending, UID: "uid-1", Key: "k1", ID: r.ID, Attempt: 2}
		next.Keep(r)
		if err := s.Write(t.Context(), next, o); err != nil {
			t.Fatal(err)
		}
		if text := o.Annotations[annotation.Sent]; !strings.Contains(text, `"attempt":2,"checked":true,"zones":[{"a":1e2}, "<b>"],"mac":`) {
			t.Errorf("got %s", text)
		}
		if _, confirmed := read(t, o); !confirmed {
			t.Error("it is not confirmed")
		}
	})
	t.Run("whatever is changed, it is not the operator's own any more", func(t *testing.T) {
		for i := range len(unknown) {
			changed := unknown[:i] + string(unknown[i]^1) + unknown[i+1:]
			if _, confirmed := read(t, object(changed)); confirmed {
				t.Errorf("%s is confirmed", changed)
			}
		}
		for what, change := range map[string]func(*corev1.ConfigMap){
			"another name":      func(o *corev1.ConfigMap) { o.Name = "i" },
			"another namespace": func(o *corev1.ConfigMap) { o.Namespace = "other" },
			"another uid":       func(o *corev1.ConfigMap) { o.UID = "uid-2" },
			"a member behind the signature": func(o *corev1.ConfigMap) {
				o.Annotations[annotation.Sent] = strings.TrimSuffix(unknown, "}") + `,"id":"/x"}`
			},
			"a second signature": func(o *corev1.ConfigMap) {
				_, mac, _ := strings.Cut(unknown, `,"mac":`)
				o.Annotations[annotation.Sent] = strings.TrimSuffix(unknown, "}") + `,"mac":` + mac
			},
		} {
			o := object(unknown)
			change(o)
			if _, confirmed := read(t, o); confirmed {
				t.Errorf("%s: it is confirmed", what)
			}
		}
	})
	t.Run("one that is not the operator's own says what perhaps was sent", func(t *testing.T) {
		text, _, _ := strings.Cut(examples(t)["children.json"], `,"mac":`)
		got, confirmed := read(t, object(text+"}"))
		want := &record.Record{Phase: record.Accepted, UID: "uid-1", Time: got.Time, ID: got.ID,
			Credential: "theirs", Previous: "before", Maybe: got.Time}
		if confirmed || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, confirmed %v, want %+v", got, confirmed, want)
		}
	})
	t.Run("one of a backup is that of an object of the same name", func(t *testing.T) {
		for what, row := range map[string]struct {
			uid, name string
			want      bool
		}{"restored": {"uid-2", "h", true}, "a copy of another name": {"uid-2", "i", false}, "its own": {"uid-1", "h", false}} {
			o := object(unknown)
			o.UID, o.Name = types.UID(row.uid), row.name
			if r, err := s.Restored(t.Context(), o); (r != nil) != row.want || err != nil {
				t.Errorf("%s: got %v and %v", what, r, err)
			}
		}
	})
}

// TestKeys loses keys, and reads records that name keys that never existed.
func TestKeys(t *testing.T) {
	text := func(t *testing.T) string { return examples(t)["accepted.json"] }
	confirmed := func(t *testing.T, s *store, text string) bool {
		t.Helper()
		_, confirmed, err := s.Read(t.Context(), object(text))
		if err != nil {
			t.Fatal(err)
		}
		return confirmed
	}
	t.Run("those that are lost are written back", func(t *testing.T) {
		for what, lose := range map[string]func(*testing.T, *store){
			"the Secret": func(t *testing.T, s *store) {
				if err := s.api.Delete(t.Context(), s.secret(t)); err != nil {
					t.Fatal(err)
				}
			},
			"one, and another is current": func(t *testing.T, s *store) {
				secret := s.secret(t)
				secret.Data = map[string][]byte{"k2": []byte(strings.Repeat("y", 32)), "current": []byte("k2")}
				if err := s.api.Update(t.Context(), secret); err != nil {
					t.Fatal(err)
				}
			},
			"all that it has": func(t *testing.T, s *store) {
				secret := s.secret(t)
				secret.Data = nil
				if err := s.api.Update(t.Context(), secret); err != nil {
					t.Fatal(err)
				}
			},
		} {
			s := newStore(t)
			if !confirmed(t, s, text(t)) {
				t.Fatal("it is not confirmed at first")
			}
			lose(t, s)
			if err := s.Reload(t.Context()); err != nil {
				t.Fatal(err)
			}
			s.restart()
			if !confirmed(t, s, text(t)) {
				t.Errorf("%s: it is not confirmed any more", what)
			}
		}
	})
	t.Run("a key that there is not is looked for once in a while", func(t *testing.T) {
		s := newStore(t)
		stranger := strings.Replace(text(t), `"key":"k1"`, `"key":"stranger"`, 1)
		for range 100 {
			confirmed(t, s, stranger)
		}
		if s.reads != 1 {
			t.Errorf("got %d reads of the Secret", s.reads)
		}
		s.now = s.now.Add(time.Minute)
		confirmed(t, s, stranger)
		if s.reads != 2 {
			t.Errorf("after a minute: got %d reads of the Secret", s.reads)
		}
	})
	t.Run("what is signed by a key that is gone is signed by the current one next", func(t *testing.T) {
		s := newStore(t)
		o := object("")
		if err := s.Write(t.Context(), &record.Record{UID: "uid-1", Key: "gone", Digest: "d", ID: "/x"}, o); err != nil {
			t.Fatal(err)
		}
		r, confirmed, err := s.Read(t.Context(), o)
		if err != nil || !confirmed || r.Key != "k1" || r.Digest != "" {
			t.Errorf("got %+v, confirmed %v, and %v", r, confirmed, err)
		}
	})
}
