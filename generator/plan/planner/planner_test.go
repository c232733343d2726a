package planner

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/armature-dev/armature/generator/plan/match"
	"github.com/google/go-cmp/cmp"
)

// linksOf returns a line for each resource of each storage package: where it
// converts to.
func linksOf(packages map[string]*plan.Package) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		for _, r := range packages[name].Resources {
			switch {
			case packages[name].Role == plan.API:
			case r.Hub:
				all = append(all, r.Kind+" "+name+" is the hub")
			default:
				all = append(all, r.Kind+" "+name+"→"+r.Next)
			}
		}
	}
	return all
}

func TestBuild(t *testing.T) {
	t.Run("a property added in the middle changes its own plans and the neighbours' only", func(t *testing.T) {
		for _, add := range []string{"Person_Spec", "Sku"} {
			before := buildAll(t, options(plantest.Group(t, plantest.PersonYAML), fiveVersions(t)...))
			versions := fiveVersions(t)
			typ := versions[2].Type(add)
			typ.Properties = append(typ.Properties, &ir.Property{Name: "zone", GoName: "Zone", Type: ir.TypeRef{Primitive: ir.String}})
			after := buildAll(t, options(plantest.Group(t, plantest.PersonYAML), versions...))
			var changed []string
			for _, name := range slices.Sorted(maps.Keys(before)) {
				if cmp.Diff(before[name], after[name]) != "" {
					changed = append(changed, name)
				}
			}
			// The version's own actions read its api.json anyway. The plan of its
			// storage package also has a change that nobody has assessed: the next
			// version lacks zone.
			want := []string{"v20170101storage", "v20180101", "v20180101storage"}
			if diff := cmp.Diff(want, changed); diff != "" {
				t.Errorf("%s: %s", add, diff)
			}
		}
	})
	t.Run("the order of the versions does not matter", func(t *testing.T) {
		versions := plantest.CRMVersions(t)
		want := buildAll(t, options(plantest.Group(t, plantest.CRMYAML), versions...))
		random := rand.New(rand.NewPCG(5, 6))
		for range 10 {
			random.Shuffle(len(versions), func(i, j int) { versions[i], versions[j] = versions[j], versions[i] })
			if diff := cmp.Diff(want, buildAll(t, options(plantest.Group(t, plantest.CRMYAML), versions...))); diff != "" {
				t.Fatal(diff)
			}
		}
	})
	t.Run("the order of a random group does not matter", func(t *testing.T) {
		g := newRandomGroup(rand.New(rand.NewPCG(3, 4)))
		for range 8 {
			g.edit()
			g.hubs, g.limit = map[string]string{}, ""
		}
		first, err := Build(g.options(t))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Build(g.options(t))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, again); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("resources may come and go", func(t *testing.T) {
		const person = "resource Person\nPerson_Spec: id string\nPerson_Status: conditions conditions\n"
		const party = "resource Party\nParty_Spec: id string\nParty_Status: conditions conditions\n"
		packages := buildAll(t,
			options(plantest.Group(t, "exports:\n  Contoso.Crm/persons: {kind: Person}\n  Contoso.Crm/parties: {kind: Party}\n"),
				plantest.Version(t, "2016-01-01", person+party), plantest.Version(t, "2017-01-01", person),
				plantest.Version(t, "2018-01-01", party), plantest.Version(t, "2019-01-01", "")))
		want := []string{
			"Party v20160101storage→v20180101storage", // vanished and returned
			"Person v20160101storage→v20170101storage",
			"Person v20170101storage is the hub", // later versions drop it
			"Party v20180101storage is the hub",
		}
		if diff := cmp.Diff(want, linksOf(packages)); diff != "" {
			t.Error(diff)
		}
		if p := packages["v20190101storage"]; p == nil || p.Resources == nil || len(p.Resources) > 0 {
			t.Errorf("a version without resources has the plan %+v, want an empty one", p)
		}
		var neighbours []string
		for _, n := range packages["v20160101storage"].Neighbours {
			for _, typ := range n.Types {
				neighbours = append(neighbours, n.Name+" "+typ.Name)
			}
		}
		if diff := cmp.Diff([]string{
			"v20170101storage Person_Spec", "v20170101storage Person_Status",
			"v20180101storage Party_Spec", "v20180101storage Party_Status",
		}, neighbours); diff != "" {
			t.Errorf("the neighbours, with the types of the resources in common: %s", diff)
		}
	})
	t.Run("a preview names the GA version that came after it", func(t *testing.T) {
		const person = "resource Person\nPerson_Spec: id string\nPerson_Status: conditions conditions\n"
		const party = "resource Party\nParty_Spec: id string\nParty_Status: conditions conditions\n"
		packages := buildAll(t,
			options(plantest.Group(t, "exports:\n  Contoso.Crm/persons: {kind: Person}\n  Contoso.Crm/parties: {kind: Party}\n"),
				plantest.Version(t, "2016-01-01-preview", person), plantest.Version(t, "2017-01-01-preview", person),
				plantest.Version(t, "2018-01-01", party), plantest.Version(t, "2019-01-01", person),
				plantest.Version(t, "2020-01-01", person), plantest.Version(t, "2021-01-01-preview", person)))
		want := map[string]string{
			"v20160101alpha1": "crm.azure.armature.dev/v20160101alpha1 Person is deprecated; use v20190101",
			"v20170101alpha1": "crm.azure.armature.dev/v20170101alpha1 Person is deprecated; use v20190101",
		}
		got := map[string]string{}
		for name, p := range packages {
			for _, r := range p.Resources {
				if r.Deprecated != "" {
					got[name] = r.Deprecated
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("an alias converts with its twin", func(t *testing.T) {
		packages := buildAll(t, options(plantest.Group(t, "exports:\n  Contoso.Crm/persons: {kind: Person, aliases: ["+
			"{prefix: v1alpha1api, versions: [2016-01-01]}, {prefix: v1old, versions: [2016-01-01, 2017-01-01], until: \"1.2\"}]}\n"),
			plantest.Version(t, "2016-01-01", "resource Person\nPerson_Spec: id string\nPerson_Status: conditions conditions"),
			plantest.Version(t, "2017-01-01", "resource Person\nPerson_Spec: id string\nPerson_Status: conditions conditions")))
		want := []string{
			"Person v1alpha1api20160101storage→v20160101storage",
			"Person v1old20160101storage→v20160101storage",
			"Person v1old20170101storage→v20170101storage",
			"Person v20160101storage→v20170101storage",
			"Person v20170101storage is the hub",
		}
		if diff := cmp.Diff(want, linksOf(packages)); diff != "" {
			t.Error(diff)
		}
		for name, want := range map[string]string{
			"v1alpha1api20160101": "crm.azure.armature.dev/v1alpha1api20160101 Person is deprecated; use v20160101",
			"v1old20170101": "crm.azure.armature.dev/v1old20170101 Person is deprecated, and release 1.2 does not have it any longer; " +
				"use v20170101",
		} {
			if got := packages[name].Resources[0].Deprecated; !packages[name].Alias || got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}

// TestBuildCRM checks the plans of crm: its packages, its links, and the steps of
// four conversions.
func TestBuildCRM(t *testing.T) {
	packages := buildAll(t, options(plantest.Group(t, plantest.CRMYAML), plantest.CRMVersions(t)...))
	t.Run("each version has an API and a storage package", func(t *testing.T) {
		if len(packages) != 26 {
			t.Errorf("got %d packages, want 26", len(packages))
		}
	})
	t.Run("every storage version leads to the hub", func(t *testing.T) {
		want := []string{
			"Person v20110101storage→v20120202storage",
			"Person v20120202storage→v20130303storage",
			"Person v20130303storage→v20140404storage",
			"Person v20140404alpha1storage→v20140404storage",
			"Person v20140404storage→v20150505storage",
			"Person v20150505storage→v20160606storage",
			"Person v20160606storage→v20170707storage",
			"Person v20170707storage→v20180808storage",
			"Person v20180808storage→v20190909storage",
			"Person v20190909storage→v20201010storage",
			"Person v20201010storage→v20211111storage",
			"Party v20211111storage is the hub",
			"Person v20211111storage is the hub",
			"Party v20221212alpha1storage→v20211111storage",
			"Person v20221212alpha1storage→v20211111storage",
		}
		if diff := cmp.Diff(want, linksOf(packages)); diff != "" {
			t.Error(diff)
		}
	})
	for _, test := range []struct{ behaviour, pkg, typ, steps string }{
		{"a renamed property is assigned", "v20140404storage", "Person_Spec",
			"assign familyName→familyName, assign id→id, assign knownAs→knownAs, assign legalName→legalName, assign alphaKey→sortKey"},
		{"an object of a renamed type has its own steps", "v20180808storage", "Address",
			"assign city→city, assign country→country, assign fullAddress→fullAddress, recall -→latitude, recall -→longitude, assign postCode→postCode"},
		{"a removed property is stashed and an added one recalled", "v20190909storage", "Person_Spec",
			"assign familyName→familyName, assign id→id, assign knownAs→knownAs, assign legalName→legalName, stash mailingAddress→-, recall -→residentialAddress, assign sortKey→sortKey"},
		{"a property of a newer preview is stashed", "v20221212alpha1storage", "Person_Spec",
			"assign familyName→familyName, assign id→id, assign knownAs→knownAs, assign legalName→legalName, object(Location↔Location) mailingAddress→mailingAddress, stash pronouns→-, object(Location↔Location) residentialAddress→residentialAddress, assign sortKey→sortKey"},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			p := packages[test.pkg]
			pair := pairsOf(t, p, plantest.CRMVersions(t))[0].Pair(test.typ)
			if diff := cmp.Diff(test.steps, plantest.ShowSteps(pair.To)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("only a preview that a GA version replaced is deprecated", func(t *testing.T) {
		person := packages["v20140404alpha1"].Resources[0]
		if diff := cmp.Diff(plan.Resource{
			Kind: "Person", Plural: "persons", Singular: "person", ARMType: "Contoso.Crm/persons",
			Categories: []string{"azure", "crm"}, Next: "v20140404alpha1storage",
			Deprecated: "crm.azure.armature.dev/v20140404alpha1 Person is deprecated; use v20140404",
		}, person); diff != "" {
			t.Error(diff)
		}
		for name, p := range packages {
			for _, r := range p.Resources {
				if r.Deprecated != "" && name != "v20140404alpha1" {
					t.Errorf("%s %s is deprecated: %s", name, r.Kind, r.Deprecated)
				}
			}
		}
	})
}

func TestEncodings(t *testing.T) {
	version := func(apiVersion string, encoding ir.Encoding) *ir.Version {
		v := plantest.Version(t, apiVersion, "resource Person\nPerson_Spec: photo secret")
		v.Type("Person_Spec").Properties[0].Encoding = encoding
		return v
	}
	build := func(older, newer ir.Encoding) error {
		o := options(plantest.Group(t, plantest.PersonYAML), version("2020-01-01", older), version("2021-01-01", newer))
		_, err := Build(o)
		return err
	}
	t.Run("a secret that is bytes at both versions", func(t *testing.T) {
		if err := build(ir.Base64, ir.Base64); err != nil {
			t.Error(err)
		}
	})
	t.Run("a secret that is bytes at one of them would be sent in two ways", func(t *testing.T) {
		const want = "the secret Person.photo is bytes in base64 at 2020-01-01 and text at 2021-01-01; mark it in group.yaml: base64"
		if err := build(ir.Base64, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}

func TestUnassessed(t *testing.T) {
	t.Run("removals that group.yaml does not assess are found", func(t *testing.T) {
		packages, err := Build(options(plantest.Group(t, plantest.CRMYAML+`  - {property: Person.mailingAddress, since: 2020-10-10, removed: residentialAddress took its place}
`), plantest.CRMVersions(t)...))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range plan.ChangesBy(packages, plan.Nobody) {
			got = append(got, c.Line())
		}
		want := []string{
			"2014-04-04 Person.firstName: removed",
			"2014-04-04 Person.fullName: removed",
			"2014-04-04 Person.lastName: removed",
			"2014-04-04 Person.middleName: removed",
			"2018-08-08 Address.street: removed",
			"2021-11-11 Location.city: removed",
			"2021-11-11 Location.country: removed",
			"2021-11-11 Location.fullAddress: removed",
			"2021-11-11 Location.latitude: removed",
			"2021-11-11 Location.longitude: removed",
			"2021-11-11 Location.postCode: removed",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("types that change after the hub are found, apart from what is the operator's", func(t *testing.T) {
		const rest = "resource Person\nPerson_Status: conditions conditions\n"
		packages, err := Build(options(plantest.Group(t, plantest.PersonYAML),
			plantest.Version(t, "2016-01-01",
				rest+"Person_Spec: age string, name string, operatorSpec operatorSpec, site Site\nSite: url string"),
			plantest.Version(t, "2017-01-01-preview",
				rest+"Person_Spec: age boolean, nick string, site map[string]Site\nSite: url string")))
		if err != nil {
			t.Fatal(err)
		}
		want := []plan.Change{
			{Property: "Person.age", Older: "2016-01-01", Since: "2017-01-01-preview", What: "string is now boolean", Type: "Person_Spec"},
			{Property: "Person.name", Older: "2016-01-01", Since: "2017-01-01-preview", What: plan.Removed, Type: "Person_Spec"},
			{Property: "Person.site", Older: "2016-01-01", Since: "2017-01-01-preview",
				What: "Site is now map[string]Site", Type: "Person_Spec"},
		}
		if diff := cmp.Diff(want, plan.ChangesBy(packages, plan.Nobody)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("who has assessed a change is noted", func(t *testing.T) {
		packages, err := Build(options(plantest.Group(t, plantest.PersonYAML+`changes:
  - {property: Sku.*, since: 2017-01-01, removed: "size says it"}
proposedChanges:
  - {property: Person.a, since: 2017-01-01, removed: "gone"}
`), plantest.Version(t, "2016-01-01", `resource Person
Person_Spec: a string, b string, sku Sku
Person_Status: conditions conditions, b string, etag string, home Home_Status, owned []Home_Status, state string, view View_Status
Sku: name string, tier string
View_Status: x string
Home_Status: door Door_Status, street string
Door_Status: color string, next Door_Status
`), plantest.Version(t, "2017-01-01", `resource Person
Person_Spec: sku Sku, state string, view View
Person_Status: conditions conditions, home House_Status, owned []Hut_Status, view View_Status
Sku: size string
View_Status: z string
View: X string
House_Status: door Gate_Status, street string
Gate_Status: color string, next Gate_Status
Hut_Status: street string
`)))
		if err != nil {
			t.Fatal(err)
		}
		got := map[plan.Assessor][]string{}
		for _, by := range []plan.Assessor{plan.Nobody, plan.Person, plan.Tool, plan.ReadOnly} {
			for _, c := range plan.ChangesBy(packages, by) {
				got[by] = append(got[by], c.Property)
			}
		}
		want := map[plan.Assessor][]string{
			plan.Person: {"Sku.name", "Sku.tier"},
			plan.Tool:   {"Person.a"},
			// The Spec of the newer version has the state, and some type of a Spec has x. A home has the properties
			// that it had: its type was renamed, as it seems.
			plan.Nobody:   {"Person.b", "Person.home", "Person.state", "View.x"},
			plan.ReadOnly: {"Person.etag", "Person.owned"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// TestStatus checks where a version whose spec describes no responses has its
// Status from.
func TestStatus(t *testing.T) {
	const spec = "requested Person\nPerson_Spec: age integer\nPerson_Status: age integer, conditions conditions, id string\n"
	with := func(property string) string {
		return "resource Person\nPerson_Spec: age integer\nPerson_Status: conditions conditions, sku Sku_Status\nSku_Status: " +
			property + " string"
	}
	of := func(source string, v *ir.Version) *ir.Version {
		v.Sources = []string{source}
		return v
	}
	for _, test := range []struct {
		behaviour string
		versions  []*ir.Version
		from      string
		property  string
	}{
		{"a version takes the nearest later Status, even if an earlier one is nearer in time",
			[]*ir.Version{plantest.Version(t, "2017-12-31", with("early")), plantest.Version(t, "2018-01-01", spec),
				plantest.Version(t, "2019-01-01", with("late")), plantest.Version(t, "2020-01-01", with("last"))}, "2019-01-01", "late"},
		{"without a later Status a version takes the nearest earlier one",
			[]*ir.Version{plantest.Version(t, "2016-01-01", with("first")),
				plantest.Version(t, "2017-01-01", with("early")), plantest.Version(t, "2018-01-01", spec),
				plantest.Version(t, "2019-01-01", spec)}, "2017-01-01", "early"},
		{"a version with Swagger lends its Status, even if one from another source is nearer: what it has lent stays",
			[]*ir.Version{of(swagger, plantest.Version(t, "2016-01-01", with("early"))),
				of("bicep", plantest.Version(t, "2017-01-01", with("nearer"))), plantest.Version(t, "2018-01-01", spec),
				of("bicep", plantest.Version(t, "2019-01-01", with("late")))}, "2016-01-01", "early"},
		{"if no version describes responses, the Status has what requests have",
			[]*ir.Version{plantest.Version(t, "2018-01-01", spec)}, "", ""},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			v := versionOf(t, test.versions, "2018-01-01")
			before, err := ir.Canonical(v)
			if err != nil {
				t.Fatal(err)
			}
			packages := buildAll(t, options(plantest.Group(t, plantest.PersonYAML), test.versions...))
			for _, name := range []string{"v20180101", "v20180101storage"} {
				p := packages[name]
				if got := p.Resources[0].StatusFrom; got != test.from {
					t.Errorf("%s: the Status is from %q, want %q", name, got, test.from)
				}
				shape := plan.Shape(p, v)
				for _, own := range []string{"age", "conditions", "id"} {
					if shape.Type("Person_Status").Property(own) == nil {
						t.Errorf("%s lacks %s, which its own requests have", name, own)
					}
				}
				if test.property != "" && shape.Type("Sku_Status").Property(test.property) == nil {
					t.Errorf("%s lacks the Status of %s", name, test.from)
				}
			}
			if after, _ := ir.Canonical(v); string(after) != string(before) {
				t.Errorf("the version itself was changed: %s", cmp.Diff(string(before), string(after)))
			}
		})
	}
	t.Run("types of one name from different versions are kept apart", func(t *testing.T) {
		const specs = "resource Person\nresource Party\nPerson_Spec: id string\nParty_Spec: id string\n"
		versions := []*ir.Version{
			plantest.Version(t, "2018-01-01", specs),
			plantest.Version(t, "2019-01-01", specs+"Person_Status: sku Sku_Status\nSku_Status: name string"),
			plantest.Version(t, "2020-01-01", specs+"Party_Status: skus []Sku_Status\nSku_Status: code integer, more Sku_Status"),
		}
		const exports = "exports:\n  Contoso.Crm/persons: {kind: Person}\n  Contoso.Crm/parties: {kind: Party}\n"
		packages := buildAll(t, options(plantest.Group(t, exports), versions...))
		shape := plan.Shape(packages["v20180101"], versions[0])
		var names []string
		for _, typ := range shape.Types {
			names = append(names, typ.Name)
		}
		want := []string{"Party_Spec", "Party_Status", "PersonSku_Status", "Person_Spec", "Person_Status", "Sku_Status"}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Error(diff)
		}
		if got := shape.Type("Person_Status").Property("sku").Type.Named; got != "PersonSku_Status" {
			t.Errorf("the Status of Person refers to %s", got)
		}
	})
}

// TestUnite checks what becomes of two descriptions of a Status.
func TestUnite(t *testing.T) {
	for _, test := range []struct {
		behaviour       string
		own, from, want string
	}{
		{"each has what the other lacks",
			"Person_Status: age integer, data any, sku Sku_Status\nSku_Status: tier string",
			"Person_Status: id string, more any, sku Sku_Status\nSku_Status: size string",
			"Person_Status: age integer, data any, id string, more any, sku Sku_Status\nSku_Status: size string, tier string"},
		{"types keep the names of the version that describes responses",
			"Person_Status: skus []OwnSku_Status, spare OwnSku_Status\nOwnSku_Status: tier string",
			"Person_Status: skus []Sku_Status\nSku_Status: size string, more Sku_Status",
			"Person_Status: skus []Sku_Status, spare Sku_Status\nSku_Status: more Sku_Status, size string, tier string"},
		{"a type that meets two others becomes two",
			"Person_Status: a Sku_Status, b Sku_Status\nSku_Status: tier string",
			"Person_Status: a Sku_Status, b Other_Status\nSku_Status: x string\nOther_Status: y string",
			"Other_Status: tier string, y string\nPerson_Status: a Sku_Status, b Other_Status\nSku_Status: tier string, x string"},
		{"two types that meet one become two",
			"Person_Status: a One_Status, b Two_Status\nOne_Status: x string\nTwo_Status: y string",
			"Person_Status: a Sku_Status, b Sku_Status\nSku_Status: z string",
			"Person_Status: a Sku_Status, b Two_Status\nSku_Status: x string, z string\nTwo_Status: y string, z string"},
		{"the version's own type of a value counts, unless one of the two says nothing",
			"Person_Status: age integer, data any, map map[string]string, site Site_Status\nSite_Status: x string",
			"Person_Status: age string, data Data_Status, map any, site string\nData_Status: y string",
			"Data_Status: y string\nPerson_Status: age integer, data Data_Status, map any, site Site_Status\nSite_Status: x string"},
		{"a union's discriminator is no property beside it",
			"Person_Status: union kind, circle=Circle Circle_Status\nCircle_Status: radius number",
			"Person_Status: kind string, id string",
			"Circle_Status: radius number\nPerson_Status: union kind, circle=Circle Circle_Status, id string"},
		{"of two discriminators the version's own selects",
			"Person_Status: union kind, circle=Circle Circle_Status\nCircle_Status: radius number",
			"Person_Status: union mode, square=Square Square_Status, id string\nSquare_Status: side number",
			"Circle_Status: radius number\nPerson_Status: union kind, circle=Circle Circle_Status, id string"},
		{"variants of both are variants",
			"Person_Status: union kind, circle=Circle Circle_Status\nCircle_Status: radius number",
			"Person_Status: union kind, circle=Circle Round_Status, square=Square Square_Status\nSquare_Status: side number\nRound_Status: x number",
			"Person_Status: union kind, circle=Circle Round_Status, square=Square Square_Status\nRound_Status: radius number, x number\nSquare_Status: side number"},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			united := unite(plantest.Version(t, "2022-01-01", test.own), plantest.Version(t, "2021-01-01", test.from), []string{"Person"})
			want := plantest.Version(t, "2022-01-01", test.want)
			for _, typ := range want.Types {
				typ.VariantOptional = typ.Discriminator != ""
			}
			if diff := cmp.Diff(want, united); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRecalls(t *testing.T) {
	const rest = "\nresource Person\nPerson_Status: conditions conditions\n"
	const renames = plantest.PersonYAML + `changes:
  - {type: Home, since: 2019-01-01, renamed: House}
  - {property: Person.home, since: 2019-01-01, renamed: house}
`
	for _, test := range []struct {
		behaviour, yaml string
		versions        []string  // the types at 2017, 2018 and 2019
		limits, formers [2]string // what the two packages with a neighbour have
	}{
		{
			behaviour: "a property that is always the same needs no limit",
			versions: []string{
				"Person_Spec: same Sku, id string\nSku: a string", "Person_Spec: id string",
				"Person_Spec: same Sku\nSku: a string",
			},
		}, {
			behaviour: "a property that was added once and grew later needs no limit",
			versions: []string{
				"Person_Spec: id string", "Person_Spec: new Sku, id string\nSku: a string",
				"Person_Spec: new Sku\nSku: a string, b string",
			},
		}, {
			behaviour: "types that do not match make two properties of one name",
			versions:  []string{"Person_Spec: odd boolean, id string", "Person_Spec: id string", "Person_Spec: odd integer, id string"},
			limits: [2]string{
				"20170101storage Person_Spec.odd: 2017-01-01; shared",
				"20190101storage Person_Spec.odd: 2019-01-01; shared",
			},
		}, {
			behaviour: "a value of a safe change is converted",
			versions:  []string{"Person_Spec: n string, id string", "Person_Spec: id string", "Person_Spec: n integer, id string"},
			limits: [2]string{
				"20170101storage Person_Spec.n: 2017-01-01; 2019-01-01 integer",
				"20190101storage Person_Spec.n: 2019-01-01; 2017-01-01 string",
			},
			formers: [2]string{"20170101storage from 2019-01-01", "20190101storage from 2017-01-01"},
		}, {
			behaviour: "an object that grew is converted with everything below it",
			versions: []string{
				"Person_Spec: sku Sku, id string\nSku: a Deep\nDeep: x string", "Person_Spec: id string",
				"Person_Spec: sku Sku, id string\nSku: a Deep\nDeep: x string, y string",
			},
			limits: [2]string{
				"20170101storage Person_Spec.sku: 2017-01-01; 2019-01-01 Sku",
				"20190101storage Person_Spec.sku: 2019-01-01; 2017-01-01 Sku",
			},
			formers: [2]string{"20170101storage from 2019-01-01 Deep Sku", "20190101storage from 2017-01-01 Deep Sku"},
		}, {
			behaviour: "a property that came back with another name and type name is converted",
			yaml:      renames,
			versions: []string{
				"Person_Spec: home Home, id string\nHome: x string", "Person_Spec: id string",
				"Person_Spec: house House, id string\nHouse: x string, y string",
			},
			limits: [2]string{
				"20170101storage Person_Spec.home: 2017-01-01; house@2019-01-01 House",
				"20190101storage Person_Spec.house: 2019-01-01; home@2017-01-01 Home",
			},
			formers: [2]string{"20170101storage from 2019-01-01 House House→Home", "20190101storage from 2017-01-01 Home Home→House"},
		}, {
			behaviour: "a property that came back with other names in the same shape needs no conversion",
			yaml:      renames,
			versions: []string{
				"Person_Spec: home []Home, id string\nHome: x string", "Person_Spec: id string",
				"Person_Spec: house []House, id string\nHouse: x string",
			},
			limits: [2]string{
				"20170101storage Person_Spec.home: 2017-01-01 house@2019-01-01",
				"20190101storage Person_Spec.house: home@2017-01-01 2019-01-01",
			},
		}, {
			behaviour: "a former shape has former shapes in its own bags",
			versions: []string{
				"Person_Spec: sku Sku\nSku: n string, id string", "Person_Spec: sku Sku\nSku: id string",
				"Person_Spec: sku Sku\nSku: n integer, id string",
			},
			limits: [2]string{
				"20170101storage Sku.n: 2017-01-01; 2019-01-01 integer",
				"20190101storage Sku.n: 2019-01-01; 2017-01-01 string",
			},
			formers: [2]string{"20170101storage from 2019-01-01", "20190101storage from 2017-01-01"},
		},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			var versions []*ir.Version
			for i, lines := range test.versions {
				versions = append(versions, plantest.Version(t, fmt.Sprintf("%d-01-01", 2017+i), lines+rest))
			}
			packages := matchedByName(t, options(plantest.Group(t, orDefault(test.yaml)), versions...))
			for i, name := range []string{"v20170101storage", "v20180101storage"} {
				p := packages[name]
				if got := showLimits(p); got != test.limits[i] {
					t.Errorf("%s:\n%s\nwant\n%s", name, got, test.limits[i])
				}
				if got := showFormers(p); got != test.formers[i] {
					t.Errorf("%s:\n%s\nwant\n%s", name, got, test.formers[i])
				}
			}
		})
	}
	// The key of an entry follows from these limits, so a package that writes it
	// and one that reads it must agree.
	t.Run("all packages know the same shapes of a property", func(t *testing.T) {
		const absent = "Person_Spec: id string" + rest
		const grown = "Person_Spec: a Obj, id string\nObj: w W\nW: x string, n N\nN: s string" + rest
		packages := matchedByName(t, options(plantest.Group(t, plantest.PersonYAML),
			plantest.Version(t, "2016-01-01", "Person_Spec: a Obj, id string\nObj: w W\nW: x string"+rest),
			plantest.Version(t, "2017-01-01", absent),
			plantest.Version(t, "2018-01-01", grown), plantest.Version(t, "2019-01-01", absent), plantest.Version(t, "2020-01-01", grown)))
		type property struct{ pkg, typ, name string }
		limits := map[property]match.RecallLimit{}
		for _, name := range slices.Sorted(maps.Keys(packages)) {
			for _, r := range packages[name].Recalls {
				key := property{r.Package, r.Type, r.Property}
				if diff := cmp.Diff(limits[key], r); diff != "" && limits[key].Package != "" {
					t.Errorf("%s has another limit of %v than the packages before: %s", name, key, diff)
				}
				limits[key] = r
				if r.Property == "n" {
					t.Errorf("%s: n has a limit, and one shape only: %v", name, r)
				}
			}
		}
		if len(limits) == 0 {
			t.Error("no property has several shapes")
		}
	})
	t.Run("the type of a property may be renamed", func(t *testing.T) {
		const rest = "\nresource Person\nPerson_Spec: home Home\nPerson_Status: conditions conditions\n"
		const renamed = "\nresource Person\nPerson_Spec: home House\nPerson_Status: conditions conditions\n"
		packages := matchedByName(t,
			options(plantest.Group(t, plantest.PersonYAML+"changes:\n  - {type: Home, since: 2018-01-01, renamed: House}\n"),
				plantest.Version(t, "2016-01-01", "Home: size boolean, city string"+rest),
				plantest.Version(t, "2017-01-01", "Home: city string"+rest),
				plantest.Version(t, "2018-01-01", "House: city string, size string"+renamed)))
		want := "20160101storage Home.size: 2016-01-01; shared"
		if got := showLimits(packages["v20160101storage"]); got != want {
			t.Errorf("got %s, want %s: an entry of 2018-01-01 has another shape", got, want)
		}
	})
}

// changedPerson precedes the properties of a person in the tests of changes.
const changedPerson = "resource Person\nPerson_Status: conditions conditions\nPerson_Spec: id string, "

// buildChanged plans two versions of a person, with changes of its properties such as
// "a b, c d". Happened is what an entry of group.yaml says of the second name of each. It
// returns the error as text.
func buildChanged(t *testing.T, older, newer, changes, happened string) (packages []*plan.Package, failed string) {
	t.Helper()
	yaml := plantest.PersonYAML + "changes:\n"
	for _, r := range strings.Split(changes, ", ") {
		from, to, _ := strings.Cut(r, " ")
		yaml += fmt.Sprintf("  - {property: Person.%s, since: 2017-01-01, "+happened+"}\n", from, to)
	}
	packages, err := Build(options(plantest.Group(t, yaml), plantest.Version(t, "2016-01-01", changedPerson+older),
		plantest.Version(t, "2017-01-01", changedPerson+newer)))
	if err != nil {
		return nil, err.Error()
	}
	return packages, ""
}

func TestRenames(t *testing.T) {
	for _, test := range []struct {
		behaviour    string
		older, newer string
		renames      string
		want         string
	}{
		{"a name that goes becomes one that comes", "a string", "b string", "a b", ""},
		{"the older version must lack the new name", "a string, b string", "b string", "a b",
			"group.yaml:4:5: a cannot become b at 2017-01-01: 2016-01-01 has Person.b already; a rename joins a name that goes with one that comes"},
		{"the newer version must lack the old name", "a string", "a string, b string", "a b",
			"group.yaml:4:5: a cannot become b at 2017-01-01: 2017-01-01 still has Person.a; a rename joins a name that goes with one that comes"},
		{"two names may change places", "a string, b string", "a string, b string", "a b, b a", ""},
		{"a name may be passed on", "a string, b string", "b string, c string", "a b, b c", ""},
		{"the names may differ in case only", "aB string", "ab string", "aB ab", ""},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			_, got := buildChanged(t, test.older, test.newer, test.renames, "renamed: %s")
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	t.Run("the reference to a value goes with it", func(t *testing.T) {
		packages, failed := buildChanged(t, "a string, aFrom value", "b string, bFrom value", "a b", "renamed: %s")
		if failed != "" {
			t.Fatal(failed)
		}
		for _, p := range packages {
			if len(p.Changes) > 0 {
				t.Errorf("%s has the changes %v", p.Name, p.Changes)
			}
		}
		if _, got := buildChanged(t, "a string, aFrom value", "a string", "b c", "renamed: %s"); strings.Count(got, "\n") > 0 {
			t.Errorf("an entry without use is told more than once:\n%s", got)
		}
		packages, failed = buildChanged(t, "a string, aFrom value", "c string", "a why", "removed: %s")
		var changes []plan.Change
		for _, p := range packages {
			changes = append(changes, p.Changes...)
		}
		if failed != "" || len(changes) != 1 || changes[0].Property != "Person.a" || changes[0].By != plan.Person {
			t.Errorf("got %s and the changes %v, want that of Person.a alone", failed, changes)
		}
	})
	t.Run("renames apply between the versions before and after them only", func(t *testing.T) {
		const rest = "\nresource Person\nPerson_Status: conditions conditions\n"
		versions := []*ir.Version{
			plantest.Version(t, "2016-01-01",
				"Person_Spec: a string, shape Old\nOld: union kind, round=Round OldRound\nOldRound: r number"+rest),
			plantest.Version(t, "2018-01-01",
				"Person_Spec: c string, shape New\nNew: union kind, round=Round NewRound\nNewRound: r number"+rest),
			plantest.Version(t, "2019-01-01",
				"Person_Spec: c string, shape New\nNew: union kind, round=Round NewRound\nNewRound: r number"+rest),
		}
		packages := matchedByName(t, options(plantest.Group(t, plantest.PersonYAML+`changes:
  - {type: Old, since: 2018-01-01, renamed: New}
  - {property: Person.b, since: 2018-01-01, renamed: c}
  - {property: Person.a, since: 2017-01-01, renamed: b}
`), versions...))
		p := packages["v20160101storage"]
		if diff := cmp.Diff([]match.TypeRename{
			{Neighbour: "v20180101storage", Here: "Old", There: "New"},
			{Neighbour: "v20180101storage", Here: "OldRound", There: "NewRound"},
		}, p.TypeRenames); diff != "" {
			t.Errorf("the variants of a renamed union: %s", diff)
		}
		if diff := cmp.Diff([]match.PropertyRename{{Neighbour: "v20180101storage", Type: "Person_Spec", Here: "a",
			There: "c"}}, p.PropertyRenames); diff != "" {
			t.Errorf("the two renames of one property: %s", diff)
		}
		if p := packages["v20180101storage"]; len(p.TypeRenames)+len(p.PropertyRenames) > 0 {
			t.Errorf("the package has renames from before its version: %v %v", p.TypeRenames, p.PropertyRenames)
		}
	})
	t.Run("a package has both of two names that change places", func(t *testing.T) {
		const person = "resource Person\nPerson_Spec: a string, b string\nPerson_Status: conditions conditions\n"
		packages := matchedByName(t, options(plantest.Group(t, plantest.PersonYAML+`changes:
  - {property: Person.a, since: 2017-01-01, renamed: b}
  - {property: Person.b, since: 2017-01-01, renamed: a}
`), plantest.Version(t, "2016-01-01", person), plantest.Version(t, "2017-01-01", person)))
		want := []match.PropertyRename{
			{Neighbour: "v20170101storage", Type: "Person_Spec", Here: "a", There: "b"},
			{Neighbour: "v20170101storage", Type: "Person_Spec", Here: "b", There: "a"},
		}
		if diff := cmp.Diff(want, packages["v20160101storage"].PropertyRenames); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDefaultVersion(t *testing.T) {
	for _, test := range []struct{ behaviour, names, want string }{
		{"a GA version comes before a newer preview",
			"v20210401 v20210401storage v20220101alpha1 v20220101alpha1storage v20200401", "v20210401"},
		{"an alias with an older prefix that Kubernetes sorts comes after GA versions",
			"v1beta20221111 v20210401 v20210401storage v1beta20210401", "v20210401"},
		{"of previews alone the newest comes first",
			"v20200101alpha1 v20200101alpha1storage v20190101alpha1 v0alpha20210101", "v20200101alpha1"},
		{"storage and alias names come last",
			"v20200101alpha1 v20200101alpha1storage v1alpha1api20200101 v1alpha1api20200101storage", "v20200101alpha1"},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			names := strings.Fields(test.names)
			for range names {
				if got := DefaultVersion(names); got != test.want {
					t.Errorf("%v: got %s, want %s", names, got, test.want)
				}
				names = slices.Concat(names[1:], names[:1])
			}
		})
	}
	t.Run("the default of crm is its newest GA version", func(t *testing.T) {
		packages, err := Build(options(plantest.Group(t, plantest.CRMYAML), plantest.CRMVersions(t)...))
		if err != nil {
			t.Fatal(err)
		}
		if got := WantedDefault(packages, "Person"); got != "v20211111" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("names that make Kubernetes serve a preview by default are an error", func(t *testing.T) {
		o := options(plantest.Group(t, plantest.CRMYAML), plantest.CRMVersions(t)...)
		o.Patterns.GA = "v{date}alpha1"
		o.Patterns.Preview = "v{date}"
		_, err := Build(o)
		const want = "Kubernetes would serve Person at version v20221212 to a client that asks for none, " +
			"and it should be v20211111alpha1"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	})
}

func TestPairs(t *testing.T) {
	t.Run("an API package casts enums and assigns the rest", func(t *testing.T) {
		v := plantest.Version(t, "2020-01-01", `resource Person
		Person_Spec: tier Tier, tiers []Tier, code Code, name string, sku Sku
		Person_Status: conditions conditions, tier string
		Tier: enum string
		Code: enum integer
		Sku: tier Tier`)
		packages := buildAll(t, options(plantest.Group(t, plantest.PersonYAML), v))
		pairs, err := plan.Pairs(packages["v20200101"], plan.Shape(packages["v20200101"], v))
		if err != nil {
			t.Fatal(err)
		}
		if len(pairs) != 1 || pairs[0].Neighbour.Name != "v20200101storage" {
			t.Fatalf("got %v", pairs)
		}
		spec := pairs[0].Pair("Person_Spec")
		want := "cast code→code, assign name→name, object(Sku↔Sku) sku→sku, cast tier→tier, slice(cast) tiers→tiers"
		if got := plantest.ShowSteps(spec.To); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := plantest.ShowSteps(spec.From); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		for _, name := range []string{"Person_Status", "Sku"} {
			if pairs[0].Pair(name) == nil {
				t.Errorf("the pair of %s is missing", name)
			}
		}
	})
	// The last versions have a property in another shape than the first, so that
	// bags bring former shapes.
	const rest = "\nresource Person\nPerson_Status: conditions conditions\n"
	sku := []*ir.Version{
		plantest.Version(t, "2017-01-01", "Person_Spec: sku Sku, old Part\nPart: a string\nSku: n []Part, id string"+rest),
		plantest.Version(t, "2018-01-01", "Person_Spec: sku Sku\nSku: id string"+rest),
		plantest.Version(t, "2019-01-01", "Person_Spec: sku Sku, old []Part\nSku: n []Part, id integer\nPart: a string, b Part"+rest),
	}
	formers := 0
	for name, o := range map[string]Options{
		"CRM":           options(plantest.Group(t, plantest.CRMYAML), plantest.CRMVersions(t)...),
		"former shapes": options(plantest.Group(t, plantest.PersonYAML), sku...),
	} {
		t.Run("a file has the steps that were matched: "+name, func(t *testing.T) {
			for _, p := range matchedByName(t, o) {
				text, err := ir.Canonical(p.Package)
				if err != nil {
					t.Fatal(err)
				}
				read, err := plan.Decode(string(text))
				if err != nil {
					t.Fatal(err)
				}
				v := versionOf(t, o.Versions, p.APIVersion)
				want, got := match.Pairs(p, plan.Shape(p.Package, v)), pairsOf(t, read, o.Versions)
				if diff := cmp.Diff(showPairs(want), showPairs(got)); diff != "" {
					t.Errorf("%s: %s", p.Name, diff)
				}
				for _, n := range got {
					formers += len(n.Formers)
				}
			}
		})
	}
	if formers == 0 {
		t.Error("no package had a former version")
	}
	t.Run("a plan of another version is an error", func(t *testing.T) {
		p := buildAll(t, options(plantest.Group(t, plantest.PersonYAML), sku...))["v20170101storage"]
		if _, err := plan.Pairs(p, plan.Shape(p, versionOf(t, sku, "2018-01-01"))); err == nil ||
			!strings.Contains(err.Error(), "the plan of v20170101storage has the property") {
			t.Errorf("got %v", err)
		}
	})
}

// versionOf returns the version of a name.
func versionOf(t *testing.T, versions []*ir.Version, apiVersion string) *ir.Version {
	t.Helper()
	for _, v := range versions {
		if v.APIVersion == apiVersion {
			return v
		}
	}
	t.Fatalf("no version %s", apiVersion)
	return nil
}

// fiveVersions returns five versions of one resource, each with one property that
// the others lack.
func fiveVersions(t *testing.T) []*ir.Version {
	var versions []*ir.Version
	for year := 2016; year <= 2020; year++ {
		versions = append(versions, plantest.Version(t, fmt.Sprintf("%d-01-01", year),
			fmt.Sprintf("resource Person\nPerson_Spec: id string, sku Sku, in%d string\nPerson_Status: conditions conditions\nSku: name string", year)))
	}
	return versions
}

// showLimits returns a line for each recall of a package: "package Type.property:
// versions with the same shape; versions to convert; shared".
func showLimits(p *match.Package) string {
	var all []string
	for _, r := range p.Recalls {
		text := fmt.Sprintf("%s %s.%s: %s", strings.TrimPrefix(r.Package, "v"), r.Type, r.Property, strings.Join(r.Versions, " "))
		for _, s := range r.Shapes {
			text += fmt.Sprintf("; %s %s", s.Shape, s.Type)
		}
		if r.Shared {
			text += "; shared"
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n")
}

// showFormers returns a line for each former version of a package: "package from
// version", its types and its renames.
func showFormers(p *match.Package) string {
	var all []string
	for _, f := range p.Formers {
		text := strings.TrimPrefix(f.Package, "v") + " from " + f.APIVersion
		for _, t := range f.Types {
			text += " " + t.Name
		}
		for _, r := range f.TypeRenames {
			text += fmt.Sprintf(" %s→%s", r.Here, r.There)
		}
		for _, r := range f.PropertyRenames {
			text += fmt.Sprintf(" %s.%s→%s", r.Type, r.Here, r.There)
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n")
}

// orDefault returns the given group.yaml, or the ordinary one for "".
func orDefault(yaml string) string {
	if yaml == "" {
		return plantest.PersonYAML
	}
	return yaml
}

// pairsOf returns the steps of a package's conversions.
func pairsOf(t *testing.T, p *plan.Package, versions []*ir.Version) []plan.NeighbourPairs {
	t.Helper()
	pairs, err := plan.Pairs(p, plan.Shape(p, versionOf(t, versions, p.APIVersion)))
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

// showPairs returns everything that the conversions have, in lines.
func showPairs(all []plan.NeighbourPairs) []string {
	var lines []string
	show := func(where string, pairs []*plan.Pair, from bool) {
		for _, p := range pairs {
			lines = append(lines, fmt.Sprintf("%s: %s to %s: %s", where, p.Here.Name, p.There.Name, plantest.ShowSteps(p.To)))
			if from {
				lines = append(lines, fmt.Sprintf("%s: %s from %s: %s", where, p.Here.Name, p.There.Name, plantest.ShowSteps(p.From)))
			}
		}
	}
	for _, n := range all {
		lines = append(lines, fmt.Sprintf("%s %v", n.Neighbour.Name, n.Kinds))
		show(n.Neighbour.Name, n.Pairs, true)
		for _, f := range n.Formers {
			where := n.Neighbour.Name + " " + f.Package + " " + f.APIVersion
			for _, t := range f.Types {
				lines = append(lines, where+" "+t.Name)
			}
			show(where, f.Pairs, false)
		}
	}
	return lines
}
