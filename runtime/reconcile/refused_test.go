package reconcile

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// TestOtherWritesRefused has an API server that refuses what the operator writes into another object than the one that
// it reconciles. TestWriteRefused has the object itself.
func TestOtherWritesRefused(t *testing.T) {
	const why = "ValidatingAdmissionPolicy 'ours' denied request: not this"
	isSecret := func(name string) func(ctrlclient.Object) bool {
		return func(o ctrlclient.Object) bool { _, is := o.(*corev1.Secret); return is && o.GetName() == name }
	}
	isDoor := func(o ctrlclient.Object) bool { _, is := o.(*homes.Door); return is }
	own := func(w *world) { w.secret(CredentialSecret, map[string]string{ClientSecretKey: "canary of shop"}) }
	house := func(w *world) { w.create(newHouse("h", 3)) }
	deletes := func(w *world) { w.delete(get[homes.House](w, "h")) }
	for _, row := range []struct {
		reason string
		before func(*world)
		is     func(ctrlclient.Object) bool
		then   func(*world)
		what   string
		gone   bool // the house, in the end
	}{
		{"the finalizer of a credential", own, isSecret(CredentialSecret), house, "Secret shop/" + CredentialSecret, false},
		{"the end of that finalizer", func(w *world) { own(w); house(w) }, isSecret(CredentialSecret), deletes,
			"Secret shop/" + CredentialSecret, true},
		{"the ownerReference of a child", func(w *world) {
			house(w)
			w.create(newDoor("d", "h"))
			w.pass(time.Minute)
			edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDetach })
		}, isDoor, deletes, "Door shop/d", true},
		{"an output that is not asked for any more", func(w *world) { w.create(asks(newHouse("h", 3), "key1 keys/a")) },
			isSecret("keys"), func(w *world) { edit(w, "h", func(h *homes.House) { asks(h) }) }, "Secret shop/keys", false},
		{"the keys of records", func(*world) {}, isSecret("armature-digest-keys"), house, "an object of another namespace", false},
	} {
		t.Run(row.reason, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			row.before(w)
			w.pass(time.Minute)
			tried := 0
			w.refuse = func(o ctrlclient.Object) error {
				if !row.is(o) {
					return nil
				}
				tried++
				var content []string
				if s, is := o.(*corev1.Secret); is {
					for _, value := range s.Data {
						content = append(content, string(value))
					}
				}
				return apierrors.NewForbidden(corev1.Resource("any"), o.GetName(), errors.New(why+" "+strings.Join(content, " ")))
			}
			row.then(w)
			w.pass(3 * time.Hour)
			w.expect("told", get[homes.House](w, "h"), "False WriteRefused", why, "into "+row.what)
			if len(w.errors) > 0 || tried > 80 {
				t.Errorf("%d writes were refused; errors: %q", tried, w.errors)
			}
			if text := w.everything(); strings.Contains(text, "canary") {
				t.Error("the content of a Secret is where people see it")
			}
			if all := w.gather(); !slices.Contains(all, "armature_objects homes.example.com House WriteRefused stalled") {
				t.Errorf("the metrics are %q", all)
			}
			w.refuse = nil
			w.pass(12 * time.Minute)
			if h := get[homes.House](w, "h"); row.gone && h != nil {
				t.Errorf("when it is taken: got %s %s", ready(h), message(h))
			} else if !row.gone {
				w.expect("when it is taken", h, "True Succeeded")
			}
		})
	}
}

// TestInvalidKeys has a Secret with the operator's keys whose current key does not exist.
func TestInvalidKeys(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.create(newHouse("h", 3))
	w.create(newHouse("i", 3))
	w.pass(time.Minute)
	current := func(name string) (before string) {
		keys := getIn[corev1.Secret](w, w.op.keys.Secret)
		before = string(keys.Data["current"])
		keys.Data["current"] = []byte(name)
		if err := w.store.Update(t.Context(), keys); err != nil {
			t.Fatal(err)
		}
		return before
	}
	right := current("nope")
	w.create(newHouse("new", 3))
	w.delete(get[homes.House](w, "i"))
	w.pass(time.Hour)
	for _, name := range []string{"new", "i"} {
		t.Run("what is new or goes says so: "+name, func(t *testing.T) {
			w.expect("told", get[homes.House](w, name), "False KeysInvalid", `"nope"`, "Secret operator/armature-digest-keys")
		})
	}
	t.Run("what is ready stays ready", func(t *testing.T) {
		w.expect("an old one", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("they go on when the Secret is corrected", func(t *testing.T) {
		current(right)
		w.pass(12 * time.Minute)
		w.expect("a new one", get[homes.House](w, "new"), "True Succeeded")
		if get[homes.House](w, "i") != nil {
			t.Error("the other one is not gone")
		}
	})
}
