package armtest_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/armature-dev/armature/runtime/arm/armtest"
)

func TestAnswers(t *testing.T) {
	const spec = `{
		"swagger": "2.0",
		"info": {"version": "2019-01-01"},
		"paths": {"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Homes/houses/{name}": {"put": {
			"parameters": [{"in": "body", "schema": {"$ref": "#/definitions/House"}}],
			"responses": {"201": {"schema": {"$ref": "#/definitions/House"}}}
		}}},
		"definitions": {"House": {
			"required": ["id", "properties"],
			"properties": {
				"id": {"type": "string", "readOnly": true},
				"properties": {
					"required": ["host", "uid", "size", "state", "provisioningState", "rooms"],
					"properties": {
						"host": {"type": "string", "readOnly": true, "minLength": 1},
						"uid": {"type": "string", "readOnly": true, "pattern": "^[0-9a-f]{8}-[0-9a-f-]{27}$"},
						"size": {"type": "integer", "readOnly": true},
						"state": {"type": "string", "readOnly": true, "enum": ["Open", "Shut"]},
						"provisioningState": {"type": "string", "readOnly": true, "enum": ["Creating", "Succeeded"]},
						"rooms": {"type": "integer"},
						"garden": {"required": ["trees"], "properties": {"trees": {"type": "array", "readOnly": true, "items": {"type": "string"}}}},
						"odd": {"required": ["never"], "properties": {"never": {"readOnly": true, "type": "string", "pattern": "^zzz$"}}}
					}
				}
			}
		}}
	}`
	server, err := armtest.New(fstest.MapFS{"homes.json": {Data: []byte(spec)}})
	if err != nil {
		t.Fatal(err)
	}
	send := func(method, body string) string {
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest(method, house+"?api-version=2019-01-01", strings.NewReader(body)))
		if w.Code >= 300 {
			t.Fatalf("%s: %d %s", method, w.Code, w.Body)
		}
		return w.Body.String()
	}
	t.Run("have what the spec requires of them, and nobody sends", func(t *testing.T) {
		send("PUT", `{"properties": {"rooms": 3, "garden": {}}}`)
		got := send("GET", "")
		for _, want := range []string{`"rooms":3`, `"host":"0`, `"uid":"00000000-`, `"size":1`, `"state":"Open"`, `"trees":[]`,
			`"provisioningState":"Succeeded"`} {
			if !strings.Contains(got, want) {
				t.Errorf("got %s, want %s in it", got, want)
			}
		}
		if all := server.Unfit(); len(all) > 0 {
			t.Errorf("got %q", all)
		}
	})
	t.Run("the stored body has no made-up values", func(t *testing.T) {
		if got, _ := server.Resource(house); strings.Contains(string(got), "host") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("a property that no value fits is listed", func(t *testing.T) {
		send("PUT", `{"properties": {"rooms": 3, "odd": {}}}`)
		if all := server.Unfit(); len(all) != 1 || !strings.HasPrefix(all[0], "Contoso.Homes/houses 2019-01-01: properties.odd.never: ") {
			t.Errorf("got %q", all)
		}
	})
}
