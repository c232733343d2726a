package crd

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
)

// relaxable returns a version whose Spec has an optional part and lists of parts. A type has
// its properties as texts such as "name" or "name integer", with "!" after one that is
// required, and "|" before one that is a variant.
func relaxable(version string, types map[string][]string) *ir.Version {
	v := &ir.Version{APIVersion: version, Resources: []*ir.Resource{{Type: "T", Spec: "Spec", Status: "Status"}}}
	for name, properties := range types {
		t := &ir.Type{Name: name, Kind: ir.Object}
		for _, text := range properties {
			p := &ir.Property{Type: ir.TypeRef{Primitive: ir.String}}
			name, typ, _ := strings.Cut(text, " ")
			switch {
			case typ == "integer":
				p.Type = ir.TypeRef{Primitive: ir.Integer}
			case strings.HasPrefix(typ, "[]"):
				p.Type = ir.TypeRef{Items: &ir.TypeRef{Named: typ[2:]}}
			case typ != "":
				p.Type = ir.TypeRef{Named: typ}
			}
			name, p.Required = strings.CutSuffix(name, "!")
			if variant, is := strings.CutPrefix(name, "|"); is {
				name, p.Variant, t.Discriminator = variant, variant, "kind"
			}
			p.Name = name
			t.Properties = append(t.Properties, p)
		}
		v.Types = append(v.Types, t)
	}
	v.Types = append(v.Types, &ir.Type{Name: "Status", Kind: ir.Object, Status: true},
		&ir.Type{Name: "Color", Kind: ir.Enum, Base: ir.String})
	v.Sort()
	return v
}

func TestRelax(t *testing.T) {
	type types = map[string][]string
	pairs := func(pairs ...plan.NamedPair) []*plan.Package {
		return []*plan.Package{{Neighbours: []plan.Neighbour{{Pairs: pairs}}}}
	}
	for name, test := range map[string]struct {
		version, other types
		packages       []*plan.Package
		want           []string
	}{
		"what all versions require stays required": {
			types{"Spec": {"a!"}}, types{"Spec": {"a!"}}, nil, nil},
		"what another version has as an optional property": {
			types{"Spec": {"a!"}}, types{"Spec": {"a"}}, nil, []string{"Spec.a"}},
		"what another version lacks": {
			types{"Spec": {"a!", "b!"}}, types{"Spec": {"b!"}}, nil, []string{"Spec.a"}},
		"what another version has with another type": {
			types{"Spec": {"a!"}}, types{"Spec": {"a! integer"}}, nil, []string{"Spec.a"}},
		"an enum is a string": {
			types{"Spec": {"a! Color"}}, types{"Spec": {"a!"}}, nil, nil},
		"a list of another type": {
			types{"Spec": {"a! []Part"}, "Part": {}}, types{"Spec": {"a! Part"}, "Part": {}}, nil, []string{"Spec.a"}},
		"what an object that no other version has requires stays": {
			types{"Spec": {"part Part"}, "Part": {"a!"}}, types{"Spec": {}}, nil, nil},
		"a property of a nested object": {
			types{"Spec": {"part Part"}, "Part": {"a!"}}, types{"Spec": {"parts []Part"}, "Part": {"a"}}, nil, []string{"Part.a"}},
		"a property of an object whose type has another name": {
			types{"Spec": {"part Part"}, "Part": {"a!"}}, types{"Spec": {"part Piece"}, "Piece": {"a"}},
			pairs(plan.NamedPair{Here: "Piece", There: "Chunk"}, plan.NamedPair{Here: "Chunk", There: "Part"}), []string{"Part.a"}},
		"a property of an object of another former version": {
			types{"Spec": {"part Part"}, "Part": {"a!"}}, types{"Spec": {"part Piece"}, "Piece": {"a"}},
			[]*plan.Package{{Neighbours: []plan.Neighbour{{Formers: []plan.NamedFormer{
				{APIVersion: "2020-01-01", Pairs: []plan.NamedPair{{Here: "v20200101Piece", There: "Part"}}}}}}}}, []string{"Part.a"}},
		"a property that has another name somewhere": {
			types{"Spec": {"a!"}}, types{"Spec": {"a!"}},
			pairs(plan.NamedPair{Here: "Spec", There: "Spec", To: []plan.NamedStep{{Src: "a", Dst: "b"}}}), []string{"Spec.a"}},
		"a property that a bag may have by another name": {
			types{"Spec": {"a!"}}, types{"Spec": {"a!"}},
			pairs(plan.NamedPair{Here: "Spec", There: "Spec", To: []plan.NamedStep{{Dst: "a", Versions: []string{"b@2020-01-01"}}}}),
			[]string{"Spec.a"}},
		"a property of an object that a move makes": {
			types{"Spec": {"part Part", "c!"}, "Part": {"a!", "b!"}}, types{"Spec": {"a!", "c!"}},
			[]*plan.Package{{APIVersion: "2020-01-01", Neighbours: []plan.Neighbour{{APIVersion: "2021-01-01", Pairs: []plan.NamedPair{
				{Here: "Spec", There: "Spec", To: []plan.NamedStep{{Src: "a", DstIn: []string{"part"}}}}}}}}},
			[]string{"Part.a", "Part.b"}},
		"a property in another spelling": {
			types{"Spec": {"zipCode!"}}, types{"Spec": {"zipcode!"}},
			pairs(plan.NamedPair{Here: "Spec", There: "Spec", To: []plan.NamedStep{{Src: "zipCode", Dst: "zipcode"}}}), nil},
		"a union with the same variants": {
			types{"Spec": {"|a", "|b"}}, types{"Spec": {"|a", "|b"}}, nil, nil},
		"a union that has more variants than another version": {
			types{"Spec": {"|a", "|b"}}, types{"Spec": {"|a"}}, nil, nil},
		"a union that lacks a variant of another version": {
			types{"Spec": {"|a"}}, types{"Spec": {"|a", "|b"}}, nil, []string{"Spec."}},
		"a union with another type of a variant": {
			types{"Spec": {"|a"}}, types{"Spec": {"|a integer"}}, nil, []string{"Spec."}},
		"what is no union at another version": {
			types{"Spec": {"|a"}}, types{"Spec": {"a"}}, nil, []string{"Spec."}},
	} {
		t.Run(name, func(t *testing.T) {
			versions := []*ir.Version{relaxable("2021-01-01", test.version), relaxable("2020-01-01", test.other)}
			relaxed, demands := relax(versions, test.packages)
			var got []string
			for d := range demands["2021-01-01"] {
				got = append(got, fmt.Sprint(d.typ, ".", d.property))
			}
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, typ := range relaxed[0].Types {
				for _, p := range typ.Properties {
					was := versions[0].Type(typ.Name).Property(p.Name).Required
					if want := was && !slices.Contains(test.want, typ.Name+"."+p.Name); p.Required != want {
						t.Errorf("the schema requires %s: %v, want %v", p.Name, p.Required, want)
					}
				}
				if typ.VariantOptional != slices.Contains(test.want, typ.Name+".") {
					t.Errorf("a %s may have no variant: %v", typ.Name, typ.VariantOptional)
				}
			}
		})
	}
}

