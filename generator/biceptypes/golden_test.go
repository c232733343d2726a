package biceptypes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/biceptypes"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/google/go-cmp/cmp"
)

func TestReader(t *testing.T) { documentstest.Run(t, biceptypes.Reader{}) }

// TestSingletons exports resources of one type by their names, each of which has a body of
// its own.
func TestSingletons(t *testing.T) {
	in := documents.Input{
		Provider: "Contoso.Shop", APIVersion: "2020-01-01", Roots: []string{"types.json"},
		Exports: map[string]string{
			"Contoso.Shop/orders/settings": "Settings", "Contoso.Shop/orders/settings/Web": "Web",
			"Contoso.Shop/orders": "Order",
		},
	}
	for _, c := range documentstest.Cases(t) {
		if strings.HasSuffix(c.Dir, "/names_of_resources") {
			in.Read = c.Input().Read
		}
	}
	v, err := biceptypes.Reader{}.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range v.Resources {
		text := strings.Join([]string{r.Kind, r.Type, r.ARM, r.FixedName, r.Parent}, " ")
		for _, p := range v.Type(r.Spec).Properties {
			if inner := v.Type(p.Type.Named); inner != nil {
				text += fmt.Sprint(" ", p.ARM, ":", inner.Properties[0].ARM)
			}
		}
		got = append(got, text)
	}
	want := []string{
		"Settings Contoso.Shop/orders/settings  logs Contoso.Shop/orders properties:days",
		"Web Contoso.Shop/orders/settings/Web Contoso.Shop/orders/settings web Contoso.Shop/orders properties:port",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	types, err := biceptypes.Reader{}.Types(in)
	if err != nil {
		t.Fatal(err)
	}
	wantTypes := []string{
		"Contoso.Shop/orders/settings/logs", "Contoso.Shop/orders/settings/web", "Contoso.Shop/orders/policies",
		"Contoso.Shop/carts", "Contoso.Shop/locks", "Contoso.Shop/sales", "Contoso.Shop/shops", "Contoso.Shop/stands",
	}
	if diff := cmp.Diff(wantTypes, types["types.json"]); diff != "" {
		t.Error(diff)
	}
}

// TestHostile reads documents that would take for ever, or all memory, if they were
// believed.
func TestHostile(t *testing.T) {
	body := func(of string) string {
		return `{"$type": "ResourceType", "name": "Contoso.Shop/orders@2020-01-01", "body": {"$ref": "#/1"}, "writableScopes": 8},
			{"$type": "ObjectType", "name": "Order", "properties": {"x": {"type": {"$ref": "#/2"}, "flags": 0}}},` + of
	}
	var chain strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&chain, `{"$type": "ArrayType", "itemType": {"$ref": "#/%d"}},`, i+3)
	}
	var objects strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&objects, `{"$type": "ObjectType", "name": "", "properties": {"x": {"type": {"$ref": "#/%d"}, "flags": 0}}},`, i+3)
	}
	for _, test := range []struct{ behavior, types, want string }{
		{"a list of itself", body(`{"$type": "ArrayType", "itemType": {"$ref": "#/2"}}`), "the type consists of itself"},
		{"a union of itself", body(`{"$type": "UnionType", "elements": [{"$ref": "#/2"}]}`), "the type consists of itself"},
		{
			"a map of itself", body(`{"$type": "ObjectType", "name": "M", "properties": {}, "additionalProperties": {"$ref": "#/2"}}`),
			"the type consists of itself",
		},
		{"10,000 lists in each other", body(chain.String() + `{"$type": "StringType"}`), "more than 50 lists and unions"},
		{"an index out of range", body(`{"$type": "ArrayType", "itemType": {"$ref": "#/3"}}`), "the file has the types 0 to 2"},
		{"a negative index", body(`{"$type": "ArrayType", "itemType": {"$ref": "#/-1"}}`), "the file has the types 0 to 2"},
		{"10,000 objects in each other", body(objects.String() + `{"$type": "StringType"}`), ""},
		{"text in 10,000 lists", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), "types.json:1:"},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			_, err := biceptypes.Reader{}.Read(documents.Input{
				Provider: "Contoso.Shop", APIVersion: "2020-01-01", Roots: []string{"types.json"},
				Exports: map[string]string{"Contoso.Shop/orders": "Order"},
				Read:    func(string) ([]byte, error) { return []byte("[" + test.types + "]"), nil },
			})
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want %q", err, test.want)
			}
		})
	}
}
