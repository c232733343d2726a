// Package transform turns the raw form of an [ir.Version], which the spec readers
// make, into the shaped form, which describes Kubernetes resources. Its main
// function is [Shape]. [Merge] joins the results of several readers before that.
// [API] and [Notes] select the parts of the shaped form for code and report.
//
// Nothing here reads a file or changes its input.
package transform

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// Shape returns the shaped form of a version: for each resource a Spec made from
// the request and a Status made from the response, and the types that these use.
// The error is a [*diag.List] of all names that collide and all entries of
// group.yaml that do not fit.
func Shape(raw *ir.Version, load *config.Load) (*ir.Version, error) {
	s := shape(raw, load)
	if err := s.errs.Err(); err != nil {
		return nil, err
	}
	s.out.Sort()
	return s.out, nil
}

func shape(raw *ir.Version, load *config.Load) *shaper {
	s := &shaper{
		raw:      raw,
		out:      &ir.Version{Provider: raw.Provider, APIVersion: raw.APIVersion, Sources: raw.Sources},
		bases:    newBases(raw, load),
		opaque:   map[string]bool{},
		settled:  newSettled(load),
		pins:     load.Pins,
		exports:  load.Exports,
		settings: newSettings(load),
	}
	spec, status := newHalf(s, false), newHalf(s, true)
	for _, r := range raw.Resources {
		shaped := *r
		shaped.Scopes, shaped.NameLimits = slices.Clone(r.Scopes), r.NameLimits.Checked()
		shaped.GUIDName, shaped.LikelyGUID = load.NameForms[r.Type] == config.GUIDName, false
		if r.LikelyGUID && load.NameForms[r.Type] == "" {
			s.note(ir.NotAssessed, r.Kind, "the words of the spec let one think that its name is a GUID; say in exports of group.yaml "+
				"nameForm: %s, or nameForm: %s", config.GUIDName, config.FreeName)
		}
		s.correctName(&shaped, load.NameLimits[r.Type])
		s.addAzureNames(&shaped, load.AzureNames[r.Type])
		shaped.Spec = spec.root(r.Kind, r.Spec)
		shaped.Requested = r.Requested || r.Status == ""
		shaped.Status = status.root(r.Kind, cmp.Or(r.Status, r.Spec))
		if shaped.Requested {
			status.addIdentity(shaped.Status)
		}
		s.out.Resources = append(s.out.Resources, &shaped)
	}
	for _, h := range []*half{spec, status} {
		h.copyReached()
		for _, t := range h.types {
			h.shapeProperties(t)
		}
	}
	s.addOutputs(load)
	s.markCollections()
	for _, r := range s.out.Resources {
		addToSpec(spec.byName[r.Spec], r)
		addToStatus(status.byName[r.Status])
	}
	if slices.ContainsFunc(spec.types, func(t *shapedType) bool { return t.root && t.hasProperties }) {
		s.out.Types = append(s.out.Types, &ir.Type{Name: naming.NoProperties, Kind: ir.Object, Doc: "An object without properties."})
	}
	s.settleNames(spec, status)
	for _, h := range []*half{spec, status} {
		for _, t := range h.types {
			h.mapListKeys(t)
			s.out.Types = append(s.out.Types, t.Type)
		}
	}
	spec.addValues()
	s.addRawNotes()
	s.out.Used = slices.Concat(s.out.Used, s.settled.used(), s.settings.used())
	return s
}

// shaper holds the state of shaping one version.
type shaper struct {
	raw, out *ir.Version
	errs     diag.List
	bases    *bases
	// opaque has the properties whose parts a Spec does not show. The names are
	// those in notes of the raw form.
	opaque   map[string]bool
	settled  *settled
	settings *settings
	// pins has the names that the lock keeps, by type and path.
	pins map[string]map[string]string
	// exports has the kinds of the group by ARM type.
	exports map[string]string
}

// errorf adds an error at a place of a spec, or about the version if there is no
// place.
func (s *shaper) errorf(at jsontree.Place, format string, args ...any) {
	err := at.Errorf(format, args...)
	if err.File == "" {
		err.Message = fmt.Sprintf("%s %s: %s", s.raw.Provider, s.raw.APIVersion, err.Message)
	}
	s.errs.Add(err)
}

// addRawNotes adds the notes of the raw form, except for notes on the values of
// secrets, which do not matter because the Secret holds the whole value.
func (s *shaper) addRawNotes() {
	notes := slices.DeleteFunc(s.bases.rename(s.raw), func(n ir.Note) bool { return s.opaque[n.Subject] })
	s.out.Notes = append(s.out.Notes, notes...)
}

// note adds a note about a type or one of its properties.
func (s *shaper) note(kind ir.NoteKind, subject, format string, args ...any) {
	s.out.Notes = append(s.out.Notes, ir.Note{Kind: kind, Subject: subject, Reason: fmt.Sprintf(format, args...)})
}
