// Package deletion tests on an API server what may be deleted in a cluster with the policies of a group.
package deletion

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/tools/controlplane"
)

// The words in which a policy says what is protected by what, and what lifts it.
const (
	byItself    = "is protected by its annotation armature.dev/deletion: set it to detach, which lets what is in Azure stay, or to delete"
	byNamespace = "is protected by the annotation armature.dev/deletion of the namespace "
	crdSays     = "armature uninstall deletes objects first, and says what stays; to delete the CRD, set its annotation armature.dev/deletion"
)

var (
	folder     = filepath.Join("..", "..", "..", "generator", "crd", "testdata", "widgets")
	widgets    = schema.GroupVersionResource{Group: "widgets.azure.armature.dev", Version: "v20210101", Resource: "widgets"}
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
)

// stage is an API server with the CRDs of the widgets. Nothing converts: what is written at one version reads at all.
type stage struct {
	*testing.T
	plane *controlplane.ControlPlane
	crds  []*apiextensionsv1.CustomResourceDefinition
}

func newStage(t *testing.T) *stage {
	t.Helper()
	plane, err := controlplane.Start(controlplane.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	s := &stage{T: t, plane: plane}
	if s.crds, err = controlplane.ReadCRDs(folder); err != nil {
		t.Fatal(err)
	}
	if err := plane.Install(t.Context(), &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter},
		s.crds...); err != nil {
		t.Fatal(err)
	}
	return s
}

