package conversion

// To converts src to its hub: through assign to its neighbour, and from there on.
func To[S, D any, PS resource[S], PD resource[D]](hub Hub, src PS, assign func(PS, *Context, PD)) error {
	c := begin(hub)
	c.between(src, c.far)
	return c.done(up(c, src, assign, func(neighbour PD) error {
		if next, ok := any(neighbour).(Convertible); ok {
			return next.ConvertTo((*throughHub)(c))
		}
		return c.mismatch()
	}))
}

// From converts dst from its hub: up to its neighbour, and from there through assign.
func From[S, D any, PS resource[S], PD resource[D]](hub Hub, dst PD, assign func(PD, *Context, PS)) error {
	c := begin(hub)
	c.between(c.far, dst)
	return c.done(down(c, dst, assign, func(neighbour PS) error {
		if next, ok := any(neighbour).(Convertible); ok {
			return next.ConvertFrom((*throughHub)(c))
		}
		return c.mismatch()
	}))
}

// SpecTo converts src to the Spec of any version: through assign to its
// neighbour, and from there on.
func SpecTo[S, D any, PS spec[S], PD spec[D]](dst ConvertibleSpec, src PS, assign func(PS, *Context, PD)) error {
	c := begin(dst)
	c.between(src, c.far)
	return c.done(up(c, src, assign, func(neighbour PD) error { return neighbour.ConvertSpecTo((*throughSpec)(c)) }))
}

// SpecFrom converts dst from the Spec of any version: up to its neighbour, and
// from there through assign.
func SpecFrom[S, D any, PS spec[S], PD spec[D]](src ConvertibleSpec, dst PD, assign func(PD, *Context, PS)) error {
	c := begin(src)
	c.between(c.far, dst)
	return c.done(down(c, dst, assign, func(neighbour PS) error { return neighbour.ConvertSpecFrom((*throughSpec)(c)) }))
}

// HubSpecTo converts the hub's Spec to the Spec of any version.
func HubSpecTo[T any, P spec[T]](dst ConvertibleSpec, hub P) error {
	c := begin(dst)
	end := c.far
	c.between(hub, end)
	return c.done(turn(c, hub.DeepCopyInto, func() error {
		c.far = hub
		return end.(ConvertibleSpec).ConvertSpecFrom((*throughSpec)(c))
	}))
}

// HubSpecFrom converts the hub's Spec from the Spec of any version.
func HubSpecFrom[T any, P spec[T]](src ConvertibleSpec, hub P) error {
	c := begin(src)
	end := c.far
	c.between(end, hub)
	return c.done(turn(c, func(from P) { from.DeepCopyInto(hub) }, func() error {
		c.far = hub
		return end.(ConvertibleSpec).ConvertSpecTo((*throughSpec)(c))
	}))
}

// StatusTo converts src to the Status of any version: through assign to its
// neighbour, and from there on.
func StatusTo[S, D any, PS status[S], PD status[D]](dst ConvertibleStatus, src PS, assign func(PS, *Context, PD)) error {
	c := begin(dst)
	c.between(src, c.far)
	return c.done(up(c, src, assign, func(neighbour PD) error { return neighbour.ConvertStatusTo((*throughStatus)(c)) }))
}

// StatusFrom converts dst from the Status of any version: up to its neighbour,
// and from there through assign.
func StatusFrom[S, D any, PS status[S], PD status[D]](src ConvertibleStatus, dst PD, assign func(PD, *Context, PS)) error {
	c := begin(src)
	c.between(c.far, dst)
	return c.done(down(c, dst, assign, func(neighbour PS) error { return neighbour.ConvertStatusFrom((*throughStatus)(c)) }))
}

// HubStatusTo converts the hub's Status to the Status of any version.
func HubStatusTo[T any, P status[T]](dst ConvertibleStatus, hub P) error {
	c := begin(dst)
	end := c.far
	c.between(hub, end)
	return c.done(turn(c, hub.DeepCopyInto, func() error {
		c.far = hub
		return end.(ConvertibleStatus).ConvertStatusFrom((*throughStatus)(c))
	}))
}

// HubStatusFrom converts the hub's Status from the Status of any version.
func HubStatusFrom[T any, P status[T]](src ConvertibleStatus, hub P) error {
	c := begin(src)
	end := c.far
	c.between(end, hub)
	return c.done(turn(c, func(from P) { from.DeepCopyInto(hub) }, func() error {
		c.far = hub
		return end.(ConvertibleStatus).ConvertStatusTo((*throughStatus)(c))
	}))
}

// SetStatus sets the Status of a resource from the Status of any version of
// it, and leaves it alone if that fails.
func SetStatus[T any, P status[T]](own P, from ConvertibleStatus) error {
	fresh := P(new(T))
	if same, ok := from.(P); ok {
		same.DeepCopyInto(fresh)
	} else if err := fresh.ConvertStatusFrom(from); err != nil {
		return err
	}
	*own = *fresh
	return nil
}
