package reconcile

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// as makes another operator work in place of the one before.
func (w *world) as(namespace, instance string) {
	w.options.Namespace, w.options.Instance = namespace, instance
	w.start()
}

// foreign returns how many objects the operator leaves to others, by its metric.
func (w *world) foreign() (n float64) {
	w.Helper()
	families, err := w.options.Metrics.(*prometheus.Registry).Gather()
	if err != nil {
		w.Fatalf("%v", err)
	}
	for _, f := range families {
		for _, m := range f.Metric {
			if f.GetName() == "armature_objects" && strings.Contains(m.String(), `"foreign"`) {
				n += m.GetGauge().GetValue()
			}
		}
	}
	return n
}

// TestOperators runs two operators that watch the same objects.
func TestOperators(t *testing.T) {
	for _, other := range [][2]string{{"elsewhere", ""}, {"operator", "second"}} {
		t.Run("the second leaves alone what the first manages: "+strings.Join(other[:], "/"), func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.secret("s", map[string]string{"k": "canary"})
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			for range 6 {
				w.as(other[0], other[1])
				before, requests, events := get[homes.House](w, "h").ResourceVersion, len(w.arm.Requests()), len(w.events.all)
				w.pass(2 * time.Hour)
				if n := len(w.arm.Requests()) - requests; n > 0 || get[homes.House](w, "h").ResourceVersion != before {
					t.Fatalf("the second sent %d requests", n)
				}
				const event = "h Warning ManagedByAnother: operator operator/armature-operator"
				if all := w.events.all[events:]; len(all) != 1 || !strings.Contains(all[0], event) {
					t.Errorf("got the events %q", all)
				}
				if n := w.foreign(); n != 1 {
					t.Errorf("the metric has %v objects", n)
				}
				w.as("operator", "")
				w.pass(2 * time.Hour)
			}
			if n := w.count("PUT", houseID); n != 1 {
				t.Errorf("ARM got %d PUTs", n)
			}
			w.as(other[0], other[1])
			w.delete(get[homes.House](w, "h"))
			w.pass(time.Hour)
			if get[homes.House](w, "h") == nil || w.count("DELETE", "") > 0 {
				t.Error("the second deleted it")
			}
			w.as("operator", "")
			w.pass(time.Hour)
			if get[homes.House](w, "h") != nil || len(w.arm.IDs()) > 0 {
				t.Error("the first did not delete it")
			}
		})
	}
	t.Run("of two that see a new object at the same time, one has it", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret("s", map[string]string{"k": "canary"})
		w.create(newHouse("h", 3))
		w.as("elsewhere", "")
		w.lag = time.Minute // so that it does not see what the first writes now
		options := w.options
		options.Namespace, options.Metrics = "operator", prometheus.NewRegistry()
		cluster := w.cluster()
		cluster.Client, cluster.Wake = w.store, func(ref) {}
		cluster.Objects.Cache, cluster.Objects.Live = w.store, w.store
		cluster.Watch = func(ref, func(ref)) (stop func()) { return func() {} }
		first := w.newOperator(options, cluster)
		for range 3 {
			name := types.NamespacedName{Namespace: namespace, Name: "h"}
			if _, err := first.reconcile(context.Background(), w.kind("House"), name); err != nil {
				t.Fatal(err)
			}
		}
		h := get[homes.House](w, "h")
		w.expect("the first", h, "True Succeeded")
		w.pass(time.Hour)
		if n := w.count("PUT", houseID); n != 1 || get[homes.House](w, "h").ResourceVersion != h.ResourceVersion {
			t.Errorf("ARM got %d PUTs", n)
		}
		if operatorOf(h) != "operator/armature-operator" || w.foreign() != 1 {
			t.Errorf("%s has it, the metric has %v", operatorOf(h), w.foreign())
		}
	})
	t.Run("an upgrade from a release without marks sends nothing", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.create(newHouse("gone", 3))
		w.pass(time.Minute)
		for _, name := range []string{"h", "gone"} {
			edit(w, name, func(h *homes.House) { delete(h.Annotations, annotation.Operator) })
		}
		w.delete(get[homes.House](w, "gone"))
		requests := len(w.arm.Requests())
		w.start()
		w.pass(time.Second)
		if h := get[homes.House](w, "h"); operatorOf(h) != "operator/armature-operator" || w.count("PUT", houseID) != 1 {
			t.Errorf("%s has it, and ARM got %d PUTs", operatorOf(h), w.count("PUT", houseID))
		}
		for _, r := range w.arm.Requests()[requests:] {
			if !strings.HasSuffix(r.ID, "/gone") {
				t.Errorf("ARM got %s %s", r.Method, r.ID)
			}
		}
		w.pass(time.Minute)
		if get[homes.House](w, "gone") != nil {
			t.Error("what was being deleted is not gone")
		}
	})
	t.Run("a copy has no mark", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := newHouse("h", 3)
		h.Annotations = map[string]string{annotation.Operator: "elsewhere/armature-operator@another-uid"}
		w.create(h)
		w.pass(time.Minute)
		w.expect("managed", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("who removes the mark hands the object over, and it is sent once more", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.takeOver()
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.as("elsewhere", "")
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { delete(h.Annotations, annotation.Operator) })
		w.pass(time.Minute)
		if h := get[homes.House](w, "h"); operatorOf(h) != "elsewhere/armature-operator" || w.count("PUT", houseID) != 2 ||
			w.foreign() != 0 {
			t.Errorf("%s has it, ARM got %d PUTs, the metric has %v", operatorOf(h), w.count("PUT", houseID), w.foreign())
		}
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.has("changed", houseID, `{"rooms":4}`)
		w.as("operator", "")
		w.pass(time.Hour)
		if n := w.count("PUT", houseID); n != 3 {
			t.Errorf("ARM got %d PUTs", n)
		}
	})
	t.Run("an object that only waits is marked again, too", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newDoor("d", "h"))
		w.pass(time.Minute)
		edit(w, "d", func(d *homes.Door) { delete(d.Annotations, annotation.Operator) })
		w.pass(time.Minute)
		if by := operatorOf(get[homes.Door](w, "d")); by != "operator/armature-operator" {
			t.Errorf("%q has it", by)
		}
	})
	t.Run("what another operator manages holds up no object with the same id", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.takeOver()
		theirs := newHouse("theirs", 3)
		theirs.Spec.Fields.AzureName = p("h")
		w.create(theirs)
		w.pass(time.Minute)
		w.as("elsewhere", "")
		w.create(newHouse("h", 4))
		w.pass(time.Hour)
		w.expect("it is not known here to whom it belongs", get[homes.House](w, "h"), "True Succeeded")
	})
}

