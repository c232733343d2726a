// Package lawfacts finds what the tests of a generated package need beside its code.
// Its function is [Of].
package lawfacts

import (
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/runtime/laws"
	"github.com/armature-dev/armature/runtime/roundtrip"
)

// Of returns the facts of a package. Version is the shape of its API version, and
// nil for a storage package.
func Of(p *plan.Package, version *ir.Version) *laws.Facts {
	facts := &laws.Facts{Storage: p.Role == plan.Storage}
	for _, w := range p.Waivers {
		facts.Waivers = append(facts.Waivers, roundtrip.Waiver{Law: w.Law, Property: w.Property, Reason: w.Reason})
	}
	if facts.Storage {
		facts.Bags = Bags(p)
	} else {
		facts.Rules = rulesOf(version)
	}
	return facts
}
