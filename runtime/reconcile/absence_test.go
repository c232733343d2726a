package reconcile

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestOutage has a region that answers for some minutes that it does not have what it has.
func TestOutage(t *testing.T) {
	const long = 3 * time.Minute
	t.Run("a parent is not sent without its children", func(t *testing.T) {
		for _, rates := range []armtest.Rates{{}, {armtest.IgnoresIfNoneMatch: 1, armtest.NoETag: 1}} {
			w := newWorld(t, armtest.Behavior{Rates: rates})
			w.create(newGarden(1))
			w.create(newPlant("b", 3))
			w.pass(time.Minute)
			w.putInARM(plantID("stranger"), `{"properties":{"rooms":9}}`)
			rates[armtest.Missed] = 1
			w.behave(armtest.Behavior{Rates: rates, Outage: long})
			w.pass(5 * time.Hour)
			edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(5)) })
			w.pass(time.Hour)
			w.has("the parent", gardenID, `{"rooms":5}`)
			w.has("a stranger's child", plantID("stranger"), `{"rooms":9}`)
			w.has("a child", plantID("b"), `{"rooms":3}`)
			if puts := w.count("PUT", gardenID); puts != 2 {
				t.Errorf("ARM got %d PUTs of the parent, want one for each Spec", puts)
			}
		}
	})
	for name, rates := range map[string]armtest.Rates{"404": {armtest.GoneIs404: 1}, "204": nil} {
		t.Run("a deletion that is answered with "+name+" lets no object go", func(t *testing.T) {
			for _, restarted := range []bool{false, true} {
				w := newWorld(t, armtest.Behavior{Rates: rates})
				w.create(newHouse("h", 3))
				w.pass(time.Minute)
				if restarted {
					w.start()
				}
				w.arm.Fail("", w.now.Add(long))
				w.delete(get[homes.House](w, "h"))
				w.pass(long)
				w.expect("meanwhile", get[homes.House](w, "h"), "False Deleting", "ARM has deleted nothing")
				w.pass(10 * time.Minute)
				w.has("in the end", houseID, "")
				if get[homes.House](w, "h") != nil {
					t.Error("the object stays")
				}
			}
		})
	}
	t.Run("a DELETE that failed and was forgotten is sent again", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.OperationFails: 1}})
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Second)
		w.behave(armtest.Behavior{})
		w.arm.Fail("", w.now.Add(time.Minute))
		w.start()
		w.pass(time.Hour)
		w.has("in the end", houseID, "")
		if get[homes.House](w, "h") != nil {
			t.Error("the object stays")
		}
	})
	t.Run("what somebody has deleted lets its object go after some minutes", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.arm.Remove(houseID)
		before := len(w.arm.Requests())
		w.delete(get[homes.House](w, "h"))
		w.pass(10 * time.Minute)
		if n := len(w.arm.Requests()) - before; get[homes.House](w, "h") != nil || n > 6 {
			t.Errorf("got %d requests, and the object %v", n, get[homes.House](w, "h"))
		}
	})
	for _, restarted := range []bool{false, true} {
		t.Run(fmt.Sprint("what goes with its parent waits for nothing, restarted: ", restarted), func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.create(newHouse("h", 3))
			w.create(newDoor("d", "h"))
			w.pass(time.Minute)
			edit(w, "d", func(d *homes.Door) { d.Annotations[annotation.Deletion] = "unknown" }) // which stops it
			w.delete(get[homes.Door](w, "d"))
			w.delete(get[homes.House](w, "h"))
			w.pass(30 * time.Second)
			if restarted {
				w.start()
			}
			edit(w, "d", func(d *homes.Door) { delete(d.Annotations, annotation.Deletion) })
			w.pass(30 * time.Second)
			if get[homes.House](w, "h") != nil || get[homes.Door](w, "d") != nil {
				t.Error("an object stays")
			}
		})
	}
	t.Run("a doubt does not end", func(t *testing.T) {
		w := withTenant(t, armtest.Behavior{Rates: armtest.Rates{armtest.SystemData: 1}})
		w.lost = armtest.LostAnswer
		w.create(theirs(9))
		w.pass(time.Second)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.SystemData: 1}})
		w.denied = readOnly
		w.pass(23 * time.Hour)
		for range 50 {
			w.arm.Fail("", w.now.Add(long))
			w.pass(7 * time.Minute)
		}
		s, _, err := w.op.keys.Read(t.Context(), inOther(w, "theirs"))
		if err != nil || !s.InDoubt() {
			t.Errorf("got the record %+v, %v", s, err)
		}
	})
}

