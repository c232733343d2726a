// Package service adds the services of the published specs to the repository: it
// writes the folder of a service group, with what can be decided by evidence, and
// adds the group where groups are listed. Its main functions are [Plan] and
// [PlanUpdate].
//
// Both are a row of stages, each of which makes a value of those before and changes
// none of them: what the repository has ([existing]), what is to be read ([chosen]), what
// the specs say ([sources]), what evidence decides ([decided]), the plan ([planned]), and
// the files. A file of the package uses those of earlier stages only; TestStages has them
// in order.
package service

import (
	"fmt"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan/lock"
)

// Plan returns what a request changes. It writes nothing.
func Plan(r Request) (*Change, error) {
	if err := r.Specs.usable(r.Repository); err != nil {
		return nil, err
	}
	provider, docs, err := r.Specs.Provider(r.Provider)
	if err != nil {
		return nil, err
	}
	g, err := newGroup(r, provider)
	if err != nil {
		return nil, err
	}
	o := r.offer
	if o == nil {
		if o, err = r.Specs.offer(provider, docs); err != nil {
			return nil, err
		}
	}
	c, err := r.choose(provider, o.versions)
	if err != nil {
		return nil, err
	}
	return finish(&existing{group: g, locked: &lock.Lock{}}, c, nil, nil)
}

// PlanUpdate returns what an update changes. What persons wrote in BUILD.bazel and
// group.yaml stays as it is: an update adds entries. It changes nothing if the
// group has the versions. It writes nothing.
func PlanUpdate(u Update) (*Change, error) {
	g, b, err := u.find()
	if err != nil {
		return nil, err
	}
	if g.inTree && u.APIVersion != "" {
		return nil, fmt.Errorf("%s/BUILD.bazel: the specs of this group are in the tree; add the version to its versions by hand", g.dir())
	}
	e, err := readExisting(g, b)
	if err != nil {
		return nil, err
	}
	before, known, err := e.undecided()
	if err != nil {
		return nil, err
	}
	c, err := e.choose(u)
	if err != nil {
		return nil, err
	}
	if u.APIVersion != "" && len(c.added) == 0 {
		return &Change{Group: g.dir(), Versions: c.apiVersions()}, nil
	}
	return finish(e, c, before, known)
}

// finish reads what was chosen, and returns what follows from it. before has the shaped form of the versions that the
// group had, and known the properties on which somebody chose not to decide.
func finish(e *existing, c *chosen, before []*ir.Version, known map[string]bool) (*Change, error) {
	s, err := read(e, c)
	if err != nil {
		return nil, err
	}
	d, err := decide(s, known)
	if err != nil {
		return nil, err
	}
	p, err := makePlan(d, before)
	if err != nil {
		return nil, err
	}
	files, err := makeFiles(p)
	if err != nil {
		return nil, err
	}
	return p.change(files, before), nil
}
