package emit

import (
	"encoding/json"
	"testing"

	"github.com/armature-dev/armature/generator/serve"
)

// sized returns a CRD with an API version and its storage version.
func sized(schema node) (node, []crdVersion) {
	return node{
		"metadata": node{"name": "persons.crm.azure.com"},
		"spec": node{"versions": list{
			node{"name": "v1beta20200101", "schema": node{"openAPIV3Schema": schema}},
			node{"name": "v1beta20200101storage", "schema": node{"openAPIV3Schema": node{"description": "counts as storage"}}},
		}},
	}, []crdVersion{{role: served}, {role: hub}}
}

// TestWeigh expects the causes of a CRD's size to add up to it.
func TestWeigh(t *testing.T) {
	size := weigh(sized(node{
		"properties": node{"description": node{"description": "of a property named so", "type": "string"}},
	}))
	if want := len(`"description":,`) + len(`"of a property named so"`); size.Descriptions != want {
		t.Errorf("descriptions are %d bytes, want %d", size.Descriptions, want)
	}
	if want := len(`{"name":"v1beta20200101storage","schema":{"openAPIV3Schema":{"description":"counts as storage"}}}`); size.Storage != want {
		t.Errorf("storage versions are %d bytes, want %d", size.Storage, want)
	}
	for i, want := range []serve.Version{
		{Name: "v1beta20200101", Served: true, Bytes: size.Descriptions + size.Schemas, Nodes: 2},
		{Name: "v1beta20200101storage", Served: true, Storage: true, Bytes: size.Storage, Nodes: 1},
	} {
		if size.Versions[i] != want {
			t.Errorf("version %d is %+v, want %+v", i, size.Versions[i], want)
		}
	}
	if rest := size.Bytes - size.Descriptions - size.Schemas - size.Storage; rest <= 0 || size.Schemas <= 0 {
		t.Errorf("schemas are %d bytes and the rest %d, want both to be more than 0", size.Schemas, rest)
	}
}

func TestJSONBytes(t *testing.T) {
	crd, versions := sized(node{
		"enum": list{constant{`"a"`}, constant{"1"}}, "empty": node{}, "none": list{}, "minimum": float64(0), "maxLength": int64(1 << 40), "flag": true,
		"pattern": `^<a&b>"\d+é$`,
	})
	text, err := json.Marshal(crd)
	if err != nil {
		t.Fatal(err)
	}
	if size := weigh(crd, versions); size.Bytes != len(text) {
		t.Errorf("%d bytes, want %d", size.Bytes, len(text))
	}
}
