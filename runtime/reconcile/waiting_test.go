package reconcile

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
	"github.com/armature-dev/armature/runtime/reference"
)

func (w *world) kind(name string) *kinds.Kind {
	return w.op.kinds.ByName[schema.GroupKind{Group: homes.Group, Kind: name}]
}

// TestUnserved checks what happens to other kinds while the cluster does not serve
// one.
func TestUnserved(t *testing.T) {
	t.Run("whose owner is of such a kind waits", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.kind("House").SetAvailability(kinds.Absent)
		w.create(newDoor("d", "h"))
		w.pass(time.Minute)
		w.expect("waits", get[homes.Door](w, "d"), "False WaitingForOwner",
			"the cluster does not serve homes.example.com/v20200202storage, Kind=House")
		w.kind("House").SetAvailability(kinds.Available)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.expect("made", get[homes.Door](w, "d"), "True Succeeded")
	})
	t.Run("nothing is done before the instance that leads has looked", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.op.kinds.SetDiscovered(false)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		if n := len(w.arm.Requests()); n != 0 {
			t.Errorf("ARM got %d requests", n)
		}
		w.op.kinds.SetDiscovered(true)
		w.pass(time.Minute)
		w.expect("made", get[homes.House](w, "h"), "True Succeeded")
	})
	for _, test := range []struct {
		kept bool
		kinds.Availability
	}{{false, kinds.Absent}, {true, kinds.Unreadable}} {
		t.Run("a credential is kept as long as there may be objects that use it", func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.secret(CredentialSecret, map[string]string{ClientSecretKey: "theirs"})
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			w.kind("Deal").SetAvailability(test.Availability)
			w.delete(get[homes.House](w, "h"))
			w.pass(time.Minute)
			if kept := w.isHeld(CredentialSecret); kept != test.kept {
				t.Errorf("kept is %v, want %v", kept, test.kept)
			}
			if get[homes.House](w, "h") != nil {
				t.Error("the house waits for an unrelated kind")
			}
			w.kind("Deal").SetAvailability(kinds.Available)
			w.pass(time.Minute)
			if w.isHeld(CredentialSecret) {
				t.Error("the credential is kept for nobody")
			}
		})
	}
	t.Run("an object whose resource stays waits only for kinds that may belong to it", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		detach := map[string]string{annotation.Deletion: annotation.DeletionDetach}
		h, s := newHouse("h", 3), &homes.Street{ObjectMeta: objectMeta("s")}
		s.Spec.Fields.Owner = &reference.Owner{ARMID: group}
		h.Annotations, s.Annotations = detach, detach
		w.create(h)
		w.create(s)
		w.pass(time.Minute)
		w.kind("Deal").SetAvailability(kinds.Unreadable) // which lies in a house
		w.delete(h)
		w.delete(s)
		w.pass(time.Minute)
		if get[homes.Street](w, "s") != nil {
			t.Error("the street is still there")
		}
		w.expect("the house", get[homes.House](w, "h"), "False VersionNotServed", "Kind=Deal")
	})
}

// isHeld reports whether a Secret has the finalizer of credentials.
func (w *world) isHeld(name string) bool {
	s := get[corev1.Secret](w, name)
	return s != nil && slices.Contains(s.Finalizers, annotation.CredentialFinalizer)
}

// counting counts the lists from the API server.
type counting struct {
	ctrlclient.Reader
	lists *int
}

func (c counting) List(ctx context.Context, into ctrlclient.ObjectList, options ...ctrlclient.ListOption) error {
	*c.lists++
	return c.Reader.List(ctx, into, options...)
}

// TestDeletions counts the lists that deletions cost.
func TestDeletions(t *testing.T) {
	const n = 20
	for _, row := range []struct {
		what     string
		deletion string
		secret   bool
		sent     bool
		lists    int
	}{
		{"with the operator's credential", annotation.DeletionDelete, false, true, 0},
		{"whose resources stay", annotation.DeletionDetach, false, true, 0},
		{"of what never was sent", annotation.DeletionDelete, false, false, 0},
		{"with a Secret, by the last of which it goes", annotation.DeletionDelete, true, true,
			len(newWorld(t, armtest.Behavior{}).op.kinds.All)},
	} {
		t.Run(row.what, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			if row.secret {
				w.secret(CredentialSecret, map[string]string{ClientSecretKey: "theirs"})
			}
			for i := range n {
				h := newHouse(fmt.Sprintf("h%d", i), 3)
				h.Annotations = map[string]string{annotation.Deletion: row.deletion}
				if !row.sent {
					h.Spec.Fields.Owner = &reference.Owner{Name: "none"}
					h.Finalizers = []string{annotation.ResourceFinalizer}
				}
				w.create(h)
			}
			w.pass(time.Minute)
			lists := 0
			w.live = counting{w.live, &lists}
			for i := range n {
				w.delete(get[homes.House](w, fmt.Sprintf("h%d", i)))
			}
			w.pass(10 * time.Minute)
			for i := range n {
				if get[homes.House](w, fmt.Sprintf("h%d", i)) != nil {
					t.Fatalf("h%d is still there", i)
				}
			}
			if lists > row.lists {
				t.Errorf("%d deletions cost %d lists, want at most %d", n, lists, row.lists)
			}
			if w.isHeld(CredentialSecret) {
				t.Error("the credential is kept for nobody")
			}
		})
	}
	t.Run("an object whose finalizer somebody takes away lets its credential go", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret(CredentialSecret, map[string]string{ClientSecretKey: "theirs"})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		if !w.isHeld(CredentialSecret) {
			t.Fatal("the credential is not kept")
		}
		h := get[homes.House](w, "h")
		h.Finalizers = nil
		if err := w.store.Update(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		w.delete(h)
		w.pass(time.Minute)
		if w.isHeld(CredentialSecret) {
			t.Error("the credential is kept for nobody")
		}
	})
}

