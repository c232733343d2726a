package arm

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/runtime/internal/armtag"
	"github.com/armature-dev/armature/runtime/reference"
)

// ValueResolver is a [Resolver] that also knows the texts that a Spec takes from other objects.
type ValueResolver interface {
	Resolver
	// Value returns the text that a reference means, for a property.
	Value(ctx context.Context, of Taker, ref reference.Value) (string, error)
}

// Taker is a property that takes its value from another object.
type Taker struct {
	// Path is that in the Spec, such as "spec.principalId".
	Path string
	// CreateOnly reports whether the property cannot change once the resource exists.
	CreateOnly bool
}

// FillIn sets each property of a Spec that takes its value from another object, adds the ids of
// resources that are keys of a map, and takes these references away: the Spec is then as if
// somebody had written the values there. The error lists everything that cannot be set, and the
// Spec should not be used then.
func FillIn(ctx context.Context, spec ARMTransformer, resolver ValueResolver) error {
	v, err := structOf(spec)
	if err != nil {
		return err
	}
	f := filler{ctx: ctx, resolver: resolver, path: path{root: rootOf(spec)}}
	eachTaker(v, &f.path, f.object)
	return join(f.errs...)
}

type filler struct {
	ctx      context.Context
	resolver ValueResolver
	path     path
	errs     []error
}

func (f *filler) fail(err error) { f.errs = append(f.errs, fmt.Errorf("%s: %w", f.path.String(), err)) }

// object fills in what a struct has, apart from what is deeper in it.
func (f *filler) object(v reflect.Value) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		from, _ := v.Field(i).Interface().(*reference.Value)
		f.path.push(jsonName(field))
		switch {
		case from != nil:
			f.set(v, i, *from)
			v.Field(i).SetZero()
		case armtag.Of(field).Keys:
			f.addKeys(v, i)
			v.Field(i).SetZero()
		}
		f.path.pop()
	}
}

// eachTaker calls do with each struct in a value that may have references to values, from the outside in.
func eachTaker(v reflect.Value, at *path, do func(reflect.Value)) {
	if !takesValues(v.Type()) {
		return
	}
	if at.depth++; at.depth > maxDepth {
		return // the encoder refuses it
	}
	defer func() { at.depth-- }()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachTaker(v.Elem(), at, do)
		}
	case reflect.Slice:
		for i := range v.Len() {
			at.pushIndex(i)
			eachTaker(v.Index(i), at, do)
			at.pop()
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			at.pushKey(key.String())
			entry := reflect.New(v.Type().Elem()).Elem() // a map's own cannot be changed
			entry.Set(v.MapIndex(key))
			eachTaker(entry, at, do)
			v.SetMapIndex(key, entry)
			at.pop()
		}
	case reflect.Struct:
		do(v)
		for i := range v.NumField() {
			at.push(jsonName(v.Type().Field(i)))
			eachTaker(v.Field(i), at, do)
			at.pop()
		}
	}
}

// set sets the property that takes its value from an object by the reference in field i.
func (f *filler) set(v reflect.Value, i int, from reference.Value) {
	at := besideOf(v.Type(), i, isText)
	if at < 0 {
		f.fail(errors.New("there is no property to set"))
		return
	}
	property := v.Field(at)
	name := jsonName(v.Type().Field(at))
	if !property.IsNil() {
		f.fail(fmt.Errorf("%s is set, too; set one of the two", name))
		return
	}
	f.path.pop()
	f.path.push(name)
	text, err := f.resolver.Value(f.ctx, Taker{f.path.String(), armtag.Of(v.Type().Field(i)).CreateOnly}, from)
	if err != nil {
		f.fail(err)
		return
	}
	property.Set(reflect.ValueOf(&text))
}

// addKeys adds the ids of the resources that the list in field i refers to as keys of the map beside it.
func (f *filler) addKeys(v reflect.Value, i int) {
	references, _ := v.Field(i).Interface().([]reference.Resource)
	if len(references) == 0 {
		return
	}
	at := besideOf(v.Type(), i, isMap)
	if at < 0 {
		f.fail(errors.New("there is no map to add the ids to"))
		return
	}
	types := armTypes(v.Type().Field(i))
	keys := v.Field(at)
	if keys.IsNil() {
		keys.Set(reflect.MakeMap(keys.Type()))
	}
	for n, ref := range references {
		f.path.pushIndex(n)
		id, err := idOf(f.ctx, f.resolver, ref, types)
		if err != nil {
			f.fail(err)
		} else if !hasKey(keys, id) {
			keys.SetMapIndex(reflect.ValueOf(id), emptyOf(keys.Type().Elem()))
		}
		f.path.pop()
	}
}

