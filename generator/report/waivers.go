package report

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// Waiver is a law that does not hold for a property, as group.yaml says.
type Waiver struct {
	Law string `json:"law"`
	// Property is "Type.property" as group.yaml names it.
	Property string `json:"property"`
	Reason   string `json:"reason"`
	// Packages are those that it speaks of, by date, without aliases.
	Packages []string `json:"packages"`
}

// addWaivers lists the waivers of all packages, in the order of these.
func (b *builder) addWaivers() {
	for _, p := range b.Packages {
		for _, w := range p.Waivers {
			if !p.Alias {
				b.addWaiver(p, w)
			}
		}
	}
	for _, r := range b.report.Resources {
		for _, c := range r.Conversions {
			for _, w := range b.report.Waivers {
				if r.members[naming.Fold(w.Property)] && w.speaksOf(c) {
					c.Counts.Waived++
				}
			}
		}
	}
}

func (b *builder) addWaiver(p *plan.Package, w plan.Waiver) {
	storage := func(pkg string) bool { return strings.HasSuffix(pkg, naming.Storage("")) }
	waivers := &b.report.Waivers
	i := slices.IndexFunc(*waivers, func(o Waiver) bool {
		return o.Law == w.Law && o.Property == w.Property && o.Reason == w.Reason && storage(o.Packages[0]) == storage(p.Name)
	})
	if i < 0 {
		i = len(*waivers)
		*waivers = append(*waivers, Waiver{Law: w.Law, Property: w.Property, Reason: w.Reason})
	}
	(*waivers)[i].Packages = append((*waivers)[i].Packages, p.Name)
}

// speaksOf tells whether a package at an end of a conversion or on its road is
// among those of the waiver.
func (w Waiver) speaksOf(c *Conversion) bool {
	return slices.ContainsFunc(w.Packages, func(p string) bool {
		return p == c.From || p == c.To || slices.Contains(c.Road, p)
	})
}
