// Package casestudies tells the story of apis/crm three times: with one storage
// version for good, with the newest version as the storage version, and with the
// chain of storage versions. It writes the tables in docs/case-studies.
//
// The first two ways have no generated code. Their conversions are the steps that
// the planner makes of the same specs, carried out on JSON: what a step would put
// into a bag is lost. The chain's conversions are those of the generated packages.
package casestudies

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/facts"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/transform"
)

const (
	crm     = "../../apis/crm"
	persons = "Contoso.Crm/persons"
	kind    = "Person"
)

// group is the service, with what a person decided about it.
type group struct {
	testing.TB
	versions []*ir.Version // in the order in which they were published
	changes  []config.Change
}

// readGroup reads the facts of all versions, and group.yaml.
func readGroup(t testing.TB) *group {
	t.Helper()
	decided, err := config.Read(crm + "/group.yaml")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(crm + "/specs/*.facts.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no facts: %v", err)
	}
	g := &group{TB: t, changes: decided.Changes}
	load := decided.Load()
	load.Exports = map[string]string{persons: kind}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := facts.Decode(file, string(text), "")
		if err != nil {
			t.Fatal(err)
		}
		facts.Select(raw, load.Exports)
		shaped, err := transform.Shape(raw, load)
		if err != nil {
			t.Fatal(err)
		}
		g.versions = append(g.versions, transform.API(shaped))
	}
	slices.SortFunc(g.versions, func(x, y *ir.Version) int { return naming.CompareVersions(x.APIVersion, y.APIVersion) })
	return g
}

// plan returns the plan of some versions, with the hub, or the planner's choice if hub is "".
func (g *group) plan(hub string, versions ...*ir.Version) []*plan.Package {
	g.Helper()
	decided := &config.Group{Exports: map[string]*config.Export{persons: {Kind: kind, Hub: hub}}}
	for _, change := range g.changes {
		if g.inUse(change, versions) {
			decided.Changes = append(decided.Changes, change)
		}
	}
	packages, err := planner.Build(planner.Options{
		Group: "crm.example.com", Provider: "Contoso.Crm", ImportPrefix: "example.com/crm", Patterns: naming.Default, Config: decided,
		Versions: versions,
	})
	if err != nil {
		g.Fatal(err)
	}
	return packages
}

// inUse reports whether a rename or move lies between some versions, because the planner
// refuses others. It needs no reasons for what was removed.
func (g *group) inUse(change config.Change, versions []*ir.Version) bool {
	typ, path := change.Names()
	name, _, _ := strings.Cut(path, ".")
	before, after := false, false
	for _, v := range versions {
		if naming.CompareVersions(change.Since, v.APIVersion) <= 0 {
			after = true
			continue
		}
		if change.Type != "" {
			before = before || v.Type(name) != nil
		} else if t := v.Type(g.firstName(v, typ)); t != nil {
			before = before || t.Property(name) != nil
		} else if t := v.Type(naming.Spec(typ)); t != nil {
			before = before || t.Property(name) != nil
		}
	}
	return change.Removed == "" && before && after
}

// link returns how a version converts with a storage version.
func (g *group) link(v, storage *ir.Version) plan.NeighbourPairs {
	g.Helper()
	packages := g.plan(storage.APIVersion, v, storage)
	return g.pairs(packages[slices.IndexFunc(packages, func(p *plan.Package) bool {
		return p.Role == plan.Storage && p.APIVersion == v.APIVersion
	})])[0]
}

// pairs returns how a package converts with its neighbours.
func (g *group) pairs(p *plan.Package) []plan.NeighbourPairs {
	g.Helper()
	pairs, err := plan.Pairs(p, plan.Shape(p, g.version(p.APIVersion)))
	if err != nil {
		g.Fatal(err)
	}
	return pairs
}

func (g *group) version(apiVersion string) *ir.Version { return g.versions[g.index(apiVersion)] }

func (g *group) index(apiVersion string) int {
	return slices.IndexFunc(g.versions, func(v *ir.Version) bool { return v.APIVersion == apiVersion })
}

// names returns the names of the versions in Kubernetes.
func (g *group) names() []string {
	g.Helper()
	var apiVersions []string
	for _, v := range g.versions {
		apiVersions = append(apiVersions, v.APIVersion)
	}
	names, err := naming.Default.Names(apiVersions)
	if err != nil {
		g.Fatal(err)
	}
	return names
}

// newestGA returns the newest version that is no preview.
func newestGA(versions []*ir.Version) *ir.Version {
	for _, v := range slices.Backward(versions) {
		if parsed, err := naming.ParseVersion(v.APIVersion); err == nil && !parsed.Preview() {
			return v
		}
	}
	return nil
}

// counted reports whether a property counts: it is ARM's, and may have a value.
func counted(v *ir.Version, p *ir.Property) bool {
	switch p.Type.Primitive {
	case ir.Owner, ir.OperatorSpec:
		return false
	}
	t := v.Type(p.Type.Named)
	return !p.AzureName && (t == nil || t.Kind == ir.Enum || len(t.Properties) > 0)
}

// fill returns an object of a type with a value of its own for each property.
func fill(v *ir.Version, t *ir.Type, path string) map[string]any {
	object := map[string]any{}
	for _, p := range t.Properties {
		if counted(v, p) {
			object[p.Name] = value(v, p.Type, strings.TrimPrefix(path+"."+p.Name, "."))
		}
	}
	return object
}

func value(v *ir.Version, r ir.TypeRef, path string) any {
	switch {
	case r.Items != nil:
		return []any{value(v, *r.Items, path)}
	case r.Primitive == ir.Number:
		return float64(len(path)) + 0.5
	case r.Primitive == ir.String:
		return path + " of " + v.APIVersion
	}
	return fill(v, v.Type(r.Named), path)
}

// leaves adds the values in a value, by their paths.
func leaves(x any, path string, into map[string]any) map[string]any {
	switch x := x.(type) {
	case map[string]any:
		for name, below := range x {
			leaves(below, strings.TrimPrefix(path+"."+name, "."), into)
		}
	case []any:
		for _, below := range x {
			leaves(below, path, into)
		}
	default:
		into[path] = x
	}
	return into
}

// lacksRequired reports whether an API server refuses an object of a type, because it
// lacks a property that the version requires.
func lacksRequired(v *ir.Version, typ string, object map[string]any) bool {
	t := v.Type(typ)
	return t != nil && slices.ContainsFunc(t.Properties, func(p *ir.Property) bool {
		below, isObject := object[p.Name].(map[string]any)
		return counted(v, p) && p.Required && object[p.Name] == nil || isObject && lacksRequired(v, p.Type.Named, below)
	})
}

// spec returns the Spec of an object.
func spec(object map[string]any) map[string]any {
	s, _ := object["spec"].(map[string]any)
	return s
}

// lost returns the paths of the values of an object that another one has not, sorted.
func lost(made, seen map[string]any) (paths []string) {
	has := leaves(spec(seen), "", map[string]any{})
	for path, x := range leaves(spec(made), "", map[string]any{}) {
		if has[path] != x {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// full returns an object with all properties of a version.
func (g *group) full(at int) map[string]any {
	v := g.versions[at]
	return map[string]any{"spec": fill(v, v.Type(v.Resource(persons).Spec), "")}
}
