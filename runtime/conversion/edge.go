package conversion

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/remainder"
)

// StoredResource is a resource at a storage version.
type StoredResource interface {
	KubernetesResource
	// OriginalVersion points to the field of the Spec that notes the API version
	// that the resource was written for.
	OriginalVersion() *string
}

// ToHub is [To] for an API version, whose objects have no bags. It restores what in
// carries in its annotation, see package remainder, and notes which version the
// resource was written for. It fails with a [remainder.TooLargeError], a
// [remainder.NewerError] or a [remainder.UntrustedError] where the hub would lose data,
// or get that of another object.
//
// The bags of the storage version of the same date hold all that the API version
// lacks. Therefore a remainder is taken from that version and restored to it,
// and its paths are the same whichever version is the hub.
func ToHub[S KubernetesResource, D StoredResource](hub Hub, in S, convert func(c *Context, in S, out D)) error {
	c := begin(hub)
	var failed error
	err := To((*throughHub)(c), in, func(c *Context, in S, out D) {
		convert(c, in, out)
		failed = c.restore(out, in)
	})
	return errors.Join(c.named(failed), err)
}

// FromHub is [From] for an API version, whose objects have no bags. The
// annotation of out carries what out cannot hold, see [ToHub].
func FromHub[S StoredResource, D KubernetesResource](hub Hub, out D, convert func(c *Context, in S, out D)) error {
	c := begin(hub)
	var failed error
	err := From((*throughHub)(c), out, func(c *Context, in S, out D) {
		c.lossy = false
		convert(c, in, out)
		failed = c.carry(in, out)
	})
	return errors.Join(c.named(failed), err)
}

// halves are the parts of a resource that a remainder covers.
type halves struct {
	Spec   ConvertibleSpec   `json:"spec"`
	Status ConvertibleStatus `json:"status"`
}

func halvesOf(resource KubernetesResource) *halves {
	return &halves{resource.GetSpec(), resource.GetStatus()}
}

// carry writes the annotation of dst, which stored was converted to: what dst
// cannot hold, and which version the resource was written for.
func (c *Context) carry(stored StoredResource, dst KubernetesResource) error {
	note := remainder.Note{Object: boundTo(dst), Generation: dst.GetGeneration()}
	dst.SetLabels(remainder.StripLabel(dst.GetLabels()))
	if written := short(*stored.OriginalVersion()); written != dst.OriginalGVK().Version || c.lossy && wantsExact(dst) {
		shown, err := shownDigest(dst)
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
	annotations, err := note.Write(dst.GetAnnotations(), remainder.Limits{Writers: []string{hubVersion(stored)}}, c.Keys)
	dst.SetAnnotations(annotations)
	if err == remainder.ErrNoRoom { // a read never fails for the size of annotations
		dst.SetLabels(note.Object.Mark(dst.GetLabels()))
		return nil
	}
	return err
}

// lost returns what stored has and its conversion to dst has lost: what differs
// when dst is converted back.
func lost(stored StoredResource, dst KubernetesResource) (remainder.Remainder, error) {
	plain := emptyLike(stored).(StoredResource)
	c := &Context{source: dst.GetSpec(), destination: stored.GetSpec(), far: plain.GetSpec()}
	if err := dst.GetSpec().ConvertSpecTo((*throughSpec)(c)); err != nil {
		return remainder.Remainder{}, err
	}
	c.source, c.destination, c.far = dst.GetStatus(), stored.GetStatus(), plain.GetStatus()
	if err := dst.GetStatus().ConvertStatusTo((*throughStatus)(c)); err != nil {
		return remainder.Remainder{}, err
	}
	*plain.OriginalVersion() = *stored.OriginalVersion()
	return remainder.Collect(halvesOf(stored), halvesOf(plain), remainder.OptionsOf(dst))
}

// restore applies to stored, which src was converted to, what the annotation of
// src carries.
func (c *Context) restore(stored StoredResource, src KubernetesResource) error {
	if err := acceptable(src); err != nil {
		return err
	}
	labels, err := boundTo(src).Unmark(stored.GetLabels(), &c.Remainder)
	if err != nil {
		if marked, ok := err.(*remainder.TooLargeError); ok {
			marked.Writers = []string{hubVersion(stored)}
		}
		return err
	}
	stored.SetLabels(labels)
	note, err := remainder.Read(src.GetAnnotations(), boundTo(src), c.Keys, &c.Remainder)
	if err != nil {
		return err
	}
	version, noted := stored.OriginalVersion(), short(note.OriginalVersion)
	var shown remainder.Digest
	// Where the noted version is the later one, it stays, whether or not the client has changed the Spec.
	if note.Spec != "" && (noted == "" || later(*version, noted) != noted) || wantsExact(src) {
		if shown, err = shownDigest(src); err != nil {
			return err
		}
	}
	if wantsExact(src) && shown != note.Spec {
		lost := note.Lost
		note.Lost = lost.Without("spec")
		c.Remainder.Dropped += lost.Len() - note.Lost.Len()
	}
	note.Lost.Restore(halvesOf(stored), halvesOf(src), &c.Remainder)
	stored.SetAnnotations(remainder.Strip(stored.GetAnnotations()))

	switch byHand := versionByHand(src); {
	case byHand != "":
		*version = byHand
	case note.Spec == "":
	case shown == note.Spec:
		*version = noted
	default:
		*version = later(*version, cmp.Or(noted, hubVersion(stored)))
	}
	return nil
}

// acceptable returns an error if an object that a client writes must not be stored,
// because reads at other versions could not show it as it is. An object that is being
// deleted is taken as it is, or it could never be deleted.
func acceptable(src KubernetesResource) error {
	if src.GetDeletionTimestamp() != nil {
		return nil
	}
	annotations := src.GetAnnotations()
	if byHand := annotations[annotation.APIVersion]; byHand != versionOrNone(byHand) {
		return fmt.Errorf("the annotation %s of %s is %.80q, expected the name of a version such as %s: change or remove it",
			annotation.APIVersion, boundTo(src), byHand, hubVersion(src))
	}
	return boundTo(src).CheckSize(annotations)
}

// hubVersion returns the API version of the hub: the version that a resource was
// written for if nothing else is noted.
func hubVersion(resource KubernetesResource) string {
	return resource.NewHub().(KubernetesResource).OriginalGVK().Version
}

// boundTo returns the identity that binds an annotation to its object.
func boundTo(object KubernetesResource) remainder.Object {
	of := object.OriginalGVK()
	return remainder.Object{
		Group: of.Group, Kind: of.Kind, Namespace: object.GetNamespace(), Name: object.GetName(),
		UID: string(object.GetUID()), Generation: object.GetGeneration(),
	}
}
