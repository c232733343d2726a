package roundtrip

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// empty returns a new object of the type of like.
func empty[T runtime.Object](like T) T {
	return reflect.New(reflect.TypeOf(like).Elem()).Interface().(T)
}

// generated reports whether an object is of a generated type, whose conversions
// promise more.
func generated(object runtime.Object) bool {
	_, ok := object.(conversion.KubernetesResource)
	return ok
}

// ownVersion returns the group and the version of a generated type, whose package
// has the version's name.
func ownVersion(object runtime.Object) schema.GroupVersion {
	return schema.GroupVersion{
		Group:   object.(conversion.KubernetesResource).OriginalGVK().Group,
		Version: path.Base(reflect.TypeOf(object).Elem().PkgPath()),
	}
}

// objectMeta returns nil for an object without metadata.
func objectMeta(object runtime.Object) any {
	if accessor, ok := object.(metav1.ObjectMetaAccessor); ok {
		return accessor.GetObjectMeta()
	}
	return nil
}

// bagsOf returns entries for the bags of the struct types within objects, for
// the properties of these types: by the name of the type, and under "" all.
func bagsOf(objects ...runtime.Object) map[string][]BagEntry {
	bags := map[string][]BagEntry{}
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(t.Elem())
		case reflect.Struct:
			if seen[t] {
				return
			}
			seen[t] = true
			bag, _ := t.FieldByName(propertybag.Field)
			for i := range t.NumField() {
				if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" &&
					bag.Type == reflect.TypeFor[propertybag.Bag]() {
					entry := BagEntry{propertybag.Fold(name), "2001-01-01"}
					bags[t.Name()], bags[""] = append(bags[t.Name()], entry), append(bags[""], entry)
				}
				visit(t.Field(i).Type)
			}
		}
	}
	for _, object := range objects {
		visit(reflect.TypeOf(object))
	}
	return bags
}

// scribble overwrites everything in a value that conversions may not share with their
// source. They may share what pointers to scalars point to.
func scribble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		switch v.Type().Elem().Kind() {
		case reflect.Struct, reflect.Slice, reflect.Map:
			if !v.IsNil() {
				scribble(v.Elem())
			}
		}
		return
	case reflect.Struct:
		for i := range v.NumField() {
			scribble(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			scribble(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			scribble(v.MapIndex(key))
			if v.CanInterface() {
				v.SetMapIndex(key, reflect.Value{})
			}
		}
	}
	if v.CanSet() {
		v.SetZero()
	}
}

// shared returns the path of memory that two equal values share, or "". Values of
// size zero have no memory, although Go gives all of them one address.
func shared(a, b reflect.Value) string {
	switch a.Kind() {
	case reflect.Pointer:
		switch {
		case a.IsNil() || a.Type().Elem().Size() == 0:
			return ""
		case a.Pointer() == b.Pointer():
			return "*"
		}
		return shared(a.Elem(), b.Elem())
	case reflect.Struct:
		if a.Type() == reflect.TypeFor[time.Time]() {
			return "" // points to its time zone, which is never written to
		}
		for i := range a.NumField() {
			if path := shared(a.Field(i), b.Field(i)); path != "" {
				return "." + a.Type().Field(i).Name + path
			}
		}
	case reflect.Slice:
		if a.Len() > 0 && a.Type().Elem().Size() > 0 && a.Pointer() == b.Pointer() {
			return "[]"
		}
		for i := range a.Len() {
			if path := shared(a.Index(i), b.Index(i)); path != "" {
				return fmt.Sprintf("[%d]%s", i, path)
			}
		}
	case reflect.Map:
		if !a.IsNil() && a.Pointer() == b.Pointer() {
			return "[]"
		}
		for _, key := range a.MapKeys() {
			if path := shared(a.MapIndex(key), b.MapIndex(key)); path != "" {
				return fmt.Sprintf("[%q]%s", key, path)
			}
		}
	}
	return ""
}

// deepCopy returns a settable copy of v that shares no memory with it, except what
// unexported fields point to.
func deepCopy(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(deepCopy(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.Field(i).Set(deepCopy(v.Field(i)))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				c.Index(i).Set(deepCopy(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			c.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for _, key := range v.MapKeys() {
				c.SetMapIndex(key, deepCopy(v.MapIndex(key)))
			}
		}
	}
	return c
}

// sortedKeys returns the sorted keys of a map with keys of a string type.
func sortedKeys(v reflect.Value) []reflect.Value {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	return keys
}
