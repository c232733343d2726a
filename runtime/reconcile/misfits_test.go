package reconcile

import (
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestMisfits has properties whose JSON type in ARM's answer differs from the spec.
func TestMisfits(t *testing.T) {
	begin := func(t *testing.T, value any) *world {
		w := newWorld(t, armtest.Behavior{})
		w.arm.Misfit(houseID, "rooms", value)
		w.create(newHouse("h", 3))
		w.pass(10 * time.Second)
		return w
	}
	for what, value := range map[string]any{
		"text for an integer": "canary-text", "a fraction": 3.5, "an object": map[string]any{"canary": 1}, "a list": []any{"canary"},
	} {
		t.Run(what+" is left out, and the rest is shown", func(t *testing.T) {
			w := begin(t, value)
			h := get[homes.House](w, "h")
			w.expect("Ready is what ARM says", h, "True Succeeded")
			if h.Status.Id == nil || *h.Status.Id != houseID || h.Status.Rooms != nil {
				t.Errorf("got the status %+v", h.Status)
			}
			c := meta.FindStatusCondition(h.Status.Conditions, StatusIncomplete)
			if c == nil || c.Status != metav1.ConditionTrue || c.Reason != ReasonOtherTypes || c.ObservedGeneration != h.Generation ||
				!strings.Contains(c.Message, "properties.rooms: found ") || strings.Contains(c.Message, "canary") {
				t.Errorf("got the condition %+v", c)
			}
			if text := w.everything(); strings.Contains(text, "canary-text") {
				t.Errorf("the value is where people see it: %s", text)
			}
			const metric = "armature_properties_left_out_total homes.example.com House properties.rooms"
			if all := w.gather(); !slices.Contains(all, metric) {
				t.Errorf("there is no %s in %q", metric, all)
			}
			for _, e := range w.events.all {
				if strings.Contains(e, "Warning") {
					t.Errorf("got the event %s", e)
				}
			}
			before := len(w.arm.Requests())
			w.pass(48 * time.Hour)
			w.expect("and stays so", get[homes.House](w, "h"), "True Succeeded")
			if n := len(w.arm.Requests()) - before; n > 60 {
				t.Errorf("got %d requests in two days", n)
			}
			w.arm.Misfit(houseID, "rooms", nil)
			w.pass(2 * time.Hour)
			h = get[homes.House](w, "h")
			if h.Status.Rooms == nil || meta.FindStatusCondition(h.Status.Conditions, StatusIncomplete) != nil {
				t.Errorf("until the service is mended: got %+v", h.Status)
			}
		})
	}
	t.Run("text that has the integer is read", func(t *testing.T) {
		h := get[homes.House](begin(t, "3"), "h")
		if h.Status.Rooms == nil || *h.Status.Rooms != 3 || meta.FindStatusCondition(h.Status.Conditions, StatusIncomplete) != nil {
			t.Errorf("got %+v", h.Status)
		}
	})
}

// TestSecretBytes has a Secret whose value is not text.
func TestSecretBytes(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.secret("pw", map[string]string{"k": "canary\xff\xfe"})
	h := newHouse("h", 3)
	h.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
	w.create(h)
	w.pass(time.Minute)
	w.expect("it is refused", get[homes.House](w, "h"), "False InvalidSpec", "spec.password", `the key "k" in the Secret "pw"`, "no UTF-8",
		"expected text")
	if n := w.count("PUT", ""); n != 0 {
		t.Errorf("got %d PUTs", n)
	}
	w.secret("pw", map[string]string{"k": "canary"})
	w.pass(time.Minute)
	w.expect("until it is text", get[homes.House](w, "h"), "True Succeeded")
}
