package main

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/crd"
)

func TestPage(t *testing.T) {
	at := func(arm, name string, bytes, descriptions, nodes int) crd.Version {
		return crd.Version{
			Name: name, APIVersion: arm, Served: true, Storage: name == "v20210101storage",
			Bytes: bytes, DescriptionBytes: descriptions, Nodes: nodes,
		}
	}
	text, err := page(&crd.Index{Group: "crm.azure.armature.dev", CRDs: []*crd.Summary{
		{Name: "cars.crm.azure.armature.dev", Bytes: 100, Versions: []crd.Version{
			at("2021-01-01", "v20210101", 60, 10, 5), at("", "v20210101storage", 20, 0, 1),
		}},
		{Name: "persons.crm.azure.armature.dev", Bytes: 2000, Versions: []crd.Version{
			at("2021-01-01", "v20210101", 900, 15, 2000), at("2020-01-01", "v20200101", 40, 5, 3), at("2019-01-01", "v20190101", 40, 0, 3),
			at("", "v20210101storage", 40, 7, 1),
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n| persons.crm.azure.armature.dev | 2000 | 20 | 960 | 40 | 980 |\n", "\n| **all** | 2100 | 30 | 1010 | 60 | 1000 |\n",
		"\n| persons.crm.azure.armature.dev | v20200101 | 40 | 3 |\n",
		"\n| newest=1 | 4 | 2 | 20 | 60 |\n", "\n| newest=2 | 5 | 2 | 20 | 61 |\n", "\n| all | 6 | 2 | 21 | 63 |\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no row%s%s", want, text)
		}
	}
}
