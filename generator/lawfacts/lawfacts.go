// Package lawfacts finds what the tests of a generated package need beside its code.
// Its function is [Of].
package lawfacts

import (
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// Facts are written in the JSON that package laws of the runtime reads as its Facts.
// The types are not those of the runtime, because these come with all that tests of
// generated packages import, which takes longer to start than the facts to write.
type Facts struct {
	Storage bool                  `json:"storage,omitempty"`
	Waivers []plan.Waiver         `json:"waivers,omitempty"`
	Bags    map[string][]BagEntry `json:"bags,omitempty"`
	Rules   map[string]*TypeRules `json:"rules,omitempty"`
}

// BagEntry is an entry that a conversion takes from a bag.
type BagEntry struct {
	Key     string `json:"key"`
	Version string `json:"version"`
}

// TypeRules are the rules of a struct type or of an enum.
type TypeRules struct {
	Properties      map[string]*PropertyRules `json:"properties,omitempty"`
	Variants        []string                  `json:"variants,omitempty"`
	VariantOptional bool                      `json:"variantOptional,omitempty"`
	AnyVariants     bool                      `json:"anyVariants,omitempty"`
	Values          []string                  `json:"values,omitempty"`
	Open            bool                      `json:"open,omitempty"`
}

// PropertyRules are the rules of a property.
type PropertyRules struct {
	Required      bool           `json:"required,omitempty"`
	From          string         `json:"from,omitempty"`
	Type          string         `json:"type,omitempty"`
	Enum          string         `json:"enum,omitempty"`
	Limits        *ir.Validation `json:"limits,omitempty"`
	ElementLimits *ir.Validation `json:"elementLimits,omitempty"`
}

// Of returns the facts of a package. Version is the shape of its API version.
func Of(p *plan.Package, version *ir.Version) *Facts {
	facts := &Facts{Storage: p.Role == plan.Storage, Waivers: p.Waivers}
	if facts.Storage {
		facts.Bags = Bags(p)
	} else {
		facts.Rules = rulesOf(version)
	}
	return facts
}
