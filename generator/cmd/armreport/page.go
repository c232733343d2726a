package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// page is the report in Markdown.
func (r *report) page() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\nMade from the specs of %s.\n\n## Exported\n\n| kind | ARM type | hub | versions |\n|---|---|---|---|\n", r.Group, r.Provider)
	for _, resource := range r.Resources {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", resource.Kind, resource.ARMType, resource.Hub, versionNames(resource.Versions))
	}
	for _, section := range []struct {
		kind         ir.NoteKind
		title, intro string
	}{
		{ir.Approximated, "Approximated", "The Kubernetes API says less, or other, than the spec."},
		{ir.Skipped, "Skipped", "The Kubernetes API lacks it."},
		{ir.NotAssessed, "Not assessed", "A person should decide and has not."},
	} {
		fmt.Fprintf(&b, "\n## %s: %d\n\n%s\n", section.title, r.Counts[section.kind], section.intro)
		for _, f := range r.Findings {
			if f.Kind == section.kind {
				writeFinding(&b, f)
			}
		}
	}
	return b.Bytes()
}

func versionNames(versions []published) string {
	names := make([]string, len(versions))
	for i, v := range versions {
		names[i] = v.Name
		if v.Deprecated {
			names[i] += " (deprecated)"
		}
	}
	return strings.Join(names, ", ")
}

// writeFinding writes a finding as one item: what, why, at which versions, and
// where it stands in the newest of them.
func writeFinding(b *bytes.Buffer, f finding) {
	var versions []string
	for _, p := range f.Places {
		if len(versions) == 0 || versions[len(versions)-1] != p.APIVersion {
			versions = append(versions, p.APIVersion)
		}
	}
	b.WriteString("\n- ")
	if f.Subject != "" {
		fmt.Fprintf(b, "**%s**: ", f.Subject)
	}
	fmt.Fprintf(b, "%s (%s)", f.Reason, strings.Join(versions, ", "))
	if newest := f.Places[len(f.Places)-1]; newest.File != "" {
		fmt.Fprintf(b, "\n  `%s#%s`", newest.File, newest.Pointer)
	}
	b.WriteString("\n")
}
