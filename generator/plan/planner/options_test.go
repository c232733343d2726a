package planner

import (
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/match"
)

// options returns the input of the plan of crm.azure.armature.dev.
func options(config *config.Group, versions ...*ir.Version) Options {
	return Options{
		Group: "crm.azure.armature.dev", Provider: "Contoso.Crm", ImportPrefix: "example.com/apis/crm/",
		Patterns: naming.Default, Config: config, Versions: versions,
	}
}

// buildAll returns the planned packages by name.
func buildAll(t *testing.T, o Options) map[string]*plan.Package {
	t.Helper()
	packages, err := Build(o)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*plan.Package{}
	for _, p := range packages {
		byName[p.Name] = p
	}
	return byName
}

// matchedByName returns the planned packages by name, with what their steps were
// decided from.
func matchedByName(t *testing.T, o Options) map[string]*match.Package {
	t.Helper()
	packages, err := matched(o)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*match.Package{}
	for _, p := range packages {
		byName[p.Name] = p
	}
	return byName
}
