package reconcile

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestOtherWords has services that answer 404 in words of their own for what does not exist.
func TestOtherWords(t *testing.T) {
	behavior := armtest.Behavior{Rates: armtest.Rates{armtest.OtherWords: 1, armtest.GoneIs404: 1}}
	t.Run("a deletion ends some minutes after ARM has done it", func(t *testing.T) {
		w := newWorld(t, behavior)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.delete(get[homes.House](w, "h"))
		w.pass(4 * time.Minute)
		w.expect("meanwhile", get[homes.House](w, "h"), "False Deleting", "ARM has deleted it")
		w.pass(3 * time.Minute)
		if h := get[homes.House](w, "h"); h != nil {
			t.Errorf("the object stays: %v", ready(h))
		}
	})
	t.Run("a deletion of what is gone ends after an hour", func(t *testing.T) {
		w := newWorld(t, behavior)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.arm.Remove(houseID)
		w.delete(get[homes.House](w, "h"))
		w.pass(50 * time.Minute)
		if get[homes.House](w, "h") == nil {
			t.Error("the object went too soon")
		}
		w.pass(20 * time.Minute)
		if h := get[homes.House](w, "h"); h != nil {
			t.Errorf("the object stays: %v", ready(h))
		}
	})
	t.Run("what somebody has deleted is made again", func(t *testing.T) {
		w := newWorld(t, behavior)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.arm.Remove(houseID)
		w.pass(3 * time.Hour)
		w.has("it", houseID, `{"rooms":3}`)
	})
	t.Run("a parent is sent for the first time after seconds", func(t *testing.T) {
		w := newWorld(t, behavior)
		w.create(newGarden(1, "a"))
		w.pass(time.Minute)
		w.expect("it", get[homes.Garden](w, "g"), "True Succeeded")
	})
	t.Run("what names the subscription ends nothing", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.replies = func(string, string) (int, string) { return http.StatusNotFound, "SubscriptionNotFound" }
		w.delete(get[homes.House](w, "h"))
		w.pass(5 * time.Hour)
		w.expect("meanwhile", get[homes.House](w, "h"), "False SubscriptionNotFound")
	})
}

// TestIfMatch has services that refuse a change without If-Match.
func TestIfMatch(t *testing.T) {
	for _, rates := range []armtest.Rates{{}, {armtest.NoETag: 1}} {
		t.Run(fmt.Sprint("a change is sent with the ETag, or with *: ", rates), func(t *testing.T) {
			rates[armtest.PutWantsIfMatch] = 1
			w := newWorld(t, armtest.Behavior{Rates: rates})
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			for rooms := range int64(3) {
				edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(4 + rooms) })
				w.pass(time.Minute)
				w.has("the change", houseID, fmt.Sprintf(`{"rooms":%d}`, 4+rooms))
			}
			if n := w.count("PUT", houseID); n != 5 {
				t.Errorf("ARM got %d PUTs, want four and one that is refused", n)
			}
		})
	}
}

// TestLostAnswer has a PUT without an answer while ARM is at work on an older one.
func TestLostAnswer(t *testing.T) {
	w := newWorld(t, armtest.Behavior{Slowest: 10 * time.Minute, Rates: armtest.Rates{armtest.AsyncOperation: 1}})
	w.create(newHouse("h", 3))
	w.pass(time.Second)
	w.behave(armtest.Behavior{})
	w.lost = armtest.LostAnswer
	edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
	for w.count("PUT", houseID) < 2 {
		w.pass(time.Second)
	}
	w.behave(armtest.Behavior{})
	edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(3)) })
	w.pass(2 * time.Hour)
	w.has("what the Spec says", houseID, `{"rooms":3}`)
	w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
}

