package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/google/go-cmp/cmp"
)

// pairOf returns the steps for the type T between two versions.
func pairOf(t *testing.T, pkg *Package, here, there string) *plan.Pair {
	t.Helper()
	if pkg.Package == nil {
		pkg.Package = new(plan.Package)
	}
	pkg.Name, pkg.Role = "here", plan.Storage
	m := New(pkg, "there",
		ByName(plan.StorageShape(plantest.Version(t, "2020-01-01", here)).Types),
		ByName(plan.StorageShape(plantest.Version(t, "2021-01-01", there)).Types))
	return m.pair("T", "T")
}

func TestPair(t *testing.T) {
	for _, test := range []struct {
		behaviour   string
		pkg         Package
		here, there string
		to, from    string
	}{
		{
			behaviour: "rule 2: scalars of one type are assigned",
			here:      "T: a string, b integer, c number, d boolean",
			there:     "T: a string, b integer, c number, d boolean",
			to:        "assign a→a, assign b→b, assign c→c, assign d→d",
			from:      "assign a→a, assign b→b, assign c→c, assign d→d",
		}, {
			behaviour: "values that are neither scalars nor generated objects are copied deep",
			here:      "T: a any, b secret, c reference, d owner, e conditions, f anyOwner",
			there:     "T: a any, b secret, c reference, d owner, e conditions, f anyOwner",
			to:        "copy a→a, copy b→b, copy c→c, copy d→d, copy e→e, copy f→f",
			from:      "copy a→a, copy b→b, copy c→c, copy d→d, copy e→e, copy f→f",
		}, {
			behaviour: "properties whose names differ in case only are one property",
			here:      "T: dynamicVNetAssignmentScope string, username string",
			there:     "T: dynamicVnetAssignmentScope string, userName string",
			to:        "assign dynamicVNetAssignmentScope→dynamicVnetAssignmentScope, assign username→userName",
			from:      "assign dynamicVnetAssignmentScope→dynamicVNetAssignmentScope, assign userName→username",
		}, {
			behaviour: "rule 6: a property that the other side lacks goes into the bag and comes back",
			here:      "T: a string, b string",
			there:     "T: b string, c string",
			to:        "stash a→-, assign b→b, recall -→c",
			from:      "recall -→a, assign b→b, stash c→-",
		}, {
			behaviour: "rule 6: a property whose types do not match is recalled before it is stashed",
			here:      "T: a string",
			there:     "T: a boolean",
			to:        "recall -→a, stash a→-",
			from:      "recall -→a, stash a→-",
		}, {
			behaviour: "rule 3: in storage an enum is its base type",
			here:      "T: a E, b E\nE: enum string",
			there:     "T: a string, b boolean",
			to:        "assign a→a, recall -→b, stash b→-",
			from:      "assign a→a, recall -→b, stash b→-",
		}, {
			behaviour: "rule 4: objects of one name convert, whatever their properties",
			here:      "T: a Sku, b []Sku, c map[string]Sku, d []map[string]Sku\nSku: x string",
			there:     "T: a Sku, b []Sku, c map[string]Sku, d []map[string]Sku\nSku: y integer",
			to:        "object(Sku↔Sku) a→a, slice(object(Sku↔Sku)) b→b, map(object(Sku↔Sku)) c→c, slice(map(object(Sku↔Sku))) d→d",
			from:      "object(Sku↔Sku) a→a, slice(object(Sku↔Sku)) b→b, map(object(Sku↔Sku)) c→c, slice(map(object(Sku↔Sku))) d→d",
		}, {
			behaviour: "elements of lists and maps are assigned if they are scalars, and copied otherwise",
			here:      "T: a []string, b map[string]any, c [][]integer",
			there:     "T: a []string, b map[string]any, c [][]integer",
			to:        "slice(assign) a→a, map(copy) b→b, slice(slice(assign)) c→c",
			from:      "slice(assign) a→a, map(copy) b→b, slice(slice(assign)) c→c",
		}, {
			behaviour: "rule 4: names of objects are compared without case",
			here:      "T: a SKU, b []SKU\nSKU: x string",
			there:     "T: a Sku, b []Sku\nSku: x string",
			to:        "object(SKU↔Sku) a→a, slice(object(SKU↔Sku)) b→b",
			from:      "object(SKU↔Sku) a→a, slice(object(SKU↔Sku)) b→b",
		}, {
			behaviour: "rule 4: objects of two names do not match, nor do collections of them",
			here:      "T: a Sku, b []Sku\nSku: x string",
			there:     "T: a Tier, b []Tier\nTier: x string",
			to:        "recall -→a, stash a→-, recall -→b, stash b→-",
			from:      "recall -→a, stash a→-, recall -→b, stash b→-",
		}, {
			behaviour: "rule 5: safe changes",
			here:      "T: a integer, b number, c integer, d string, e Sku, f []Sku\nSku: x string",
			there:     "T: a number, b integer, c string, d integer, e []Sku, f Sku\nSku: x string",
			to:        "fit a→a, fit b→b, fit c→c, fit d→d, fit(object(Sku↔Sku)) e→e, fit(object(Sku↔Sku)) f→f",
			from:      "fit a→a, fit b→b, fit c→c, fit d→d, fit(object(Sku↔Sku)) e→e, fit(object(Sku↔Sku)) f→f",
		}, {
			behaviour: "rule 5: changes of elements, between lists of lists, between a scalar and a list, and all others are not safe",
			here:      "T: a []integer, b Sku, c string, d number, e boolean, f map[string]Sku\nSku: x string",
			there:     "T: a []string, b [][]Sku, c []string, d string, e string, f Sku\nSku: x string",
			to:        "recall -→a, stash a→-, recall -→b, stash b→-, recall -→c, stash c→-, recall -→d, stash d→-, recall -→e, stash e→-, recall -→f, stash f→-",
			from:      "recall -→a, stash a→-, recall -→b, stash b→-, recall -→c, stash c→-, recall -→d, stash d→-, recall -→e, stash e→-, recall -→f, stash f→-",
		}, {
			behaviour: "rule 5: untyped JSON, and an object of which nothing is demanded, also in maps and lists",
			here:      "T: a any, b map[string]any, c []any, d map[string]any\nE: \nS_Status: x string",
			there:     "T: a E, b map[string]E, c []E, d map[string]S_Status\nE: \nS_Status: x string",
			to:        "fit a→a, fit b→b, fit c→c, fit d→d",
			from:      "fit a→a, fit b→b, fit c→c, fit d→d",
		}, {
			behaviour: "rule 5: other objects are no safe change of untyped JSON: ARM's form may be another one, or something may be required",
			here:      "T: a any, b any, c any, d map[string]any, e any\nS: x string\nN_Status: x S\nE: \nU_Status: union kind, v=V E",
			there:     "T: a S, b N_Status, c U_Status, d []E, e map[string]E\nS: x string\nN_Status: x S\nE: \nU_Status: union kind, v=V E",
			to:        "recall -→a, stash a→-, recall -→b, stash b→-, recall -→c, stash c→-, recall -→d, stash d→-, recall -→e, stash e→-",
			from:      "recall -→a, stash a→-, recall -→b, stash b→-, recall -→c, stash c→-, recall -→d, stash d→-, recall -→e, stash e→-",
		}, {
			behaviour: "an object matches neither a list of another object, nor a map, nor any",
			here:      "T: a Sku, b Sku, c Sku\nSku: x string\nTier: x string",
			there:     "T: a []Tier, b map[string]string, c any\nTier: x string\nSku: x string",
			to:        "recall -→a, stash a→-, recall -→b, stash b→-, recall -→c, stash c→-",
			from:      "recall -→a, stash a→-, recall -→b, stash b→-, recall -→c, stash c→-",
		}, {
			behaviour: "rule 1: a renamed type matches its new name, which then matches no other type",
			pkg:       Package{TypeRenames: []TypeRename{{"there", "Address", "Location"}}},
			here:      "T: a Address, b Location\nAddress: x string\nLocation: x string",
			there:     "T: a Location, b Location\nLocation: x string",
			to:        "object(Address↔Location) a→a, recall -→b, stash b→-",
			from:      "object(Address↔Location) a→a, recall -→b, stash b→-",
		}, {
			behaviour: "rule 1: a type may become several, and several one",
			pkg: Package{TypeRenames: []TypeRename{{"there", "Options", "AOptions"}, {"there", "Options", "BOptions"},
				{"there", "CSku", "Sku"}, {"there", "DSku", "Sku"}}},
			here:  "T: a Options, b Options, c CSku, d []DSku, e Sku\nOptions: x string\nCSku: x string\nDSku: y string\nSku: x string",
			there: "T: a AOptions, b BOptions, c Sku, d []Sku, e Sku\nAOptions: x string\nBOptions: y string\nSku: x string",
			to: "object(Options↔AOptions) a→a, object(Options↔BOptions) b→b, object(CSku↔Sku) c→c, slice(object(DSku↔Sku)) d→d, " +
				"recall -→e, stash e→-",
			from: "object(Options↔AOptions) a→a, object(Options↔BOptions) b→b, object(CSku↔Sku) c→c, slice(object(DSku↔Sku)) d→d, " +
				"recall -→e, stash e→-",
		}, {
			behaviour: "rule 1: a renamed property matches its new name, which then matches no other property",
			pkg:       Package{PropertyRenames: []PropertyRename{{"there", "T", "alphaKey", "sortKey"}}},
			here:      "T: alphaKey string, sortKey string",
			there:     "T: sortKey string",
			to:        "assign alphaKey→sortKey, stash sortKey→-",
			from:      "assign sortKey→alphaKey, recall -→sortKey",
		}, {
			behaviour: "rule 1: a moved property matches its new place, whatever has its name there",
			pkg: Package{Moves: []Move{{"there", "T", []string{"a"}, []string{"c", "x"}}, {"there", "T", []string{"d", "y"}, []string{"e"}},
				{"elsewhere", "T", []string{"b"}, []string{"c", "z"}}}},
			here:  "T: a string, b string, d D\nD: y string",
			there: "T: c C, e E\nC: x string, z string\nE: enum string",
			to:    "stash b→-, recall -→c, stash d→- if empty, assign d.y→e, assign a→c.x",
			from:  "recall -→b, stash c→-, recall -→d, assign c.x→a, assign e→d.y",
		}, {
			behaviour: "rule 5: a value that a move leaves behind stays in its object, and is not in the bag beside",
			pkg:       Package{Moves: []Move{{"there", "T", []string{"d", "y"}, []string{"e"}}}},
			here:      "T: d D\nD: y string, z string",
			there:     "T: e integer",
			to:        "stash d→-, fit d.y→e",
			from:      "recall -→d, fit e→d.y",
		}, {
			behaviour: "a move through a list or a variant, or to a type that does not match, is none",
			pkg: Package{Moves: []Move{{"there", "T", []string{"a"}, []string{"l", "a"}}, {"there", "T", []string{"b"}, []string{"o", "b"}},
				{"there", "T", []string{"c"}, []string{"u", "v", "c"}}}},
			here:  "T: a string, b string, c string",
			there: "T: l []O, o O, u U\nO: a string, b boolean\nU: union kind, v=V UV\nUV: c string",
			to:    "stash a→-, stash b→-, stash c→-, recall -→l, recall -→o, recall -→u",
			from:  "recall -→a, recall -→b, recall -→c, stash l→-, stash o→-, stash u→-",
		}, {
			behaviour: "renames for another neighbour do not apply",
			pkg: Package{PropertyRenames: []PropertyRename{{"elsewhere", "T", "a", "b"}},
				TypeRenames: []TypeRename{{"elsewhere", "Sku", "Tier"}}},
			here:  "T: a string, s Sku\nSku: x string",
			there: "T: a string, s Sku\nSku: x string",
			to:    "assign a→a, object(Sku↔Sku) s→s",
			from:  "assign a→a, object(Sku↔Sku) s→s",
		}, {
			behaviour: "a recall names the versions whose entries it may take",
			pkg: Package{Recalls: []RecallLimit{{"there", "T", "b", []string{"2021-01-01"}, nil, false},
				{"here", "T", "a", []string{"2020-01-01"}, nil, false}}},
			here:  "T: a string",
			there: "T: b string",
			to:    "stash a→-, recall -→b[2021-01-01]",
			from:  "recall -→a[2020-01-01], stash b→-",
		}, {
			behaviour: "properties of one name with their own versions are in the bag side by side",
			pkg: Package{Recalls: []RecallLimit{{"here", "T", "a", []string{"2020-01-01"}, nil, true},
				{"there", "T", "a", []string{"2021-01-01"}, nil, true}}},
			here:  "T: a string",
			there: "T: a boolean",
			to:    "recall -→a[2021-01-01], stash a→- beside [2020-01-01]",
			from:  "recall -→a[2020-01-01], stash a→- beside [2021-01-01]",
		}, {
			behaviour: "a type may contain itself",
			here:      "T: children []T, parent T",
			there:     "T: children []T, parent T",
			to:        "slice(object(T↔T)) children→children, object(T↔T) parent→parent",
			from:      "slice(object(T↔T)) children→children, object(T↔T) parent→parent",
		}, {
			behaviour: "variants of a union are properties",
			here:      "T: union kind, circle=Circle TCircle, square=Square TSquare\nTCircle: r number\nTSquare: a number",
			there:     "T: union type, circle=Circle TCircle, oval=Oval TOval\nTCircle: r number\nTOval: a number",
			to:        "object(TCircle↔TCircle) circle→circle, recall -→oval, stash square→-",
			from:      "object(TCircle↔TCircle) circle→circle, stash oval→-, recall -→square",
		},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			pair := pairOf(t, &test.pkg, test.here, test.there)
			if diff := cmp.Diff(test.to, plantest.ShowSteps(pair.To)); diff != "" {
				t.Errorf("to: %s", diff)
			}
			if diff := cmp.Diff(test.from, plantest.ShowSteps(pair.From)); diff != "" {
				t.Errorf("from: %s", diff)
			}
		})
	}
}

