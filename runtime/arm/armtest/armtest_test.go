package armtest_test

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/armature-dev/armature/runtime/arm/armtest"
)

// specs returns the specs of two versions of a type. The later one requires a color.
func specs() fstest.MapFS {
	const of = `{
		"swagger": "2.0",
		"info": {"version": "VERSION"},
		"paths": {
			"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Homes/houses/{name}": {
				"delete": {}, "put": {"parameters": [{"name": "s", "in": "path"}, {"$ref": "#/parameters/house"}]}
			},
			"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Homes/houses/{house}/doors/{name}": {
				"parameters": [{"$ref": "#/parameters/name"}, {"in": "body", "schema": {"$ref": "../common.json#/definitions/Door"}}],
				"put": {}, "delete": {}
			},
			"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Homes/houses/{house}/marks/{name}": {"put": {}, "delete": {}},
			"/{scope}/providers/Microsoft.Authorization/locks/{name}": {"put": {}, "delete": {}},
			"/{scope}/providers/Microsoft.Insights/diagnosticSettings/{name}": {"put": {}, "delete": {}},
			"/subscriptions/{s}/resourcegroups/{g}": {"put": {}, "delete": {}}
		},
		"parameters": {
			"house": {"in": "body", "schema": {"$ref": "#/definitions/House"}},
			"name": {"name": "name", "in": "path", "required": true, "type": "string", "pattern": "^[a-z]+$", "maxLength": 9}
		},
		"definitions": {"House": {
			"required": ["id", "properties"],
			"properties": {
				"id": {"type": "string", "readOnly": true},
				"location": {"type": "string", "pattern": "^(?!x)", "format": "made-up"},
				"properties": {"type": "object", "required": [REQUIRED], "properties": {
					"color": {"type": "string", "enum": ["red", "green"]},
					"rooms": {"type": "integer", "minimum": 1},
					"within": {"$ref": "#/definitions/House"},
					"pet": {"$ref": "#/definitions/Pet"},
					"garden": {"$ref": "#/definitions/Garden"}
				}}
			}},
			"Plot": {"properties": {"size": {"type": "integer"}}},
			"Garden": {"allOf": [{"$ref": "#/definitions/Plot"}], "additionalProperties": {"type": "object"}},
			"Pet": {"discriminator": "kind", "required": ["kind"], "properties": {"kind": {"type": "string"}, "name": {"type": "string"}}},
			"Cat": {"allOf": [{"$ref": "#/definitions/Pet"}], "properties": {"lives": {"type": "integer"}, "mate": {"$ref": "#/definitions/Pet"}}},
			"Dog": {"allOf": [{"$ref": "#/definitions/Pet"}], "discriminator": "kind", "x-ms-discriminator-value": "Microsoft.Dog", "required": ["leash"]},
			"Pug": {"allOf": [{"$ref": "#/definitions/Dog"}], "required": ["nose"]}
		}
	}`
	doc := func(version, required string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.NewReplacer("VERSION", version, "REQUIRED", required).Replace(of))}
	}
	return fstest.MapFS{
		"2019-01-01/homes.json":           doc("2019-01-01", `"rooms"`),
		"2020-02-02/homes.json":           doc("2020-02-02", `"rooms", "color"`),
		"2020-02-02/examples/broken.json": {Data: []byte("{")},
		"common.json":                     {Data: []byte(`{"definitions": {"Door": {"type": "object", "maxProperties": 1}}}`)},
	}
}

const (
	group = "/subscriptions/s/resourceGroups/g"
	house = group + "/providers/Contoso.Homes/houses/h"
)

// start returns a running server for specs, and a function that sends it requests.
func start(t *testing.T) (server *armtest.Server, send func(method, url, body string) (status int, answer string)) {
	t.Helper()
	return serve(t, specs())
}

