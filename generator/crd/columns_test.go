package crd

import (
	"context"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestColumns makes the table that an API server makes of a resource.
func TestColumns(t *testing.T) {
	var columns []apiextensionsv1.CustomResourceColumnDefinition
	for _, c := range Columns {
		columns = append(columns, apiextensionsv1.CustomResourceColumnDefinition{
			Name: c.Name, Type: c.Type, JSONPath: c.JSONPath, Priority: int32(c.Priority),
		})
	}
	converter, err := tableconvertor.New(columns)
	if err != nil {
		t.Fatal(err)
	}
	table, err := converter.ConvertToTable(context.Background(), &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": "x", "annotations": map[string]any{"armature.dev/sent-api-version": "2020-02-02"}},
		"status": map[string]any{"conditions": []any{
			map[string]any{"type": "Stalled", "status": "True"},
			map[string]any{"type": "Ready", "status": "False", "reason": "NoRoom"},
			map[string]any{"type": "StaysInAzure", "status": "True", "reason": "Protected"},
		}},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for i, c := range table.ColumnDefinitions {
		got[c.Name] = table.Rows[0].Cells[i]
		if wide := c.Priority > 0; wide != (c.Name == "ARM Version" || c.Name == "Stays In Azure") {
			t.Errorf("%s: got the priority %d", c.Name, c.Priority)
		}
	}
	if got["Ready"] != "False" || got["Reason"] != "NoRoom" || got["ARM Version"] != "2020-02-02" ||
		got["Stays In Azure"] != "Protected" {
		t.Errorf("got %v", got)
	}
}
