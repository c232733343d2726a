package service

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// decided is what evidence decides about the properties of a group.
type decided struct {
	*sources
	*told
	// proposals are those that group.yaml does not have yet.
	proposals []proposal
	// kept has marks of group.yaml for which the newest Swagger does not speak any more.
	kept []proposal
	// shaped has the shaped form of all versions with the proposals that are safe.
	shaped []*ir.Version
}

// decide decides what evidence can decide. It proposes nothing for the properties in known. Of specs in the tree all is
// decided by persons.
func decide(s *sources, known map[string]bool) (*decided, error) {
	t, err := s.tell()
	if err != nil {
		return nil, err
	}
	shape := func(proposals []proposal) ([]*ir.Version, error) {
		marked, _ := marks(proposals, nil)
		return s.shape(s.load(t.base, marked, s.locked.Names))
	}
	shaped, err := shape(nil)
	if err != nil || s.inTree {
		return &decided{sources: s, told: t, shaped: shaped}, err
	}
	experience, err := Learn(s.in, s.name)
	if err != nil {
		return nil, err
	}
	proposals, kept := t.inherit(s.known, s.swagger, shaped)
	for _, p := range propose(shaped, experience, s.idsInExamples(shaped)) {
		if !known[p.property] && !slices.ContainsFunc(proposals, p.isAbout) {
			proposals = append(proposals, p)
		}
	}
	if shaped, err = shape(proposals); err != nil {
		return nil, err
	}
	// An object that is a secret as a whole has no properties any more.
	has := map[string]bool{}
	for _, v := range shaped {
		for _, t := range v.Types {
			has[naming.Common(t.Name)] = true
		}
	}
	proposals = slices.DeleteFunc(proposals, func(p proposal) bool {
		of, _, _ := strings.Cut(p.property, ".")
		return !has[of]
	})
	return &decided{sources: s, told: t, proposals: proposals, kept: kept, shaped: shaped}, nil
}

// undecided returns the shaped form of the versions that a group has, and the properties that look like references or
// secrets there, and on which somebody chose not to decide.
func (e *existing) undecided() (shaped []*ir.Version, known map[string]bool, err error) {
	s, err := e.read()
	if err != nil {
		return nil, nil, err
	}
	if shaped, err = s.shape(s.load(e.decisions.Load(), nil, e.locked.Names)); err != nil {
		return nil, nil, err
	}
	known = map[string]bool{}
	for _, p := range propose(shaped, Experience{}, s.idsInExamples(shaped)) {
		known[p.property] = true
	}
	return shaped, known, nil
}
