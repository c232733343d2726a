package conversion

import (
	"cmp"

	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/remainder"
	"k8s.io/apimachinery/pkg/runtime"
)

// StoredResource is a resource at the version that is its hub.
type StoredResource interface {
	KubernetesResource
	// OriginalVersion is where the Spec notes the API version that the
	// resource was written for.
	OriginalVersion() *string
}

// ToHub is [To] for an API version, whose objects have no bags: it restores
// what src carries in its annotation, see package remainder, and notes which
// version the resource is written for. It fails with a
// [remainder.TooLargeError] or a [remainder.NewerError] where the hub would
// lose data.
func ToHub[S KubernetesResource, D runtime.Object](hub Hub, src S, assign func(S, *Context, D)) error {
	c := begin(hub)
	end := c.far
	err := To((*throughHub)(c), src, assign)
	if stored, ok := end.(StoredResource); ok && err == nil {
		err = c.named(c.restore(stored, src))
	}
	return c.done(err)
}

// FromHub is [From] for an API version, whose objects have no bags: dst carries
// what it cannot hold in its annotation, see package remainder.
func FromHub[S runtime.Object, D KubernetesResource](hub Hub, dst D, assign func(D, *Context, S)) error {
	c := begin(hub)
	end := c.far
	err := From((*throughHub)(c), dst, assign)
	if stored, ok := end.(StoredResource); ok && err == nil {
		err = c.named(c.carry(stored, dst))
	}
	return c.done(err)
}

// Drop tells that the present step has no place for a bag of its source.
func (c *Context) Drop(bag propertybag.Bag) {
	c.lossy = c.lossy || len(bag) > 0
}

// halves are what a remainder is of.
type halves struct {
	Spec   ConvertibleSpec   `json:"spec"`
	Status ConvertibleStatus `json:"status"`
}

func halvesOf(resource KubernetesResource) *halves {
	return &halves{resource.GetSpec(), resource.GetStatus()}
}

// carry makes dst, which hub was converted to, carry what it cannot hold.
func (c *Context) carry(hub StoredResource, dst KubernetesResource) error {
	note := remainder.Note{Object: boundTo(dst)}
	if written := *hub.OriginalVersion(); written != dst.OriginalGVK().Version {
		shown, err := remainder.DigestOfObject(dst.GetSpec())
		if err != nil {
			return err
		}
		note.OriginalVersion, note.Spec = written, shown
	}
	if c.lossy {
		var err error
		if note.Lost, err = lost(hub, dst); err != nil {
			return err
		}
		c.Remainder.Carried += note.Lost.Len()
	}
	if note.Empty() {
		dst.SetAnnotations(remainder.Strip(dst.GetAnnotations()))
		return nil
	}
	annotations, err := note.Write(dst.GetAnnotations(), remainder.Limits{Writers: []string{hubVersion(hub)}})
	dst.SetAnnotations(annotations)
	return err
}

// lost is what the conversion of hub to dst loses. What is made on the way back
// is compared and forgotten, so all of it is lent.
func lost(hub StoredResource, dst KubernetesResource) (remainder.Remainder, error) {
	plain := hub.NewHub().(StoredResource)
	c := begin(nil)
	defer c.done(nil)
	c.source, c.destination, c.far = dst.GetSpec(), hub.GetSpec(), plain.GetSpec()
	if err := dst.GetSpec().ConvertSpecTo((*throughSpec)(c)); err != nil {
		return remainder.Remainder{}, err
	}
	c.source, c.destination, c.far = dst.GetStatus(), hub.GetStatus(), plain.GetStatus()
	if err := dst.GetStatus().ConvertStatusTo((*throughStatus)(c)); err != nil {
		return remainder.Remainder{}, err
	}
	*plain.OriginalVersion() = *hub.OriginalVersion()
	return remainder.DiffObjects(halvesOf(hub), halvesOf(plain), remainder.OptionsOf(hub))
}

// restore gives hub, which src was converted to, what src carries.
func (c *Context) restore(hub StoredResource, src KubernetesResource) error {
	note, err := remainder.Read(src.GetAnnotations(), boundTo(src), &c.Remainder)
	if err != nil {
		return err
	}
	if !note.Lost.Empty() {
		if _, err := note.Lost.ApplyTo(halvesOf(hub), &c.Remainder); err != nil {
			return err
		}
	}
	hub.SetAnnotations(remainder.Strip(hub.GetAnnotations()))

	version := hub.OriginalVersion()
	switch byHand := src.GetAnnotations()[APIVersionAnnotation]; {
	case byHand != "":
		*version = byHand
	case note.Spec != "":
		shown, err := remainder.DigestOfObject(src.GetSpec())
		if err != nil {
			return err
		}
		if shown == note.Spec {
			*version = note.OriginalVersion
		} else {
			*version = later(*version, cmp.Or(note.OriginalVersion, hubVersion(hub)))
		}
	}
	return nil
}

// hubVersion is the API version of the hub, which is that of a resource for
// which nothing else was noted.
func hubVersion(hub StoredResource) string {
	return hub.NewHub().(KubernetesResource).OriginalGVK().Version
}

// boundTo is what the annotation of an object is bound to.
func boundTo(object KubernetesResource) remainder.Object {
	of := object.OriginalGVK()
	return remainder.Object{Group: of.Group, Kind: of.Kind, Namespace: object.GetNamespace(), Name: object.GetName()}
}
