package reconcile

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reference"
)

const managementGroup = "/providers/Microsoft.Management/managementGroups/m"

// TestPlaces creates, changes and deletes resources at each place where one can be, in
// namespaces that may use the place and in namespaces that may not.
func TestPlaces(t *testing.T) {
	mark := func(owner reference.AnyOwner) kinds.Resource {
		m := &homes.Mark{ObjectMeta: objectMeta("x")}
		m.Spec.Fields.Owner = &owner
		return m
	}
	setRooms := func(r kinds.Resource, n int64) {
		fieldsOfAny(r, func(_ **string, rooms **int64, _ **reference.Secret, _ **reference.Resource, _ **string, _ *string) {
			*rooms = &n
		})
	}
	const ofMark = "/providers/Contoso.Homes/marks/x"
	for _, row := range []struct {
		place  string
		object kinds.Resource
		id     string
		scope  string // that permits it
	}{
		{"the tenant, of what is nowhere else", &homes.Treaty{ObjectMeta: objectMeta("x")},
			"/providers/Contoso.Homes/treaties/x", "/providers/Contoso.Homes/treaties"},
		{"the tenant, of an extension", mark(reference.AnyOwner{ARMID: "/"}), ofMark, "/providers/Contoso.Homes/marks/x"},
		{"a management group", mark(reference.AnyOwner{ARMID: managementGroup}), managementGroup + ofMark, managementGroup},
		{"a subscription", mark(reference.AnyOwner{ARMID: "/subscriptions/s"}), "/subscriptions/s" + ofMark, "/subscriptions/s"},
		{"a resource group", mark(reference.AnyOwner{ARMID: group}), group + ofMark, group},
		{"a resource, by its id", mark(reference.AnyOwner{ARMID: houseID}), houseID + ofMark, group},
		{"a resource, by the name of its object", mark(reference.AnyOwner{Group: homes.Group, Kind: "House", Name: "h"}),
			houseID + ofMark, group},
		{"an extension of a management group", mark(reference.AnyOwner{ARMID: managementGroup + "/providers/Contoso.Homes/marks/y"}),
			managementGroup + "/providers/Contoso.Homes/marks/y" + ofMark, managementGroup},
	} {
		t.Run(row.place, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 0.5}, Seed: 7})
			w.limitTo("/subscriptions/other", "/providers/Contoso.Homes/treaties/y", managementGroup+"2")
			w.create(newHouse("h", 3))
			setRooms(row.object, 1)
			w.create(row.object)
			now := func() kinds.Resource {
				x, _ := w.look(w.store, row.object).(kinds.Resource)
				return x
			}
			w.pass(time.Minute)
			if n := len(w.arm.Requests()); n > 0 {
				t.Errorf("ARM got %d requests from where nothing is permitted", n)
			}
			w.limitTo(group, row.scope)
			w.pass(10 * time.Minute)
			w.expect("made", now(), "True Succeeded")
			w.has("made", row.id, `{"rooms":1}`)

			changed := now()
			setRooms(changed, 2)
			changed.SetGeneration(changed.GetGeneration() + 1)
			if err := w.store.Update(t.Context(), changed); err != nil {
				t.Fatal(err)
			}
			w.pass(10 * time.Minute)
			w.expect("changed", now(), "True Succeeded")
			w.has("changed", row.id, `{"rooms":2}`)
			if n := w.count("PUT", row.id); n != 2 {
				t.Errorf("got %d PUTs, want 2", n)
			}

			w.delete(now())
			w.pass(10 * time.Minute)
			if x := now(); x != nil {
				t.Errorf("it is still there: %s %s", ready(x), message(x))
			}
			w.has("deleted", row.id, "")
			for _, r := range w.arm.Requests() {
				if !strings.EqualFold(r.ID, row.id) && !strings.HasPrefix(r.ID, houseID) && !strings.Contains(r.ID, "/operations/") {
					t.Errorf("ARM got a %s of %s", r.Method, r.ID)
				}
			}
		})
	}
}

// TestLocked locks a resource in ARM: its deletion is refused, reported, and done once the lock is removed.
func TestLocked(t *testing.T) {
	lock := func(w *world, method, level string) {
		t.Helper()
		url := armtest.Endpoint + houseID + "/providers/Microsoft.Authorization/locks/l?api-version=2020-02-02"
		request, err := http.NewRequest(method, url, strings.NewReader(`{"properties": {"level": "`+level+`"}}`))
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := w.arm.Do(request); err != nil || answer.StatusCode > 299 {
			t.Fatalf("%s of a lock: %v, %v", method, answer, err)
		}
	}
	t.Run("it is deleted once the lock is gone", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 1))
		w.pass(time.Minute)
		lock(w, http.MethodPut, "CanNotDelete")
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(2)) })
		w.pass(time.Minute)
		w.expect("changed", get[homes.House](w, "h"), "True Succeeded")
		w.delete(get[homes.House](w, "h"))
		w.pass(12 * time.Hour)
		h := get[homes.House](w, "h")
		w.expect("locked", h, "False ScopeLocked", "remove the lock")
		if !meta.IsStatusConditionTrue(h.Status.Conditions, DeletionRefused) {
			t.Errorf("got %v", h.Status.Conditions)
		}
		if n := w.count("DELETE", houseID); n > 80 {
			t.Errorf("got %d DELETEs in twelve hours", n)
		}
		lock(w, http.MethodDelete, "")
		w.pass(time.Hour)
		if h := get[homes.House](w, "h"); h != nil {
			t.Errorf("it is still there: %s", message(h))
		}
		w.has("deleted", houseID, "")
	})
	t.Run("it is changed once nothing says ReadOnly", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 1))
		w.pass(time.Minute)
		lock(w, http.MethodPut, "ReadOnly")
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(2)) })
		w.pass(12 * time.Hour)
		w.expect("locked", get[homes.House](w, "h"), "False ScopeLocked", "remove the lock")
		if n := w.count("PUT", houseID); n > 80 {
			t.Errorf("got %d PUTs in twelve hours", n)
		}
		lock(w, http.MethodDelete, "")
		w.pass(time.Hour)
		w.expect("changed", get[homes.House](w, "h"), "True Succeeded")
		w.has("changed", houseID, `{"rooms":2}`)
	})
}
