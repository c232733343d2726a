package swagger_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/swagger"
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
	"Contoso.Shop/carts/tags":            "CartTag",
	"Contoso.Shop/locks":                 "Lock",
	"Contoso.Shop/sales":                 "Sale",
	"Contoso.Shop/shops":                 "Shop",
	"Contoso.Shop/stands":                "Stand",
}

// golden is a case under testdata, with its inputs by name.
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
		for _, pattern := range []string{"*.json", "*/*.json"} {
			names, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range names {
				name, err := filepath.Rel(dir, file)
				if err != nil {
					t.Fatal(err)
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				g.files[filepath.ToSlash(name)] = text
				if pattern == "*.json" {
					g.roots = append(g.roots, name)
				}
			}
		}
		cases = append(cases, g)
	}
	return cases
}

func (g golden) load() (*ir.Version, error) {
	return swagger.Load(documents.Input{
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
	checkInvariants(t, v)
	return "want.txt", lines(t, v)
}

// lines shows a version with one line for each resource, type, enum value,
// property and note: all their fields as JSON, but names that are empty in the
// raw form.
func lines(t *testing.T, v *ir.Version) []byte {
	var text bytes.Buffer
	line := func(what string, value any) {
		fields, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%s %s\n", what, strings.ReplaceAll(string(fields), `"name":"","goName":"",`, ""))
	}
	for _, r := range v.Resources {
		line("resource", r)
	}
	for _, typ := range v.Types {
		head := *typ
		head.Properties, head.Values = nil, nil
		line("type", head)
		for _, value := range typ.Values {
			line("  value", value)
		}
		for _, p := range typ.Properties {
			line("  property", p)
		}
	}
	for _, n := range v.Notes {
		line("note", n)
	}
	return text.Bytes()
}

func TestGoldenCases(t *testing.T) {
	for _, g := range goldens(t) {
		t.Run(filepath.Base(g.dir), func(t *testing.T) {
			name, got := g.result(t)
			file := filepath.Join(g.dir, name)
			if os.Getenv("ARMATURE_UPDATE") != "" {
				for _, old := range []string{"want.txt", "want.err"} {
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
				t.Errorf("%s differs (-want +got):\n%s\nARMATURE_UPDATE=1 go test ./generator/swagger updates it", file, diff)
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

func TestAHugeFileIsRefused(t *testing.T) {
	_, err := swagger.Load(documents.Input{Roots: []string{"huge.json"}, Read: func(string) ([]byte, error) {
		return make([]byte, jsontree.MaxSize+1), nil
	}})
	if err == nil || !strings.HasPrefix(err.Error(), "huge.json: ") || !strings.Contains(err.Error(), "at most 64 MiB") {
		t.Errorf("error = %v", err)
	}
}

func TestAMissingRootIsNamed(t *testing.T) {
	_, err := swagger.Load(documents.Input{Roots: []string{"b.json", "a.json"}, Read: func(string) ([]byte, error) { return nil, os.ErrNotExist }})
	if err == nil || err.Error() != "a.json: the file does not exist\nb.json: the file does not exist" {
		t.Errorf("error = %v", err)
	}
}

func TestEachFileIsReadOnceAndExamplesNever(t *testing.T) {
	for _, g := range goldens(t) {
		reads := map[string]int{}
		_, err := swagger.Load(documents.Input{
			Provider: "Contoso.Shop", APIVersion: "2020-01-01", Roots: g.roots, Exports: shop,
			Read: func(name string) ([]byte, error) {
				reads[name]++
				return g.files[name], nil
			},
		})
		if err != nil {
			continue
		}
		for name := range g.files {
			if reads[name] != 1 {
				t.Errorf("%s: %s was read %d times", g.dir, name, reads[name])
			}
			delete(reads, name)
		}
		if len(reads) > 0 {
			t.Errorf("%s: read %v, which nothing needs", g.dir, reads)
		}
	}
}
