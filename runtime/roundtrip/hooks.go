package roundtrip

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/apiversion"
	"github.com/armature-dev/armature/runtime/conversion"
)

// blameHooks adds to the failure of NoLoss what to do about the hooks of an API package,
// if there are any. The annotation carries bags only, so such a hook has to give back
// every stored value as it was.
func (t *Trial) blameHooks(failure error) error {
	if failure == nil || !generated(t.Object) || IsStored(t.Object.(conversion.KubernetesResource)) {
		return failure
	}
	hooks := hooksOf(reflect.TypeOf(t.Object), map[reflect.Type]bool{})
	if len(hooks) == 0 {
		return failure
	}
	stored := []string{ownVersion(t.Hub).Version}
	for _, v := range t.Versions {
		if name := ownVersion(v).Version; apiversion.IsStorage(name) {
			stored = append(stored, name)
		}
	}
	kind := reflect.TypeOf(t.Hub).Elem().Name()
	from, to := link(stored, ownVersion(t.Object).Version)
	return fmt.Errorf("%w\nA hook of an API package must give back every stored value as it was. If %s cannot, move it to the "+
		"storage package, whose bags keep what a conversion loses. This prints what to fill in: armature hook %s --between %s %s",
		failure, strings.Join(hooks, " or "), kind, from, to)
}

// hooksOf returns the names of the hooks of a type and of the types of its package that
// it consists of.
func hooksOf(t reflect.Type, seen map[reflect.Type]bool) (hooks []string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return hooksOf(t.Elem(), seen)
	case reflect.Struct:
	default:
		return nil
	}
	if seen[t] {
		return nil
	}
	seen[t] = true
	for i, methods := 0, reflect.PointerTo(t); i < methods.NumMethod(); i++ {
		m := methods.Method(i)
		if (strings.HasPrefix(m.Name, "AssignTo") || strings.HasPrefix(m.Name, "AssignFrom")) && m.Type.NumIn() == 2 {
			hooks = append(hooks, t.Name()+"."+m.Name)
		}
	}
	for i := range t.NumField() {
		hooks = append(hooks, hooksOf(t.Field(i).Type, seen)...)
	}
	return hooks
}

// link returns the storage version of an API version and the one that it converts with.
// The hub is the first of the storage versions.
func link(stored []string, version string) (from, to string) {
	hub, own := stored[0], apiversion.Storage(version)
	stored = slices.Sorted(slices.Values(stored))
	at, found := slices.BinarySearch(stored, own)
	switch {
	case !found: // an alias, which has that of its twin
		return version, own
	case own < hub || at == 0 && at+1 < len(stored):
		return own, stored[at+1]
	case at > 0:
		return own, stored[at-1]
	}
	return version, own
}
