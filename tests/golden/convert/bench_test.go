package convert_test

import (
	"fmt"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/roundtrip"
	"github.com/armature-dev/armature/tests/golden/convert/v1"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
)

// person returns an object with all properties, which three steps convert to the
// hub. It has no metadata, so that only its properties count.
func person() *v1.Person {
	object := &v1.Person{}
	fuller := roundtrip.NewFiller(4)
	fuller.Fill(&object.Spec)
	fuller.Fill(&object.Status)
	// What the hub lacks goes through JSON, which costs much more.
	object.Spec.Badge, object.Spec.Legacy, object.Spec.Pet, object.Spec.Zipcode = nil, nil, nil, nil
	return object
}

func BenchmarkConvertTo(b *testing.B) {
	object := person()
	b.ReportAllocs()
	for b.Loop() {
		if err := object.ConvertTo(&v3storage.Person{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkConvertFrom(b *testing.B) {
	hub := &v3storage.Person{}
	if err := person().ConvertTo(hub); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := (&v1.Person{}).ConvertFrom(hub); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDeepCopy measures a deep copy, with which to compare the conversions.
func BenchmarkDeepCopy(b *testing.B) {
	object := person()
	b.ReportAllocs()
	for b.Loop() {
		object.DeepCopy()
	}
}

// BenchmarkGetVersionedSpec measures what a reconcile needs for a PUT, beside Statuses of
// several sizes, on which neither the time nor the allocations depend.
func BenchmarkGetVersionedSpec(b *testing.B) {
	scheme := versionedScheme()
	for _, statuses := range []int{0, 100, 10_000} {
		stored := halved(10, statuses)
		b.Run(fmt.Sprintf("a Status of %d objects", statuses), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := conversion.GetVersionedSpec(stored, scheme); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
