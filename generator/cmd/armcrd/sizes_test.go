package main

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/emit"
)

func TestPage(t *testing.T) {
	text := string(page([]emit.Size{
		{CRD: "cars.crm.azure.com", Bytes: 100, Descriptions: 10, Schemas: 50, Storage: 20},
		{CRD: "persons.crm.azure.com", Bytes: 200, Descriptions: 20, Schemas: 100, Storage: 40},
	}))
	for _, want := range []string{"\n| persons.crm.azure.com | 200 | 20 | 100 | 40 | 40 |\n", "\n| **all** | 300 | 30 | 150 | 60 | 60 |\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no row%s%s", want, text)
		}
	}
}
