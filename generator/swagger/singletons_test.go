package swagger_test

import (
	"fmt"
	"testing"

	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/swagger"
	"github.com/google/go-cmp/cmp"
)

// TestSingletons reads resources of one type, whose fixed names tell them apart.
func TestSingletons(t *testing.T) {
	put := func(path, body string) string {
		return fmt.Sprintf(`"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Shop/sites/{site}/%s": {"put": {
			"parameters": [{"name": "body", "in": "body", "schema": {"$ref": "#/definitions/%s"}},
				{"name": "any", "in": "path", "type": "string", "enum": ["logs"]}],
			"responses": {"200": {"schema": {"$ref": "#/definitions/%[2]s"}}}}}`, path, body)
	}
	text := `{"swagger": "2.0", "paths": {` + put("config/web", "Web") + `,` + put("config/appsettings", "Settings") + `,` + put("config/{any}", "Logs") + `},
		"definitions": {"Web": {"properties": {"port": {"type": "integer"}}}, "Settings": {"properties": {"values": {"type": "string"}}},
			"Logs": {"properties": {"days": {"type": "integer"}}}}}`
	read := func(exports map[string]string) []string {
		v, err := swagger.Reader{}.Read(documents.Input{
			Provider: "Contoso.Shop", APIVersion: "2020-01-01", Roots: []string{"a.json"}, Exports: exports,
			Read: func(string) ([]byte, error) { return []byte(text), nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		var resources []string
		for _, r := range v.Resources {
			property := v.Type(r.Spec).Properties[0].ARM
			resources = append(resources, fmt.Sprint(r.Kind, " ", r.Type, " ", r.ARM, " ", r.FixedName, " ", r.Parent, " ", property))
			if r.Scopes[0] != ir.ResourceGroup {
				t.Errorf("%s has the scope %s", r.Type, r.Scopes[0])
			}
		}
		return resources
	}
	t.Run("each is a kind if it is exported by its name", func(t *testing.T) {
		want := []string{
			"Logs Contoso.Shop/sites/config/logs Contoso.Shop/sites/config logs Contoso.Shop/sites days",
			"Web Contoso.Shop/sites/config/web Contoso.Shop/sites/config web Contoso.Shop/sites port",
		}
		got := read(map[string]string{"Contoso.Shop/sites/config/web": "Web", "Contoso.Shop/sites/config/logs": "Logs"})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("the type has the others", func(t *testing.T) {
		want := []string{
			"Settings Contoso.Shop/sites/config  appsettings Contoso.Shop/sites values",
			"Web Contoso.Shop/sites/config/Web Contoso.Shop/sites/config web Contoso.Shop/sites port",
			"Logs Contoso.Shop/sites/config/logs Contoso.Shop/sites/config logs Contoso.Shop/sites days",
		}
		got := read(map[string]string{
			"Contoso.Shop/sites/config": "Settings", "Contoso.Shop/sites/config/Web": "Web",
			"Contoso.Shop/sites/config/logs": "Logs",
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