// randomTypes returns storage types. Any two results have many properties and types
// in common.
func randomTypes(t *testing.T, random *rand.Rand) map[string]*ir.Type {
	refs := []string{
		"string", "boolean", "integer", "any", "T", "A", "B", "[]string", "[]A", "map[string]B",
		"[]map[string]A", "map[string]T",
	}
	var lines strings.Builder
	for _, name := range []string{"T", "A", "B"} {
		lines.WriteString(name + ": ")
		for _, property := range []string{"a", "b", "c", "d", "E", "f"} {
			if random.IntN(3) > 0 {
				if random.IntN(4) == 0 {
					property = strings.ToUpper(property)
				}
				fmt.Fprintf(&lines, "%s %s,", property, refs[random.IntN(len(refs))])
			}
		}
		lines.WriteString("\n")
	}
	return ByName(plantest.Version(t, "2020-01-01", lines.String()).Types)
}

// TestRandomPairs checks that each property of random types is read once and written
// once, and that both sides of a pair agree.
func TestRandomPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	kinds := map[plan.StepKind]int{}
	for range 2000 {
		m := New(named("here"), "there", randomTypes(t, random), randomTypes(t, random))
		m.pair("T", "T")
		for _, pair := range m.pairs {
			checkSteps(t, pair.To, pair.Here, pair.There)
			checkSteps(t, pair.From, pair.There, pair.Here)
			for _, s := range pair.To {
				kinds[s.Kind]++
			}
			reversed := New(named("there"), "here", m.there, m.here).pair(pair.There.Name, pair.Here.Name)
			if diff := cmp.Diff(plantest.ShowSteps(pair.To), plantest.ShowSteps(reversed.From)); diff != "" {
				t.Fatalf("the steps to the neighbour are not the steps that the neighbour has from here: %s", diff)
			}
		}
	}
	for _, kind := range []plan.StepKind{plan.Assign, plan.Copy, plan.Object, plan.Slice, plan.Map, plan.Fit, plan.Stash, plan.Recall} {
		if kinds[kind] == 0 {
			t.Errorf("no random pair had the step %s", kind)
		}
	}
}

