package crd

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/google/go-cmp/cmp"
)

// graph returns a version with a resource whose Spec is the type A and whose Status is
// the type S. Edges are written "A.property>B".
func graph(edges ...string) *ir.Version {
	types := map[string]*ir.Type{}
	get := func(name string) *ir.Type {
		if types[name] == nil {
			types[name] = &ir.Type{Name: name, Kind: ir.Object}
		}
		return types[name]
	}
	get("A")
	get("S")
	for _, e := range edges {
		from, to, _ := strings.Cut(e, ">")
		from, property, _ := strings.Cut(from, ".")
		get(to)
		t := get(from)
		t.Properties = append(t.Properties, &ir.Property{Name: property, Type: ir.TypeRef{Named: to}})
	}
	v := &ir.Version{Resources: []*ir.Resource{{Spec: "A", Status: "S"}}}
	for _, t := range types {
		v.Types = append(v.Types, t)
	}
	v.Sort()
	return v
}

func TestStops(t *testing.T) {
	for _, test := range []struct {
		edges  []string
		cut    []string
		reason string
	}{
		{[]string{"A.a>B", "A.b>B", "B.a>C"}, nil, "two ways to one type are no cycle"},
		{[]string{"A.a>A", "A.b>B"}, []string{"A.a"}, "a type in itself"},
		{[]string{"A.a>B", "B.a>C", "C.a>B"}, []string{"C.a"}, "the type nearest to the resource is whole"},
		{[]string{"A.a>B", "B.a>C", "B.b>C", "C.a>B"}, []string{"C.a"}, "one property that closes two cycles"},
		{[]string{"A.a>B", "B.a>C", "C.a>B", "C.b>B"}, []string{"B.a"}, "a walk meets two ways back, and one property leads to both"},
		{[]string{"A.a>B", "A.b>C", "B.a>B", "C.a>C"}, []string{"B.a", "C.a"}, "two cycles apart"},
	} {
		var got []string
		for e := range Stops(graph(test.edges...)) {
			got = append(got, e.Type+"."+e.Property)
		}
		slices.Sort(got)
		if diff := cmp.Diff(test.cut, got); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", test.reason, test.edges, diff)
		}
	}
}

func TestStopsOfAStatus(t *testing.T) {
	for _, test := range []struct {
		edges  []string
		want   string
		reason string
	}{
		{[]string{"S.p>P", "S.q>Q"}, "", "a Status shows the objects in it"},
		{[]string{"S.p>P", "P.q>Q", "Q.r>R"}, "P.q", "and none of the objects in these"},
		{[]string{"S.q>Q", "S.p>P", "P.q>Q", "Q.r>R"}, "P.q Q.r", "an object is shown in the Status alone"},
		{[]string{"S.p>P", "S.q>Q", "P.r>R", "A.p>B", "A.r>B"}, "S.p", "a Status shows no objects that the Spec has"},
		{[]string{"S.s>S", "S.p>P", "P.s>S"}, "P.s S.s", "a Status that contains itself"},
		{[]string{"S.p>P", "P.q>Q", "Q.r>R", "R.q>Q"}, "P.q", "nothing stops where nothing is shown"},
	} {
		var got []string
		for e := range Stops(graph(test.edges...)) {
			got = append(got, e.Type+"."+e.Property)
		}
		slices.Sort(got)
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: %v: got %s, want %s", test.reason, test.edges, got, test.want)
		}
	}
}

func TestStopsAtResources(t *testing.T) {
	for _, test := range []struct {
		reason string
		has    map[string]ir.Primitive // what Address has beside its properties
		want   string
	}{
		{"a resource has an id and a location", map[string]ir.Primitive{"id": ir.Reference, "location": ir.String}, "Address.properties"},
		{"what lies in another resource has no location", map[string]ir.Primitive{"id": ir.Reference}, ""},
		{"a location alone is no resource", map[string]ir.Primitive{"location": ir.String}, ""},
		{"an id that is text refers to nothing", map[string]ir.Primitive{"id": ir.String, "location": ir.String}, ""},
	} {
		v := graph("A.address>Address", "Address.properties>Properties", "Properties.gateway>Gateway", "Address.sku>SKU")
		address := v.Type("Address")
		for _, name := range slices.Sorted(maps.Keys(test.has)) {
			address.Properties = append(address.Properties, &ir.Property{Name: name, Type: ir.TypeRef{Primitive: test.has[name]}})
		}
		var got []string
		for e := range Stops(v) {
			got = append(got, e.Type+"."+e.Property)
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, got, test.want)
		}
	}
	v := graph("A.address>Address")
	v.Type("Address").Properties = []*ir.Property{
		{Name: "reference", ARM: "id", Type: ir.TypeRef{Primitive: ir.Reference}},
		{Name: "location", Type: ir.TypeRef{Primitive: ir.String}},
		{Name: "properties", Type: ir.TypeRef{Primitive: ir.Any}},
	}
	if got := Stops(v); len(got) > 0 {
		t.Errorf("properties without a type: got %v", got)
	}
}

