package plan

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/google/go-cmp/cmp"
)

// show writes a graph as "hub X; A→B; …", an alias with a star.
func show(r *Routes) string {
	name := func(n Node) string {
		if n.Alias {
			return "*" + n.APIVersion
		}
		return n.APIVersion
	}
	var links []string
	for from, to := range r.Next {
		links = append(links, name(from)+"→"+name(to))
	}
	slices.Sort(links)
	return strings.Join(append([]string{"hub " + name(r.Hub)}, links...), "; ")
}

func TestEachClauseOfTheRule(t *testing.T) {
	for _, test := range []struct {
		reason  string
		history History
		want    string
	}{
		{
			"one version is its own hub",
			History{Versions: []string{"2020-01-01"}},
			"hub 2020-01-01",
		}, {
			"older GA versions convert with the nearest later",
			History{Versions: []string{"2020-01-01", "2021-01-01", "2022-01-01"}},
			"hub 2022-01-01; 2020-01-01→2021-01-01; 2021-01-01→2022-01-01",
		}, {
			"without a GA version the newest preview is the hub",
			History{Versions: []string{"2020-01-01-preview", "2021-01-01-preview"}},
			"hub 2021-01-01-preview; 2020-01-01-preview→2021-01-01-preview",
		}, {
			"a newer preview does not become the hub, and converts with the nearest earlier",
			History{Versions: []string{"2020-01-01", "2021-01-01-preview", "2022-01-01-preview"}},
			"hub 2020-01-01; 2021-01-01-preview→2020-01-01; 2022-01-01-preview→2021-01-01-preview",
		}, {
			"a preview stands before the GA version of its date",
			History{Versions: []string{"2020-01-01", "2021-01-01", "2021-01-01-preview"}},
			"hub 2021-01-01; 2020-01-01→2021-01-01; 2021-01-01-preview→2021-01-01",
		}, {
			"an older preview converts with the nearest later, be it a preview",
			History{Versions: []string{"2020-01-01-preview", "2020-02-01-preview", "2021-01-01", "2022-01-01"}},
			"hub 2022-01-01; 2020-01-01-preview→2020-02-01-preview; 2020-02-01-preview→2021-01-01; 2021-01-01→2022-01-01",
		}, {
			"a GA version skips previews",
			History{Versions: []string{"2020-01-01", "2020-06-01-preview", "2020-07-01-preview", "2021-01-01"}},
			"hub 2021-01-01; 2020-01-01→2021-01-01; 2020-06-01-preview→2020-07-01-preview; 2020-07-01-preview→2021-01-01",
		}, {
			"a person chooses an older hub: newer GA versions step down, skipping previews",
			History{Versions: []string{"2020-01-01", "2021-01-01", "2021-06-01-preview", "2022-01-01"}, Hub: "2020-01-01"},
			"hub 2020-01-01; 2021-01-01→2020-01-01; 2021-06-01-preview→2021-01-01; 2022-01-01→2021-01-01",
		}, {
			"a person chooses a preview: a GA version goes straight to it if no GA version lies between",
			History{Versions: []string{"2020-01-01", "2020-06-01-preview", "2021-06-01-preview", "2022-01-01"}, Hub: "2021-06-01-preview"},
			"hub 2021-06-01-preview; 2020-01-01→2021-06-01-preview; 2020-06-01-preview→2021-06-01-preview; 2022-01-01→2021-06-01-preview",
		}, {
			"an alias converts with its twin, even that of the hub",
			History{Versions: []string{"2020-01-01", "2021-01-01"}, Aliases: []string{"2020-01-01", "2021-01-01"}},
			"hub 2021-01-01; *2020-01-01→2020-01-01; *2021-01-01→2021-01-01; 2020-01-01→2021-01-01",
		}, {
			"a resource that later versions drop has its own last version as hub",
			History{Versions: []string{"2020-01-01", "2021-01-01"}}, // and the group has 2022-01-01
			"hub 2021-01-01; 2020-01-01→2021-01-01",
		}, {
			"a resource that vanished and came back converts over the gap",
			History{Versions: []string{"2020-01-01", "2022-01-01"}}, // and the group has 2021-01-01
			"hub 2022-01-01; 2020-01-01→2022-01-01",
		},
	} {
		routes, err := Route(test.history)
		if err != nil {
			t.Errorf("%s: %v", test.reason, err)
			continue
		}
		if got := show(routes); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.reason, got, test.want)
		}
	}
}

func TestAHistoryThatCannotBeIsRefused(t *testing.T) {
	for _, test := range []struct {
		reason  string
		history History
		want    string
	}{
		{"no version", History{}, `no version has it`},
		{"no dates", History{Versions: []string{"2020-13-01", "v1"}}, `"2020-13-01" is no ARM API version: there is no day 2020-13-01
"v1" is no ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview`},
		{"the hub is no version", History{Versions: []string{"2020-01-01"}, Hub: "2020-01-02"}, `it does not exist at version "2020-01-02"; did you mean "2020-01-01"?`},
		{"an alias of no version", History{Versions: []string{"2020-01-01"}, Aliases: []string{"2020-02-01"}}, `it does not exist at version "2020-02-01"; did you mean "2020-01-01"?`},
	} {
		_, err := Route(test.history)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s:\n got %v\nwant %s", test.reason, err, test.want)
		}
	}
}

// crm are the versions of the worked evolution, in the order in which they were published.
var crm = []string{
	"2011-01-01", "2012-02-02", "2013-03-03", "2014-04-04-preview", "2014-04-04", "2015-05-05", "2016-06-06",
	"2017-07-07", "2018-08-08", "2019-09-09", "2020-10-10", "2021-11-11", "2022-12-12-preview",
}