// namespace makes a namespace whose annotation has a value, "" for none.
func (s *stage) namespace(t *testing.T, name, deletion string) {
	t.Helper()
	if _, err := s.plane.Client.Resource(namespaces).Create(t.Context(), object("v1", "Namespace", name, deletion),
		metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func object(version, kind, name, deletion string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(version)
	o.SetKind(kind)
	o.SetName(name)
	if deletion != "" {
		o.SetAnnotations(map[string]string{annotation.Deletion: deletion})
	}
	return o
}

// in returns a client of the widgets in a namespace.
func (s *stage) in(namespace string) dynamic.ResourceInterface {
	return s.plane.Client.Resource(widgets).Namespace(namespace)
}

// widget makes a widget whose annotation has a value, "" for none. It stays until its finalizer is removed.
func (s *stage) widget(t *testing.T, namespace, name, deletion string) {
	t.Helper()
	o := object(widgets.GroupVersion().String(), "Widget", name, deletion)
	o.SetFinalizers([]string{annotation.ResourceFinalizer})
	o.Object["spec"] = map[string]any{"location": "here", "owner": map[string]any{"name": "all"}}
	if _, err := s.in(namespace).Create(t.Context(), o, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// say sets the annotation of an object.
func say(t *testing.T, objects dynamic.ResourceInterface, name, deletion string) {
	t.Helper()
	patch := fmt.Appendf(nil, `{"metadata": {"annotations": {%q: %q}}}`, annotation.Deletion, deletion)
	if _, err := objects.Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}

// deleted reports whether somebody has deleted an object.
func deleted(t *testing.T, objects dynamic.ResourceInterface, name string) bool {
	t.Helper()
	o, err := objects.Get(t.Context(), name, metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	return err != nil || o.GetDeletionTimestamp() != nil
}

// wantDenied reports if no policy has denied a deletion in the words that are given.
func wantDenied(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, want := range words {
		if !controlplane.IsDenied(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant that a policy denies it, with %q", err, want)
		}
	}
}

var dryRun = metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}

func TestDeletion(t *testing.T) {
	s := newStage(t)
	s.namespace(t, "open", "")
	s.namespace(t, "closed", annotation.DeletionProtect)
	s.widget(t, "open", "protected", annotation.DeletionProtect)
	s.widget(t, "open", "plain", "")
	s.widget(t, "closed", "plain", "")
	s.widget(t, "closed", "looser", annotation.DeletionDelete)
	all := s.plane.Client.Resource(namespaces)

	t.Run("without the policy everything can be deleted", func(t *testing.T) {
		for _, err := range []error{
			s.in("open").Delete(t.Context(), "protected", dryRun),
			s.in("closed").Delete(t.Context(), "plain", dryRun),
			all.Delete(t.Context(), "closed", dryRun),
			s.plane.CRDs.Delete(t.Context(), s.crds[0].Name, dryRun),
		} {
			if err != nil {
				t.Error(err)
			}
		}
	})

	if err := s.plane.InstallPolicies(t.Context(), folder, s.crds[0].Name); err != nil {
		t.Fatal(err)
	}
	await.True(t, "the policy is in force", func() bool {
		return controlplane.IsDenied(s.in("open").Delete(t.Context(), "protected", dryRun))
	})

	t.Run("an object that is protected stays, at every version", func(t *testing.T) {
		for _, v := range s.crds[1].Spec.Versions {
			if !v.Served {
				continue
			}
			at := widgets
			at.Version = v.Name
			wantDenied(t, s.plane.Client.Resource(at).Namespace("open").Delete(t.Context(), "protected", metav1.DeleteOptions{}),
				"protected "+byItself, "and delete the object then")
		}
	})

	t.Run("an object that says nothing is deleted", func(t *testing.T) {
		if err := s.in("open").Delete(t.Context(), "plain", dryRun); err != nil {
			t.Error(err)
		}
	})

	t.Run("a namespace that protects its objects stays with them, whatever they say", func(t *testing.T) {
		for _, name := range []string{"plain", "looser"} {
			wantDenied(t, s.in("closed").Delete(t.Context(), name, metav1.DeleteOptions{}), name+" "+byNamespace+"closed")
		}
		wantDenied(t, all.Delete(t.Context(), "closed", metav1.DeleteOptions{}), "closed "+byItself, "and delete the namespace then")
		if err := s.in("closed").DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); !controlplane.IsDenied(err) {
			t.Errorf("got %v", err)
		}
		if deleted(t, all, "closed") || deleted(t, s.in("closed"), "plain") || deleted(t, s.in("closed"), "looser") {
			t.Error("something was deleted")
		}
	})

	t.Run("the deletion of all objects leaves those that are protected", func(t *testing.T) {
		s.namespace(t, "mixed", "")
		s.widget(t, "mixed", "protected", annotation.DeletionProtect)
		s.widget(t, "mixed", "plain", "")
		wantDenied(t, s.in("mixed").DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}), "protected "+byItself)
		if deleted(t, s.in("mixed"), "protected") {
			t.Error("the protected object was deleted")
		}
	})

	// No controller runs here: what empties a namespace that is deleted asks to delete all of its objects, by kinds.
	t.Run("a namespace that is deleted keeps what is protected, and goes on once that is lifted", func(t *testing.T) {
		s.namespace(t, "going", "")
		s.widget(t, "going", "protected", annotation.DeletionProtect)
		if err := all.Delete(t.Context(), "going", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		empty := func() error {
			return s.in("going").DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{})
		}
		wantDenied(t, empty(), "protected "+byItself)
		if deleted(t, s.in("going"), "protected") {
			t.Error("the protected object was deleted")
		}
		say(t, s.in("going"), "protected", annotation.DeletionDetach)
		if err := empty(); err != nil || !deleted(t, s.in("going"), "protected") {
			t.Errorf("got %v, deleted: %v", err, deleted(t, s.in("going"), "protected"))
		}
	})

	t.Run("what is lifted can be deleted", func(t *testing.T) {
		for _, deletion := range []string{annotation.DeletionDelete, annotation.DeletionDetach} {
			say(t, s.in("open"), "protected", deletion)
			if err := s.in("open").Delete(t.Context(), "protected", dryRun); err != nil {
				t.Error(err)
			}
			say(t, all, "closed", deletion)
			await.Until(t, "the namespace says "+deletion, func() error {
				return s.in("closed").Delete(t.Context(), "plain", dryRun)
			})
			if err := all.Delete(t.Context(), "closed", dryRun); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestCRDs(t *testing.T) {
	s := newStage(t)
	if err := s.plane.InstallPolicies(t.Context(), folder, s.crds[0].Name); err != nil {
		t.Fatal(err)
	}
	crds := s.plane.Client.Resource(apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions"))
	name := widgets.GroupResource().String()
	await.True(t, "the policy is in force", func() bool { return controlplane.IsDenied(crds.Delete(t.Context(), name, dryRun)) })
	s.namespace(t, "open", "")
	s.widget(t, "open", "protected", annotation.DeletionProtect)

	t.Run("a CRD stays unless its annotation says that it goes", func(t *testing.T) {
		for _, said := range []string{"", annotation.DeletionDetach, annotation.DeletionProtect, "true"} {
			say(t, crds, name, said)
			wantDenied(t, crds.Delete(t.Context(), name, metav1.DeleteOptions{}), "the deletion of "+name+" deletes all", crdSays)
		}
		wantDenied(t, crds.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}), crdSays)
		if deleted(t, crds, name) || deleted(t, s.in("open"), "protected") {
			t.Error("something was deleted")
		}
	})

	t.Run("a CRD of another group goes", func(t *testing.T) {
		other := s.crds[0].DeepCopy()
		other.Name, other.Spec.Group = other.Spec.Names.Plural+".example.com", "example.com"
		if err := s.plane.Install(t.Context(), &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter},
			other); err != nil {
			t.Fatal(err)
		}
		if err := crds.Delete(t.Context(), other.Name, metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})

	// The API server deletes the objects of a CRD that goes without asking a policy: so the CRD must not go by mistake.
	t.Run("a CRD that goes takes along protected objects", func(t *testing.T) {
		say(t, crds, name, annotation.DeletionDelete)
		if err := crds.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		await.True(t, "the object is deleted", func() bool { return deleted(t, s.in("open"), "protected") })
	})
}