func isMap(t reflect.Type) bool { return t.Kind() == reflect.Map }

func isText(t reflect.Type) bool { return t == reflect.TypeFor[*string]() }

// hasKey reports whether a map has an id as its key.
func hasKey(m reflect.Value, id string) bool {
	return slices.ContainsFunc(m.MapKeys(), func(key reflect.Value) bool { return strings.EqualFold(key.String(), id) })
}

// emptyOf returns the value that is sent as an empty object.
func emptyOf(t reflect.Type) reflect.Value {
	if t == reflect.TypeFor[apiextensionsv1.JSON]() {
		return reflect.ValueOf(apiextensionsv1.JSON{Raw: []byte("{}")})
	}
	return reflect.Zero(t)
}

// besideOf returns the index of the field, of a type that is right, that has the same place in ARM
// as a reference, or -1 if there is none.
func besideOf(t reflect.Type, reference int, isRight func(reflect.Type) bool) int {
	tag := armtag.Of(t.Field(reference))
	for i := range t.NumField() {
		field := t.Field(i)
		if other := armtag.Of(field); i != reference && isRight(field.Type) && !other.Unknown &&
			other.Name == tag.Name && other.Nested == tag.Nested {
			return i
		}
	}
	return -1
}

// takers holds by reflect.Type whether a value of the type can have references to values.
var takers sync.Map

func takesValues(t reflect.Type) bool {
	if known, found := takers.Load(t); found {
		return known.(bool)
	}
	takes := reaches(t, map[reflect.Type]bool{})
	takers.Store(t, takes)
	return takes
}

// reaches reports whether a type is a reference to a value, or has one in it.
func reaches(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == reflect.TypeFor[reference.Value]() {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return reaches(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if field := t.Field(i); field.IsExported() && (armtag.Of(field).Keys || reaches(field.Type, seen)) {
				return true
			}
		}
	}
	return false
}

// Sources are the objects that [ReferTo] can refer to.
type Sources interface {
	// Named returns the resource that has an ARM id.
	Named(id string) (ref reference.Resource, found bool)
	// Valued returns where a property, of a name in Kubernetes such as "principalId", can take a text from.
	Valued(property, text string) (ref reference.Value, found bool)
}

// ReferTo is the reverse of [FillIn]: in place of each text that a source has, and that the Spec can take from
// another object, it refers to the source, and so it does in place of each key of a map that is the id of a
// source and that has an empty value.
func ReferTo(spec ARMTransformer, sources Sources) error {
	v, err := structOf(spec)
	if err != nil {
		return err
	}
	eachTaker(v, new(path), func(v reflect.Value) {
		for i := range v.NumField() {
			if armtag.Of(v.Type().Field(i)).Keys {
				referToKeys(v, i, sources.Named)
			} else if from, takes := v.Field(i).Interface().(*reference.Value); takes && from == nil {
				referToValue(v, i, sources.Valued)
			}
		}
	})
	return nil
}

// referToValue sets the reference in field i if an object has the text of the property that it is for.
func referToValue(v reflect.Value, i int, valued func(string, string) (reference.Value, bool)) {
	at := besideOf(v.Type(), i, isText)
	if at < 0 || v.Field(at).IsNil() {
		return
	}
	if ref, found := valued(jsonName(v.Type().Field(at)), v.Field(at).Elem().String()); found {
		v.Field(at).SetZero()
		v.Field(i).Set(reflect.ValueOf(&ref))
	}
}

// referToKeys moves keys of a map to the list of references in field i.
func referToKeys(v reflect.Value, i int, named func(string) (reference.Resource, bool)) {
	at := besideOf(v.Type(), i, isMap)
	if at < 0 || v.Field(at).IsNil() {
		return
	}
	keys := v.Field(at)
	all := keys.MapKeys()
	slices.SortFunc(all, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range all {
		ref, found := named(key.String())
		if !found || !reflect.DeepEqual(keys.MapIndex(key).Interface(), emptyOf(keys.Type().Elem()).Interface()) {
			continue
		}
		keys.SetMapIndex(key, reflect.Value{})
		v.Field(i).Set(reflect.Append(v.Field(i), reflect.ValueOf(ref)))
	}
	if keys.Len() == 0 {
		keys.SetZero()
	}
}
