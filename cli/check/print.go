package check

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// report is what is printed for programs.
type report struct {
	Findings []Finding `json:"findings"`
	// Breaks is the number of findings that break somebody.
	Breaks int `json:"breaks"`
	// WayBack reports whether the old release can be installed again as it is. It is nil where
	// there is no old one.
	WayBack *bool `json:"wayBackIsSafe,omitempty"`
}

// newReport returns the report of findings, of which some may be about the way back if two
// releases were compared.
func newReport(findings []Finding, compares bool) report {
	r := report{Findings: append([]Finding{}, findings...)}
	isSafe := true
	for _, f := range findings {
		if f.Level == breaks {
			r.Breaks++
		}
		isSafe = isSafe && f.Code != wayBack.name
	}
	if compares {
		r.WayBack = &isSafe
	}
	return r
}

// printTable prints a row for all kinds of a group about which the same is said, then
// what to do about each code, and the verdict.
func printTable(out io.Writer, r report) error {
	findings := r.Findings
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(findings) > 0 {
		fmt.Fprintln(table, "LEVEL\tCODE\tGROUP\tWHERE\tFOUND")
	}
	kinds := map[Finding][]string{}
	var rows []Finding
	for _, f := range findings {
		row := f
		row.Kind = ""
		if kinds[row] == nil {
			rows = append(rows, row)
		}
		if !slices.Contains(kinds[row], f.Kind) {
			kinds[row] = append(kinds[row], f.Kind)
		}
	}
	for _, row := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", row.Level, row.Code, row.Group, where(row, kinds[row]), row.Message)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, c := range codes {
		if slices.ContainsFunc(findings, func(f Finding) bool { return f.Code == c.name }) {
			fmt.Fprintf(out, "\n%s: %s\n", c.name, c.do)
		}
	}
	if len(findings) > 0 {
		fmt.Fprintln(out)
	}
	if r.Breaks > 0 {
		fmt.Fprintf(out, "%d of %d findings break somebody.", r.Breaks, len(findings))
	} else {
		fmt.Fprint(out, "Nothing breaks.")
	}
	isStep := func(f Finding) bool { return f.Level == step }
	if r.Breaks == 0 && r.WayBack == nil && slices.ContainsFunc(findings, isStep) {
		fmt.Fprint(out, " First take the steps above.")
	}
	text := ""
	if r.WayBack != nil && *r.WayBack {
		text = " The way back is safe."
	} else if r.WayBack != nil {
		text = " The way back takes steps, see way-back."
	}
	_, err := fmt.Fprintln(out, text)
	return err
}

// where returns the kinds, the version and the path of a row.
func where(row Finding, kinds []string) string {
	var all []string
	for _, text := range []string{strings.Join(kinds, ","), row.Version, row.Path} {
		if text != "" {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return "-"
	}
	return strings.Join(all, " ")
}
