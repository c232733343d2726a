package readers_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/readers"
	"github.com/armature-dev/armature/generator/readers/linereader"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/google/go-cmp/cmp"
)

// three is the set of a build with one more reader.
var more = append(slices.Clone(readers.All), linereader.Reader{})

// files are documents that describe one version.
var files = map[string]string{
	"carts.json": `{"swagger": "2.0", "paths": {"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Shop/carts/{c}": {"put": {
		"parameters": [{"in": "body", "name": "body", "schema": {"$ref": "common.json#/definitions/Cart"}}],
		"responses": {"200": {"schema": {"$ref": "common.json#/definitions/Cart"}}}}}}}`,
	"common.json": `{"swagger": "2.0", "definitions": {"Cart": {"properties": {"size": {"type": "string"}}}}}`,
	"schema.json": `{"resourceDefinitions": {
		"carts": {"properties": {"type": {"enum": ["Contoso.Shop/carts"]}, "other": {"type": "string"}}},
		"sales": {"properties": {"type": {"enum": ["Contoso.Shop/sales"]}, "price": {"$ref": "types.json#/definitions/Price"}}}}}`,
	"bicep.json": `[
		{"$type": "ResourceType", "name": "Contoso.Shop/carts@2020-01-01", "body": {"$ref": "#/1"}, "writableScopes": 8},
		{"$type": "ObjectType", "name": "c", "properties": {"wheels": {"type": {"$ref": "#/2"}, "flags": 0}}}, {"$type": "IntegerType"},
		{"$type": "ResourceType", "name": "Contoso.Shop/sales@2020-01-01", "body": {"$ref": "#/1"}, "writableScopes": 8}]`,
	"types.json":   `{"definitions": {"Price": {"properties": {"amount": {"type": "integer"}}}}}`,
	"orders.lines": "lines\nresource Contoso.Shop/orders\nrequest note string\nresponse state string\nremark none\n",
	"both.json":    `{"swagger": "2.0", "resourceDefinitions": {}}`,
	"openapi.json": `{"openapi": "3.0.1", "paths": {}}`,
	"array.json":   `["swagger"]`,
	"cut.json":     `{"title": "It ends before its mark", "swag`,
	"plain.text":   "some text",
}

var exports = map[string]string{"Contoso.Shop/carts": "Cart", "Contoso.Shop/sales": "Sale", "Contoso.Shop/orders": "Order"}

// read reads documents given as BUILD.bazel gives them: <format>:<name>, or a name alone.
func read(set readers.Set, entries ...string) (*ir.Version, error) {
	var docs []readers.Document
	for _, entry := range entries {
		format, name, said := strings.Cut(entry, ":")
		if !said {
			format, name = "", entry
		}
		docs = append(docs, readers.Document{Format: format, Name: name})
	}
	sources, err := set.Read(documents.Input{
		Provider: "Contoso.Shop", APIVersion: "2020-01-01", Exports: exports,
		Read: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		},
	}, docs)
	merged := transform.Merge(sources, nil)
	return merged, err
}

