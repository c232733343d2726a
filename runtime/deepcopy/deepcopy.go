// Package deepcopy holds what generated DeepCopy methods have in common, so
// that each field is one line in them. Nothing is found out at run time:
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
// All functions keep nil and empty apart. They are short enough for the compiler
// to write them out where they are called, and those of slices and maps are given
// the function that copies an element, so that they call it directly: a copy
// takes the time and the allocations of the long form that controller-tools
// prints. A list of resources copies its items in that long form, see [Whole].
package deepcopy

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
)

// copier is the pointer to a type that copies itself.
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

// object is the pointer to a resource or a list of resources.
type object[P any] interface {
	runtime.Object
	DeepCopyInto(out P)
}

// Whole is [Of] for resources and lists of them. It is generic in the pointer
// alone: for a type that embeds others, and is what a generic function is about,
// the compiler makes all of the methods that it has from them once more.
func Whole[P object[P]](in P) P {
	if any(in) == any(*new(P)) {
		return in
	}
	out := reflect.New(reflect.TypeOf(in).Elem()).Interface().(P)
	in.DeepCopyInto(out)
	return out
}

// Object is [Whole] but that a nil pointer becomes the nil interface, as callers
// of DeepCopyObject expect.
func Object[P object[P]](in P) runtime.Object {
	if any(in) == any(*new(P)) {
		return nil
	}
	return Whole(in)
}

// Pointer copies a value that assignment copies whole, such as a string.
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
