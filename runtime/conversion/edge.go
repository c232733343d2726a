package conversion

import (
	"cmp"
	"errors"
	"reflect"

	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/remainder"
)

// StoredResource is a resource at a storage version.
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
//
// What an API version loses is in the bags of its own storage version, so it is
// there that a remainder is taken and restored, and its paths do not depend on
// which version is the hub.
func ToHub[S KubernetesResource, D StoredResource](hub Hub, src S, assign func(S, *Context, D)) error {
	c := begin(hub)
	var failed error
	err := To((*throughHub)(c), src, func(src S, c *Context, dst D) {
		assign(src, c, dst)
		failed = c.restore(dst, src)
	})
	return c.done(errors.Join(c.named(failed), err))
}

// FromHub is [From] for an API version, whose objects have no bags: dst carries
// what it cannot hold in its annotation, see [ToHub].
func FromHub[S StoredResource, D KubernetesResource](hub Hub, dst D, assign func(D, *Context, S)) error {
	c := begin(hub)
	var failed error
	err := From((*throughHub)(c), dst, func(dst D, c *Context, src S) {
		c.lossy = false
		assign(dst, c, src)
		failed = c.carry(src, dst)
	})
	return c.done(errors.Join(c.named(failed), err))
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

// carry makes dst, which stored was converted to, carry what it cannot hold.
func (c *Context) carry(stored StoredResource, dst KubernetesResource) error {
	note := remainder.Note{Object: boundTo(dst)}
	if written := *stored.OriginalVersion(); written != dst.OriginalGVK().Version {
		shown, err := remainder.DigestOf(dst.GetSpec())
		if err != nil {
			return err
		}
		note.OriginalVersion, note.Spec = written, shown
	}
	if c.lossy {
		var err error
		if note.Lost, err = lost(stored, dst); err != nil {
			return err
		}
		c.Remainder.Carried += note.Lost.Len()
	}
	if note.Empty() {
		dst.SetAnnotations(remainder.Strip(dst.GetAnnotations()))
		return nil
	}
	annotations, err := note.Write(dst.GetAnnotations(), remainder.Limits{Writers: []string{hubVersion(stored)}})
	dst.SetAnnotations(annotations)
	return err
}

// lost is what the conversion of stored to dst loses. What is made on the way
// back is compared and forgotten.
func lost(stored StoredResource, dst KubernetesResource) (remainder.Remainder, error) {
	plain := reflect.New(reflect.TypeOf(stored).Elem()).Interface().(StoredResource)
	c := begin(nil)
	defer c.done(nil)
	c.source, c.destination, c.far = dst.GetSpec(), stored.GetSpec(), plain.GetSpec()
	if err := dst.GetSpec().ConvertSpecTo((*throughSpec)(c)); err != nil {
		return remainder.Remainder{}, err
	}
	c.source, c.destination, c.far = dst.GetStatus(), stored.GetStatus(), plain.GetStatus()
	if err := dst.GetStatus().ConvertStatusTo((*throughStatus)(c)); err != nil {
		return remainder.Remainder{}, err
	}
	*plain.OriginalVersion() = *stored.OriginalVersion()
	return remainder.Diff(halvesOf(stored), halvesOf(plain), remainder.OptionsOf(stored))
}

// restore gives stored, which src was converted to, what src carries.
func (c *Context) restore(stored StoredResource, src KubernetesResource) error {
	note, err := remainder.Read(src.GetAnnotations(), boundTo(src), &c.Remainder)
	if err != nil {
		return err
	}
	if !note.Lost.Empty() {
		if _, err := note.Lost.Apply(halvesOf(stored), &c.Remainder); err != nil {
			return err
		}
	}
	stored.SetAnnotations(remainder.Strip(stored.GetAnnotations()))

	version := stored.OriginalVersion()
	switch byHand := src.GetAnnotations()[APIVersionAnnotation]; {
	case byHand != "":
		*version = byHand
	case note.Spec != "":
		shown, err := remainder.DigestOf(src.GetSpec())
		if err != nil {
			return err
		}
		if shown == note.Spec {
			*version = note.OriginalVersion
		} else {
			*version = later(*version, cmp.Or(note.OriginalVersion, hubVersion(stored)))
		}
	}
	return nil
}

// hubVersion is the API version of the hub, which is that of a resource for
// which nothing else was noted.
func hubVersion(stored StoredResource) string {
	return stored.NewHub().(KubernetesResource).OriginalGVK().Version
}

// boundTo is what the annotation of an object is bound to.
func boundTo(object KubernetesResource) remainder.Object {
	of := object.OriginalGVK()
	return remainder.Object{Group: of.Group, Kind: of.Kind, Namespace: object.GetNamespace(), Name: object.GetName()}
}
