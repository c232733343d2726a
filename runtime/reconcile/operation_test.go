package reconcile

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestRefusedPolls lets ARM refuse polls of operations, by 401, 403, 500 and an answer without
// content.
func TestRefusedPolls(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rates := armtest.Rates{armtest.AsyncOperation: 1, armtest.RefusedPoll: 1, armtest.ShowsState: 1}
			w := newWorld(t, armtest.Behavior{Seed: seed, Rates: rates, Slowest: 5 * time.Minute})
			w.create(newHouse("h", 3))
			w.pass(30 * time.Second)
			w.expect("it is told soon", get[homes.House](w, "h"), ready(get[homes.House](w, "h")), "refuses to report")
			w.pass(time.Hour)
			w.expect("the resource tells instead", get[homes.House](w, "h"), "True Succeeded")
			if n := len(w.arm.Requests()); n > 40 {
				t.Errorf("got %d requests in an hour", n)
			}
			w.delete(get[homes.House](w, "h"))
			w.pass(20 * time.Minute)
			if h := get[homes.House](w, "h"); h != nil || len(w.arm.IDs()) != 0 {
				t.Errorf("got %v, ARM has %q", h, w.arm.IDs())
			}
		})
	}
	t.Run("if the resource cannot be read either, it is tried more and more rarely", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.RefusedPoll: 1}})
		w.down = "/houses/h"
		w.create(newHouse("h", 3))
		w.pass(time.Second)
		w.tokens = map[string]bool{}
		w.pass(3 * time.Hour)
		w.expect("refused", get[homes.House](w, "h"), "False Unauthorized")
		if n := len(w.arm.Requests()); n > 40 {
			t.Errorf("got %d requests in three hours", n)
		}
	})
}

// TestRefusal has each answer with which ARM refuses to report the progress of an operation.
func TestRefusal(t *testing.T) {
	const forbidden = `{"error":{"code":"AuthorizationFailed","message":"The client 'c' does not have authorization to perform ` +
		`action 'Contoso.Homes/locations/operationStatuses/read' over scope '/subscriptions/s'."}}`
	for _, row := range []struct {
		what            string
		answer          http.Response // with the body as Status
		reason, message string
	}{
		{"401", http.Response{StatusCode: 401}, "False Unauthorized", "credential of the operator"},
		{"403", http.Response{StatusCode: 403, Status: forbidden}, "False AuthorizationFailed",
			"'Contoso.Homes/locations/operationStatuses/read'"},
		{"500", http.Response{StatusCode: 500}, "False InternalServerError", "refuses to report"},
		{"200 without a body", http.Response{StatusCode: 200}, "False MalformedAnswer", "refuses to report"},
	} {
		t.Run(row.what, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.ShowsState: 1}})
			row.answer.Header = http.Header{}
			w.poll = &row.answer
			w.create(newHouse("h", 3))
			w.pass(30 * time.Second)
			w.expect("within one interval", get[homes.House](w, "h"), row.reason,
				"ARM is at work, and refuses to report its progress", row.message)
			edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
			w.pass(time.Second)
			w.has("a change does not wait", houseID, `{"rooms":4}`)
			w.pass(time.Hour)
			w.expect("the resource tells instead", get[homes.House](w, "h"), "True Succeeded")
			if n := len(w.arm.Requests()); n > 20 {
				t.Errorf("got %d requests in an hour", n)
			}
			w.delete(get[homes.House](w, "h"))
			w.pass(30 * time.Second)
			w.expect("a deletion says so, too", get[homes.House](w, "h"), row.reason, row.message)
			w.pass(20 * time.Minute)
			if h := get[homes.House](w, "h"); h != nil || len(w.arm.IDs()) != 0 {
				t.Errorf("got %v, ARM has %q", h, w.arm.IDs())
			}
		})
	}
}

