package roundtrip

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/armature-dev/armature/runtime/conversion"
	"k8s.io/apimachinery/pkg/runtime"
)

// Law is a promise that must hold for every version, or for every ordered pair of
// versions.
type Law struct {
	// Name is the name of its subtest.
	Name string
	// OfHub is set if the law is about the hub's version too.
	OfHub bool
	// OfClients is set if the law is about clients, which do not see the storage
	// versions of generated kinds.
	OfClients bool
	// OfPair is set if the law is about pairs of versions.
	OfPair bool
	// OfPairs is the law's name in waivers that only pairs need, if there is a law
	// of single versions with the same name.
	OfPairs string
	// Shared is set if each object of a version is tried with some of the other
	// versions only.
	Shared bool
	// Holds returns an error if the law does not hold.
	Holds func(*Trial) error
}

// Laws are all laws.
var Laws = []Law{
	// An object that converts to the hub and back is unchanged.
	{Name: "RoundTrip", Holds: roundTrip},
	// A hub that converts to the version and back is unchanged: a client that writes
	// back what it read changes nothing.
	{Name: "NoLoss", Holds: noLoss},
	// A client finds its edit when it reads the object again.
	{Name: "Edit", OfClients: true, Holds: editStays},
	// A client's edit of one property leaves every other property of the hub as it was.
	{Name: "Frame", OfClients: true, Holds: frame},
	// An object survives being written as JSON and read.
	{Name: "JSON", OfHub: true, Holds: survivesJSON},
	// A deep copy is equal, and shares no memory with the original.
	{Name: "Copy", OfHub: true, Holds: copiesShareNothing},
	// No conversion fails or panics, whether the object is full, partial or empty,
	// and whatever is in its bags.
	{Name: "Reliability", Holds: reliable},
	// A conversion leaves its source unchanged. After the conversion of a generated
	// version, a write to the destination does not change the source.
	{Name: "Source", Holds: sourceUntouched},
	// A conversion leaves metadata unchanged.
	{Name: "Metadata", Holds: metadataKept},
	// Spec and Status convert separately in the same way as together.
	{Name: "Halves", Holds: halves},
	// An object at A that a client of B reads, and writes back, is as it was at A.
	{Name: "Pair", OfPair: true, Holds: pair},
	// A client of B finds its edit after a client of A has read the object and written
	// it back.
	{Name: "Edit", OfPair: true, OfPairs: "PairEdit", Shared: true, Holds: pairEdit},
	// An edit by a client of B of an object that was written at A leaves every
	// other property of the hub as it was.
	{Name: "Frame", OfPair: true, OfPairs: "PairFrame", Shared: true, Holds: pairFrame},
	// What a client of B is shown of a valid object of A is valid, except for
	// properties whose rules are not the same in every version.
	{Name: "Valid", OfPair: true, Shared: true, Holds: showsValid},
}

// up converts an object to a new hub.
func (t *Trial) up(object runtime.Object) (conversion.Hub, error) {
	hub := empty(t.Hub)
	if err := object.(conversion.Convertible).ConvertTo(hub); err != nil {
		return nil, fmt.Errorf("%T to %T: %w", object, hub, err)
	}
	return hub, nil
}

// down converts a hub to a new object of the type of like.
func (t *Trial) down(hub conversion.Hub, like runtime.Object) (conversion.Convertible, error) {
	object := empty(like).(conversion.Convertible)
	if err := object.ConvertFrom(hub); err != nil {
		return nil, fmt.Errorf("%T from %T: %w", object, hub, err)
	}
	return object, nil
}

// through returns a hub after a client of a version read it and wrote it back.
func (t *Trial) through(hub conversion.Hub, like runtime.Object) (conversion.Hub, error) {
	e, err := t.exchange(hub, like)
	if err != nil {
		return nil, err
	}
	return e.written, nil
}

// exchange has the object that a client is shown of a hub, and the hub after the
// client wrote that object back. All laws share both, and must not change them.
type exchange struct {
	shown   conversion.Convertible
	written conversion.Hub
}

// exchangeKey is a hub and the version of a client.
type exchangeKey struct {
	hub     conversion.Hub
	version reflect.Type
}

// exchange returns the exchange with a client of a version, and keeps it for other
// laws if other laws have the hub.
func (t *Trial) exchange(hub conversion.Hub, like runtime.Object) (*exchange, error) {
	key := exchangeKey{hub, reflect.TypeOf(like)}
	if known := t.exchanges[key]; known != nil {
		return known, nil
	}
	shown, err := t.down(hub, like)
	if err != nil {
		return nil, err
	}
	written, err := t.up(shown)
	if err != nil {
		return nil, err
	}
	e := &exchange{shown, written}
	if len(t.exchanges) < maxKept && !t.again {
		if t.exchanges == nil {
			t.exchanges = map[exchangeKey]*exchange{}
		}
		t.exchanges[key] = e
	}
	return e, nil
}

