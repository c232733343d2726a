package layout_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/tools/specs/layout"
)

func TestOf(t *testing.T) {
	const swagger = "azure-rest-api-specs/specification/dns/resource-manager/"
	for _, test := range []struct {
		behavior, name string
		want           layout.Place
	}{
		{"Swagger", swagger + "Microsoft.Network/stable/2018-05-01/dns.json", layout.Place{
			Provider: "Microsoft.Network", APIVersion: "2018-05-01", Service: "dns", Document: swagger + "Microsoft.Network/dns.json"}},
		{"Swagger of a part of a service", swagger + "Microsoft.Network/Dns/preview/2018-05-01-preview/dns.json", layout.Place{
			Provider: "Microsoft.Network", APIVersion: "2018-05-01-preview", Service: "dns",
			Document: swagger + "Microsoft.Network/Dns/dns.json"}},
		{"bicep types", "bicep-types-az/generated/app_0/microsoft.app/2025-07-01/types.json", layout.Place{
			Provider: "microsoft.app", APIVersion: "2025-07-01", Service: "app_0",
			Document: "bicep-types-az/generated/app_0/microsoft.app/types.json"}},
		{"a JSON schema of a part of a provider", "arm-json-schema/schemas/2018-05-01/Microsoft.Network.Dns.json", layout.Place{
			Provider: "Microsoft.Network", APIVersion: "2018-05-01", Document: "Microsoft.Network.Dns.json"}},
		{"what is not of the resource manager is none",
			"azure-rest-api-specs/specification/dns/data-plane/Microsoft.Network/stable/2018-05-01/dns.json", layout.Place{}},
		{"an example is none", swagger + "Microsoft.Network/stable/2018-05-01/examples/zone.json", layout.Place{}},
		{"what has no version is none", swagger + "Microsoft.Network/stable/newest/dns.json", layout.Place{}},
		{"the index is none", layout.Index, layout.Place{}},
		{"the schema of templates is none", "arm-json-schema/schemas/2019-04-01/deploymentTemplate.json", layout.Place{}},
		{"what is no JSON is none", swagger + "Microsoft.Network/stable/2018-05-01/readme.md", layout.Place{}},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			got, ok := layout.Of(test.name)
			if !ok {
				got = layout.Place{}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnknown(t *testing.T) {
	p := layout.Providers{}
	for _, name := range []string{
		"bicep-types-az/generated/dns/microsoft.network/2018-05-01/types.json",
		"bicep-types-az/generated/cosmos-db_0/microsoft.documentdb/2026-06-01/types.json",
		"bicep-types-az/generated/app_0/microsoft.app/2025-07-01/types.json",
	} {
		p.Add(name)
	}
	for name, want := range map[string]string{
		"microsoft.dns":      "; the resource types in the folder dns are those of microsoft.network",
		"Microsoft.CosmosDB": "; the resource types in the folder cosmos-db_0 are those of microsoft.documentdb",
		"Microsoft.Netwrok":  `; did you mean "Microsoft.network"?`,
		"Microsoft.Quantum":  "",
		"Contoso.Netwrok":    "",
	} {
		if got := p.Unknown(name); got != want {
			t.Errorf("Unknown(%s) = %q, want %q", name, got, want)
		}
	}
}

func TestReadIndex(t *testing.T) {
	const shop = `{"resources": {
		"Contoso.Shop/orders@2022-01-01": {"$ref": "shop/contoso.shop/2022-01-01/types.json#/1"},
		"Contoso.Shop/orders@2021-01-01": {"$ref": "shop/contoso.shop/2021-01-01/types.json#/1"}}, "resourceFunctions": {}}`
	versions, err := layout.ReadIndex([]byte(shop))
	if err != nil || !slices.Equal(versions["Contoso.Shop/orders"], []string{"2021-01-01", "2022-01-01"}) {
		t.Errorf("got %v, %v", versions, err)
	}
	for _, test := range []struct{ behavior, text, want string }{
		{"no JSON", "{", "generated/index.json: "},
		{"no version", `{"resources": {"Contoso.Shop/orders": {}}}`, `found the resource "Contoso.Shop/orders"; expected`},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if _, err := layout.ReadIndex([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestNewest(t *testing.T) {
	for _, test := range []struct{ behavior, versions, want string }{
		{"the newest stable one, and newer previews", "2020-01-01 2021-01-01 2022-01-01-preview", "2021-01-01 2022-01-01-preview"},
		{"the newest preview where nothing is stable", "2020-01-01-preview 2021-01-01-preview", "2021-01-01-preview"},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if got := strings.Join(layout.Newest(strings.Fields(test.versions)), " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
