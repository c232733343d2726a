package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
	"github.com/armature-dev/armature/runtime/reference"
)

// setNamespace makes or changes the namespace of the objects.
func (w *world) setNamespace(change func(*corev1.Namespace)) {
	w.Helper()
	n := &corev1.Namespace{}
	name := types.NamespacedName{Name: namespace}
	if err := w.store.Get(context.Background(), name, n); err != nil {
		n = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
		w.create(n)
	}
	change(n)
	if err := w.store.Update(context.Background(), n); err != nil {
		w.Fatalf("%v", err)
	}
}

// limitTo limits the namespace to scopes, or no longer if there are none.
func (w *world) limitTo(scopes ...string) {
	w.Helper()
	w.setNamespace(func(n *corev1.Namespace) {
		n.Annotations = nil
		if len(scopes) > 0 {
			n.Annotations = map[string]string{annotation.Scopes: strings.Join(scopes, ",")}
		}
	})
}

// TestScopes limits a namespace to subscriptions and resource groups.
func TestScopes(t *testing.T) {
	const elsewhere = "/subscriptions/s/resourceGroups/g2"
	t.Run("no request leaves the scopes, and the condition names both", func(t *testing.T) {
		for _, row := range []struct {
			reason string
			scopes []string
			ok     bool
		}{
			{"the group", []string{group}, true},
			{"the subscription, in another case", []string{"/SUBSCRIPTIONS/S"}, true},
			{"one of several", []string{elsewhere, strings.ToUpper(group)}, true},
			{"another group, whose name begins with the same text", []string{elsewhere}, false},
			{"a group that the name of the right one begins with", []string{strings.TrimSuffix(group, "g")}, false},
			{"another subscription", []string{"/subscriptions/s2"}, false},
		} {
			w := newWorld(t, armtest.Behavior{})
			w.limitTo(row.scopes...)
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			h := get[homes.House](w, "h")
			if n := len(w.arm.Requests()); row.ok != (ready(h) == "True Succeeded") || !row.ok && n > 0 {
				t.Errorf("%s: got %s, and %d requests", row.reason, ready(h), n)
			}
			if !row.ok && ready(h) == "False OutsideScopes" && !strings.Contains(message(h), row.scopes[0]) {
				t.Errorf("%s: got the message %q", row.reason, message(h))
			}
		}
	})
	t.Run("an annotation that is malformed allows nothing", func(t *testing.T) {
		for _, text := range []string{"", " ", "*", "subscriptions/s", group + ", all", "/subscriptions/s/resourceGroups/g/"} {
			w := newWorld(t, armtest.Behavior{})
			w.limitTo(text)
			w.create(newHouse("h", 3))
			w.pass(2 * time.Hour)
			w.expect(text, get[homes.House](w, "h"), "False ScopesInvalid", annotation.Scopes, "allows nothing")
			if n := len(w.arm.Requests()); n > 0 {
				t.Errorf("%q: ARM got %d requests", text, n)
			}
		}
	})
	t.Run("a reference leads to nothing outside", func(t *testing.T) {
		for _, by := range []string{"an id", "a name"} {
			w := newWorld(t, armtest.Behavior{})
			street := &homes.Street{ObjectMeta: objectMeta("s")}
			street.Spec.Fields.Owner = &reference.Owner{ARMID: elsewhere}
			w.create(street)
			w.pass(time.Minute)
			h := newHouse("h", 3)
			h.Spec.Fields.StreetReference = &reference.Resource{ARMID: elsewhere + "/providers/Contoso.Homes/streets/s"}
			if by == "a name" {
				h.Spec.Fields.StreetReference = &reference.Resource{Group: homes.Group, Kind: "Street", Name: "s"}
			}
			w.limitTo(group)
			w.create(h)
			w.pass(time.Minute)
			w.expect(by, get[homes.House](w, "h"), "False OutsideScopes", elsewhere, "in properties.streetId")
			w.expect("the street itself", get[homes.Street](w, "s"), "False OutsideScopes")
			if n := w.count("PUT", houseID); n > 0 {
				t.Errorf("%s: the house was sent", by)
			}
		}
	})
	// What is under way when the scopes change: a PUT's operation, a DELETE, a refresh, an
	// action for outputs.
	t.Run("a change of the annotation takes effect at once, for what is under way too", func(t *testing.T) {
		for _, behavior := range []armtest.Behavior{{}, {Rates: armtest.Rates{armtest.AsyncOperation: 1}}} {
			for _, adopt := range []string{annotation.AdoptCreate, annotation.AdoptObserve} {
				for _, deleted := range []bool{false, true} {
					what := fmt.Sprintf("%v %s deleted %v", len(behavior.Rates) > 0, adopt, deleted)
					w := newWorld(t, behavior)
					w.limitTo(group)
					for i := range 3 {
						w.create(newHouse(fmt.Sprintf("h%d", i), 3))
					}
					w.pass(time.Second) // with operations none is ready yet
					for i := range 3 {
						edit(w, fmt.Sprintf("h%d", i), func(h *homes.House) {
							h.Annotations[annotation.Adopt] = adopt
						})
						if deleted {
							w.delete(get[homes.House](w, fmt.Sprintf("h%d", i)))
						}
					}
					w.limitTo(elsewhere)
					before := len(w.arm.Requests())
					w.pass(3 * time.Hour)
					if after := len(w.arm.Requests()); after != before {
						t.Errorf("%s: ARM got %d requests outside of the scopes", what, after-before)
					}
					for i := range 3 {
						if h := get[homes.House](w, fmt.Sprintf("h%d", i)); h != nil {
							w.expect(what, h, "False OutsideScopes")
						} else if adopt != annotation.AdoptObserve {
							t.Errorf("%s: h%d is gone, and its resource is not", what, i)
						}
					}
					w.limitTo(group)
					w.pass(10 * time.Minute)
					for i := range 3 {
						h := get[homes.House](w, fmt.Sprintf("h%d", i))
						if deleted != (h == nil) {
							t.Errorf("%s: allowed again, got %v", what, h)
						} else if h != nil {
							w.expect(what+": allowed again", h, "True Succeeded")
						}
					}
					if deleted && adopt == annotation.AdoptCreate && len(w.arm.IDs()) > 0 {
						t.Errorf("%s: ARM has %q", what, w.arm.IDs())
					}
				}
			}
		}
	})
	t.Run("outside of the scopes an object is still let go", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.limitTo(elsewhere)
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDetach })
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		if get[homes.House](w, "h") != nil || w.count("DELETE", "") > 0 {
			t.Errorf("got %v", get[homes.House](w, "h"))
		}
	})
	t.Run("without it the namespace is not limited, and other namespaces are not", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.limitTo(elsewhere)
		h := newHouse("h", 3)
		h.Namespace = "other"
		w.create(h)
		w.pass(time.Minute)
		w.expect("another one", getIn[homes.House](w, types.NamespacedName{Namespace: "other", Name: "h"}), "True Succeeded")
		w.limitTo()
		i := newHouse("i", 3)
		w.create(i)
		w.pass(time.Minute)
		w.expect("no longer", get[homes.House](w, "i"), "True Succeeded")
	})
	t.Run("before a namespace is known nothing is sent, and without a right the condition says so", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		known, unknown := w.op.cluster.Namespaces.Get, wiring.ErrUnknownNamespace
		w.op.cluster.Namespaces.Get = func(string) (metav1.Object, error) { return nil, unknown }
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		if h := get[homes.House](w, "h"); ready(h) != "none" || len(w.arm.Requests()) > 0 {
			t.Errorf("got %s, and %d requests", ready(h), len(w.arm.Requests()))
		}
		unknown = wiring.NamespaceForbidden(namespace)
		w.pass(time.Minute)
		w.expect("forbidden", get[homes.House](w, "h"), "False NamespaceForbidden", "get, list and watch namespaces")
		w.op.cluster.Namespaces.Get = known
		w.pass(2 * time.Minute)
		w.expect("permitted", get[homes.House](w, "h"), "True Succeeded")
	})
}

