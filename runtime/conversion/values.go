package conversion

import (
	"slices"
	"strings"
	"unsafe"
)

// The functions below keep nil and empty apart, and the order of elements.

// Pass returns value itself if the present step passes on what its source has, and
// a copy of it otherwise.
func Pass[T any](c *Context, value T, clone func(T) T) T {
	if c.passes {
		return value
	}
	return clone(value)
}

// PassObject is [Object] for two types of the same layout, see [as].
func PassObject[S, D any](c *Context, in *S, convert func(c *Context, in *S, out *D)) *D {
	if c.passes {
		return as[*D](in)
	}
	return Object(c, in, convert)
}

// PassObjectSlice is [ObjectSlice] for two types of the same layout, see [as].
func PassObjectSlice[S, D any](c *Context, in []S, convert func(c *Context, in *S, out *D)) []D {
	if c.passes {
		return as[[]D](in)
	}
	return ObjectSlice(c, in, convert)
}

// PassObjectMap is [ObjectMap] for two types of the same layout, see [as].
func PassObjectMap[S, D any](c *Context, in map[string]S, convert func(c *Context, in *S, out *D)) map[string]D {
	if c.passes {
		return as[map[string]D](in)
	}
	return ObjectMap(c, in, convert)
}

// as returns a pointer, slice or map as one of another type, which has the same layout
// in memory: the same fields in the same order, and so on in all that they contain. Go's
// own conversions end where a field has a type with another name. The generator decides
// which types these are, as Kubernetes' conversion-gen does.
func as[D, S any](in S) D { return *(*D)(unsafe.Pointer(&in)) }

// Object converts an object that may be absent.
func Object[S, D any](c *Context, in *S, convert func(c *Context, in *S, out *D)) *D {
	if in == nil {
		return nil
	}
	out := new(D)
	convert(c, in, out)
	return out
}

// ObjectSlice converts a slice of objects.
func ObjectSlice[S, D any](c *Context, in []S, convert func(c *Context, in *S, out *D)) []D {
	if in == nil {
		return nil
	}
	out := make([]D, len(in))
	for i := range in {
		convert(c, &in[i], &out[i])
	}
	return out
}

// ObjectMap converts a map of objects.
func ObjectMap[S, D any](c *Context, in map[string]S, convert func(c *Context, in *S, out *D)) map[string]D {
	if in == nil {
		return nil
	}
	var e struct { // one allocation for all elements
		in  S
		out D
	}
	return MapOf(in, func(v S) D {
		e.in, e.out = v, *new(D)
		convert(c, &e.in, &e.out)
		return e.out
	})
}

// SliceOf converts a slice, its elements by a function.
func SliceOf[S, D any](in []S, convert func(S) D) []D {
	if in == nil {
		return nil
	}
	out := make([]D, len(in))
	for i, v := range in {
		out[i] = convert(v)
	}
	return out
}

// MapOf converts a map, its values by a function.
func MapOf[S, D any](in map[string]S, convert func(S) D) map[string]D {
	if in == nil {
		return nil
	}
	out := make(map[string]D, len(in))
	for key, v := range in {
		out[key] = convert(v)
	}
	return out
}

// CastSlice converts a slice between an enum and its base type.
func CastSlice[D, S ~string](in []S) []D {
	return SliceOf(in, func(v S) D { return D(v) })
}

// CastMap converts a map between an enum and its base type.
func CastMap[D, S ~string](in map[string]S) map[string]D {
	return MapOf(in, func(v S) D { return D(v) })
}

// Member is [Spelling] for a value that may be absent.
func Member[E ~string](c *Context, value *E, members []E) *E {
	if value == nil {
		return nil
	}
	if member := Spelling(c, *value, members); member != *value {
		return &member
	}
	return value
}

// Spelling returns the member of a closed enum that equals value without regard
// to case. The API server accepts only this spelling, and ARM takes both for the
// same. A value that is no member is returned as it is.
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
