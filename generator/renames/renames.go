// Package renames guesses what became of properties that a later API version
// lacks: which of them, and which types, may have another name or place there. A
// person reads the findings and the specs, and decides in group.yaml. Its main
// functions are [Find] and [Propose].
package renames

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// Finding is a property that a later version lacks, or has with a type that does
// not match, with guesses of what became of it.
type Finding struct {
	plan.Change
	// Reason is the reason that a person gave for the change, or "" if nobody has
	// assessed it.
	Reason string
	// Guesses are the names that the property may have now, most likely first.
	Guesses []Guess
	// Undecided reports whether another guess is about as good as the first one, or
	// the first guess fits another property about as well.
	Undecided bool
	// Moves are the paths to which the property may have moved, such as
	// "Person.coordinates.latitude".
	Moves []string
	// Hints are other facts about the property, in words.
	Hints []string
	// halves has the halves that lost the property: "_Spec", "_Status", or "" for
	// types below a Spec.
	halves []string
}

// Guess is a name that a property may have now.
type Guess struct {
	// To is the newer name. It equals the older name if only the name of the type
	// changed.
	To string
	// FromType and ToType are the older and the newer name of the property's type,
	// or of the type of its elements, if they differ; else "".
	FromType, ToType string
	// Score is how likely the guess is, from 0 to 100.
	Score int
	// For and Against are the evidence, in words.
	For, Against []string
	halves       []string
}

// The bounds of scores.
const (
	// likely is the lowest score of a likely guess.
	likely = 65
	// worthless is the score below which a guess is left out.
	worthless = 45
	// near is the difference of scores below which two guesses are about as good.
	near = 10
)

// Likely reports whether the first guess is probably right.
func (f *Finding) Likely() bool {
	return len(f.Guesses) > 0 && f.Guesses[0].Score >= likely && !f.Undecided
}

// score returns the score of the best guess, or 0 if there is none.
func (f *Finding) score() int {
	if len(f.Guesses) == 0 {
		return 0
	}
	return f.Guesses[0].Score
}

// Find compares the storage versions that convert with each other. It returns
// every change that no rename in group.yaml explains, those with the best guesses
// first. The versions are those of the packages, with docs.
func Find(packages []*plan.Package, versions []*ir.Version, decisions *config.Group) ([]*Finding, error) {
	f := &finder{decisions: decisions, versions: map[string]*ir.Version{}, findings: map[string]*Finding{}}
	for _, v := range versions {
		f.versions[v.APIVersion] = v
	}
	for _, p := range packages {
		own := f.versions[p.APIVersion]
		if p.Role != plan.Storage || p.Alias || own == nil {
			continue
		}
		all, err := plan.Pairs(p, plan.Shape(p, own))
		if err != nil {
			return nil, err
		}
		for i := range all {
			for _, pair := range all[i].Pairs {
				f.compare(p, all[i].Neighbour, pair)
			}
		}
	}
	for _, by := range []plan.Assessor{plan.Person, plan.ReadOnly} {
		for _, c := range plan.ChangesBy(packages, by) {
			if found := f.findings[key(c)]; found != nil {
				found.Reason = cmp.Or(decisions.Reason(c.Property, c.Older, c.Since), by.Reason())
			}
		}
	}
	for _, by := range []plan.Assessor{plan.Nobody, plan.Tool} { // of another half, or with another type
		for _, c := range plan.ChangesBy(packages, by) {
			if found := f.findings[key(c)]; found != nil {
				found.Reason = ""
			}
		}
	}
	return f.ranked(), nil
}

// Propose returns a removal for each change that nobody has assessed, with what the
// specs show of it as the reason. A rename or a move changes what a version shows, so
// only a person enters one. The arguments are those of [Find].
func Propose(packages []*plan.Package, versions []*ir.Version, decisions *config.Group) ([]config.Change, error) {
	left := plan.ChangesBy(packages, plan.Nobody)
	if len(left) == 0 {
		return nil, nil
	}
	findings, err := Find(packages, versions, decisions)
	if err != nil {
		return nil, err
	}
	var all []config.Change
	for _, c := range left {
		i := slices.IndexFunc(findings, func(f *Finding) bool { return key(f.Change) == key(c) })
		change := config.Change{Property: c.Property, Since: c.Since, Removed: findings[i].proposal(), Proposed: true}
		if !slices.Contains(all, change) {
			all = append(all, change)
		}
	}
	return all, nil
}