// TestPermit checks that no request of the client leaves the scopes, whoever sends it.
func TestPermit(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.limitTo("/subscriptions/s/resourceGroups/other")
	c, err := newClient(w.op.options, &w.op.cluster, w.op.metrics, w.op.tracer, token("t"), nil)
	if err != nil {
		t.Fatal(err)
	}
	request := clientRequest(houseID)
	request.Tenant, request.Body = namespace, []byte("{}")
	var refused []string
	for method, send := range map[string]func() error{
		"PUT":    func() error { _, err := c.Put(t.Context(), request); return err },
		"GET":    func() error { _, err := c.Get(t.Context(), request); return err },
		"HEAD":   func() error { return c.Head(t.Context(), request) },
		"DELETE": func() error { _, err := c.Delete(t.Context(), request); return err },
		"POST":   func() error { _, err := c.Post(t.Context(), request); return err },
	} {
		if p, ok := problem.Of(send()); ok && p.Reason == ReasonOutsideScopes {
			refused = append(refused, method)
		}
	}
	slices.Sort(refused)
	if got := strings.Join(refused, " "); got != "DELETE GET HEAD POST PUT" || len(w.arm.Requests()) > 0 {
		t.Errorf("refused %s, ARM got %d requests", got, len(w.arm.Requests()))
	}
	w.limitTo()
	w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}})
	request.Body = []byte(`{"properties":{"rooms":3}}`)
	answer, err := c.Put(t.Context(), request)
	if err != nil || answer.Operation == nil {
		t.Fatalf("got %v, %v", answer, err)
	}
	w.limitTo("/subscriptions/s/resourceGroups/other")
	before := len(w.arm.Requests())
	_, err = c.Poll(t.Context(), answer.Operation)
	if p, ok := problem.Of(err); !ok || p.Reason != ReasonOutsideScopes || len(w.arm.Requests()) > before {
		t.Errorf("a poll: got %v", err)
	}
}
