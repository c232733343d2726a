package reconcile

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	toolscache "k8s.io/client-go/tools/cache"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
)

// TestForbidden has a kind that the operator may no longer list. Package cluster tests how
// the rights come and go on an API server.
func TestForbidden(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	door := w.kind("Door")
	one := toolscache.NewSharedIndexInformer(nil, nil, 0, nil)
	w.secret(CredentialSecret, map[string]string{ClientSecretKey: "theirs"})
	w.create(newHouse("h", 3))
	w.create(newHouse("i", 3))
	w.create(newDoor("d", "h"))
	w.pass(time.Minute)
	door.Rights.Set(one, true)
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
	edit(w, "i", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDetach })
	w.delete(get[homes.House](w, "i"))
	w.pass(time.Minute)
	w.expect("its children, if it has any, may be of the kind", get[homes.House](w, "i"), "False KindForbidden", sentence)

	door.Rights.Set(one, false)
	w.pass(time.Minute)
	if get[homes.House](w, "i") != nil {
		t.Error("the house is still there")
	}
	if n := w.count("PUT", ""); n != before+2 {
		t.Errorf("got %d PUTs, want that of the door besides", n-before)
	}
}

// TestNotListed has a kind whose lists fail. Package cluster has an API server that does not list one.
func TestNotListed(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	one := toolscache.NewSharedIndexInformer(nil, nil, 0, nil)
	house, listed := w.kind("House"), true
	house.SetSynced(func() bool { return listed })
	w.create(newHouse("h", 3))
	w.create(newDoor("d", "h"))
	w.pass(time.Minute)
	listed, w.unseen = false, house
	house.Rights.Fail(one, errors.New("no endpoints for the webhook"))
	const sentence = "the API server does not list kind House of homes.example.com: no endpoints for the webhook"
	w.create(newDoor("new", "h"))
	w.pass(2 * time.Hour)
	t.Run("what depends on it says so", func(t *testing.T) {
		w.expect("a new one", get[homes.Door](w, "new"), "False KindNotListed", sentence)
	})
	t.Run("what is ready stays ready", func(t *testing.T) {
		w.expect("an old one", get[homes.Door](w, "d"), "True Succeeded")
	})
	t.Run("it is among what the operator lacks", func(t *testing.T) {
		if all := w.op.options.Rights.Missing(); !slices.Equal(all, []string{sentence}) {
			t.Errorf("got %q", all)
		}
	})
	t.Run("nothing is left of it when it is listed", func(t *testing.T) {
		house.Rights.Succeed(one)
		listed, w.unseen = true, nil
		w.pass(time.Minute)
		w.expect("a new one", get[homes.Door](w, "new"), "True Succeeded")
		if all := w.op.options.Rights.Missing(); len(all) > 0 {
			t.Errorf("got %q", all)
		}
	})
}

