package armschema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/armschema"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// shop exports what the cases under testdata describe.
var shop = map[string]string{
	"Contoso.Shop/orders":                "Order",
	"Contoso.Shop/orders/items":          "Item",
	"Contoso.Shop/orders/policies":       "Policy",
	"Contoso.Shop/orders/settings":       "Setting",
	"Contoso.Shop/orders/settings/lines": "Line",
	"Contoso.Shop/orders/tags":           "OrderTag",
	"Contoso.Shop/carts":                 "Cart",
	"Contoso.Shop/locks":                 "Lock",
	"Contoso.Shop/sales":                 "Sale",
	"Contoso.Shop/shops":                 "Shop",
	"Contoso.Shop/stands":                "Stand",
}

// golden is a case under testdata, with its inputs by name. The files at its
// top are the version's own; those in its folders are what they refer to.
type golden struct {
	dir   string
	roots []string
	files map[string][]byte
}

func goldens(t *testing.T) []golden {
	t.Helper()
	dirs, err := filepath.Glob("testdata/*_*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var cases []golden
	for _, dir := range dirs {
		g := golden{dir: dir, files: map[string][]byte{}}
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || name == "want.json" || filepath.Ext(name) != ".json" {
				return err
			}
			if !strings.Contains(name, "/") {
				g.roots = append(g.roots, name)
			}
			g.files[name], err = os.ReadFile(filepath.Join(dir, name))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, g)
	}
	return cases
}

func (g golden) load() (*ir.Version, error) {
	return armschema.Load(documents.Input{
		Provider: "Contoso.Shop", APIVersion: "2020-01-01", Roots: g.roots, Exports: shop,
		Read: func(name string) ([]byte, error) {
			if text, ok := g.files[name]; ok {
				return text, nil
			}
			return nil, fmt.Errorf("open %s: %w", name, os.ErrNotExist)
		},
	})
}

// result is what a case yields, and the file in which that is expected.
func (g golden) result(t *testing.T) (file string, text []byte) {
	t.Helper()
	v, err := g.load()
	if err != nil {
		var list *diag.List
		if !errors.As(err, &list) {
			t.Errorf("the error is a %T, want a *diag.List", err)
		}
		return "want.err", []byte(err.Error() + "\n")
	}
	checkVersion(t, v)
	text, err = ir.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return "want.json", text
}

func TestGoldenCases(t *testing.T) {
	for _, g := range goldens(t) {
		t.Run(filepath.Base(g.dir), func(t *testing.T) {
			name, got := g.result(t)
			file := filepath.Join(g.dir, name)
			if os.Getenv("ARMATURE_UPDATE") != "" {
				for _, old := range []string{"want.json", "want.err"} {
					os.Remove(filepath.Join(g.dir, old))
				}
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v; the case yields\n%s", err, got)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s differs (-want +got):\n%s\nARMATURE_UPDATE=1 go test ./generator/armschema updates it", file, diff)
			}
		})
	}
}

func TestNeitherTheOrderOfRootsNorWhiteSpaceMatters(t *testing.T) {
	for _, g := range goldens(t) {
		name, want := g.result(t)
		if name == "want.err" {
			continue
		}
		slices.Reverse(g.roots)
		for file, text := range g.files {
			var spread bytes.Buffer
			if err := json.Indent(&spread, text, "\n\n", "\t\t"); err != nil {
				t.Fatal(err)
			}
			g.files[file] = spread.Bytes()
		}
		if _, got := g.result(t); !bytes.Equal(want, got) {
			t.Errorf("%s: %s", g.dir, cmp.Diff(string(want), string(got)))
		}
	}
}

func TestExportsAreComparedWithoutCase(t *testing.T) {
	for _, g := range goldens(t) {
		if filepath.Base(g.dir) != "children_and_fixed_names" {
			continue
		}
		v, err := g.load()
		if err != nil || v.Resource("contoso.shop/ORDERS") == nil || v.Resource("contoso.shop/ORDERS").Type != "Contoso.Shop/orders" {
			t.Errorf("%v, %v: want the type as it is exported, although the schema has Contoso.Shop/Orders", v, err)
		}
	}
}

func TestOnlyWhatExportedResourcesReachIsThere(t *testing.T) {
	for _, g := range goldens(t) {
		v, err := armschema.Load(documents.Input{
			Provider: "Contoso.Shop", APIVersion: "2020-01-01", Roots: g.roots,
			Read: func(name string) ([]byte, error) { return g.files[name], nil },
		})
		if err == nil && len(v.Resources)+len(v.Types)+len(v.Notes) != 0 {
			t.Errorf("%s: without exports there are %d resources, %d types and %d notes", g.dir, len(v.Resources), len(v.Types), len(v.Notes))
		}
	}
}

func TestAHugeFileIsRefused(t *testing.T) {
	_, err := armschema.Load(documents.Input{Roots: []string{"huge.json"}, Read: func(string) ([]byte, error) {
		return make([]byte, jsontree.MaxSize+1), nil
	}})
	if err == nil || !strings.HasPrefix(err.Error(), "huge.json: ") || !strings.Contains(err.Error(), "at most 64 MiB") {
		t.Errorf("error = %v", err)
	}
}

func TestAMissingRootIsNamed(t *testing.T) {
	_, err := armschema.Load(documents.Input{Roots: []string{"b.json", "a.json"}, Read: func(string) ([]byte, error) { return nil, os.ErrNotExist }})
	if err == nil || err.Error() != "a.json: the file does not exist\nb.json: the file does not exist" {
		t.Errorf("error = %v", err)
	}
}

func TestURLsMeanFilesBesideTheVersionsFolder(t *testing.T) {
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
		v, err := armschema.Load(documents.Input{
			APIVersion: "2020-01-01", Roots: []string{root}, Exports: shop,
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
