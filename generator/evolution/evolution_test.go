package evolution_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/evolution/evolutiontest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/google/go-cmp/cmp"
)

var input = evolutiontest.Input

const exports = evolutiontest.Exports

// of returns the one resource of a group.
func of(t *testing.T, in evolution.Input) *evolution.Resource {
	t.Helper()
	all, err := evolution.New(in)
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// changesOf returns a line for each change between two versions.
func changesOf(t *testing.T, r *evolution.Resource, from, to string) []string {
	t.Helper()
	if !slices.ContainsFunc(r.Conversions, func(c *evolution.Conversion) bool { return c.From == from && c.To == to }) {
		t.Fatalf("there is no conversion from %s to %s", from, to)
	}
	var lines []string
	all := r.Between(from, to)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		for _, change := range all[path] {
			line := fmt.Sprint(path, " ", change.Fate, " ", change.How)
			if slices.Contains(change.How, evolution.Moved) && change.Name != "" {
				line += " " + change.Name
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func TestNew(t *testing.T) {
	t.Run("a type that contains itself is entered once", func(t *testing.T) {
		r := of(t, input(t, exports, map[string]string{
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
			for _, p := range r.Properties {
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
		r := of(t, input(t, exports, map[string]string{
			"2020-01-01": "Person_Spec: left A, right A\nA: c C\nB: a A, c C, name string\nC: b B",
			"2021-01-01": "Person_Spec: left A, right A\nA: b B, c C\nB: a A, c C, name string\nC: b B",
		}))
		var got []string
		for _, p := range r.Properties {
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
		r := of(t, input(t, exports, map[string]string{"2020-01-01": types}))
		// The Spec and the Status have a property each, and seven types eight.
		if got, want := len(r.Properties), 2+7*8; got != want {
			t.Errorf("got %d properties, want %d", got, want)
		}
	})
	t.Run("an alias", func(t *testing.T) {
		yaml := "exports:\n  Contoso.Crm/persons: {kind: Person, aliases: [{prefix: v1alpha1api, versions: [\"2020-01-01\"]}]}\n"
		specs := map[string]string{"2020-01-01": "Person_Spec: name string", "2021-01-01": "Person_Spec: name string"}
		t.Run("without hooks converts as its twin", func(t *testing.T) {
			r := of(t, input(t, yaml, specs))
			if n := len(r.Conversions); n != 2 || r.Versions[0].AliasOf != "v20200101" {
				t.Errorf("got %d conversions and the versions %v, want 2 conversions and an alias", n, r.Versions)
			}
		})
		t.Run("with hooks has conversions of its own", func(t *testing.T) {
			r := of(t, input(t, yaml, specs, plan.HookSource{
				Package: "v1alpha1api20200101", Receiver: "Person_Spec", Method: "AssignToPerson_Spec",
				Signature: "func (*Person_Spec) AssignToPerson_Spec(*example.com/crm/v20200101storage.Person_Spec) error",
			}))
			if n := len(r.Conversions); n != 6 {
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
	r := of(t, in)
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
		home := r.Between("v20200101", "v20230101")["spec.home"][0]
		if diff := cmp.Diff([]evolution.Stay{{From: "v20210101storage", To: "v20220101storage"}}, home.Bags); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a property that comes back says how", func(t *testing.T) {
		var backs []evolution.Back
		for _, p := range r.Properties {
			for _, s := range p.Spans {
				if s.Back != "" {
					backs = append(backs, s.Back)
				}
			}
		}
		if diff := cmp.Diff([]evolution.Back{evolution.AnotherShape, evolution.AnotherProperty}, backs); diff != "" {
			t.Error(diff)
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
	r := of(t, in)
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
}

// TestTraceUntyped follows an object that is untyped JSON at a version between, and that the newest version does not
// have, because its properties moved out of it.
func TestTraceUntyped(t *testing.T) {
	const status = "Person_Spec: id string\nPerson_Status: conditions conditions, "
	specs := map[string]string{
		"2019-01-01": status + "identity Identity_Status\nIdentity_Status: client string, tenant string",
		"2020-01-01": status + "identity Identity_Status\nIdentity_Status: client string",
		"2021-01-01": status + "identity any",
		"2022-01-01": status + "identity Identity_Status\nIdentity_Status: client string, principal string",
	}
	const v2020, v2021, v2022, v2023 = "v20200101", "v20210101", "v20220101", "v20230101"
	r := of(t, input(t, exports, specs))
	specs["2023-01-01"] = status + "client string, principal string"
	moved := of(t, input(t, exports+`changes:
  - {property: Person.identity.client, since: "2023-01-01", moved: Person.client}
  - {property: Person.identity.principal, since: "2023-01-01", moved: Person.principal}
`, specs))
	for _, test := range []struct {
		behaviour string
		of        *evolution.Resource
		from, to  string
		want      []string
	}{
		{"to untyped JSON", r, v2020, v2021, []string{"status.identity converted [safeChange]"}},
		{"from untyped JSON", r, v2021, v2022, []string{"status.identity converted [safeChange]"}},
		{"by way of it", r, v2020, v2022, []string{"status.identity converted [safeChange]"}},
		{"by way of it, with a property that the type does not have", r, v2022, v2020,
			[]string{"status.identity converted [safeChange]", "status.identity.principal carried []"}},
		{"and to a version after that", r, v2022, "v20190101",
			[]string{"status.identity converted [safeChange]", "status.identity.principal carried []"}},
		{"untyped JSON whose properties move", moved, v2021, v2023, []string{"status.identity carried []"}},
		{"properties that move into what is untyped JSON then", moved, v2023, v2021,
			[]string{"status.client converted [move] identity.client", "status.principal converted [move] identity.principal"}},
		{"and into an object after that", moved, v2023, v2020,
			[]string{"status.client converted [move] identity.client", "status.principal carried [move]"}},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			if diff := cmp.Diff(test.want, changesOf(t, test.of, test.from, test.to)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTraceMovesIntoEachOther follows an object that moves to where a property that was
// beside it has moved before.
func TestTraceMovesIntoEachOther(t *testing.T) {
	r := of(t, input(t, exports+`changes:
  - {property: Person.lock, since: "2021-01-01", moved: Person.locks.lock}
  - {property: Person.lock.enabled, since: "2021-01-01", moved: Person.locks.enabled}
`, map[string]string{
		"2019-01-01": "Person_Spec: lock Lock\nLock: enabled string, key string",
		"2020-01-01": "Person_Spec: lock Lock, name string\nLock: enabled string, key string",
		"2021-01-01": "Person_Spec: locks Locks, name string\nLocks: enabled string, lock Lock\nLock: key string",
	}))
	want := []string{
		"spec.locks converted [move]", "spec.locks.enabled converted [move] lock.enabled", "spec.locks.lock converted [move] lock",
		"spec.name carried []",
	}
	if diff := cmp.Diff(want, changesOf(t, r, "v20210101", "v20190101")); diff != "" {
		t.Error(diff)
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
	members := func(t *ir.Type) (all []string) {
		for _, v := range t.Values {
			all = append(all, v.Value)
		}
		return all
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
		if got := evolution.MembersText(members(test.was), test.was.Open, members(test.is), test.is.Open); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	in := input(t, "exports: {Contoso.Crm/persons: {kind: Person}}", map[string]string{
		"2020-01-01": "Person_Spec: name string, age integer, home Home\nHome: street string, city string",
		"2021-01-01": "Person_Spec: name string, age integer, home Home, title string\nHome: street string, city string",
	})
	older, newer := in.Shapes[0], in.Shapes[1]
	if older.APIVersion > newer.APIVersion {
		older, newer = newer, older
	}
	newer.Type("Person_Spec").Property("title").Required = true
	newer.Type("Home").Property("street").Required = true
	newer.Type("Person_Spec").Property("name").Validation = &ir.Validation{MaxLength: new(int64(9))}
	older.Type("Person_Spec").Property("age").Validation = &ir.Validation{Minimum: new(1.0)}
	r := of(t, in)
	of := []string{"v20200101"}
	want := []*evolution.Refusal{
		{Path: "spec.age", What: "≥ 1", At: "v20200101", Of: []string{"v20210101"}},
		{Path: "spec.home.street", What: "required", At: "v20210101", Of: of},
		{Path: "spec.name", What: "at most 9 characters", At: "v20210101", Of: of},
		{Path: "spec.title", What: "required", At: "v20210101", Of: of},
	}
	if diff := cmp.Diff(want, r.Refused); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