func TestStopsCutEveryCycle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		seen := map[string]bool{}
		for i := range 2 + random.IntN(16) {
			seen[fmt.Sprintf("%c.p%02d>%c", 'A'+random.IntN(6), i, 'A'+random.IntN(6))] = true
		}
		edges := append(slices.Sorted(maps.Keys(seen)), "A.start>B")
		v := graph(edges...)
		cut := Stops(v)
		var all, without []ir.Edge
		for _, t := range v.Reachable("A") {
			for _, p := range t.Properties {
				e := ir.Edge{From: t.Name, Property: p.Name, To: p.Type.Named}
				all = append(all, e)
				if cut[Stop{t.Name, p.Name}] {
					without = append(without, e)
				}
			}
		}
		if !acyclic(all, without) {
			t.Fatalf("%v: a cycle is left without %v", edges, without)
		}
		for i := range without {
			if acyclic(all, slices.Delete(slices.Clone(without), i, i+1)) {
				t.Fatalf("%v: %v need not be cut", edges, without[i])
			}
		}
	}
}

// TestFewest compares sets of properties with those that a search through all sets
// finds, the smallest first and of one size in the order of preference.
func TestFewest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		seen := map[string]bool{}
		for i := range 2 + random.IntN(14) {
			seen[fmt.Sprintf("%c.p%02d>%c", 'A'+random.IntN(5), i, 'A'+random.IntN(5))] = true
		}
		edges := append(slices.Sorted(maps.Keys(seen)), "A.start>B")
		for _, c := range graph(edges...).Cycles(func(ir.Edge) bool { return false }) {
			if diff := cmp.Diff(fewestOfAll(c), fewest(c)); diff != "" {
				t.Fatalf("%v (-want +got):\n%s", edges, diff)
			}
		}
	}
}

// fewestOfAll tries all sets of a part's edges.
func fewestOfAll(c *ir.Cycle) []ir.Edge {
	order := slices.Clone(c.Back)
	for _, e := range c.Edges {
		if !slices.Contains(order, e) {
			order = append(order, e)
		}
	}
	var choose func(chosen []ir.Edge, from, size int) []ir.Edge
	choose = func(chosen []ir.Edge, from, size int) []ir.Edge {
		if size == 0 && acyclic(c.Edges, chosen) {
			return chosen
		}
		for i := from; i+size <= len(order) && size > 0; i++ {
			if found := choose(append(slices.Clip(chosen), order[i]), i+1, size-1); found != nil {
				return found
			}
		}
		return nil
	}
	for size := 1; size < len(c.Back); size++ {
		if found := choose(nil, 0, size); found != nil {
			return found
		}
	}
	return c.Back
}

// acyclic reports whether the part has no cycle without some of its edges.
func acyclic(edges, without []ir.Edge) bool {
	next := map[string][]string{}
	for _, e := range edges {
		if !slices.Contains(without, e) {
			next[e.From] = append(next[e.From], e.To)
		}
	}
	const active, done = 1, 2
	state := map[string]int{}
	var loops func(name string) bool
	loops = func(name string) bool {
		if state[name] != 0 {
			return state[name] == active
		}
		state[name] = active
		if slices.ContainsFunc(next[name], loops) {
			return true
		}
		state[name] = done
		return false
	}
	for from := range next {
		if loops(from) {
			return false
		}
	}
	return true
}

// More ways lead back to a type above than all sets of their properties can be
// tried, and few properties lead to all of them.
func TestFewestOfMany(t *testing.T) {
	var edges, want []string
	const types = 8
	for i := range types {
		// Three ways back from Y to X, and one way from X to Y.
		x, y, next := string(rune('A'+i)), string(rune('a'+i)), string(rune('A'+(i+1)%types))
		edges = append(edges, x+".y>"+y, y+".first>"+x, y+".second>"+x, y+".third>"+x, x+".z>"+next)
		want = append(want, x+".y")
	}
	want = append(want, string(rune('A'+types-1))+".z")
	var got []string
	for e := range Stops(graph(edges...)) {
		got = append(got, e.Type+"."+e.Property)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
