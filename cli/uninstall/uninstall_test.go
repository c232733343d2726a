package uninstall

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/internal/progress"
	"github.com/armature-dev/armature/runtime/annotation"
)

const group = "crm.azure.armature.dev"

// object is an object of a cluster, with its condition Ready.
type object struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Status            status `json:"status"`
}

type status struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// server is an API server with objects, each of which is gone some looks after it was deleted,
// unless its name begins with "stuck".
type server struct {
	*testing.T
	mutex   sync.Mutex
	objects map[string]*object
	version int
	// deleted has the policies of the objects that were deleted, by name, and writes what was
	// done, in order.
	deleted map[string]string
	writes  []string
	denied  bool
	// namespace has the annotations of the namespace of all objects, and permitted the annotations that the CRD got.
	namespace, permitted map[string]string
	// onWrite is called before an object is written or deleted.
	onWrite func(name string)
	// onReview is called when the rights are asked for, after the objects were counted.
	onReview func()
}

func newServer(t *testing.T) *server {
	s := &server{T: t, objects: map[string]*object{}, deleted: map[string]string{}}
	s.add("managed", "", true)
	s.add("skipped", "observe", true)
	s.add("detached", annotation.DeletionDetach, true)
	s.add("unsent", "", false)
	return s
}

func (s *server) add(name, policy string, sent bool) {
	s.version++
	o := &object{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name),
		ResourceVersion: strconv.Itoa(s.version), Annotations: map[string]string{}, Finalizers: []string{annotation.ResourceFinalizer}}}
	if policy != "" {
		o.Annotations[annotation.Deletion] = policy
	}
	if policy == annotation.AdoptObserve {
		o.Annotations = map[string]string{annotation.Adopt: policy}
	}
	if sent {
		o.Annotations[annotation.Sent] = "{}"
	}
	o.Status.Conditions = []metav1.Condition{{Type: "Ready", Reason: "ScopeLocked", Message: "a lock holds it"}}
	s.objects[name] = o
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	answer, code := s.answer(r)
	if code != http.StatusOK {
		answer = metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Code: int32(code),
			Reason: map[int]metav1.StatusReason{404: metav1.StatusReasonNotFound, 409: metav1.StatusReasonConflict}[code]}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

func (s *server) answer(r *http.Request) (any, int) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	crd := apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "persons." + group}}
	crd.Spec.Group = group
	crd.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Kind: "Person", Plural: "persons"}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v20200101storage", Served: true, Storage: true},
		{Name: "v20200101", Served: true}}
	switch {
	case strings.HasSuffix(r.URL.Path, "/selfsubjectaccessreviews"):
		if s.onReview != nil {
			s.onReview()
		}
		review := &authorizationv1.SelfSubjectAccessReview{}
		if err := json.NewDecoder(r.Body).Decode(review); err != nil {
			s.Error(err)
		}
		review.Status.Allowed = !s.denied
		return review, http.StatusOK
	case strings.HasSuffix(r.URL.Path, "/customresourcedefinitions"):
		return metav1.PartialObjectMetadataList{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList"},
			Items: []metav1.PartialObjectMetadata{{ObjectMeta: crd.ObjectMeta}}}, http.StatusOK
	case r.URL.Path == "/api/v1/namespaces":
		return metav1.PartialObjectMetadataList{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList"},
			Items: []metav1.PartialObjectMetadata{{ObjectMeta: metav1.ObjectMeta{Name: "shop", Annotations: s.namespace}}}}, http.StatusOK
	case strings.HasSuffix(r.URL.Path, "/persons."+group):
		if r.Method == http.MethodPatch {
			var patch metav1.PartialObjectMetadata
			if err := json.NewDecoder(r.Body).Decode(&patch); err != nil || len(s.objects) > 0 {
				s.Errorf("the CRD is written while there are %d objects: %v", len(s.objects), err)
			}
			s.permitted = patch.Annotations
		}
		return crd, http.StatusOK
	case !strings.HasPrefix(r.URL.Path, "/apis/"+group+"/v20200101/"):
		s.Errorf("%s %s", r.Method, r.URL)
		return nil, http.StatusNotFound
	case len(parts) == 4:
		return s.list(r), http.StatusOK
	}
	name := parts[6]
	o := s.objects[name]
	if r.Method != http.MethodGet && s.onWrite != nil {
		s.onWrite(name)
		o = s.objects[name]
	}
	if o == nil {
		return nil, http.StatusNotFound
	}
	switch r.Method {
	case http.MethodPatch:
		var patch metav1.PartialObjectMetadata
		if err := json.NewDecoder(r.Body).Decode(&patch); err != nil {
			s.Error(err)
		}
		if patch.ResourceVersion != o.ResourceVersion {
			return nil, http.StatusConflict
		}
		s.version++
		o.ResourceVersion = strconv.Itoa(s.version)
		o.Annotations[annotation.Deletion] = patch.Annotations[annotation.Deletion]
		s.writes = append(s.writes, "patch")
	case http.MethodDelete:
		var options metav1.DeleteOptions
		if err := json.NewDecoder(r.Body).Decode(&options); err != nil {
			s.Error(err)
		}
		if *options.Preconditions.UID != o.UID || *options.Preconditions.ResourceVersion != o.ResourceVersion {
			return nil, http.StatusConflict
		}
		o.DeletionTimestamp = &metav1.Time{Time: time.Now()}
		s.deleted[name] = o.Annotations[annotation.Deletion]
		s.writes = append(s.writes, "delete")
	}
	return metadataOf(o), http.StatusOK
}

