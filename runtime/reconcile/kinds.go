package reconcile

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
)

// resource is a resource of any kind at its stored version.
type resource interface {
	client.Object
	conversion.KubernetesResource
}

// kind is a kind of resources.
type kind struct {
	schema.GroupKind
	stored schema.GroupVersionKind
	// armTypes are the ARM types of its versions, in lower case.
	armTypes []string
	// extension reports whether its resources belong to any other resource.
	extension bool
	// hasElements reports whether its resources have collections in a version, isElement
	// whether its resources are in one.
	hasElements, isElement bool
	rights                 rights

	scheme *runtime.Scheme
	served atomic.Int32 // an availability
	// synced reports whether the cache has the objects, which it may never have: the
	// webhook may not convert one of them. If it is nil, the cache has them.
	synced atomic.Pointer[func() bool]
}

// availability says whether the objects of a kind can be read.
type availability int32

const (
	// available means that the stored version is served, and that the kind has a controller.
	available availability = iota
	// absent means that no version is served, so there are no objects.
	absent
	// elsewhere means that there may be objects, which are at other versions, as the release
	// of the operator is newer or older than that of the CRD, or which the operator may not list.
	elsewhere
)

// availability returns whether the objects of the kind can be read now.
func (k *kind) availability() availability {
	if a := availability(k.served.Load()); a != available {
		return a
	}
	if k.rights.isRefused() {
		return elsewhere
	}
	return available
}

// setAvailability sets how the cluster serves the kind, and returns how it did before.
func (k *kind) setAvailability(now availability) (before availability) {
	return availability(k.served.Swap(int32(now)))
}

// isListed reports whether the cache has the objects of the kind.
func (k *kind) isListed() bool {
	synced := k.synced.Load()
	return synced == nil || (*synced)()
}

// setSynced sets what reports whether the cache has the objects of the kind.
func (k *kind) setSynced(synced func() bool) { k.synced.Store(&synced) }

// notServed returns the problem of a kind whose objects cannot be read now.
func (k *kind) notServed() *problem {
	if k.rights.isRefused() {
		return &problem{reason: ReasonKindForbidden, stalled: true, message: k.forbidden()}
	}
	return &problem{reason: ReasonVersionUnserved, message: fmt.Sprintf(
		"the cluster does not serve %v, at which this release of the operator works: install the CRDs of the same release", k.stored)}
}

// forbidden says that the operator may not list the objects of the kind.
func (k *kind) forbidden() string {
	name, _, _ := strings.Cut(k.Group, ".")
	return fmt.Sprintf("the operator has no right to list kind %s of %s: apply the roles of the group %s of its release",
		k.Kind, k.Group, name)
}

// new returns an empty object of the kind at its stored version.
func (k *kind) new() resource {
	object, err := k.scheme.New(k.stored)
	if err != nil {
		panic(err) // it was in the scheme
	}
	r := object.(resource)
	r.GetObjectKind().SetGroupVersionKind(k.stored)
	return r
}

func (k *kind) newList() (client.ObjectList, error) {
	object, err := k.scheme.New(k.stored.GroupVersion().WithKind(k.Kind + "List"))
	if err != nil {
		return nil, err
	}
	list, ok := object.(client.ObjectList)
	if !ok {
		return nil, fmt.Errorf("%v is %T in the scheme, expected a list", k.GroupKind, object)
	}
	return list, nil
}

// servedVersion returns an API version of the kind that is served, for references of owners.
func (k *kind) servedVersion() string {
	hub := k.new().NewHub().(conversion.KubernetesResource)
	return schema.GroupVersion{Group: k.Group, Version: hub.OriginalGVK().Version}.String()
}

// versionAt returns the version of the kind for an API version of ARM, or "".
func (k *kind) versionAt(armVersion string) string {
	for _, gv := range k.scheme.VersionsForGroupKind(k.GroupKind) {
		object, err := k.scheme.New(gv.WithKind(k.Kind))
		if err != nil {
			continue
		}
		if spec, ok := object.(resource).GetSpec().(arm.ARMTransformer); ok && spec.ARMResource().APIVersion == armVersion {
			return gv.Version
		}
	}
	return ""
}

// armVersionOf returns the API version of ARM that an object is written for. Its Spec need not be one that can be sent.
func armVersionOf(object resource, scheme *runtime.Scheme) (string, error) {
	gvk, err := conversion.VersionFor(object, scheme)
	if err != nil {
		return "", err
	}
	versioned, err := scheme.New(gvk)
	if err != nil {
		return "", err
	}
	return versioned.(resource).GetSpec().(arm.ARMTransformer).ARMResource().APIVersion, nil
}

// sharesType reports whether some resources of two kinds have the same ARM type.
func (k *kind) sharesType(other *kind) bool {
	for _, a := range k.armTypes {
		for _, b := range other.armTypes {
			if a == b {
				return true
			}
		}
	}
	return false
}

