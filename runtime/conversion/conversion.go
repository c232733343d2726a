// Package conversion is what generated conversions are made of. A resource
// type converts with its neighbour only, property by property; the functions
// here chain the neighbours up to the hub and back. Its main types are
// [Context], which goes along with one conversion, and [KubernetesResource].
//
// [To] and [From] convert whole resources, and are what controller-runtime's
// Convertible asks for. [SpecTo], [SpecFrom], [StatusTo] and [StatusFrom]
// convert one half, and need not end at the hub: any version converts to any.
//
// A destination may share pointers to scalars with its source, never slices,
// maps or structs. What lies between the two ends is the conversion's own, so
// that each later step may take its slices, maps and structs over: see [Take].
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

// Hub is controller-runtime's: the version that all others convert with.
type Hub = conversion.Hub

// Convertible is controller-runtime's: a version that converts with the hub.
type Convertible = conversion.Convertible

// ConvertibleSpec is the Spec of one version of a resource. It converts with
// the Spec of any other version and touches nothing else of the resource.
type ConvertibleSpec interface {
	ConvertSpecTo(dst ConvertibleSpec) error
	ConvertSpecFrom(src ConvertibleSpec) error
}

// ConvertibleStatus is the Status of one version of a resource. It converts
// with the Status of any other version and touches nothing else of the resource.
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
	// OriginalGVK is the version that the resource was written for.
	OriginalGVK() schema.GroupVersionKind
	GetSpec() ConvertibleSpec
	GetStatus() ConvertibleStatus
	// NewEmptyStatus returns a Status of the resource's own version.
	NewEmptyStatus() ConvertibleStatus
	// SetStatus takes a Status of any version of the resource. It is an error
	// that names both types if status is of another resource.
	SetStatus(status ConvertibleStatus) error
}

// Context goes along with the conversion of one object through all versions on
// its road. The zero Context is ready for use. A caller that wants to know
// what happened makes one and passes [Context.Hub] to the conversion.
type Context struct {
	// Tally counts over all conversions that the Context went along with.
	propertybag.Tally
	// Remainder likewise counts what API versions carried in annotations.
	Remainder remainder.Tally

	source, destination any // the two ends
	// far is the end that the present walk looks for: above the source the
	// destination or the hub, above the destination the source or the hub.
	far    any
	turned bool // the walk has passed the hub
	// owned tells that the present step's source was made by the step before,
	// private that its destination will be the source of the one after.
	owned, private bool
	// lossy tells that what the source has may not all be at the destination.
	lossy   bool
	errs    []hookError
	depth   int // of the functions of this package that call each other
	scratch *scratch
}

// Bag starts the transfer of an object's bag; version is the ARM API version
// of the object.
func (c *Context) Bag(bag propertybag.Bag, version string) propertybag.Transfer {
	return propertybag.NewTransfer(bag, version, &c.Tally)
}

// Carry is the bag of an object whose shape is the same on both sides.
func (c *Context) Carry(bag propertybag.Bag) propertybag.Bag {
	return Take(c, bag, propertybag.Bag.DeepCopy)
}

// Check notes what a hook returned for an object, nil or an error. The
// conversion goes on and fails in the end.
func (c *Context) Check(object any, err error) {
	c.lossy = true // who knows what it did
	if err != nil {
		c.errs = append(c.errs, hookError{object, err})
	}
}

// Err is everything that went wrong, with the name of the object, or nil.
func (c *Context) Err() error {
	var errs []error
	for _, e := range c.errs {
		errs = append(errs, c.wrap(e))
	}
	return c.named(errors.Join(append(errs, c.Errors...)...))
}

// named is an error of the conversion as a whole, with the name of the object.
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

// mismatch is the error of two ends that no road connects.
func (c *Context) mismatch() error {
	return fmt.Errorf("no conversion from %T to %T", c.source, c.destination)
}

// Object is what [Context.Meta] needs of a resource; types that embed
// metav1.TypeMeta and metav1.ObjectMeta have it.
type Object interface {
	GetObjectKind() schema.ObjectKind
	GetObjectMeta() metav1.Object
}

// Meta copies the metadata of a resource. The kind is kept and the apiVersion
// is the destination's, each only if the source has it.
func (c *Context) Meta(dst, src Object, version schema.GroupVersion) {
	from, to := src.GetObjectKind().(*metav1.TypeMeta), dst.GetObjectKind().(*metav1.TypeMeta)
	*to = *from
	if from.APIVersion != "" && !c.private { // on the road only whether there is one matters
		to.APIVersion = version.String()
	}
	fromMeta, toMeta := src.GetObjectMeta().(*metav1.ObjectMeta), dst.GetObjectMeta().(*metav1.ObjectMeta)
	if c.owned {
		*toMeta = *fromMeta
		return
	}
	fromMeta.DeepCopyInto(toMeta)
}
