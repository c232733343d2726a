package cluster

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// workers is how many objects of a kind are under way at the same time in TestKill.
const workers = 4

// TestKill kills the operator again and again while 390 objects of eight
// kinds, of which some belong to others that belong to others or list them, are made,
// change and go, while somebody forges their records, others change children in ARM, there are
// no tokens for some time and the keys of records are lost. Nothing is lost, and each kill
// costs at most one PUT of a resource.
func TestKill(t *testing.T) {
	const houses, doors = 30, 3
	t.Parallel()
	seed, kills := night.Seed(t), night.Times(20, 60)
	random := rand.New(rand.NewPCG(seed, 0))
	s := newStage(t)
	s.role.Workers = workers
	s.role.Outage = filepath.Join(t.TempDir(), "outage")
	rates := armtest.AllFaults()
	for f := range rates {
		rates[f] /= 3 // since what is refused waits
	}
	rates[armtest.MissingParent], rates[armtest.Busy] = 1, 1
	faulty := armtest.Behavior{
		Seed: seed, Rates: rates, Slowest: 4 * time.Second, Lag: time.Second, RetryAfter: 2 * time.Second,
		WriteOnly: []string{"password"},
	}
	s.arm.Behave(faulty)
	town := &town{stage: s}
	// part calls do for those of n numbers that belong to one of the kills.
	part := func(kill, kills, n int, do func(int)) {
		for i := kill * n / kills; i < (kill+1)*n/kills; i++ {
			do(i)
		}
	}
	making, changing := kills/2, kills/4
	going := kills - making - changing

	for i := range making {
		kill := s.start()
		part(i, making, houses, func(house int) {
			town.build(house, doors)
			town.furnish(house)
			town.plant(house)
		})
		if i == making/2 {
			secret := &corev1.Secret{ObjectMeta: named("pw"), Data: map[string][]byte{"k": []byte("canary")}}
			if err := s.Create(t.Context(), secret); err != nil {
				t.Fatal(err)
			}
		}
		s.atWork(random)
		kill()
	}
	for i := range changing {
		restore := func() {}
		if i%2 == 1 {
			restore = s.outage()
		}
		kill := s.start()
		for range 100 / changing {
			town.change(town.things[random.IntN(len(town.things))])
		}
		restore()
		for range 10 {
			town.forge(random, town.things[random.IntN(len(town.things))])
		}
		s.atWork(random)
		town.meddle(random)
		kill()
	}
	s.arm.Behave(armtest.Behavior{Slowest: time.Second, WriteOnly: faulty.WriteOnly})
	kill := s.start()
	await.Until(s.T, "ready", s.allReady)
	town.inARM()
	town.count(making + changing)
	kill()

	before := len(s.arm.Requests())
	m := s.measure()
	m.until("all are looked at", "controller_runtime_reconcile_total", len(town.things))
	for _, r := range s.arm.Requests()[before:] {
		if r.Method != "GET" {
			t.Errorf("after a restart with everything ready ARM got %s %s", r.Method, r.ID)
		}
	}
	m.stop()

	// All that goes from here on has a record that nobody can confirm.
	if err := s.Delete(t.Context(), &corev1.Secret{ObjectMeta: named("armature-digest-keys")}); err != nil {
		t.Fatal(err)
	}
	s.arm.Behave(faulty)
	random.Shuffle(len(town.things), func(i, j int) { town.things[i], town.things[j] = town.things[j], town.things[i] })
	for i := range going {
		kill := s.start()
		part(i, going, len(town.things), func(n int) {
			if err := s.Delete(t.Context(), town.things[n].Object); err != nil {
				t.Fatal(err)
			}
		})
		s.atWork(random)
		kill()
	}
	s.arm.Behave(armtest.Behavior{Slowest: time.Second})
	s.start()
	await.Until(s.T, "gone", func() error {
		var left []string
		s.each(func(o *unstructured.Unstructured) { left = append(left, o.GetKind()+" "+o.GetName()) })
		if len(left)+len(s.arm.IDs()) > 0 {
			return fmt.Errorf("the objects %q are left, and in ARM %q", left, s.arm.IDs())
		}
		return nil
	})
}