// mayBelongTo reports whether resources of the kind can lie in those of another one.
func (k *kind) mayBelongTo(owner *kind) bool {
	for _, t := range k.armTypes {
		parent := t[:strings.LastIndexByte(t, '/')]
		if k.extension || slices.Contains(owner.armTypes, parent) ||
			!strings.Contains(parent, "/") && slices.Contains(owner.armTypes, "microsoft.resources/resourcegroups") {
			return true
		}
	}
	return false
}

// kinds are the kinds of a scheme.
type kinds struct {
	byName map[schema.GroupKind]*kind
	byType map[string][]*kind // by ARM type in lower case
	all    []*kind            // in the order of their names

	discovered atomic.Bool
	lost       chan *kind
}

// isDiscovered reports whether it is known what the cluster serves.
func (ks *kinds) isDiscovered() bool { return ks.discovered.Load() }

// setDiscovered sets whether it is known what the cluster serves.
func (ks *kinds) setDiscovered(is bool) { ks.discovered.Store(is) }

// lose notes that the cluster no longer serves a kind.
func (ks *kinds) lose(k *kind) {
	k.setAvailability(elsewhere)
	select {
	case ks.lost <- k:
	default: // each kind is in the channel once at most, unless nobody receives
	}
}

// byOwner returns the kind of an owner, or nil if it is none of these.
func (ks *kinds) byOwner(o metav1.OwnerReference) *kind {
	gv, err := schema.ParseGroupVersion(o.APIVersion)
	if err != nil {
		return nil
	}
	return ks.byName[schema.GroupKind{Group: gv.Group, Kind: o.Kind}]
}

// newKinds finds the generated kinds of a scheme. If some are chosen, the others
// are left out.
func newKinds(scheme *runtime.Scheme, chosen []schema.GroupKind) (*kinds, error) {
	ks := &kinds{byName: map[schema.GroupKind]*kind{}, byType: map[string][]*kind{}}
	elements := map[string]bool{} // by ARM type in lower case
	for gvk := range scheme.AllKnownTypes() {
		object, err := scheme.New(gvk)
		if err != nil {
			return nil, err
		}
		r, ok := object.(resource)
		if !ok || len(chosen) > 0 && !slices.Contains(chosen, gvk.GroupKind()) {
			continue
		}
		if err := ks.add(gvk.GroupKind(), r, scheme, elements); err != nil {
			return nil, err
		}
	}
	for armType := range elements {
		for _, k := range ks.byType[armType] {
			k.isElement = true
		}
	}
	for _, c := range chosen {
		if ks.byName[c] == nil {
			return nil, fmt.Errorf("the scheme has no generated kind %v", c)
		}
	}
	if len(ks.all) == 0 {
		return nil, fmt.Errorf("the scheme has no generated kinds: add the scheme of a group to it")
	}
	byName := func(a, b *kind) int { return strings.Compare(a.String(), b.String()) }
	slices.SortFunc(ks.all, byName)
	for _, same := range ks.byType {
		slices.SortFunc(same, byName)
	}
	ks.lost = make(chan *kind, len(ks.all))
	return ks, nil
}

// add adds a version of a kind, of which an empty object is given, and the ARM types of its elements.
func (ks *kinds) add(name schema.GroupKind, version resource, scheme *runtime.Scheme, elements map[string]bool) error {
	k := ks.byName[name]
	if k == nil {
		stored, _, err := scheme.ObjectKinds(version.NewHub())
		if err != nil {
			return fmt.Errorf("%v: the stored version is not in the scheme: %w", name, err)
		}
		if err := checkStatus(version.NewHub().(resource)); err != nil {
			return err
		}
		k = &kind{GroupKind: name, stored: stored[0], scheme: scheme}
		ks.byName[name] = k
		ks.all = append(ks.all, k)
	}
	spec, ok := version.GetSpec().(arm.ARMTransformer)
	if !ok {
		return nil
	}
	for _, c := range spec.ARMResource().Collections {
		k.hasElements = true
		elements[strings.ToLower(c.Type)] = true
	}
	k.extension = k.extension || spec.ARMResource().Scope&arm.Extension != 0
	if t := strings.ToLower(spec.ARMResource().Type); !slices.Contains(k.armTypes, t) {
		k.armTypes = append(k.armTypes, t)
		ks.byType[t] = append(ks.byType[t], k)
	}
	return nil
}

// checkStatus checks that the Status of a kind has what the operator reports.
func checkStatus(r resource) error {
	if conditionsOf(r) == nil || observedGenerationOf(r) == nil {
		return fmt.Errorf("%T lacks Conditions or ObservedGeneration: generate the group with this release", r.GetStatus())
	}
	return nil
}