// proposal returns the reason for a removal as the specs alone show it.
func (f *Finding) proposal() string {
	reasons := slices.Clone(f.Hints)
	for _, path := range f.Moves {
		reasons = append(reasons, "it may have moved to "+path)
	}
	if len(f.Guesses) > 0 {
		reasons = append(reasons, fmt.Sprintf("it may be %s now (%d of 100)", f.Guesses[0].now(f.Property), f.Guesses[0].Score))
	}
	switch {
	case len(reasons) > 0:
		return strings.Join(reasons, "; ")
	case f.What != plan.Removed:
		return f.What
	}
	return "no property of " + f.Since + " is like it"
}

// now returns what a property is called now, or its type if only that has another name.
func (g Guess) now(property string) string {
	if g.To == nameOf(property) {
		return "of the type " + g.ToType
	}
	return g.To
}

// key returns the identity of a finding.
func key(c plan.Change) string { return c.Since + " " + c.Property }

// finder collects findings. A finding is about both halves of a resource.
type finder struct {
	decisions *config.Group
	versions  map[string]*ir.Version
	findings  map[string]*Finding
}

// compare adds the properties that the newer of two matching types lacks.
func (f *finder) compare(p *plan.Package, neighbour plan.Neighbour, pair *plan.Pair) {
	s := sides{
		older: side{f.versions[p.APIVersion], pair.Here}, newer: side{f.versions[neighbour.APIVersion], pair.There},
		gone: plan.Gone(pair.To), came: plan.Gone(pair.From), renamed: map[string]string{},
	}
	if s.older.version == nil || s.newer.version == nil {
		return
	}
	if naming.CompareVersions(p.APIVersion, neighbour.APIVersion) > 0 {
		s.older, s.newer, s.gone, s.came = s.newer, s.older, s.came, s.gone
	}
	for _, c := range f.decisions.Changes {
		if c.Type != "" && s.crosses(c.Since) {
			s.renamed[c.Renamed] = c.Type
		}
	}
	base, half := naming.CutHalf(s.older.typ.Name)
	for _, step := range s.gone {
		what := plan.Removed
		if step.Partner != nil {
			what = plan.RetypedText(step.Src.Type, step.Partner.Type)
		}
		change := plan.Change{
			Property: base + "." + step.Src.Name, Older: s.older.version.APIVersion,
			Since: s.newer.version.APIVersion, What: what,
		}
		f.add(change, half, s.guesses(step), s.movesOf(base, step.Src), f.hints(s, base, step.Src))
	}
}

// add adds a change, or merges it with the same change of the other half or of
// another pair of versions.
func (f *finder) add(change plan.Change, half string, guesses []Guess, moves, hints []string) {
	found := f.findings[key(change)]
	if found == nil {
		found = &Finding{Change: change}
		f.findings[key(change)] = found
	}
	insert(&found.halves, half)
	for _, path := range moves {
		insert(&found.Moves, path)
	}
	for _, hint := range hints {
		insert(&found.Hints, hint)
	}
	for _, guess := range guesses {
		i := slices.IndexFunc(found.Guesses, func(g Guess) bool { return g.To == guess.To })
		if i < 0 {
			i = len(found.Guesses)
			found.Guesses = append(found.Guesses, guess)
		}
		insert(&found.Guesses[i].halves, half)
	}
}

