package reconcile

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reference"
)

// annotated returns a House with an annotation.
func annotated(name, value string) *homes.House {
	h := newHouse("h", 3)
	h.Annotations = map[string]string{name: value}
	return h
}

// condition returns the message of a condition, or "" if it is not true.
func condition(o kinds.Resource, of string) string {
	if c := meta.FindStatusCondition(*kinds.ConditionsOf(o), of); c != nil {
		return c.Message
	}
	return ""
}

// TestAdopt has resources that ARM has before their objects.
func TestAdopt(t *testing.T) {
	theirs := func(t *testing.T) *world {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.SystemData: 1}})
		w.putInARM(houseID, `{"properties":{"color":"red","rooms":9}}`)
		return w
	}
	t.Run("by default nothing is sent, and the deletion of the object deletes nothing", func(t *testing.T) {
		w := theirs(t)
		w.create(newHouse("h", 3))
		w.pass(5 * time.Hour)
		w.expect("it says so", get[homes.House](w, "h"), "False AlreadyExists", "since 2026-01-01T00:00:00Z",
			"armature.dev/adopt to observe")
		if puts, gets := w.count("PUT", houseID)-1, w.count("GET", houseID); puts != 0 || gets > 7 {
			t.Errorf("ARM got %d PUTs and %d GETs in five hours", puts, gets)
		}
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		w.has("theirs", houseID, `{"color":"red","rooms":9}`)
		if get[homes.House](w, "h") != nil {
			t.Error("the object stays")
		}
	})
	t.Run("when it is gone, the object makes it", func(t *testing.T) {
		w := theirs(t)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.arm.Remove(houseID)
		w.pass(2 * time.Hour)
		w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		w.has("deleted", houseID, "")
	})
	t.Run("exact takes it over at once, and it stays when the object is deleted", func(t *testing.T) {
		w := theirs(t)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Adopt] = annotation.AdoptExact })
		w.pass(time.Minute)
		w.has("what the Spec says, and nothing else", houseID, `{"rooms":3}`)
		w.expect("it", get[homes.House](w, "h"), "True Succeeded")
		if last := fmt.Sprint(w.events.all); len(w.events.all) == 0 {
			t.Errorf("got the events %s", last)
		}
		w.start()
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		w.has("it stays", houseID, `{"rooms":3}`)
		if get[homes.House](w, "h") != nil {
			t.Error("the object stays")
		}
	})
	t.Run("adopt keeps what the Spec does not name, at each change", func(t *testing.T) {
		w := theirs(t)
		w.create(annotated(annotation.Adopt, annotation.AdoptAdopt))
		w.pass(time.Minute)
		w.has("at first", houseID, `{"color":"red","rooms":3}`)
		h := get[homes.House](w, "h")
		w.expect("it", h, "True Succeeded")
		const says = "the first PUT has changed spec.rooms, and it had none of spec.password, spec.settings, which ARM does not show"
		if got := condition(h, Adopted); got != says {
			t.Errorf("the condition says %q, want %q", got, says)
		}
		if !slices.ContainsFunc(w.events.all, func(e string) bool {
			return strings.Contains(e, "Adopted: "+houseID+" was there before the object: the first PUT has changed spec.rooms")
		}) {
			t.Errorf("got the events %q", w.events.all)
		}
		w.start()
		w.putInARM(houseID, `{"properties":{"color":"blue","rooms":3}}`)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.has("at the second change", houseID, `{"color":"blue","rooms":4}`)
		if got := condition(get[homes.House](w, "h"), Adopted); got != says {
			t.Errorf("after a restart the condition says %q, want %q", got, says)
		}
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Color = p("green") })
		w.pass(time.Minute)
		w.has("with a color", houseID, `{"color":"green","rooms":4}`)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Color = nil })
		w.pass(time.Minute)
		w.has("what the Spec has set, and no longer sets, is gone", houseID, `{"rooms":4}`)
	})
	t.Run("adopt does not lose what somebody changes between the read and the PUT", func(t *testing.T) {
		w := theirs(t)
		w.create(annotated(annotation.Adopt, annotation.AdoptAdopt))
		w.pass(time.Minute)
		changed := false
		w.replies = func(method, _ string) (int, string) {
			if method == http.MethodPut && !changed {
				changed = true
				w.arm.Put(houseID, "2020-02-02", `{"properties":{"color":"blue","rooms":3}}`)
			}
			return 0, ""
		}
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(10 * time.Minute)
		w.has("in the end", houseID, `{"color":"blue","rooms":4}`)
	})
	t.Run("adopt of what ARM does not have makes it, and deletes it with the object", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(annotated(annotation.Adopt, annotation.AdoptAdopt))
		w.pass(time.Minute)
		if got := condition(get[homes.House](w, "h"), Adopted); got != "" {
			t.Errorf("the condition says %q", got)
		}
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		w.has("deleted", houseID, "")
	})
	t.Run("what was there before its only PUT, which had no answer, is not waited for", func(t *testing.T) {
		w := theirs(t)
		w.takeOver()
		w.lost = armtest.LostAnswer
		w.create(newHouse("h", 3))
		w.pass(time.Second)
		w.start()
		w.arm.Remove(houseID)
		w.behave(armtest.Behavior{})
		w.delete(get[homes.House](w, "h"))
		w.pass(10 * time.Minute)
		if h := get[homes.House](w, "h"); h != nil {
			t.Errorf("the object stays: %s %q", ready(h), message(h))
		}
	})
	t.Run("unless its annotation says delete", func(t *testing.T) {
		w := theirs(t)
		h := annotated(annotation.Adopt, annotation.AdoptExact)
		h.Annotations[annotation.Deletion] = annotation.DeletionDelete
		w.create(h)
		w.pass(time.Minute)
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		w.has("deleted", houseID, "")
	})
	t.Run("observe reads it", func(t *testing.T) {
		w := theirs(t)
		w.create(annotated(annotation.Adopt, annotation.AdoptObserve))
		w.pass(time.Hour)
		w.expect("it", get[homes.House](w, "h"), "True Succeeded", "it is only observed")
		w.has("theirs", houseID, `{"color":"red","rooms":9}`)
	})
	t.Run("a Status or a record of another uid proves nothing", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		old := get[homes.House](w, "h")
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDetach })
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		h := newHouse("h", 4)
		h.Annotations, h.Status = map[string]string{annotation.Sent: old.Annotations[annotation.Sent]}, old.Status
		w.create(h)
		w.pass(time.Minute)
		w.expect("the restored one", get[homes.House](w, "h"), "False AlreadyExists")
		w.has("what is there", houseID, `{"rooms":3}`)
	})
	t.Run("a GET that is refused sends nothing", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.replies = func(method, _ string) (int, string) {
			if method == http.MethodGet {
				return http.StatusForbidden, "AuthorizationFailed"
			}
			return 0, ""
		}
		w.create(newHouse("h", 3))
		w.pass(3 * time.Hour)
		w.expect("it", get[homes.House](w, "h"), "False AuthorizationFailed")
		if n := w.count("PUT", ""); n != 0 {
			t.Errorf("ARM got %d PUTs", n)
		}
	})
	t.Run("what ARM makes with the owner is the object's", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		deal := houseID + "/deals/default"
		w.putInARM(deal, `{"properties":{"rooms":1,"color":"red"}}`) // which is there, and somebody changes it
		d := &homes.Deal{ObjectMeta: objectMeta("x")}
		d.Spec.Fields.Owner, d.Spec.Fields.Rooms = &reference.Owner{Name: "h"}, p(int64(2))
		w.create(d)
		w.pass(time.Minute)
		w.expect("it", get[homes.Deal](w, "x"), "True Succeeded")
		w.has("with what the Spec does not name", deal, `{"color":"red","rooms":2}`)
		if got := condition(get[homes.Deal](w, "x"), Adopted); got != "" {
			t.Errorf("got %q, want no word about adoption", got)
		}
		edit(w, "x", func(d *homes.Deal) {
			d.Annotations[annotation.Adopt], d.Spec.Fields.Rooms = annotation.AdoptExact, p(int64(3))
		})
		w.pass(time.Minute)
		w.has("exact", deal, `{"rooms":3}`)
	})
	t.Run("and what the owner has listed", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newGarden(1, "b"))
		w.pass(time.Minute)
		edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Plants = nil })
		w.create(newPlant("b", 3))
		w.pass(time.Hour)
		w.expect("it", get[homes.Plant](w, "b"), "True Succeeded")
	})
	t.Run("the namespace says the default, and an object may be stricter", func(t *testing.T) {
		w := theirs(t)
		w.takeOver()
		w.create(annotated(annotation.Adopt, annotation.AdoptObserve))
		w.pass(time.Minute)
		w.has("theirs", houseID, `{"color":"red","rooms":9}`)
		edit(w, "h", func(h *homes.House) { delete(h.Annotations, annotation.Adopt) })
		w.pass(time.Minute)
		w.has("taken over", houseID, `{"rooms":3}`)
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		w.has("deleted, as the namespace says", houseID, "")
	})
}

