package armtest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/armature-dev/armature/runtime/arm/armtest"
)

func TestActions(t *testing.T) {
	const shop = "/subscriptions/s/resourceGroups/g/providers/Contoso.Shop/shops"
	server, err := armtest.New(fstest.MapFS{"shop.json": {Data: []byte(`{
		"swagger": "2.0", "info": {"version": "2019-01-01"},
		"paths": {
			"` + shop + `/{name}": {"put": {}},
			"` + shop + `/{name}/listKeys": {"post": {"responses": {"200": {"schema": {"$ref": "#/definitions/Keys"}}}}}
		},
		"definitions": {
			"Named": {"properties": {"keyName": {"type": "string"}}},
			"Key": {"allOf": [{"$ref": "#/definitions/Named"}], "properties": {"value": {"type": "string"}, "file": {"type": "string", "format": "byte"}, "open": {"type": "boolean"}}},
			"Keys": {"type": "object", "properties": {"keys": {"type": "array", "items": {"$ref": "#/definitions/Key"}}, "kind": {"enum": ["a", "b"]}, "count": {"type": "integer"}}}
		}
	}`)}})
	if err != nil {
		t.Fatal(err)
	}
	s := &stand{T: t, Server: server}
	s.expect("PUT", s.send("PUT", shop+"/x", "{}"), 201)
	s.expect("an action that is described", s.send("POST", shop+"/x/LISTKEYS", ""), 200)
	var first, second struct {
		Keys []struct {
			KeyName, Value string
			File           []byte
			Open           bool
		}
		Kind  string
		Count *int
	}
	read := func(into any) {
		text, _ := json.Marshal(server.Answer(shop+"/x", "listKeys", "2019-01-01"))
		if string(text) != strings.TrimSpace(s.send("POST", shop+"/x/listKeys", "").body) {
			t.Errorf("Answer says %s, and ARM does not", text)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Error(err)
		}
	}
	read(&first)
	server.Rotate(shop + "/x")
	read(&second)
	if len(first.Keys) != 2 || first.Keys[1].KeyName != "key2" || !first.Keys[0].Open || first.Kind != "a" || first.Count == nil ||
		!strings.Contains(first.Keys[0].Value, armtest.Secret) || !strings.Contains(string(first.Keys[0].File), armtest.Secret) {
		t.Errorf("got %+v", first)
	}
	if fmt.Sprint(first.Keys[0].Value) == fmt.Sprint(second.Keys[0].Value) || first.Keys[0].Value == first.Keys[1].Value {
		t.Errorf("got the same keys: %+v, %+v", first, second)
	}
	s.expect("one that is not", s.send("POST", shop+"/x/listSecrets", ""), 200, `"primaryKey"`, armtest.Secret)
	if server.Answer(shop+"/y", "listKeys", "2019-01-01") != nil {
		t.Error("nothing has keys")
	}
}
