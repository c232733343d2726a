package readers_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/readers"
	"github.com/armature-dev/armature/generator/transform"
)

// FuzzShape tests that no set of definitions and exports, in any format or in
// several, makes reading or shaping panic or return a version without the types that
// it refers to. Each byte of the input is one choice of what the documents have.
func FuzzShape(f *testing.F) {
	random := rand.New(rand.NewSource(1))
	for range 500 {
		choices := make([]byte, 20+random.Intn(300))
		random.Read(choices)
		f.Add(choices)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		c := chooser{left: choices}
		in, docs := c.version()
		sources, err := readers.All.Read(in, docs)
		if err != nil {
			return
		}
		v := transform.Merge(sources, nil)
		documentstest.Check(t, v)
		shaped, err := transform.Shape(v, &config.Load{})
		if err != nil {
			return
		}
		if _, err := ir.Encode(shaped); err != nil {
			t.Error(err)
		}
	})
}

// chooser makes documents out of choices. When none are left it chooses the first
// possibility, which ends every recursion.
type chooser struct {
	left []byte
	// swagger and schema report which formats the documents have.
	swagger, schema bool
}

func (c *chooser) choose(n int) int {
	if len(c.left) == 0 {
		return 0
	}
	b := c.left[0]
	c.left = c.left[1:]
	return int(b) % n
}

type object = map[string]any

// definitions and resources are the names that the documents have. Some kinds of
// resources are also names of definitions.
var (
	definitionNames = []string{"Order", "Cart", "CartProperties", "cart", "Line"}
	resourceNames   = []string{"orders", "carts", "lines"}
	kinds           = []string{"Order", "Cart", "CartProperties", "Shop"}
)

// version returns the documents of a version with up to three resources.
func (c *chooser) version() (documents.Input, []readers.Document) {
	formats := 1 + c.choose(7)
	c.swagger, c.schema = formats&1 != 0, formats&2 != 0
	definitions := object{}
	for _, name := range definitionNames {
		definitions[name] = c.valueSchema(3)
	}
	exports, paths, resources := map[string]string{}, object{}, object{}
	for _, name := range resourceNames {
		if c.choose(4) > 0 {
			exports["Contoso.Shop/"+name] = kinds[c.choose(len(kinds))]
		}
		body := c.valueSchema(2)
		operation := object{"parameters": []any{object{"in": "body", "name": "body", "schema": body}}, "responses": object{}}
		if c.choose(3) > 0 {
			operation["responses"] = object{"200": object{"schema": c.valueSchema(1)}}
		}
		paths["/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Shop/"+name+"/{n}"] = object{"put": operation}
		properties := object{"type": object{"enum": []any{"Contoso.Shop/" + name}}, "properties": c.valueSchema(2)}
		for range c.choose(3) {
			properties[c.name()] = c.valueSchema(1)
		}
		resources[name] = object{"type": "object", "properties": properties}
	}
	files := map[string]any{}
	var docs []readers.Document
	if c.swagger {
		files["swagger.json"] = object{"swagger": "2.0", "paths": paths, "definitions": definitions}
		docs = append(docs, readers.Document{Name: "swagger.json"})
	}
	if c.schema {
		files["schema.json"] = object{"resourceDefinitions": resources, "definitions": definitions}
		docs = append(docs, readers.Document{Name: "schema.json"})
	}
	if formats&4 != 0 {
		files["types.json"] = c.bicepTypes()
		docs = append(docs, readers.Document{Name: "types.json"})
	}
	return documents.Input{
		Provider: "Contoso.Shop", APIVersion: "2020-01-01", Exports: exports,
		Read: func(name string) ([]byte, error) {
			if file, ok := files[name]; ok {
				return json.Marshal(file)
			}
			return nil, os.ErrNotExist
		},
	}, docs
}

