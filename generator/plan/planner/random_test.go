package planner

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/runtime/apiversion"
)

var randomKinds = []string{"Alpha", "Beta", "Gamma"}

// randomGroup describes a group of several resources, each with its own versions.
// It grows by one edit at a time.
type randomGroup struct {
	random *rand.Rand
	// versions, aliases and hubs hold the API versions of each kind.
	versions map[string][]string
	aliases  map[string][]*config.Alias
	hubs     map[string]string
	retired  []string
	limit    string
}

// newRandomGroup returns a group in which each kind has one version.
func newRandomGroup(random *rand.Rand) *randomGroup {
	g := &randomGroup{random: random, versions: map[string][]string{}, aliases: map[string][]*config.Alias{}, hubs: map[string]string{}}
	for _, kind := range randomKinds {
		g.versions[kind] = []string{"2010-01-01" + []string{"", "-preview"}[random.IntN(2)]}
	}
	return g
}

// all returns the versions of the group, sorted.
func (g *randomGroup) all() []string {
	versions := slices.Concat(slices.Collect(maps.Values(g.versions))...)
	slices.SortFunc(versions, naming.CompareVersions)
	return slices.Compact(versions)
}

// overridden reports whether a person has chosen a hub.
func (g *randomGroup) overridden() bool { return len(g.hubs) > 0 || g.limit != "" }

// edit changes the group in one way, and returns how.
func (g *randomGroup) edit() string {
	kind := randomKinds[g.random.IntN(len(randomKinds))]
	own := g.versions[kind]
	switch g.random.IntN(12) {
	case 0:
		prefix, alias := []string{"v1alpha1api", "v1old"}[g.random.IntN(2)], own[g.random.IntN(len(own))]
		i := slices.IndexFunc(g.aliases[kind], func(a *config.Alias) bool { return a.Prefix == prefix })
		if i < 0 {
			i = len(g.aliases[kind])
			g.aliases[kind] = append(g.aliases[kind], &config.Alias{Prefix: prefix})
		}
		if entry := g.aliases[kind][i]; !slices.Contains(entry.Versions, alias) {
			entry.Versions = append(entry.Versions, alias)
		}
		return "alias of " + kind
	case 1:
		g.hubs[kind] = own[g.random.IntN(len(own))]
		return "hub of " + kind
	case 2:
		delete(g.hubs, kind)
		return "no hub of " + kind
	case 3:
		g.limit = g.all()[g.random.IntN(len(g.all()))]
		return "limit"
	case 4:
		g.limit = ""
		return "no limit"
	case 5:
		if v := g.all()[g.random.IntN(len(g.all()))]; !slices.Contains(g.retired, v) && !g.leaves(v) {
			g.retired = append(g.retired, v)
		}
		return "retired"
	}
	// There are few dates, so that one often has several previews and a GA version.
	version := fmt.Sprintf("%d-0%d-01", 2010+g.random.IntN(6), 1+g.random.IntN(3)) +
		[]string{"", "", "-preview", "-preview", "-privatepreview"}[g.random.IntN(5)]
	if slices.Contains(own, version) {
		return "nothing"
	}
	g.versions[kind] = append(own, version)
	return "version " + version + " of " + kind
}

// leaves reports whether some kind would be served at no version without v.
func (g *randomGroup) leaves(v string) bool {
	for _, versions := range g.versions {
		if !slices.ContainsFunc(versions, func(w string) bool { return w != v && !slices.Contains(g.retired, w) }) {
			return true
		}
	}
	return false
}

// options returns the input of a plan, its versions in random order.
func (g *randomGroup) options(t *testing.T) Options {
	t.Helper()
	group := &config.Group{File: "group.yaml", Exports: map[string]*config.Export{}, Retired: g.retired, HubNotAfter: g.limit}
	for _, kind := range randomKinds {
		group.Exports["Contoso.Crm/"+strings.ToLower(kind)+"s"] = &config.Export{Kind: kind, Hub: g.hubs[kind], Aliases: g.aliases[kind]}
	}
	var versions []*ir.Version
	for _, v := range g.all() {
		lines := "Sku: name string\n"
		for _, kind := range randomKinds {
			if slices.Contains(g.versions[kind], v) {
				lines += fmt.Sprintf("resource %[1]s\n%[1]s_Spec: sku Sku\n%[1]s_Status: conditions conditions\n", kind)
			}
		}
		versions = append(versions, plantest.Version(t, v, lines))
	}
	g.random.Shuffle(len(versions), func(i, j int) { versions[i], versions[j] = versions[j], versions[i] })
	return options(group, versions...)
}

