package published_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
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

	index "github.com/armature-dev/armature/generator/crd"
	joined "github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// user applies the samples of groups, and an operator manages them with a stand-in for ARM
// that has the documents of all groups.
type user struct {
	scheme *runtime.Scheme
	arm    *armtest.Server
	crds   map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition
	// catalog joins the samples of all groups as a release does, and kinds has its kinds.
	catalog *joined.Catalog
	kinds   map[schema.GroupKind]joined.Kind
	stay    []sample
}

// newUser returns a user of all groups, by whose names crds are.
func newUser(t *testing.T, scheme *runtime.Scheme, crds map[string][]*apiextensionsv1.CustomResourceDefinition) *user {
	t.Helper()
	log.SetLogger(logr.Discard())
	arm, err := armtest.New(os.DirFS(os.Getenv("TEST_SRCDIR")))
	if err != nil {
		t.Fatal(err)
	}
	arm.Behave(armtest.Behavior{Rates: armtest.Rates{armtest.MissingParent: 1}})
	u := &user{scheme: scheme, arm: arm, crds: map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition{},
		kinds: map[schema.GroupKind]joined.Kind{}}
	folders := map[string]string{}
	for name, all := range crds {
		for _, crd := range all {
			u.crds[schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}] = crd
		}
		x, err := index.ReadIndex(filepath.Join(folderOf(name, "crds"), index.IndexFile))
		if err != nil {
			t.Fatal(err)
		}
		folders[x.Group] = folderOf(name, "sample")
		for _, c := range x.CRDs {
			u.kinds[schema.GroupKind{Group: x.Group, Kind: c.Kind}] = joined.Kind{Group: x.Group, Kind: c.Kind, ARMType: c.ARMType}
		}
	}
	u.catalog = joined.NewCatalog(slices.Collect(maps.Values(u.kinds)), func(k joined.Kind, version string) ([]byte, error) {
		return os.ReadFile(filepath.Join(folders[k.Group], joined.File(k.Kind, version)))
	})
	return u
}

// sample is an object of the cluster.
type sample struct {
	*unstructured.Unstructured
	resource dynamic.ResourceInterface
}

// try applies the samples of a group, with all that they are in or refer to, with strict
// validation, all at once, waits until all are ready, and deletes them. Those of the first
// group, which are the owners of others, stay. The policies of the group are in force, and
// have nothing to say about the samples. The CRDs of the group are installed.
func (u *user) try(t *testing.T, group string, own []*apiextensionsv1.CustomResourceDefinition, converter *cluster.Webhook,
	listed *exceptions) {
	t.Helper()
	client, warned := newClient(t)
	all, others := u.read(t, own, client)
	server.Install(t, converter, others...)
	t.Cleanup(func() {
		if left := server.Uninstall(t, others...); left > 0 {
			t.Errorf("%d objects were left of other groups, want none", left)
		}
	})
	var kinds []schema.GroupKind
	for _, crd := range slices.Concat(own, others) {
		kinds = append(kinds, schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind})
	}
	for _, s := range u.stay {
		kinds = append(kinds, s.GroupVersionKind().GroupKind())
	}
	t.Cleanup(server.Operate(t, u.scheme, u.arm, reconcile.Options{Kinds: kinds, Subscription: "s"}))
	samples := slices.DeleteFunc(slices.Clone(all), func(s sample) bool { return s.GetKind() == "Secret" })
	probe := slices.IndexFunc(samples, func(s sample) bool { return s.GroupVersionKind().Group == own[0].Spec.Group })
	t.Cleanup(installPolicies(t, group, samples[probe]))
	for _, s := range all {
		if _, err := s.resource.Create(t.Context(), s.Unstructured, metav1.CreateOptions{FieldValidation: "Strict"}); err != nil {
			t.Errorf("%v\n%v", err, s.Object)
		}
	}
	for _, warning := range warned.take() {
		t.Errorf("a sample makes a warning: %s", warning)
	}
	look(t, samples, listed, "became ready", func(s sample) (string, string) { return s.unready(t) })
	u.plansNothing(t, slices.Concat(u.stay, samples))
	if u.stay == nil {
		u.stay = samples
		return
	}
	// What lies on another resource goes first: of what ARM has deleted with its scope, it says no more than that there
	// is none, which the operator believes after five minutes.
	isExtension := func(s sample) bool {
		_, found, _ := unstructured.NestedString(s.Object, "spec", "owner", "kind")
		return found
	}
	for _, some := range [][]sample{
		slices.DeleteFunc(slices.Clone(all), func(s sample) bool { return !isExtension(s) }), slices.DeleteFunc(all, isExtension),
	} {
		for _, s := range some {
			if err := s.resource.Delete(t.Context(), s.GetName(), metav1.DeleteOptions{}); err != nil {
				t.Error(err)
			}
		}
		look(t, some, &exceptions{}, "was deleted", func(s sample) (string, string) {
			if _, err := s.resource.Get(t.Context(), s.GetName(), metav1.GetOptions{}); !apierrors.IsNotFound(err) {
				return "it is still there", fmt.Sprint(err)
			}
			return "", ""
		})
	}
}

// read returns the samples of the kinds of a group, with the Secrets that they need and all
// that they are in or refer to, but for what stays. others are the CRDs of other groups that
// these have.
func (u *user) read(t *testing.T, own []*apiextensionsv1.CustomResourceDefinition, client dynamic.Interface) (
	samples []sample, others []*apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	seen := map[string]*unstructured.Unstructured{}
	id := func(o *unstructured.Unstructured) string {
		return o.GroupVersionKind().GroupKind().String() + "/" + o.GetName()
	}
	for _, s := range u.stay {
		seen[id(s.Unstructured)] = s.Unstructured
	}
	for _, crd := range own {
		kind := schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
		text, err := u.catalog.Sample(u.kinds[kind], "", true)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "---\n") {
			o := object(t, document)
			if same := seen[id(o)]; same != nil {
				if diff := cmp.Diff(same.Object, o.Object); diff != "" {
					t.Errorf("the sample of %s has another %s than others:\n%s", kind, id(o), diff)
				}
				continue
			}
			seen[id(o)] = o
			gvk, plural := o.GroupVersionKind(), "secrets"
			if crd := u.crds[gvk.GroupKind()]; crd != nil {
				plural = crd.Spec.Names.Plural
				if gvk.Group != kind.Group {
					others = append(others, crd)
				}
			}
			resource := client.Resource(gvk.GroupVersion().WithResource(plural)).Namespace("default")
			samples = append(samples, sample{o, resource})
		}
	}
	return samples, others
}

// look looks until nothing is wrong with any of samples, as long as something changes. A
// sample may stay wrong if its kind, version and reason are listed; its line is then deleted.
// If only such samples are left, some looks need show no change. The test goes on in any case,
// because what is left has to be deleted before its CRDs.
func look(t *testing.T, samples []sample, listed *exceptions, what string, wrong func(sample) (reason, message string)) {
	t.Helper()
	var last []string
	const least, most = 20, 600 // looks that show the same
	for same, patience := 0, most; same < patience; same++ {
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
			same, patience = 0, least
			if slices.ContainsFunc(last, func(found string) bool { return listed.about(found) == "" }) {
				patience = most
			}
		}
		time.Sleep(100 * time.Millisecond)
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
	// What ARM makes along with an owner of the samples is theirs, without a word.
	if adopted := meta.FindStatusCondition(of.Status.Conditions, reconcile.Adopted); adopted != nil {
		return adopted.Reason, adopted.Message
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