// TestEnd has operations that end badly, or never.
func TestEnd(t *testing.T) {
	for _, how := range []armtest.Fault{armtest.AsyncOperation, armtest.LocationOperation, armtest.StateOperation} {
		t.Run(fmt.Sprint(how, ": what failed is sent again"), func(t *testing.T) {
			for seed := range uint64(4) { // of a Location, some end with the resource, others with a refusal
				w := newWorld(t, armtest.Behavior{Seed: seed, Rates: armtest.Rates{how: 1, armtest.OperationFails: 1}})
				w.create(newHouse("h", 3))
				w.pass(10 * time.Minute)
				h := get[homes.House](w, "h")
				if s := record.Of(h); ready(h) == "True Succeeded" || s.Phase == record.Accepted {
					t.Errorf("got %s with the record %+v", ready(h), s)
				}
				w.behave(armtest.Behavior{Rates: armtest.Rates{how: 1}})
				w.pass(time.Hour)
				w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
			}
		})
	}
	t.Run("what ARM does not end in a day is sent once more", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}, Slowest: 10000 * time.Hour})
		w.create(newHouse("h", 3))
		w.pass(23 * time.Hour)
		if n := w.count("PUT", ""); n != 1 {
			t.Errorf("got %d PUTs in 23 hours, want 1", n)
		}
		w.behave(armtest.Behavior{})
		w.pass(2 * time.Hour)
		w.expect("after a day", get[homes.House](w, "h"), "True Succeeded")
		if n := w.count("PUT", ""); n != 2 {
			t.Errorf("got %d PUTs, want 2", n)
		}
	})
}

// TestChangeMeanwhile changes a Spec while ARM is at work.
func TestChangeMeanwhile(t *testing.T) {
	for _, busy := range []float64{0, 1} {
		for _, how := range []armtest.Fault{armtest.AsyncOperation, armtest.LocationOperation, armtest.StateOperation} {
			t.Run(fmt.Sprint(how, ", refused while busy: ", busy == 1), func(t *testing.T) {
				w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{how: 1, armtest.Busy: busy}, Slowest: 2 * time.Hour})
				w.create(newHouse("h", 3))
				w.pass(2 * time.Second)
				w.expect("at work", get[homes.House](w, "h"), "False InProgress")
				edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
				w.pass(time.Minute)
				if busy == 0 {
					w.has("it is sent at once", houseID, `{"rooms":4}`)
				}
				w.pass(6 * time.Hour)
				w.has("in the end", houseID, `{"rooms":4}`)
				w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
				if n := w.count("PUT", ""); n > 30 {
					t.Errorf("got %d PUTs", n)
				}
			})
		}
	}
}

// TestLastingStates has a provisioningState that never becomes Succeeded.
func TestLastingStates(t *testing.T) {
	for _, how := range []armtest.Rates{{}, {armtest.AsyncOperation: 1}, {armtest.StateOperation: 1}} {
		how[armtest.LastingState], how[armtest.ShowsState] = 1, 1
		for seed := range uint64(6) {
			t.Run(fmt.Sprint(how, " seed ", seed), func(t *testing.T) {
				w := newWorld(t, armtest.Behavior{Seed: seed, Rates: how})
				w.create(newHouse("h", 3))
				w.pass(2 * time.Hour)
				w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
				before := len(w.arm.Requests())
				edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
				w.pass(time.Minute)
				w.has("a change is sent at once", houseID, `{"rooms":4}`)
				w.pass(3 * time.Hour)
				if n := len(w.arm.Requests()) - before; n > 80 {
					t.Errorf("got %d requests in three hours", n)
				}
			})
		}
	}
}

