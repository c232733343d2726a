package reconcile

import (
	"slices"
	"testing"
	"time"

	toolscache "k8s.io/client-go/tools/cache"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// TestForbidden has a kind that the operator may no longer list, after it could. How the
// rights come and go on an API server is in package cluster.
func TestForbidden(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	door := w.kind("Door")
	one := toolscache.NewSharedIndexInformer(nil, nil, 0, nil)
	w.secret(CredentialSecret, map[string]string{ClientSecretKey: "theirs"})
	w.create(newHouse("h", 3))
	w.create(newHouse("i", 3))
	w.create(newDoor("d", "h"))
	w.pass(time.Minute)
	door.rights.set(one, true)
	const sentence = "the operator has no right to list kind Door of homes.example.com: apply the roles of the group homes of its release"

	edit(w, "d", func(d *homes.Door) { d.Spec.Fields.Rooms = p(int64(2)) })
	edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
	before := w.count("PUT", "")
	w.pass(time.Minute)
	w.has("another kind goes on", houseID, `{"rooms":4}`)
	if n := w.count("PUT", ""); n != before+1 {
		t.Errorf("got %d PUTs, want that of the house alone", n-before)
	}
	if all := w.op.options.Rights.Missing(); !slices.Equal(all, []string{sentence}) {
		t.Errorf("got %q, want %q", all, sentence)
	}
	edit(w, "i", func(h *homes.House) { h.Annotations[annotation.ReconcilePolicy] = string(policyDetach) })
	w.delete(get[homes.House](w, "i"))
	w.pass(time.Minute)
	w.expect("its children, if it has any, may be of the kind", get[homes.House](w, "i"), "False KindForbidden", sentence)

	door.rights.set(one, false)
	w.pass(time.Minute)
	if get[homes.House](w, "i") != nil {
		t.Error("the house is still there")
	}
	if n := w.count("PUT", ""); n != before+2 {
		t.Errorf("got %d PUTs, want that of the door besides", n-before)
	}
}
