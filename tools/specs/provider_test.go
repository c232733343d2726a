package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/tools/specs/digests"
)

// shop has the repositories of the published specs: a provider with two resource types, and another one.
var shop = map[string]map[string]string{
	"azure-rest-api-specs": {
		"specification/shop/resource-manager/Contoso.Shop/stable/2020-01-01/orders.json": `{"old": 1}`,
		"specification/shop/resource-manager/Contoso.Shop/stable/2020-01-01/carts.json":  `{"$ref": "#/definitions/cart"}`,
		"specification/shop/resource-manager/Contoso.Shop/stable/2021-01-01/orders.json": `{"paths": {"/orders": {
			"get": {"x-ms-examples": {"a": {"$ref": "./examples/get.json"}}},
			"put": {"x-ms-examples": {"a": {"$ref": "./examples/put.json"}}, "schema": {"$ref": "common/types.json#/Order"}}}}}`,
		"specification/shop/resource-manager/Contoso.Shop/stable/2021-01-01/examples/get.json": `{}`,
		"specification/shop/resource-manager/Contoso.Shop/stable/2021-01-01/examples/put.json": `{}`,
		"specification/shop/resource-manager/Contoso.Shop/stable/2021-01-01/common/types.json": "\ufeff" +
			`{"$ref": "../../../../../../common/v1/types.json"}`,
		"specification/shop/resource-manager/Contoso.Shop/preview/2021-06-01-preview/orders.json":         `{"a": "preview"}`,
		"specification/common/v1/types.json":                                                              `{"$ref": "missing.json"}`,
		"specification/toys/resource-manager/Contoso.Toys/stable/2021-01-01/toys.json":                    `{}`,
		"specification/toys/resource-manager/Contoso.Toys/stable/2021-01-01/examples/needed-by-none.json": `{}`,
	},
	"bicep-types-az": {
		"generated/index.json": `{"resources": {"Contoso.Shop/orders@2021-01-01": {}, "Contoso.Shop/orders@2020-01-01": {},
			"Contoso.Shop/carts@2019-01-01": {}, "Contoso.Toys/toys@2018-01-01": {}}}`,
		"generated/shop/contoso.shop/2018-01-01/types.json": `[]`,
		"generated/shop/contoso.shop/2019-01-01/types.json": `[{"a": {"$ref": "#/0"}}]`,
		"generated/shop/contoso.shop/2020-01-01/types.json": `[]`,
		"generated/shop/contoso.shop/2021-01-01/types.json": `[]`,
		"generated/toys/contoso.toys/2021-01-01/types.json": `[]`,
	},
	"arm-json-schema": {
		"schemas/2021-01-01/Contoso.Shop.json":   `{"$ref": "https://schema.example.com/schemas/common/definitions.json#/a"}`,
		"schemas/common/definitions.json":        `{}`,
		"schemas/2021-01-01/Contoso.Toys.json":   `{}`,
		"schemas/2021-01-01/Contoso.Shop.B.json": `{}`,
	},
}