// TestBusy lets a service refuse writes with 429, which is no limit of ARM.
func TestBusy(t *testing.T) {
	t.Run("the neighbours of a busy resource do not wait", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.overloaded = "/houses/h0"
		for i := range 6 {
			w.create(newHouse(fmt.Sprint("h", i), 3))
		}
		w.pass(30 * time.Second)
		for i := range 6 {
			want := "True Succeeded"
			if i == 0 {
				want = "False RetryableError"
			}
			name := fmt.Sprint("h", i)
			w.expect("after 30 seconds", get[homes.House](w, name), want)
		}
	})
	t.Run("a busy service is asked for one resource at a time, and its other types do not wait", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h0", 3))
		w.pass(time.Minute)
		w.overloaded = "/doors/"
		for i := range 100 {
			w.create(newDoor(fmt.Sprint("d", i), "h0"))
		}
		w.pass(10 * time.Second)
		w.create(newHouse("h1", 3))
		w.pass(time.Second)
		w.expect("another type", get[homes.House](w, "h1"), "True Succeeded")
		w.pass(time.Hour)
		if w.refused > 100 {
			t.Errorf("the service was asked %d times in an hour in which it asks to wait a minute", w.refused)
		}
		w.overloaded = ""
		w.pass(time.Hour)
		for i := range 100 {
			w.expect("in the end", get[homes.Door](w, fmt.Sprint("d", i)), "True Succeeded")
		}
	})
	t.Run("a service that deletes nothing without If-Match gets it", func(t *testing.T) {
		refused := map[int]bool{} // by status
		for seed := range uint64(20) {
			w := newWorld(t, armtest.Behavior{Seed: seed, Rates: armtest.Rates{armtest.WantsIfMatch: 1}})
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			w.delete(get[homes.House](w, "h"))
			w.pass(time.Minute)
			status := 0
			for _, r := range w.arm.Requests() {
				if r.Method == http.MethodDelete {
					status = cmp.Or(status, r.Status)
				}
			}
			refused[status] = true
			if n := w.count("DELETE", houseID); n != 2 || get[homes.House](w, "h") != nil {
				t.Errorf("after %d: got %d DELETEs, want 2, and %v", status, n, get[homes.House](w, "h"))
			}
		}
		if len(refused) != 3 {
			t.Errorf("ARM has refused with %v", refused)
		}
	})
	t.Run("a service that says that it deletes, and does not, is asked less and less", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.answered = func(method, _ string) {
			if method == http.MethodDelete {
				w.putInARM(houseID, `{"properties":{"rooms":3}}`)
			}
		}
		w.delete(get[homes.House](w, "h"))
		w.pass(10 * time.Hour)
		if n := w.count("DELETE", houseID); n < 20 || n > 100 {
			t.Errorf("got %d DELETEs in ten hours", n)
		}
		w.answered = nil
		w.pass(20 * time.Minute)
		if get[homes.House](w, "h") != nil {
			t.Error("it is not gone")
		}
	})
	t.Run("an edit that cannot be sent says why while an operation goes on", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.behave(armtest.Behavior{Seed: 3, Rates: armtest.Rates{armtest.AsyncOperation: 1}, Slowest: 5 * time.Hour})
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.expect("at work", get[homes.House](w, "h"), "False InProgress")
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Password = &reference.Secret{Name: "none", Key: "k"} })
		w.pass(time.Minute)
		w.expect("edited", get[homes.House](w, "h"), "False SecretMissing", "none")
		w.pass(10 * time.Hour)
		w.has("what was sent before", houseID, `{"rooms":4}`)
		w.secret("none", map[string]string{"k": "canary"})
		w.pass(10 * time.Hour)
		w.expect("with the Secret", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("and nothing is written while it stays so", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Slowest: time.Hour, Rates: armtest.Rates{armtest.AsyncOperation: 1}})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Password = &reference.Secret{Name: "none", Key: "k"} })
		w.pass(time.Minute)
		asked, writes := w.count("GET", ""), w.writes
		w.pass(10 * time.Minute)
		if polls := w.count("GET", "") - asked; polls < 5 || w.writes != writes {
			t.Errorf("there were %d writes and %d polls", w.writes-writes, polls)
		}
	})
	t.Run("a deletion that ARM's limits hold back is sent when ARM says", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.overloaded = "/houses/h"
		w.limit = true
		w.delete(get[homes.House](w, "h"))
		w.pass(10 * time.Minute)
		if w.refused < 5 || w.refused > 11 {
			t.Errorf("got %d DELETEs in ten minutes, want about one a minute", w.refused)
		}
		w.overloaded = ""
		w.pass(2 * time.Minute)
		if h := get[homes.House](w, "h"); h != nil {
			t.Errorf("got %v", h)
		}
	})
}

// TestEvents counts the events of an object: one for each thing that a person asks about.
func TestEvents(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	events := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, e := range w.events.all {
			before, _, _ := strings.Cut(e, ":")
			got = append(got, before)
		}
		if w.events.all = nil; !slices.Equal(got, want) {
			t.Errorf("%s: got the events %q, want %q", what, got, want)
		}
	}
	w.create(newHouse("h", 3))
	w.pass(3 * time.Hour)
	events("made", "h Normal Succeeded")
	w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}})
	edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
	w.pass(time.Hour)
	events("changed", "h Normal Succeeded")
	w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.OperationFails: 1}})
	edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(5)) })
	w.pass(6 * time.Hour)
	if n := w.count("PUT", houseID); n < 10 {
		t.Errorf("got %d PUTs, want many that fail", n)
	}
	events("a change that fails again and again", "h Normal NoRoom")
	edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(6)) })
	w.pass(6 * time.Hour)
	events("another one", "h Normal NoRoom")
	w.behave(armtest.Behavior{})
	w.pass(time.Hour)
	events("which succeeds", "h Normal Succeeded")
	w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Transient409: 1}})
	w.delete(get[homes.House](w, "h"))
	w.pass(6 * time.Hour)
	if n := len(w.events.all); n == 0 || n > 3 { // a reason each, of the three that ARM gives
		t.Errorf("a deletion that is refused: got the events %q", w.events.all)
	}
}

