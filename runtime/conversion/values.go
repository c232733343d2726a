package conversion

import (
	"slices"
	"strings"
	"unsafe"
)

// The helpers below keep nil and empty apart, and the order of elements.
// A helper that ends in To takes a method of the source's type, one that ends
// in From a method of the destination's type.

// ObjectTo converts an object that may be absent.
func ObjectTo[S, D any](c *Context, src *S, assign func(*S, *Context, *D)) *D {
	if src == nil {
		return nil
	}
	dst := made[D](c)
	assign(src, c, dst)
	return dst
}

// ObjectFrom converts an object that may be absent.
func ObjectFrom[S, D any](c *Context, src *S, assign func(*D, *Context, *S)) *D {
	if src == nil {
		return nil
	}
	dst := made[D](c)
	assign(dst, c, src)
	return dst
}

// SliceTo converts a slice of objects.
func SliceTo[S, D any](c *Context, src []S, assign func(*S, *Context, *D)) []D {
	if src == nil {
		return nil
	}
	dst := madeSlice[D](c, len(src))
	for i := range src {
		assign(&src[i], c, &dst[i])
	}
	return dst
}

// SliceFrom converts a slice of objects.
func SliceFrom[S, D any](c *Context, src []S, assign func(*D, *Context, *S)) []D {
	if src == nil {
		return nil
	}
	dst := madeSlice[D](c, len(src))
	for i := range src {
		assign(&dst[i], c, &src[i])
	}
	return dst
}

// The four functions below are for two types that are alike: their properties
// have the same types in the same order, and each comes to the other's place as
// it is, in all objects below too. One struct of such is the other in memory. So
// between two objects on the road, none of which will be read again, the
// source's own becomes the destination's.

// TakeObjectTo is [ObjectTo] for types that are alike.
func TakeObjectTo[S, D any](c *Context, src *S, assign func(*S, *Context, *D)) *D {
	if c.onRoad() {
		return (*D)(unsafe.Pointer(src))
	}
	return ObjectTo(c, src, assign)
}

// TakeObjectFrom is [ObjectFrom] for types that are alike.
func TakeObjectFrom[S, D any](c *Context, src *S, assign func(*D, *Context, *S)) *D {
	if c.onRoad() {
		return (*D)(unsafe.Pointer(src))
	}
	return ObjectFrom(c, src, assign)
}

// TakeSliceTo is [SliceTo] for types that are alike.
func TakeSliceTo[S, D any](c *Context, src []S, assign func(*S, *Context, *D)) []D {
	if c.onRoad() {
		return *(*[]D)(unsafe.Pointer(&src))
	}
	return SliceTo(c, src, assign)
}

// TakeSliceFrom is [SliceFrom] for types that are alike.
func TakeSliceFrom[S, D any](c *Context, src []S, assign func(*D, *Context, *S)) []D {
	if c.onRoad() {
		return *(*[]D)(unsafe.Pointer(&src))
	}
	return SliceFrom(c, src, assign)
}

// MapTo converts a map of objects.
func MapTo[S, D any](c *Context, src map[string]S, assign func(*S, *Context, *D)) map[string]D {
	if src == nil {
		return nil
	}
	var e struct { // one allocation for all elements
		src S
		dst D
	}
	return MapOf(src, func(s S) D {
		e.src, e.dst = s, *new(D)
		assign(&e.src, c, &e.dst)
		return e.dst
	})
}

// MapFrom converts a map of objects.
func MapFrom[S, D any](c *Context, src map[string]S, assign func(*D, *Context, *S)) map[string]D {
	if src == nil {
		return nil
	}
	var e struct { // one allocation for all elements
		src S
		dst D
	}
	return MapOf(src, func(s S) D {
		e.src, e.dst = s, *new(D)
		assign(&e.dst, c, &e.src)
		return e.dst
	})
}

// SliceOf converts a slice whose elements are anything, such as slices again.
func SliceOf[S, D any](src []S, convert func(S) D) []D {
	if src == nil {
		return nil
	}
	dst := make([]D, len(src))
	for i, s := range src {
		dst[i] = convert(s)
	}
	return dst
}

// MapOf converts a map whose elements are anything, such as slices.
func MapOf[S, D any](src map[string]S, convert func(S) D) map[string]D {
	if src == nil {
		return nil
	}
	dst := make(map[string]D, len(src))
	for key, s := range src {
		dst[key] = convert(s)
	}
	return dst
}

// CastSlice converts a slice between an enum and its base type.
func CastSlice[D, S ~string](src []S) []D {
	return SliceOf(src, func(s S) D { return D(s) })
}

// CastMap converts a map between an enum and its base type.
func CastMap[D, S ~string](src map[string]S) map[string]D {
	return MapOf(src, func(s S) D { return D(s) })
}

// Member is the value of a closed enum, that may be absent, as [Spelling] has it.
func Member[E ~string](c *Context, value *E, members []E) *E {
	if value == nil {
		return nil
	}
	if member := Spelling(c, *value, members); member != *value {
		return &member
	}
	return value
}

// Spelling is the member of a closed enum that differs from a value in case at
// most: that is the one that the API server takes, and that ARM means. A value
// that is no member stays as it is.
func Spelling[E ~string](c *Context, value E, members []E) E {
	if slices.Contains(members, value) {
		return value
	}
	for _, member := range members {
		if strings.EqualFold(string(member), string(value)) {
			c.lossy = true
			return member
		}
	}
	return value
}

// Take makes a value the destination's: the value itself where it belongs to
// an object on the road, which nothing else will read again, else a copy.
func Take[T any](c *Context, src T, copied func(T) T) T {
	if c.owned {
		return src
	}
	return copied(src)
}

// copier is the pointer to a type that copies itself.
type copier[T any] interface {
	*T
	DeepCopyInto(*T)
}

// Whole copies a Spec or Status of which both sides have the same type: without
// a copy where both are on the road. Elsewhere not even an owned one can be
// taken, because structs in it are lent.
func Whole[T any, P copier[T]](c *Context, dst, src P) {
	if c.onRoad() {
		*dst = *src
		return
	}
	src.DeepCopyInto(dst)
}

// Clone copies a value without pointers in it, that may be absent.
func Clone[T any](src *T) *T {
	if src == nil {
		return nil
	}
	dst := *src
	return &dst
}

// Copy copies a value with pointers in it, that may be absent.
func Copy[T any, P copier[T]](src P) P {
	if src == nil {
		return nil
	}
	dst := P(new(T))
	src.DeepCopyInto(dst)
	return dst
}

// CopySlice copies a slice of values that have pointers.
func CopySlice[T any, P copier[T]](src []T) []T {
	return SliceOf(src, copyOf[T, P])
}

// CopyMap copies a map of values that have pointers.
func CopyMap[T any, P copier[T]](src map[string]T) map[string]T {
	return MapOf(src, copyOf[T, P])
}

func copyOf[T any, P copier[T]](src T) T {
	var dst T
	P(&src).DeepCopyInto(&dst)
	return dst
}
