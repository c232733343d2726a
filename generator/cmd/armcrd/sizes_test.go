package main

import (
	"strings"
	"testing"
)

// The causes of a CRD's size add up to it, and each byte has one cause.
func TestEveryByteHasACause(t *testing.T) {
	const text = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: persons.crm.azure.com}
spec:
  versions:
  - name: v1beta20200101
    schema: {properties: {description: {description: "of a property named so", type: string}}}
  - name: v1beta20200101storage
    schema: {description: "counts as storage"}
`
	crds, err := weigh(map[string][]byte{"persons.yaml": []byte(text), "kustomization.yaml": []byte("kind: Kustomization\n")})
	if err != nil {
		t.Fatal(err)
	}
	if len(crds) != 1 {
		t.Fatalf("weighed %d CRDs, want 1: the kustomization is none", len(crds))
	}
	c := crds[0]
	if want := len(`"description":,`) + len(`"of a property named so"`); c.descriptions != want {
		t.Errorf("descriptions are %d bytes, want %d", c.descriptions, want)
	}
	if want := len(`{"name":"v1beta20200101storage","schema":{"description":"counts as storage"}}`); c.storage != want {
		t.Errorf("storage versions are %d bytes, want %d", c.storage, want)
	}
	if rest := c.bytes - c.descriptions - c.schemas - c.storage; rest <= 0 || c.schemas <= 0 {
		t.Errorf("schemas are %d bytes and the rest %d, want both to be more than 0", c.schemas, rest)
	}
	if !strings.Contains(string(page(crds)), "| persons.crm.azure.com | ") {
		t.Errorf("the page has no row of the CRD:\n%s", page(crds))
	}
}

func TestACRDThatIsNoYAMLIsNamed(t *testing.T) {
	_, err := weigh(map[string][]byte{"bad.yaml": []byte("{")})
	if err == nil || !strings.HasPrefix(err.Error(), "bad.yaml: ") {
		t.Errorf("the error is %v, want one that names bad.yaml", err)
	}
}
