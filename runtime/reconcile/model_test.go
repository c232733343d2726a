package reconcile

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestModel lets users act in any order, while ARM fails in every way and the operator
// stops at any moment. In the end, when the failures have stopped, ARM has what the
// objects say and nothing else, and got at most one PUT for each change and each reason
// to send one again.
func TestModel(t *testing.T) {
	words := stateWords(t)
	rapid.Check(t, func(t *rapid.T) {
		none := homes.Hooks
		defer func() { homes.Hooks = none }()
		m := newModel(t, words)
		t.Repeat(map[string]func(*rapid.T){
			"create":      m.create,
			"edit":        m.edit,
			"delete":      m.delete,
			"policy":      m.policy,
			"password":    m.password,
			"credential":  m.credential,
			"stop":        m.stop,
			"tokens":      m.tokens,
			"lost in ARM": m.lost,
			"hook":        m.hook,
			"wait":        m.wait,
			"outputs":     m.outputs,
			"meddle":      m.meddle,
			"account":     m.account,
			"forge":       m.forge,
			"keys":        m.keys,
			"":            m.invariants,
		})
		m.finish()
	})
}

// model holds what the users want.
type model struct {
	*rapid.T
	w     *world
	rooms []int64          // that houses may have; ARM refuses 300
	want  map[string]*wish // by kind and name
	// changes counts, by ARM id, the contents that users wanted and the other events that
	// permit one more PUT.
	changes map[string]int
	// left has the ids that were left in ARM, about which nothing is checked.
	left   map[string]bool
	secret int
	unheld bool // the namespace's credential has lost its finalizer
	// unsigned reports whether a record has lost its signature. Then nothing shows with which
	// credential its object was sent.
	unsigned bool
	// records has all records that an object has had, by uid.
	records map[types.UID][]string
}

// wish is an object as its user wants it.
type wish struct {
	id string
	// needs names the objects that must exist first.
	needs []string
}

// things are the possible objects, each with its id and what it belongs to.
var things = map[string]*wish{
	"House h":  {houseID, nil},
	"House i":  {group + "/providers/Contoso.Homes/houses/i", nil},
	"Street s": {group + "/providers/Contoso.Homes/streets/s", nil},
	"Door d":   {doorID, []string{"House h"}},
	"Door e":   {group + "/providers/Contoso.Homes/houses/i/doors/e", []string{"House i"}},
	"Lock l":   {doorID + "/locks/l", []string{"Door d"}},
	"Deal x":   {houseID + "/deals/default", []string{"House h"}},
	"Mark m":   {houseID + "/providers/Contoso.Homes/marks/m", []string{"House h"}},
	"Mark n":   {managementGroup + "/providers/Contoso.Homes/marks/n", nil},
	"Treaty t": {"/providers/Contoso.Homes/treaties/t", nil},
}

var thingNames = func() (all []string) {
	for name := range things {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}()

// outages are how long ARM may answer in a model that it does not have what it has.
var outages = []time.Duration{0, 0, 3 * time.Minute}

// newModel begins a run in which resources stay in states of some words.
func newModel(t *rapid.T, words []string) *model {
	rates := armtest.AllFaults()
	if !rapid.Bool().Draw(t, "faults") {
		rates = nil
	}
	m := &model{T: t, rooms: []int64{1, 2, 3, 300}, want: map[string]*wish{}, changes: map[string]int{}, left: map[string]bool{},
		records: map[types.UID][]string{}}
	m.w = newWorld(t, armtest.Behavior{Seed: rapid.Uint64().Draw(t, "seed"), Rates: rates, States: words,
		Outage: rapid.SampledFrom(outages).Draw(t, "outage")})
	m.w.secret("pw", map[string]string{"k": "canary-0"})
	m.w.lag = rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond, 3 * time.Second}).Draw(t, "lag")
	return m
}

// object returns the object of a name, or nil.
func (m *model) object(name string) kinds.Resource {
	kind, name, _ := strings.Cut(name, " ")
	switch kind {
	case "House":
		return orNil(get[homes.House](m.w, name))
	case "Street":
		return orNil(get[homes.Street](m.w, name))
	case "Door":
		return orNil(get[homes.Door](m.w, name))
	case "Lock":
		return orNil(get[homes.Lock](m.w, name))
	case "Deal":
		return orNil(get[homes.Deal](m.w, name))
	case "Treaty":
		return orNil(get[homes.Treaty](m.w, name))
	}
	return orNil(get[homes.Mark](m.w, name))
}

