package lock

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/armature-dev/armature/generator/plan/planner"
)

// TestDigests changes what published versions declare, in ways that leave the hubs and the
// links as they are.
func TestDigests(t *testing.T) {
	planned := func(export string) []*plan.Package {
		t.Helper()
		yaml := "exports:\n  Contoso.Crm/persons: {kind: Person" + export + "}\n"
		const types = "resource Person\nPerson_Spec: id string\nPerson_Status: conditions conditions"
		packages, err := planner.Build(optionsOf(plantest.Group(t, yaml), plantest.Version(t, "2020-01-01", types),
			plantest.Version(t, "2021-01-01", types)))
		if err != nil {
			t.Fatal(err)
		}
		return packages
	}
	declared := func(older, newer string) Digests {
		return Digests{"2020-01-01": {"Contoso.Crm/persons": older}, "2021-01-01": {"Contoso.Crm/persons": newer}}
	}
	accepted := New(planned(""), declared("a", "b"), &Lock{})
	for _, test := range []struct {
		behaviour string
		packages  []*plan.Package
		digests   Digests
		versions  string // of which the error speaks
	}{
		{"what was accepted passes", planned(""), declared("a", "b"), ""},
		{"a type, a limit or a mark of one version", planned(""), declared("a", "c"), "v20210101"},
		{"of all versions", planned(""), declared("c", "c"), "v20200101, v20210101"},
		{"another plural", planned(", plural: people"), declared("a", "b"), "v20200101, v20210101"},
		{"another short name", planned(", shortNames: [pr]"), declared("a", "b"), "v20200101, v20210101"},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			err := Check(test.packages, test.digests, accepted, "apis/crm", "lock.bzl", nil)
			if test.versions == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			want := "lock.bzl: Person is published at " + test.versions + ", and would declare something else there than the lock says"
			accept := "; accept it with: " + UpdateCommand("apis/crm")
			if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), accept) {
				t.Errorf("error %v, want %s", err, want)
			}
			updated := New(test.packages, test.digests, accepted)
			if err := Check(test.packages, test.digests, updated, "apis/crm", "lock.bzl", nil); err != nil {
				t.Errorf("lock.update does not accept it: %v", err)
			}
		})
	}
}
