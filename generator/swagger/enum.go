package swagger

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// enumBase returns the type of an enum's values. ok is false if the values cannot
// be an enum. Some specs have the values of numbers as strings, and some those of
// strings as numbers or booleans.
func enumBase(s schema) (base ir.Primitive, ok bool) {
	typeName := s.node.Get("type").Text()
	kinds := map[jsontree.Kind]bool{}
	for _, value := range s.node.Get("enum").Items() {
		kind := value.Kind()
		if kind == jsontree.String && isNumber(value.Text(), typeName) {
			kind = jsontree.Number
		}
		kinds[kind] = true
	}
	switch {
	case kinds[jsontree.Array] || kinds[jsontree.Object]:
		return ir.Any, false
	case typeName == "string":
		return ir.String, true
	case typeName == "boolean" || kinds[jsontree.Bool]:
		return ir.Boolean, false
	case typeName == "integer" && !kinds[jsontree.String]:
		return ir.Integer, true
	case (typeName == "number" || kinds[jsontree.Number]) && !kinds[jsontree.String]:
		return ir.Number, true
	}
	return ir.String, true
}

// isNumber reports whether a text is a number of a type, in JSON's spelling.
func isNumber(text, typeName string) bool {
	if typeName != "integer" && typeName != "number" || !json.Valid([]byte(text)) {
		return false
	}
	if typeName == "integer" {
		_, err := strconv.ParseInt(text, 10, 64)
		return err == nil
	}
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// enum returns the type of an enum. The enum is open, which means that other
// values than those listed may occur, unless x-ms-enum has "modelAsString":
// false. This is the rule of AutoRest, where modelAsString is true by default,
// and an enum without x-ms-enum is documentation only.
func (r *reader) enum(s schema, base ir.Primitive, at valueContext) *namedType {
	key := typeKey{s.node, nil}
	if t := r.objects[key]; t != nil {
		return t
	}
	x := s.node.Get("x-ms-enum")
	definition := r.definitions[s.node]
	t := r.newType(key, s, x.Get("name").Text(), definition, at.hint)
	t.Kind, t.Base = ir.Enum, base
	modelAsString := x.Get("modelAsString")
	t.Open = !(modelAsString.Kind() == jsontree.Bool && !modelAsString.True())
	if definition != "" {
		t.Doc = description(s)
	}
	r.enumValues(t, s, x)
	return t
}

func (r *reader) enumValues(t *namedType, s schema, x *jsontree.Node) {
	docs := map[string]string{}
	for _, value := range x.Get("values").Items() {
		docs[value.Get("value").Literal()] = strings.TrimSpace(value.Get("description").Text())
	}
	seen := map[string]bool{}
	var literals []string
	for _, value := range s.node.Get("enum").Items() {
		literal := value.Literal()
		if value.Kind() == jsontree.Null {
			r.note(ir.Approximated, t, "", s.get("enum"), "null is not a value of the enum; leave the property out instead")
			continue
		}
		if seen[literal] {
			continue
		}
		seen[literal] = true
		literals = append(literals, literal)
		t.Values = append(t.Values, ir.EnumValue{Value: literal, Doc: docs[literal]})
	}
	for _, value := range x.Get("values").Items() {
		if literal := value.Get("value").Literal(); !seen[literal] {
			seen[literal] = true
			literals = append(literals, literal)
			t.Values = append(t.Values, ir.EnumValue{Value: literal, Doc: docs[literal]})
		}
	}
	for i, name := range naming.EnumNames(literals) {
		t.Values[i].Name = name
	}
}

// description returns the description of a schema, or else its title.
func description(s schema) string {
	text := cmp.Or(s.node.Get("description").Text(), s.node.Get("title").Text())
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}
