package conversion

import (
	"slices"
	"strings"
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

// PassObject is [Object] for two types with the same fields. Passed on is as, which
// points to the same object as in.
func PassObject[S, D any](c *Context, in *S, as *D, convert func(c *Context, in *S, out *D)) *D {
	if c.passes {
		return as
	}
	return Object(c, in, convert)
}

// PassSlice is [ObjectSlice] for two types with the same fields. The function as is
// Go's conversion between them, which passes on what an element has.
func PassSlice[S, D any](c *Context, in []S, as func(S) D, convert func(c *Context, in *S, out *D)) []D {
	if c.passes {
		return SliceOf(in, as)
	}
	return ObjectSlice(c, in, convert)
}

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
