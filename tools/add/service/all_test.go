package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/tools/specs/layout"
)

func TestName(t *testing.T) {
	for provider, want := range map[string]string{
		"Microsoft.Storage": "storage", "Dell.Storage": "dellstorage", "qumulo.storage": "qumulostorage",
		"microsoft.storage.admin": "storageadmin", "MongoDB.Atlas": "mongodbatlas",
	} {
		if got := (Request{}).name(provider); got != want {
			t.Errorf("the group of %s is %s, want %s", provider, got, want)
		}
	}
	if got := (Request{Group: "mine"}).name("Dell.Storage"); got != "mine" {
		t.Errorf("the group is %s, and not what the request says", got)
	}
}

// TestAddAll adds all providers of specs, among which one has the last part of another's name, one has a group already,
// of one nothing can be created, and one cannot be read.
func TestAddAll(t *testing.T) {
	root, specs := repository(t)
	folder := filepath.Join(string(specs), filepath.FromSlash(layout.SwaggerFolder))
	orders, err := os.ReadFile(filepath.Join(folder, "shop/resource-manager/Contoso.Shop/stable/2021-01-01/orders.json"))
	if err != nil {
		t.Fatal(err)
	}
	for provider, text := range map[string]string{
		"Fabrikam.Shop":     strings.ReplaceAll(string(orders), "Contoso.Shop", "Fabrikam.Shop"),
		"Microsoft.Shop":    strings.ReplaceAll(string(orders), "Contoso.Shop", "Microsoft.Shop"),
		"Microsoft.Nothing": `{"swagger": "2.0", "paths": {}}`,
		"Microsoft.Broken": strings.NewReplacer("Contoso.Shop", "Microsoft.Broken", `"$ref": "#/definitions/OrderProperties"`,
			`"$ref": "#/definitions/Gone"`).Replace(string(orders)),
	} {
		write(t, filepath.Join(folder, "more/resource-manager", provider, "stable/2021-01-01/orders.json"), text)
	}
	r := Request{Repository: Repository{Root: root}, Specs: specs}
	groups := func() string {
		t.Helper()
		names, err := r.groups()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(names, " ")
	}
	add := func(want string, dryRun bool, providers ...string) string {
		t.Helper()
		var out, progress strings.Builder
		err := AddAll(r, providers, dryRun, &out, &progress)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("error = %v, want one that begins with %q", err, want)
		} else if err != nil && strings.Contains(err.Error(), "Nothing") {
			t.Errorf("error = %v; that there is nothing to create is none", err)
		}
		if n := strings.Count(progress.String(), "\n"); n == 0 || !strings.Contains(progress.String(), "1/") {
			t.Errorf("the progress is %q", &progress)
		}
		return out.String()
	}
	before := groups()
	report := add("microsoft.broken: ", true)
	t.Run("the report", func(t *testing.T) { golden.Equal(t, "testdata/all.md", report) })
	t.Run("a dry run writes nothing", func(t *testing.T) {
		if got := groups(); got != before {
			t.Errorf("the groups are %s, and were %s", got, before)
		}
	})
	t.Run("providers of a list", func(t *testing.T) {
		add("", false, "Fabrikam.Shop", "Contoso.Shop")
		if got, want := groups(), "books contososhop fabrikamshop"; got != want {
			t.Errorf("the groups are %s, want %s", got, want)
		}
	})
	t.Run("one that has a group stops no other", func(t *testing.T) {
		report := add("Fabrikam.Shop: apis/fabrikamshop exists", true, "Fabrikam.Shop", "Microsoft.Shop")
		if !strings.Contains(report, "# 1 new group, ") {
			t.Error(report)
		}
	})
	t.Run("all that have no group yet", func(t *testing.T) {
		report := add("microsoft.broken: ", false)
		if got, want := groups(), "books contososhop fabrikamshop shop"; got != want || !strings.Contains(report, "# 1 new group, ") {
			t.Errorf("the groups are %s, want %s, and the report is\n%s", got, want, report)
		}
	})
	t.Run("what nobody has read is no evidence, until somebody has", func(t *testing.T) {
		file := filepath.Join(root, "apis", "contososhop", "group.yaml")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(root, "apis", "shop")); err != nil {
			t.Fatal(err)
		}
		for from, decided := range map[string]string{
			"books": string(text), "books, contososhop": strings.Replace(string(text), unread, "", 1),
		} {
			write(t, file, decided)
			shop := r
			shop.Provider = "Microsoft.Shop"
			change, err := Plan(shop)
			if err != nil {
				t.Fatal(err)
			}
			got := string(change.Files["apis/shop/group.yaml"])
			if !strings.Contains(got, "\n  Order.shelfId: reference # one in "+from+"\n") || strings.Contains(got, unread) {
				t.Errorf("with decisions of %s it has\n%s", from, got)
			}
		}
	})
	t.Run("without specs", func(t *testing.T) {
		if err := AddAll(Request{Repository: r.Repository}, nil, true, new(strings.Builder), new(strings.Builder)); err != ErrNoSpecs {
			t.Errorf("error = %v", err)
		}
	})
}