func metadataOf(o *object) metav1.PartialObjectMetadata {
	return metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"},
		ObjectMeta: *o.ObjectMeta.DeepCopy()}
}

// list lists the objects. Those that are being deleted go with the look.
func (s *server) list(r *http.Request) any {
	var names []string
	for name := range s.objects {
		names = append(names, name)
	}
	slices.Sort(names)
	meta := metav1.PartialObjectMetadataList{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList"}}
	full := map[string]any{"apiVersion": group + "/v20200101", "kind": "PersonList", "metadata": map[string]any{}}
	var items []any
	for _, name := range names {
		o := *s.objects[name]
		o.TypeMeta = metav1.TypeMeta{APIVersion: group + "/v20200101", Kind: "Person"}
		meta.Items, items = append(meta.Items, metadataOf(&o)), append(items, o)
		if o.DeletionTimestamp != nil && !strings.HasPrefix(name, "stuck") {
			delete(s.objects, name)
		}
	}
	full["items"] = items
	if strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadataList") {
		if limit, _ := strconv.Atoi(r.URL.Query().Get("limit")); limit > 0 && limit < len(meta.Items) {
			rest := int64(len(meta.Items) - limit)
			meta.Items, meta.RemainingItemCount = meta.Items[:limit], &rest
		}
		return meta
	}
	return full
}

