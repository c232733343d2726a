package planner

import (
	"slices"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/plan"
)

// addSources says of each API version from which formats it is made, and which of its
// properties those it was published from do not explain.
func (b *builder) addSources() {
	for _, v := range b.Versions {
		p := b.packages[b.names[v.APIVersion]]
		p.Sources = v.Sources
		for _, r := range v.Reshaped {
			reviewed := slices.ContainsFunc(b.Config.Reshaped, func(e config.Reshaped) bool {
				return e.Property == r.Property && e.Version == v.APIVersion
			})
			p.Reshaped = append(p.Reshaped, plan.Reshaped{Reshaped: r, Assessed: reviewed})
		}
	}
}