// TestRelease checks what an operator does with objects that an operator of another release,
// or its users, have written.
func TestRelease(t *testing.T) {
	for _, adopt := range []string{annotation.AdoptCreate, annotation.AdoptObserve} {
		t.Run("a reference to an owner names the version of this release, though nothing is sent", func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.create(newHouse("h", 3))
			w.create(newDoor("d", "h"))
			w.pass(time.Minute)
			edit(w, "d", func(d *homes.Door) {
				d.OwnerReferences[0].APIVersion = homes.Group + "/" + homes.V2019
				d.Annotations[annotation.Adopt] = adopt
			})
			w.start()
			w.pass(time.Minute)
			if o := get[homes.Door](w, "d").OwnerReferences; len(o) != 1 || o[0].APIVersion != homes.Group+"/"+homes.V2020 {
				t.Errorf("got the owners %v", o)
			}
			if n := w.count("PUT", ""); n != 2 {
				t.Errorf("got %d PUTs, want 2", n)
			}
		})
	}
	t.Run("what is written for a version that only a newer release has waits for it", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := newHouse("h", 3)
		h.Spec.OriginalVersion = "v20210303"
		w.create(h)
		w.pass(time.Minute)
		w.expect("waits", get[homes.House](w, "h"), "False VersionNotServed", "the object is written for v20210303",
			"install the operator of the same release")
		edit(w, "h", func(h *homes.House) { h.Annotations = map[string]string{annotation.APIVersion: homes.V2019} })
		w.pass(time.Minute)
		w.expect("sent by hand", get[homes.House](w, "h"), "True Succeeded")
		edit(w, "h", func(h *homes.House) {
			delete(h.Annotations, annotation.APIVersion)
			h.Spec.Fields.Rooms = p(int64(4))
		})
		w.pass(time.Minute)
		w.has("nothing more is sent", houseID, `{"rooms":3}`)
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		if get[homes.House](w, "h") != nil || len(w.arm.IDs()) > 0 {
			t.Errorf("the house is still there, and in ARM %q", w.arm.IDs())
		}
	})
}

// without answers as an API server that no longer serves a kind.
type without struct {
	ctrlclient.Reader
	*world
	list string
}

func (w without) List(ctx context.Context, into ctrlclient.ObjectList, options ...ctrlclient.ListOption) error {
	if w.kindOf(into) == w.list {
		return apierrors.NewNotFound(schema.GroupResource{}, "")
	}
	return w.Reader.List(ctx, into, options...)
}

// TestLost checks that a kind whose CRD goes away does not keep objects of other
// kinds from being deleted.
func TestLost(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.secret(CredentialSecret, map[string]string{ClientSecretKey: "theirs"})
	w.create(newHouse("h", 3))
	w.pass(time.Minute)
	w.live = without{w.live, w, "DealList"}
	w.delete(get[homes.House](w, "h"))
	w.pass(time.Second)
	if get[homes.House](w, "h") != nil || !w.isHeld(CredentialSecret) {
		t.Error("the house is still there, or its credential, which a deal may need, is not")
	}
	deal := w.kind("Deal")
	if len(w.op.kinds.Lost) != 1 || <-w.op.kinds.Lost != deal {
		t.Fatal("the kind is not looked for again")
	}
	deal.SetAvailability(kinds.Absent) // as the discovery says
	w.pass(time.Minute)
	if w.isHeld(CredentialSecret) {
		t.Error("the credential is kept for nobody")
	}
}

// stopping is a transport during whose first request the operator is stopped.
type stopping struct {
	transport
	stop func()
}

func (s stopping) Do(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodPut {
		s.stop()
	}
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	return s.transport.Do(request)
}