// shopPins makes the repositories, and returns pins that have one file.
func shopPins(t *testing.T) []Pin {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	var pins []Pin
	for _, folder := range slices.Sorted(maps.Keys(shop)) {
		dir := t.TempDir()
		runGit(t, dir, "", "init", "--quiet", "--initial-branch=main")
		runGit(t, dir, "", "config", "uploadpack.allowFilter", "true")
		runGit(t, dir, "", "config", "uploadpack.allowAnySHA1InWant", "true")
		for name, text := range shop[folder] {
			writeFile(t, filepath.Join(dir, name), text)
		}
		runGit(t, dir, "", "add", ".")
		runGit(t, dir, "2021-07-12T12:00:00Z", "commit", "--quiet", "-m", "all")
		commit, err := git(context.Background(), dir, "rev-parse", "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		pins = append(pins, Pin{Folder: folder, Remote: "file://" + dir, Commit: commit, Digests: map[string]string{}})
	}
	toys := "specification/toys/resource-manager/Contoso.Toys/stable/2021-01-01/toys.json"
	pins[1].Digests = digestsOfShop(t, pins[1].Folder, toys)
	return pins
}

// digestsOfShop returns the digests of some files.
func digestsOfShop(t *testing.T, folder string, names ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range names {
		sum, err := digests.Of([]byte(shop[folder][name]))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = sum
	}
	return all
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestProvider(t *testing.T) {
	root, workspace, pins := t.TempDir(), t.TempDir(), shopPins(t)
	const swagger = "specification/shop/resource-manager/Contoso.Shop/"
	writeFile(t, filepath.Join(workspace, digests.PinsFile("bicep-types-az")), strings.Repeat("0", 64)+"  generated/kept.json\n")
	var log bytes.Buffer
	if err := pinProvider(t.Context(), root, workspace, pins, "contoso.shop", &log); err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	want := map[string]map[string]string{
		"azure-rest-api-specs": digestsOfShop(t, "azure-rest-api-specs", swagger+"stable/2020-01-01/carts.json",
			swagger+"stable/2021-01-01/orders.json", swagger+"stable/2021-01-01/examples/put.json",
			swagger+"stable/2021-01-01/common/types.json", swagger+"preview/2021-06-01-preview/orders.json",
			"specification/common/v1/types.json"),
		"bicep-types-az": digestsOfShop(t, "bicep-types-az", "generated/index.json", "generated/shop/contoso.shop/2019-01-01/types.json",
			"generated/shop/contoso.shop/2021-01-01/types.json"),
		"arm-json-schema": digestsOfShop(t, "arm-json-schema", "schemas/2021-01-01/Contoso.Shop.json",
			"schemas/2021-01-01/Contoso.Shop.B.json", "schemas/common/definitions.json"),
	}
	want["bicep-types-az"]["generated/kept.json"] = strings.Repeat("0", 64)
	for folder, files := range want {
		own, err := digests.ReadPins(workspace, folder)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(files, own); diff != "" {
			t.Errorf("%s.sha256 (-want +got):\n%s", folder, diff)
		}
	}
	for i := range pins {
		own := want[pins[i].Folder]
		delete(own, "generated/kept.json")
		maps.Copy(pins[i].Digests, own)
	}
	t.Run("the checkout is complete then, also with the files that were pinned before", func(t *testing.T) {
		var log bytes.Buffer
		if err := Checkout(t.Context(), root, pins, &log); err != nil || strings.Count(log.String(), "already at") != len(pins) {
			t.Errorf("%v, and it prints\n%s", err, &log)
		}
	})
	t.Run("a second time there is nothing to pin", func(t *testing.T) {
		added, err := CheckoutProvider(t.Context(), root, pins, "Contoso.Shop", &log)
		if err != nil {
			t.Fatal(err)
		}
		for folder, files := range added {
			if len(files) > 0 {
				t.Errorf("%s has %v more", folder, files)
			}
		}
	})
	for _, test := range []struct{ behavior, provider, want string }{
		{"an unknown provider", "Contoso.Shpo", `none of arm-json-schema, azure-rest-api-specs, bicep-types-az has the provider ` +
			`Contoso.Shpo at its commit; did you mean "Contoso.Shop"?`},
		{"the folder of another provider", "Microsoft.Toys", "; the resource types in the folder toys are those of Contoso.Toys"},
	} {
		t.Run(test.behavior+" is an error, and the checkout stays as it is", func(t *testing.T) {
			_, err := CheckoutProvider(t.Context(), root, pins, test.provider, &log)
			if err == nil || !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("error = %v, want %q", err, test.want)
			}
			if stamp, err := os.ReadFile(stampOf(root, pins[0])); err != nil || len(stamp) == 0 {
				t.Errorf("the stamp is %q, %v", stamp, err)
			}
		})
	}
	t.Run("pinned content that the commit lacks is an error, and nothing is pinned", func(t *testing.T) {
		workspace := t.TempDir()
		pins[1].Digests = map[string]string{"specification/common/v1/types.json": strings.Repeat("0", 64)}
		err := pinProvider(t.Context(), root, workspace, pins, "Contoso.Shop", &log)
		if err == nil || !strings.Contains(err.Error(), "types.json has the digest") {
			t.Errorf("error = %v", err)
		}
		if left, _ := os.ReadDir(workspace); len(left) > 0 {
			t.Errorf("it wrote %v", left)
		}
		if stamp, err := os.ReadFile(stampOf(root, pins[1])); err != nil || len(stamp) > 0 {
			t.Errorf("the checkout counts as complete: %q, %v", stamp, err)
		}
	})
}

func TestFetched(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, ".git", "pack"), strings.Repeat("a", 1_500_000))
	writeFile(t, filepath.Join(dir, "a.json"), "{}")
	got := fetched(dir, filepath.Join(dir, ".git"), []string{"a.json", "b.json"})
	if want := "1.5 MB fetched, 1 of 2 files"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
