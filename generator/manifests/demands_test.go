package manifests

import (
	"strings"
	"testing"
)

func TestMissing(t *testing.T) {
	step := func(name string) Step { return Step{Property: name} }
	versions := []string{"v2", "v1"}
	got := strings.Join(missing([]Demand{
		{Kind: "A", Versions: versions, Property: "size"},
		{Kind: "A", Versions: versions, Steps: []Step{step("sku")}, Property: "name"},
		{Kind: "A", Versions: versions, Steps: []Step{step("rules"), {List: true}, step("in"), {Map: true}}, Property: "to"},
		{Kind: "A", Versions: versions, Steps: []Step{step("drive")}, Variants: []string{"steam", "wind"}},
		{Kind: "A", Versions: []string{"v2"}, Property: "mode"},
	}), "\n")
	want := `request.kind.kind == 'A' && request.kind.version in ['v2', 'v1'] ? [
      object.spec[?'size'].hasValue() ? '' : 'spec.size',
      object.spec[?'sku'].optMap(v, v[?'name'].hasValue()).orValue(true) ? '' : 'spec.sku.name',
      dyn(object.spec[?'rules'].orValue([])).all(a, dyn(a[?'in'].orValue({})).all(b, a[?'in'][?b].optMap(v, v[?'to'].hasValue()).orValue(true))) ? '' : 'spec.rules[].in.*.to',
      object.spec[?'drive'].optMap(v, ['steam', 'wind'].exists(w, v[?w].hasValue())).orValue(true) ? '' : 'one of steam, wind in spec.drive'
      ].filter(u, u != '') : []
request.kind.kind == 'A' && request.kind.version in ['v2'] ? [
      object.spec[?'mode'].hasValue() ? '' : 'spec.mode'
      ].filter(u, u != '') : []`
	if got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
}
