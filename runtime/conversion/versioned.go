package conversion

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/version"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/apiversion"
	"github.com/armature-dev/armature/runtime/remainder"
)

// GetVersionedSpec returns the Spec of a resource at the version that the
// resource is written for, see [VersionFor]. It fails with an [UnsentError] if
// that version cannot hold all of the Spec. It shares nothing with the resource,
// which may belong to a cache.
func GetVersionedSpec(resource KubernetesResource, scheme *runtime.Scheme) (ConvertibleSpec, error) {
	gvk, err := VersionFor(resource, scheme)
	if err != nil {
		return nil, err
	}
	return GetSpecAt(resource, scheme, gvk.Version)
}

// GetSpecAt returns the Spec of a resource at an API version, as [GetVersionedSpec] does
// at the one that the resource is written for.
func GetSpecAt(resource KubernetesResource, scheme *runtime.Scheme, version string) (ConvertibleSpec, error) {
	versioned, err := newVersioned(resource.OriginalGVK().GroupKind().WithVersion(version), scheme)
	if err != nil {
		return nil, err
	}
	spec := copySpec(resource) // a conversion shares scalars
	c := &Context{far: versioned.GetSpec()}
	if err := spec.ConvertSpecTo((*throughSpec)(c)); err != nil {
		return nil, err
	}
	if !c.lossy {
		return versioned.GetSpec(), nil
	}
	paths, err := unsent(spec, versioned.GetSpec(), resource, scheme)
	if err != nil {
		return nil, err
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

// unsent returns the paths of the properties that a resource's Spec has and that
// sent, its conversion for ARM, lacks. An entry of a bag is compared in the shape
// of the entry's version, because a hook may have moved its value to another
// property, and then it is sent.
func unsent(spec, sent ConvertibleSpec, resource KubernetesResource, scheme *runtime.Scheme) ([]string, error) {
	lost, err := differences(spec, sent, resource.GetSpec())
	if err != nil {
		return nil, err
	}
	var paths []string
	add := func(path string) {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	compared := map[string]bool{} // by the version of an entry
	for _, entry := range lost {
		clients := specsOf(entry.Version, resource, scheme)
		switch {
		case entry.Path == "spec.originalVersion", compared[entry.Version]:
		case len(clients) == 0:
			add(entry.Path)
		default:
			compared[entry.Version] = true
			for _, like := range clients {
				lost, err := differences(spec, sent, like)
				if err != nil {
					return nil, err
				}
				for _, entry := range lost {
					add(entry.Path)
				}
				if len(lost) > 0 {
					break
				}
			}
		}
	}
	return paths, nil
}

// differences returns where a and b differ, both converted to the type of like.
func differences(a, b, like ConvertibleSpec) ([]remainder.Difference, error) {
	var both [2]ConvertibleSpec
	for i, from := range []ConvertibleSpec{a, b} {
		if reflect.TypeOf(from) == reflect.TypeOf(like) {
			both[i] = from
			continue
		}
		both[i] = reflect.New(reflect.TypeOf(like).Elem()).Interface().(ConvertibleSpec)
		if err := from.ConvertSpecTo(both[i]); err != nil {
			return nil, err
		}
	}
	return remainder.Differences(&half{both[0]}, &half{both[1]})
}

// specsOf returns an empty Spec of each Kubernetes version that an ARM API
// version has.
func specsOf(version string, resource KubernetesResource, scheme *runtime.Scheme) []ConvertibleSpec {
	date := armDate(strings.ReplaceAll(version, "-", ""))
	if date == "" {
		return nil
	}
	kind := resource.OriginalGVK().GroupKind()
	var specs []ConvertibleSpec
	for _, gv := range scheme.VersionsForGroupKind(kind) {
		if apiversion.IsStorage(gv.Version) || armDate(gv.Version) != date {
			continue
		}
		if object, err := scheme.New(gv.WithKind(kind.Kind)); err == nil {
			specs = append(specs, object.(KubernetesResource).GetSpec())
		}
	}
	return specs
}

// half makes the paths of an [UnsentError] start with "spec".
type half struct {
	Spec ConvertibleSpec `json:"spec"`
}

// GetVersionedStatus returns the Status of a resource at the version that the
// resource is written for, as far as that version can hold it. It shares nothing
// with the resource.
func GetVersionedStatus(resource KubernetesResource, scheme *runtime.Scheme) (ConvertibleStatus, error) {
	status, err := NewEmptyVersionedStatus(resource, scheme)
	if err != nil {
		return nil, err
	}
	return status, copyStatus(resource).ConvertStatusTo(status)
}

// copySpec returns a copy of a resource's Spec. It does not copy the rest: a Status may
// be large, and nobody needs it for a PUT.
func copySpec(resource KubernetesResource) ConvertibleSpec {
	alone := emptyLike(resource)
	reflect.ValueOf(alone.GetSpec()).Elem().Set(reflect.ValueOf(resource.GetSpec()).Elem())
	return alone.DeepCopyObject().(KubernetesResource).GetSpec()
}

// copyStatus returns a copy of a resource's Status, and does not copy the rest.
func copyStatus(resource KubernetesResource) ConvertibleStatus {
	alone := emptyLike(resource)
	reflect.ValueOf(alone.GetStatus()).Elem().Set(reflect.ValueOf(resource.GetStatus()).Elem())
	return alone.DeepCopyObject().(KubernetesResource).GetStatus()
}

// emptyLike returns an empty object of a resource's type.
func emptyLike(resource KubernetesResource) KubernetesResource {
	return reflect.New(reflect.TypeOf(resource).Elem()).Interface().(KubernetesResource)
}

// NewEmptyVersionedStatus returns an empty Status of the version that a resource
// is written for. Read ARM's answer into it and pass it to SetStatus.
func NewEmptyVersionedStatus(resource KubernetesResource, scheme *runtime.Scheme) (ConvertibleStatus, error) {
	gvk, err := VersionFor(resource, scheme)
	if err != nil {
		return nil, err
	}
	versioned, err := newVersioned(gvk, scheme)
	if err != nil {
		return nil, err
	}
	return versioned.GetStatus(), nil
}

func newVersioned(gvk schema.GroupVersionKind, scheme *runtime.Scheme) (KubernetesResource, error) {
	object, err := scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	versioned, ok := object.(KubernetesResource)
	if !ok {
		return nil, fmt.Errorf("%v is %T in the scheme, expected a conversion.KubernetesResource", gvk, object)
	}
	return versioned, nil
}

// VersionFor returns the API version in which to talk to ARM about a resource:
// that of its OriginalGVK. If the scheme does not have that one, it returns the
// one of the same ARM date under another prefix, else the next later one, else
// the hub's, else the latest.
func VersionFor(resource KubernetesResource, scheme *runtime.Scheme) (schema.GroupVersionKind, error) {
	wanted := resource.OriginalGVK()
	if !apiversion.IsStorage(wanted.Version) && scheme.Recognizes(wanted) {
		return wanted, nil
	}
	var versions []string // sorted by date, of the same date the preferred one first
	for _, gv := range scheme.VersionsForGroupKind(wanted.GroupKind()) {
		if !apiversion.IsStorage(gv.Version) {
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

// IsNewer reports whether a resource is written for an API version that is later
// than its hub and all that the scheme has of its kind: a newer release has that
// version. [VersionFor] returns an older one then, in which ARM shall not get it.
func IsNewer(resource KubernetesResource, scheme *runtime.Scheme) bool {
	wanted := resource.OriginalGVK()
	date := armDate(wanted.Version)
	hub := resource.NewHub().(KubernetesResource).OriginalGVK().Version
	return date > armDate(hub) && !slices.ContainsFunc(scheme.VersionsForGroupKind(wanted.GroupKind()), func(gv schema.GroupVersion) bool {
		return !apiversion.IsStorage(gv.Version) && armDate(gv.Version) >= date
	})
}

// UnsentError says that the version that a resource is written for cannot hold
// all of its Spec, so that ARM would not get the rest.
type UnsentError struct {
	Object types.NamespacedName
	// Version is the version that the resource is written for.
	Version schema.GroupVersionKind
	// Paths are those of the properties that it cannot hold, such as spec.sku.tier.
	Paths []string
}

func (e *UnsentError) Error() string {
	return fmt.Sprintf("%s %s is written for %s, which lacks %s: clear these, or set the annotation %s to a version that has them",
		e.Version.Kind, e.Object, e.Version.Version, strings.Join(e.Paths, ", "), annotation.APIVersion)
}
