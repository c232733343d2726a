package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/google/go-cmp/cmp"
)

// input plans a group with one resource, Person. Types are lines such as
// "Person_Spec: name string, next Node". Behind a first line "requested" they describe
// no response.
func input(t *testing.T, yaml string, specs map[string]string, hooks ...plan.HookSource) Input {
	t.Helper()
	decisions, err := config.Parse("group.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Config: decisions}
	for apiVersion, types := range specs {
		types, requested := strings.CutPrefix(types, "requested\n")
		if !strings.Contains(types, "Person_Status:") {
			types += "\nPerson_Status: conditions conditions"
		}
		v := &ir.Version{Provider: "Contoso.Crm", APIVersion: apiVersion, Resources: []*ir.Resource{
			{Type: "Contoso.Crm/persons", Kind: "Person", Scopes: []ir.Scope{ir.ResourceGroup}, Spec: "Person_Spec",
				Status: "Person_Status", Requested: requested},
		}}
		for _, line := range strings.Split(types, "\n") {
			name, properties, _ := strings.Cut(strings.TrimSpace(line), ": ")
			typ := &ir.Type{Name: name, Kind: ir.Object, Status: strings.HasSuffix(name, naming.Status(""))}
			for _, p := range strings.Split(properties, ", ") {
				name, ref, _ := strings.Cut(p, " ")
				property := &ir.Property{Name: name, GoName: naming.Go(name), Type: ir.TypeRef{Primitive: ir.Primitive(ref)}}
				if ref[0] < 'a' {
					property.Type = ir.TypeRef{Named: ref}
				}
				typ.Properties = append(typ.Properties, property)
			}
			v.Types = append(v.Types, typ)
		}
		v.Sort()
		in.Shapes = append(in.Shapes, v)
	}
	in.Packages, err = planner.Build(planner.Options{
		Group: "crm.azure.armature.dev", Provider: "Contoso.Crm", ImportPrefix: "example.com/crm", Patterns: naming.Default,
		Config: decisions, Versions: in.Shapes, Hooks: hooks,
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// changesOf returns a line for each change that a report has for a pair of versions.
func changesOf(t *testing.T, r *Report, from, to string) []string {
	t.Helper()
	for _, c := range r.Resources[0].Conversions {
		if c.From != from || c.To != to {
			continue
		}
		var lines []string
		for _, change := range c.Changes {
			line := fmt.Sprint(change.Path, " ", change.Fate, " ", change.How)
			if slices.Contains(change.How, Moved) && change.Name != "" {
				line += " " + change.Name
			}
			lines = append(lines, line)
		}
		return lines
	}
	t.Fatalf("the report has no conversion from %s to %s", from, to)
	return nil
}

const exports = "exports:\n  Contoso.Crm/persons: {kind: Person}\n"

func TestNew(t *testing.T) {
	t.Run("a Status that is made from requests says what it has from where", func(t *testing.T) {
		r := reportOf(t, input(t, exports, map[string]string{
			"2020-01-01": "Person_Spec: sku Sku\nPerson_Status: id string, sku Sku_Status, state string\nSku: name string\nSku_Status: name string, tier string",
			"2021-01-01": "requested\nPerson_Spec: age integer, sku Sku\nPerson_Status: age integer, id string, sku Sku_Status\nSku: name string\nSku_Status: name string",
		}))
		want := Finding{
			Kind: ir.Approximated, Subject: "Person", Places: []Place{{APIVersion: "2021-01-01"}},
			Reason: "the spec describes no response; the Status has id, name, type and what requests have, and from 2020-01-01 sku.tier, state",
		}
		if diff := cmp.Diff(want, r.Findings[0]); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a type that contains itself is entered once", func(t *testing.T) {
		r := reportOf(t, input(t, exports, map[string]string{
			"2020-01-01": "Person_Spec: root Node\nNode: left Node, name string, right Pair\nPair: node Node, weight string",
			"2021-01-01": "Person_Spec: root Node\nNode: left Node, name string, right Pair\nPair: node Node",
		}))
		t.Run("conversions", func(t *testing.T) {
			want := []string{"spec.root.right.weight carried []"}
			if diff := cmp.Diff(want, changesOf(t, r, "v20200101", "v20210101")); diff != "" {
				t.Error(diff)
			}
		})
		t.Run("properties", func(t *testing.T) {
			var paths []string
			for _, p := range r.Resources[0].Properties {
				paths = append(paths, p.Path)
			}
			want := []string{
				"spec.root", "spec.root.left", "spec.root.name", "spec.root.right", "spec.root.right.node",
				"spec.root.right.weight", "status.conditions",
			}
			if diff := cmp.Diff(want, paths); diff != "" {
				t.Error(diff)
			}
		})
	})
	t.Run("types that contain each other are listed once below a property that leads to them", func(t *testing.T) {
		r := reportOf(t, input(t, exports, map[string]string{
			"2020-01-01": "Person_Spec: left A, right A\nA: c C\nB: a A, c C, name string\nC: b B",
			"2021-01-01": "Person_Spec: left A, right A\nA: b B, c C\nB: a A, c C, name string\nC: b B",
		}))
		var got []string
		for _, p := range r.Resources[0].Properties {
			for _, s := range p.Spans {
				got = append(got, fmt.Sprintf("%s %s…%s", p.Path, s.From[:4], s.To[:4]))
			}
		}
		var want []string
		for _, half := range []string{"left", "right"} {
			for _, line := range []string{
				" 2020…2021", ".b 2021…2021", ".b.a 2021…2021", ".b.c 2021…2021", ".b.name 2021…2021",
				".c 2020…2021", ".c.b 2020…2021", ".c.b.a 2020…2021", ".c.b.c 2020…2021", ".c.b.name 2020…2021",
			} {
				want = append(want, "spec."+half+line)
			}
		}
		if diff := cmp.Diff(append(want, "status.conditions 2020…2021"), got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
	t.Run("types that contain each other in many ways give a list that can be read", func(t *testing.T) {
		names := strings.Split("ABCDEFG", "")
		types := "Person_Spec: first A"
		for _, name := range names {
			types += "\n" + name + ": text string"
			for _, other := range names {
				types += ", " + strings.ToLower(other) + " " + other
			}
		}
		r := reportOf(t, input(t, exports, map[string]string{"2020-01-01": types}))
		// The Spec and the Status have a property each, and seven types eight.
		if got, want := len(r.Resources[0].Properties), 2+7*8; got != want {
			t.Errorf("got %d properties, want %d", got, want)
		}
	})
	t.Run("an alias", func(t *testing.T) {
		yaml := "exports:\n  Contoso.Crm/persons: {kind: Person, aliases: [{prefix: v1alpha1api, versions: [\"2020-01-01\"]}]}\n"
		specs := map[string]string{"2020-01-01": "Person_Spec: name string", "2021-01-01": "Person_Spec: name string"}
		t.Run("without hooks converts as its twin", func(t *testing.T) {
			r := reportOf(t, input(t, yaml, specs))
			if n := len(r.Resources[0].Conversions); n != 2 || r.Resources[0].Versions[0].AliasOf != "v20200101" {
				t.Errorf("got %d conversions and the versions %v, want 2 conversions and an alias", n, r.Resources[0].Versions)
			}
		})
		t.Run("with hooks has conversions of its own", func(t *testing.T) {
			r := reportOf(t, input(t, yaml, specs, plan.HookSource{
				Package: "v1alpha1api20200101", Receiver: "Person_Spec", Method: "AssignToPerson_Spec",
				Signature: "func (*Person_Spec) AssignToPerson_Spec(*example.com/crm/v20200101storage.Person_Spec) error",
			}))
			if n := len(r.Resources[0].Conversions); n != 6 {
				t.Errorf("got %d conversions, want 6 between three versions", n)
			}
			if diff := cmp.Diff([]string{"spec converted [hook]"}, changesOf(t, r, "v1alpha1api20200101", "v20210101")); diff != "" {
				t.Error(diff)
			}
			if got := changesOf(t, r, "v20200101", "v1alpha1api20200101"); got != nil {
				t.Errorf("conversions to the alias call no hook, got %v", got)
			}
		})
	})
	t.Run("the order of the input does not matter", func(t *testing.T) {
		in := input(t, exports, map[string]string{
			"2020-01-01": "Person_Spec: a string, b A\nA: c string, d integer",
			"2021-01-01": "Person_Spec: a integer, b A\nA: c string, e integer",
			"2022-01-01": "Person_Spec: a string, c boolean",
		})
		var page, data []byte
		for range 10 {
			rand.Shuffle(len(in.Packages), func(i, j int) { in.Packages[i], in.Packages[j] = in.Packages[j], in.Packages[i] })
			rand.Shuffle(len(in.Shapes), func(i, j int) { in.Shapes[i], in.Shapes[j] = in.Shapes[j], in.Shapes[i] })
			r := reportOf(t, in)
			text, err := ir.Canonical(r)
			if err != nil {
				t.Fatal(err)
			}
			if page != nil && (!bytes.Equal(page, r.Page()) || !bytes.Equal(data, text)) {
				t.Fatal("another order of the input gives another report")
			}
			page, data = r.Page(), text
		}
	})
	t.Run("waivers", func(t *testing.T) {
		in := input(t, exports+`waivers:
  - {law: Frame, property: Person.name, versions: ["2020-01-01"], reason: "computed"}
`, map[string]string{
			"2020-01-01": "Person_Spec: name string", "2021-01-01": "Person_Spec: name string", "2022-01-01": "Person_Spec: name string",
		})
		r := reportOf(t, in)
		t.Run("a waiver lists the packages that it applies to", func(t *testing.T) {
			want := []Waiver{{
				Law: "Frame", Property: "Person.name", Reason: "computed", Packages: []string{"v20200101"},
				role: plan.API,
			}}
			if diff := cmp.Diff(want, r.Waivers, cmp.AllowUnexported(Waiver{})); diff != "" {
				t.Error(diff)
			}
		})
		t.Run("a conversion counts the waivers of its ends and its route", func(t *testing.T) {
			var waived []int
			for _, c := range r.Resources[0].Conversions {
				waived = append(waived, c.Counts.Waived)
			}
			if diff := cmp.Diff([]int{1, 1, 1, 0, 1, 0}, waived); diff != "" {
				t.Error(diff)
			}
		})
	})
}

// TestTrace follows properties that go and come back through the bags of the
// versions between, in both directions.
func TestTrace(t *testing.T) {
	in := input(t, exports+`changes:
  - {property: Person.home, since: "2021-01-01", removed: "back later"}
  - {property: Person.text, since: "2021-01-01", removed: "another later"}
`, map[string]string{
		"2020-01-01": "Person_Spec: home Home, name string, text string\nHome: city string, street string",
		"2021-01-01": "Person_Spec: name string",
		"2022-01-01": "Person_Spec: name string",
		"2023-01-01": "Person_Spec: home Home, name string, text Home\nHome: city string, zip string",
	})
	r := reportOf(t, in)
	for _, test := range []struct {
		behaviour, from, to string
		want                []string
	}{
		{"a value of another shape is converted, and one of another property is carried", "v20200101", "v20230101",
			[]string{"spec.home stashed [formerShape]", "spec.home.street carried []", "spec.text carried []"}},
		{"and so in the other direction", "v20230101", "v20200101",
			[]string{"spec.home stashed [formerShape]", "spec.home.zip carried []", "spec.text carried []"}},
		{"a version that lacks the properties carries them", "v20200101", "v20220101",
			[]string{"spec.home carried []", "spec.text carried []"}},
		{"equal versions have no changes", "v20210101", "v20220101", nil},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			if diff := cmp.Diff(test.want, changesOf(t, r, test.from, test.to)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("a value lists the packages whose bags it was in", func(t *testing.T) {
		home := r.Resources[0].Conversions[2].Changes[0]
		if diff := cmp.Diff([]Stay{{From: "v20210101storage", To: "v20220101storage"}}, home.Bags); diff != "" {
			t.Errorf("%s: %s", home.Path, diff)
		}
	})
	t.Run("a property that comes back says how", func(t *testing.T) {
		var backs []Back
		for _, p := range r.Resources[0].Properties {
			for _, s := range p.Spans {
				if s.Back != "" {
					backs = append(backs, s.Back)
				}
			}
		}
		if diff := cmp.Diff([]Back{AnotherShape, AnotherProperty}, backs); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("nothing is lost", func(t *testing.T) {
		if err := r.CheckNothingLost(); err != nil {
			t.Error(err)
		}
	})
}

func TestTraceMoves(t *testing.T) {
	in := input(t, exports+`changes:
  - {property: Home.lat, since: "2021-01-01", moved: Home.at.lat}
  - {property: Home.sky.colour, since: "2021-01-01", moved: Home.colour}
  - {property: Person.home, since: "2022-01-01", removed: "back later"}
`, map[string]string{
		"2020-01-01": "Person_Spec: home Home\nHome: lat string, next Home, sky Sky\nSky: colour string",
		"2021-01-01": "Person_Spec: home Home\nHome: at At, colour string, next Home\nAt: alt string, lat integer",
		"2022-01-01": "Person_Spec: name string",
	})
	r := reportOf(t, in)
	for _, test := range []struct {
		behaviour, from, to string
		want                []string
	}{
		{"a property moves into an object, and another out of one, which it leaves empty", "v20200101", "v20210101",
			[]string{"spec.home stashed []", "spec.home.lat converted [safeChange move] at.lat", "spec.home.sky converted [move]",
				"spec.home.sky.colour converted [move] colour"}},
		{"what the object has beside is carried", "v20210101", "v20200101",
			[]string{"spec.home stashed []", "spec.home.at carried []", "spec.home.at.lat converted [safeChange move] lat",
				"spec.home.colour converted [move] sky.colour"}},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			if diff := cmp.Diff(test.want, changesOf(t, r, test.from, test.to)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("nothing is lost", func(t *testing.T) {
		if err := r.CheckNothingLost(); err != nil {
			t.Error(err)
		}
	})
}

func TestCheckNothingLost(t *testing.T) {
	t.Run("a plan that forgets a property is an error", func(t *testing.T) {
		in := input(t,
			exports+"changes:\n  - {property: Person.old, since: \"2021-01-01\", renamed: new}\n", map[string]string{
				"2020-01-01": "Person_Spec: old string", "2021-01-01": "Person_Spec: new string",
			})
		b := &builder{Input: in, report: reportOf(t, in)}
		var err error
		if b.graph, err = newGraph(in.Packages, in.Shapes); err != nil {
			t.Fatal(err)
		}
		b.renames = renames{}
		for _, pairs := range b.graph.pairs["v20200101storage"] {
			pairs.Pair("Person_Spec").To = nil
		}
		from := b.graph.types["v20200101"]
		b.report.Resources[0].Conversions = nil
		b.addConversionsFrom("v20200101", b.report.Resources[0], newTrace(from))
		err = b.report.CheckNothingLost()
		want := "Person from v20200101 to v20210101 loses spec.old, by way of v20200101storage, v20210101storage: this is an error of the generator"
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}

func TestRuns(t *testing.T) {
	var versions []Version
	labels := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		versions, labels[name] = append(versions, Version{Name: name}), name
	}
	for _, test := range []struct{ at, self, want string }{
		{"abde", "c", "all"},
		{"ab", "c", "all older"},
		{"de", "c", "all newer"},
		{"abd", "c", "a … d"},
		{"bd", "c", "b … d"},
		{"ae", "c", "a, e"},
		{"ab", "d", "a, b"},
		{"b", "a", "b"},
	} {
		at := make([]bool, len(versions))
		for i, v := range versions {
			at[i] = strings.Contains(test.at, v.Name)
		}
		self := slices.IndexFunc(versions, func(v Version) bool { return v.Name == test.self })
		if got := runs(at, self, versions, labels); got != test.want {
			t.Errorf("%s, seen from %s: got %q, want %q", test.at, test.self, got, test.want)
		}
	}
}

func TestMembersText(t *testing.T) {
	enum := func(values ...string) *ir.Type {
		e := &ir.Type{Kind: ir.Enum, Base: ir.String}
		for _, v := range values {
			e.Values = append(e.Values, ir.EnumValue{Value: v})
		}
		return e
	}
	for _, test := range []struct {
		was, is *ir.Type
		want    string
	}{
		{enum("a"), enum("a", "b"), "+b"},
		{enum("a", "b"), enum("b", "c"), "+c −a"},
		{enum(), enum("a", "b", "c", "d"), "+a +b +c +d"},
		{enum(), enum("a", "b", "c", "d", "e"), "+a +b +c +2 more"},
		{enum("a"), &ir.Type{Kind: ir.Enum, Open: true, Values: enum("a").Values}, "now open"},
	} {
		if got := membersText(test.was, test.is); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// reportOf returns the report of a group.
func reportOf(t *testing.T, in Input) *Report {
	t.Helper()
	r, err := New(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
