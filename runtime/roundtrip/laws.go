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

// Law is a promise that every version keeps.
type Law struct {
	// Name is the name of its subtest.
	Name string
	// OfHub tells that the law speaks of the hub's version too.
	OfHub bool
	// Holds returns an error if the law does not hold.
	Holds func(*Trial) error
}

// Laws are all laws.
var Laws = []Law{
	// A version that goes to the hub and comes back is as it was.
	{Name: "RoundTrip", Holds: roundTrip},
	// An object survives being written as JSON and read.
	{Name: "JSON", OfHub: true, Holds: survivesJSON},
	// A deep copy is equal, and a write to it is none to the original.
	{Name: "Copy", OfHub: true, Holds: copiesShareNothing},
	// No conversion of any object fails or panics, full, partial, empty, or
	// with what another version left in its bags.
	{Name: "Reliability", Holds: reliable},
	// A conversion leaves its source as it was. That of a generated version
	// shares nothing with it that a later write to the destination would change.
	{Name: "Source", Holds: sourceUntouched},
	// Metadata come through as they were.
	{Name: "Metadata", Holds: metadataKept},
	// Spec and Status each convert alone as they do together.
	{Name: "Halves", Holds: halves},
}

// object returns a filled object of the trial's version.
func (t *Trial) object() conversion.Convertible {
	object := empty(t.Object).(conversion.Convertible)
	t.Fill(object)
	return object
}

// up converts an object to a new hub.
func (t *Trial) up(object conversion.Convertible) (conversion.Hub, error) {
	hub := empty(t.Hub)
	if err := object.ConvertTo(hub); err != nil {
		return nil, fmt.Errorf("%T to %T: %w", object, hub, err)
	}
	return hub, nil
}

// down converts a hub to a new object of the trial's version.
func (t *Trial) down(hub conversion.Hub) (conversion.Convertible, error) {
	object := empty(t.Object).(conversion.Convertible)
	if err := object.ConvertFrom(hub); err != nil {
		return nil, fmt.Errorf("%T from %T: %w", object, hub, err)
	}
	return object, nil
}

func roundTrip(t *Trial) error {
	object := t.object()
	hub, err := t.up(object)
	if err != nil {
		return err
	}
	back, err := t.down(hub)
	if err != nil {
		return err
	}
	return t.same("after a round trip through the hub", object, back)
}

func survivesJSON(t *Trial) error {
	object, back := empty(t.Object), empty(t.Object)
	t.Fill(object)
	data, err := json.Marshal(object)
	if err != nil {
		return fmt.Errorf("%T: %w", object, err)
	}
	if err := json.Unmarshal(data, back); err != nil {
		return fmt.Errorf("%T: %w\n%s", object, err, data)
	}
	return t.same("after a round trip through JSON", object, back, anyEmptyMetadata)
}

func copiesShareNothing(t *Trial) error {
	object := empty(t.Object)
	t.Fill(object)
	copied := object.DeepCopyObject()
	if err := t.same("as a deep copy", object, copied); err != nil {
		return err
	}
	if path := shared(reflect.ValueOf(object).Elem(), reflect.ValueOf(copied).Elem()); path != "" {
		return fmt.Errorf("%T shares %s with its deep copy", object, strings.TrimPrefix(path, "."))
	}
	return nil
}

func reliable(t *Trial) error {
	hub := empty(t.Hub)
	t.Bags = propertyNames(t.Object, t.Hub)
	t.Fill(hub)
	for _, object := range []conversion.Convertible{empty(t.Object).(conversion.Convertible), t.object()} {
		if _, err := t.up(object); err != nil {
			return err
		}
	}
	for _, hub := range []conversion.Hub{empty(t.Hub), hub} {
		if _, err := t.down(hub); err != nil {
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
	if err := t.same(fmt.Sprintf("after a conversion to %T", hub), before, object); err != nil {
		return err
	}

	hub = empty(t.Hub)
	t.Fill(hub)
	before = hub.DeepCopyObject()
	if object, err = t.down(hub); err != nil {
		return err
	}
	if generated(object) {
		scribble(reflect.ValueOf(object))
	}
	return t.same(fmt.Sprintf("after a conversion to %T", object), before, hub)
}

func metadataKept(t *Trial) error {
	object := t.object()
	if generated(object) && t.rand.Intn(2) == 0 {
		object.GetObjectKind().SetGroupVersionKind(ownVersion(object).WithKind("AnyKind"))
	}
	hub, err := t.up(object)
	if err != nil {
		return err
	}
	back, err := t.down(hub)
	if err != nil {
		return err
	}
	return errors.Join(t.sameMetadata(object, hub), t.sameMetadata(object, back))
}

func (t *Trial) sameMetadata(src, dst runtime.Object) error {
	err := t.same(fmt.Sprintf("after a conversion to %T", dst), objectMeta(src), objectMeta(dst))
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
	back, err := t.down(whole)
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
			t.same("when a Spec is converted alone", want.GetSpec(), dst.GetSpec()),
			t.same("when a Spec is converted alone", want.NewEmptyStatus(), dst.GetStatus())); err != nil {
			return err
		}
		dst = empty(want)
		spec := empty(want).GetSpec()
		if err := dst.SetStatus(src.GetStatus()); err != nil {
			return err
		}
		if err := errors.Join(
			t.same("when a Status is converted alone", want.GetStatus(), dst.GetStatus()),
			t.same("when a Status is converted alone", spec, dst.GetSpec())); err != nil {
			return err
		}
	}
	return nil
}