// cycle returns an error if packages import each other in a cycle.
func cycle(imports map[string][]string) error {
	done := map[string]bool{}
	var visit func(name string, path []string) error
	visit = func(name string, path []string) error {
		if slices.Contains(path, name) {
			return fmt.Errorf("the packages %s import each other", strings.Join(append(path, name), " → "))
		}
		if done[name] {
			return nil
		}
		for _, next := range imports[name] {
			if err := visit(next, append(slices.Clone(path), name)); err != nil {
				return err
			}
		}
		done[name] = true
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if err := visit(name, nil); err != nil {
			return err
		}
	}
	return nil
}

// linkImports returns the imports that the links of a group's kinds make.
func linkImports(t *testing.T, g *randomGroup) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for _, kind := range randomKinds {
		graph, err := NewGraph(History{Versions: g.versions[kind], Hub: g.hubs[kind], HubNotAfter: g.limit})
		if err != nil {
			t.Fatal(err)
		}
		for from, to := range graph.Next {
			imports[from.APIVersion] = append(imports[from.APIVersion], to.APIVersion)
		}
	}
	return imports
}

// links returns what each storage package of a kind converts with, "" for the hub.
func links(packages []*plan.Package, kind string) map[string]string {
	next := map[string]string{}
	for _, p := range packages {
		for _, r := range p.Resources {
			if r.Kind == kind && p.Role == plan.Storage {
				next[p.Name] = r.Next
			}
		}
	}
	return next
}

// checkTree returns an error unless a kind has one hub, and all its storage
// versions lead there.
func checkTree(next map[string]string) error {
	hub := ""
	for name, to := range next {
		if to != "" {
			continue
		}
		if hub != "" {
			return fmt.Errorf("there are the hubs %s and %s", hub, name)
		}
		hub = name
	}
	for name := range next {
		for steps := 0; name != hub; steps++ {
			to, planned := next[name]
			if !planned || steps > len(next) {
				return fmt.Errorf("%s does not lead to the hub %s: %v", name, hub, next)
			}
			name = to
		}
	}
	return nil
}

// checkRule returns an error unless the links of a kind without overrides follow
// the section "Which versions convert with each other" of docs/decisions.md.
func checkRule(versions []string, name func(string) string, next map[string]string) error {
	var ga []string
	for _, v := range versions {
		if strings.Count(v, "-") == 2 {
			ga = append(ga, v)
		}
	}
	after := func(v string, list []string) string { // the earliest of a list that is later
		var later []string
		for _, w := range list {
			if naming.CompareVersions(w, v) > 0 {
				later = append(later, w)
			}
		}
		if len(later) == 0 {
			return ""
		}
		return slices.MinFunc(later, naming.CompareVersions)
	}
	newestGA := ""
	if len(ga) > 0 {
		newestGA = slices.MaxFunc(ga, naming.CompareVersions)
	}
	for _, v := range versions {
		want := cmp.Or(after(v, versions), newestGA) // of a preview
		if slices.Contains(ga, v) {
			want = after(v, ga)
		}
		if want != "" {
			want = apiversion.Storage(name(want))
		}
		if got := next[apiversion.Storage(name(v))]; got != want {
			return fmt.Errorf("%s converts with %q, want %q", v, got, want)
		}
	}
	return nil
}

