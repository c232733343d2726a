package webhook

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// decode reads an object into the Go type of its version. Of a stored object, it puts
// what does not fit the type into the bag beside it, as an entry that no version reads:
// there no conversion or write loses it, and a list that contains the object can still
// be read.
func (w *worker) decode(a *attempt, input []byte) (object, error) {
	src := a.route.src.new()
	err := a.route.src.decode(input, src)
	if err == nil {
		return src, nil
	}
	if _, stored := src.(conversion.StoredResource); !stored {
		return nil, decodingError(err)
	}
	var places []string
	for err != nil {
		place := placeOf(a.route.src, input)
		aside, ok := setAside(input, a.route.src.goType, place, len(places) >= mostAside)
		if !ok {
			return nil, decodingError(err)
		}
		places = append(places, decodingError(err).Error())
		input, src = aside, a.route.src.new()
		err = a.route.src.decode(input, src)
	}
	a.context.Unreadable += len(places)
	w.options.Logger.Warn("a stored object does not fit its type; what does not fit is kept in its bag", "object",
		nameOf(a.raw, a.head.metadata), "kind", a.route.kind, "group", a.route.group, "version", a.route.from, "places", places)
	return src, nil
}

// mostAside is how many values are put aside one by one. After them the whole Spec or
// Status is.
const mostAside = 20

// placeOf returns the steps to the first value that does not fit.
func placeOf(t *typed, input []byte) (steps []string) {
	var semantic *jsonv2.SemanticError
	if errors.As(decodeStrictly(input, t.new()), &semantic) {
		for step := range semantic.JSONPointer.Tokens() {
			steps = append(steps, step)
		}
	}
	return steps
}

// setAside moves a value of an object's Spec or Status into the bag of the
// innermost object around it that has one, or with whole the Spec or Status. It
// reports whether there is such a bag.
func setAside(input jsontext.Value, t reflect.Type, steps []string, whole bool) (jsontext.Value, bool) {
	if len(steps) == 0 || steps[0] != "spec" && steps[0] != "status" {
		return nil, false
	}
	half, within := fieldType(t, steps[0]), -1
	if !hasBag(half) {
		return nil, false
	}
	for i, t := 1, half; i < len(steps) && !whole; i++ {
		if hasBag(t) {
			within = i
		}
		t = fieldType(t, steps[i])
	}
	if within < 0 { // the half itself is no object
		return edit(input, steps[:1], func(value jsontext.Value) jsontext.Value {
			return write(map[string]jsontext.Value{propertybag.Name: value})
		})
	}
	return edit(input, steps[:within], func(value jsontext.Value) jsontext.Value {
		object, bag := map[string]jsontext.Value{}, map[string]jsontext.Value{}
		_ = json.Unmarshal(value, &object) // it is one, since the place is in it
		if old := object[propertybag.Name]; old != nil && json.Unmarshal(old, &bag) != nil {
			bag = map[string]jsontext.Value{"": old}
		}
		name := propertybag.Fold(steps[within])
		for bag[name] != nil {
			name += "@"
		}
		if bag == nil { // it was null
			bag = map[string]jsontext.Value{}
		}
		bag[name] = write(map[string]jsontext.Value{"value": object[steps[within]]})
		delete(object, steps[within])
		object[propertybag.Name] = write(bag)
		return write(object)
	})
}

// edit changes the value at a place.
func edit(value jsontext.Value, steps []string, change func(jsontext.Value) jsontext.Value) (jsontext.Value, bool) {
	if len(steps) == 0 {
		return change(value), true
	}
	if value.Kind() == jsontext.KindBeginArray {
		var list []jsontext.Value
		i, err := strconv.Atoi(steps[0])
		if json.Unmarshal(value, &list) != nil || err != nil || i >= len(list) {
			return nil, false
		}
		element, ok := edit(list[i], steps[1:], change)
		list[i] = element
		return write(list), ok
	}
	var object map[string]jsontext.Value
	if json.Unmarshal(value, &object) != nil || object[steps[0]] == nil {
		return nil, false
	}
	member, ok := edit(object[steps[0]], steps[1:], change)
	object[steps[0]] = member
	return write(object), ok
}

// write returns the JSON of a list or an object of JSON.
func write(value any) jsontext.Value {
	text, _ := jsonv2.Marshal(value, jsontext.AllowInvalidUTF8(true)) // of what was read as JSON it cannot fail
	return text
}

// hasBag reports whether a type is a struct with a bag.
func hasBag(t reflect.Type) bool {
	return fieldType(t, propertybag.Name) == reflect.TypeFor[propertybag.Bag]()
}

// fieldType returns the type of a member or an element, nil if there is none.
func fieldType(t reflect.Type, step string) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == nil:
		return nil
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		return t.Elem()
	case t.Kind() == reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == step {
				return f.Type
			}
		}
	}
	return nil
}