// TestOwnerReference checks that an object which is not sent gets the reference to its owner.
func TestOwnerReference(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.takeOver()
	w.create(newHouse("h", 3))
	w.create(newDoor("d", "h"))
	w.pass(time.Minute)
	owners := func(what string) {
		t.Helper()
		d, h := get[homes.Door](w, "d"), get[homes.House](w, "h")
		if !slices.ContainsFunc(d.OwnerReferences, func(o metav1.OwnerReference) bool { return o.UID == h.UID }) {
			t.Errorf("%s: the owners are %v, want %s among them", what, d.OwnerReferences, h.UID)
		}
	}
	owners("sent")
	edit(w, "d", func(d *homes.Door) { d.OwnerReferences = nil })
	w.pass(2 * time.Hour)
	owners("somebody took it away")
	edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDetach })
	w.delete(get[homes.House](w, "h"))
	w.pass(time.Minute)
	w.create(newHouse("h", 3))
	w.pass(2 * time.Hour)
	owners("another object for the same resource")
	if n := w.count("PUT", doorID); n != 1 {
		t.Errorf("got %d PUTs of the door, want 1", n)
	}
}

// TestManyDeletions deletes a thousand objects at once, of which those of one type cannot go.
func TestManyDeletions(t *testing.T) {
	leaveOutCrowd(t)
	const houses, streets, marks = 450, 450, 100
	w := newWorld(t, armtest.Behavior{})
	var all []ctrlclient.Object
	for i := range houses {
		all = append(all, newHouse(fmt.Sprint("h", i), 3))
	}
	for i := range streets {
		s := &homes.Street{ObjectMeta: objectMeta(fmt.Sprint("s", i))}
		s.Spec.Fields.Owner = &reference.Owner{ARMID: group}
		all = append(all, s)
	}
	for i := range marks {
		m := &homes.Mark{ObjectMeta: objectMeta(fmt.Sprint("m", i))}
		m.Spec.Fields.Owner = &reference.AnyOwner{ARMID: group}
		all = append(all, m)
	}
	for _, o := range all {
		w.create(o)
	}
	w.pass(30 * time.Minute)
	w.overloaded = "/marks/" // which refuses to be written
	lock := w.kind("Lock")
	no := func() bool { return false }
	lock.SetSynced(no) // and a CRD is broken
	reads, writes, asked := w.reads, w.writes, len(w.arm.Requests())
	for _, o := range all {
		w.delete(o)
	}
	w.pass(30 * time.Minute)
	reads, writes, asked = w.reads-reads, w.writes-writes, len(w.arm.Requests())-asked
	left := 0
	w.each(func(k *kinds.Kind, r kinds.Resource) {
		if left++; k.Kind != "Mark" {
			w.expect("it stays", r, "gone")
		}
	})
	if left != marks {
		t.Errorf("%d are left, want the %d of the sick type", left, marks)
	}
	// Each of them gets a DELETE and a read; the others wait while one at a time is tried.
	if healthy := houses + streets; asked > 2*healthy+10 || w.refused > 40 {
		t.Errorf("ARM got %d requests for %d deletions, and the sick type %d", asked, healthy, w.refused)
	}
	if total := reads + writes; total > 6*len(all) {
		t.Errorf("the API server got %d reads and %d writes for %d deletions", reads, writes, len(all))
	}
	t.Logf("ARM got %d requests, and %d that it refused; the API server %d reads and %d writes", asked, w.refused, reads, writes)
	w.overloaded = ""
	w.pass(30 * time.Minute)
	if n := len(w.arm.IDs()); n != 0 {
		t.Errorf("ARM has %d resources in the end", n)
	}
}