// forge changes a thing, and writes into it its record without the signature, or an old record.
func (t *town) forge(random *rand.Rand, what *thing) {
	t.Helper()
	o := what.DeepCopyObject().(client.Object)
	if err := t.Get(t.Context(), client.ObjectKeyFromObject(what.Object), o); err != nil {
		t.Fatal(err)
	}
	text := o.GetAnnotations()[annotation.Sent]
	if text == "" {
		return
	}
	if what.record == "" || random.IntN(2) == 0 {
		what.record = text
		text, _, _ = strings.Cut(text, `,"mac":`)
		text += "}"
	} else {
		text = what.record
	}
	what.rooms++
	what.changes++
	t.patch(what.Object, fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}},"spec":{"fields":{"rooms":%d}}}`,
		annotation.Sent, text, what.rooms))
}

// outage lets the operator's own credential give no token until restore.
func (s *stage) outage() (restore func()) {
	s.Helper()
	if err := os.WriteFile(s.role.Outage, nil, 0o644); err != nil {
		s.Fatal(err)
	}
	return func() {
		if err := os.Remove(s.role.Outage); err != nil {
			s.Fatal(err)
		}
	}
}

// meddle gives some children that are objects another color, as others do who have ARM. No Spec
// has it, so nothing is to be sent because of it.
func (t *town) meddle(random *rand.Rand) {
	t.Helper()
	for _, what := range t.things {
		if _, is := what.Object.(*homes.Plant); !is || random.IntN(5) > 0 {
			continue
		}
		text, found := t.arm.Resource(what.id)
		if !found {
			continue
		}
		var body struct {
			Properties map[string]any `json:"properties"`
		}
		if err := json.Unmarshal(text, &body); err != nil {
			t.Fatal(err)
		}
		body.Properties["color"] = "red"
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		t.arm.Put(what.id, "2020-02-02", string(text))
	}
}

// furnish makes what a house has besides doors: a street that it refers to, a deal,
// which has a fixed name, and a mark on a door, which may be on anything.
func (t *town) furnish(i int) {
	t.Helper()
	house := fmt.Sprintf("h%d", i)
	street := &homes.Street{ObjectMeta: named(fmt.Sprintf("s%d", i))}
	street.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	t.patch(t.houses[i].Object, fmt.Sprintf(`{"spec":{"fields":{"streetReference":{"group":%q,"kind":"Street","name":%q}}}}`,
		homes.Group, street.Name))
	t.houses[i].changes++
	deal := &homes.Deal{ObjectMeta: named(fmt.Sprintf("t%d", i))}
	deal.Spec.Fields.Owner = &reference.Owner{Name: house}
	t.create(deal, houseID(i)+"/deals/default")
	mark := &homes.Mark{ObjectMeta: named(fmt.Sprintf("m%d", i))}
	mark.Spec.Fields.Owner = &reference.AnyOwner{Group: homes.Group, Kind: "Door", Name: fmt.Sprintf("d%d-0", i)}
	t.create(mark, doorID(i, 0)+"/providers/Contoso.Homes/marks/"+mark.Name)
	t.create(street, group+"/providers/Contoso.Homes/streets/"+street.Name)
}

// plant makes a garden that lists a plant, and has two that are objects.
func (t *town) plant(i int) {
	t.Helper()
	garden := &homes.Garden{ObjectMeta: named(fmt.Sprintf("g%d", i))}
	garden.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	rooms := int64(1)
	garden.Spec.Fields.Plants = []homes.InlinePlant{{Name: "listed", Rooms: &rooms}}
	id := group + "/providers/Contoso.Homes/gardens/" + garden.Name
	t.create(garden, id)
	t.listed = append(t.listed, &thing{id: id + "/plants/listed", rooms: rooms})
	for j := range 2 {
		plant := &homes.Plant{ObjectMeta: named(fmt.Sprintf("p%d-%d", i, j))}
		plant.Spec.Fields.Owner = &reference.Owner{Name: garden.Name}
		plant.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
		t.create(plant, id+"/plants/"+plant.Name)
	}
}

// atWork waits until the operator has sent some requests to ARM, or until it has had
// time for them: that is when it is killed.
func (s *stage) atWork(random *rand.Rand) {
	n, end := len(s.arm.Requests())+random.IntN(40), time.Now().Add(time.Duration(1000+random.IntN(4000))*time.Millisecond)
	for len(s.arm.Requests()) < n && time.Now().Before(end) {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
}

// count checks the number of PUTs of each resource.
func (t *town) count(kills int) {
	t.Helper()
	taken, allowed := map[string]int{}, map[string]int{}
	all, extra := 0, 0
	for _, r := range t.arm.Requests() {
		id := strings.ToLower(r.ID)
		if r.Method != "PUT" {
			continue
		}
		all++
		switch {
		case r.Status == 0:
			allowed[id]++
		case r.Status < 300:
			taken[id]++
		}
		for _, f := range r.Faults {
			if f == armtest.OperationFails {
				allowed[id]++
			}
		}
	}
	for _, what := range t.things {
		id := strings.ToLower(what.id)
		reasons := what.changes + allowed[id]
		if n := taken[id]; n > reasons+kills {
			t.Errorf("ARM took %d PUTs of %s, and there were %d reasons", n, id, reasons+kills)
		}
		extra += max(taken[id]-reasons, 0)
	}
	t.Logf("ARM got %d PUTs; %d of those that it took were for a kill", all, extra)
	if extra > kills*workers*len(kinds) { // a kill can cut short as many of each kind
		t.Errorf("%d kills cost %d PUTs", kills, extra)
	}
}
