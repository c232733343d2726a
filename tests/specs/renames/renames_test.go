// Package renames_test compares the guesses of generator/renames with the
// decisions of people about the groups in apis: a rename should be found, and a
// removal should not be called a likely rename.
package renames_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/renames"
)

// group is a service group, with the versions that Bazel has read.
type group struct {
	name     string
	yaml     []byte
	versions []*ir.Version
}

// groups returns the groups that Bazel gives this test.
func groups(t *testing.T) []group {
	t.Helper()
	value := os.Getenv("ARMATURE_GROUPS")
	if value == "" {
		t.Skip("ARMATURE_GROUPS names no groups: run it with bazel, which reads their specs")
	}
	var all []group
	for _, name := range strings.Split(value, ",") {
		dir := filepath.Join("../../../apis", name)
		yaml, err := os.ReadFile(filepath.Join(dir, "group.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.ir.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no IR: %v", dir, err)
		}
		g := group{name: name, yaml: yaml}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			v, err := ir.Decode(string(text))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			g.versions = append(g.versions, v)
		}
		all = append(all, g)
	}
	return all
}

// decisions returns the parsed group.yaml.
func (g group) decisions(t *testing.T) *config.Group {
	t.Helper()
	decisions, err := config.Parse("group.yaml", g.yaml)
	if err != nil {
		t.Fatal(err)
	}
	return decisions
}

// find returns all findings as if nobody had reviewed a removal, or the error of the plan.
func (g group) find(decisions *config.Group) ([]*renames.Finding, error) {
	decisions.Changes = slices.DeleteFunc(decisions.Changes, func(c config.Change) bool { return c.Removed != "" })
	packages, err := planner.Build(planner.Options{
		Group: g.name + ".azure.armature.dev", Provider: "P", ImportPrefix: "example.com/", Patterns: naming.Default,
		Config: decisions, Versions: g.versions,
	})
	if err != nil {
		return nil, err
	}
	return renames.Find(packages, g.versions, decisions)
}

// TestKnownRenames tests that a rename in group.yaml is found without its entry:
// it is the first guess for its property, and the property is among the first
// few findings. The types of a version that another source describes are left out: they have
// other names because of that, tools/add finds them by their place, and nobody guesses.
// Nor is a rename guessed without which a move converts nothing: the plan refuses the move.
func TestKnownRenames(t *testing.T) {
	const first = 3
	for _, g := range groups(t) {
		for _, known := range g.decisions(t).Changes {
			if known.Renamed == "" || known.Type != "" && g.isFromBicepTypes(known.Since) {
				continue
			}
			left := g.decisions(t)
			left.Changes = slices.DeleteFunc(left.Changes, func(c config.Change) bool {
				// Renames inside a type can be found only once the type is matched.
				typ, _ := c.Names()
				return c == known || c.Renamed != "" && typ != "" && (typ == known.Type || known.Type != "" && typ == known.Renamed)
			})
			_, from := known.Names()
			what := fmt.Sprintf("%s%s is %s since %s", known.Type, known.Property, known.Renamed, known.Since)
			g.check(t, left, first, what, func(f *renames.Finding) bool {
				guess := f.Guesses[0]
				if known.Type != "" {
					return guess.FromType == from && guess.ToType == known.Renamed
				}
				_, name, _ := strings.Cut(f.Property, ".")
				return name == from && guess.To == known.Renamed
			})
		}
	}
}

// isFromBicepTypes reports whether bicep types describe a version.
func (g group) isFromBicepTypes(apiVersion string) bool {
	return slices.ContainsFunc(g.versions, func(v *ir.Version) bool {
		return v.APIVersion == apiVersion && slices.Contains(v.Sources, "bicep")
	})
}

// byDescription are the renames that only descriptions tell, which a build without the published specs does not have.
var byDescription = []string{
	"ResourceFile.blobSource is httpUrl since 2018-12-01",
	"ServerDatabaseTransparentDataEncryption.status is state since 2021-02-01-preview",
}

// check reports an error unless one of the first findings is a known rename.
func (g group) check(t *testing.T, left *config.Group, first int, what string, is func(*renames.Finding) bool) {
	t.Helper()
	findings, err := g.find(left)
	if err != nil {
		left.Changes = slices.DeleteFunc(left.Changes, func(c config.Change) bool { return c.Moved != "" })
		if _, other := g.find(left); other != nil {
			t.Errorf("%s: %s: %v", g.name, what, other)
		}
		t.Logf("%s: %s: %v", g.name, what, err)
		return
	}
	for i, f := range findings {
		if len(f.Guesses) == 0 || !is(f) {
			continue
		}
		t.Logf("%s: %s: rank %d of %d, %d of 100, likely %v", g.name, what, i+1, len(findings), f.Guesses[0].Score, f.Likely())
		if i >= first {
			t.Errorf("%s: %s: found at rank %d only", g.name, what, i+1)
		}
		return
	}
	if withoutDocs := g.versions[0].WithoutDocs; !withoutDocs || !slices.Contains(byDescription, what) {
		t.Errorf("%s: %s: not found", g.name, what)
	}
}

// TestKnownRemovals tests that few of the removals that a person reviewed are
// called likely renames. Some may look like both, and only somebody who knows the
// service can decide whether the value still means the same.
func TestKnownRemovals(t *testing.T) {
	for _, g := range groups(t) {
		reviewed := g.decisions(t).Changes
		likely, all := 0, 0
		findings, err := g.find(g.decisions(t))
		if err != nil {
			t.Fatalf("%s: %v", g.name, err)
		}
		for _, f := range findings {
			i := slices.IndexFunc(reviewed, func(r config.Change) bool {
				return r.Removed != "" && strings.EqualFold(r.Property, f.Property) && r.Since == f.Since
			})
			if i < 0 {
				continue
			}
			all++
			if f.Likely() {
				likely++
				t.Logf("%s: %s of %s is called a likely %s, and was reviewed: %s", g.name, f.Property, f.Older,
					f.Guesses[0].To, reviewed[i].Removed)
			}
		}
		t.Logf("%s: %d of %d reviewed removals are called likely renames", g.name, likely, all)
		if likely > max(1, all/20) {
			t.Errorf("%s: %d of %d reviewed removals are called likely renames", g.name, likely, all)
		}
	}
}