// TestDeletionAnnotation deletes objects whose resource is to stay, and what contains them.
func TestDeletionAnnotation(t *testing.T) {
	t.Run("what is protected stays, with its object", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(annotated(annotation.Deletion, annotation.DeletionProtect))
		w.pass(time.Minute)
		w.delete(get[homes.House](w, "h"))
		w.pass(5 * time.Hour)
		w.has("protected", houseID, `{"rooms":3}`)
		w.expect("the object", get[homes.House](w, "h"), "False Protected", "set the annotation armature.dev/deletion to delete or detach")
		if n := w.count("DELETE", ""); n != 0 {
			t.Errorf("ARM got %d DELETEs", n)
		}
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDelete })
		w.pass(time.Minute)
		w.has("afterwards", houseID, "")
	})
	t.Run("a condition says whether it stays", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		for _, row := range []struct{ adopt, deletion, want string }{
			{"", "", ""},
			{"", annotation.DeletionProtect, ReasonProtected},
			{"", annotation.DeletionDetach, ReasonDetached},
			{annotation.AdoptObserve, annotation.DeletionProtect, ReasonObserved},
			{"", "nothing", ""},
			{"", annotation.DeletionDelete, ""},
		} {
			edit(w, "h", func(h *homes.House) {
				h.Annotations = map[string]string{annotation.Sent: h.Annotations[annotation.Sent], annotation.Adopt: row.adopt,
					annotation.Deletion: row.deletion}
			})
			w.pass(time.Minute)
			w.wantStays("h", row.want)
		}
		w.delete(get[homes.House](w, "h"))
		w.putInARM(otherID, `{"properties":{"rooms":9}}`)
		o := newHouse("other", 3)
		o.Annotations = map[string]string{annotation.Adopt: annotation.AdoptExact}
		w.create(o)
		w.pass(time.Minute)
		w.wantStays("other", ReasonDetached)
	})
	for _, deletion := range []string{annotation.DeletionProtect, annotation.DeletionDetach} {
		t.Run("an owner is not deleted while it contains what is to stay: "+deletion, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.create(newHouse("h", 3))
			w.create(newDoor("d", "h"))
			l := &homes.Lock{ObjectMeta: objectMeta("l")}
			l.Spec.Fields.Owner = &reference.Owner{Name: "d"}
			l.Annotations = map[string]string{annotation.Deletion: deletion}
			w.create(l)
			w.pass(time.Minute)
			w.delete(get[homes.House](w, "h"))
			w.pass(2 * time.Hour)
			w.expect("the owner", get[homes.House](w, "h"), "False HoldsOthers", "Lock shop/l")
			if n := w.count("DELETE", ""); n != 0 {
				t.Errorf("ARM got %d DELETEs", n)
			}
			edit(w, "l", func(l *homes.Lock) { l.Annotations[annotation.Deletion] = annotation.DeletionDelete })
			w.pass(2 * time.Hour)
			w.has("in the end", houseID, "")
		})
	}
}

