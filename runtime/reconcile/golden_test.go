package reconcile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestGoldenRequests sends objects, and compares bodies and digests with those of the releases
// before. Where they differ, an upgrade sends each such object once more.
func TestGoldenRequests(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.create(secretOf("operator", "armature-digest-keys", map[string]string{"k1": strings.Repeat("x", 32), "current": "k1"}))
	w.secret("pw", map[string]string{"k": "canary <&> \u2028 é"})
	s := &homes.Street{ObjectMeta: objectMeta("s")}
	s.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	w.create(s)
	h := newHouse("h", 3)
	f := &h.Spec.Fields
	f.Location, f.Color, f.Password = p("westeurope"), p("<red> & \u2028 é"), &reference.Secret{Name: "pw", Key: "k"}
	f.StreetReference = &reference.Resource{Group: homes.Group, Kind: "Street", Name: "s"}
	w.create(h)
	older := newHouse("older", 4)
	older.Spec.OriginalVersion = homes.V2019
	w.create(older)
	w.create(newDoor("d", "h"))
	m := &homes.Mark{ObjectMeta: objectMeta("m")}
	m.Spec.Fields.Owner = &reference.AnyOwner{Group: homes.Group, Kind: "House", Name: "h"}
	w.create(m)
	g := newGarden(1, "b", "A")
	complete(g)
	w.create(g)
	w.pass(5 * time.Minute)
	digests := map[string]string{}
	w.each(func(_ *kinds.Kind, r kinds.Resource) {
		s := record.Of(r)
		digests[strings.ToLower(s.ID)] = s.Digest
	})
	var all []string
	for _, r := range w.arm.Requests() {
		if r.Method == "PUT" {
			all = append(all, fmt.Sprintf("PUT %s?api-version=%s\n%s\ndigest %s\n",
				r.ID, r.APIVersion, r.Body, digests[strings.ToLower(r.ID)]))
		}
	}
	slices.Sort(all)
	golden.Equal(t, "testdata/requests.txt", strings.Join(all, "\n"))
}
