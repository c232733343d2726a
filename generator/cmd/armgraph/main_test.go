package main

import (
	"regexp"
	"testing"

	"github.com/armature-dev/armature/generator/cmd/internal/golden"
	"github.com/armature-dev/armature/generator/plan"
)

func TestMain(m *testing.M) { golden.Main(m, main) }

func TestCases(t *testing.T) { golden.Test(t) }

// dotString matches a string of DOT, in which only a backslash escapes a quote.
var dotString = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// TestHostileNames draws names that want to be DOT. Beside its strings the graph is the same whatever they are.
func TestHostileNames(t *testing.T) {
	graph := func(group, kind string) string {
		return dotString.ReplaceAllString(string(draw([]*plan.Package{{
			Group: group, Name: "v1storage", APIVersion: "2021-01-01", Role: plan.Storage,
			Resources: []plan.Resource{{Kind: kind, Hub: true}},
		}})), "STRING")
	}
	want := graph("crm.contoso.com", "Person")
	for _, text := range []string{`a"] evil [label="`, `a\`, `a\"`, "a\x00\ufeffb", "<b>a</b>", "a\"}\nevil", `a\l"`} {
		for _, got := range []string{graph(text, "Person"), graph("crm.contoso.com", text)} {
			if got != want {
				t.Errorf("%q: beside its strings the graph is\n%s\nwant\n%s", text, got, want)
			}
		}
	}
}
