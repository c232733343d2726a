package armschema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/armschema"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/google/go-cmp/cmp"
)

// TestSingletons reads resources of one type, whose fixed names tell them apart: as
// alternatives of one description, and as descriptions of their own.
func TestSingletons(t *testing.T) {
	const expression = `{"$ref": "https://schema.management.azure.com/schemas/common/definitions.json#/definitions/expression"}`
	name := func(value string) string {
		return `"name": {"oneOf": [{"type": "string", "enum": ["` + value + `"]}, ` + expression + `]}`
	}
	alternative := func(value, property string) string {
		return fmt.Sprintf(`{"properties": {%s, "properties": {"oneOf": [{"type": "object", "properties": {%q: {"type": "string"}}, "required": [%[2]q]}, %s]}}, "required": ["properties"]}`,
			name(value), property, expression)
	}
	const typed = `"type": {"enum": ["Contoso.Shop/sites/config"]}, "kind": {"type": "string"}`
	web, settings, logs := alternative("web", "port"), alternative("appsettings", "values"), alternative("logs", "days")
	own := func(alternative string) string {
		return strings.Replace(alternative, `{"properties": {`, `{"properties": {`+typed+`, `, 1)
	}
	kinds := func(name string) string { return `{"properties": {"name": {"enum": ["` + name + `"]}}}` }
	for form, definitions := range map[string]string{
		"alternatives": `"config": {"type": "object", "oneOf": [` + web + `, ` + settings + `, ` + logs +
			`], "properties": {` + typed + `}, "required": ["type"]}`,
		"descriptions with alternatives of other names": `"config_web": ` +
			strings.Replace(own(web), `{`, `{"oneOf": [`+kinds("a")+`, `+kinds("b")+`], `, 1) +
			`, "config_appsettings": ` + own(settings) + `, "config_logs": ` + own(logs),
		"descriptions": `"config_web": ` + own(web) + `, "config_appsettings": ` + own(settings) + `, "config_logs": ` + own(logs),
	} {
		read := func(t *testing.T, exports map[string]string) []string {
			t.Helper()
			v, err := armschema.Reader{}.Read(documents.Input{
				Provider: "Contoso.Shop", APIVersion: "2020-01-01", Roots: []string{"a.json"}, Exports: exports,
				Read: func(string) ([]byte, error) { return []byte(`{"resourceDefinitions": {` + definitions + `}}`), nil },
			})
			if err != nil {
				t.Fatal(err)
			}
			var resources []string
			for _, r := range v.Resources {
				text := strings.Join([]string{r.Kind, r.Type, r.ARM, r.FixedName, r.Parent}, " ")
				for _, p := range v.Type(r.Spec).Properties {
					text += " " + p.ARM
					if inner := v.Type(p.Type.Named); inner != nil {
						text += fmt.Sprint(":", inner.Properties[0].ARM, " required ", p.Required)
					}
				}
				resources = append(resources, text)
			}
			return resources
		}
		t.Run("each is a kind if it is exported by its name: "+form, func(t *testing.T) {
			want := []string{
				"Logs Contoso.Shop/sites/config/logs Contoso.Shop/sites/config logs Contoso.Shop/sites kind properties:days required true",
				"Web Contoso.Shop/sites/config/web Contoso.Shop/sites/config web Contoso.Shop/sites kind properties:port required true",
			}
			got := read(t, map[string]string{"Contoso.Shop/sites/config/web": "Web", "Contoso.Shop/sites/config/logs": "Logs"})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
		t.Run("the type has the others: "+form, func(t *testing.T) {
			want := []string{
				"Settings Contoso.Shop/sites/config  appsettings Contoso.Shop/sites kind properties:values required true",
				"Web Contoso.Shop/sites/config/Web Contoso.Shop/sites/config web Contoso.Shop/sites kind properties:port required true",
				"Logs Contoso.Shop/sites/config/logs Contoso.Shop/sites/config logs Contoso.Shop/sites kind properties:days required true",
			}
			got := read(t, map[string]string{
				"Contoso.Shop/sites/config": "Settings", "Contoso.Shop/sites/config/Web": "Web",
				"Contoso.Shop/sites/config/logs": "Logs",
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
