package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/evolution/evolutiontest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/google/go-cmp/cmp"
)

const exports = evolutiontest.Exports

// input plans a group with one resource.
func input(t *testing.T, yaml string, specs map[string]string) Input {
	t.Helper()
	return Input{Input: evolutiontest.Input(t, yaml, specs)}
}

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

func TestPage(t *testing.T) {
	first := func(r *Report) string {
		_, page, _ := strings.Cut(string(r.Page()), "## What to do first\n")
		text, _, _ := strings.Cut(page, "\n## ")
		return text
	}
	gone := map[string]string{"2020-01-01": "Person_Spec: age string, name string", "2021-01-01": "Person_Spec: name string"}
	t.Run("a change that nobody has assessed is what to do first", func(t *testing.T) {
		got := first(reportOf(t, input(t, exports, gone)))
		for _, want := range []string{"**Assess 1 finding**", "**Person.age**", "`renames`"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not in:\n%s", want, got)
			}
		}
	})
	t.Run("where everything is assessed there is nothing to do", func(t *testing.T) {
		const assessed = exports + "changes: [{property: Person.age, since: \"2021-01-01\", removed: \"gone\"}]\n"
		got := first(reportOf(t, input(t, assessed, gone)))
		if !strings.Contains(got, "Nothing: ") {
			t.Errorf("got:\n%s", got)
		}
	})
	t.Run("a version that ends is to be told", func(t *testing.T) {
		yaml := "exports:\n  Contoso.Crm/persons: {kind: Person, aliases: [{prefix: v1api, versions: [\"2020-01-01\"], until: \"1.2\"}]}\n"
		specs := map[string]string{"2020-01-01": "Person_Spec: name string"}
		got := first(reportOf(t, input(t, yaml, specs)))
		if !strings.Contains(got, "v1api20200101 of Person, which release 1.2 no longer has") {
			t.Errorf("got:\n%s", got)
		}
	})
	t.Run("a version counts what comes, goes and changes", func(t *testing.T) {
		page := string(reportOf(t, input(t, exports, map[string]string{
			"2020-01-01": "Person_Spec: age string, home string, name string",
			"2021-01-01": "Person_Spec: age integer, mail string, name string, phone string",
			"2022-01-01": "Person_Spec: age integer, mail string, name string, phone string",
		})).Page())
		if want := "| Person |  | +2 −1 ~1 | = |\n"; !strings.Contains(page, want) {
			t.Errorf("%q is not in:\n%s", want, page)
		}
	})
	t.Run("a page has at most 400 lines, and says what it leaves out", func(t *testing.T) {
		var older, newer []string
		for i := range 900 {
			older, newer = append(older, fmt.Sprintf("old%d string", i)), append(newer, fmt.Sprintf("new%d string", i))
		}
		in := input(t, exports, map[string]string{
			"2020-01-01": "Person_Spec: " + strings.Join(older, ", "), "2021-01-01": "Person_Spec: " + strings.Join(newer, ", "),
		})
		for i := range 100 {
			in.Notes = append(in.Notes, &ir.Version{APIVersion: "2020-01-01", Notes: []ir.Note{
				{Kind: ir.Approximated, Subject: fmt.Sprint("a", i), Reason: "r"},
				{Kind: ir.Skipped, Subject: fmt.Sprint("s", i), Reason: "r"},
			}})
		}
		page := string(reportOf(t, in).Page())
		if n := strings.Count(page, "\n"); n > maxLines {
			t.Errorf("the page has %d lines, want at most %d", n, maxLines)
		}
		for _, want := range []string{"More would be too long here and is in report.json: Person.\n", "- 880 more", "- 80 more"} {
			if !strings.Contains(page, want) {
				t.Errorf("%q is not in:\n%s", want, page)
			}
		}
	})
}

func TestRuns(t *testing.T) {
	var versions []evolution.Version
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		versions = append(versions, evolution.Version{Name: name, APIVersion: name})
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
		self := slices.IndexFunc(versions, func(v evolution.Version) bool { return v.Name == test.self })
		if got := runs(at, self, versions); got != test.want {
			t.Errorf("%s, seen from %s: got %q, want %q", test.at, test.self, got, test.want)
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