func TestRelaxKinds(t *testing.T) {
	older := relaxable("2020-01-01", map[string][]string{"Spec": {"a"}})
	newer := relaxable("2021-01-01", map[string][]string{"Spec": {"a!"}})
	older.Resources[0].Kind, newer.Resources[0].Kind = "Old", "New"
	if _, demands := relax([]*ir.Version{older, newer}, nil); len(demands["2021-01-01"]) > 0 {
		t.Errorf("what a type of another kind lacks counts: %v", demands)
	}
}

func TestDemandsOf(t *testing.T) {
	type types = map[string][]string
	shapes := map[string]types{
		"2020-01-01": {"Spec": {"parts []Part"}, "Part": {"a", "b", "|c"}},
		"2021-01-01": {"Spec": {"parts []Part"}, "Part": {"a!", "b", "|d"}},
		"2022-01-01": {"Spec": {"parts []Part"}, "Part": {"a!", "b", "|d"}},
	}
	var versions []*ir.Version
	var packages []*plan.Package
	for _, api := range slices.Sorted(maps.Keys(shapes)) {
		versions = append(versions, relaxable(api, shapes[api]))
		packages = append(packages, &plan.Package{Name: "v" + api[:4], APIVersion: api, Role: plan.API,
			Resources: []plan.Resource{{Kind: "K", ARMType: "T"}}})
	}
	kinds, err := listed(versions, packages, &lock.Lock{}, Meta{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, d := range demandsOf(kinds) {
		got[d.Expected()] = d.Kind + " " + strings.Join(d.Versions, " ")
	}
	want := map[string]string{
		"spec.parts[].a":           "K v2022 v2021",
		"one of d in spec.parts[]": "K v2022 v2021",
		"one of c in spec.parts[]": "K v2020",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
