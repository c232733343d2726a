package planner

import (
	"testing"

	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/google/go-cmp/cmp"
)

func TestMoves(t *testing.T) {
	for _, test := range []struct {
		behaviour    string
		older, newer string
		moves        string
		want         string
	}{
		{"into an object that comes", "a string", "o O\nO: a string", "a o.a", ""},
		{"into one that was there, with a type that converts", "a string, o O\nO: b string", "o O\nO: a integer, b string", "a o.a", ""},
		{"out of an object, and between two", "o O\nO: a string, b string", "a string, p P\nP: b string", "o.a a, o.b p.b", ""},
		{"the names of a path count without case", "A string", "O O\nO: a string", "a o.A", ""},
		{"the older version must lack the new place", "a string, o O\nO: a string", "o O\nO: a string", "a o.a",
			"group.yaml:4:5: Person.a cannot move to o.a at 2017-01-01: 2016-01-01 has Person.o.a too, so the value has two places; write a hook, and removed"},
		{"the newer version must lack the old place", "a string", "a string, o O\nO: a string", "a o.a",
			"group.yaml:4:5: Person.a cannot move to o.a at 2017-01-01: 2017-01-01 has Person.a too, so the value has two places; write a hook, and removed"},
		{"through a list", "a string", "l []O\nO: a string", "a l.a",
			"group.yaml:4:5: from 2017-01-01 on Person.l is []O and no object, so no property moves through it; write a hook, and removed"},
		{"through a variant", "a string", "u U\nU: union kind, v=V UV\nUV: a string", "a u.v.a",
			"group.yaml:4:5: Person.u.v is a variant of a union, so no property moves through it; write a hook, and removed"},
		{"to another type", "a string", "o O\nO: a boolean", "a o.a",
			"group.yaml:4:5: the move of Person.a to o.a since 2017-01-01 is unused: string is now boolean, and no two versions that convert with each other have the one and the other with types that convert; write a hook, and removed"},
		{"a misspelled source", "able string", "o O\nO: a string", "abel o.a",
			`group.yaml:4:5: before 2017-01-01 Person has no property abel; did you mean "able"?`},
		{"a misspelled target", "a string", "other O\nO: a string", "a othre.a",
			`group.yaml:4:5: from 2017-01-01 on Person has no property othre; did you mean "other"?`},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			packages, got := buildChanged(t, test.older, test.newer, test.moves, "moved: Person.%s")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if left := plan.ChangesBy(packages, plan.Nobody); len(left) > 0 {
				t.Errorf("%v: what moves is assessed, and so is what that empties", left)
			}
		})
	}
	t.Run("what an object loses beside its moves is to be assessed", func(t *testing.T) {
		packages, err := Build(options(plantest.Group(t, plantest.PersonYAML+`changes:
  - {property: Person.o.a, since: 2017-01-01, moved: Person.a}
`), plantest.Version(t, "2016-01-01", changedPerson+"o O\nO: a string, b string"),
			plantest.Version(t, "2017-01-01", changedPerson+"a string")))
		if err != nil {
			t.Fatal(err)
		}
		if left := plan.ChangesBy(packages, plan.Nobody); len(left) != 1 || left[0].Property != "Person.o" {
			t.Errorf("%v is to be assessed, want Person.o", left)
		}
	})
	t.Run("a move may be continued by another", func(t *testing.T) {
		packages := matchedByName(t, options(plantest.Group(t, plantest.PersonYAML+`changes:
  - {property: Person.a, since: 2017-01-01, moved: Person.o.a}
  - {property: Person.o.a, since: 2018-01-01, moved: Person.p.a}
`), plantest.Version(t, "2016-01-01", changedPerson+"a string"), plantest.Version(t, "2017-01-01", ""),
			plantest.Version(t, "2018-01-01", changedPerson+"p P\nP: a string")))
		got := packages["v20160101storage"].Moves
		if len(got) != 1 || cmp.Diff([]string{"p", "a"}, got[0].There) != "" {
			t.Errorf("got %v", got)
		}
	})
}