func orNil[P interface {
	comparable
	kinds.Resource
}](object P) kinds.Resource {
	if object == *new(P) {
		return nil
	}
	return object
}

// changeFields changes fields of a Spec, and the version that it was written for.
type changeFields func(location **string, rooms **int64, password **reference.Secret, street **reference.Resource,
	color **string, version *string)

// fieldsOfAny changes the Spec of an object.
func fieldsOfAny(r kinds.Resource, change changeFields) {
	switch r := r.(type) {
	case *homes.House:
		fieldsOf(&r.Spec.Fields, &r.Spec.OriginalVersion, change)
	case *homes.Street:
		fieldsOf(&r.Spec.Fields, &r.Spec.OriginalVersion, change)
	case *homes.Door:
		fieldsOf(&r.Spec.Fields, &r.Spec.OriginalVersion, change)
	case *homes.Lock:
		fieldsOf(&r.Spec.Fields, &r.Spec.OriginalVersion, change)
	case *homes.Deal:
		fieldsOf(&r.Spec.Fields, &r.Spec.OriginalVersion, change)
	case *homes.Mark:
		fieldsOf(&r.Spec.Fields, &r.Spec.OriginalVersion, change)
	case *homes.Treaty:
		fieldsOf(&r.Spec.Fields, &r.Spec.OriginalVersion, change)
	}
}

func fieldsOf[O any](s *homes.Spec[O], version *string, change changeFields) {
	change(&s.Location, &s.Rooms, &s.Password, &s.StreetReference, &s.Color, version)
}

// randomize gives an object random content, which may be invalid.
func (m *model) randomize(t *rapid.T, r kinds.Resource) {
	fieldsOfAny(r, func(location **string, rooms **int64, password **reference.Secret, street **reference.Resource,
		color **string, version *string) {
		*location = p(rapid.SampledFrom([]string{"westeurope", "eastus"}).Draw(t, "location"))
		*rooms = p(rapid.SampledFrom(m.rooms).Draw(t, "rooms"))
		*password, *street, *color = nil, nil, nil
		if rapid.IntRange(0, 2).Draw(t, "password") == 0 {
			*password = &reference.Secret{Name: "pw", Key: "k"}
		}
		if _, isHouse := r.(*homes.House); isHouse && rapid.IntRange(0, 2).Draw(t, "street") == 0 {
			*street = &reference.Resource{Group: homes.Group, Kind: "Street", Name: "s"}
		}
		if rapid.Bool().Draw(t, "color") {
			*color = p("red")
		}
		*version = rapid.SampledFrom([]string{homes.V2019, homes.V2020}).Draw(t, "version")
	})
}

func (m *model) draw(t *rapid.T, exists bool) (name string, r kinds.Resource) {
	var all []string
	for _, n := range thingNames {
		if o := m.object(n); (o != nil) == exists && (o == nil || o.GetDeletionTimestamp().IsZero()) {
			all = append(all, n)
		}
	}
	if len(all) == 0 {
		t.Skip("there is nothing to choose from")
	}
	name = rapid.SampledFrom(all).Draw(t, "object")
	return name, m.object(name)
}

func (m *model) create(t *rapid.T) {
	name, _ := m.draw(t, false)
	m.make(name, func(r kinds.Resource) { m.randomize(t, r) })
}

func (m *model) make(name string, change func(kinds.Resource)) {
	kind, short, _ := strings.Cut(name, " ")
	owner := reference.Owner{ARMID: group}
	if n := things[name].needs; n != nil {
		_, of, _ := strings.Cut(n[0], " ")
		owner = reference.Owner{Name: of}
	}
	var r kinds.Resource
	switch meta := objectMeta(short); kind {
	case "House":
		o := &homes.House{ObjectMeta: meta}
		o.Spec.Fields.Owner, r = &owner, o
	case "Street":
		o := &homes.Street{ObjectMeta: meta}
		o.Spec.Fields.Owner, r = &owner, o
	case "Door":
		o := &homes.Door{ObjectMeta: meta}
		o.Spec.Fields.Owner, r = &owner, o
	case "Lock":
		o := &homes.Lock{ObjectMeta: meta}
		o.Spec.Fields.Owner, r = &owner, o
	case "Deal":
		o := &homes.Deal{ObjectMeta: meta}
		o.Spec.Fields.Owner, r = &owner, o
	case "Mark":
		o := &homes.Mark{ObjectMeta: meta}
		o.Spec.Fields.Owner, r = &reference.AnyOwner{Group: homes.Group, Kind: "House", Name: owner.Name}, o
		if owner.Name == "" {
			o.Spec.Fields.Owner = &reference.AnyOwner{ARMID: managementGroup}
		}
	case "Treaty":
		r = &homes.Treaty{ObjectMeta: meta}
	}
	change(r)
	m.w.create(r)
	m.allow(name)
}

