package conversion

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/remainder"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/version"
)

// GetVersionedSpec is the Spec of a resource at the version that the resource
// is written for, see [VersionFor]. It fails with an [UnsentError] if that
// version cannot hold all of the Spec.
func GetVersionedSpec(resource KubernetesResource, scheme *runtime.Scheme) (ConvertibleSpec, error) {
	versioned, err := newVersioned(resource, scheme)
	if err != nil {
		return nil, err
	}
	spec := resource.GetSpec()
	c := &Context{far: versioned.GetSpec()}
	if err := spec.ConvertSpecTo((*throughSpec)(c)); err != nil {
		return nil, err
	}
	if !c.lossy {
		return versioned.GetSpec(), nil
	}
	back := reflect.New(reflect.TypeOf(resource).Elem()).Interface().(KubernetesResource)
	if err := versioned.GetSpec().ConvertSpecTo(back.GetSpec()); err != nil {
		return nil, err
	}
	lost, err := remainder.DiffObjects(&half{spec}, &half{back.GetSpec()}, remainder.OptionsOf(spec))
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, entry := range lost.Entries() {
		if entry.Path != "spec.originalVersion" {
			paths = append(paths, entry.Path)
		}
	}
	if len(paths) > 0 {
		return nil, &UnsentError{
			Object:  types.NamespacedName{Namespace: resource.GetNamespace(), Name: resource.GetName()},
			Version: versioned.OriginalGVK(),
			Paths:   paths,
		}
	}
	return versioned.GetSpec(), nil
}

// half is what the paths of an [UnsentError] start from.
type half struct {
	Spec ConvertibleSpec `json:"spec"`
}

// GetVersionedStatus is the Status of a resource at the version that the
// resource is written for, as far as that version can hold it.
func GetVersionedStatus(resource KubernetesResource, scheme *runtime.Scheme) (ConvertibleStatus, error) {
	status, err := NewEmptyVersionedStatus(resource, scheme)
	if err != nil {
		return nil, err
	}
	return status, resource.GetStatus().ConvertStatusTo(status)
}

// NewEmptyVersionedStatus is an empty Status of the version that a resource is
// written for: what to read ARM's answer into, and to give to SetStatus.
func NewEmptyVersionedStatus(resource KubernetesResource, scheme *runtime.Scheme) (ConvertibleStatus, error) {
	versioned, err := newVersioned(resource, scheme)
	if err != nil {
		return nil, err
	}
	return versioned.GetStatus(), nil
}

func newVersioned(resource KubernetesResource, scheme *runtime.Scheme) (KubernetesResource, error) {
	gvk, err := VersionFor(resource, scheme)
	if err != nil {
		return nil, err
	}
	object, err := scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	versioned, ok := object.(KubernetesResource)
	if !ok {
		return nil, fmt.Errorf("%v is %T in the scheme, which is no KubernetesResource", gvk, object)
	}
	return versioned, nil
}

// VersionFor is the API version in which to speak to ARM of a resource: that
// of its OriginalGVK. Where the scheme does not have that one, it is the one of
// the same ARM date under another prefix, else the nearest later one, else the
// hub's, else the latest.
func VersionFor(resource KubernetesResource, scheme *runtime.Scheme) (schema.GroupVersionKind, error) {
	wanted := resource.OriginalGVK()
	if isAPI(wanted.Version) && scheme.Recognizes(wanted) {
		return wanted, nil
	}
	var versions []string // from the earliest to the latest, of the same date the preferred first
	for _, gv := range scheme.VersionsForGroupKind(wanted.GroupKind()) {
		if isAPI(gv.Version) {
			versions = append(versions, gv.Version)
		}
	}
	if len(versions) == 0 {
		return wanted, fmt.Errorf("the scheme has no API version of %v: add the group to it", wanted.GroupKind())
	}
	slices.SortFunc(versions, func(a, b string) int {
		return cmp.Or(strings.Compare(armDate(a), armDate(b)), version.CompareKubeAwareVersionStrings(b, a))
	})
	date, hub := armDate(wanted.Version), resource.NewHub().(KubernetesResource).OriginalGVK().Version
	nearest, _ := slices.BinarySearchFunc(versions, date, func(v, date string) int { return strings.Compare(armDate(v), date) })
	switch {
	case date != "" && nearest < len(versions):
		wanted.Version = versions[nearest]
	case slices.Contains(versions, hub):
		wanted.Version = hub
	default:
		wanted.Version = versions[len(versions)-1]
	}
	return wanted, nil
}

// UnsentError is the error of a Spec of which the version that its resource is
// written for cannot hold all: ARM would not be told the rest.
type UnsentError struct {
	Object types.NamespacedName
	// Version is the one that the resource is written for.
	Version schema.GroupVersionKind
	// Paths are the properties that it cannot hold, such as spec.sku.tier.
	Paths []string
}

func (e *UnsentError) Error() string {
	return fmt.Sprintf("%s %s is written for %s, which lacks %s: clear these, or set the annotation %s to a version that has them",
		e.Version.Kind, e.Object, e.Version.Version, strings.Join(e.Paths, ", "), APIVersionAnnotation)
}
