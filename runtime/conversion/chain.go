package conversion

import "k8s.io/apimachinery/pkg/runtime"

// The parameter convert of the functions below is the generated function that
// converts a version to its neighbour, or from it.

// To converts in to the hub, by way of its neighbour.
func To[S, D runtime.Object](hub Hub, in S, convert func(c *Context, in S, out D)) error {
	c := begin(hub)
	c.ends(in, c.far)
	return up(c, in, convert, func(neighbour D) error {
		if next, ok := any(neighbour).(Convertible); ok {
			return next.ConvertTo((*throughHub)(c))
		}
		return c.mismatch()
	})
}

// From converts out from the hub, by way of its neighbour.
func From[S, D runtime.Object](hub Hub, out D, convert func(c *Context, in S, out D)) error {
	c := begin(hub)
	c.ends(c.far, out)
	return down(c, out, convert, func(neighbour S) error {
		if next, ok := any(neighbour).(Convertible); ok {
			return next.ConvertFrom((*throughHub)(c))
		}
		return c.mismatch()
	})
}

// SpecTo converts in to the Spec of any version, by way of its neighbour.
func SpecTo[S, D ConvertibleSpec](dst ConvertibleSpec, in S, convert func(c *Context, in S, out D)) error {
	c := begin(dst)
	c.ends(in, c.far)
	return up(c, in, convert, func(neighbour D) error { return neighbour.ConvertSpecTo((*throughSpec)(c)) })
}

// SpecFrom converts out from the Spec of any version, by way of its neighbour.
func SpecFrom[S, D ConvertibleSpec](src ConvertibleSpec, out D, convert func(c *Context, in S, out D)) error {
	c := begin(src)
	c.ends(c.far, out)
	return down(c, out, convert, func(neighbour S) error { return neighbour.ConvertSpecFrom((*throughSpec)(c)) })
}

// HubSpecTo converts the hub's Spec to the Spec of any version.
func HubSpecTo[P spec[P]](dst ConvertibleSpec, hub P) error {
	c := begin(dst)
	end := c.far
	c.ends(hub, end)
	return turn(c, hub.DeepCopyInto, func() error {
		c.far = hub
		return end.(ConvertibleSpec).ConvertSpecFrom((*throughSpec)(c))
	})
}

// HubSpecFrom converts the hub's Spec from the Spec of any version.
func HubSpecFrom[P spec[P]](src ConvertibleSpec, hub P) error {
	c := begin(src)
	end := c.far
	c.ends(end, hub)
	return turn(c, func(from P) { from.DeepCopyInto(hub) }, func() error {
		c.far = hub
		return end.(ConvertibleSpec).ConvertSpecTo((*throughSpec)(c))
	})
}

// StatusTo converts in to the Status of any version, by way of its neighbour.
func StatusTo[S, D ConvertibleStatus](dst ConvertibleStatus, in S, convert func(c *Context, in S, out D)) error {
	c := begin(dst)
	c.ends(in, c.far)
	return up(c, in, convert, func(neighbour D) error { return neighbour.ConvertStatusTo((*throughStatus)(c)) })
}

// StatusFrom converts out from the Status of any version, by way of its neighbour.
func StatusFrom[S, D ConvertibleStatus](src ConvertibleStatus, out D, convert func(c *Context, in S, out D)) error {
	c := begin(src)
	c.ends(c.far, out)
	return down(c, out, convert, func(neighbour S) error { return neighbour.ConvertStatusFrom((*throughStatus)(c)) })
}

// HubStatusTo converts the hub's Status to the Status of any version.
func HubStatusTo[P status[P]](dst ConvertibleStatus, hub P) error {
	c := begin(dst)
	end := c.far
	c.ends(hub, end)
	return turn(c, hub.DeepCopyInto, func() error {
		c.far = hub
		return end.(ConvertibleStatus).ConvertStatusFrom((*throughStatus)(c))
	})
}

// HubStatusFrom converts the hub's Status from the Status of any version.
func HubStatusFrom[P status[P]](src ConvertibleStatus, hub P) error {
	c := begin(src)
	end := c.far
	c.ends(end, hub)
	return turn(c, func(from P) { from.DeepCopyInto(hub) }, func() error {
		c.far = hub
		return end.(ConvertibleStatus).ConvertStatusTo((*throughStatus)(c))
	})
}

// SetStatus sets the Status of a resource from the Status of any version of
// that resource. On an error it leaves the Status as it was.
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
