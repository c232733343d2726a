package conversion

import (
	"reflect"
	"sync"
)

// Between the two ends of a conversion lies an object of each version on the
// road, which is garbage the moment the conversion is done. Their structs are
// lent and taken back, so that a long road allocates no more than a short one.
// That is safe because a destination shares no struct with its source.

// pools has a *pool[T] for each struct type T.
var pools sync.Map

// pool keeps empty structs of a type.
type pool[T any] struct{ sync.Pool }

func poolOf[T any]() *pool[T] {
	key := reflect.TypeFor[T]()
	if p, known := pools.Load(key); known {
		return p.(*pool[T])
	}
	p, _ := pools.LoadOrStore(key, new(pool[T]))
	return p.(*pool[T])
}

// takeBack empties a struct and keeps it.
func (p *pool[T]) takeBack(object any) {
	t := object.(*T)
	*t = *new(T)
	p.Put(t)
}

// loan is a struct that is lent to a conversion.
type loan struct {
	from   interface{ takeBack(object any) }
	object any
}

// loans keeps the lists of loans, which are empty but have room.
var loans = sync.Pool{New: func() any { return new([]loan) }}

// made returns an empty struct for the destination of the present step.
func made[T any](c *Context) *T {
	if !c.private {
		return new(T)
	}
	return lent[T](c)
}

// lent returns an empty struct that the conversion may use until it is done.
func lent[T any](c *Context) *T {
	p := poolOf[T]()
	t, ok := p.Get().(*T)
	if !ok {
		t = new(T)
	}
	if c.loans == nil {
		c.loans = loans.Get().(*[]loan)
	}
	*c.loans = append(*c.loans, loan{p, t})
	return t
}

// done ends what begin began; the outermost gives back all that the conversion
// has been lent.
func (c *Context) done(err error) error {
	if c.depth--; c.depth == 0 && c.loans != nil {
		for _, l := range *c.loans {
			l.from.takeBack(l.object)
		}
		clear(*c.loans)
		*c.loans = (*c.loans)[:0]
		loans.Put(c.loans)
		c.loans = nil
	}
	return err
}