// bicepTypes returns the types of the resources. Any type may refer to any other.
func (c *chooser) bicepTypes() []any {
	n := 3 + c.choose(20)
	ref := func() object { return object{"$ref": fmt.Sprint("#/", c.choose(n+len(resourceNames)))} }
	properties := func() object {
		properties := object{}
		for range c.choose(4) {
			properties[c.name()] = object{"type": ref(), "flags": c.choose(8)}
		}
		return properties
	}
	var types []any
	for _, name := range resourceNames {
		types = append(types, object{
			"$type": "ResourceType", "name": "Contoso.Shop/" + name + "@2020-01-01", "body": ref(), "writableScopes": c.choose(32),
		})
	}
	for range n {
		t := object{"$type": []string{
			"StringType", "ObjectType", "ObjectType", "ObjectType", "DiscriminatedObjectType", "IntegerType", "UnionType", "ArrayType",
			"StringLiteralType", "BooleanType", "AnyType", "ResourceFunctionType",
		}[c.choose(12)]}
		switch t["$type"] {
		case "ObjectType":
			t["name"], t["properties"] = definitionNames[c.choose(len(definitionNames))], properties()
			if c.choose(4) == 1 {
				t["additionalProperties"] = ref()
			}
		case "DiscriminatedObjectType":
			t["name"], t["discriminator"], t["baseProperties"] = "Union", c.name(), properties()
			t["elements"] = object{"a": ref(), "b": ref()}
		case "UnionType":
			t["elements"] = []any{ref(), ref()}
		case "ArrayType":
			t["itemType"] = ref()
		case "StringLiteralType":
			t["value"] = []string{"a", "A", "", "1"}[c.choose(4)]
		case "StringType":
			t["sensitive"] = c.choose(4) == 1
		case "ResourceFunctionType":
			t["name"], t["resourceType"], t["apiVersion"], t["output"] = "list", "Contoso.Shop/"+resourceNames[0], "2020-01-01", ref()
		}
		types = append(types, t)
	}
	return types
}

// name returns the name of a property. Some are those that Armature treats
// specially.
func (c *chooser) name() string {
	return []string{"size", "properties", "name", "id", "type", "kind", "owner", "Size", "value"}[c.choose(9)]
}

// valueSchema returns a schema in which at most depth others are nested.
func (c *chooser) valueSchema(depth int) object {
	choice := 0
	if depth > 0 {
		choice = c.choose(10)
	}
	switch choice {
	case 0:
		return []object{{"type": "string"}, {"type": "integer"}, {"type": "object"}, {}}[c.choose(4)]
	case 1:
		return object{"type": "string", "enum": []any{"a", "A", "b"}[:1+c.choose(3)]}
	case 2:
		return object{"type": "array", "items": c.valueSchema(depth - 1)}
	case 3:
		return object{"type": "object", "additionalProperties": c.valueSchema(depth - 1)}
	case 4:
		if c.swagger {
			return c.reference()
		}
		return object{"oneOf": []any{c.valueSchema(depth - 1), c.valueSchema(depth - 1)}}
	case 5:
		return object{
			"allOf":      []any{c.valueSchema(depth - 1), c.valueSchema(depth - 1)},
			"properties": object{c.name(): c.valueSchema(depth - 1)},
		}
	case 6, 7:
		return c.reference()
	}
	s := object{"type": "object"}
	properties := object{}
	var required []any
	for range 1 + c.choose(3) {
		name := c.name()
		property := c.valueSchema(depth - 1)
		switch c.choose(6) {
		case 1:
			property["readOnly"] = true
		case 2:
			required = append(required, name)
		case 3:
			s["discriminator"] = name
		}
		properties[name] = property
	}
	s["properties"] = properties
	if required != nil {
		s["required"] = required
	}
	return s
}

// reference returns a reference to a definition, or in a JSON schema to a
// resource.
func (c *chooser) reference() object {
	if !c.swagger && c.choose(4) == 3 {
		return object{"$ref": "#/resourceDefinitions/" + resourceNames[c.choose(len(resourceNames))]}
	}
	return object{"$ref": fmt.Sprint("#/definitions/", definitionNames[c.choose(len(definitionNames))])}
}
