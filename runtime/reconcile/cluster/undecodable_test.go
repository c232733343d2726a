package cluster

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// stored returns the objects of a kind as they are stored.
func (s *stage) stored(kind string) dynamic.ResourceInterface {
	return s.plane.Client.Resource(schema.GroupVersionResource{Group: homes.Group, Version: homes.V2020 + "storage",
		Resource: strings.ToLower(kind) + "s"}).Namespace("default")
}

// byHand makes an object as it is stored, with a location.
func (s *stage) byHand(t *testing.T, kind, name string, location any) {
	t.Helper()
	_, err := s.stored(kind).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": homes.Group + "/" + homes.V2020 + "storage", "kind": kind, "metadata": map[string]any{"name": name},
		"spec": map[string]any{"fields": map[string]any{"location": location, "owner": map[string]any{"armId": group}}},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// setLocation sets the location of an object as it is stored.
func (s *stage) setLocation(t *testing.T, kind, name, location string) {
	t.Helper()
	_, err := s.stored(kind).Patch(t.Context(), name, types.MergePatchType,
		[]byte(`{"spec":{"fields":{"location":`+location+`}}}`), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// readyOf returns the condition Ready of an object as "False Reason: message".
func (s *stage) readyOf(t *testing.T, kind, name string) string {
	o, err := s.stored(kind).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		return err.Error()
	}
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, c := range conditions {
		if c := c.(map[string]any); c["type"] == reconcile.Ready {
			return fmt.Sprintf("%s %s: %s", c["status"], c["reason"], c["message"])
		}
	}
	return "none"
}

// shows waits for the condition Ready of an object.
func (s *stage) shows(t *testing.T, kind, name, want string) {
	t.Helper()
	await.Until(t, name+" shows "+want, func() error {
		if got := s.readyOf(t, kind, name); !strings.HasPrefix(got, want) {
			return errors.New(got)
		}
		return nil
	})
}

// TestUndecodable has objects that somebody has written at the storage version by hand, none of which is of its kind.
func TestUndecodable(t *testing.T) {
	t.Parallel()
	const (
		ready = "True Succeeded"
		why   = "False Undecodable: spec.fields.location: found number, expected string"
	)
	s := newStage(t)
	s.role.Namespace = "default"
	house := func(t *testing.T, name, azureName string) {
		t.Helper()
		h := &homes.House{ObjectMeta: named(name)}
		h.Spec.Fields.Owner, h.Spec.Fields.AzureName = &reference.Owner{ARMID: group}, &azureName
		if err := s.Create(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	street := func(t *testing.T, name string) {
		t.Helper()
		o := &homes.Street{ObjectMeta: named(name)}
		o.Spec.Fields.Owner = &reference.Owner{ARMID: group}
		if err := s.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	s.byHand(t, "House", "before", 3)
	house(t, "first", "first")
	p := s.run()
	t.Run("one that is there at the start holds up no other", func(t *testing.T) {
		s.shows(t, "House", "first", ready)
	})
	t.Run("it has a condition, a metric and an event that say which value", func(t *testing.T) {
		s.shows(t, "House", "before", why)
		const metric = `armature_objects{group="homes.example.com",kind="House",reason="Undecodable",state="stalled"} 1`
		if err := p.hasMetric(metric); err != nil {
			t.Error(err)
		}
		await.Until(t, "there is an event", func() error {
			var all corev1.EventList
			if err := s.List(t.Context(), &all, client.InNamespace("default")); err != nil {
				return err
			}
			for _, e := range all.Items {
				if e.InvolvedObject.Name == "before" && e.Type == corev1.EventTypeWarning && e.Reason == reconcile.ReasonUndecodable &&
					strings.Contains(e.Message, "spec.fields.location") {
					return nil
				}
			}
			return fmt.Errorf("there are %d others", len(all.Items))
		})
		if status, text := p.asked(p.health + "/readyz"); status != http.StatusOK {
			t.Errorf("/readyz: %d %s", status, text)
		}
	})
	t.Run("one that comes later holds up no other", func(t *testing.T) {
		house(t, "second", "second")
		s.shows(t, "House", "second", ready)
		s.byHand(t, "House", "later", []any{"x"})
		s.shows(t, "House", "later", "False Undecodable: spec.fields.location: found array, expected string")
		house(t, "third", "third")
		s.shows(t, "House", "third", ready)
	})
	t.Run("nor does one that is the first of its kind", func(t *testing.T) {
		street(t, "one")
		s.shows(t, "Street", "one", ready)
		s.byHand(t, "Street", "first", 3)
		s.shows(t, "Street", "first", why)
		street(t, "two")
		s.shows(t, "Street", "two", ready)
	})
	t.Run("one that is changed so keeps its Status and what it has in Azure", func(t *testing.T) {
		s.setLocation(t, "House", "first", "3")
		s.shows(t, "House", "first", why)
		house(t, "other", "first")
		s.shows(t, "House", "other", "False ClaimedByAnother")
		o, err := s.stored("House").Get(t.Context(), "first", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		location, _, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "fields", "location")
		id, _, _ := unstructured.NestedString(o.Object, "status", "id")
		if location != int64(3) || id != group+"/providers/Contoso.Homes/houses/first" || o.GetAnnotations()[annotation.Sent] == "" {
			t.Errorf("got %v", o.Object)
		}
		if _, found := s.arm.Resource(id); !found {
			t.Errorf("ARM has %q", s.arm.IDs())
		}
	})
	t.Run("they are reconciled when they are corrected", func(t *testing.T) {
		for _, name := range []string{"before", "later", "first"} {
			s.setLocation(t, "House", name, `"here"`)
			s.shows(t, "House", name, ready)
			if body, _ := s.arm.Resource(group + "/providers/Contoso.Homes/houses/" + name); !strings.Contains(string(body), `"here"`) {
				t.Errorf("ARM has %s", body)
			}
		}
	})
}