func TestStop(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	ctx, stop := context.WithCancel(t.Context())
	w.options.Transport = stopping{transport{w}, stop}
	w.start()
	reconcile := func(name string) {
		w.create(newHouse(name, 3))
		w.busy = true
		defer func() { w.busy = false; w.flush() }()
		of := types.NamespacedName{Namespace: namespace, Name: name}
		if _, err := w.op.reconcile(wiring.ToEnd(ctx), w.kind("House"), of); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	reconcile("h")
	if s := record.Of(get[homes.House](w, "h")); s == nil || s.Phase != record.Accepted {
		t.Errorf("what was under way is %v, want that it ends and is noted", s)
	}
	reconcile("later")
	if s := record.Of(get[homes.House](w, "later")); s != nil || w.count("PUT", "") != 1 {
		t.Errorf("after the stop there were %d PUTs, and the next object has sent %v", w.count("PUT", ""), s)
	}
}

// TestUpdates checks which updates of an object count as changes.
func TestUpdates(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*homes.House)
		want   bool
	}{
		// A write at another version does not change the generation.
		"a Spec of the same generation": {func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) }, true},
		"a Status":                      {func(h *homes.House) { h.Status.Rooms = p(int64(4)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := newHouse("h", 3), newHouse("h", 3)
			test.change(after)
			if got := isChange(before, after); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// TestUnseen has a kind whose objects the API server does not list, because a webhook cannot
// convert one of them. A read of that kind from the cache never returns.
func TestUnseen(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.create(newHouse("h", 3))
	w.create(newDoor("d", "h"))
	w.create(newDoor("e", "h"))
	w.pass(time.Minute)
	seen := true
	synced := func() bool { return seen }
	house, lock := w.kind("House"), w.kind("Lock")
	lock.SetSynced(synced)
	seen = false
	w.unseen = lock
	street := &homes.Street{ObjectMeta: objectMeta("s")}
	street.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	w.create(street)
	edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
	edit(w, "s", func(s *homes.Street) {
		s.Annotations = map[string]string{annotation.Deletion: annotation.DeletionDetach}
	})
	w.pass(time.Minute)
	w.expect("another kind", get[homes.Street](w, "s"), "True Succeeded")
	w.has("the owner of its owner", houseID, `{"rooms":4}`)
	w.delete(get[homes.Street](w, "s"))
	w.delete(get[homes.Door](w, "d"))
	edit(w, "e", func(d *homes.Door) { d.Annotations[annotation.Deletion] = annotation.DeletionDetach })
	w.delete(get[homes.Door](w, "e"))
	w.pass(time.Minute)
	if get[homes.Street](w, "s") != nil || get[homes.Door](w, "d") != nil {
		t.Error("what can have no such children waits for them")
	}
	if get[homes.Door](w, "e") == nil {
		t.Error("what may have such children, which it would leave, does not wait for them")
	}
	seen, w.unseen = true, nil
	w.pass(time.Minute)
	if get[homes.Door](w, "e") != nil {
		t.Error("it waits although they are seen")
	}
	house.SetSynced(synced)
	seen, w.unseen = false, house
	w.create(newDoor("f", "h"))
	w.pass(time.Minute)
	if d := get[homes.Door](w, "f"); ready(d) != "none" {
		t.Errorf("got %s of what nothing is known about", ready(d))
	}
	seen, w.unseen = true, nil
	w.pass(time.Minute)
	w.expect("when its owner is seen", get[homes.Door](w, "f"), "True Succeeded")
}

// TestWoken has a parent with many children, which wait for it only until ARM has it.
func TestWoken(t *testing.T) {
	w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}})
	w.create(newHouse("h", 3))
	for i := range 100 {
		w.create(newDoor(fmt.Sprintf("d%d", i), "h"))
	}
	w.pass(10 * time.Minute)
	w.expect("a child", get[homes.Door](w, "d99"), "True Succeeded")
	edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
	before := w.steps
	w.pass(2 * time.Minute)
	w.has("the edit", houseID, `{"rooms":4}`)
	if n := w.steps - before; n > 30 {
		t.Errorf("an edit of the parent costs %d reconciles", n)
	}
}

// TestMovedHub has an API server that no longer serves the version at which the operator writes.
func TestMovedHub(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	tried := 0
	w.refuse = func(o ctrlclient.Object) error {
		if _, isHouse := o.(*homes.House); !isHouse {
			return nil
		}
		tried++
		return apierrors.NewGenericServerResponse(404, "patch", schema.GroupResource{Group: homes.Group, Resource: "houses"},
			o.GetName(), "the server could not find the requested resource", 0, true)
	}
	w.create(newHouse("h", 3))
	w.pass(10 * time.Minute)
	if tried > 45 || tried < 10 {
		t.Errorf("%d writes in ten minutes", tried)
	}
	w.refuse = nil
	w.pass(20 * time.Second)
	w.expect("served again", get[homes.House](w, "h"), "True Succeeded")
}

// TestAtOnce lets several goroutines work at the same time, for the race detector.
func TestAtOnce(t *testing.T) {
	t.Run("an object is reconciled, and another asks whether it was", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		h := get[homes.House](w, "h")
		of, op := refOf(w, h), w.op
		done := make(chan bool)
		go func() {
			defer close(done)
			for is := false; !is; _, is = op.memories.isReconciled(of, h.GetUID()) {
				runtime.Gosched()
			}
		}()
		w.pass(time.Minute)
		<-done
	})
}
