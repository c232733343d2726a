package main

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/crd"
)

func TestPage(t *testing.T) {
	at := func(arm, name string, bytes, descriptions, nodes int) crd.Version {
		return crd.Version{
			Name: name, APIVersion: arm, Served: true, Storage: name == "v1beta20210101storage", Bytes: bytes, DescriptionBytes: descriptions, Nodes: nodes,
		}
	}
	text, err := page(&crd.Index{Group: "crm.azure.com", CRDs: []*crd.Summary{
		{Name: "cars.crm.azure.com", Bytes: 100, Versions: []crd.Version{
			at("2021-01-01", "v1beta20210101", 60, 10, 5), at("", "v1beta20210101storage", 20, 0, 1),
		}},
		{Name: "persons.crm.azure.com", Bytes: 2000, Versions: []crd.Version{
			at("2021-01-01", "v1beta20210101", 900, 15, 2000), at("2020-01-01", "v1beta20200101", 40, 5, 3), at("2019-01-01", "v1beta20190101", 40, 0, 3),
			at("", "v1beta20210101storage", 40, 7, 1),
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n| persons.crm.azure.com | 2000 | 20 | 960 | 40 | 980 |\n", "\n| **all** | 2100 | 30 | 1010 | 60 | 1000 |\n",
		"\n| persons.crm.azure.com | v1beta20200101 | 40 | 3 |\n",
		"\n| newest=1 | 4 | 2 | 20 | 60 |\n", "\n| newest=2 | 5 | 2 | 20 | 61 |\n", "\n| all | 6 | 2 | 21 | 63 |\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no row%s%s", want, text)
		}
	}
}

func TestWarning(t *testing.T) {
	price := crd.Price{Versions: 144}
	want := "warning: crm.azure.com costs an API server 101 MB of memory, with the versions that a release serves (newest=2); its budget is 100. Export fewer kinds, or raise memory_budget in its BUILD.bazel\n"
	if got := warning("crm.azure.com", price, 100); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := warning("crm.azure.com", price, 101); got != "" {
		t.Errorf("within the budget: %q", got)
	}
}