// TestContradiction has resources that ARM has, and of which some of its answers say that it does not.
func TestContradiction(t *testing.T) {
	// hide answers 404 to each GET of a path, and to each of its list if asked to.
	hide := func(w *world, path string, list bool) {
		w.replies = func(method, at string) (int, string) {
			isList := strings.EqualFold(at, path[:strings.LastIndexByte(path, '/')])
			if method == http.MethodGet && (strings.EqualFold(at, path) || list && isList) {
				return http.StatusNotFound, "ResourceNotFound"
			}
			return 0, ""
		}
	}
	t.Run("a list that has the resource", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.IgnoresIfNoneMatch: 1}})
		w.create(newGarden(1))
		w.pass(time.Minute)
		w.putInARM(plantID("stranger"), `{"properties":{"rooms":9}}`)
		hide(w, gardenID, false)
		w.pass(5 * time.Hour)
		w.has("a stranger's child", plantID("stranger"), `{"rooms":9}`)
		w.expect("meanwhile", get[homes.Garden](w, "g"), "False NotVisibleYet", "its list has it")
		w.replies = nil
		w.pass(time.Hour)
		w.expect("in the end", get[homes.Garden](w, "g"), "True Succeeded")
	})
	t.Run("a child with a record in a parent that is not shown", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.IgnoresIfNoneMatch: 1}})
		w.create(newGarden(1))
		w.create(newPlant("b", 3))
		w.pass(time.Minute)
		hide(w, gardenID, true)
		w.pass(5 * time.Hour)
		w.has("the child", plantID("b"), `{"rooms":3}`)
		w.expect("meanwhile", get[homes.Garden](w, "g"), "False NotVisibleYet", "has b in it")
		if puts := w.count("PUT", gardenID); puts != 1 {
			t.Errorf("ARM got %d PUTs of the parent", puts)
		}
	})
	t.Run("a child with a record that the list of its parent lacks", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Lag: time.Hour, Rates: armtest.Rates{armtest.OldList: 1, armtest.NoETag: 1}})
		w.create(newGarden(1))
		w.create(newPlant("b", 3))
		w.pass(time.Minute)
		edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(5)) })
		w.pass(time.Minute)
		w.has("the parent", gardenID, `{"rooms":5}`)
		w.has("the child", plantID("b"), `{"rooms":3}`)
	})
	t.Run("children that somebody has deleted delay their parent once", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newGarden(1))
		for _, name := range []string{"b", "c", "d"} {
			w.create(newPlant(name, 3))
		}
		w.pass(2 * time.Hour)
		for _, name := range []string{"b", "c", "d"} {
			w.arm.Remove(plantID(name))
		}
		edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(5)) })
		w.pass(6 * time.Minute)
		w.has("the parent", gardenID, `{"rooms":5}`)
		w.pass(2 * time.Hour)
		w.has("a child, which is made again", plantID("c"), `{"rooms":3}`)
	})
	t.Run("a PUT that is refused because the resource exists", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.putInARM(houseID, `{"properties":{"rooms":9}}`)
		hide(w, houseID, true)
		w.pass(5 * time.Hour)
		w.has("what somebody has changed", houseID, `{"rooms":9}`)
		w.expect("meanwhile", get[homes.House](w, "h"), "False NotVisibleYet")
		w.replies = nil
		w.pass(time.Hour)
		w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		w.has("deleted", houseID, "")
	})
	t.Run("the first PUT of a parent that somebody else has", func(t *testing.T) {
		for _, rates := range []armtest.Rates{{}, {armtest.RefusesIfNoneMatch: 1}} {
			w := newWorld(t, armtest.Behavior{})
			w.putInARM(gardenID, `{"properties":{"rooms":1}}`)
			w.putInARM(plantID("stranger"), `{"properties":{"rooms":9}}`)
			rates[armtest.Missed] = 1
			w.behave(armtest.Behavior{Rates: rates})
			g := newGarden(5)
			g.Annotations = map[string]string{annotation.Adopt: annotation.AdoptExact}
			w.create(g)
			w.pass(10 * time.Minute)
			w.has("a stranger's child", plantID("stranger"), `{"rooms":9}`)
			w.behave(armtest.Behavior{})
			w.pass(20 * time.Minute)
			w.has("the parent", gardenID, `{"rooms":5}`)
			w.has("a stranger's child", plantID("stranger"), `{"rooms":9}`)
		}
	})
	for name, late := range map[string]bool{"the object's own": false, "somebody else's": true} {
		t.Run("a PUT without an answer, and a resource that is "+name, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.SystemData: 1}})
			w.freeze = true
			w.create(newHouse("h", 3))
			for w.late == nil && w.step(w.now) {
			}
			if late {
				w.now = w.now.Add(10 * time.Minute)
				w.putInARM(houseID, `{"properties":{"rooms":7}}`)
			} else if _, err := w.arm.Do(w.late); err != nil {
				t.Fatal(err)
			}
			gets := 0
			w.replies = func(method, path string) (int, string) {
				if gets++; method == http.MethodGet && gets <= 2 {
					return http.StatusNotFound, "ResourceNotFound"
				}
				return 0, ""
			}
			w.pass(time.Minute)
			if !late {
				w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
				return
			}
			w.expect("in the end", get[homes.House](w, "h"), "False AlreadyExists", "since 2026-01-01T00:10")
			w.delete(get[homes.House](w, "h"))
			w.pass(time.Minute)
			w.has("somebody else's", houseID, `{"rooms":7}`)
		})
	}
	t.Run("a service that takes If-None-Match is not suspected of refusing it", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("first", 3))
		w.pass(time.Minute)
		puts := 0
		w.replies = func(method, _ string) (int, string) {
			if method != http.MethodPut {
				return 0, ""
			}
			puts++
			return http.StatusBadRequest, "PrincipalNotFound"
		}
		w.create(newHouse("h", 3))
		w.pass(2 * time.Second)
		if puts != 1 {
			t.Errorf("ARM got %d PUTs, want one", puts)
		}
	})
	t.Run("a service that refuses If-None-Match gets it once", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.RefusesIfNoneMatch: 1}})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		for range 2 {
			w.arm.Remove(houseID)
			w.pass(2 * time.Hour)
			w.has("made again", houseID, `{"rooms":3}`)
		}
		if n := w.count("PUT", houseID); n != 4 {
			t.Errorf("ARM got %d PUTs, want three and one that is refused", n)
		}
	})
}