// TestManaged lets an operator manage some namespaces.
func TestManaged(t *testing.T) {
	untouched := func(w *world, what string) {
		w.Helper()
		h := get[homes.House](w, "h")
		if ready(h) != "none" || len(h.Annotations)+len(h.Finalizers) > 0 || len(w.arm.Requests()) > 0 || w.foreign() > 0 {
			w.Errorf("%s: got %s, %v, and %d requests", what, ready(h), h.Annotations, len(w.arm.Requests()))
		}
	}
	t.Run("by name", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.options.ManagedNamespaces = []string{"other", "another"}
		w.start()
		w.create(newHouse("h", 3))
		w.pass(time.Hour)
		untouched(w, "another namespace")
		w.options.ManagedNamespaces = []string{"other", namespace}
		w.start()
		w.pass(time.Minute)
		w.expect("named", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("by a selector of labels, whose change takes effect at once", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.setNamespace(func(*corev1.Namespace) {})
		w.options.ManagedSelector = labels.SelectorFromSet(labels.Set{"team": "a"})
		w.start()
		w.create(newHouse("h", 3))
		w.pass(time.Hour)
		untouched(w, "without the label")
		w.setNamespace(func(n *corev1.Namespace) { n.Labels = map[string]string{"team": "a"} })
		w.pass(time.Second)
		w.expect("with the label", get[homes.House](w, "h"), "True Succeeded")
		w.setNamespace(func(n *corev1.Namespace) { n.Labels = nil })
		w.pass(time.Second)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(2 * time.Hour)
		if n := w.count("PUT", houseID); n != 1 {
			t.Errorf("it was sent after the label was gone")
		}
	})
}
