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

// decode reads an object into the Go type of its version. If a value of a stored object does not
// fit the type, decode moves it into a bag, as an entry that no version reads. No conversion or
// write loses an entry of a bag, and a list that contains the object can still be read.
func (w *worker) decode(a *attempt, input []byte) (object, error) {
	src := a.route.src.new()
	err := a.route.src.decode(input, src)
	if err == nil {
		return src, nil
	}
	if _, stored := src.(conversion.StoredResource); !stored {
		return nil, decodingError(err)
	}
	var problems []string
	for err != nil {
		path := misfitPath(a.route.src, input)
		moved, ok := moveToBag(input, a.route.src.goType, path, len(problems) >= maxMoved)
		if !ok {
			return nil, decodingError(err)
		}
		problems = append(problems, decodingError(err).Error())
		input, src = moved, a.route.src.new()
		err = a.route.src.decode(input, src)
	}
	a.context.Unreadable += len(problems)
	w.options.Logger.Warn("values of a stored object do not fit its type: they are kept in its bag", "object",
		nameOf(a.raw, a.head.metadata), "kind", a.route.kind, "group", a.route.group, "version", a.route.from, "places", problems)
	return src, nil
}

// maxMoved is how many values are moved one by one. If there are more, the whole Spec or Status
// is moved.
const maxMoved = 20

// misfitPath returns the path of the first value that does not fit the type.
func misfitPath(t *typed, input []byte) (steps []string) {
	var semantic *jsonv2.SemanticError
	if errors.As(decodeStrictly(input, t.new()), &semantic) {
		for step := range semantic.JSONPointer.Tokens() {
			steps = append(steps, step)
		}
	}
	return steps
}

// moveToBag moves a value of an object's Spec or Status into the bag of the innermost
// object around it that has a bag. If whole is true, it moves all of the Spec or Status into
// its own bag. It reports whether there is such a bag.
func moveToBag(input jsontext.Value, t reflect.Type, steps []string, whole bool) (jsontext.Value, bool) {
	if len(steps) == 0 || steps[0] != "spec" && steps[0] != "status" {
		return nil, false
	}
	topType, bagDepth := fieldType(t, steps[0]), -1
	if !hasBag(topType) {
		return nil, false
	}
	for i, t := 1, topType; i < len(steps) && !whole; i++ {
		if hasBag(t) {
			bagDepth = i
		}
		t = fieldType(t, steps[i])
	}
	if bagDepth < 0 { // the Spec or Status itself does not fit, or whole is true
		return edit(input, steps[:1], func(value jsontext.Value) jsontext.Value {
			return marshal(map[string]jsontext.Value{propertybag.Name: value})
		})
	}
	return edit(input, steps[:bagDepth], func(value jsontext.Value) jsontext.Value {
		object, bag := map[string]jsontext.Value{}, map[string]jsontext.Value{}
		_ = json.Unmarshal(value, &object) // value is an object, since it contains the path
		if old := object[propertybag.Name]; old != nil && json.Unmarshal(old, &bag) != nil {
			bag = map[string]jsontext.Value{"": old}
		}
		name := propertybag.Fold(steps[bagDepth])
		for bag[name] != nil {
			name += "@"
		}
		if bag == nil { // it was null
			bag = map[string]jsontext.Value{}
		}
		bag[name] = marshal(map[string]jsontext.Value{"value": object[steps[bagDepth]]})
		delete(object, steps[bagDepth])
		object[propertybag.Name] = marshal(bag)
		return marshal(object)
	})
}

// edit changes the value at a path, and reports whether the path exists.
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
		return marshal(list), ok
	}
	var object map[string]jsontext.Value
	if json.Unmarshal(value, &object) != nil || object[steps[0]] == nil {
		return nil, false
	}
	member, ok := edit(object[steps[0]], steps[1:], change)
	object[steps[0]] = member
	return marshal(object), ok
}

// marshal returns the JSON of a list or a map of JSON values.
func marshal(value any) jsontext.Value {
	text, _ := jsonv2.Marshal(value, jsontext.AllowInvalidUTF8(true)) // cannot fail for values that were read as JSON
	return text
}

// hasBag reports whether a type is a struct with a bag.
func hasBag(t reflect.Type) bool {
	return fieldType(t, propertybag.Name) == reflect.TypeFor[propertybag.Bag]()
}

// fieldType returns the type of a member or an element, or nil if there is none.
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
