package published_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile"
)

// user applies the samples of groups, and an operator manages them with a stand-in for ARM
// that has the documents of all groups.
type user struct {
	scheme *runtime.Scheme
	arm    *armtest.Server
	stay   []sample
}

func newUser(t *testing.T, scheme *runtime.Scheme) *user {
	t.Helper()
	log.SetLogger(logr.Discard())
	arm, err := armtest.New(os.DirFS(os.Getenv("TEST_SRCDIR")))
	if err != nil {
		t.Fatal(err)
	}
	arm.Behave(armtest.Behavior{Rates: armtest.Rates{armtest.MissingParent: 1}})
	return &user{scheme: scheme, arm: arm}
}

// sample is an object of the cluster.
type sample struct {
	*unstructured.Unstructured
	resource dynamic.ResourceInterface
}

// try applies the samples of a group with strict validation, all at once, waits until all
// are ready, and deletes them. Those of the first group, which are the owners of others,
// stay. The policies of the group are in force, and have nothing to say about the samples.
func (u *user) try(t *testing.T, group string, crds, first []*apiextensionsv1.CustomResourceDefinition, listed *exceptions) {
	t.Helper()
	var kinds []schema.GroupKind
	resources := map[schema.GroupKind]string{{Kind: "Secret"}: "secrets"}
	for _, crd := range append(first, crds...) {
		kind := schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
		if resources[kind] == "" {
			kinds = append(kinds, kind)
		}
		resources[kind] = crd.Spec.Names.Plural
	}
	t.Cleanup(server.Operate(t, u.scheme, u.arm, reconcile.Options{Kinds: kinds, Subscription: "s"}))
	client, warned := newClient(t)
	all := read(t, folderOf(group, "sample"), len(crds), resources, client)
	samples := slices.DeleteFunc(slices.Clone(all), func(s sample) bool { return s.GetKind() == "Secret" })
	t.Cleanup(installPolicies(t, group, samples[0]))
	for _, s := range all {
		if _, err := s.resource.Create(t.Context(), s.Unstructured, metav1.CreateOptions{FieldValidation: "Strict"}); err != nil {
			t.Errorf("%v\n%v", err, s.Object)
		}
	}
	for _, warning := range warned.take() {
		t.Errorf("a sample makes a warning: %s", warning)
	}
	await(t, samples, listed, "became ready", func(s sample) (string, string) { return s.unready(t) })
	if &crds[0] == &first[0] {
		u.stay = samples
		return
	}
	for _, s := range samples {
		if err := s.resource.Delete(t.Context(), s.GetName(), metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	}
	await(t, samples, &exceptions{}, "was deleted", func(s sample) (string, string) {
		if _, err := s.resource.Get(t.Context(), s.GetName(), metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			return "it is still there", fmt.Sprint(err)
		}
		return "", ""
	})
}

// read returns the samples of a group, which has a number of kinds, and the Secrets that they
// need. resources has the plurals of their kinds.
func read(t *testing.T, folder string, kinds int, resources map[schema.GroupKind]string, client dynamic.Interface) []sample {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) != kinds {
		t.Fatalf("found %d samples, want one of each of %d kinds: %v", len(files), kinds, err)
	}
	var samples []sample
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "---\n") {
			s := sample{Unstructured: &unstructured.Unstructured{}}
			if err := yaml.UnmarshalStrict([]byte(document), &s.Object); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			gvk := s.GroupVersionKind()
			s.resource = client.Resource(gvk.GroupVersion().WithResource(resources[gvk.GroupKind()])).Namespace("default")
			samples = append(samples, s)
		}
	}
	return samples
}

// await waits until nothing is wrong with any of samples, as long as something changes. A
// sample may stay wrong if its kind, version and reason are listed; its line is then deleted.
// If only such samples are left, nothing need change for two seconds.
func await(t *testing.T, samples []sample, listed *exceptions, what string, wrong func(sample) (reason, message string)) {
	t.Helper()
	var last []string
	patience := 30 * time.Second
	for change := time.Now(); time.Since(change) < patience; time.Sleep(100 * time.Millisecond) {
		before := last
		last = nil
		for _, s := range samples {
			if reason, message := wrong(s); reason != "" {
				last = append(last, fmt.Sprintf("%s at %s: %s: %s", s.GetKind(), s.GetAPIVersion(), reason, message))
			}
		}
		if len(last) == 0 {
			return
		}
		if !slices.Equal(before, last) {
			change, patience = time.Now(), 2*time.Second
			if slices.ContainsFunc(last, func(found string) bool { return listed.about(found) == "" }) {
				patience = 30 * time.Second
			}
		}
	}
	last = slices.DeleteFunc(last, func(found string) bool { return listed.take(listed.about(found)) })
	if len(last) > 0 {
		t.Errorf("%d of %d samples: not each %s:\n%s", len(last), len(samples), what, strings.Join(last, "\n"))
	}
}

// unready returns the reason for which an object is not ready, or "".
func (s sample) unready(t *testing.T) (reason, message string) {
	t.Helper()
	object, err := s.resource.Get(t.Context(), s.GetName(), metav1.GetOptions{})
	if err != nil {
		return "Unreadable", err.Error()
	}
	var of struct {
		Status struct {
			Conditions []metav1.Condition `json:"conditions"`
		} `json:"status"`
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &of); err != nil {
		return "Unreadable", err.Error()
	}
	switch ready := meta.FindStatusCondition(of.Status.Conditions, reconcile.Ready); {
	case ready == nil:
		return "NoCondition", ""
	case ready.Status != metav1.ConditionTrue:
		return ready.Reason, ready.Message
	}
	return "", ""
}

// detach deletes the samples that have stayed, of which no operator knows any more.
func (u *user) detach(t *testing.T) {
	t.Helper()
	for _, s := range u.stay {
		ctx := context.Background() // not the test's, which has ended
		without := []byte(`{"metadata":{"finalizers":null}}`)
		_, err := s.resource.Patch(ctx, s.GetName(), types.MergePatchType, without, metav1.PatchOptions{})
		if err = errors.Join(err, s.resource.Delete(ctx, s.GetName(), metav1.DeleteOptions{})); err != nil {
			t.Error(err)
		}
	}
}