func TestRead(t *testing.T) {
	for _, test := range []struct {
		behavior string
		set      readers.Set
		entries  []string
		// want has a line for each resource, with its properties, and one for each note.
		want []string
	}{
		{
			"a document shows its format", readers.All, []string{"carts.json", "common.json"},
			[]string{"Cart: size -> size"},
		},
		{
			"a document referred to needs no mark", readers.All, []string{"types.json", "schema.json"},
			[]string{"Cart: other ->", "Sale: price ->"},
		},
		{
			"an entry may say the format", readers.All, []string{"swagger:carts.json", "jsonschema:schema.json"},
			[]string{"Cart: other size -> other size", "Sale: price ->"},
		},
		{
			"a document with the marks of two formats needs an entry that says which", readers.All,
			[]string{"carts.json", "swagger:both.json"},
			[]string{"Cart: size -> size"},
		},
		{
			"what only the second says is added", readers.All, []string{"schema.json", "carts.json"},
			[]string{"Cart: other size -> other size", "Sale: price ->"},
		},
		{
			"bicep types come after Swagger and before JSON schemas", readers.All, []string{"schema.json", "bicep.json", "carts.json"},
			[]string{"Cart: other size wheels -> other size wheels", "Sale: price wheels -> price wheels"},
		},
		{
			"another reader is one line more", more, []string{"orders.lines"},
			[]string{"Order: note -> note state", `orders.lines/4: the line "remark none" is not known`},
		},
		{
			"three formats describe one version", more, []string{"orders.lines", "schema.json", "carts.json"},
			[]string{
				"Cart: other size -> other size", "Order: note -> note state", "Sale: price ->",
				`orders.lines/4: the line "remark none" is not known`,
			},
		},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			v, err := read(test.set, test.entries...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, lines(v)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// lines returns the resources of a version, sorted by kind, and its notes.
func lines(v *ir.Version) []string {
	var lines []string
	properties := func(name string) string {
		var names []string
		if t := v.Type(name); t != nil {
			for _, p := range t.Properties {
				names = append(names, " "+p.ARM)
			}
		}
		slices.Sort(names)
		return strings.Join(names, "")
	}
	for _, r := range v.Resources {
		lines = append(lines, r.Kind+":"+properties(r.Spec)+" ->"+properties(r.Status))
	}
	slices.Sort(lines)
	for _, n := range v.Notes {
		lines = append(lines, n.File+n.Pointer+": "+n.Reason)
	}
	return lines
}

func TestReadErrors(t *testing.T) {
	const marks = `expected a Swagger 2.0 document ("swagger": "2.0") or a types.json of bicep types (an array of ` +
		`objects with "$type") or the JSON schema of a deployment template ("resourceDefinitions")`
	for _, test := range []struct {
		behavior string
		entries  []string
		want     string
	}{
		{
			"every document of no known format is named", []string{"openapi.json", "array.json", "plain.text", "carts.json"},
			`array.json: no reader recognizes the document, and no other document refers to it; ` + marks +
				`; if it is one of these, begin its entry in BUILD.bazel with the format, such as "swagger:"` + "\n" +
				`openapi.json: no reader recognizes the document, and no other document refers to it; ` + marks +
				`; if it is one of these, begin its entry in BUILD.bazel with the format, such as "swagger:"` + "\n" +
				`plain.text: no reader recognizes the document, and no other document refers to it; ` + marks +
				`; if it is one of these, begin its entry in BUILD.bazel with the format, such as "swagger:"`,
		},
		{
			"a document with the marks of two formats", []string{"both.json"},
			`both.json: the document may be swagger or jsonschema; begin its entry in BUILD.bazel with one of them, such as "swagger:"`,
		},
		{
			"a format that no reader has", []string{"swager:carts.json"},
			`carts.json: the entry in BUILD.bazel begins with the format swager, which no reader has; expected swagger or bicep or jsonschema; did you mean "swagger"?`,
		},
		{
			"a document of another format than its entry says", []string{"swagger:openapi.json", "jsonschema:carts.json"},
			"carts.json:1:13: found a Swagger document, expected the JSON schema of a deployment template; its format is \"swagger\"\n" +
				"openapi.json:1:13: found an OpenAPI 3.0.1 document, expected Swagger 2.0",
		},
		{
			"invalid JSON before the mark is reported as such", []string{"cut.json"},
			"cut.json:1:43: invalid JSON: unexpected EOF",
		},
		{
			"each missing document is named", []string{"a.json", "swagger:b.json"},
			"a.json: the file does not exist\nb.json: the file does not exist",
		},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			_, err := read(readers.All, test.entries...)
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTypes(t *testing.T) {
	in := documents.Input{APIVersion: "2020-01-01", Read: func(name string) ([]byte, error) { return []byte(files[name]), nil }}
	var docs []readers.Document
	for _, name := range []string{"carts.json", "schema.json", "types.json", "orders.lines"} {
		docs = append(docs, readers.Document{Name: name})
	}
	got, err := more.Types(in, docs)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"carts.json":   {"Contoso.Shop/carts"},
		"schema.json":  {"Contoso.Shop/carts", "Contoso.Shop/sales"},
		"orders.lines": {"Contoso.Shop/orders"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestEmptyName checks that a property with an empty name is not dropped, so that
// shaping says that it cannot be represented.
func TestEmptyName(t *testing.T) {
	const body = `{"properties": {"": {"type": "string"}, "a": {"type": "string"}}}`
	const choice = `{"oneOf": [{"properties": {"": {"enum": ["x"]}, "a": {"type": "string"}}}, {"properties": {"": {"enum": ["y"]}}}]}`
	for format, text := range map[string]string{
		"swagger": `{"swagger": "2.0", "definitions": {"Order": ` + body + `},
			"paths": {"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Shop/orders/{n}": {"put": {
				"parameters": [{"name": "b", "in": "body", "schema": {"$ref": "#/definitions/Order"}}], "responses": {}}}}}`,
		"jsonschema": `{"resourceDefinitions": {"orders": {"properties": {
			"type": {"enum": ["Contoso.Shop/orders"]}, "apiVersion": {"enum": ["2020-01-01"]}, "properties": ` + body + `}}}}`,
		"jsonschema with a choice": `{"resourceDefinitions": {"orders": {"properties": {
			"type": {"enum": ["Contoso.Shop/orders"]}, "apiVersion": {"enum": ["2020-01-01"]}, "properties": ` + choice + `}}}}`,
	} {
		sources, err := readers.All.Read(documents.Input{
			Provider: "Contoso.Shop", APIVersion: "2020-01-01", Exports: map[string]string{"Contoso.Shop/orders": "Order"},
			Read: func(string) ([]byte, error) { return []byte(text), nil },
		}, []readers.Document{{Name: "a.json"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = transform.Shape(sources[0], &config.Load{Exports: map[string]string{"Contoso.Shop/orders": "Order"}})
		if err == nil || !strings.Contains(err.Error(), `a property is named ""`) {
			t.Errorf("%s: got %v", format, err)
		}
	}
}
