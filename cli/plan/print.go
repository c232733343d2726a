package plan

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/runtime/reconcile"
)

// printed is a plan as JSON.
type printed struct {
	Summary map[reconcile.PlannedAction]int `json:"summary"`
	Notes   []string                        `json:"notes,omitempty"`
	Objects []*reconcile.Foretold           `json:"objects"`
}

// signs are what a line of an object begins with.
var signs = map[reconcile.PlannedAction]string{
	reconcile.PlanCreate: "+", reconcile.PlanChange: "!", reconcile.PlanAdopt: "!", reconcile.PlanDelete: "-",
	reconcile.PlanDetach: "-", reconcile.PlanNothing: " ", reconcile.PlanWait: "#", reconcile.PlanRefuse: "-", reconcile.PlanUnknown: "#",
}

// actions are the actions in the order of a summary, with what is said of them.
var actions = []struct {
	action reconcile.PlannedAction
	text   string
}{
	{reconcile.PlanCreate, "to create"}, {reconcile.PlanChange, "to change"}, {reconcile.PlanAdopt, "to take over"},
	{reconcile.PlanDelete, "to delete"}, {reconcile.PlanDetach, "to leave in Azure"}, {reconcile.PlanWait, "waiting"},
	{reconcile.PlanRefuse, "refused"}, {reconcile.PlanUnknown, "unknown"}, {reconcile.PlanNothing, "unchanged"},
}

// print prints a plan. Its error says that there is something to do, or that something is refused.
func (p *planning) print(all []*reconcile.Foretold) error {
	counts := map[reconcile.PlannedAction]int{}
	for i, f := range all {
		counts[f.Action]++
		if p.show == "" {
			all[i] = withoutBodies(f)
		}
	}
	out := p.command.OutOrStdout()
	var err error
	switch p.output {
	case "json":
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(printed{counts, p.notes, all})
	case "markdown":
		err = p.markdown(out, all, summary(counts))
	default:
		err = p.table(out, all, summary(counts))
	}
	switch waits := counts[reconcile.PlanWait] + counts[reconcile.PlanUnknown]; {
	case err != nil:
		return err
	case counts[reconcile.PlanRefuse] > 0:
		return fmt.Errorf("%d objects are refused", counts[reconcile.PlanRefuse])
	case p.offline && waits > 0:
		return fmt.Errorf("%d objects wait for what is not in the files", waits)
	case counts[reconcile.PlanNothing] < len(all):
		return program.ErrLook
	}
	return nil
}

// withoutBodies returns what is foretold of an object without the bodies of requests.
func withoutBodies(f *reconcile.Foretold) *reconcile.Foretold {
	other := *f
	other.Requests = slices.Clone(f.Requests)
	for i := range other.Requests {
		other.Requests[i].Body = ""
	}
	return &other
}

// summary says how many objects there are for each action.
func summary(counts map[reconcile.PlannedAction]int) string {
	var all []string
	for _, a := range actions {
		if counts[a.action] > 0 {
			all = append(all, fmt.Sprintf("%d %s", counts[a.action], a.text))
		}
	}
	if len(all) == 0 {
		return "no objects"
	}
	return strings.Join(all, ", ")
}

// table prints a plan for a terminal.
func (p *planning) table(out io.Writer, all []*reconcile.Foretold, summary string) error {
	var text strings.Builder
	p.lines(&text, all)
	for _, note := range p.notes {
		fmt.Fprintf(&text, "\nNote: %s.\n", program.Clean(note))
	}
	fmt.Fprintf(&text, "\nPlan: %s.\n", summary)
	_, err := io.WriteString(out, strings.TrimPrefix(text.String(), "\n"))
	return err
}

// markdown prints a plan for a comment in a review. All that comes from files, from the cluster or from Azure is in a
// block of code, in which no page makes anything of it: no link, no name, no markup.
func (p *planning) markdown(out io.Writer, all []*reconcile.Foretold, summary string) error {
	var text strings.Builder
	p.lines(&text, all)
	for _, note := range p.notes {
		fmt.Fprintf(&text, "# %s\n", program.Clean(note))
	}
	fence := "```"
	for strings.Contains(text.String(), fence) {
		fence += "`"
	}
	_, err := fmt.Fprintf(out, "**Plan:** %s\n\n%sdiff\n%s%s\n", summary, fence, text.String(), fence)
	return err
}

// lines prints what becomes of objects, of each in lines of its own. Those about which there is nothing to say are left
// out.
func (p *planning) lines(out *strings.Builder, all []*reconcile.Foretold) {
	for _, f := range all {
		if f.Action == reconcile.PlanNothing && f.Maybe == "" && f.Drifted == "" {
			continue
		}
		sign := signs[f.Action]
		line := func(format string, args ...any) {
			fmt.Fprintf(out, "%s %s\n", sign, strings.TrimRight(program.Clean(fmt.Sprintf(format, args...)), " "))
		}
		line("%-8s %s %s/%s  %s", f.Action, f.Kind, f.Namespace, f.Name, f.ID)
		for _, c := range f.Changes {
			switch {
			case c.Deletes:
				line("    %s: DELETED from Azure, because the list leaves it out", c.Path)
			case c.After == "":
				line("    %s: taken away", c.Path)
			case c.Before == "":
				line("    %s: %s", c.Path, c.After)
			default:
				line("    %s: %s → %s", c.Path, c.Before, c.After)
			}
		}
		for _, said := range []struct{ what, text string }{
			{"maybe: ", f.Maybe}, {"drift: ", f.Drifted}, {strings.TrimSpace(f.Reason + ": "), f.Message}} {
			if said.text != "" {
				line("    %s %s", strings.TrimSpace(said.what), said.text)
			}
		}
		for _, r := range f.Requests {
			if p.show != "" {
				line("    %s %s?api-version=%s %s", r.Method, r.ID, r.APIVersion, r.Body)
			}
		}
	}
}
