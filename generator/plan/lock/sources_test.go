package lock

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/google/go-cmp/cmp"
)

// TestSources publishes a version from one format, and then adds another one.
func TestSources(t *testing.T) {
	const reshaped = plantest.PersonYAML + "\nreshaped:\n" +
		"  - {property: Person.pin, version: \"2020-01-01\", reason: \"it always was one\"}\n"
	group := plantest.Group(t, plantest.PersonYAML)
	check := func(group *config.Group, old *Lock, formats []string, changes ...ir.Reshaped) (*Lock, error) {
		t.Helper()
		v := plantest.Version(t, "2020-01-01", "resource Person\nPerson_Spec: pin string\nPerson_Status: conditions conditions")
		v.Sources, v.Reshaped = formats, changes
		packages, err := planner.Build(optionsOf(group, v))
		if err != nil {
			t.Fatal(err)
		}
		return New(packages, old), Check(packages, old, "apis/crm", "lock.bzl", nil)
	}
	published, _ := check(group, &Lock{}, []string{"jsonschema"})
	if diff := cmp.Diff(map[string]string{"v1beta20200101": "jsonschema"}, published.Sources); diff != "" {
		t.Fatal(diff)
	}
	both := []string{"bicep", "jsonschema"}
	secret := ir.Reshaped{Property: "Person.pin", What: "string is now secret"}
	for _, test := range []struct {
		behavior string
		group    *config.Group
		old      *Lock
		formats  []string
		changes  []ir.Reshaped
		wantErr  string // a part of it
		want     string // what lock.update writes
	}{
		{"nothing changed", group, published, []string{"jsonschema"}, nil, "", "jsonschema"},
		{
			"a format that changes no shape", group, published, both, nil,
			"the lock says that 2020-01-01 is made from jsonschema, and it is made from bicep+jsonschema; accept it with", "bicep+jsonschema",
		},
		{
			"a format that changes the shape", group, published, both, []ir.Reshaped{secret},
			"Person.pin: string is now secret\nWhere an entry of references, secrets or numbers, or of their opposites, keeps " +
				"what it was, add that. Where the change is right, add\nreshaped:\n" +
				"  - {property: Person.pin, version: \"2020-01-01\", reason: \"why it is right\"}", "jsonschema",
		},
		{
			"a change of the shape that a person has reviewed", plantest.Group(t, reshaped), published, both, []ir.Reshaped{secret},
			"accept it with", "bicep+jsonschema",
		},
		{
			"a lock without sources of a version that has one", group,
			&Lock{Resources: published.Resources, Links: published.Links},
			[]string{"jsonschema"}, nil, "", "jsonschema",
		},
		{
			"a lock without sources of a version that has several", group,
			&Lock{Resources: published.Resources, Links: published.Links}, both, nil,
			"is made from none", "bicep+jsonschema",
		},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			updated, err := check(test.group, test.old, test.formats, test.changes...)
			if (err == nil) != (test.wantErr == "") || err != nil && !strings.Contains(err.Error(), test.wantErr) {
				t.Errorf("got the error %v, want one with %s", err, test.wantErr)
			}
			if got := updated.Sources["v1beta20200101"]; got != test.want {
				t.Errorf("lock.update writes %s, want %s", got, test.want)
			}
		})
	}
}
