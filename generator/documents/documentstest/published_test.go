package documentstest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPublished(t *testing.T) {
	checkout := t.TempDir()
	const swagger = "specification/shop/resource-manager/Contoso.Shop/"
	for _, name := range []string{
		swagger + "stable/2020-01-01/orders.json",
		swagger + "Carts/stable/2020-01-01/carts.json",
		swagger + "Carts/Wheels/preview/2025-01-01-preview/openapi.json",
		swagger + "Carts/preview/2025-01-01-preview/examples/Put.json",
		swagger + "Carts/examples/2025-01-01-preview/Put.json",
		swagger + "stable/2020-01-01/readme.md",
		"specification/shop/resource-manager/common/v1/definitions.json",
		"specification/shop/data-plane/Contoso.Shop/stable/2020-01-01/data.json",
		"generated/shop_0/contoso.shop/2020-01-01/types.json",
		"generated/shop_0/deeper/contoso.shop/2020-01-01/types.json",
	} {
		file := filepath.Join(checkout, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("Swagger at any depth", func(t *testing.T) {
		want := []PublishedVersion{
			{"Contoso.Shop", "2020-01-01",
				[]string{swagger + "Carts/stable/2020-01-01/carts.json", swagger + "stable/2020-01-01/orders.json"}},
			{"Contoso.Shop", "2025-01-01-preview", []string{swagger + "Carts/Wheels/preview/2025-01-01-preview/openapi.json"}},
		}
		if diff := cmp.Diff(want, PublishedSwagger(t, checkout)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("types at any depth", func(t *testing.T) {
		want := []PublishedVersion{{"contoso.shop", "2020-01-01", []string{
			"generated/shop_0/contoso.shop/2020-01-01/types.json", "generated/shop_0/deeper/contoso.shop/2020-01-01/types.json",
		}}}
		if diff := cmp.Diff(want, PublishedTypes(t, checkout)); diff != "" {
			t.Error(diff)
		}
	})
}
