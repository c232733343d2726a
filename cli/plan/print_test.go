package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/runtime/reconcile"
)

// house returns what is foretold of an object.
func house(name string, action reconcile.PlannedAction) *reconcile.Foretold {
	return &reconcile.Foretold{Group: "homes", Kind: "House", Namespace: "shop", Name: name, Action: action, ID: "/houses/" + name}
}

// printPlan prints a plan.
func printPlan(t *testing.T, p *planning, all ...*reconcile.Foretold) (string, error) {
	t.Helper()
	var out bytes.Buffer
	p.command = &cobra.Command{}
	p.command.SetOut(&out)
	err := p.print(all)
	return out.String(), err
}

func TestPrint(t *testing.T) {
	made := house("a", reconcile.PlanCreate)
	made.Changes = []reconcile.PlannedChange{{Path: "spec.rooms", After: "3"}}
	made.Requests = []reconcile.ForetoldRequest{{Method: "PUT", ID: "/houses/a", APIVersion: "2020-02-02", Body: `{"rooms":3}`}}
	changed := house("b", reconcile.PlanChange)
	changed.Changes = []reconcile.PlannedChange{{Path: "spec.rooms", Before: "1", After: "3"},
		{Path: "spec.doors[name=x]", Before: `"secret old value"`, Deletes: true}, {Path: "spec.tags.old", Before: `"secret old value"`}}
	changed.Maybe = "ARM shows it otherwise"
	waits := house("c", reconcile.PlanWait)
	waits.Reason, waits.Message = "WaitingForOwner", "there is none"
	drifted := house("e", reconcile.PlanNothing)
	drifted.Drifted = "eve was here"
	all := []*reconcile.Foretold{made, changed, waits, house("d", reconcile.PlanNothing), drifted}

	t.Run("a table", func(t *testing.T) {
		const want = `+ create   House shop/a  /houses/a
+     spec.rooms: 3
! change   House shop/b  /houses/b
!     spec.rooms: 1 → 3
!     spec.doors[name=x]: DELETED from Azure, because the list leaves it out
!     spec.tags.old: taken away
!     maybe: ARM shows it otherwise
# wait     House shop/c  /houses/c
#     WaitingForOwner: there is none
  none     House shop/e  /houses/e
      drift: eve was here

Note: look out.

Plan: 1 to create, 1 to change, 1 waiting, 2 unchanged.
`
		got, _ := printPlan(t, &planning{notes: []string{"look out"}}, slices.Clone(all)...)
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("bodies only where they are asked for", func(t *testing.T) {
		got, _ := printPlan(t, &planning{show: "request"}, made)
		if want := `PUT /houses/a?api-version=2020-02-02 {"rooms":3}`; !strings.Contains(got, want) {
			t.Errorf("got %s, want %s in it", got, want)
		}
		got, _ = printPlan(t, &planning{output: "json"}, made)
		var plan printed
		if err := json.Unmarshal([]byte(got), &plan); err != nil || plan.Summary[reconcile.PlanCreate] != 1 || len(plan.Objects) != 1 ||
			plan.Objects[0].Requests[0].Body != "" {
			t.Errorf("got %s, %v", got, err)
		}
	})
	t.Run("the status says whether there is something to do", func(t *testing.T) {
		const nothing, something, refused = "<nil>", "there is something to look at", "1 objects are refused"
		for action, want := range map[reconcile.PlannedAction]string{
			reconcile.PlanNothing: nothing, reconcile.PlanCreate: something, reconcile.PlanChange: something,
			reconcile.PlanAdopt: something, reconcile.PlanDelete: something, reconcile.PlanDetach: something, reconcile.PlanWait: something,
			reconcile.PlanUnknown: something, reconcile.PlanRefuse: refused,
		} {
			_, err := printPlan(t, &planning{}, house("a", action))
			got := "<nil>"
			if err != nil {
				got = err.Error()
			}
			if got != want || errors.Is(err, program.ErrLook) != (want == something) {
				t.Errorf("%s: got %s, want %s", action, got, want)
			}
		}
		if _, err := printPlan(t, &planning{offline: true}, house("a", reconcile.PlanWait)); err == nil || errors.Is(err, program.ErrLook) {
			t.Errorf("what waits offline: got %v", err)
		}
	})
}

// TestHostile prints texts that want to be more than text.
func TestHostile(t *testing.T) {
	for _, text := range []string{
		"\x1b[2Jgone", "a\u202eb", "a\nb", "a\r\n```\n# title", "````", "@team please", "<script>alert(1)</script>",
		"[click](https://evil.example)", "https://evil.example", "![x](https://evil.example/p.png)", "<!-- -->", "</code></pre><b>",
		"fixes #1", "a\u0085b", "a\u2028b", "\x9b31m",
	} {
		f := house("a", reconcile.PlanChange)
		f.ID, f.Message, f.Maybe, f.Drifted, f.Reason = text, text, text, text, "Reason"
		f.Changes = []reconcile.PlannedChange{{Path: text, Before: text, After: text}, {Path: text, After: text}}
		f.Requests = []reconcile.ForetoldRequest{{Method: "PUT", ID: text, Body: text}}
		table, _ := printPlan(t, &planning{show: "request", notes: []string{text}}, f)
		lines := strings.Count(table, "\n")
		if plain, _ := printPlan(t, &planning{show: "request", notes: []string{"x"}}, f); strings.ContainsAny(table,
			"\x1b\r\u202e\u0085\u2028") || lines != strings.Count(plain, "\n") {
			t.Errorf("%q: got %q", text, table)
		}
		markdown, _ := printPlan(t, &planning{show: "request", output: "markdown", notes: []string{text}}, f)
		var html bytes.Buffer
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(markdown), &html); err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(html.String(), "<pre><code class=\"language-diff\">")
		inside, after, _ := strings.Cut(rest, "</code></pre>")
		if strings.Contains(inside, "<") || strings.TrimSpace(after) != "" ||
			!strings.HasPrefix(html.String(), "<p><strong>Plan:</strong> 1 to change</p>\n<pre>") {
			t.Errorf("%q: the page is %s", text, html.String())
		}
	}
}
