package conversion

import (
	"fmt"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// hookError is what a hook returned for an object.
type hookError struct {
	object any
	err    error
}

// wrap says where the object is: in one of the resources on the road. That of
// an element of a map cannot be found, since it has no place of its own.
func (c *Context) wrap(e hookError) error {
	roots := []any{c.source, c.destination, c.far}
	if c.scratch != nil {
		for _, a := range c.scratch.used {
			a.each(func(pointer any) {
				if _, ok := pointer.(metav1.Object); ok {
					roots = append(roots, pointer)
				}
			})
		}
	}
	for _, root := range roots {
		if path, found := pathTo(reflect.ValueOf(root), reflect.ValueOf(e.object)); found && path != "" {
			return fmt.Errorf("%s: %T: %w", path, e.object, e.err)
		}
	}
	return fmt.Errorf("%T: %w", e.object, e.err)
}

// pathTo is the JSON path from a value to the struct that a pointer leads to.
func pathTo(from, target reflect.Value) (path string, found bool) {
	switch from.Kind() {
	case reflect.Pointer, reflect.Interface:
		if from.Kind() == reflect.Pointer && from.Type() == target.Type() && from.Pointer() == target.Pointer() {
			return "", true
		}
		return pathTo(from.Elem(), target)
	case reflect.Struct:
		for i := range from.NumField() {
			field := from.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			if path, found := pathTo(addressed(from.Field(i)), target); found {
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				return join(name, path), true
			}
		}
	case reflect.Slice:
		for i := range from.Len() {
			if path, found := pathTo(addressed(from.Index(i)), target); found {
				return join(fmt.Sprintf("[%d]", i), path), true
			}
		}
	}
	return "", false
}

// addressed is the pointer to a struct that has a place of its own.
func addressed(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Struct && v.CanAddr() {
		return v.Addr()
	}
	return v
}

func join(step, path string) string {
	if step == "" || path == "" || strings.HasPrefix(path, "[") {
		return step + path
	}
	return step + "." + path
}
