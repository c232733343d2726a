// Package kinds knows the generated kinds of a scheme and how the cluster serves them. Its main types are [Set], the
// kinds, and [Objects], which reads their objects.
package kinds

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// Resource is a resource of any kind at its stored version.
type Resource interface {
	client.Object
	conversion.KubernetesResource
}

// Kind is a kind of resource.
type Kind struct {
	schema.GroupKind
	// Stored is the version at which objects are stored.
	Stored schema.GroupVersionKind
	// ARMTypes are the ARM types of its versions, in lower case.
	ARMTypes []string
	// NoDelete reports whether the spec of some version has no DELETE of the resource. Not every spec says that.
	NoDelete bool
	// Extension reports whether its resources can belong to any other resource.
	Extension bool
	// HasElements reports whether its resources have collections in a version, IsElement whether its
	// resources are in one.
	HasElements, IsElement bool
	// Outputs are those of all versions, by name.
	Outputs map[string]arm.Output
	// Rights holds whether the API server permits the lists of the kind.
	Rights ListRights

	scheme *runtime.Scheme
	served atomic.Int32 // an availability
	// synced reports whether the cache has the objects. It may never have them: the webhook may fail to
	// convert one. If synced is nil, the cache has them.
	synced atomic.Pointer[func() bool]
}

// Availability says whether the objects of a kind can be read.
type Availability int32

const (
	// Available means that the stored version is served, and that the kind has a controller.
	Available Availability = iota
	// Absent means that no version is served, so there are no objects.
	Absent
	// Unreadable means that there may be objects that the operator cannot read: the cluster does not serve
	// the stored version, as the releases of the operator and the CRD differ, or the operator may not list
	// them.
	Unreadable
)

// Availability returns whether the objects of the kind can be read now.
func (k *Kind) Availability() Availability {
	if a := Availability(k.served.Load()); a != Available {
		return a
	}
	if k.Rights.IsRefused() {
		return Unreadable
	}
	return Available
}

// SetAvailability sets how the cluster serves the kind, and returns how it did before.
func (k *Kind) SetAvailability(now Availability) (before Availability) {
	return Availability(k.served.Swap(int32(now)))
}

// IsListed reports whether the cache has the objects of the kind.
func (k *Kind) IsListed() bool {
	synced := k.synced.Load()
	return synced == nil || (*synced)()
}

// SetSynced sets the function that reports whether the cache has the objects of the kind.
func (k *Kind) SetSynced(synced func() bool) { k.synced.Store(&synced) }

// NotServed returns the problem of a kind whose objects cannot be read now.
func (k *Kind) NotServed() *problem.Problem {
	if k.Rights.IsRefused() {
		return &problem.Problem{Reason: problem.KindForbidden, Stalled: true, Message: k.Forbidden()}
	}
	return &problem.Problem{Reason: problem.VersionNotServed, Message: fmt.Sprintf(
		"the cluster does not serve %v, which this release of the operator uses: install the CRDs of the same release", k.Stored)}
}

// Forbidden returns the message that the operator may not list the objects of the kind.
func (k *Kind) Forbidden() string {
	name, _, _ := strings.Cut(k.Group, ".")
	return fmt.Sprintf("the operator has no right to list kind %s of %s: apply the roles of the group %s of its release",
		k.Kind, k.Group, name)
}

// NotListed returns the problem of a kind whose lists fail now although the API server permits them, or nil.
func (k *Kind) NotListed() *problem.Problem {
	err := k.Rights.Failure()
	if err == nil {
		return nil
	}
	const most = 500
	text := err.Error()
	return &problem.Problem{Reason: problem.KindNotListed, Message: fmt.Sprintf("the API server does not list kind %s of %s: %s",
		k.Kind, k.Group, strings.ToValidUTF8(text[:min(len(text), most)], ""))}
}

// New returns an empty object of the kind at its stored version.
func (k *Kind) New() Resource {
	object, err := k.scheme.New(k.Stored)
	if err != nil {
		panic(err) // it was in the scheme
	}
	r := object.(Resource)
	r.GetObjectKind().SetGroupVersionKind(k.Stored)
	return r
}

// NewList returns an empty list of the kind at its stored version.
func (k *Kind) NewList() (client.ObjectList, error) {
	object, err := k.scheme.New(k.Stored.GroupVersion().WithKind(k.Kind + "List"))
	if err != nil {
		return nil, err
	}
	list, ok := object.(client.ObjectList)
	if !ok {
		return nil, fmt.Errorf("%v is %T in the scheme, expected a list", k.GroupKind, object)
	}
	return list, nil
}

// ServedVersion returns an API version of the kind that the cluster serves, for owner references.
func (k *Kind) ServedVersion() string {
	hub := k.New().NewHub().(conversion.KubernetesResource)
	return schema.GroupVersion{Group: k.Group, Version: hub.OriginalGVK().Version}.String()
}

// VersionAt returns the Kubernetes version of the kind for an API version of ARM, or "".
func (k *Kind) VersionAt(armVersion string) string {
	for _, gv := range k.scheme.VersionsForGroupKind(k.GroupKind) {
		object, err := k.scheme.New(gv.WithKind(k.Kind))
		if err != nil {
			continue
		}
		if spec, ok := object.(Resource).GetSpec().(arm.ARMTransformer); ok && spec.ARMResource().APIVersion == armVersion {
			return gv.Version
		}
	}
	return ""
}

