package paths

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/runtime/internal/specpath"
	"github.com/armature-dev/armature/runtime/reference"
)

// kubernetes are the properties of a Spec that ARM does not have.
var kubernetes = []string{"azureName", "owner", "operatorSpec"}

// Check returns why a Spec of a type, given a value of it, has nothing that ARM could show at a path, or nil. ARM shows
// no secrets.
func Check(spec any, path string) error {
	steps, err := specpath.Parse(path)
	if err != nil {
		return err
	}
	if slices.Contains(kubernetes, steps[0].Name) {
		return fmt.Errorf("%s is not sent to ARM", path)
	}
	t, at := reflect.TypeOf(spec), specpath.Root
	for _, step := range steps {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		next, err := stepInto(t, step, at)
		if err != nil {
			return err
		}
		t, at = next, step.On(at)
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[reference.Secret]() {
		return fmt.Errorf("%s is a secret, which ARM does not show", path)
	}
	if t == reflect.TypeFor[reference.Value]() {
		return fmt.Errorf("%s names an object, which ARM does not know: expected the property that has the value", path)
	}
	return nil
}

// stepInto returns the type to which a step leads.
func stepInto(t reflect.Type, step specpath.Step, at string) (reflect.Type, error) {
	leaf := t == reflect.TypeFor[reference.Resource]() || t == reflect.TypeFor[reference.Secret]() ||
		t == reflect.TypeFor[reference.RoleDefinition]() || t == reflect.TypeFor[reference.Value]()
	switch {
	case t == reflect.TypeFor[apiextensionsv1.JSON]():
		return nil, fmt.Errorf("%s has no type, so its parts cannot be told apart: expected %s itself", at, at)
	case step.OfElement && t.Kind() == reflect.Slice:
		elem := t.Elem()
		for elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		if elem.Kind() != reflect.Struct || !slices.Contains(namesIn(elem), "name") {
			return nil, fmt.Errorf("the elements of %s have no names: expected %s itself", at, at)
		}
		return elem, nil
	case t.Kind() == reflect.Slice:
		return nil, fmt.Errorf("%s is a list: expected %s[name=…], or %s itself", at, at, at)
	case step.OfElement:
		return nil, fmt.Errorf("%s is no list, which %s would be a part of", at, step.On(at))
	case t.Kind() == reflect.Map:
		return t.Elem(), nil
	case t.Kind() != reflect.Struct || leaf:
		return nil, fmt.Errorf("%s has no parts: expected %s itself", at, at)
	}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name == step.Name && name != "-" {
			return t.Field(i).Type, nil
		}
	}
	names := namesIn(t)
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no properties", at)
	}
	return nil, fmt.Errorf("found no property %s in %s, expected a name such as %s", step.Name, at, nearest(step.Name, names))
}

// namesIn returns the names of the properties of a struct.
func namesIn(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// nearest returns the name that begins most like another one.
func nearest(name string, names []string) string {
	common := func(other string) (n int) {
		for n < len(name) && n < len(other) && strings.EqualFold(name[n:n+1], other[n:n+1]) {
			n++
		}
		return n
	}
	return slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(common(a), common(b)) })
}