// allow permits one more PUT of a resource.
func (m *model) allow(name string) { m.changes[strings.ToLower(things[name].id)]++ }

func (m *model) update(r kinds.Resource, change func()) {
	before := specOf(r)
	change()
	if specOf(r) != before {
		r.SetGeneration(r.GetGeneration() + 1)
	}
	if err := m.w.store.Update(m.Context(), r); err != nil {
		m.Fatalf("%v", err)
	}
}

func (m *model) edit(t *rapid.T) {
	name, r := m.draw(t, true)
	m.update(r, func() { m.randomize(t, r) })
	m.allow(name)
}

func (m *model) delete(t *rapid.T) {
	name, r := m.draw(t, true)
	m.leaves(name, r)
	m.w.delete(r)
}

// leaves notes what the deletion of an object leaves in ARM.
func (m *model) leaves(name string, r kinds.Resource) {
	if !policy.Of(r, nil, policy.Defaults{}).Deletes() {
		m.left[strings.ToLower(things[name].id)] = true
	}
}

func (m *model) policy(t *rapid.T) {
	_, r := m.draw(t, true)
	m.update(r, func() {
		a := r.GetAnnotations()
		if a == nil {
			a = map[string]string{}
		}
		a[annotation.Adopt] = rapid.SampledFrom([]string{"create", "create", "exact", "observe", "mange"}).Draw(t, "adopt")
		a[annotation.Deletion] = rapid.SampledFrom([]string{"delete", "delete", "detach", "protect"}).Draw(t, "deletion")
		if rapid.Bool().Draw(t, "unset") {
			delete(a, annotation.Adopt)
			delete(a, annotation.Deletion)
		}
		r.SetAnnotations(a)
	})
	m.noteLeft()
}

// noteLeft notes what objects that are being deleted leave in ARM: the policy may
// change while they are.
func (m *model) noteLeft() {
	for _, name := range thingNames {
		if r := m.object(name); r != nil && !policy.Of(r, nil, policy.Defaults{}).Deletes() {
			m.left[strings.ToLower(things[name].id)] = true
		}
	}
}

func (m *model) password(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "delete") == 0 {
		if s := get[corev1.Secret](m.w, "pw"); s != nil {
			m.w.delete(s)
		}
		return
	}
	m.secret++
	m.w.secret("pw", map[string]string{"k": fmt.Sprintf("canary-%d", m.secret)})
	for _, name := range thingNames {
		m.allow(name)
	}
}

func (m *model) credential(t *rapid.T) {
	s := get[corev1.Secret](m.w, CredentialSecret)
	if s != nil && !s.DeletionTimestamp.IsZero() {
		return
	}
	if s != nil && rapid.Bool().Draw(t, "delete") {
		m.w.delete(s)
		return
	}
	if s != nil && rapid.Bool().Draw(t, "replace") {
		m.unheld = true
		edit(m.w, CredentialSecret, func(s *corev1.Secret) { s.Finalizers, s.Labels = nil, nil })
		return
	}
	m.secret++
	if rapid.IntRange(0, 2).Draw(t, "account") == 0 {
		m.w.secret(CredentialSecret, map[string]string{TenantKey: "t", ClientKey: "c", ServiceAccountKey: theAccount})
		return
	}
	m.w.secret(CredentialSecret, map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: fmt.Sprintf("canary-%d", m.secret)})
}

// theAccount is the ServiceAccount whose tokens a credential may name.
const theAccount = "azure"

// account makes the ServiceAccount, or deletes it, whatever objects still need it.
func (m *model) account(*rapid.T) {
	if a := get[corev1.ServiceAccount](m.w, theAccount); a != nil {
		m.w.delete(a)
		return
	}
	m.w.create(&corev1.ServiceAccount{ObjectMeta: objectMeta(theAccount)})
}