// read returns a hub, and the exchange with a client of the trial's version.
func (t *Trial) read() (conversion.Hub, *exchange, error) {
	hub := t.input(t.Hub, nil).(conversion.Hub)
	if t.again { // the hub is made smaller in place, so that it is another one each time
		hub = hub.DeepCopyObject().(conversion.Hub)
	}
	e, err := t.exchange(hub, t.Object)
	return hub, e, err
}

// hub draws a hub.
func (t *Trial) hub() conversion.Hub { return t.draw(t.Hub).(conversion.Hub) }

// object draws an object of the trial's version.
func (t *Trial) object() conversion.Convertible { return t.draw(t.Object).(conversion.Convertible) }

func roundTrip(t *Trial) error {
	object := t.object()
	hub, err := t.up(object)
	if err != nil {
		return err
	}
	back, err := t.down(hub, t.Object)
	if err != nil {
		return err
	}
	return t.same("after a round trip through the hub", object, back, exact)
}

func noLoss(t *Trial) error {
	hub, e, err := t.read()
	if err != nil {
		return err
	}
	return t.blameHooks(t.same(fmt.Sprintf("after a round trip through %T", t.Object), hub, e.written, equality{emptyMetadata: true}))
}

func editStays(t *Trial) error {
	_, e, err := t.read()
	if err != nil {
		return err
	}
	return t.editStays(e, t.Object)
}

// editStays makes an edit, and returns an error if the object no longer has it when it
// is read again, after a client of another version read it and wrote it back.
func (t *Trial) editStays(e *exchange, between runtime.Object) error {
	shown := e.shown.DeepCopyObject().(conversion.Convertible)
	if t.edit(shown) == nil {
		return nil
	}
	hub, err := t.up(shown)
	if err != nil {
		return err
	}
	if name(between) != name(shown) {
		reader, err := t.down(hub, between)
		if err != nil {
			return err
		}
		if hub, err = t.up(reader); err != nil {
			return err
		}
	}
	back, err := t.down(hub, shown)
	if err != nil {
		return err
	}
	return t.same("after it was edited and written", shown, back, equality{anyBag: true, emptyMetadata: true})
}

func frame(t *Trial) error {
	hub, e, err := t.read()
	if err != nil {
		return err
	}
	return t.frame(hub, e)
}

func pair(t *Trial) error {
	s, err := t.start()
	if err != nil {
		return err
	}
	hub, err := t.through(s.hub, t.Other)
	if err != nil {
		return err
	}
	if s.kept && exact.equal(s.hub, hub) {
		return nil // start already compared the object that this hub converts to
	}
	back, err := t.down(hub, t.Object)
	if err != nil {
		return err
	}
	return t.same(fmt.Sprintf("after a round trip through %T", t.Other), s.object, back, equality{emptyMetadata: true})
}

func pairEdit(t *Trial) error {
	s, err := t.start()
	if err != nil {
		return err
	}
	e, err := t.exchange(s.hub, t.Other)
	if err != nil {
		return err
	}
	return t.editStays(e, t.Object)
}

func pairFrame(t *Trial) error {
	s, err := t.start()
	if err != nil {
		return err
	}
	e, err := t.exchange(s.hub, t.Other)
	if err != nil {
		return err
	}
	return t.frame(s.hub, e)
}

// start is an object of the trial's version and the hub that it converts to.
type start struct {
	inputs []runtime.Object
	object conversion.Convertible
	hub    conversion.Hub
	kept   bool // it comes back from the hub as it was
}

// maxStarts is how many starts are kept for the trials with other versions.
const maxStarts = 2 * defaultRuns

// start returns an object with its hub, and keeps it for the other pairs.
func (t *Trial) start() (*start, error) {
	if known := t.starts[t.seed]; known != nil && !t.again {
		t.inputs, t.drawn = known.inputs, len(known.inputs)
		return known, nil
	}
	s := &start{object: t.object()}
	var err error
	if s.hub, err = t.up(s.object); err != nil {
		return nil, err
	}
	back, err := t.down(s.hub, t.Object)
	if err != nil {
		return nil, err
	}
	s.kept = t.same("after a round trip through the hub", s.object, back, exact) == nil
	s.inputs = t.inputs
	if t.starts == nil {
		t.starts = map[int64]*start{}
	}
	if len(t.starts) < maxStarts && !t.again {
		t.starts[t.seed] = s
	}
	return s, nil
}

