package ir

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func redis() *Version {
	return &Version{
		Provider: "Microsoft.Cache", APIVersion: "2020-06-01",
		Resources: []*Resource{
			{Type: "Microsoft.Cache/redis", Kind: "Redis", Scopes: []Scope{Subscription, ResourceGroup}, Spec: "Redis_Spec"},
			{Type: "Microsoft.Cache/firewall", Kind: "Firewall", Spec: "Rule"},
		},
		Types: []*Type{
			{Name: "Sku", Kind: Object, Properties: []*Property{
				{Name: "name", GoName: "Name", Type: TypeRef{Primitive: String}},
				{Name: "family", GoName: "Family", Type: TypeRef{Primitive: String}, Doc: "C <or> P"},
			}},
			{Name: "Redis_Spec", Kind: Object, Properties: []*Property{
				{Name: "skus", GoName: "Skus", Type: TypeRef{Map: &TypeRef{Items: &TypeRef{Named: "Sku"}}}},
			}},
			{Name: "Lonely", Kind: Enum, Base: String, Values: []EnumValue{{Value: "z", Name: "Z"}, {Value: "a", Name: "A"}}},
		},
		Notes: []Note{{Kind: Skipped, Reason: "b"}, {Kind: Skipped, Reason: "a"}, {Kind: Skipped, Reason: "b"}},
		Used:  []string{"secret/B", "reference/A", "secret/B"},
	}
}

func TestEncode(t *testing.T) {
	a, b := redis(), redis()
	b.Resources[0], b.Resources[1] = b.Resources[1], b.Resources[0]
	b.Types[0], b.Types[2] = b.Types[2], b.Types[0]
	b.Notes[0], b.Notes[1] = b.Notes[1], b.Notes[0]
	b.Type("Redis_Spec") // a look-up must not matter
	x, err := Encode(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := Encode(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(x), string(y)); diff != "" {
		t.Error(diff)
	}
	if !strings.HasSuffix(string(x), "}\n") || strings.Contains(string(x), `\u003c`) {
		t.Errorf("want a newline at the end and readable characters, got\n%s", x)
	}
	if diff := cmp.Diff([]string{"reference/A", "secret/B"}, a.Used); diff != "" {
		t.Errorf("used: %s", diff)
	}
	if len(a.Notes) != 2 {
		t.Errorf("got %d notes, want each once", len(a.Notes))
	}
	if z, a := strings.Index(string(x), `"z"`), strings.Index(string(x), `"a"`); z > a && a > 0 {
		t.Error("the values of an enum do not keep the order of the spec")
	}
}

func TestDecode(t *testing.T) {
	t.Run("the text of Encode", testDecodeEncoded)
	t.Run("the text of another generator is refused", testDecodeForeign)
}

func testDecodeEncoded(t *testing.T) {
	v := redis()
	text, err := Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, got); diff != "" {
		t.Error(diff)
	}
}

func testDecodeForeign(t *testing.T) {
	for text, reason := range map[string]string{
		`{"provider":"p","apiVersion":"v","new":1}`: "a field of a newer generator",
		`{"provider":1}`:  "another type",
		`{}{}`:            "two values",
		`{"provider":"p"`: "truncated",
	} {
		if v, err := Decode(text); err == nil {
			t.Errorf("%s: %s: got %v, want an error", reason, text, v)
		}
	}
}

func TestReachable(t *testing.T) {
	v := redis()
	v.Sort()
	var names []string
	for _, typ := range v.Reachable("Redis_Spec", "Missing") {
		names = append(names, typ.Name)
	}
	if diff := cmp.Diff([]string{"Redis_Spec", "Sku"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestTypeRef(t *testing.T) {
	a := TypeRef{Map: &TypeRef{Items: &TypeRef{Named: "Sku"}}}
	b := a.Clone()
	if !a.Equal(b) {
		t.Error("a clone differs")
	}
	b.Leaf().Named = "Other"
	if a.Equal(b) || a.Leaf().Named != "Sku" {
		t.Error("a clone shares memory with the original")
	}
	if a.Equal(TypeRef{Items: &TypeRef{Items: &TypeRef{Named: "Sku"}}}) {
		t.Error("a map equals an array")
	}
	if got := b.String(); got != "map[string][]Other" {
		t.Errorf("got %q", got)
	}
}
