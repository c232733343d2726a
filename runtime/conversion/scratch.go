package conversion

import (
	"reflect"
	"sync"
)

// Between the two ends of a conversion lies an object of each version on the
// road, which is garbage the moment the conversion is done. Their structs, and
// slices of structs, are lent and taken back, so that a long road allocates no
// more than a short one. That is safe because a destination shares neither with
// its source.

// scratch is what is lent to one conversion at a time.
type scratch struct {
	arenas map[reflect.Type]taker
	// order has the arenas as the last conversion asked for them, since the next
	// is likely of the same resource and asks for the same; asked counts.
	order []taker
	asked int
	used  []taker
}

// taker is an [arena] of any type.
type taker interface {
	takeBack()
	each(visit func(pointer any))
}

var scratches = sync.Pool{New: func() any { return &scratch{arenas: map[reflect.Type]taker{}} }}

// arenaOf is the arena of a type.
func arenaOf[T any](s *scratch) *arena[T] {
	i := s.asked
	s.asked++
	if i < len(s.order) {
		if a, ok := s.order[i].(*arena[T]); ok {
			return a
		}
	}
	t := reflect.TypeFor[T]()
	a, ok := s.arenas[t].(*arena[T])
	if !ok {
		a = &arena[T]{}
		s.arenas[t] = a
	}
	s.order = append(s.order[:i], a)
	return a
}

// arena has empty structs of one type.
type arena[T any] struct {
	chunk []T
	free  []T // what of the chunk is not lent
	used  bool
}

// lend returns n structs. Where the chunk is too small it is left to those that
// have of it, and the next is so large that soon there is one for all.
func (a *arena[T]) lend(n int) []T {
	if n > len(a.free) || a.chunk == nil {
		a.chunk = make([]T, max(n, 2*len(a.chunk)))
		a.free = a.chunk
	}
	lent := a.free[:n:n]
	a.free = a.free[n:]
	return lent
}

// takeBack empties what is lent of the chunk.
func (a *arena[T]) takeBack() {
	clear(a.chunk[:len(a.chunk)-len(a.free)])
	a.free, a.used = a.chunk, false
}

// each visits what is lent of the chunk.
func (a *arena[T]) each(visit func(pointer any)) {
	lent := a.chunk[:len(a.chunk)-len(a.free)]
	for i := range lent {
		visit(&lent[i])
	}
}

// lent returns n empty structs that the conversion may use until it is done.
func lent[T any](c *Context, n int) []T {
	if c.scratch == nil {
		c.scratch = scratches.Get().(*scratch)
	}
	a := arenaOf[T](c.scratch)
	if !a.used {
		a.used = true
		c.scratch.used = append(c.scratch.used, a)
	}
	return a.lend(n)
}

// made returns an empty struct for the destination of the present step.
func made[T any](c *Context) *T {
	if !c.private {
		return new(T)
	}
	return &lent[T](c, 1)[0]
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
