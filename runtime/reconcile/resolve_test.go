package reconcile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestManySecrets makes objects that refer to many Secrets.
func TestManySecrets(t *testing.T) {
	name := func(i int) string { return fmt.Sprintf("s%05d", i) }
	refers := func(n int) (all []reference.Secret) {
		for i := range n {
			all = append(all, reference.Secret{Name: name(i), Key: "k"})
		}
		return all
	}
	make := func(w *world, to []reference.Secret) (reads, watches int) {
		before := w.reads
		h := newHouse("h", 3)
		h.Spec.Fields.Keys = to
		w.create(h)
		w.pass(time.Second)
		for what := range w.watching {
			if what.GroupKind == named.SecretKind && what.Name != CredentialSecret {
				watches++
			}
		}
		return w.reads - before, watches
	}
	t.Run("as many as there may be", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		for i := range maxSecrets {
			w.secret(name(i), map[string]string{"k": "canary"})
		}
		make(w, refers(maxSecrets))
		w.expect("ready", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("of more none is read or watched", func(t *testing.T) {
		for _, n := range []int{maxSecrets + 1, 20000} {
			w := newWorld(t, armtest.Behavior{})
			w.secret(name(0), map[string]string{"k": "canary"})
			reads, watches := make(w, refers(n))
			w.expect("too many", get[homes.House](w, "h"), "False InvalidSpec", fmt.Sprintf("found references to %d Secrets", n),
				"expected at most 64")
			if reads > 5 || watches > 0 {
				t.Errorf("%d names cost %d reads of the API server and %d watches", n, reads, watches)
			}
		}
	})
	t.Run("of many that are missing a few are named, and no others are read", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		reads, watches := make(w, refers(60))
		w.expect("missing", get[homes.House](w, "h"), "False SecretMissing", "shop/s00000, shop/s00001", "and perhaps others")
		if text := message(get[homes.House](w, "h")); strings.Contains(text, name(maxMissing)) {
			t.Errorf("got the message %q", text)
		}
		if reads > maxMissing+5 || watches > maxMissing {
			t.Errorf("60 names cost %d reads of the API server and %d watches", reads, watches)
		}
		for i := range 60 { // whoever makes what is named comes to an end
			w.secret(name(i), map[string]string{"k": "canary"})
		}
		w.pass(time.Minute)
		w.expect("made", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("one that is named many times is read once", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		content := map[string]string{}
		var all []reference.Secret
		for i := range 1000 {
			content[name(i)] = "canary"
			all = append(all, reference.Secret{Name: "s", Key: name(i)})
		}
		w.secret("s", content)
		reads, _ := make(w, all)
		w.expect("ready", get[homes.House](w, "h"), "True Succeeded")
		if reads > 20 {
			t.Errorf("1000 keys of one Secret cost %d reads of the API server", reads)
		}
	})
}

// TestManyReferences has an object that refers to very many others.
func TestManyReferences(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	h := newHouse("h", 3)
	w.create(h)
	r := w.op.newResolver(refOf(w, h), h)
	for i := range maxReferences {
		_, err := r.ResourceID(t.Context(), reference.Resource{Group: homes.Group, Kind: "Street", Name: fmt.Sprint("s", i)})
		if p, ok := problem.Of(err); !ok || p.Reason != ReasonWaitingFor {
			t.Fatalf("reference %d: got %v", i, err)
		}
	}
	_, err := r.ResourceID(t.Context(), reference.Resource{Group: homes.Group, Kind: "Street", Name: "another"})
	if p, ok := problem.Of(err); !ok || p.Reason != ReasonInvalidSpec || !strings.Contains(p.Message, "armId") {
		t.Errorf("got %v", err)
	}
	another := named.Object{GroupKind: schema.GroupKind{Group: homes.Group, Kind: "Street"},
		NamespacedName: types.NamespacedName{Namespace: namespace, Name: "another"}}
	if n := len(w.op.dependencies.Dependents(another)); n != 0 {
		t.Errorf("%d objects depend on it", n)
	}
}