func insert(list *[]string, text string) {
	if !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

// ranked compares the guesses of all findings, and returns the findings in order.
func (f *finder) ranked() []*Finding {
	var all []*Finding
	for _, found := range f.findings {
		found.weighHalves()
		found.sort()
		all = append(all, found)
	}
	slices.SortFunc(all, func(x, y *Finding) int { return cmp.Compare(key(x.Change), key(y.Change)) })
	scores := make([][]Guess, len(all)) // before yield changes any
	for i, found := range all {
		scores[i] = slices.Clone(found.Guesses)
	}
	for i, x := range all {
		for j, y := range all {
			if i == j || x.Since != y.Since {
				continue
			}
			x.shareType(scores[j])
			if typeOf(x.Property) == typeOf(y.Property) {
				x.yield(y.Property, scores[j])
			}
		}
	}
	for _, found := range all {
		found.sort()
		if len(found.Guesses) > 1 && found.Guesses[0].Score-found.Guesses[1].Score < near {
			found.Undecided = true
		}
		found.Guesses = slices.DeleteFunc(found.Guesses, func(g Guess) bool { return g.Score < worthless })
	}
	slices.SortStableFunc(all, func(x, y *Finding) int {
		return cmp.Or(cmp.Compare(rank(y), rank(x)), cmp.Compare(y.score(), x.score()),
			naming.CompareVersions(x.Since, y.Since), cmp.Compare(x.Reason, y.Reason),
			slices.Compare(x.Hints, y.Hints), cmp.Compare(x.Property, y.Property))
	})
	return all
}

// rank is 2 for likely findings, 1 for undecided ones, and 0 for the rest.
func rank(f *Finding) int {
	switch {
	case f.Likely():
		return 2
	case f.Undecided && f.score() >= likely:
		return 1
	}
	return 0
}

// weighHalves lowers the score of a guess that only one half of the resource has.
func (f *Finding) weighHalves() {
	for i := range f.Guesses {
		g := &f.Guesses[i]
		switch {
		case len(f.halves) > 1 && len(g.halves) == len(f.halves):
			g.For = append(g.For, "it disappeared and appeared in request and response alike")
		case len(g.halves) < len(f.halves):
			g.Score -= 10
			g.Against = append(g.Against,
				fmt.Sprintf("request and response have lost %s, and only one of them has %s", nameOf(f.Property), g.To))
		}
	}
}

func (f *Finding) sort() {
	slices.SortStableFunc(f.Guesses, func(x, y Guess) int { return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.To, y.To)) })
}

// yield lowers the scores of guesses that fit another property of the type
// better. The other property has guesses of its own.
func (f *Finding) yield(other string, guesses []Guess) {
	for i := range f.Guesses {
		g := &f.Guesses[i]
		j := slices.IndexFunc(guesses, func(o Guess) bool { return o.To == g.To })
		if j < 0 || g.To == nameOf(f.Property) || guesses[j].Score < worthless {
			continue
		}
		switch score := guesses[j].Score; {
		case score-g.Score >= near:
			g.Against = append(g.Against, fmt.Sprintf("%s fits %s better (%d)", nameOf(other), g.To, score))
			g.Score -= near
		case i == 0 && j == 0 && g.Score-score < near:
			g.Against = append(g.Against, fmt.Sprintf("%s fits %s about as well (%d)", nameOf(other), g.To, score))
			f.Undecided = true
		}
	}
}

// shareType makes a finding undecided if the type of another finding may have got
// the same new name, since in group.yaml a name has one origin.
func (f *Finding) shareType(guesses []Guess) {
	for i := range f.Guesses {
		g := &f.Guesses[i]
		for _, o := range guesses {
			if g.ToType == "" || o.ToType != g.ToType || o.FromType == g.FromType || o.Score < worthless {
				continue
			}
			insert(&g.Against, fmt.Sprintf("%s may be %s now too (%d), and a name has one origin", o.FromType, o.ToType, o.Score))
			f.Undecided = f.Undecided || i == 0
		}
	}
}

// typeOf returns the type in Type.property.
func typeOf(property string) string {
	typ, _, _ := strings.Cut(property, ".")
	return typ
}

// nameOf returns the property in Type.property.
func nameOf(property string) string {
	_, name, _ := strings.Cut(property, ".")
	return name
}