func (m *model) stop(t *rapid.T) {
	m.w.crashAt = rapid.IntRange(1, 12).Draw(t, "after")
	m.wait(t)
}

// tokens lets a minute pass in which the operator's own credential gives no token, and a client
// has none from before.
func (m *model) tokens(*rapid.T) {
	m.w.tokenless = errors.New("dial tcp: no such host")
	m.w.crashes++ // a start forgets what is under way, as after a stop
	m.w.start()
	m.w.pass(time.Minute)
	m.w.tokenless = nil
}

func (m *model) lost(t *rapid.T) {
	ids := m.w.arm.IDs()
	if len(ids) == 0 {
		t.Skip("ARM has nothing")
	}
	m.w.arm.Remove(rapid.SampledFrom(ids).Draw(t, "id"))
	for _, name := range thingNames {
		m.allow(name) // children go with it
	}
}

// forge takes the signature of a record away, or writes an old record back.
func (m *model) forge(t *rapid.T) {
	name, r := m.draw(t, true)
	text := r.GetAnnotations()[annotation.Sent]
	if text == "" {
		t.Skip("it has no record")
	}
	m.records[r.GetUID()] = append(m.records[r.GetUID()], text)
	if rapid.Bool().Draw(t, "replay") {
		text = rapid.SampledFrom(m.records[r.GetUID()]).Draw(t, "record")
	} else {
		text = withoutMAC(text)
	}
	m.update(r, func() { r.GetAnnotations()[annotation.Sent] = text })
	m.allow(name)
	m.unsigned = true
	if !record.Of(r).MayExist() { // then its deletion deletes nothing
		m.left[strings.ToLower(things[name].id)] = true
	}
}

// keys loses the keys of records, while the operator runs or when it does not.
func (m *model) keys(t *rapid.T) {
	if rapid.Bool().Draw(t, "stopped") {
		m.w.start()
	}
	m.w.delete(secretOf(m.w.op.keys.Secret.Namespace, m.w.op.keys.Secret.Name, nil))
	m.unsigned = true
	for _, name := range thingNames {
		m.allow(name)
	}
}

// hook lets hooks fail, or work again.
func (m *model) hook(t *rapid.T) {
	homes.Hooks.BeforeSend, homes.Hooks.AfterRead = nil, nil
	if rapid.Bool().Draw(t, "before") {
		homes.Hooks.BeforeSend = func(r *arm.Request) error { return fmt.Errorf("no: %s", r.Body) }
	}
	if rapid.Bool().Draw(t, "after") {
		homes.Hooks.AfterRead = func(_ **int64, body []byte) error { return fmt.Errorf("no: %s", body) }
	}
}

func (m *model) wait(t *rapid.T) {
	times := []time.Duration{0, time.Second, 7 * time.Second, time.Minute, 20 * time.Minute, 2 * time.Hour}
	m.w.pass(rapid.SampledFrom(times).Draw(t, "time"))
}

// invariants are true at any time.
func (m *model) invariants(t *rapid.T) {
	if all := m.w.arm.Strangers(); len(all) > 0 {
		m.fail("a token went to another host: %q", all)
	}
	if text := m.w.everything(); strings.Contains(text, "canary") {
		at := strings.Index(text, "canary")
		m.fail("a secret is where people see it: %s", text[max(at-300, 0):min(at+100, len(text))])
	}
	if len(m.w.errors) > 0 {
		m.fail("the operator failed: %q", m.w.errors)
	}
	taken := map[string]int{}
	allowed := map[string]int{}
	for id, n := range m.changes {
		allowed[id] = n + m.w.crashes
	}
	for _, r := range m.w.arm.Requests() {
		id := strings.ToLower(r.ID)
		if r.Method == "PUT" && r.Status >= 200 && r.Status < 300 {
			taken[id]++
			if slices.Contains(r.Faults, armtest.OperationFails) {
				allowed[id]++
			}
			if version := r.APIVersion; strings.Contains(string(r.Body), "color") && version != "2020-02-02" {
				m.fail("%s was sent at %s", r.Body, version)
			}
		}
		if r.Method == "PUT" && r.Status == 0 {
			allowed[id]++
		}
	}
	for id, n := range taken {
		if n > allowed[id] {
			m.fail("ARM got %d PUTs of %s, and there were %d reasons", n, id, allowed[id])
		}
	}
}