// checkSteps checks that each property of src is read once and each of dst
// written once, in order, and that a name is recalled before it is stashed.
func checkSteps(t *testing.T, steps []plan.Step, src, dst *ir.Type) {
	t.Helper()
	read, written := map[*ir.Property]int{}, map[*ir.Property]int{}
	recalled := map[string]bool{}
	for _, s := range slices.Backward(steps) { // to meet a later recall before the stash
		if s.Src != nil {
			read[s.Src]++
		}
		if s.Dst != nil {
			written[s.Dst]++
		}
		name := strings.ToLower(s.Property().Name)
		if s.Kind == plan.Stash && recalled[name] {
			t.Errorf("%s is stashed before it is recalled", name)
		}
		recalled[name] = recalled[name] || s.Kind == plan.Recall
	}
	for _, side := range []struct {
		typ  *ir.Type
		uses map[*ir.Property]int
	}{{src, read}, {dst, written}} {
		for _, p := range side.typ.Properties {
			if side.uses[p] != 1 {
				t.Errorf("%s.%s is used %d times by %s", side.typ.Name, p.Name, side.uses[p], plantest.ShowSteps(steps))
			}
		}
	}
	if !slices.IsSortedFunc(steps, func(a, b plan.Step) int {
		return strings.Compare(strings.ToLower(a.Property().Name), strings.ToLower(b.Property().Name))
	}) {
		t.Errorf("not in alphabetical order: %s", plantest.ShowSteps(steps))
	}
}

// named returns a package that has a name only.
func named(name string) *Package { return &Package{Package: &plan.Package{Name: name}} }