// TestRefusedDelete has DELETEs that ARM refuses, or something before it.
func TestRefusedDelete(t *testing.T) {
	refuse := func(w *world, status int, code, in string) {
		w.replies = func(method, path string) (int, string) {
			if method == http.MethodDelete && strings.Contains(path, in) {
				return status, code
			}
			return 0, ""
		}
	}
	t.Run("405 passes, if ARM has a DELETE of the type", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed", houseID)
		w.delete(get[homes.House](w, "h"))
		w.pass(40 * time.Minute)
		w.expect("meanwhile", get[homes.House](w, "h"), "False MethodNotAllowed")
		w.replies = nil
		w.pass(20 * time.Minute)
		w.has("in the end", houseID, "")
		if get[homes.House](w, "h") != nil {
			t.Error("the object stays")
		}
	})
	t.Run("405 leaves what ARM cannot delete", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		d := &homes.Deal{ObjectMeta: objectMeta("x")}
		d.Spec.Fields.Owner = &reference.Owner{Name: "h"}
		w.create(d)
		w.pass(time.Minute)
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed", "/deals/")
		w.delete(get[homes.Deal](w, "x"))
		w.pass(time.Minute)
		if last := w.events.all[len(w.events.all)-1]; get[homes.Deal](w, "x") != nil || !strings.Contains(last, "Detached") {
			t.Errorf("the object is %v, and the last event %q", get[homes.Deal](w, "x"), last)
		}
	})
	t.Run("403 for what went with its scope lets the object go", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.MissingParent: 1}})
		w.create(newHouse("h", 3))
		m := &homes.Mark{ObjectMeta: objectMeta("m")}
		m.Spec.Fields.Owner = &reference.AnyOwner{ARMID: houseID}
		w.create(m)
		w.pass(time.Minute)
		w.arm.Remove(houseID)
		refuse(w, http.StatusForbidden, "AuthorizationFailed", "/marks/")
		before := len(w.arm.Requests())
		w.delete(get[homes.Mark](w, "m"))
		w.pass(15 * time.Minute)
		if n := len(w.arm.Requests()) - before; get[homes.Mark](w, "m") != nil || n > 10 {
			t.Errorf("after %d requests the object is %v", n, get[homes.Mark](w, "m"))
		}
	})
	for name, keys := range map[string]bool{"": true, ", and the keys are lost": false} {
		t.Run("a stop after the DELETE of what was sent without an answer costs no day"+name, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.lost = armtest.LostAnswer
			w.create(newHouse("h", 3))
			w.pass(time.Second)
			w.behave(armtest.Behavior{})
			if !keys {
				w.loseKeys()
			}
			edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Deletion] = "unknown" }) // so that it is not sent again
			w.start()
			w.answered = func(method, _ string) {
				if method == http.MethodDelete {
					w.answered = nil
					panic(crashed{})
				}
			}
			edit(w, "h", func(h *homes.House) { delete(h.Annotations, annotation.Deletion) })
			w.delete(get[homes.House](w, "h"))
			w.pass(10 * time.Minute)
			if h := get[homes.House](w, "h"); h != nil || w.count("DELETE", houseID) < 2 {
				t.Errorf("after %d DELETEs the object is %v", w.count("DELETE", houseID), h)
			}
		})
	}
}
