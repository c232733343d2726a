package armtest

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// bicepType has the parts of a bicep type that describe a resource. A file of bicep
// types is a list of them, and they refer to each other by their index, as in "#/4".
type bicepType struct {
	Type       string `json:"$type"`
	Name       string // of a resource, <type>@<API version>
	Body       reference
	Properties map[string]struct{ Type reference }
}

// reference is a JSON pointer to a type of the same file.
type reference struct {
	Ref string `json:"$ref"`
}

// addBicep adds the resources of a file of bicep types, except those that Swagger
// describes, because Swagger says more.
func (s *specs) addBicep(file string) error {
	text, err := read(s.folder, file)
	if err != nil {
		return err
	}
	var types []bicepType
	if err := json.Unmarshal(text, &types); err != nil {
		return nil // a list of something else
	}
	for _, t := range types {
		armType, version, _ := strings.Cut(t.Name, "@")
		if t.Type != "ResourceType" || s.operations[strings.ToLower(armType)][version] != nil {
			continue
		}
		op := &operation{armType: armType, version: version, wholeResource: true}
		body := strings.TrimPrefix(t.Body.Ref, "#")
		op.schema = schemaURL(file, body)
		if at, err := strconv.Atoi(strings.TrimPrefix(body, "/")); err == nil && at < len(types) {
			op.name = schemaURL(file, strings.TrimPrefix(types[at].Properties["name"].Type.Ref, "#"))
		}
		s.keep(op)
	}
	return nil
}

// Flags of the properties of bicep types.
const (
	requiredFlag = 1
	readOnlyFlag = 2
)

// schemasOf returns JSON schemas for the bicep types of a file, by their index.
func schemasOf(types []any) map[string]any {
	all := map[string]any{}
	for i, t := range types {
		t, _ := t.(map[string]any)
		all[strconv.Itoa(i)] = schemaOf(t)
	}
	return all
}

func schemaOf(t map[string]any) map[string]any {
	schema := map[string]any{}
	set := func(name string, value any) {
		if value != nil {
			schema[name] = value
		}
	}
	switch t["$type"] {
	case "StringType":
		set("type", "string")
		for _, limit := range []string{"minLength", "maxLength", "pattern"} {
			set(limit, t[limit])
		}
	case "StringLiteralType":
		set("enum", []any{t["value"]})
	case "IntegerType": // the type of all numbers
		set("type", "number")
		set("minimum", t["minValue"])
		set("maximum", t["maxValue"])
	case "BooleanType":
		set("type", "boolean")
	case "ArrayType":
		set("type", "array")
		set("items", t["itemType"])
		set("minItems", t["minLength"])
		set("maxItems", t["maxLength"])
	case "UnionType":
		set("anyOf", t["elements"])
	case "ObjectType":
		object(schema, t["properties"])
		set("additionalProperties", t["additionalProperties"])
	case "DiscriminatedObjectType":
		object(schema, t["baseProperties"])
		elements, _ := t["elements"].(map[string]any)
		var variants []any
		for _, value := range slices.Sorted(maps.Keys(elements)) {
			variants = append(variants, elements[value])
		}
		set("anyOf", variants)
		required, _ := schema["required"].([]any)
		schema["required"] = append(required, t["discriminator"])
	}
	return schema
}

// object turns a schema into the schema of an object with some properties.
func object(schema map[string]any, properties any) {
	schema["type"] = "object"
	members, required := map[string]any{}, []any{}
	all, _ := properties.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p, _ := all[name].(map[string]any)
		members[name] = p["type"]
		number, _ := p["flags"].(json.Number)
		if flags, _ := number.Int64(); flags&requiredFlag != 0 && flags&readOnlyFlag == 0 {
			required = append(required, name)
		}
	}
	schema["properties"] = members
	if len(required) > 0 {
		schema["required"] = required
	}
}