// fail fails with what there is to know.
func (m *model) fail(format string, args ...any) {
	m.Helper()
	var b strings.Builder
	for _, r := range m.w.arm.Requests() {
		fmt.Fprintf(&b, "\n  %s %s %d %s %v", r.Method, r.ID, r.Status, r.Body, r.Faults)
	}
	b.WriteString("\nobjects:")
	m.w.each(func(k *kinds.Kind, r kinds.Resource) {
		fmt.Fprintf(&b, "\n  %s %s: %s %q deleted %v %v", k.Kind, r.GetName(), ready(r), message(r), r.GetDeletionTimestamp(),
			r.GetAnnotations())
	})
	m.Fatalf(format+"\nrequests: %s\nevents:\n  %s", append(args, b.String(), strings.Join(m.w.events.all, "\n  "))...)
}

// finish stops the failures, lets the users correct what they did wrong, and checks
// everything.
func (m *model) finish() {
	w := m.w
	w.crashAt = 0
	if get[corev1.ServiceAccount](w, theAccount) == nil {
		w.create(&corev1.ServiceAccount{ObjectMeta: objectMeta(theAccount)})
	}
	homes.Hooks.BeforeSend, homes.Hooks.AfterRead = nil, nil
	w.arm.Recover()
	w.behave(armtest.Behavior{Seed: 1, Rates: armtest.AllFaults().Without(
		armtest.OperationFails, armtest.Transient400, armtest.Transient404, armtest.Transient409,
		armtest.Throttled, armtest.ServerError, armtest.LostRequest, armtest.LostAnswer,
	)})
	for _, name := range thingNames { // a user who deletes with an invalid policy has to choose one
		r := m.object(name)
		if r == nil {
			continue
		}
		if p := policy.Of(r, nil, policy.Defaults{}); p.Problem() != "" || p.Deletion == annotation.DeletionProtect {
			m.update(r, func() { m.setPolicy(r, annotation.AdoptExact, annotation.DeletionDelete) })
		}
	}
	w.pass(time.Minute)
	// The Secret was deleted before it was held again; or an object without a signed record does not get
	// the operator's own credential, because another object, from which ARM has accepted nothing, was sent
	// with the Secret's.
	if (m.unheld || m.unsigned) && get[corev1.Secret](w, CredentialSecret) == nil {
		w.secret(CredentialSecret, map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: "canary-again"})
	}
	w.pass(27 * time.Hour) // what may still be made is waited for a day
	// A user who deletes an object without a signed record and without an owner has to say that
	// its resource stays.
	for _, name := range thingNames {
		if r := m.object(name); r != nil && ready(r) == "False "+ReasonUnconfirmed {
			m.update(r, func() { m.setPolicy(r, "", annotation.DeletionDetach) })
			m.left[strings.ToLower(things[name].id)] = true
		}
	}
	w.pass(time.Minute)
	if get[corev1.Secret](w, "pw") == nil {
		w.secret("pw", map[string]string{"k": "canary-last"})
		for _, name := range thingNames {
			m.allow(name)
		}
	}
	// A user who deleted the Secret of the namespace names another one.
	own := get[corev1.Secret](w, CredentialSecret)
	lost := own == nil || !own.DeletionTimestamp.IsZero()
	w.secret("last", map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: "canary-last"})
	repair := func(r kinds.Resource) {
		if m.repair(r); lost {
			r.GetAnnotations()[annotation.CredentialFrom] = "last"
		}
	}
	for range 3 { // owners have owners
		for _, name := range thingNames {
			r := m.object(name)
			if r == nil {
				continue
			}
			if !r.GetDeletionTimestamp().IsZero() {
				m.fail("%s is not gone", name)
			}
			m.update(r, func() {
				repair(r)
				m.repairLocation(name, r)
			})
			m.allow(name)
			for _, n := range m.needsOf(name, r) {
				if m.object(n) == nil {
					m.make(n, repair)
				}
			}
		}
	}
	w.pass(time.Hour)
	w.arm.Rotate(houseID) // which a refresh finds out
	w.pass(3 * time.Hour)
	m.settled()
	for i := range thingNames {
		name := thingNames[(i*3+m.secret)%len(thingNames)]
		if r := m.object(name); r != nil {
			w.delete(r)
		}
	}
	w.pass(3 * time.Hour)
	for _, name := range []string{CredentialSecret, "last"} {
		if s := get[corev1.Secret](w, name); s != nil {
			w.delete(s)
			// Somebody may have written back a record that names another one.
			w.pass(time.Minute)
			if get[corev1.Secret](w, name) != nil {
				m.fail("the Secret %s cannot go", name)
			}
		}
	}
	for _, name := range thingNames {
		if m.object(name) != nil {
			m.fail("%s is not gone at last", name)
		}
	}
	m.delivered()
	for _, id := range w.arm.IDs() {
		if !m.isLeft(id) {
			m.fail("%s is left in ARM", id)
		}
	}
}