// serve returns a running server for the documents of a folder, and a function that sends it requests.
func serve(t *testing.T, folder fs.FS) (server *armtest.Server, send func(method, url, body string) (status int, answer string)) {
	t.Helper()
	server, err := armtest.New(folder)
	if err != nil {
		t.Fatal(err)
	}
	at, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server, func(method, url, body string) (int, string) {
		t.Helper()
		request, err := http.NewRequest(method, at+url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(answer)
	}
}

func TestServer(t *testing.T) {
	t.Run("a resource is kept until it is deleted", keptUntilDeleted)
	t.Run("a body must satisfy the version in the URL", validated)
	t.Run("what it does not serve is refused", refused)
}

func keptUntilDeleted(t *testing.T) {
	server, send := start(t)
	for _, step := range []struct {
		reason, method, url, body string
		status                    int
		answer                    string
	}{
		{"the resource does not exist yet", "GET", house + "?api-version=2019-01-01", "", 404, `"ResourceNotFound"`},
		{"it is created", "PUT", house + "?api-version=2019-01-01", `{"properties":{"rooms":2}}`, 201, `"name":"h"`},
		{"and replaced", "PUT", strings.ToUpper(house) + "?api-version=2019-01-01", `{"properties":{"rooms":3}}`, 200, `"rooms":3`},
		{"read, at any version", "GET", house + "?api-version=2020-02-02", "", 200,
			`{"id":"` + strings.ToUpper(house) + `","name":"H","properties":{"rooms":3},"type":"Contoso.Homes/houses"}`},
		{"a child", "PUT", house + "/doors/d?api-version=2020-02-02", `{"a":1}`, 201, `"type":"Contoso.Homes/houses/doors"`},
		{"a resource without a body of its own", "PUT", house + "/marks/m?api-version=2020-02-02", `{}`, 201, `houses/marks"`},
		{"deleted", "DELETE", house + "?api-version=2020-02-02", "", 200, ""},
		{"its children are deleted too", "GET", house + "/doors/d?api-version=2020-02-02", "", 404, "not found"},
		{"a second deletion", "DELETE", house + "?api-version=2020-02-02", "", 204, ""},
		{"its group", "PUT", group + "?api-version=2020-02-02", `{}`, 201, `"type":"Microsoft.Resources/resourceGroups"`},
		{"another in the group", "PUT", house + "?api-version=2019-01-01", `{"properties":{"rooms":2}}`, 201, ""},
		{"the group is deleted", "DELETE", group + "?api-version=2020-02-02", "", 200, ""},
		{"its resources are deleted too", "GET", house + "?api-version=2020-02-02", "", 404, "not found"},
	} {
		status, answer := send(step.method, step.url, step.body)
		if status != step.status || !strings.Contains(answer, step.answer) {
			t.Errorf("%s: got %d %s, want %d %s", step.reason, status, answer, step.status, step.answer)
		}
	}
	requests := server.Requests()
	if len(requests) != 13 || requests[1].APIVersion != "2019-01-01" ||
		string(requests[1].Body) != `{"properties":{"rooms":2}}` || requests[1].Status != 201 {
		t.Errorf("got %+v", requests)
	}
	if _, found := server.Resource(house); found {
		t.Error("the resource is still there")
	}
}

func validated(t *testing.T) {
	for _, row := range []struct {
		reason, version, body string
		status                int
		target, message       string
	}{
		{"the older version needs no color", "2019-01-01", `{"properties":{"rooms":1}}`, 201, "", ""},
		{"the later one does", "2020-02-02", `{"properties":{"rooms":1}}`, 400, "properties", "color"},
		{"a type", "2019-01-01", `{"properties":{"rooms":"1"}}`, 400, "properties.rooms", "integer"},
		{"a limit", "2019-01-01", `{"properties":{"rooms":0}}`, 400, "properties.rooms", "1"},
		{"a closed enum", "2020-02-02", `{"properties":{"rooms":1,"color":"blue"}}`, 400, "properties.color", "red"},
		{"a type that holds itself", "2019-01-01", `{"properties":{"rooms":1,"within":{"properties":{}}}}`, 400,
			"properties.within.properties", "rooms"},
		{"a variant", "2019-01-01", `{"properties":{"rooms":1,"pet":{"kind":"Cat","lives":9,"mate":{"kind":"Microsoft.Dog","leash":1}}}}`, 201, "", ""},
		{"a variant's own property", "2019-01-01", `{"properties":{"rooms":1,"pet":{"kind":"Cat","lives":"9"}}}`, 400,
			"properties.pet.lives", "integer"},
		{"what all variants share", "2019-01-01", `{"properties":{"rooms":1,"pet":{"kind":"Cat","name":1}}}`, 400,
			"properties.pet.name", "string"},
		{"a variant with a value of its own", "2019-01-01", `{"properties":{"rooms":1,"pet":{"kind":"Microsoft.Dog"}}}`, 400,
			"properties.pet", "leash"},
		{"a variant of a variant", "2019-01-01", `{"properties":{"rooms":1,"pet":{"kind":"Pug","leash":1}}}`, 400,
			"properties.pet", "nose"},
		{"a variant in a variant", "2019-01-01", `{"properties":{"rooms":1,"pet":{"kind":"Cat","mate":{"kind":"Pug","nose":1}}}}`,
			400, "properties.pet.mate", "leash"},
		{"no discriminator", "2019-01-01", `{"properties":{"rooms":1,"pet":{}}}`, 400, "properties.pet", "kind"},
		{"an unknown variant, which a later version may have", "2019-01-01", `{"properties":{"rooms":1,"pet":{"kind":"Fish"}}}`,
			201, "", ""},
		{"what a base declares is not additional", "2019-01-01", `{"properties":{"rooms":1,"garden":{"size":2}}}`, 201, "", ""},
		{"but has its type", "2019-01-01", `{"properties":{"rooms":1,"garden":{"size":"2"}}}`, 400, "properties.garden.size", "integer"},
		{"null is absent", "2019-01-01", `{"location":null,"properties":{"rooms":null}}`, 400, "properties", "rooms"},
		{"a pattern that Go cannot read holds for everything", "2019-01-01", `{"location":"x","properties":{"rooms":1}}`, 201, "", ""},
		{"no JSON", "2019-01-01", `{`, 400, "", ""},
		{"no object", "2019-01-01", `[]`, 400, "", ""},
		{"null", "2019-01-01", `null`, 400, "", ""},
		{"two", "2019-01-01", `{} {}`, 400, "", ""},
	} {
		_, send := start(t)
		status, text := send("PUT", house+"?api-version="+row.version, row.body)
		var answer struct {
			Error struct {
				Code, Message string
				Details       []struct{ Code, Target, Message string }
			}
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatal(err)
		}
		if status != row.status || (status == 400) != (answer.Error.Code == "InvalidRequestContent") {
			t.Errorf("%s: got %d %s", row.reason, status, text)
			continue
		}
		if row.target != "" && (len(answer.Error.Details) != 1 || answer.Error.Details[0].Target != row.target ||
			!strings.Contains(answer.Error.Details[0].Message, row.message)) {
			t.Errorf("%s: got %s, want %s: %s", row.reason, text, row.target, row.message)
		}
	}
}

func refused(t *testing.T) {
	_, send := start(t)
	for _, row := range []struct {
		reason, method, url string
		status              int
		answer              string
	}{
		{"no version", "PUT", house, 400, "MissingApiVersionParameter"},
		{"a version that the type does not have, so those that it has", "PUT", house + "?api-version=2018-01-01", 400,
			"2019-01-01, 2020-02-02"},
		{"an unknown type", "GET", "/subscriptions/s/providers/Contoso.Homes/tents/t?api-version=2019-01-01", 400,
			"NoRegisteredProviderFound"},
		{"no resource", "GET", "/subscriptions/s?api-version=2019-01-01", 400, "not the id of a resource"},
		{"a type without a name", "PUT", "/providers/Contoso.Homes/houses?api-version=2019-01-01", 400, "not the id of a resource"},
		{"a list of an unknown type", "GET", "/subscriptions/s/providers/Contoso.Homes/tents?api-version=2019-01-01", 400,
			"NoRegisteredProviderFound"},
		{"another method", "PATCH", house + "?api-version=2019-01-01", 405, "expected PUT, GET, HEAD, DELETE or POST"},
	} {
		if status, answer := send(row.method, row.url, "{}"); status != row.status || !strings.Contains(answer, row.answer) {
			t.Errorf("%s: got %d %s", row.reason, status, answer)
		}
	}
}

func TestNames(t *testing.T) {
	_, send := start(t)
	for name, status := range map[string]int{"door": 201, "Door": 400, "doordoordoor": 400, "d-1": 400} {
		got, answer := send("PUT", house+"/doors/"+name+"?api-version=2020-02-02", `{}`)
		if got != status || (got == 400) != strings.Contains(answer, `"InvalidResourceName"`) {
			t.Errorf("%s: got %d %s, want %d", name, got, answer, status)
		}
	}
}

func TestBicep(t *testing.T) {
	const types = `[
		{"$type": "StringType"},
		{"$type": "StringType", "minLength": 3, "pattern": "^[a-z]+$"},
		{"$type": "StringLiteralType", "value": "Contoso.Homes/houses"},
		{"$type": "ObjectType", "name": "House", "properties": {
			"id": {"type": {"$ref": "#/0"}, "flags": 10},
			"name": {"type": {"$ref": "#/1"}, "flags": 9},
			"type": {"type": {"$ref": "#/2"}, "flags": 10},
			"state": {"type": {"$ref": "#/0"}, "flags": 3},
			"properties": {"type": {"$ref": "#/4"}, "flags": 1}
		}},
		{"$type": "ObjectType", "name": "Properties", "properties": {
			"rooms": {"type": {"$ref": "#/5"}, "flags": 1},
			"pet": {"type": {"$ref": "#/6"}, "flags": 0},
			"doors": {"type": {"$ref": "#/8"}, "flags": 0},
			"color": {"type": {"$ref": "#/10"}, "flags": 0},
			"tags": {"type": {"$ref": "#/11"}, "flags": 0}
		}},
		{"$type": "IntegerType", "minValue": 1, "maxValue": 9},
		{"$type": "DiscriminatedObjectType", "name": "Pet", "discriminator": "kind", "elements": {"Cat": {"$ref": "#/7"}},
			"baseProperties": {"age": {"type": {"$ref": "#/5"}, "flags": 0}}},
		{"$type": "ObjectType", "name": "Cat", "properties": {"kind": {"type": {"$ref": "#/9"}, "flags": 1}}},
		{"$type": "ArrayType", "itemType": {"$ref": "#/1"}, "maxLength": 1},
		{"$type": "StringLiteralType", "value": "Cat"},
		{"$type": "UnionType", "elements": [{"$ref": "#/9"}, {"$ref": "#/2"}]},
		{"$type": "ObjectType", "name": "Tags", "properties": {}, "additionalProperties": {"$ref": "#/1"}},
		{"$type": "ResourceType", "name": "Contoso.Homes/houses@2026-01-01", "body": {"$ref": "#/3"}},
		{"$type": "ResourceType", "name": "Contoso.Homes/houses@2019-01-01", "body": {"$ref": "#/3"}}
	]`
	folder := specs()
	folder["homes/types.json"] = &fstest.MapFile{Data: []byte(types)}
	folder["other.json"] = &fstest.MapFile{Data: []byte("[1]")}
	server, err := armtest.New(folder)
	if err != nil {
		t.Fatal(err)
	}
	testPuts(t, server, []put{
		{"what the types take", "abc", "2026-01-01",
			`{"rooms":2.5,"pet":{"kind":"Cat","age":3},"doors":["abc"],"color":"Cat","tags":{"a":"abc"}}`, 201, `"name":"abc"`},
		{"a name that is too short", "ab", "2026-01-01", `{"rooms":2}`, 400, "InvalidResourceName"},
		{"a name with another sign", "a-bc", "2026-01-01", `{"rooms":2}`, 400, "InvalidResourceName"},
		{"a value of another type", "abc", "2026-01-01", `{"rooms":"2"}`, 400, "properties.rooms"},
		{"a number that is too great", "abc", "2026-01-01", `{"rooms":10}`, 400, "properties.rooms"},
		{"nothing of what is required", "abc", "2026-01-01", `{}`, 400, "missing property 'rooms'"},
		{"an unknown variant", "abc", "2026-01-01", `{"rooms":2,"pet":{"kind":"Dog"}}`, 400, "properties.pet"},
		{"a variant that is not named", "abc", "2026-01-01", `{"rooms":2,"pet":{}}`, 400, "properties.pet"},
		{"too many elements", "abc", "2026-01-01", `{"rooms":2,"doors":["abc","abc"]}`, 400, "properties.doors"},
		{"another value of an enum", "abc", "2026-01-01", `{"rooms":2,"color":"red"}`, 400, "properties.color"},
		{"another value of a map", "abc", "2026-01-01", `{"rooms":2,"tags":{"a":1}}`, 400, "properties.tags"},
		{"Swagger comes first, which says more", "a-b", "2019-01-01", `{"rooms":2}`, 201, ""},
	})
}

// TestFacts does the same with a file of facts.
func TestFacts(t *testing.T) {
	const facts = `{
"facts": 1,
"provider": "Contoso.Homes",
"apiVersion": "2026-01-01",
"resources": [
 {"type": "Contoso.Homes/houses", "scopes": ["resourceGroup"], "name": {"pattern": "^[a-z]+$", "minLength": 3}, "request": "House", "response": "House"},
 {"type": "Contoso.Homes/houses/settings/default", "arm": "Contoso.Homes/houses/settings", "scopes": ["resourceGroup"], "fixedName": "default", "request": "Cat"}
],
"actions": [
 {"resource": "Contoso.Homes/houses", "name": "listKeys", "values": [
  {"path": "keys[].keyName"},
  {"path": "keys[].value", "base64": true},
  {"path": "pin.text"}
 ]}
],
"types": [
 {"name": "Cat", "properties": []},
 {"name": "Color", "base": "string", "values": ["Cat", "Dog"]},
 {"name": "House", "properties": [{"name": "properties", "type": "HouseProperties", "required": true}]},
 {"name": "HouseProperties", "properties": [
  {"spread": true, "type": "map[string]integer", "elements": {"minimum": 5}},
  {"name": "color", "type": "Color"},
  {"name": "doors", "type": "[]string", "maxItems": 1, "elements": {"minLength": 3}},
  {"name": "pet", "type": "Pet"},
  {"name": "rooms", "type": "integer", "required": true, "mayBeFraction": true, "minimum": 1, "maximum": 9},
  {"name": "state", "type": "string", "required": true, "readOnly": true},
  {"name": "tags", "type": "map[string]string"}
 ]},
 {"name": "Pet", "discriminator": "kind", "properties": [
  {"variant": "Cat", "type": "Cat"},
  {"name": "age", "type": "integer"}
 ]}
]
}`
	folder := specs()
	folder["homes/2026-01-01.facts.json"] = &fstest.MapFile{Data: []byte(facts)}
	folder["homes/2019-01-01.facts.json"] = &fstest.MapFile{Data: []byte(strings.Replace(facts, "2026-01-01", "2019-01-01", 1))}
	server, err := armtest.New(folder)
	if err != nil {
		t.Fatal(err)
	}
	testPuts(t, server, []put{
		{"what the facts allow", "abc", "2026-01-01",
			`{"rooms":2.5,"pet":{"kind":"Cat","age":3},"doors":["abc"],"color":"Cat","tags":{"a":"abc"},"more":7}`, 201, `"name":"abc"`},
		{"a name that is too short", "ab", "2026-01-01", `{"rooms":2}`, 400, "InvalidResourceName"},
		{"a name with another sign", "a-bc", "2026-01-01", `{"rooms":2}`, 400, "InvalidResourceName"},
		{"a value of another type", "abc", "2026-01-01", `{"rooms":"2"}`, 400, "properties.rooms"},
		{"a number that is too great", "abc", "2026-01-01", `{"rooms":10}`, 400, "properties.rooms"},
		{"nothing of what is required", "abc", "2026-01-01", `{}`, 400, "missing property 'rooms'"},
		{"a value of a known variant", "abc", "2026-01-01", `{"rooms":2,"pet":{"kind":"Cat","age":"3"}}`, 400, "properties.pet.age"},
		{"a variant that is not named", "abc", "2026-01-01", `{"rooms":2,"pet":{}}`, 400, "properties.pet"},
		{"too many elements", "abc", "2026-01-01", `{"rooms":2,"doors":["abc","abc"]}`, 400, "properties.doors"},
		{"an element that is too short", "abc", "2026-01-01", `{"rooms":2,"doors":["a"]}`, 400, "properties.doors"},
		{"another value of an enum", "abc", "2026-01-01", `{"rooms":2,"color":"red"}`, 400, "properties.color"},
		{"another value of a map", "abc", "2026-01-01", `{"rooms":2,"tags":{"a":1}}`, 400, "properties.tags"},
		{"a property that nobody declares", "abc", "2026-01-01", `{"rooms":2,"more":4}`, 400, "properties.more"},
		{"Swagger comes first, which says more", "a-b", "2019-01-01", `{"rooms":2}`, 201, ""},
	})
	t.Run("an action answers what the facts say", func(t *testing.T) {
		answer, err := json.Marshal(server.Answer(group+"/providers/Contoso.Homes/houses/abc", "listKeys", "2026-01-01"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"keyName":"key2"`, `"pin":{"text":"` + armtest.Secret} {
			if !strings.Contains(string(answer), want) {
				t.Errorf("the answer is %s, want %s", answer, want)
			}
		}
	})
}

// TestNoDelete deletes resources of types that have a DELETE, and of types that have none, as documents and facts say.
func TestNoDelete(t *testing.T) {
	const homes = group + "/providers/Contoso.Homes/"
	server, send := serve(t, fstest.MapFS{
		"homes.json": {Data: []byte(`{"swagger": "2.0", "info": {"version": "2019-01-01"}, "paths": {
			"/{s}/providers/Contoso.Homes/houses/{name}": {"put": {}, "delete": {}},
			"/{s}/providers/Contoso.Homes/houses/{house}/settings/{name}": {"put": {}},
			"/{s}/providers/Contoso.Homes/streets/{name}": {"put": {}}
		}}`)},
		"streets.json": {Data: []byte(`{"swagger": "2.0", "info": {"version": "2019-01-01"}, "paths": {
			"/{s}/providers/Contoso.Homes/streets/{street}": {"delete": {}}
		}}`)},
		"2020-01-01.facts.json": {Data: []byte(`{"facts": 1, "apiVersion": "2020-01-01", "resources": [
			{"type": "Contoso.Homes/houses", "request": "Any"},
			{"type": "Contoso.Homes/houses/settings", "noDelete": true, "request": "Any"},
			{"type": "Contoso.Homes/plans/a", "arm": "Contoso.Homes/plans", "fixedName": "a", "noDelete": true, "request": "Any"},
			{"type": "Contoso.Homes/plans/b", "arm": "Contoso.Homes/plans", "fixedName": "b", "request": "Any"}
		], "types": [{"name": "Any", "properties": []}]}`)},
	})
	for _, row := range []struct {
		behavior, id, version string
		status                int
	}{
		{"the document has a DELETE", "houses/h", "2019-01-01", 200},
		{"the document has none", "houses/h/settings/default", "2019-01-01", 405},
		{"another document has it", "streets/s", "2019-01-01", 200},
		{"the facts do not say that there is none", "houses/h", "2020-01-01", 200},
		{"the facts say that there is none", "houses/h/settings/default", "2020-01-01", 405},
		{"the facts say it of one name alone", "plans/a", "2020-01-01", 200},
	} {
		t.Run(row.behavior, func(t *testing.T) {
			url := homes + row.id + "?api-version=" + row.version
			if status, answer := send(http.MethodPut, url, "{}"); status != 201 {
				t.Fatalf("the PUT got %d %s, want 201", status, answer)
			}
			status, answer := send(http.MethodDelete, url, "")
			if status != row.status || status == 405 && !strings.Contains(answer, `"code":"MethodNotAllowed"`) {
				t.Errorf("the DELETE got %d %s, want %d", status, answer, row.status)
			}
			if _, exists := server.Resource(homes + row.id); exists != (status == 405) {
				t.Errorf("after the status %d the resource exists: %v", status, exists)
			}
			server.Remove(homes + row.id)
		})
	}
}

// put is a PUT of a house, with the answer that it must get.
type put struct {
	reason, name, version, properties string
	status                            int
	answer                            string
}

func testPuts(t *testing.T, server *armtest.Server, all []put) {
	t.Helper()
	for _, test := range all {
		url := armtest.Endpoint + group + "/providers/Contoso.Homes/houses/" + test.name + "?api-version=" + test.version
		request, err := http.NewRequest("PUT", url, strings.NewReader(`{"properties":`+test.properties+`}`))
		if err != nil {
			t.Fatal(err)
		}
		response, err := server.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != test.status || !strings.Contains(string(answer), test.answer) {
			t.Errorf("%s: got %d %s %v, want %d %s", test.reason, response.StatusCode, answer, err, test.status, test.answer)
		}
	}
}

func TestNew(t *testing.T) {
	t.Run("a folder without specs is an error", noSpecs)
}

func noSpecs(t *testing.T) {
	if _, err := armtest.New(fstest.MapFS{"a.json": {Data: []byte("{}")}}); err == nil {
		t.Error("no error")
	}
}

func TestLists(t *testing.T) {
	server, err := armtest.New(specs())
	if err != nil {
		t.Fatal(err)
	}
	const group = "/subscriptions/s/resourceGroups/g"
	houses := group + "/providers/Contoso.Homes/houses"
	send := func(method, at, body string) (int, string) {
		t.Helper()
		request, err := http.NewRequest(method, at, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := server.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(text)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		send("PUT", armtest.Endpoint+houses+"/"+name+"?api-version=2019-01-01", `{"properties": {"rooms": 1}}`)
	}
	send("PUT", armtest.Endpoint+houses+"/a/marks/m?api-version=2019-01-01", `{}`)
	for path, want := range map[string][]string{
		houses:               {"a", "b", "c", "d"},
		group + "/resources": {"a", "b", "c", "d"},
		houses + "/a/marks":  {"m"},
		houses + "/b/marks":  nil,
		strings.ToUpper(houses[:len(houses)-6]) + "houses": {"a", "b", "c", "d"},
	} {
		var got []string
		for next := armtest.Endpoint + path + "?api-version=2019-01-01"; next != ""; {
			status, text := send("GET", next, "")
			var page struct {
				Value    []struct{ Name string }
				NextLink string
			}
			if err := json.Unmarshal([]byte(text), &page); err != nil || status != 200 || len(page.Value) > 3 {
				t.Fatalf("%s: %d %s", next, status, text)
			}
			for _, r := range page.Value {
				got = append(got, r.Name)
			}
			next = page.NextLink
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s lists %q, want %q", path, got, want)
		}
	}
}
