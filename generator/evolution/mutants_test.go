package evolution_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/plan"
)

// TestNothingIsLost changes plans so that conversions lose something, each in a way that a
// planner could be wrong. New must refuse every one of them.
func TestNothingIsLost(t *testing.T) {
	kept := map[string]string{
		"2020-01-01": "Person_Spec: age integer, home Home, name string\nHome: city string, street string",
		"2021-01-01": "Person_Spec: age integer, home Home, name string\nHome: city string, street string",
		"2022-01-01": "Person_Spec: age integer, name string",
		"2023-01-01": "Person_Spec: age integer, home Home, name string\nHome: city string, street string",
	}
	const back = exports + "changes:\n  - {property: Person.home, since: \"2022-01-01\", removed: \"back later\"}\n"
	moves := map[string]string{
		"2020-01-01": "Person_Spec: home Home\nHome: lat string, sky Sky, zip string\nSky: colour string",
		"2021-01-01": "Person_Spec: home Home\nHome: at At, colour string, zip string\nAt: alt string, lat string",
	}
	const moved = exports + `changes:
  - {property: Home.lat, since: "2021-01-01", moved: Home.at.lat}
  - {property: Home.sky.colour, since: "2021-01-01", moved: Home.colour}
`
	for _, mutant := range []struct {
		name, yaml string
		specs      map[string]string
		mutate     func(p map[string]*plan.Package)
		want       string // in the error
	}{
		{"a property that a conversion just assigns is left out", back, kept, func(p map[string]*plan.Package) {
			drop(&pair(p["v20200101storage"], "Person_Spec").To, "name")
		}, "Person from v20200101 to v20210101 loses spec.name, by way of v20200101storage, v20210101storage"},
		{"and on the way back", back, kept, func(p map[string]*plan.Package) {
			drop(&pair(p["v20200101storage"], "Person_Spec").From, "name")
		}, "Person from v20210101 to v20200101 loses spec.name"},
		{"and between an API version and its storage version", back, kept, func(p map[string]*plan.Package) {
			drop(&pair(p["v20230101"], "Person_Spec").To, "name")
		}, "Person from v20230101 to v20200101 loses spec.name"},
		{"a property of an object within is left out", back, kept, func(p map[string]*plan.Package) {
			drop(&pair(p["v20200101storage"], "Home").To, "city")
		}, "Person from v20200101 to v20210101 loses spec.home.city"},
		{"all properties of an object are left out", back, kept, func(p map[string]*plan.Package) {
			pair(p["v20200101storage"], "Home").To = nil
		}, "loses spec.home.city, spec.home.street"},
		{"a conversion takes one property twice, and another never", back, kept, func(p map[string]*plan.Package) {
			s := step(pair(p["v20200101storage"], "Home").To, "city")
			s.Src, s.Dst = "street", "city"
		}, "Person from v20200101 to v20210101 loses spec.home.city"},
		{"a conversion sets a property twice", back, kept, func(p map[string]*plan.Package) {
			step(pair(p["v20200101storage"], "Home").To, "city").Dst = "street"
		}, "the plan of v20200101storage sets street of Home and Home, in a conversion with v20210101storage, twice"},
		{"a value that goes into the bag is left out", back, map[string]string{
			"2020-01-01": "Person_Spec: home string, name string",
			"2022-01-01": "Person_Spec: name string",
		}, func(p map[string]*plan.Package) {
			drop(&pair(p["v20200101storage"], "Person_Spec").To, "home")
		}, "Person from v20200101 to v20220101 loses spec.home"},
		{"a former shape lacks a property", back, map[string]string{
			"2020-01-01": "Person_Spec: home Home, name string\nHome: city string, street string",
			"2022-01-01": "Person_Spec: name string",
			"2023-01-01": "Person_Spec: home Home, name string\nHome: city string, zip string",
		}, func(p map[string]*plan.Package) {
			for _, pkg := range p {
				for _, n := range pkg.Neighbours {
					for _, f := range n.Formers {
						for i := range f.Pairs {
							drop(&f.Pairs[i].To, "city")
						}
					}
				}
			}
		}, "loses spec.home.city"},
		{"a property that moves is left out", moved, moves, func(p map[string]*plan.Package) {
			drop(&pair(p["v20200101storage"], "Home").To, "lat")
		}, "Person from v20200101 to v20210101 loses spec.home.lat"},
		{"a property that moves out of an object is left out on the way back", moved, moves, func(p map[string]*plan.Package) {
			drop(&pair(p["v20200101storage"], "Home").From, "colour")
		}, "Person from v20210101 to v20200101 loses spec.home.colour"},
		{"a neighbour has a property less than the plan says", back, kept, func(p map[string]*plan.Package) {
			for _, typ := range p["v20200101storage"].Neighbours[0].Types {
				more := *typ.Properties[0]
				more.Name = "more"
				typ.Properties = append(slices.Clone(typ.Properties), &more)
			}
		}, "the plan of v20200101storage has the type Home of v20210101storage with other properties than v20210101storage itself"},
	} {
		t.Run(mutant.name, func(t *testing.T) {
			in := input(t, mutant.yaml, mutant.specs)
			if _, err := evolution.New(in); err != nil {
				t.Fatalf("the plan loses something before it is changed: %v", err)
			}
			packages := map[string]*plan.Package{}
			for _, p := range in.Packages {
				packages[p.Name] = p
			}
			mutant.mutate(packages)
			if _, err := evolution.New(in); err == nil || !strings.Contains(err.Error(), mutant.want) {
				t.Errorf("got the error %v, want one with %q", err, mutant.want)
			}
		})
	}
}

// pair returns the steps of a type and the type of the first neighbour.
func pair(p *plan.Package, here string) *plan.NamedPair {
	pairs := p.Neighbours[0].Pairs
	return &pairs[slices.IndexFunc(pairs, func(p plan.NamedPair) bool { return p.Here == here })]
}

// step returns the step that takes a property.
func step(steps []plan.NamedStep, src string) *plan.NamedStep {
	return &steps[slices.IndexFunc(steps, func(s plan.NamedStep) bool { return s.Src == src })]
}

// drop removes the steps that take a property.
func drop(steps *[]plan.NamedStep, src string) {
	*steps = slices.DeleteFunc(*steps, func(s plan.NamedStep) bool { return s.Src == src })
}
