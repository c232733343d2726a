package report

import (
	"slices"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/plan"
)

// Waiver says that a law does not hold for a property, as group.yaml decides.
type Waiver struct {
	Law string `json:"law"`
	// Property has the form "Type.property", as in group.yaml.
	Property string `json:"property"`
	Reason   string `json:"reason"`
	// Packages lists the packages that it applies to, by date, without aliases.
	Packages []string `json:"packages"`

	role plan.Role // of the packages
}

// addWaivers adds the waivers of all packages in their order, and counts them for
// each conversion.
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
				if r.Declares(w.Property) && w.appliesTo(r.Resource, c) {
					c.Counts.Waived++
				}
			}
		}
	}
}

// addWaiver adds a waiver of a package, or the package to an equal waiver. The API
// packages and the storage packages have separate waivers.
func (b *builder) addWaiver(p *plan.Package, w plan.Waiver) {
	waivers := &b.report.Waivers
	i := slices.IndexFunc(*waivers, func(o Waiver) bool {
		return o.Law == w.Law && o.Property == w.Property && o.Reason == w.Reason && o.role == p.Role
	})
	if i < 0 {
		i = len(*waivers)
		*waivers = append(*waivers, Waiver{Law: w.Law, Property: w.Property, Reason: w.Reason, role: p.Role})
	}
	(*waivers)[i].Packages = append((*waivers)[i].Packages, p.Name)
}

// appliesTo reports whether the waiver has a package at an end of a conversion or
// on its route.
func (w Waiver) appliesTo(k *evolution.Resource, c *evolution.Conversion) bool {
	route := k.Route(c.From, c.To)
	return slices.ContainsFunc(w.Packages, func(p string) bool {
		return p == c.From || p == c.To || slices.Contains(route, p)
	})
}
