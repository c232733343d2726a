package plan_test

import (
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/google/go-cmp/cmp"
)

func TestDecode(t *testing.T) {
	packages, err := planner.Build(optionsOf(plantest.Group(t, plantest.CRMYAML), plantest.CRMVersions(t)...))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		text, err := ir.Canonical(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := plan.Decode(string(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Errorf("%s: %s", p.Name, diff)
		}
	}
	if _, err := plan.Decode(`{"unknown": 1}`); err == nil {
		t.Error("a file with an unknown key was read")
	}
}

// TestStorageShape checks that storage has no enums, docs or validation, and that the
// shape of the API version does not change.
func TestStorageShape(t *testing.T) {
	v := plantest.Version(t, "2020-01-01", "T: tier Tier required, tiers []map[string]Tier, name string\nTier: enum integer")
	name := v.Type("T").Property("name")
	name.Doc, name.Validation, name.ItemValidation = "What it is called.", &ir.Validation{Pattern: "x"}, &ir.Validation{Pattern: "y"}
	v.Type("T").Doc = "A thing."
	before, err := ir.Canonical(v)
	if err != nil {
		t.Fatal(err)
	}
	want := plantest.Version(t, "2020-01-01", "T: tier integer, tiers []map[string]integer, name string")
	if diff := cmp.Diff(want.Types, plan.StorageShape(v).Types); diff != "" {
		t.Error(diff)
	}
	if after, _ := ir.Canonical(v); string(after) != string(before) {
		t.Error("the API version was changed")
	}
}

// optionsOf returns the input of the plan of crm.azure.armature.dev.
func optionsOf(config *config.Group, versions ...*ir.Version) planner.Options {
	return planner.Options{
		Group: "crm.azure.armature.dev", Provider: "Contoso.Crm", ImportPrefix: "example.com/apis/crm/",
		Patterns: naming.Default, Config: config, Versions: versions,
	}
}
