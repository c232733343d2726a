package reconcile

import (
	"slices"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestUndecodable has objects of which only the metadata and the Status could be read. Package cluster has the API
// server that they come from.
func TestUndecodable(t *testing.T) {
	const why = "spec.fields.location: found number, expected string"
	spoil := func(p *homes.Plant) {
		p.Annotations[kinds.UndecodableAnnotation] = why
		p.Spec.Fields = homes.Plant{}.Spec.Fields
	}
	begin := func(t *testing.T) *world {
		w := newWorld(t, armtest.Behavior{})
		w.secret("pw", map[string]string{"k": "canary"})
		w.create(newGarden(1))
		a := newPlant("a", 2)
		a.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
		w.create(a)
		w.pass(time.Minute)
		return w
	}
	t.Run("nothing is sent for one, and a condition, an event and a metric say why", func(t *testing.T) {
		w := begin(t)
		before := len(w.arm.Requests())
		edit(w, "a", spoil)
		w.pass(48 * time.Hour)
		w.expect("told", get[homes.Plant](w, "a"), "False Undecodable", why, "before that value is corrected")
		for _, r := range w.arm.Requests()[before:] {
			if r.ID == plantID("a") {
				t.Errorf("ARM got %s %s", r.Method, r.ID)
			}
		}
		if all := w.gather(); !slices.Contains(all, "armature_objects homes.example.com Plant Undecodable stalled") {
			t.Errorf("the metrics are %q", all)
		}
		told := slices.DeleteFunc(slices.Clone(w.events.all), func(e string) bool {
			return e != "a Warning Undecodable: "+kinds.Undecodable(get[homes.Plant](w, "a")).Message
		})
		if len(told) != 1 {
			t.Errorf("got the events %q", w.events.all)
		}
		if s := get[homes.Plant](w, "a").Status; s.Id == nil || s.Rooms == nil {
			t.Errorf("the rest of the Status is gone: %+v", s)
		}
	})
	t.Run("one that is deleted stays, with its resource, until it is corrected", func(t *testing.T) {
		w := begin(t)
		spec := get[homes.Plant](w, "a").Spec
		edit(w, "a", spoil)
		w.delete(get[homes.Plant](w, "a"))
		w.pass(24 * time.Hour)
		w.expect("told", get[homes.Plant](w, "a"), "False Undecodable", why)
		w.has("its resource", plantID("a"), `{"password":"canary","rooms":2}`)
		edit(w, "a", func(p *homes.Plant) {
			delete(p.Annotations, kinds.UndecodableAnnotation)
			p.Spec = spec
		})
		w.pass(time.Hour)
		w.has("corrected", plantID("a"), "")
		if get[homes.Plant](w, "a") != nil {
			t.Error("the object is still there")
		}
	})
	t.Run("a PUT of its parent takes no secret away from one", func(t *testing.T) {
		w := begin(t)
		spec := get[homes.Plant](w, "a").Spec
		edit(w, "a", spoil)
		w.pass(time.Minute)
		edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(5)) })
		w.pass(time.Hour)
		w.has("the child", plantID("a"), `{"password":"canary","rooms":2}`)
		w.expect("the parent", get[homes.Garden](w, "g"), "False Undecodable", why, "take the secrets away from")
		edit(w, "a", func(p *homes.Plant) {
			delete(p.Annotations, kinds.UndecodableAnnotation)
			p.Spec = spec
		})
		w.pass(time.Minute)
		w.has("the parent when it is corrected", gardenID, `{"rooms":5}`)
		w.has("and the child", plantID("a"), `{"password":"canary","rooms":2}`)
	})
	t.Run("nothing refers to one that was only looked at", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		s := &homes.Street{ObjectMeta: objectMeta("s")}
		s.Spec.Fields.Owner = &reference.Owner{ARMID: group}
		s.Annotations = map[string]string{annotation.Adopt: annotation.AdoptObserve}
		w.putInARM(group+"/providers/Contoso.Homes/streets/s", `{"properties":{}}`)
		w.create(s)
		w.pass(time.Minute)
		w.expect("looked at", get[homes.Street](w, "s"), "True Succeeded")
		edit(w, "s", func(s *homes.Street) { s.Annotations[kinds.UndecodableAnnotation] = why })
		h := newHouse("h", 3)
		h.Spec.Fields.StreetReference = &reference.Resource{Group: homes.Group, Kind: "Street", Name: "s"}
		w.create(h)
		w.pass(time.Minute)
		if n := w.count("PUT", houseID); n != 0 {
			t.Errorf("ARM got %d PUTs", n)
		}
		w.expect("what refers to it", get[homes.House](w, "h"), "False Undecodable", why)
	})
}
