package conversion

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// resource is the pointer to a resource type.
type resource[T any] interface {
	*T
	runtime.Object
}

// spec is the pointer to a Spec.
type spec[T any] interface {
	*T
	ConvertibleSpec
	DeepCopyInto(*T)
}

// status is the pointer to a Status.
type status[T any] interface {
	*T
	ConvertibleStatus
	DeepCopyInto(*T)
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

// between names the two ends, on the first step.
func (c *Context) between(source, destination any) {
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
func up[S, D any, PS interface{ *S }, PD interface{ *D }](c *Context, src PS, assign func(PS, *Context, PD), onward func(PD) error) error {
	dst, last := c.far.(PD)
	if !last {
		dst = &lent[D](c, 1)[0]
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
func down[S, D any, PS interface{ *S }, PD interface{ *D }](c *Context, dst PD, assign func(PD, *Context, PS), fetch func(PS) error) error {
	src, first := c.far.(PS)
	if !first {
		src = &lent[S](c, 1)[0]
		if err := fetch(src); err != nil {
			return err
		}
	}
	c.step(src, dst)
	assign(dst, c, src)
	return c.Err()
}

// turn ends a walk at the hub, or sends it down the other side.
func turn[T any, P interface{ *T }](c *Context, arrive func(P), onward func() error) error {
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