// run runs the command, and returns what it prints.
func run(ctx context.Context, s *server, azure string, kinds ...string) (string, error) {
	http := httptest.NewServer(s)
	defer http.Close()
	var out bytes.Buffer
	u := &uninstalling{groups: []string{group}, kinds: kinds, azure: azure, timeout: 300 * time.Millisecond, poll: time.Millisecond,
		out: &out, progress: progress.New(io.Discard), limiter: flowcontrol.NewFakeAlwaysRateLimiter()}
	var err error
	u.Cluster, err = cluster.New(&rest.Config{Host: http.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
	if err != nil {
		return "", err
	}
	err = u.run(ctx)
	return out.String(), err
}

// wantTable reports if the output lacks a line of the table.
func wantTable(t *testing.T, out string, objects, stay, goes, unsent int) {
	t.Helper()
	want := fmt.Sprintf("persons.%s %d %d %d %d\n", group, objects, stay, goes, unsent)
	if !strings.Contains(strings.Join(strings.Fields(out), " ")+"\n", strings.TrimSpace(want)) {
		t.Errorf("it did not print %q:\n%s", want, out)
	}
}

func TestUninstall(t *testing.T) {
	t.Run("without a choice it says what would happen, and changes nothing", func(t *testing.T) {
		s := newServer(t)
		out, err := run(t.Context(), s, "")
		if err != nil {
			t.Fatal(err)
		}
		wantTable(t, out, 4, 2, 1, 1)
		if len(s.writes) > 0 || !strings.Contains(out, "nothing was changed") {
			t.Errorf("it did %q\n%s", s.writes, out)
		}
	})

	t.Run("keep detaches all before the first is deleted", func(t *testing.T) {
		s := newServer(t)
		s.add("another", "delete", true)
		out, err := run(t.Context(), s, keep)
		if err != nil {
			t.Fatal(err)
		}
		wantTable(t, out, 5, 4, 0, 1)
		for name, policy := range s.deleted {
			if want := map[string]string{"skipped": ""}[name]; policy != want && policy != annotation.DeletionDetach {
				t.Errorf("%s was deleted with the policy %q", name, policy)
			}
		}
		if len(s.deleted) != 5 || len(s.objects) > 0 || slices.Index(s.writes, "delete") < 3 {
			t.Errorf("it deleted %v, in this order: %q", s.deleted, s.writes)
		}
		if !strings.Contains(out, "kubectl delete crd -l app.kubernetes.io/part-of=armature") {
			t.Errorf("it does not say what comes next:\n%s", out)
		}
	})

	t.Run("a CRD may be deleted once its objects are gone", func(t *testing.T) {
		s := newServer(t)
		if out, err := run(t.Context(), s, ""); err != nil || s.permitted != nil {
			t.Errorf("nothing was to be done: got %v, and the CRD has %v\n%s", err, s.permitted, out)
		}
		s.add("stuck", "", true)
		if out, err := run(t.Context(), s, remove); err == nil || s.permitted != nil {
			t.Errorf("an object is left: got %v, and the CRD has %v\n%s", err, s.permitted, out)
		}
		delete(s.objects, "stuck")
		out, err := run(t.Context(), s, remove)
		if want := map[string]string{annotation.Deletion: annotation.DeletionDelete}; err != nil || !maps.Equal(s.permitted, want) {
			t.Errorf("got %v, and the CRD has %v, want %v\n%s", err, s.permitted, want, out)
		}
	})

	t.Run("nothing is changed while an object is protected", func(t *testing.T) {
		for _, azure := range []string{keep, remove} {
			s := newServer(t)
			s.add("orders", annotation.DeletionProtect, true)
			out, err := run(t.Context(), s, azure)
			want := "\npersons." + group + " shop/orders\nset the annotation armature.dev/deletion of each"
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v\n%s", err, out)
			}
			s.namespace = map[string]string{annotation.Deletion: annotation.DeletionProtect}
			for i := range 7 {
				s.add(fmt.Sprint("more", i), "", true)
			}
			if out, err = run(t.Context(), s, azure); err == nil || !strings.Contains(err.Error(), "shop/orders\nand 2 more\n") {
				t.Errorf("got %v\n%s", err, out)
			}
			if out, err = run(t.Context(), s, ""); err != nil || !strings.Contains(out, "shop/orders\nand 2 more\n") {
				t.Errorf("got %v\n%s", err, out)
			}
			if len(s.writes) > 0 || len(s.deleted) > 0 {
				t.Errorf("it did %q, and deleted %v", s.writes, s.deleted)
			}
		}
	})

	t.Run("what the namespace says counts", func(t *testing.T) {
		for said, stay := range map[string]int{"": 2, "delete": 2, "detach": 3, "protect": 3} {
			s := newServer(t)
			s.namespace = map[string]string{annotation.Deletion: said}
			out, err := run(t.Context(), s, "")
			if err != nil {
				t.Error(err)
			}
			wantTable(t, out, 4, stay, 3-stay, 1)
		}
		s := newServer(t)
		s.namespace = map[string]string{annotation.Adopt: annotation.AdoptObserve}
		out, _ := run(t.Context(), s, "")
		wantTable(t, out, 4, 3, 0, 1)
	})

	t.Run("of some kinds, it says nothing about the others", func(t *testing.T) {
		out, err := run(t.Context(), newServer(t), keep, "persons")
		want := "other kinds were not looked at. Next:\n  kubectl delete crd persons." + group + "\n"
		if err != nil || !strings.HasSuffix(out, want) {
			t.Errorf("got %v\n%s", err, out)
		}
	})

	t.Run("an object of a kind that had none goes, too", func(t *testing.T) {
		s := newServer(t)
		clear(s.objects)
		s.onReview = func() { s.onReview = nil; s.add("new", "", true) }
		if out, err := run(t.Context(), s, keep); err != nil || len(s.objects) > 0 || s.deleted["new"] != annotation.DeletionDetach {
			t.Errorf("got %v, deleted %v\n%s", err, s.deleted, out)
		}
	})

	t.Run("delete leaves the policies as they are", func(t *testing.T) {
		s := newServer(t)
		if _, err := run(t.Context(), s, remove); err != nil {
			t.Fatal(err)
		}
		if got := s.deleted["managed"]; len(s.deleted) != 4 || got != "" || slices.Contains(s.writes, "patch") {
			t.Errorf("it deleted %v, and did %q", s.deleted, s.writes)
		}
	})

	t.Run("what somebody writes before its deletion does not make its resource go", func(t *testing.T) {
		s := newServer(t)
		s.onWrite = func(name string) {
			if slices.Contains(s.writes, "delete") && name != "unsent" {
				return
			}
			if o := s.objects["managed"]; o.Annotations[annotation.Deletion] == annotation.DeletionDetach && o.Labels == nil {
				o.Labels = map[string]string{"by": "somebody"}
				o.Annotations[annotation.Deletion] = annotation.DeletionDelete
				s.version++
				o.ResourceVersion = strconv.Itoa(s.version)
			}
		}
		if _, err := run(t.Context(), s, keep); err != nil {
			t.Fatal(err)
		}
		if s.deleted["managed"] != annotation.DeletionDetach {
			t.Errorf("it was deleted with the policy %q", s.deleted["managed"])
		}
	})

	t.Run("an object that does not go is named with its reason", func(t *testing.T) {
		s := newServer(t)
		s.add("stuck", "", true)
		out, err := run(t.Context(), s, remove)
		if !errors.Is(err, program.ErrLook) || !strings.Contains(out, "persons."+group+" shop/stuck: ScopeLocked: a lock holds it") ||
			strings.Contains(out, "All objects are gone") {
			t.Errorf("%v\n%s", err, out)
		}
	})

	t.Run("without the rights nothing is done", func(t *testing.T) {
		s := newServer(t)
		s.denied = true
		_, err := run(t.Context(), s, keep)
		if err == nil || !strings.Contains(err.Error(), "may not delete persons."+group) || len(s.writes) > 0 {
			t.Errorf("error = %v, it did %q", err, s.writes)
		}
	})

	t.Run("it may be stopped", func(t *testing.T) {
		s := newServer(t)
		ctx, stop := context.WithCancel(t.Context())
		s.onWrite = func(string) { stop() }
		if _, err := run(ctx, s, keep); err == nil || !strings.Contains(err.Error(), "stopped") {
			t.Errorf("error = %v", err)
		}
	})
}
