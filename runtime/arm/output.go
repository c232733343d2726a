package arm

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// stepPattern matches each step of a path.
var stepPattern = regexp.MustCompile(`([^.\[]+)(?:\[([^\]]+)\])?`)

// Step is a step of the path of an output.
type Step struct {
	// Name is the name of a property, or "*" for a whole map.
	Name string
	// Element says which element of the list in the property, by its index or by "name=value". It is "" if the
	// property is no list.
	Element string
}

// Steps returns the steps of the path.
func (o Output) Steps() []Step {
	var all []Step
	for _, match := range stepPattern.FindAllStringSubmatch(o.Path, -1) {
		all = append(all, Step{match[1], match[2]})
	}
	return all
}

// Value returns the value of an output, given the answer of its action, or the Status
// as JSON. The error names the path and does not contain values.
func (o Output) Value(document []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber() // keeps numbers as they are written
	var at any
	if decoder.Decode(&at) != nil {
		return nil, fmt.Errorf("%s: the answer is not JSON", o.Path)
	}
	for _, step := range o.Steps() {
		if step.Name == "*" {
			return o.entries(at)
		}
		if at = member(at, step.Name); step.Element != "" {
			at = elementOf(at, step.Element)
		}
	}
	var text string
	switch value := at.(type) {
	case string:
		text = value
	case json.Number:
		text = value.String()
	case bool:
		text = strconv.FormatBool(value)
	case nil:
		return nil, fmt.Errorf("there is no %s", o.Path)
	default:
		return nil, fmt.Errorf("%s is an object or a list, expected a text, a number or a boolean", o.Path)
	}
	if !o.Base64 {
		return []byte(text), nil
	}
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not encoded as base64", o.Path)
	}
	return decoded, nil
}

// entries returns a map as JSON.
func (o Output) entries(at any) ([]byte, error) {
	entries, isMap := at.(map[string]any)
	if !isMap {
		return nil, fmt.Errorf("there is no map at %s", o.Path)
	}
	return json.Marshal(entries)
}

// member returns a member of an object, or nil. It ignores case, as ARM varies it.
func member(object any, name string) any {
	members, _ := object.(map[string]any)
	if value, found := members[name]; found {
		return value
	}
	for other, value := range members {
		if strings.EqualFold(other, name) {
			return value
		}
	}
	return nil
}

// elementOf returns an element of a list, by its index or by "name=value", or nil.
func elementOf(list any, which string) any {
	elements, _ := list.([]any)
	name, value, byName := strings.Cut(which, "=")
	if i, err := strconv.Atoi(which); !byName && err == nil && i >= 0 && i < len(elements) {
		return elements[i]
	}
	for _, element := range elements {
		if text, isText := member(element, name).(string); byName && isText && strings.EqualFold(text, value) {
			return element
		}
	}
	return nil
}

// KindIn returns the kind of the value that a Status of a type has: Bool, Int64, Float64 or
// String. It is Invalid if the output is not a single value in the Status.
func (o Output) KindIn(status reflect.Type) reflect.Kind {
	at := status
	for _, step := range o.Steps() {
		if step.Name == "*" {
			return reflect.Invalid
		}
		if at = memberType(at, step.Name); at == nil {
			return reflect.Invalid
		}
		if step.Element != "" {
			if at.Kind() != reflect.Slice {
				return reflect.Invalid
			}
			at = at.Elem()
		}
	}
	for at.Kind() == reflect.Pointer {
		at = at.Elem()
	}
	switch at.Kind() {
	case reflect.Bool, reflect.Int64, reflect.Float64, reflect.String:
		return at.Kind()
	}
	return reflect.Invalid
}

// memberType returns the type of a member of an object, or nil. It ignores case, as [member] does.
func memberType(t reflect.Type, name string) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Map:
		return t.Elem()
	case reflect.Struct:
		for i := range t.NumField() {
			if strings.EqualFold(jsonName(t.Field(i)), name) {
				return t.Field(i).Type
			}
		}
	}
	return nil
}
