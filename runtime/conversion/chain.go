package conversion

import "k8s.io/apimachinery/pkg/runtime"

// To converts src to its hub: through assign to its neighbour, and from there on.
func To[S, D runtime.Object](hub Hub, src S, assign func(S, *Context, D)) error {
	c := begin(hub)
	c.ends(src, c.far)
	return c.done(up(c, src, assign, func(neighbour D) error {
		if next, ok := any(neighbour).(Convertible); ok {
			return next.ConvertTo((*throughHub)(c))
		}
		return c.mismatch()
	}))
}

// From converts dst from its hub: up to its neighbour, and from there through assign.
func From[S, D runtime.Object](hub Hub, dst D, assign func(D, *Context, S)) error {
	c := begin(hub)
	c.ends(c.far, dst)
	return c.done(down(c, dst, assign, func(neighbour S) error {
		if next, ok := any(neighbour).(Convertible); ok {
			return next.ConvertFrom((*throughHub)(c))
		}
		return c.mismatch()
	}))
}

// SpecTo converts src to the Spec of any version: through assign to its
// neighbour, and from there on.
func SpecTo[S spec[S], D spec[D]](dst ConvertibleSpec, src S, assign func(S, *Context, D)) error {
	c := begin(dst)
	c.ends(src, c.far)
	return c.done(up(c, src, assign, func(neighbour D) error { return neighbour.ConvertSpecTo((*throughSpec)(c)) }))
}

// SpecFrom converts dst from the Spec of any version: up to its neighbour, and
// from there through assign.
func SpecFrom[S spec[S], D spec[D]](src ConvertibleSpec, dst D, assign func(D, *Context, S)) error {
	c := begin(src)
	c.ends(c.far, dst)
	return c.done(down(c, dst, assign, func(neighbour S) error { return neighbour.ConvertSpecFrom((*throughSpec)(c)) }))
}

// HubSpecTo converts the hub's Spec to the Spec of any version.
func HubSpecTo[P spec[P]](dst ConvertibleSpec, hub P) error {
	c := begin(dst)
	end := c.far
	c.ends(hub, end)
	return c.done(turn(c, hub.DeepCopyInto, func() error {
		c.far = hub
		return end.(ConvertibleSpec).ConvertSpecFrom((*throughSpec)(c))
	}))
}

// HubSpecFrom converts the hub's Spec from the Spec of any version.
func HubSpecFrom[P spec[P]](src ConvertibleSpec, hub P) error {
	c := begin(src)
	end := c.far
	c.ends(end, hub)
	return c.done(turn(c, func(from P) { from.DeepCopyInto(hub) }, func() error {
		c.far = hub
		return end.(ConvertibleSpec).ConvertSpecTo((*throughSpec)(c))
	}))
}

// StatusTo converts src to the Status of any version: through assign to its
// neighbour, and from there on.
func StatusTo[S status[S], D status[D]](dst ConvertibleStatus, src S, assign func(S, *Context, D)) error {
	c := begin(dst)
	c.ends(src, c.far)
	return c.done(up(c, src, assign, func(neighbour D) error { return neighbour.ConvertStatusTo((*throughStatus)(c)) }))
}

// StatusFrom converts dst from the Status of any version: up to its neighbour,
// and from there through assign.
func StatusFrom[S status[S], D status[D]](src ConvertibleStatus, dst D, assign func(D, *Context, S)) error {
	c := begin(src)
	c.ends(c.far, dst)
	return c.done(down(c, dst, assign, func(neighbour S) error { return neighbour.ConvertStatusFrom((*throughStatus)(c)) }))
}

// HubStatusTo converts the hub's Status to the Status of any version.
func HubStatusTo[P status[P]](dst ConvertibleStatus, hub P) error {
	c := begin(dst)
	end := c.far
	c.ends(hub, end)
	return c.done(turn(c, hub.DeepCopyInto, func() error {
		c.far = hub
		return end.(ConvertibleStatus).ConvertStatusFrom((*throughStatus)(c))
	}))
}

// HubStatusFrom converts the hub's Status from the Status of any version.
func HubStatusFrom[P status[P]](src ConvertibleStatus, hub P) error {
	c := begin(src)
	end := c.far
	c.ends(end, hub)
	return c.done(turn(c, func(from P) { from.DeepCopyInto(hub) }, func() error {
		c.far = hub
		return end.(ConvertibleStatus).ConvertStatusTo((*throughStatus)(c))
	}))
}

// SetStatus sets the Status of a resource from the Status of any version of
// it, and leaves it alone if that fails.
func SetStatus[T any, P interface {
	*T
	status[P]
}](own P, from ConvertibleStatus) error {
	fresh := P(new(T))
	if same, ok := from.(P); ok {
		same.DeepCopyInto(fresh)
	} else if err := fresh.ConvertStatusFrom(from); err != nil {
		return err
	}
	*own = *fresh
	return nil
}
