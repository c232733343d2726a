// Package report says what a person should know about a service group: what is
// exported, approximated, skipped and not assessed, what becomes of each property
// between any two versions, and how the properties changed from version to
// version. Its main type is [Report], which armreport writes as JSON;
// [Report.Page] returns the same for people.
//
// To find what becomes of a property, the package simulates the conversions: a
// trace follows each property of a version through the steps that package plan has
// for each pair of neighbours, along the whole route and in and out of the bags.
// A route leads from one version to another through the hub, and each conversion
// between two neighbours is a hop.
package report

import (
	"cmp"
	"slices"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// Input holds what a report is made of. The shapes have no docs, so that an edit of
// a description does not make the report anew.
type Input struct {
	// Packages holds the plans of all packages of a group.
	Packages []*plan.Package
	// Shapes and Notes hold an entry for each API version.
	Shapes, Notes []*ir.Version
	// Config is the group.yaml, which has the reasons of the assessed changes.
	Config *config.Group
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
	ARMType string `json:"armType"`
	Kind    string `json:"kind"`
	// Hub names the storage version at which objects are stored.
	Hub string `json:"hub"`
	// Versions lists the API versions by date.
	Versions []Version `json:"versions"`
	// Collections are the lists whose elements are resources, sorted by path.
	Collections []Collection `json:"collections,omitempty"`
	// Conversions has an entry for each ordered pair of versions, by date. An
	// alias without hooks converts as its twin does, and has no entries.
	Conversions []*Conversion `json:"conversions,omitempty"`
	// Properties lists the properties of all versions, by path.
	Properties []*Property `json:"properties,omitempty"`

	members map[string]bool // "type.property", folded, without _Spec and _Status
}

// Collection describes a list in the body of a resource whose elements are resources of
// their own, so that a PUT of the list can delete them.
type Collection struct {
	Path string `json:"path"`
	Type string `json:"type"` // ARM's, of the elements
	// Versions names the Kubernetes versions that have it, by date, without aliases.
	Versions []string `json:"versions"`
}

// Version describes an API version of a resource.
type Version struct {
	APIVersion string `json:"apiVersion"`
	// Name is the Kubernetes version.
	Name       string `json:"name"`
	Deprecated bool   `json:"deprecated,omitempty"`
	// AliasOf names the Kubernetes version that this one is an alias of. It is
	// empty for an alias with hooks, which converts in a way of its own.
	AliasOf string `json:"aliasOf,omitempty"`
	// Until is the release that no longer has an alias, or "".
	Until string `json:"until,omitempty"`
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

// New returns the report of a group.
func New(in Input) (*Report, error) {
	b := &builder{
		Input:  in,
		report: &Report{Resources: []*Resource{}, Findings: []Finding{}, Counts: map[ir.NoteKind]int{}},
		known:  map[findingKey]int{},
	}
	b.Packages = slices.Clone(in.Packages)
	slices.SortFunc(b.Packages, func(x, y *plan.Package) int {
		return cmp.Or(naming.CompareVersions(x.APIVersion, y.APIVersion), cmp.Compare(x.Name, y.Name))
	})
	for _, p := range b.Packages {
		b.report.Group, b.report.Provider = p.Group, p.Provider
		b.addPackage(p)
	}
	slices.SortFunc(b.report.Resources, func(x, y *Resource) int { return cmp.Compare(x.Kind, y.Kind) })
	b.addFindings()
	if err := b.addConversions(); err != nil {
		return nil, err
	}
	b.addProperties()
	b.addWaivers()
	return b.report, nil
}

// builder makes a report step by step.
type builder struct {
	Input
	report  *Report
	known   map[findingKey]int // the indexes of the findings
	graph   *graph
	renames renames
}

// addPackage adds the versions that a package publishes, and a finding for each
// Status that is made from the request.
func (b *builder) addPackage(p *plan.Package) {
	for _, planned := range p.Resources {
		r := b.resource(planned)
		if planned.Hub {
			r.Hub = p.Name
		}
		if p.Role != plan.API {
			continue
		}
		r.Versions = append(r.Versions, Version{p.APIVersion, p.Name, planned.Deprecated != "", b.twin(p), planned.Until})
		if !p.Alias {
			r.addCollections(p.Name, planned.Collections)
		}
		if i := slices.IndexFunc(b.Shapes, func(v *ir.Version) bool { return v.APIVersion == p.APIVersion }); i >= 0 {
			b.addStatus(b.Shapes[i], planned)
		}
	}
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

// resource returns the resource of a kind, and adds it if there is none.
func (b *builder) resource(planned plan.Resource) *Resource {
	for _, r := range b.report.Resources {
		if r.Kind == planned.Kind {
			return r
		}
	}
	r := &Resource{ARMType: planned.ARMType, Kind: planned.Kind}
	b.report.Resources = append(b.report.Resources, r)
	return r
}

// twin returns the API package that a package is an alias of, or "". An alias with
// hooks has none, because it converts in a way of its own.
func (b *builder) twin(p *plan.Package) string {
	if !p.Alias || len(p.Hooks) > 0 {
		return ""
	}
	for _, other := range b.Packages {
		if other.Role == plan.API && !other.Alias && other.APIVersion == p.APIVersion {
			return other.Name
		}
	}
	return ""
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