// kubeName returns a function from an API version to its Kubernetes name.
func kubeName(t *testing.T) func(string) string {
	return func(v string) string {
		parsed, err := naming.ParseVersion(v)
		if err != nil {
			t.Fatal(err)
		}
		name, err := naming.Default.Name(parsed)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
}

func TestRandomGroups(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	seen := map[string]int{}
	for range 150 {
		g := newRandomGroup(random)
		var before map[string]map[string]string
		for range 14 {
			wasOverridden := g.overridden()
			what := g.edit()
			packages, err := Build(g.options(t))
			impossible := cycle(linkImports(t, g))
			if (err == nil) != (impossible == nil) {
				t.Fatalf("%+v\nBuild: %v\nimports: %v", g, err, impossible)
			}
			if err != nil {
				seen["impossible"]++
				if len(g.hubs) == 0 {
					t.Fatalf("without a hub of a resource, %+v is impossible: %v", g, err)
				}
				delete(g.hubs, slices.Sorted(maps.Keys(g.hubs))[0])
				before = nil
				continue
			}
			after := map[string]map[string]string{}
			for _, kind := range randomKinds {
				after[kind] = links(packages, kind)
				if err := checkTree(after[kind]); err != nil {
					t.Fatalf("%+v: %s: %v", g, kind, err)
				}
				if !g.overridden() {
					seen["ordinary"]++
					if err := checkRule(g.versions[kind], kubeName(t), after[kind]); err != nil {
						t.Fatalf("%+v: %s: %v", g, kind, err)
					}
				}
			}
			checkLocked(t, packages)
			if version, isVersion := strings.CutPrefix(what, "version "); isVersion && before != nil && !wasOverridden {
				changed, limit := countChanges(before, after), 3
				if strings.Contains(version, "preview") {
					limit = 1
				}
				seen[fmt.Sprintf("%d changes of at most %d", changed, limit)]++
				if changed > limit {
					t.Fatalf("%+v: %s changed %d links from %v to %v", g, what, changed, before, after)
				}
			}
			for what, is := range map[string]bool{"aliases": len(g.aliases) > 0, "hub": len(g.hubs) > 0,
				"limit": g.limit != "", "retired": len(g.retired) > 0} {
				if is {
					seen[what]++
				}
			}
			before = after
		}
	}
	for _, what := range []string{"impossible", "ordinary", "aliases", "hub", "limit", "retired",
		"1 changes of at most 1", "3 changes of at most 3"} {
		if seen[what] == 0 {
			t.Errorf("no group had %q: %v", what, seen)
		}
	}
}

// countChanges returns the largest number of links of a kind that were and are
// something else now. A version that was the hub had no link.
func countChanges(before, after map[string]map[string]string) int {
	most := 0
	for kind := range before {
		changed := 0
		for name, to := range before[kind] {
			if to != after[kind][name] {
				changed++
			}
		}
		most = max(most, changed)
	}
	return most
}

// checkLocked checks that a new lock is accepted, and that it has the links that the
// build graph needs.
func checkLocked(t *testing.T, packages []*plan.Package) {
	t.Helper()
	text, err := lock.New(packages, nil, &lock.Lock{}).Format("apis/crm")
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := lock.Parse("lock.bzl", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Check(packages, nil, accepted, "apis/crm", "lock.bzl", text); err != nil {
		t.Fatalf("a new lock is refused: %v", err)
	}
	if err := cycle(accepted.Links); err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		if p.Role != plan.Storage {
			continue
		}
		if err := lock.CheckNeighbours(p, accepted.Links[p.Name], "apis/crm"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPackageCycle has the shape of Microsoft.Sql, whose packages import each other
// if each resource chooses its own direction: servers had a GA version as hub, to
// which later previews step down, and the previews of managedInstances climb.
func TestPackageCycle(t *testing.T) {
	sql := &randomGroup{versions: map[string][]string{
		"Alpha": {"2014-04-01", "2020-11-01-preview", "2021-02-01-preview"},
		"Beta":  {"2020-11-01-preview", "2021-02-01-preview"},
		"Gamma": {"2014-04-01"},
	}, random: rand.New(rand.NewPCG(1, 2))}
	t.Run("the shape of Microsoft.Sql has no cycle", func(t *testing.T) {
		if err := cycle(linkImports(t, sql)); err != nil {
			t.Error(err)
		}
		if _, err := Build(sql.options(t)); err != nil {
			t.Error(err)
		}
	})
	t.Run("a cycle is found if each resource chooses its direction", func(t *testing.T) {
		err := cycle(map[string][]string{
			"2021-02-01-preview": {"2020-11-01-preview"},               // servers step down to the GA version
			"2020-11-01-preview": {"2014-04-01", "2021-02-01-preview"}, // managedInstances climb to the newest preview
		})
		if err == nil {
			t.Error("no cycle was found")
		}
	})
	t.Run("a hub that contradicts another resource is an error that names both", func(t *testing.T) {
		const exports = "exports:\n  Contoso.Crm/alphas: {kind: Alpha, hub: 2020-01-01}\n  Contoso.Crm/betas: {kind: Beta}\n"
		o := options(plantest.Group(t, exports),
			plantest.Version(t, "2020-01-01", twoKinds), plantest.Version(t, "2021-01-01", twoKinds))
		_, err := Build(o)
		const want = `group.yaml:2:42: with the hub 2020-01-01, Alpha converts from version 2021-01-01 to 2020-01-01, and Beta converts the other way, so that the two packages would import each other; remove this hub, or choose one for all resources with: hubNotAfter: 2020-01-01`
		if err == nil || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
		o.Config.Exports["Contoso.Crm/alphas"].Hub, o.Config.HubNotAfter = "", "2020-01-01"
		if _, err := Build(o); err != nil {
			t.Errorf("the remedy in the message: %v", err)
		}
	})
}

const twoKinds = "Sku: name string\n" +
	"resource Alpha\nAlpha_Spec: sku Sku\nAlpha_Status: conditions conditions\n" +
	"resource Beta\nBeta_Spec: sku Sku\nBeta_Status: conditions conditions\n"