// ARMVersionOf returns the API version of ARM that an object is written for. Its Spec need not be one that can
// be sent.
func ARMVersionOf(object Resource, scheme *runtime.Scheme) (string, error) {
	gvk, err := conversion.VersionFor(object, scheme)
	if err != nil {
		return "", err
	}
	versioned, err := scheme.New(gvk)
	if err != nil {
		return "", err
	}
	return versioned.(Resource).GetSpec().(arm.ARMTransformer).ARMResource().APIVersion, nil
}

// SharesType reports whether some resources of two kinds have the same ARM type.
func (k *Kind) SharesType(other *Kind) bool {
	for _, a := range k.ARMTypes {
		for _, b := range other.ARMTypes {
			if a == b {
				return true
			}
		}
	}
	return false
}

// MayBelongTo reports whether resources of the kind can lie in resources of owner.
func (k *Kind) MayBelongTo(owner *Kind) bool {
	for _, t := range k.ARMTypes {
		parent := t[:strings.LastIndexByte(t, '/')]
		if k.Extension || slices.Contains(owner.ARMTypes, parent) ||
			!strings.Contains(parent, "/") && slices.Contains(owner.ARMTypes, "microsoft.resources/resourcegroups") {
			return true
		}
	}
	return false
}

// Set holds the kinds of a scheme.
type Set struct {
	ByName map[schema.GroupKind]*Kind
	ByType map[string][]*Kind // by ARM type in lower case
	All    []*Kind            // in the order of their names

	discovered atomic.Bool
	// Lost receives each kind that the cluster no longer serves.
	Lost chan *Kind
}

// IsDiscovered reports whether it is known what the cluster serves.
func (ks *Set) IsDiscovered() bool { return ks.discovered.Load() }

// SetDiscovered sets whether it is known what the cluster serves.
func (ks *Set) SetDiscovered(is bool) { ks.discovered.Store(is) }

// lose notes that the cluster no longer serves a kind.
func (ks *Set) lose(k *Kind) {
	k.SetAvailability(Unreadable)
	select {
	case ks.Lost <- k:
	default: // the channel has room for each kind, so it is only full if nobody receives
	}
}

// ByOwner returns the kind of an owner, or nil if it is not in the set.
func (ks *Set) ByOwner(o metav1.OwnerReference) *Kind {
	gv, err := schema.ParseGroupVersion(o.APIVersion)
	if err != nil {
		return nil
	}
	return ks.ByName[schema.GroupKind{Group: gv.Group, Kind: o.Kind}]
}

// New returns the generated kinds of a scheme. If some are chosen, the others are left out.
func New(scheme *runtime.Scheme, chosen []schema.GroupKind) (*Set, error) {
	ks := &Set{ByName: map[schema.GroupKind]*Kind{}, ByType: map[string][]*Kind{}}
	elements := map[string]bool{} // by ARM type in lower case
	for gvk := range scheme.AllKnownTypes() {
		object, err := scheme.New(gvk)
		if err != nil {
			return nil, err
		}
		r, ok := object.(Resource)
		if !ok || len(chosen) > 0 && !slices.Contains(chosen, gvk.GroupKind()) {
			continue
		}
		if err := ks.add(gvk.GroupKind(), r, scheme, elements); err != nil {
			return nil, err
		}
	}
	for armType := range elements {
		for _, k := range ks.ByType[armType] {
			k.IsElement = true
		}
	}
	for _, c := range chosen {
		if ks.ByName[c] == nil {
			return nil, fmt.Errorf("the scheme has no generated kind %v", c)
		}
	}
	if len(ks.All) == 0 {
		return nil, fmt.Errorf("the scheme has no generated kinds: add the scheme of a group to it")
	}
	byName := func(a, b *Kind) int { return strings.Compare(a.String(), b.String()) }
	slices.SortFunc(ks.All, byName)
	for _, same := range ks.ByType {
		slices.SortFunc(same, byName)
	}
	ks.Lost = make(chan *Kind, len(ks.All))
	return ks, nil
}

// add adds a version of a kind, given by an empty object, and notes the ARM types of its elements.
func (ks *Set) add(name schema.GroupKind, version Resource, scheme *runtime.Scheme, elements map[string]bool) error {
	k := ks.ByName[name]
	if k == nil {
		stored, _, err := scheme.ObjectKinds(version.NewHub())
		if err != nil {
			return fmt.Errorf("%v: the stored version is not in the scheme: %w", name, err)
		}
		if err := checkStatus(version.NewHub().(Resource)); err != nil {
			return err
		}
		k = &Kind{GroupKind: name, Stored: stored[0], Outputs: map[string]arm.Output{}, scheme: scheme}
		ks.ByName[name] = k
		ks.All = append(ks.All, k)
	}
	spec, ok := version.GetSpec().(arm.ARMTransformer)
	if !ok {
		return nil
	}
	for _, c := range spec.ARMResource().Collections {
		k.HasElements = true
		elements[strings.ToLower(c.Type)] = true
	}
	for _, o := range spec.ARMResource().Outputs {
		k.Outputs[o.Name] = o
	}
	k.Extension = k.Extension || spec.ARMResource().Scope&arm.Extension != 0
	k.NoDelete = k.NoDelete || spec.ARMResource().NoDelete
	if t := strings.ToLower(spec.ARMResource().Type); !slices.Contains(k.ARMTypes, t) {
		k.ARMTypes = append(k.ARMTypes, t)
		ks.ByType[t] = append(ks.ByType[t], k)
	}
	return nil
}

// checkStatus checks that the Status of a kind has the fields that the operator writes.
func checkStatus(r Resource) error {
	if ConditionsOf(r) == nil || ObservedGenerationOf(r) == nil {
		return fmt.Errorf("%T lacks Conditions or ObservedGeneration: generate the group with this release", r.GetStatus())
	}
	return nil
}
