// Package deepcopy has the functions that generated DeepCopy methods call, so that
// each field takes one line. It uses no reflection on fields:
//
//	func (in *Rule) DeepCopyInto(out *Rule) {
//		*out = *in
//		out.Name = deepcopy.Pointer(in.Name)
//		out.Ports = slices.Clone(in.Ports)
//		out.Action = in.Action.DeepCopy()
//		out.Matches = deepcopy.Slice(in.Matches, (*Match).DeepCopyInto)
//	}
//
//	func (in *Rule) DeepCopy() *Rule { return deepcopy.Of(in) }
//
// All functions keep nil and empty apart. They are short enough for the compiler to
// inline them, and the functions for slices and maps get the function that copies an
// element, so that they call it directly. Therefore a copy takes the time and the
// allocations of the long form that controller-tools prints. A list of resources
// copies its items in that long form, see [Whole].
package deepcopy

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
)

// copier is a pointer to a type with a DeepCopyInto method.
type copier[T any] interface {
	*T
	DeepCopyInto(out *T)
}

// Of copies a value by its DeepCopyInto.
func Of[T any, P copier[T]](in P) P {
	if in == nil {
		return nil
	}
	out := P(new(T))
	in.DeepCopyInto(out)
	return out
}

// object is a pointer to a resource or a list of resources.
type object[P any] interface {
	runtime.Object
	DeepCopyInto(out P)
}

// Whole is [Of] for resources and lists of them. Its only type parameter is the
// pointer: if a type that embeds others were a type parameter, the compiler would
// generate all of its promoted methods again.
func Whole[P object[P]](in P) P {
	if any(in) == any(*new(P)) {
		return in
	}
	out := reflect.New(reflect.TypeOf(in).Elem()).Interface().(P)
	in.DeepCopyInto(out)
	return out
}

// Object is [Whole], but returns the nil interface for a nil pointer, as callers of
// DeepCopyObject expect.
func Object[P object[P]](in P) runtime.Object {
	if any(in) == any(*new(P)) {
		return nil
	}
	return Whole(in)
}

// Pointer copies a value that an assignment copies completely, such as a string.
func Pointer[T any](in *T) *T {
	if in == nil {
		return nil
	}
	out := *in
	return &out
}

// Slice copies a slice, its elements by their DeepCopyInto, a method expression.
func Slice[T any](in []T, deepCopyInto func(in, out *T)) []T {
	if in == nil {
		return nil
	}
	out := make([]T, len(in))
	for i := range in {
		deepCopyInto(&in[i], &out[i])
	}
	return out
}

// Map copies a map, its values by their DeepCopyInto, a method expression.
func Map[T any](in map[string]T, deepCopyInto func(in, out *T)) map[string]T {
	if in == nil {
		return nil
	}
	out := make(map[string]T, len(in))
	for key, value := range in {
		var copied T
		deepCopyInto(&value, &copied)
		out[key] = copied
	}
	return out
}

// SliceOf copies a slice, its elements by a function such as [maps.Clone].
func SliceOf[T any](in []T, copied func(T) T) []T {
	if in == nil {
		return nil
	}
	out := make([]T, len(in))
	for i := range in {
		out[i] = copied(in[i])
	}
	return out
}

// MapOf copies a map, its values by a function such as [slices.Clone].
func MapOf[T any](in map[string]T, copied func(T) T) map[string]T {
	if in == nil {
		return nil
	}
	out := make(map[string]T, len(in))
	for key, value := range in {
		out[key] = copied(value)
	}
	return out
}