// TestWriteForbidden has an operator without the right to write at storage versions in one of two
// namespaces. Package cluster tests how the right is granted on an API server.
func TestWriteForbidden(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	denied := 0
	w.refuse = func(o ctrlclient.Object) error {
		if _, isHouse := o.(*homes.House); !isHouse || o.GetNamespace() != namespace {
			return nil
		}
		denied++
		err := apierrors.NewForbidden(schema.GroupResource{Group: homes.Group, Resource: "houses"}, o.GetName(), errors.New(
			"ValidatingAdmissionPolicy 'storage-versions.homes.example.com' with binding 'storage-versions.homes.example.com' denied "+
				"request: … ask an administrator for a role with the verb write on storageversions.armature.dev"))
		return err
	}
	other := newHouse("other", 3)
	other.Namespace = "mall"
	w.create(newHouse("h", 3))
	w.create(newHouse("i", 3))
	w.create(other)
	w.pass(time.Hour)
	const sentence = "the operator has no right to write objects of homes.example.com in namespace shop: " +
		"bind the ClusterRole armature-storage-writer, with the prefix of its release, to its account there"
	if all := w.op.options.Rights.Missing(); !slices.Equal(all, []string{sentence}) {
		t.Errorf("got %q, want %q", all, sentence)
	}
	var told []string
	for _, e := range w.events.all {
		if !strings.HasPrefix(e, "other ") {
			told = append(told, e)
		}
	}
	slices.Sort(told)
	if want := []string{"h Warning WriteForbidden: " + sentence, "i Warning WriteForbidden: " + sentence}; !slices.Equal(told, want) {
		t.Errorf("got the events %q, want %q", told, want)
	}
	if denied != 1 || len(w.errors) > 0 {
		t.Errorf("%d writes were denied, want one; errors: %q", denied, w.errors)
	}
	if n := w.count("PUT", ""); n != 1 {
		t.Errorf("ARM got %d PUTs, want that of the other namespace", n)
	}
	if all := w.gather(); !slices.Contains(all, "armature_objects homes.example.com House WriteForbidden stalled") {
		t.Errorf("the metrics are %q", all)
	}

	at, lacks := wiring.Place{Group: homes.Group, Namespace: namespace}, errors.New("no answer")
	w.reviews.allowed = func(p wiring.Place) (bool, error) {
		if p != at {
			t.Errorf("the API server was asked about %v", p)
		}
		return lacks == nil, lacks
	}
	w.op.cluster.Storage.Ask(t.Context(), at)
	w.pass(time.Minute)
	if denied != 2 {
		t.Errorf("%d writes were denied; where the API server does not say, one shows it", denied)
	}
	w.refuse, lacks = nil, nil
	for _, p := range w.op.cluster.Storage.Due([]string{homes.Group}) {
		if p.Namespace == namespace {
			w.op.cluster.Storage.Ask(t.Context(), p)
		}
	}
	w.pass(time.Minute)
	for _, name := range []string{"h", "i"} {
		w.expect("with the right", get[homes.House](w, name), "True Succeeded")
	}
	if all := w.op.options.Rights.Missing(); len(all) > 0 {
		t.Errorf("still missing: %q", all)
	}
}

// TestWriteRefused has an API server that refuses what the operator writes into an object.
func TestWriteRefused(t *testing.T) {
	invalid := func(o ctrlclient.Object, message string) error {
		return apierrors.NewInvalid(schema.GroupKind{Group: homes.Group, Kind: "House"}, o.GetName(), field.ErrorList{
			field.TooLong(field.NewPath(message), "", 262144)})
	}
	for _, row := range []struct {
		reason string
		refuse func(ctrlclient.Object) error
		want   string
		status bool // which can be written
	}{
		{"annotations that are too large", func(o ctrlclient.Object) error {
			if len(o.GetAnnotations()) > 1 {
				return invalid(o, "metadata.annotations")
			}
			return nil
		}, "metadata.annotations", true},
		{"a Status that is too large", func(o ctrlclient.Object) error {
			if o.(*homes.House).Status.Rooms != nil {
				return apierrors.NewInternalError(errors.New("etcdserver: request is too large"))
			}
			return nil
		}, "etcdserver: request is too large", true},
		{"a policy", func(o ctrlclient.Object) error {
			return apierrors.NewForbidden(schema.GroupResource{Group: homes.Group, Resource: "houses"}, o.GetName(),
				errors.New("ValidatingAdmissionPolicy 'labels' denied request: a label is missing"))
		}, "a label is missing", false},
	} {
		t.Run(row.reason, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			h := newHouse("h", 3)
			h.Annotations = map[string]string{"user": "theirs"}
			tried := 0
			w.refuse = func(o ctrlclient.Object) error {
				if _, isHouse := o.(*homes.House); !isHouse {
					return nil
				}
				err := row.refuse(o)
				if err != nil {
					tried++
				}
				return err
			}
			w.create(h)
			w.pass(3 * time.Hour)
			if row.status {
				w.expect("told", get[homes.House](w, "h"), "False WriteRefused", row.want)
			}
			if len(w.errors) > 0 || tried > 80 {
				t.Errorf("%d writes were refused; errors: %q", tried, w.errors)
			}
			told := slices.DeleteFunc(slices.Clone(w.events.all), func(e string) bool {
				return !strings.HasPrefix(e, "h Warning WriteRefused: ") || !strings.Contains(e, row.want)
			})
			if len(told) != 1 {
				t.Errorf("got the events %q", w.events.all)
			}
			if all := w.gather(); !slices.Contains(all, "armature_objects homes.example.com House WriteRefused stalled") {
				t.Errorf("the metrics are %q", all)
			}
			w.refuse = nil
			w.pass(12 * time.Minute)
			w.expect("when it is taken", get[homes.House](w, "h"), "True Succeeded")
		})
	}
}
