package conversion

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The functions below have pointers as type parameters, not the structs that
// they point to: the compiler makes one copy of the code for all pointers.

// spec is a pointer to a Spec.
type spec[P any] interface {
	ConvertibleSpec
	DeepCopyInto(P)
}

// status is a pointer to a Status.
type status[P any] interface {
	ConvertibleStatus
	DeepCopyInto(P)
}

// A step passes the Context to the next step in place of the far end, because
// the methods of Convertible, ConvertibleSpec and ConvertibleStatus have no
// other parameter.
type (
	throughHub    Context
	throughSpec   Context
	throughStatus Context
)

func (c *throughHub) Hub()                             {}
func (c *throughHub) GetObjectKind() schema.ObjectKind { return c.far.(Hub).GetObjectKind() }
func (c *throughHub) DeepCopyObject() runtime.Object   { return c.far.(Hub).DeepCopyObject() }

func (c *throughSpec) ConvertSpecTo(dst ConvertibleSpec) error {
	return c.far.(ConvertibleSpec).ConvertSpecTo(dst)
}

func (c *throughSpec) ConvertSpecFrom(src ConvertibleSpec) error {
	return c.far.(ConvertibleSpec).ConvertSpecFrom(src)
}

func (c *throughStatus) ConvertStatusTo(dst ConvertibleStatus) error {
	return c.far.(ConvertibleStatus).ConvertStatusTo(dst)
}

func (c *throughStatus) ConvertStatusFrom(src ConvertibleStatus) error {
	return c.far.(ConvertibleStatus).ConvertStatusFrom(src)
}

// Hub returns a stand-in for hub. A conversion that gets it instead of hub uses
// the Context, whose tallies then count what the conversion did. Only
// conversions that are made of this package's functions accept a stand-in;
// generated ones are.
func (c *Context) Hub(hub Hub) Hub {
	*c = Context{Tally: c.Tally, Remainder: c.Remainder, Keys: c.Keys, far: hub}
	c.Errors = nil
	return (*throughHub)(c)
}

// begin returns the Context of the stand-in end, or a new one if end is an object.
func begin(end any) *Context {
	switch end := end.(type) {
	case *throughHub:
		return (*Context)(end)
	case *throughSpec:
		return (*Context)(end)
	case *throughStatus:
		return (*Context)(end)
	}
	return &Context{far: end}
}

// ends notes the two ends of the conversion, on the first step.
func (c *Context) ends(source, destination any) {
	if c.source == nil && c.destination == nil {
		c.source, c.destination = source, destination
	}
}

// up converts in to its neighbour, and onward from there unless the neighbour
// is the far end.
func up[S, D any](c *Context, in S, convert func(*Context, S, D), onward func(D) error) error {
	out, last := c.far.(D)
	if !last {
		out = empty[D]()
	}
	c.passes = any(in) != c.source
	convert(c, in, out)
	c.locate(in, out)
	if !last {
		return onward(out)
	}
	return c.Err()
}

// down converts the neighbour to out. Unless the neighbour is the far end, it
// first calls fetch to convert the neighbour from there.
func down[S, D any](c *Context, out D, convert func(*Context, S, D), fetch func(S) error) error {
	in, first := c.far.(S)
	if !first {
		in = empty[S]()
		fetched := c.fetched
		c.fetched = true
		err := fetch(in)
		c.fetched = fetched
		if err != nil {
			return err
		}
	}
	c.passes = c.fetched || c.far != c.source
	convert(c, in, out)
	c.locate(in, out)
	return c.Err()
}

// turn ends a conversion at the hub, or continues it to a version on the other
// side.
func turn[P any](c *Context, arrive func(P), onward func() error) error {
	if end, ok := c.far.(P); ok {
		arrive(end)
		return c.Err()
	}
	if c.far == nil || c.turned {
		return c.mismatch()
	}
	c.turned = true
	return onward()
}

// empty returns a pointer of type P to a new object.
func empty[P any]() P {
	return reflect.New(reflect.TypeFor[P]().Elem()).Interface().(P)
}
