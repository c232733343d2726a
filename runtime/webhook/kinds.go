package webhook

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/untyped"
)

// kind describes one kind of a group.
type kind struct {
	schema.GroupKind
	hub         *typed
	versions    map[string]*typed // by version, without the group
	untyped     untyped.ConvertFunction
	structSizes structSizes
}

// typed is a version of a kind that has a Go type.
type typed struct {
	schema.GroupVersionKind
	goType reflect.Type // a struct
	hub    bool
	stored bool // whether objects are stored at this version, and clients do not write it
	decode func([]byte, any) error
}

func (t *typed) new() object { return reflect.New(t.goType).Interface().(object) }

// object is the interface of types that convert.
type object interface {
	runtime.Object
	metav1.Object
	metav1.ObjectMetaAccessor
}

// kindsOf returns the kinds that convert. Its error lists every kind that has a hub
// and cannot convert.
func kindsOf(scheme *runtime.Scheme, untyped map[schema.GroupKind]untyped.ConvertFunction) (map[schema.GroupKind]*kind, error) {
	kinds := map[schema.GroupKind]*kind{}
	var errs []error
	if scheme != nil {
		for gvk, goType := range scheme.AllKnownTypes() {
			if gvk.Version == runtime.APIVersionInternal || !reflect.PointerTo(goType).Implements(reflect.TypeFor[metav1.Object]()) {
				continue // a list, or a type that every version of every group has
			}
			k := kinds[gvk.GroupKind()]
			if k == nil {
				k = &kind{GroupKind: gvk.GroupKind(), versions: map[string]*typed{}}
				kinds[gvk.GroupKind()] = k
			}
			hub := reflect.PointerTo(goType).Implements(reflect.TypeFor[conversion.Hub]())
			k.versions[gvk.Version] = &typed{
				GroupVersionKind: gvk,
				goType:           goType,
				hub:              hub,
				stored:           hub || reflect.PointerTo(goType).Implements(reflect.TypeFor[conversion.StoredResource]()),
				decode:           decoderOf(goType),
			}
		}
	}
	for _, k := range kinds {
		errs = append(errs, k.check())
		k.structSizes = structSizesOf(k.versions)
	}
	for gk, function := range untyped {
		switch {
		case function == nil:
			errs = append(errs, fmt.Errorf("%s: its convert function is nil", gk))
		case kinds[gk] != nil:
			errs = append(errs, fmt.Errorf("%s: it has Go types in the scheme and a convert function; leave one out", gk))
		default:
			kinds[gk] = &kind{GroupKind: gk, untyped: function}
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return kinds, errors.Join(errs...)
}

// check finds the hub, and fails if some versions cannot convert. A kind without a hub does not
// concern the webhook, unless some of its versions convert.
func (k *kind) check() error {
	var hubs, spokes, others []string
	for _, name := range k.versionNames() {
		v := k.versions[name]
		switch instance := reflect.New(v.goType).Interface(); {
		case v.hub:
			hubs, k.hub = append(hubs, name), v
		case isSpoke(instance):
			spokes = append(spokes, name)
		default:
			others = append(others, name)
		}
	}
	switch {
	case len(hubs) > 1:
		return fmt.Errorf("%s: it has the hubs %s, expected one", k, strings.Join(hubs, ", "))
	case len(hubs) == 0 && len(spokes) > 0:
		return fmt.Errorf("%s: %s convert with a hub, but none is in the scheme", k, strings.Join(spokes, ", "))
	case len(hubs) == 1 && len(others) > 0:
		return fmt.Errorf("%s: %s do not convert with its hub %s", k, strings.Join(others, ", "), hubs[0])
	case len(hubs) == 1:
		return k.checkMetadata()
	}
	return nil
}

func isSpoke(instance any) bool { _, ok := instance.(conversion.Convertible); return ok }

// checkMetadata checks that the metadata of all versions can be found.
func (k *kind) checkMetadata() error {
	for _, name := range k.versionNames() {
		instance, ok := reflect.New(k.versions[name].goType).Interface().(object)
		if ok {
			_, ok = instance.GetObjectMeta().(*metav1.ObjectMeta)
		}
		if !ok {
			return fmt.Errorf("%s: %s does not embed metav1.ObjectMeta", k, k.versions[name].goType)
		}
	}
	return nil
}

// versionNames returns the versions that have Go types, in Kubernetes' order.
func (k *kind) versionNames() []string {
	return slices.SortedFunc(maps.Keys(k.versions), func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
}

// route describes how objects of one version convert to another.
type route struct {
	group, kind string
	from, to    string // versions, without the group
	// for a kind that has Go types
	src, dst, hub *typed
	// for a kind that has none
	untyped untyped.ConvertFunction
	// write reports whether the route is taken when clients write objects, and not when they read
	// them.
	write       bool
	structSizes structSizes

	metrics *routeMetrics
}

// routeOf returns the route of a kind from one apiVersion to another.
func (h *Handler) routeOf(original, kindName, desired string) (*route, error) {
	if r, known := h.routes.Load(routeKey{original, kindName, desired}); known {
		return r.(*route), nil
	}
	from, err := schema.ParseGroupVersion(original)
	if err != nil || from.Version == "" {
		return h.unknown, fmt.Errorf("its apiVersion is %s, expected one such as example.com/v1", quoteShort(original))
	}
	to, err := schema.ParseGroupVersion(desired)
	if err != nil || to.Version == "" {
		return h.unknown, fmt.Errorf("the desired apiVersion is %s, expected one such as example.com/v1", quoteShort(desired))
	}
	gk := schema.GroupKind{Group: from.Group, Kind: kindName}
	k := h.kinds[gk]
	switch {
	case original == desired && k == nil:
		return h.unknown, nil
	case k == nil:
		return h.unknown, fmt.Errorf("this webhook has no kind %s of group %s, it has %s", quoteShort(gk.Kind), quoteShort(gk.Group),
			h.listKinds(gk.Group))
	case to.Group != from.Group:
		return h.unknown, fmt.Errorf("the desired apiVersion %s is of another group", quoteShort(desired))
	}
	r := &route{
		group: gk.Group, kind: gk.Kind, from: from.Version, to: to.Version, hub: k.hub, untyped: k.untyped, structSizes: k.structSizes,
	}
	if k.untyped != nil {
		// Only the function knows which versions there are: see [Handler.storeRoute].
		r.metrics = h.unknown.metrics
		return r, nil
	}
	if k.hub == nil {
		return h.unknown, fmt.Errorf("no version of kind %s of group %s is a hub, so it does not convert", gk.Kind, gk.Group)
	}
	if r.src, err = k.typed(from.Version); err != nil {
		return h.unknown, err
	}
	if r.dst, err = k.typed(to.Version); err != nil {
		return h.unknown, err
	}
	r.write = !r.src.stored && r.dst.stored
	h.storeRoute(r)
	return r, nil
}

// routeKey identifies a route by the texts in a review.
type routeKey struct{ original, kind, desired string }

// maxRoutes is how many routes are stored. Each has metrics of about 10 KB, and there is a
// route for each pair of versions.
const maxRoutes = 4_000

// storeRoute stores a route. It must be called only when the versions are known to exist, so
// that nobody can fill the memory with routes, or the metrics with labels.
func (h *Handler) storeRoute(r *route) {
	if h.routeCount.Add(1) > maxRoutes {
		r.metrics = h.unknown.metrics
		return
	}
	known := *r
	known.metrics = h.metrics.route(r)
	r.metrics = known.metrics
	from, to := schema.GroupVersion{Group: r.group, Version: r.from}, schema.GroupVersion{Group: r.group, Version: r.to}
	h.routes.Store(routeKey{from.String(), r.kind, to.String()}, &known)
}

func (k *kind) typed(version string) (*typed, error) {
	if t := k.versions[version]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("this webhook has no version %s of kind %s of group %s, it has %s", quoteShort(version), k.Kind, k.Group,
		strings.Join(k.versionNames(), ", "))
}

// listKinds lists the kinds of a group, or all groups if the group has no kinds.
func (h *Handler) listKinds(group string) string {
	var kinds, groups []string
	for gk := range h.kinds {
		if groups = append(groups, gk.Group); gk.Group == group {
			kinds = append(kinds, gk.Kind)
		}
	}
	what, list := "kinds", kinds
	if kinds == nil {
		what, list = "groups", groups
	}
	slices.Sort(list)
	if list = slices.Compact(list); list == nil {
		return "none"
	}
	return what + " " + strings.Join(list, ", ")
}