// otherID is the ARM id of the House other.
var otherID = strings.TrimSuffix(houseID, "/h") + "/other"

// wantStays reports if the condition that says why the resource of a House stays has another reason, "" for none.
func (w *world) wantStays(name, want string) {
	w.Helper()
	got := ""
	if c := meta.FindStatusCondition(*kinds.ConditionsOf(get[homes.House](w, name)), StaysInAzure); c != nil {
		got = c.Reason
	}
	if got != want {
		w.Errorf("%s stays because of %q, want %q", name, got, want)
	}
}

// TestLostCluster loses a cluster with all that it has stored, and applies the manifests to a new one.
func TestLostCluster(t *testing.T) {
	leaveOutCrowd(t)
	const objects = 200
	lost := newWorld(t, armtest.Behavior{})
	house := func(i int) *homes.House { return newHouse(fmt.Sprint("h", i), 3) }
	for i := range objects {
		lost.create(house(i))
	}
	lost.pass(10 * time.Minute)
	w := newWorld(t, armtest.Behavior{})
	w.arm = lost.arm
	w.now = lost.now.Add(time.Hour)
	w.behave(armtest.Behavior{})
	for i := range objects {
		w.create(house(i))
	}
	puts := w.count("PUT", "")
	w.pass(10 * time.Minute)
	w.each(func(_ *kinds.Kind, r kinds.Resource) { w.expect("without more", r, "False AlreadyExists") })
	if n := w.count("PUT", "") - puts; n != 0 {
		t.Errorf("ARM got %d PUTs without more", n)
	}
	w.takeOver()
	w.pass(2 * time.Hour)
	w.each(func(_ *kinds.Kind, r kinds.Resource) { w.expect("taken over", r, "True Succeeded") })
	for _, r := range w.arm.Requests() {
		if r.Method == http.MethodPut && string(r.Body) != `{"properties":{"rooms":3}}` {
			t.Errorf("ARM got %s", r.Body)
		}
	}
	edit(w, "h0", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
	w.pass(time.Minute)
	w.has("a later edit", group+"/providers/Contoso.Homes/houses/h0", `{"rooms":4}`)
	w.delete(get[homes.House](w, "h0"))
	w.pass(time.Minute)
	w.has("a later deletion", group+"/providers/Contoso.Homes/houses/h0", "")
}
