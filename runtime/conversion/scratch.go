package conversion

import (
	"reflect"
	"sync"
	"unsafe"
)

// Between the two ends of a conversion lies an object of each version on the
// road, which is garbage the moment the conversion is done. Their structs, and
// slices of structs, are lent and taken back, so that a long road allocates no
// more than a short one. That is safe because a destination shares neither with
// its source.

// scratch is what is lent to one conversion at a time.
type scratch struct {
	arenas map[reflect.Type]*arena
	// order has the arenas as the last conversion asked for them, since the next
	// is likely of the same resource and asks for the same; asked counts.
	order []*arena
	asked int
	used  []*arena
}

var scratches = sync.Pool{New: func() any { return &scratch{arenas: map[reflect.Type]*arena{}} }}

// arenaOf is the arena of what a type of pointers points to.
func (s *scratch) arenaOf(pointer reflect.Type) *arena {
	i := s.asked
	s.asked++
	if i < len(s.order) && s.order[i].pointer == pointer {
		return s.order[i]
	}
	a := s.arenas[pointer]
	if a == nil {
		a = &arena{pointer: pointer, width: pointer.Elem().Size()}
		s.arenas[pointer] = a
	}
	s.order = append(s.order[:i], a)
	return a
}

// arena has empty structs of one type. It is not generic, because every package
// would have a copy of its code compiled for each type.
type arena struct {
	pointer reflect.Type
	width   uintptr
	chunk   reflect.Value // a slice of so many structs
	size    int
	first   unsafe.Pointer
	lent    int // so many from the first on
	used    bool
}

// lend returns the first of n structs. Where the chunk is too small it is left to
// those that have of it, and the next is so large that soon there is one for all.
func (a *arena) lend(n int) unsafe.Pointer {
	if a.lent+max(n, 1) > a.size {
		a.size, a.lent = max(n, 1, 2*a.size), 0
		a.chunk = reflect.MakeSlice(reflect.SliceOf(a.pointer.Elem()), a.size, a.size)
		a.first = a.chunk.UnsafePointer()
	}
	first := unsafe.Add(a.first, uintptr(a.lent)*a.width)
	a.lent += n
	return first
}

// takeBack empties what is lent of the chunk: all at once where that is most of
// it, which takes a fraction of the time.
func (a *arena) takeBack() {
	if 2*a.lent > a.size {
		a.chunk.Clear()
	} else {
		for i := range a.lent {
			a.chunk.Index(i).SetZero()
		}
	}
	a.lent, a.used = 0, false
}

// each visits what is lent of the chunk.
func (a *arena) each(visit func(pointer any)) {
	for i := range a.lent {
		visit(a.chunk.Index(i).Addr().Interface())
	}
}

// lend returns the first of n empty structs of the type that like points to.
func (c *Context) lend(like any, n int) unsafe.Pointer {
	if c.scratch == nil {
		c.scratch = scratches.Get().(*scratch)
	}
	a := c.scratch.arenaOf(reflect.TypeOf(like))
	if !a.used {
		a.used = true
		c.scratch.used = append(c.scratch.used, a)
	}
	return a.lend(n)
}

// lent returns n empty structs that the conversion may use until it is done.
func lent[T any](c *Context, n int) []T {
	return unsafe.Slice((*T)(c.lend((*T)(nil), n)), n)
}

// between returns the empty object of a version on the road. P is the pointer to it.
func between[P any](c *Context) P {
	object := c.lend(*new(P), 1)
	return *(*P)(unsafe.Pointer(&object))
}

// made returns an empty struct for the destination of the present step.
func made[T any](c *Context) *T {
	if !c.private {
		return new(T)
	}
	return (*T)(c.lend((*T)(nil), 1))
}

// madeSlice returns n empty structs for the destination of the present step.
func madeSlice[T any](c *Context, n int) []T {
	if !c.private {
		return make([]T, n)
	}
	return lent[T](c, n)
}

// done ends what begin began; the outermost gives back all that the conversion
// has been lent.
func (c *Context) done(err error) error {
	if c.depth--; c.depth == 0 && c.scratch != nil {
		for _, a := range c.scratch.used {
			a.takeBack()
		}
		c.scratch.used, c.scratch.asked = c.scratch.used[:0], 0
		scratches.Put(c.scratch)
		c.scratch = nil
	}
	return err
}
