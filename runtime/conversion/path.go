package conversion

import (
	"fmt"
	"reflect"
	"strings"
)

// hookError is an error that the hook of an object returned.
type hookError struct {
	object any
	err    error
}

// locate adds to the errors of the hooks of a step where in the step's source
// or destination the objects are. It comes at the end of the step, because a
// new object is in its place only then. An element of a map cannot be found: the
// hook gets a copy.
func (c *Context) locate(in, out any) {
	for _, e := range c.pending {
		c.errs = append(c.errs, e.within(in, out))
	}
	c.pending = nil
}

// within returns the error with the JSON path of the object in one of the roots.
func (e hookError) within(roots ...any) error {
	for _, root := range roots {
		if path, found := pathTo(reflect.ValueOf(root), reflect.ValueOf(e.object)); found && path != "" {
			return fmt.Errorf("%s: %T: %w", path, e.object, e.err)
		}
	}
	return fmt.Errorf("%T: %w", e.object, e.err)
}

// pathTo returns the JSON path from a value to the struct that target points to,
// and reports whether it is there.
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

// addressed returns the pointer to an addressable struct, and any other value as
// it is.
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