func survivesJSON(t *Trial) error {
	object, back := t.draw(t.Object), empty(t.Object)
	data, err := json.Marshal(object)
	if err != nil {
		return fmt.Errorf("%T: %w", object, err)
	}
	if err := json.Unmarshal(data, back); err != nil {
		return fmt.Errorf("%T: %w\n%s", object, err, data)
	}
	return t.same("after a round trip through JSON", object, back, equality{emptyMetadata: true})
}

func copiesShareNothing(t *Trial) error {
	object := t.input(t.Object, nil)
	copied := object.DeepCopyObject()
	if err := t.same("as a deep copy", object, copied, exact); err != nil {
		return err
	}
	if path := shared(reflect.ValueOf(object).Elem(), reflect.ValueOf(copied).Elem()); path != "" {
		return fmt.Errorf("%T shares %s with its deep copy", object, strings.TrimPrefix(path, "."))
	}
	return nil
}

func reliable(t *Trial) error {
	bags := t.bagsOf(t.Object)
	hub, object := t.drawWith(bags, t.Hub).(conversion.Hub), t.drawWith(bags, t.Object)
	for _, object := range []runtime.Object{empty(t.Object), object} {
		if _, err := t.up(object); err != nil {
			return err
		}
	}
	for _, hub := range []conversion.Hub{empty(t.Hub), hub} {
		if _, err := t.down(hub, t.Object); err != nil {
			return err
		}
	}
	return nil
}

func sourceUntouched(t *Trial) error {
	object := t.object()
	before := object.DeepCopyObject()
	hub, err := t.up(object)
	if err != nil {
		return err
	}
	if generated(object) {
		scribble(reflect.ValueOf(hub))
	}
	if err := t.same(fmt.Sprintf("after a conversion to %T", hub), before, object, exact); err != nil {
		return err
	}

	hub = t.hub()
	before = hub.DeepCopyObject()
	if object, err = t.down(hub, t.Object); err != nil {
		return err
	}
	if generated(object) {
		scribble(reflect.ValueOf(object))
	}
	return t.same(fmt.Sprintf("after a conversion to %T", object), before, hub, exact)
}

func metadataKept(t *Trial) error {
	object := t.object()
	if generated(object) && newRand(t.seed, metadataStream).Intn(2) == 0 {
		object.GetObjectKind().SetGroupVersionKind(ownVersion(object).WithKind("AnyKind"))
	}
	hub, err := t.up(object)
	if err != nil {
		return err
	}
	back, err := t.down(hub, t.Object)
	if err != nil {
		return err
	}
	return errors.Join(t.sameMetadata(object, hub), t.sameMetadata(object, back))
}

func (t *Trial) sameMetadata(src, dst runtime.Object) error {
	err := t.same(fmt.Sprintf("after a conversion to %T", dst), objectMeta(src), objectMeta(dst), exact)
	if !generated(dst) {
		return err // by custom, hand-written conversions leave kind and version to their caller
	}
	want := src.GetObjectKind().GroupVersionKind()
	if !want.Empty() {
		want = ownVersion(dst).WithKind(want.Kind)
	}
	if got := dst.GetObjectKind().GroupVersionKind(); got != want {
		err = errors.Join(err, fmt.Errorf("%T has the kind and version %q after a conversion from %T, want %q", dst, got, src, want))
	}
	return err
}

func halves(t *Trial) error {
	convertible := t.object()
	object, ok := convertible.(conversion.KubernetesResource)
	if !ok {
		return nil
	}
	whole, err := t.up(convertible)
	if err != nil {
		return err
	}
	back, err := t.down(whole, t.Object)
	if err != nil {
		return err
	}
	for _, ends := range [][2]runtime.Object{{object, whole}, {whole, back}} {
		src, want := ends[0].(conversion.KubernetesResource), ends[1].(conversion.KubernetesResource)
		dst := empty(want)
		if err := src.GetSpec().ConvertSpecTo(dst.GetSpec()); err != nil {
			return err
		}
		if err := errors.Join(
			t.same("when a Spec is converted alone", want.GetSpec(), dst.GetSpec(), exact),
			t.same("when a Spec is converted alone", want.NewEmptyStatus(), dst.GetStatus(), exact)); err != nil {
			return err
		}
		dst = empty(want)
		spec := empty(want).GetSpec()
		if err := dst.SetStatus(src.GetStatus()); err != nil {
			return err
		}
		if err := errors.Join(
			t.same("when a Status is converted alone", want.GetStatus(), dst.GetStatus(), exact),
			t.same("when a Status is converted alone", spec, dst.GetSpec(), exact)); err != nil {
			return err
		}
	}
	return nil
}
