package crd

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// TestEncode compares a schema with the same as JSON that encoding/json writes, for
// texts that YAML or JSON write in a special way.
func TestEncode(t *testing.T) {
	n := &schema{
		Type: "object", Properties: map[string]*schema{}, PreserveUnknown: true,
		MaxLength: new(int64(1) << 53), Minimum: new(0.0), Maximum: new(0.5), MultipleOf: new(1e30),
		Enum: []literal{{"1", false}, {"1", true}, {"<a&b>", true}},
		Items: &schema{OneOf: []*condition{
			{Required: []string{"a"}},
			{Not: &condition{AnyOf: []*condition{{Required: []string{"b", "c"}}}}},
		}},
	}
	type object = map[string]any
	want := object{
		"type": "object", "x-kubernetes-preserve-unknown-fields": true,
		"maxLength": int64(1) << 53, "minimum": 0, "maximum": 0.5, "multipleOf": 1e30, "enum": []any{1, "1", "<a&b>"},
		"items": object{"oneOf": []any{
			object{"required": []any{"a"}},
			object{"not": object{"anyOf": []any{object{"required": []any{"b", "c"}}}}},
		}},
	}
	for _, text := range []string{
		"plain", "two words", "trailing ", " leading", "yes", "NO", "on", "y", "null", "~", "true",
		"1", "1e3", "0x1", "1_000", "0b1", "2021-01-01", "12:30", "a: b", "a:b", "a:", "a #b", "a#b", "#",
		"- a", "-", "a - b", "?", "? a", "!tag", "&a", "*a", "{a}", "[a]", "a]", "a, b", "|", ">", "%a", "@a",
		"`a`", "'a'", "it's", `"a"`, `say "a"`, `back\slash`, "new\nline", "tab\there", "é", "<a&b>", "\u2028",
		"=", "<<", ".inf", "NaN", "a\x7f", " ",
	} {
		n.Required = append(n.Required, text)
		n.Properties[text] = &schema{Description: text}
	}
	properties := object{}
	for _, text := range n.Required {
		properties[text] = object{"description": text}
	}
	want["required"], want["properties"] = n.Required, properties

	d := &Definition{APIVersion: apiVersion, Kind: kind}
	d.Spec.Conversion = newConversion()
	d.Metadata.Name, d.Spec.Names.Kind = "persons.crm.azure.armature.dev", "Person"
	e := &entry{Name: "v1"}
	e.Schema.Root = n
	d.Spec.Versions = []*entry{e}
	text, sizes := d.encode()
	var got struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					Root object `json:"openAPIV3Schema"`
				} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	asJSON, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var normal object
	if err := json.Unmarshal(asJSON, &normal); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(normal, got.Spec.Versions[0].Schema.Root); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, text)
	}
	t.Run("sizes are those of compact JSON", func(t *testing.T) {
		whole, err := yaml.YAMLToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		if sizes.bytes != len(whole) || n.jsonBytes() != len(asJSON) {
			t.Errorf("the CRD has %d bytes and is said to have %d; the schema has %d and is said to have %d",
				len(whole), sizes.bytes, len(asJSON), n.jsonBytes())
		}
	})
	t.Run("what is read is the same", func(t *testing.T) {
		again, err := Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), string(again.Text())); diff != "" {
			t.Errorf("(-written +read and written):\n%s", diff)
		}
	})
}