// TestSkippedChild changes the parent of a child whose object has the policy skip.
func TestSkippedChild(t *testing.T) {
	skip := func(w *world, change func(*homes.Plant)) {
		x := newPlant("b", 2)
		x.Annotations = map[string]string{annotation.Adopt: annotation.AdoptObserve}
		change(x)
		w.create(x)
		w.pass(time.Minute)
	}
	t.Run("nothing of its Spec is sent", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newGarden(1))
		w.pass(time.Minute)
		w.putInARM(plantID("b"), `{"properties":{"rooms":9}}`)
		skip(w, func(x *homes.Plant) { x.Spec.Fields.Color = p("red") })
		edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(5)) })
		w.pass(time.Minute)
		w.has("the child", plantID("b"), `{"rooms":9}`)
		w.has("the parent", gardenID, `{"rooms":5}`)
	})
	t.Run("its secrets are neither sent nor taken away", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.NotEchoed: 1}})
		w.secret("pw", map[string]string{"k": "canary of the Spec"})
		w.create(newGarden(1))
		w.pass(time.Minute)
		w.putInARM(plantID("b"), `{"properties":{"rooms":9,"password":"another"}}`)
		skip(w, func(x *homes.Plant) { x.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"} })
		edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(5)) })
		w.pass(time.Minute)
		w.has("the child", plantID("b"), `{"password":"another","rooms":9}`)
		w.expect("the parent", get[homes.Garden](w, "g"), "False InvalidSpec", "only observed")
	})
}

// TestManyChildren changes the parent of many children that speak another version, and so are read one by one, while
// ARM refuses each fiftieth request.
func TestManyChildren(t *testing.T) {
	leaveOutCrowd(t)
	w := newWorld(t, armtest.Behavior{})
	w.create(newGarden(1))
	w.pass(time.Minute)
	for i := range 60 {
		w.create(newPlant(fmt.Sprint("b", i), 3))
	}
	w.pass(time.Hour)
	asked := 0
	w.replies = func(method, _ string) (int, string) {
		if asked++; method == http.MethodGet && asked%50 == 0 {
			return http.StatusServiceUnavailable, "Busy"
		}
		return 0, ""
	}
	edit(w, "g", func(g *homes.Garden) {
		g.Annotations[annotation.APIVersion], g.Spec.Fields.Rooms = homes.V2019, p(int64(5))
	})
	w.pass(2 * time.Hour)
	w.has("the parent", gardenID, `{"rooms":5}`)
	w.expect("in the end", get[homes.Garden](w, "g"), "True Succeeded")
	if asked > 400 { // sixty before and after the PUT, and what else is due in two hours
		t.Errorf("ARM got %d requests", asked)
	}
}

// TestForgedCredential has a forged record in a namespace that may use the operator's own credential.
func TestForgedCredential(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	h := newHouse("forged", 3)
	h.Spec.Fields.AzureName = p("another")
	h.Annotations = map[string]string{annotation.Adopt: annotation.AdoptObserve}
	w.create(h)
	edit(w, "forged", func(h *homes.House) { forge(h, houseID, `,"credential":"`+CredentialSecret+`"`) })
	w.start()
	w.create(newHouse("h", 3))
	w.pass(time.Minute)
	w.expect("another object", get[homes.House](w, "h"), "True Succeeded")
}

// TestOwnKeys refers to the Secret with the operator's keys.
func TestOwnKeys(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.create(newHouse("h", 3)) // for which the keys are made
	w.pass(time.Minute)
	keys := w.op.keys.Secret
	var secret corev1.Secret
	if err := w.store.Get(t.Context(), keys, &secret); err != nil {
		t.Fatal(err)
	}
	thief := newHouse("thief", 3)
	thief.Namespace = keys.Namespace
	thief.Spec.Fields.Password = &reference.Secret{Name: keys.Name, Key: string(secret.Data["current"])}
	w.create(thief)
	w.pass(time.Minute)
	got := getIn[homes.House](w, types.NamespacedName{Namespace: keys.Namespace, Name: "thief"})
	w.expect("the thief", got, "False InvalidSpec", "the operator's own keys")
	if n := w.count("PUT", group+"/providers/Contoso.Homes/houses/thief"); n != 0 {
		t.Errorf("ARM got %d PUTs", n)
	}
}
