package main

import (
	"cmp"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// report is what armreport writes as JSON.
type report struct {
	Group    string `json:"group"`
	Provider string `json:"provider"`
	// Resources are sorted by kind.
	Resources []resource `json:"resources"`
	// Counts are the numbers of findings by kind.
	Counts map[ir.NoteKind]int `json:"counts"`
	// Findings are sorted by kind, subject and reason.
	Findings []finding `json:"findings"`

	known map[[3]string]int // indexes into Findings
}

// resource is an exported resource type.
type resource struct {
	ARMType string `json:"armType"`
	Kind    string `json:"kind"`
	// Hub is the storage version at which objects are stored.
	Hub string `json:"hub"`
	// Versions are sorted by date.
	Versions []published `json:"versions"`
}

// published is an API version of a resource.
type published struct {
	APIVersion string `json:"apiVersion"`
	Name       string `json:"name"`
	Deprecated bool   `json:"deprecated,omitempty"`
}

// finding is one thing to know about a group, at all versions that it holds for.
type finding struct {
	Kind    ir.NoteKind `json:"kind"`
	Subject string      `json:"subject,omitempty"`
	Reason  string      `json:"reason"`
	// Places are sorted by version.
	Places []place `json:"places"`
}

// place is where in the specs a finding stands.
type place struct {
	APIVersion string `json:"apiVersion"`
	File       string `json:"file,omitempty"`
	Pointer    string `json:"pointer,omitempty"`
}

func newReport(packages []*plan.Package, versions []*ir.Version) *report {
	r := &report{Resources: []resource{}, Findings: []finding{}, Counts: map[ir.NoteKind]int{}, known: map[[3]string]int{}}
	packages = slices.Clone(packages)
	slices.SortFunc(packages, func(a, b *plan.Package) int {
		return cmp.Or(naming.CompareVersions(a.APIVersion, b.APIVersion), cmp.Compare(a.Name, b.Name))
	})
	for _, p := range packages {
		r.Group, r.Provider = p.Group, p.Provider
		r.addPackage(p)
	}
	for _, v := range versions {
		for _, n := range v.Notes {
			r.add(n.Kind, n.Subject, n.Reason, place{v.APIVersion, n.File, n.Pointer})
		}
	}
	for _, c := range plan.Unassessed(packages) {
		reason := "the property of " + c.Older + " has another type in " + c.Since + ": " + c.What + "; it goes into the bag on the way"
		if c.What == plan.Removed {
			reason = "the property of " + c.Older + " is not in " + c.Since + "; it goes into the bag on the way"
		}
		r.add(ir.NotAssessed, c.Property, reason, place{APIVersion: c.Since})
	}
	r.sort()
	return r
}

// addPackage adds what a package publishes, and the Statuses that it borrows.
func (r *report) addPackage(p *plan.Package) {
	for _, planned := range p.Resources {
		i := slices.IndexFunc(r.Resources, func(other resource) bool { return other.Kind == planned.Kind })
		if i < 0 {
			i = len(r.Resources)
			r.Resources = append(r.Resources, resource{ARMType: planned.ARMType, Kind: planned.Kind})
		}
		if planned.Hub {
			r.Resources[i].Hub = p.Name
		}
		if p.Role != plan.API {
			continue
		}
		r.Resources[i].Versions = append(r.Resources[i].Versions, published{p.APIVersion, p.Name, planned.Deprecated != ""})
		switch at := (place{APIVersion: p.APIVersion}); {
		case planned.StatusFrom != "":
			r.add(ir.Approximated, planned.Kind, "the spec describes no response; the Status is that of "+planned.StatusFrom, at)
		case len(planned.StatusTypes) > 0:
			r.add(ir.Approximated, planned.Kind, "no version's spec describes a response; the Status has conditions only", at)
		}
	}
}

// add adds a finding, or a place to one that is known.
func (r *report) add(kind ir.NoteKind, subject, reason string, at place) {
	key := [3]string{string(kind), subject, reason}
	i, known := r.known[key]
	if !known {
		i = len(r.Findings)
		r.known[key] = i
		r.Findings = append(r.Findings, finding{Kind: kind, Subject: subject, Reason: reason})
		r.Counts[kind]++
	}
	r.Findings[i].Places = append(r.Findings[i].Places, at)
}

func (r *report) sort() {
	slices.SortFunc(r.Resources, func(a, b resource) int { return cmp.Compare(a.Kind, b.Kind) })
	slices.SortFunc(r.Findings, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Reason, b.Reason))
	})
	for _, f := range r.Findings {
		slices.SortFunc(f.Places, func(a, b place) int {
			return cmp.Or(naming.CompareVersions(a.APIVersion, b.APIVersion), cmp.Compare(a.File, b.File), cmp.Compare(a.Pointer, b.Pointer))
		})
	}
}
