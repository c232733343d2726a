// Package conversion holds the functions that generated conversions call. A
// version of a resource converts with one other version, its neighbour,
// property by property; the functions here chain these steps up to the hub and
// back. The main types are [Context], which accompanies a conversion through
// all of its steps, and [KubernetesResource].
//
// [To] and [From] convert whole resources, as controller-runtime's Convertible
// does. [SpecTo], [SpecFrom], [StatusTo] and [StatusFrom] convert one half of a
// resource, from any version to any other.
//
// A destination may share pointers to scalars with its source, but no slices,
// maps or structs.
package conversion

import (
	"errors"
	"fmt"
	"path"

	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/remainder"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// Hub is controller-runtime's interface of the version that all others convert with.
type Hub = conversion.Hub

// Convertible is controller-runtime's interface of a version that converts with the hub.
type Convertible = conversion.Convertible

// ConvertibleSpec is the Spec of one version of a resource. It converts with
// the Spec of any other version and leaves the rest of the resource alone.
type ConvertibleSpec interface {
	ConvertSpecTo(dst ConvertibleSpec) error
	ConvertSpecFrom(src ConvertibleSpec) error
}

// ConvertibleStatus is the Status of one version of a resource. It converts
// with the Status of any other version and leaves the rest of the resource alone.
type ConvertibleStatus interface {
	ConvertStatusTo(dst ConvertibleStatus) error
	ConvertStatusFrom(src ConvertibleStatus) error
}

// KubernetesResource is a resource at one of its versions, API or storage.
type KubernetesResource interface {
	runtime.Object
	metav1.Object

	// NewHub returns an empty object of the version that is the hub.
	NewHub() Hub
	// OriginalGVK returns the version that the resource was written for.
	OriginalGVK() schema.GroupVersionKind
	GetSpec() ConvertibleSpec
	GetStatus() ConvertibleStatus
	// NewEmptyStatus returns a Status of the resource's own version.
	NewEmptyStatus() ConvertibleStatus
	// SetStatus sets the Status from that of any version of the resource. If
	// status belongs to another resource, it returns an error that names both
	// types.
	SetStatus(status ConvertibleStatus) error
}

// Context accompanies the conversion of one object through all of its steps. The zero
// Context is ready for use. A caller that wants the tallies makes a Context and passes
// [Context.Hub] to the conversion.
type Context struct {
	// Tally counts over all conversions that the Context accompanied.
	propertybag.Tally
	// Remainder counts what API versions carried in annotations, over the same
	// conversions.
	Remainder remainder.Tally
	// Keys sign the annotations of API versions, and say which to trust. Without
	// Keys none is signed, and all are trusted.
	Keys *remainder.Keys

	source, destination any // the two ends of the conversion
	// far is the end that the steps lead to, or from: the destination or the hub
	// on the source's side of the hub, the source or the hub on the other side.
	far    any
	turned bool // at the hub, toward the other side
	// fetched reports whether the destination of the present step is the source of
	// the next one, on the way down.
	fetched bool
	// passes reports whether the destination of the present step may have slices,
	// maps and structs of its source. One step of a conversion copies them: the
	// first on the way to the hub, or else the last.
	passes bool
	// lossy reports whether the destination may lack something that the source has.
	lossy   bool
	pending []hookError // of the present step
	errs    []error
}

// Bag starts the transfer of the bag of an object that has the shape of an ARM
// API version.
func (c *Context) Bag(bag propertybag.Bag, version string) propertybag.Transfer {
	return propertybag.NewTransfer(bag, version, &c.Tally)
}

// Check notes the error, or nil, that the hook of an object returned. The
// conversion goes on, and fails in the end.
func (c *Context) Check(object any, err error) {
	c.lossy = true // a hook can do anything
	if err != nil {
		c.pending = append(c.pending, hookError{object, err})
	}
}

// MarkLost marks the conversion as lossy unless bag is empty. A step calls it
// with a bag for which the destination has no place.
func (c *Context) MarkLost(bag propertybag.Bag) {
	c.lossy = c.lossy || len(bag) > 0
}

// Err returns all errors of the conversion as one that names the object, or nil.
func (c *Context) Err() error {
	return c.named(errors.Join(errors.Join(c.errs...), errors.Join(c.Errors...)))
}

// named adds to an error the name of the object and the two types.
func (c *Context) named(err error) error {
	if err == nil {
		return nil
	}
	name := ""
	if object, ok := c.source.(metav1.Object); ok {
		name = " " + path.Join(object.GetNamespace(), object.GetName())
	}
	return fmt.Errorf("converting %T%s to %T: %w", c.source, name, c.destination, err)
}

// mismatch returns the error of two ends that no chain of versions connects.
func (c *Context) mismatch() error {
	return fmt.Errorf("no conversion from %T to %T", c.source, c.destination)
}

// withMeta is a resource that embeds metav1.TypeMeta and metav1.ObjectMeta.
type withMeta interface {
	GetObjectKind() schema.ObjectKind
	GetObjectMeta() metav1.Object
}

// Meta copies the metadata of a resource. The destination has a kind and an apiVersion,
// its own, if the source has them. An object between the two ends of the conversion is
// used only once, so it passes its metadata on without a copy, and its apiVersion does
// not matter.
func (c *Context) Meta(in, out withMeta, version schema.GroupVersion) {
	from, to := in.GetObjectKind().(*metav1.TypeMeta), out.GetObjectKind().(*metav1.TypeMeta)
	*to = *from
	if from.APIVersion != "" && any(out) == c.destination {
		to.APIVersion = version.String()
	}
	fromMeta, toMeta := in.GetObjectMeta().(*metav1.ObjectMeta), out.GetObjectMeta().(*metav1.ObjectMeta)
	if any(in) == c.source {
		fromMeta.DeepCopyInto(toMeta)
	} else {
		*toMeta = *fromMeta
	}
}