func (m *model) setPolicy(r kinds.Resource, adopt, deletion string) {
	a := r.GetAnnotations()
	if a == nil {
		a = map[string]string{}
	}
	a[annotation.Adopt], a[annotation.Deletion] = adopt, deletion
	r.SetAnnotations(a)
}

// repair makes an object valid.
func (m *model) repair(r kinds.Resource) {
	m.setPolicy(r, annotation.AdoptExact, annotation.DeletionDelete) // as for what is ARM's when the keys are lost
	m.repairOutputs(r)
	delete(r.GetAnnotations(), annotation.APIVersion)
	fieldsOfAny(r, func(_ **string, rooms **int64, _ **reference.Secret, _ **reference.Resource, color **string, version *string) {
		if *rooms != nil && **rooms > 100 {
			*rooms = p(int64(100))
		}
		if *version == homes.V2019 {
			*color = nil
		}
	})
}

// repairLocation sets the location of a thing back to where ARM has it.
func (m *model) repairLocation(name string, r kinds.Resource) {
	body, _ := m.w.arm.Resource(things[name].id)
	var has struct{ Location *string }
	if json.Unmarshal(body, &has) != nil || has.Location == nil {
		return
	}
	fieldsOfAny(r, func(location **string, _ **int64, _ **reference.Secret, _ **reference.Resource, _ **string, _ *string) {
		if *location != nil {
			*location = has.Location
		}
	})
}

func (m *model) needsOf(name string, r kinds.Resource) []string {
	all := slices.Clone(things[name].needs)
	fieldsOfAny(r, func(_ **string, _ **int64, _ **reference.Secret, street **reference.Resource, _ **string, _ *string) {
		if *street != nil {
			all = append(all, "Street s")
		}
	})
	return all
}

// isLeft reports whether an id, or what it belongs to, was left in ARM on purpose.
func (m *model) isLeft(id string) bool {
	for left := range m.left {
		if strings.EqualFold(left, id) || strings.HasPrefix(strings.ToLower(id), left+"/") {
			return true
		}
	}
	return false
}

// settled checks that ARM has what the objects say.
func (m *model) settled() {
	password := string(get[corev1.Secret](m.w, "pw").Data["k"])
	ids := map[string]bool{}
	for _, name := range thingNames {
		r := m.object(name)
		if r == nil {
			continue
		}
		id := things[name].id
		ids[strings.ToLower(id)] = true
		if ready(r) != "True Succeeded" {
			m.fail("%s is not ready", name)
		}
		want := map[string]any{}
		var location *string
		fieldsOfAny(r, func(l **string, rooms **int64, pw **reference.Secret, street **reference.Resource, color **string, _ *string) {
			location = *l
			if *rooms != nil {
				want["rooms"] = float64(**rooms)
			}
			if *pw != nil {
				want["password"] = password
			}
			if *street != nil {
				want["streetId"] = things["Street s"].id
			}
			if *color != nil {
				want["color"] = **color
			}
		})
		text, _ := m.w.arm.Resource(id)
		var got struct {
			Location   *string
			Properties map[string]any
		}
		if err := json.Unmarshal(text, &got); err != nil {
			m.fail("ARM has no %s", name)
		}
		if fmt.Sprint(got.Properties) != fmt.Sprint(want) || (got.Location == nil) != (location == nil) ||
			location != nil && *got.Location != *location {
			m.fail("ARM has %s for %s, want %v", text, name, want)
		}
	}
	for _, id := range m.w.arm.IDs() {
		if !ids[strings.ToLower(id)] && !m.isLeft(id) {
			m.fail("%s is left in ARM", id)
		}
	}
	m.delivered()
	m.invariants(m.T)
}
