package armschema_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/armature-dev/armature/generator/armschema"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
)

func TestReader(t *testing.T) { documentstest.Run(t, armschema.Reader{}) }

func TestExports(t *testing.T) {
	t.Run("types are compared without case", testExportsIgnoreCase)
	t.Run("only what exported resources reach is read", testExportsOnly)
}

func testExportsIgnoreCase(t *testing.T) {
	for _, c := range documentstest.Cases(t) {
		if filepath.Base(c.Dir) != "children_and_fixed_names" {
			continue
		}
		v, err := armschema.Reader{}.Read(c.Input())
		if err != nil || v.Resource("contoso.shop/ORDERS") == nil || v.Resource("contoso.shop/ORDERS").Type != "Contoso.Shop/orders" {
			t.Errorf("%v, %v: want the type as it is exported, although the schema has Contoso.Shop/Orders", v, err)
		}
	}
}

func testExportsOnly(t *testing.T) {
	for _, c := range documentstest.Cases(t) {
		in := c.Input()
		in.Exports = nil
		v, err := armschema.Reader{}.Read(in)
		if err == nil && len(v.Resources)+len(v.Types)+len(v.Notes) != 0 {
			t.Errorf("%s: without exports there are %d resources, %d types and %d notes", c.Dir, len(v.Resources),
				len(v.Types), len(v.Notes))
		}
	}
}

// TestURLs tests that the URL of a schema is read from the folder of the other
// version.
func TestURLs(t *testing.T) {
	const schema = `{"resourceDefinitions": {"orders": {"properties": {
		"type": {"enum": ["Contoso.Shop/orders"]},
		"sku": {"$ref": "https://schema.management.azure.com/schemas/2019-01-01/Other.json#/definitions/Sku"}
	}}}}`
	for root, other := range map[string]string{
		"checkout/schemas/2020-01-01/Shop.json": "checkout/schemas/2019-01-01/Other.json",
		"schemas/2020-01-01/Shop.json":          "schemas/2019-01-01/Other.json",
		"specs/2020-01-01/shop.json":            "specs/2019-01-01/Other.json",
	} {
		files := map[string]string{root: schema, other: `{"definitions": {"Sku": {"properties": {"name": {}}}}}`}
		v, err := armschema.Reader{}.Read(documents.Input{
			APIVersion: "2020-01-01", Roots: []string{root}, Exports: map[string]string{"Contoso.Shop/orders": "Order"},
			Read: func(name string) ([]byte, error) {
				if text, ok := files[name]; ok {
					return []byte(text), nil
				}
				return nil, os.ErrNotExist
			},
		})
		if err != nil || v.Type("Sku") == nil {
			t.Errorf("%s: %v", root, err)
		}
	}
}
