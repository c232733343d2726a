package main

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/serve"
)

func TestPage(t *testing.T) {
	at := func(name string, bytes, nodes int) serve.Version {
		return serve.Version{Name: name, Served: true, Storage: name == "v1beta20210101storage", Bytes: bytes, Nodes: nodes}
	}
	text, err := page([]emit.Size{
		{CRD: "cars.crm.azure.com", Bytes: 100, Descriptions: 10, Schemas: 50, Storage: 20, Versions: []serve.Version{at("v1beta20210101", 60, 5), at("v1beta20210101storage", 20, 1)}},
		{CRD: "persons.crm.azure.com", Bytes: 2000, Descriptions: 20, Schemas: 100, Storage: 40, Versions: []serve.Version{
			at("v1beta20210101", 900, 2000), at("v1beta20200101", 40, 3), at("v1beta20190101", 40, 3), at("v1beta20210101storage", 40, 1),
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n| persons.crm.azure.com | 2000 | 20 | 100 | 40 | 1840 |\n", "\n| **all** | 2100 | 30 | 150 | 60 | 1860 |\n",
		"\n| persons.crm.azure.com | v1beta20200101 | 40 | 3 |\n",
		"\n| newest=1 | 4 | 2 | 20 | 60 |\n", "\n| newest=2 | 5 | 2 | 20 | 61 |\n", "\n| all | 6 | 2 | 21 | 63 |\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no row%s%s", want, text)
		}
	}
}

func TestWarning(t *testing.T) {
	price := serve.Price{Versions: 144}
	want := "warning: crm.azure.com costs an API server 101 MB of memory, with the versions that a release serves (newest=2); its budget is 100. Export fewer kinds, or raise memory_budget in its BUILD.bazel\n"
	if got := warning("crm.azure.com", price, 100); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := warning("crm.azure.com", price, 101); got != "" {
		t.Errorf("within the budget: %q", got)
	}
}
