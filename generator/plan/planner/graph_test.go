package planner

import (
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/plan/internal/plantest"
)

// show returns a graph in the form "hub X; A→B; …". An alias has its prefix and a star.
func show(r *Graph) string {
	name := func(n Node) string {
		if n.Alias != "" {
			return n.Alias + "*" + n.APIVersion
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

func TestNewGraph(t *testing.T) {
	for _, test := range []struct {
		behaviour string
		history   History
		want      string
	}{
		{
			"one version is its own hub",
			History{Versions: []string{"2020-01-01"}},
			"hub 2020-01-01",
		}, {
			"a GA version converts with the next later one",
			History{Versions: []string{"2020-01-01", "2021-01-01", "2022-01-01"}},
			"hub 2022-01-01; 2020-01-01→2021-01-01; 2021-01-01→2022-01-01",
		}, {
			"without a GA version the newest preview is the hub",
			History{Versions: []string{"2020-01-01-preview", "2021-01-01-preview"}},
			"hub 2021-01-01-preview; 2020-01-01-preview→2021-01-01-preview",
		}, {
			"previews after the newest GA version climb to the newest preview, which converts with that GA version",
			History{Versions: []string{"2020-01-01", "2021-01-01-preview", "2022-01-01-preview"}},
			"hub 2020-01-01; 2021-01-01-preview→2022-01-01-preview; 2022-01-01-preview→2020-01-01",
		}, {
			"a preview comes before the GA version of its date",
			History{Versions: []string{"2020-01-01", "2021-01-01", "2021-01-01-preview"}},
			"hub 2021-01-01; 2020-01-01→2021-01-01; 2021-01-01-preview→2021-01-01",
		}, {
			"a preview converts with the next later version, even if that is a preview",
			History{Versions: []string{"2020-01-01-preview", "2020-02-01-preview", "2021-01-01", "2022-01-01"}},
			"hub 2022-01-01; 2020-01-01-preview→2020-02-01-preview; 2020-02-01-preview→2021-01-01; 2021-01-01→2022-01-01",
		}, {
			"a GA version skips previews",
			History{Versions: []string{"2020-01-01", "2020-06-01-preview", "2020-07-01-preview", "2021-01-01"}},
			"hub 2021-01-01; 2020-01-01→2021-01-01; 2020-06-01-preview→2020-07-01-preview; 2020-07-01-preview→2021-01-01",
		}, {
			"of two previews of one date the one with the suffix preview is the later",
			History{Versions: []string{"2018-06-01-preview", "2018-06-01-privatepreview"}},
			"hub 2018-06-01-preview; 2018-06-01-privatepreview→2018-06-01-preview",
		}, {
			"with a chosen GA hub later GA versions step down and all previews follow the rule",
			History{Versions: []string{"2020-01-01", "2021-01-01", "2021-06-01-preview", "2022-01-01"}, Hub: "2020-01-01"},
			"hub 2020-01-01; 2021-01-01→2020-01-01; 2021-06-01-preview→2020-01-01; 2022-01-01→2021-01-01",
		}, {
			"with a chosen preview as hub GA versions step down to the newest preview",
			History{Versions: []string{"2020-01-01", "2020-06-01-preview", "2021-06-01-preview", "2022-01-01"}, Hub: "2020-06-01-preview"},
			"hub 2020-06-01-preview; 2020-01-01→2021-06-01-preview; 2021-06-01-preview→2020-06-01-preview; 2022-01-01→2020-01-01",
		}, {
			"with a limit the newest GA version up to it is the hub, and the later versions climb among themselves before they convert with it",
			History{Versions: []string{"2020-01-01", "2020-06-01-preview", "2021-01-01", "2022-01-01-preview",
				"2022-01-01", "2023-01-01", "2023-06-01-preview"}, HubNotAfter: "2021-01-01"},
			"hub 2021-01-01; 2020-01-01→2021-01-01; 2020-06-01-preview→2021-01-01; 2022-01-01-preview→2022-01-01; 2022-01-01→2023-01-01; 2023-01-01→2021-01-01; 2023-06-01-preview→2023-01-01",
		}, {
			"with a limit and no GA version up to it the newest preview up to it is the hub",
			History{Versions: []string{"2020-01-01-preview", "2020-06-01-preview", "2022-01-01"}, HubNotAfter: "2021-01-01"},
			"hub 2020-06-01-preview; 2020-01-01-preview→2020-06-01-preview; 2022-01-01→2020-06-01-preview",
		}, {
			"a resource without a version up to the limit follows the ordinary rule",
			History{Versions: []string{"2022-01-01", "2023-01-01"}, HubNotAfter: "2021-01-01"},
			"hub 2023-01-01; 2022-01-01→2023-01-01",
		}, {
			"an alias converts with its twin, even that of the hub, whatever its prefix",
			History{Versions: []string{"2020-01-01", "2021-01-01"},
				Aliases: []Node{{"2020-01-01", "a"}, {"2021-01-01", "a"}, {"2020-01-01", "b"}}},
			"hub 2021-01-01; 2020-01-01→2021-01-01; a*2020-01-01→2020-01-01; a*2021-01-01→2021-01-01; b*2020-01-01→2020-01-01",
		}, {
			"a resource that vanished and came back converts over the gap",
			History{Versions: []string{"2020-01-01", "2022-01-01"}}, // and the group has 2021-01-01
			"hub 2022-01-01; 2020-01-01→2022-01-01",
		},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			graph, err := NewGraph(test.history)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(graph); got != test.want {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
		})
	}
	t.Run("the hub of crm is its newest GA version, after each new version", func(t *testing.T) {
		want := []string{
			"2011-01-01", "2012-02-02", "2013-03-03", "2013-03-03", "2014-04-04", "2015-05-05", "2016-06-06",
			"2017-07-07", "2018-08-08", "2019-09-09", "2020-10-10", "2021-11-11", "2021-11-11",
		}
		preview := Node{APIVersion: "2014-04-04-preview"}
		for i := range plantest.CRM {
			graph, err := NewGraph(History{Versions: plantest.CRM[:i+1]})
			if err != nil {
				t.Fatal(err)
			}
			if graph.Hub.APIVersion != want[i] {
				t.Errorf("after %s the hub is %s, want %s", plantest.CRM[i], graph.Hub.APIVersion, want[i])
			}
			switch next := graph.Next[preview].APIVersion; {
			case i == 3 && next != "2013-03-03":
				t.Errorf("the preview of 2014 converts with %s while 2013-03-03 is the newest", next)
			case i > 3 && next != "2014-04-04":
				t.Errorf("after %s the preview of 2014 converts with %s, want 2014-04-04", plantest.CRM[i], next)
			}
		}
	})
}

func TestNewGraphErrors(t *testing.T) {
	for _, test := range []struct {
		behaviour string
		history   History
		want      string
	}{
		{"a resource needs a version", History{}, `no version has it`},
		{"a version is a date", History{Versions: []string{"2020-13-01", "v1"}}, `"2020-13-01" is not an ARM API version: there is no day 2020-13-01
"v1" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview`},
		{"the hub is one of the versions", History{Versions: []string{"2020-01-01"}, Hub: "2020-01-02"},
			`it does not exist at version "2020-01-02"; did you mean "2020-01-01"?`},
		{"an alias is one of the versions", History{Versions: []string{"2020-01-01"}, Aliases: []Node{{"2020-02-01", "a"}}},
			`it does not exist at version "2020-02-01"; did you mean "2020-01-01"?`},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			_, err := NewGraph(test.history)
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v\nwant %s", err, test.want)
			}
		})
	}
}