func TestHubOfCRMAfterEachStep(t *testing.T) {
	want := []string{
		"2011-01-01", "2012-02-02", "2013-03-03", "2013-03-03", "2014-04-04", "2015-05-05", "2016-06-06",
		"2017-07-07", "2018-08-08", "2019-09-09", "2020-10-10", "2021-11-11", "2021-11-11",
	}
	preview := Node{APIVersion: "2014-04-04-preview"}
	for i := range crm {
		routes, err := Route(History{Versions: crm[:i+1]})
		if err != nil {
			t.Fatal(err)
		}
		if routes.Hub.APIVersion != want[i] {
			t.Errorf("after %s the hub is %s, want %s", crm[i], routes.Hub.APIVersion, want[i])
		}
		switch next := routes.Next[preview].APIVersion; {
		case i == 3 && next != "2013-03-03":
			t.Errorf("the preview of 2014 converts with %s while 2013-03-03 is the newest", next)
		case i > 3 && next != "2014-04-04":
			t.Errorf("after %s the preview of 2014 converts with %s, want 2014-04-04", crm[i], next)
		}
	}
}

// randomHistory has versions of a few dates, so that previews and GA versions
// of one date are common, and gaps where the resource did not exist.
func randomHistory(random *rand.Rand) History {
	var h History
	for year := range 1 + random.IntN(12) {
		date := fmt.Sprintf("%d-0%d-01", 2010+year, 1+random.IntN(9))
		if random.IntN(5) < 2 {
			h.Versions = append(h.Versions, date+[]string{"-preview", "-privatepreview"}[random.IntN(2)])
		}
		if random.IntN(5) < 3 {
			h.Versions = append(h.Versions, date)
		}
	}
	if len(h.Versions) == 0 {
		h.Versions = []string{"2010-01-01-preview"}
	}
	for _, v := range h.Versions {
		if random.IntN(4) == 0 {
			h.Aliases = append(h.Aliases, v)
		}
	}
	if random.IntN(3) == 0 {
		h.Hub = h.Versions[random.IntN(len(h.Versions))]
	}
	return h
}

func TestEveryHistoryHasOneHubThatAllReach(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 5000 {
		h := randomHistory(random)
		routes, err := Route(h)
		if err != nil {
			t.Fatalf("%+v: %v", h, err)
		}
		checkRoutes(t, h, routes)
		shuffled := History{Versions: slices.Clone(h.Versions), Aliases: slices.Clone(h.Aliases), Hub: h.Hub}
		random.Shuffle(len(shuffled.Versions), func(i, j int) {
			shuffled.Versions[i], shuffled.Versions[j] = shuffled.Versions[j], shuffled.Versions[i]
		})
		slices.Reverse(shuffled.Aliases)
		again, err := Route(shuffled)
		if diff := cmp.Diff(routes, again); err != nil || diff != "" {
			t.Fatalf("%+v: the order of the versions matters: %v %s", h, err, diff)
		}
		if t.Failed() {
			return
		}
		seen[shapeOf(h)]++
	}
	for _, shape := range []string{"ga ", "preview ", "both ", "ga alias ", "both alias override ", "preview override "} {
		if seen[shape] == 0 {
			t.Errorf("no history was %q: %v", shape, seen)
		}
	}
}

// shapeOf says what a history has, to show that the test met everything.
func shapeOf(h History) string {
	previews := 0
	for _, v := range h.Versions {
		if strings.Contains(v, "preview") {
			previews++
		}
	}
	shape := "both "
	switch previews {
	case 0:
		shape = "ga "
	case len(h.Versions):
		shape = "preview "
	}
	if len(h.Aliases) > 0 {
		shape += "alias "
	}
	if h.Hub != "" {
		shape += "override "
	}
	return shape
}

// checkRoutes checks what holds of every graph.
func checkRoutes(t *testing.T, h History, routes *Routes) {
	t.Helper()
	nodes := map[Node]bool{}
	for _, v := range h.Versions {
		nodes[Node{APIVersion: v}] = true
	}
	for _, v := range h.Aliases {
		nodes[Node{v, true}] = true
	}
	ends := maps.Clone(nodes)
	for from, to := range routes.Next {
		delete(ends, from)
		if !nodes[from] || !nodes[to] {
			t.Errorf("%+v: %v→%v is no link between its versions", h, from, to)
		}
	}
	if len(ends) != 1 || !ends[routes.Hub] {
		t.Errorf("%+v: want the hub %v as the only end, got %v", h, routes.Hub, ends)
	}
	hub := parse(t, routes.Hub)
	for node := range nodes {
		for steps := 0; node != routes.Hub; steps++ {
			if steps > len(nodes) {
				t.Fatalf("%+v: a cycle at %v", h, node)
			}
			next := routes.Next[node]
			from, to := parse(t, node), parse(t, next)
			switch {
			case node.Alias:
				if next != (Node{APIVersion: node.APIVersion}) {
					t.Errorf("%+v: the alias %v converts with %v", h, node, next)
				}
			case from.Compare(to) == 0 || from.Compare(to) != from.Compare(hub) || to.Compare(hub) == -from.Compare(hub):
				t.Errorf("%+v: %v→%v is no step toward the hub %v, or goes past it", h, node, next, hub)
			case !from.Preview() && to.Preview() && to != hub:
				t.Errorf("%+v: the GA version %v converts with a preview, %v", h, node, next)
			}
			node = next
		}
	}
}

func parse(t *testing.T, n Node) naming.Version {
	t.Helper()
	v, err := naming.ParseVersion(n.APIVersion)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
