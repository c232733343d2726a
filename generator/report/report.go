// Package report says what a person should know about a service group: what is
// exported, approximated, skipped and not assessed, and, from package evolution, how the
// properties changed from version to version and what becomes of each between any two.
// Its main type is [Report], which armreport writes as JSON; [Report.Page] returns what
// a person reads of it.
package report

import (
	"cmp"
	"slices"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// Input holds what a report is made of. The shapes have no docs, so that an edit of
// a description does not make the report anew.
type Input struct {
	evolution.Input
	// Notes has an entry for each API version.
	Notes []*ir.Version
}

// Report holds everything that armreport says about a group.
type Report struct {
	Group    string `json:"group"`
	Provider string `json:"provider"`
	// Resources are sorted by kind.
	Resources []*Resource `json:"resources"`
	// Waivers lists the laws that do not hold for some properties.
	Waivers []Waiver `json:"waivers,omitempty"`
	// Counts holds the numbers of findings by kind.
	Counts map[ir.NoteKind]int `json:"counts"`
	// Findings are sorted by kind, subject and reason.
	Findings []Finding `json:"findings"`
}

// Resource describes an exported resource type.
type Resource struct {
	*evolution.Resource
	// Collections are the lists whose elements are resources, sorted by path.
	Collections []Collection `json:"collections,omitempty"`
}

// Collection describes a list in the body of a resource whose elements are resources of
// their own, so that a PUT of the list can delete them.
type Collection struct {
	Path string `json:"path"`
	Type string `json:"type"` // ARM's, of the elements
	// Versions names the Kubernetes versions that have it, by date, without aliases.
	Versions []string `json:"versions"`
}

// Finding says one thing about a group, with all versions where it holds.
type Finding struct {
	Kind    ir.NoteKind `json:"kind"`
	Subject string      `json:"subject,omitempty"`
	Reason  string      `json:"reason"`
	// Places are sorted by version.
	Places []Place `json:"places"`
}

// Place says where in the specs a finding comes from.
type Place struct {
	APIVersion string `json:"apiVersion"`
	File       string `json:"file,omitempty"`
	Pointer    string `json:"pointer,omitempty"`
}

// New returns the report of a group. It is an error if a conversion loses something.
func New(in Input) (*Report, error) {
	kinds, err := evolution.New(in.Input)
	if err != nil {
		return nil, err
	}
	b := &builder{
		Input:  in,
		report: &Report{Resources: []*Resource{}, Findings: []Finding{}, Counts: map[ir.NoteKind]int{}},
		known:  map[findingKey]int{},
	}
	for _, k := range kinds {
		b.report.Resources = append(b.report.Resources, &Resource{Resource: k})
	}
	b.Packages = slices.Clone(in.Packages)
	slices.SortFunc(b.Packages, func(x, y *plan.Package) int {
		return cmp.Or(naming.CompareVersions(x.APIVersion, y.APIVersion), cmp.Compare(x.Name, y.Name))
	})
	for _, p := range b.Packages {
		b.report.Group, b.report.Provider = p.Group, p.Provider
		if p.Role == plan.API {
			b.addPackage(p)
		}
	}
	b.addFindings()
	b.addWaivers()
	return b.report, nil
}

// builder makes a report step by step.
type builder struct {
	Input
	report *Report
	known  map[findingKey]int // the indexes of the findings
}

// addPackage adds the collections of a version, and a finding for each Status that is
// made from the request.
func (b *builder) addPackage(p *plan.Package) {
	for _, planned := range p.Resources {
		if !p.Alias {
			b.report.resource(planned.Kind).addCollections(p.Name, planned.Collections)
		}
		if i := slices.IndexFunc(b.Shapes, func(v *ir.Version) bool { return v.APIVersion == p.APIVersion }); i >= 0 {
			b.addStatus(b.Shapes[i], planned)
		}
	}
}

// resource returns the resource of a kind.
func (r *Report) resource(kind string) *Resource {
	return r.Resources[slices.IndexFunc(r.Resources, func(o *Resource) bool { return o.Kind == kind })]
}

// addCollections adds the collections that a version has.
func (r *Resource) addCollections(version string, all []ir.Collection) {
	for _, c := range all {
		i := slices.IndexFunc(r.Collections, func(o Collection) bool { return o.Path == c.Path && o.Type == c.Type })
		if i < 0 {
			i = len(r.Collections)
			r.Collections = append(r.Collections, Collection{Path: c.Path, Type: c.Type})
		}
		r.Collections[i].Versions = append(r.Collections[i].Versions, version)
	}
	slices.SortFunc(r.Collections, func(x, y Collection) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Type, y.Type))
	})
}

// findingKey identifies a finding. Entries of several versions with one key are one
// finding.
type findingKey struct {
	kind            ir.NoteKind
	subject, reason string
}

// add adds a finding, or a place to a known finding.
func (b *builder) add(kind ir.NoteKind, subject, reason string, at Place) {
	r, key := b.report, findingKey{kind, subject, reason}
	i, known := b.known[key]
	if !known {
		i = len(r.Findings)
		b.known[key] = i
		r.Findings = append(r.Findings, Finding{Kind: kind, Subject: subject, Reason: reason})
		r.Counts[kind]++
	}
	r.Findings[i].Places = append(r.Findings[i].Places, at)
}

// addFindings adds the notes of the versions and the changes that no person has
// assessed, and sorts all findings.
func (b *builder) addFindings() {
	for _, v := range b.Notes {
		for _, n := range v.Notes {
			b.add(n.Kind, n.Subject, n.Reason, Place{v.APIVersion, n.File, n.Pointer})
		}
	}
	for _, c := range slices.Concat(plan.ChangesBy(b.Packages, plan.Nobody), plan.ChangesBy(b.Packages, plan.Tool)) {
		reason := "the property of " + c.Older + " has another type in " + c.Since + ": " + c.What + "; it goes into the bag on the way"
		if c.What == plan.Removed {
			reason = "the property of " + c.Older + " is not in " + c.Since + "; it goes into the bag on the way"
		}
		if c.By == plan.Tool {
			reason += "; a tool proposes: " + b.Config.Reason(c.Property, c.Older, c.Since)
		}
		b.add(ir.NotAssessed, c.Property, reason, Place{APIVersion: c.Since})
	}
	findings := b.report.Findings
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Reason, b.Reason))
	})
	for _, f := range findings {
		slices.SortFunc(f.Places, func(a, b Place) int {
			return cmp.Or(naming.CompareVersions(a.APIVersion, b.APIVersion), cmp.Compare(a.File, b.File),
				cmp.Compare(a.Pointer, b.Pointer))
		})
	}
}
