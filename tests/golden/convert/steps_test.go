package convert_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/roundtrip"
	"github.com/armature-dev/armature/tests/golden/convert/v1storage"
	"github.com/armature-dev/armature/tests/golden/convert/v2storage"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
)

// A conversion over several versions passes on objects as those of another type of the
// same layout. One over a single link converts property by property.
func TestSteps(t *testing.T) {
	for name, specs := range map[string][]conversion.ConvertibleSpec{
		"persons": {&v1storage.Person_Spec{}, &v2storage.Person_Spec{}, &v3storage.Person_Spec{}},
		"shapes":  {shapeSpecs["v1"], shapeSpecs["v2"], shapeSpecs["v3"], shapeSpecs["v4"]},
		"moves":   {moveSpecs["m0"], moveSpecs["m1"], moveSpecs["m2"], moveSpecs["m3"], moveSpecs["m4"]},
	} {
		for from := range specs {
			for to := range specs {
				if from != to {
					t.Run(fmt.Sprintf("%s from %T to %T", name, specs[from], specs[to]), func(t *testing.T) { steps(t, specs, from, to) })
				}
			}
		}
	}
}

func steps(t *testing.T, specs []conversion.ConvertibleSpec, from, to int) {
	for seed := range int64(100) {
		source := emptyLike(specs[from]).(conversion.ConvertibleSpec)
		roundtrip.NewFiller(seed).Fill(source)
		convert := func(at conversion.ConvertibleSpec, version int) conversion.ConvertibleSpec {
			out := emptyLike(specs[version]).(conversion.ConvertibleSpec)
			if err := at.ConvertSpecTo(out); err != nil {
				t.Fatal(err)
			}
			return out
		}
		got, again, want := convert(source, to), convert(source, to), source
		for version := from; version != to; {
			if version++; to < from {
				version -= 2
			}
			want = convert(want, version)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: in one go\n%s\nstep by step\n%s", seed, text(t, got), text(t, want))
		}
		memory := map[uintptr]reflect.Type{}
		for _, of := range []any{source, again, got} {
			collect(t, reflect.ValueOf(of), memory)
		}
	}
}

// collect notes the addresses of the structs, slices and maps of a value. It fails the
// test for one that is known: only scalars may be shared.
func collect(t *testing.T, v reflect.Value, memory map[uintptr]reflect.Type) {
	t.Helper()
	note := func() {
		if known := memory[v.Pointer()]; known != nil {
			t.Fatalf("a %v is shared, once as %v", v.Type(), known)
		}
		memory[v.Pointer()] = v.Type()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() == reflect.Struct && v.Elem().NumField() > 0 {
			note()
			collect(t, v.Elem(), memory)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			collect(t, v.Field(i), memory)
		}
	case reflect.Slice:
		if v.Len() > 0 {
			note()
		}
		for i := range v.Len() {
			collect(t, v.Index(i), memory)
		}
	case reflect.Map:
		if !v.IsNil() {
			note()
		}
		for _, element := range v.Seq2() {
			collect(t, element, memory)
		}
	}
}
