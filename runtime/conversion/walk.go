package conversion

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// What follows is generic in pointers, which need no more code for each type than
// a dictionary, and not in what they point to.

// spec is the pointer to a Spec.
type spec[P any] interface {
	ConvertibleSpec
	DeepCopyInto(P)
}

// status is the pointer to a Status.
type status[P any] interface {
	ConvertibleStatus
	DeepCopyInto(P)
}

// The steps of one walk hand the Context on where the signatures of
// Convertible, ConvertibleSpec and ConvertibleStatus have the far end.
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

// Hub makes the Context go along with the conversion that the result is passed
// to, instead of hub. Only conversions that are made of this package's
// functions, such as generated ones, know what to do with it.
func (c *Context) Hub(hub Hub) Hub {
	*c = Context{Tally: c.Tally, Remainder: c.Remainder, far: hub}
	c.Errors = nil
	return (*throughHub)(c)
}

// begin returns the Context of the walk that end comes from, or a new one.
// [Context.done] is its counterpart.
func begin(end any) (c *Context) {
	switch end := end.(type) {
	case *throughHub:
		c = (*Context)(end)
	case *throughSpec:
		c = (*Context)(end)
	case *throughStatus:
		c = (*Context)(end)
	default:
		c = &Context{far: end}
	}
	c.depth++
	return c
}

// ends names the two ends, on the first step.
func (c *Context) ends(source, destination any) {
	if c.source == nil && c.destination == nil {
		c.source, c.destination = source, destination
	}
}

// step says which step comes now.
func (c *Context) step(src, dst any) {
	c.owned, c.private = src != c.source, dst != c.destination
}

// onRoad tells that both ends of the present step are the conversion's own.
func (c *Context) onRoad() bool { return c.owned && c.private }

// up does one step away from the source and goes onward unless it is the last.
func up[S, D any](c *Context, src S, assign func(S, *Context, D), onward func(D) error) error {
	dst, last := c.far.(D)
	if !last {
		dst = between[D](c)
	}
	c.step(src, dst)
	assign(src, c, dst)
	if !last {
		return onward(dst)
	}
	return c.Err()
}

// down fetches the neighbour unless it is the source, and does the last step
// toward the destination.
func down[S, D any](c *Context, dst D, assign func(D, *Context, S), fetch func(S) error) error {
	src, first := c.far.(S)
	if !first {
		src = between[S](c)
		if err := fetch(src); err != nil {
			return err
		}
	}
	c.step(src, dst)
	assign(dst, c, src)
	return c.Err()
}

// turn ends a walk at the hub, or sends it down the other side.
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
