package reconcile

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
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
	scheme                 *runtime.Scheme
	// availability is one of the values of that type.
	availability atomic.Int32
	// synced reports whether the cache has the objects, which it may never have: the
	// webhook may not convert one of them. Without it, the cache has them.
	synced atomic.Pointer[func() bool]
	rights rights
}

// is says whether the objects of the kind can be seen now.
func (k *kind) is() availability {
	if a := availability(k.availability.Load()); a != available {
		return a
	}
	if k.rights.isRefused() {
		return elsewhere
	}
	return available
}

// isSeen reports whether the cache has the objects of the kind.
func (k *kind) isSeen() bool {
	synced := k.synced.Load()
	return synced == nil || (*synced)()
}

// unseenError says that the cache does not have the objects of a kind yet.
type unseenError struct{ kind *kind }

func (e *unseenError) Error() string {
	return fmt.Sprintf("the API server has not listed the objects of %v yet", e.kind.stored)
}

// get reads an object of a kind from the cache. It does not wait for one that the cache does
// not know yet, as that may take for ever.
func (r *Reconciler) get(ctx context.Context, k *kind, name types.NamespacedName, into resource) error {
	if !k.isSeen() {
		return &unseenError{k}
	}
	return r.reader.Get(ctx, name, into)
}

// list is get for the objects of a kind.
func (r *Reconciler) list(ctx context.Context, k *kind, into client.ObjectList, options ...client.ListOption) error {
	if !k.isSeen() {
		return &unseenError{k}
	}
	return r.reader.List(ctx, into, options...)
}

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

// kinds are those of a scheme.
type kinds struct {
	byName map[schema.GroupKind]*kind
	byType map[string][]*kind // by ARM type in lower case
	all    []*kind            // in the order of their names
}

// newKinds finds the generated kinds of a scheme. If some are chosen, the others
// are left out.
func newKinds(scheme *runtime.Scheme, chosen []schema.GroupKind) (*kinds, error) {
	ks := &kinds{map[schema.GroupKind]*kind{}, map[string][]*kind{}, nil}
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
		k := ks.byName[gvk.GroupKind()]
		if k == nil {
			stored, _, err := scheme.ObjectKinds(r.NewHub())
			if err != nil {
				return nil, fmt.Errorf("%v: the stored version is not in the scheme: %w", gvk.GroupKind(), err)
			}
			if err := checkStatus(r.NewHub().(resource)); err != nil {
				return nil, err
			}
			k = &kind{GroupKind: gvk.GroupKind(), stored: stored[0], scheme: scheme}
			ks.byName[gvk.GroupKind()] = k
			ks.all = append(ks.all, k)
		}
		if spec, ok := r.GetSpec().(arm.ARMTransformer); ok {
			for _, c := range spec.ARMResource().Collections {
				k.hasElements = true
				elements[strings.ToLower(c.Type)] = true
			}
			k.extension = k.extension || spec.ARMResource().Scope&arm.Extension != 0
			if t := strings.ToLower(spec.ARMResource().Type); !slices.Contains(k.armTypes, t) {
				k.armTypes = append(k.armTypes, t)
				ks.byType[t] = append(ks.byType[t], k)
			}
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
	slices.SortFunc(ks.all, func(a, b *kind) int { return strings.Compare(a.String(), b.String()) })
	for _, same := range ks.byType {
		slices.SortFunc(same, func(a, b *kind) int { return strings.Compare(a.String(), b.String()) })
	}
	return ks, nil
}

// conditionsOf returns the conditions in the Status, which every kind has.
func conditionsOf(r resource) *[]metav1.Condition {
	return fieldOf[[]metav1.Condition](r.GetStatus(), "Conditions")
}

// observedGenerationOf returns where the Status has the generation that the conditions
// are about, which every kind has.
func observedGenerationOf(r resource) **int64 {
	return fieldOf[*int64](r.GetStatus(), "ObservedGeneration")
}

// fieldOf returns a pointer to a field of a struct that a pointer points to, or nil if it has
// no such field of that type.
func fieldOf[T any](of any, name string) *T {
	v := reflect.ValueOf(of)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	f := v.Elem().FieldByName(name)
	if !f.IsValid() || !f.CanSet() {
		return nil
	}
	field, _ := f.Addr().Interface().(*T)
	return field
}

// checkStatus checks that the Status of a kind has what the operator reports.
func checkStatus(r resource) error {
	if conditionsOf(r) == nil || observedGenerationOf(r) == nil {
		return fmt.Errorf("%T lacks Conditions or ObservedGeneration: generate the group with this release", r.GetStatus())
	}
	return nil
}

// servedVersion returns an API version of the kind that is served, for references
// of owners.
func (k *kind) servedVersion() string {
	hub := k.new().NewHub().(conversion.KubernetesResource)
	return schema.GroupVersion{Group: k.Group, Version: hub.OriginalGVK().Version}.String()
}
