package manifests

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestLimits(t *testing.T) {
	n := func(n int64) *int64 { return &n }
	for _, test := range []struct {
		name   string
		limits NameLimits
		want   string
	}{
		{"lengths and a pattern", NameLimits{Of: []string{"A/v1", "A/v2"}, Least: n(3), Most: n(24), Pattern: "^[a-z]+$", Expected: "x"},
			`[{'of': ["A/v1", "A/v2"], 'length': ["^(?s:.{3,24})$"], 'pattern': ["^[a-z]+$"], 'expected': ["x"], 'marks': []}]`},
		{"a least length", NameLimits{Of: []string{"A/v1"}, Least: n(3), Expected: "x"},
			`[{'of': ["A/v1"], 'length': ["^(?s:.{3,})$"], 'pattern': [], 'expected': ["x"], 'marks': []}]`},
		{"a length that RE2 cannot count to", NameLimits{Of: []string{"A/v1"}, Most: n(1001), Expected: "x"},
			`[{'of': ["A/v1"], 'length': [], 'pattern': [], 'expected': ["x"], 'marks': []}]`},
		{"a pattern with what CEL has to escape", NameLimits{Of: []string{"A/v1"}, Pattern: "^[\"'\\w\n\u00e9]$", Expected: "x"},
			`[{'of': ["A/v1"], 'length': [], 'pattern': ["^[\"'\\w\n\u00e9]$"], 'expected': ["x"], 'marks': []}]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := limits([]NameLimits{test.limits}); got != test.want {
				t.Errorf("found\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestUnknownValues(t *testing.T) {
	step := func(name string) Step { return Step{Property: name} }
	enums := []OpenEnum{
		{"A", []string{"v2", "v1"}, []Step{step("sku"), step("name")}, []string{"Basic", ""}},
		{"A", []string{"v2"}, []Step{step("rules"), {List: true}, step("in"), {Map: true}}, []string{"Basic", ""}},
		{"A", []string{"v2", "v1"}, []Step{step("mode")}, []string{strings.Repeat("m", mostShown+1)}},
	}
	t.Run("each list is there once", func(t *testing.T) {
		want := []string{`["Basic", ""]`, `["` + strings.Repeat("m", mostShown+1) + `"]`}
		if got := knownValues(enums); !slices.Equal(got, want) {
			t.Errorf("found %q, want %q", got, want)
		}
	})
	t.Run("the enums of the same versions share a condition", func(t *testing.T) {
		want := `request.kind.kind == 'A' && request.kind.version in ['v2', 'v1'] ? [
      object.spec[?'sku'][?'name'].optMap(v, v in variables.known[0]).orValue(true) ? '' : 'spec.sku.name is none of ' + variables.known[0].join(', '),
      object.spec[?'mode'].optMap(v, v in variables.known[1]).orValue(true) ? '' : 'spec.mode is none of ' + variables.known[1].join(', ').substring(0, 400) + '…'
      ].filter(u, u != '') : []
request.kind.kind == 'A' && request.kind.version in ['v2'] ? [
      dyn(object.spec[?'rules'].orValue([])).all(a, dyn(a[?'in'].orValue({})).all(b, a[?'in'][?b].optMap(v, v in variables.known[0]).orValue(true))) ? '' : 'spec.rules[].in.* is none of ' + variables.known[0].join(', ')
      ].filter(u, u != '') : []`
		if got := strings.Join(unknownValues(enums), "\n"); got != want {
			t.Errorf("found\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("the name in Azure is known in any case, and without azureName it is that of the object", func(t *testing.T) {
		want := `request.kind.kind == 'A' && request.kind.version in ['v1'] ? [
      variables.known[0].exists(k, k.lowerAscii() == (object.spec[?'azureName'].orValue('') == '' ? ` +
			`object.metadata.name : object.spec.azureName).lowerAscii()) ? '' : 'spec.azureName is none of ' + variables.known[0].join(', ')
      ].filter(u, u != '') : []`
		if got := strings.Join(unknownValues([]OpenEnum{{"A", []string{"v1"}, nil, []string{"read", "write"}}}), "\n"); got != want {
			t.Errorf("found\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("no expression is so long that an API server compiles it slowly", func(t *testing.T) {
		var many []OpenEnum
		for i := range 1000 {
			steps := []Step{step(strings.Repeat("p", i%90+1))}
			many = append(many, OpenEnum{"A" + strings.Repeat("a", i%50), []string{"v1"}, steps, []string{"x"}})
		}
		got := unknownValues(many)
		if slices.ContainsFunc(got, func(e string) bool { return len(e) > 3*longEnough }) {
			t.Errorf("found a longer expression among %d", len(got))
		}
		if n := strings.Count(strings.Join(got, ""), "is none of"); n != len(many) {
			t.Errorf("found %d checks, want %d", n, len(many))
		}
	})
}

// TestInside tries what policies say of values in lists and maps.
func TestInside(t *testing.T) {
	inside := []Step{{Property: "rules"}, {List: true}, {Property: "in"}, {Map: true}}
	text := Policies{Group: "g",
		Enums:   []OpenEnum{{"A", []string{"v1"}, append(slices.Clone(inside), Step{Property: "mode"}), []string{"slow", "fast"}}},
		Demands: []Demand{{Kind: "A", Versions: []string{"v1"}, Steps: inside, Property: "mode"}},
	}.Text()
	known, required := policyOf(t, text, "known-values."), policyOf(t, text, "required.")
	const unknown = "spec.rules[].in.*.mode is none of slow, fast: these are what v1 lists, and ARM may refuse others"
	const lacks = "v1 requires spec.rules[].in.*.mode"
	for _, row := range []struct{ behavior, spec, known, required string }{
		{"nothing", "{}", "", ""},
		{"no map", "{rules: [{}]}", "", ""},
		{"an empty map", "{rules: [{in: {}}]}", "", ""},
		{"known values", "{rules: [{in: {a: {mode: slow}, b: {mode: fast}}}, {in: {a: {mode: slow}}}]}", "", ""},
		{"one that is not known", "{rules: [{in: {a: {mode: slow}}}, {in: {a: {mode: slow}, b: {mode: full}}}]}", unknown, ""},
		{"one that lacks it", "{rules: [{in: {a: {mode: slow}, b: {other: z}}}]}", "", lacks},
	} {
		t.Run(row.behavior, func(t *testing.T) {
			var spec map[string]any
			if err := yaml.Unmarshal([]byte(row.spec), &spec); err != nil {
				t.Fatal(err)
			}
			object := map[string]any{"metadata": map[string]any{"name": "a"}, "spec": spec}
			if got := newEvaluator(t, object, nil, "A", "v1").verdict(known); got != row.known {
				t.Errorf("known-values: got %q, want %q", got, row.known)
			}
			if got := newEvaluator(t, object, nil, "A", "v1").verdict(required); got != row.required {
				t.Errorf("required: got %q, want %q", got, row.required)
			}
		})
	}
}

func TestNames(t *testing.T) {
	most := int64(8)
	policy := policyOf(t, Policies{Group: "g", Names: []NameLimits{
		{Of: []string{"Disk/v1"}, Most: &most, Pattern: "^[a-z]+$", Expected: "8 letters"},
		{Of: []string{"Grant/v1"}, Pattern: "^[0-9a-f-]{36}$", Expected: "a GUID", GUID: true},
	}}.Text(), "names.")
	const guid = "6bb3b3a5-1d3f-4a5e-9b6e-0123456789ab"
	for _, row := range []struct{ behavior, kind, name, azureName, want string }{
		{"the name of the object fits", "Disk", "disk", "", ""},
		{"it does not", "Disk", "my-disk", "",
			"spec.azureName: the name in Azure is my-disk, expected 8 letters; without azureName it is metadata.name"},
		{"an empty azureName is none", "Disk", "disk", "", ""},
		{"another name in Azure", "Disk", "my-disk", "disk", ""},
		{"a GUID is made of any name", "Grant", "reader", "", ""},
		{"a GUID that is given", "Grant", "reader", guid, ""},
		{"what is none", "Grant", "reader", "role",
			"spec.azureName: the name in Azure is role, expected a GUID; without azureName it is made of the owner and metadata.name"},
	} {
		t.Run(row.behavior, func(t *testing.T) {
			object := map[string]any{"metadata": map[string]any{"name": row.name}, "spec": map[string]any{"azureName": row.azureName}}
			if got := newEvaluator(t, object, nil, row.kind, "v1").verdict(policy); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
