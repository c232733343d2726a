package lawfacts

import "github.com/armature-dev/armature/generator/ir"

// rulesOf returns the rules for valid objects that an API version has.
func rulesOf(v *ir.Version) map[string]*TypeRules {
	enums := map[string]bool{}
	for _, t := range v.Types {
		enums[t.Name] = t.Kind == ir.Enum
	}
	rules := map[string]*TypeRules{}
	for _, t := range v.Types {
		r := &TypeRules{
			Properties:      map[string]*PropertyRules{},
			VariantOptional: t.VariantOptional,
			AnyVariants:     t.Status,
			Open:            t.Open,
		}
		for _, value := range t.Values {
			r.Values = append(r.Values, value.Value)
		}
		for _, p := range t.Properties {
			rule := &PropertyRules{
				Required:      p.Required,
				Type:          p.Type.String(),
				Limits:        p.Validation,
				ElementLimits: p.ItemValidation,
			}
			if from := t.ValueFrom(p); from != nil {
				rule.From = from.Name
			}
			if leaf := p.Type.Leaf().Named; enums[leaf] {
				rule.Enum = leaf
			}
			r.Properties[p.Name] = rule
			if p.Variant != "" {
				r.Variants = append(r.Variants, p.Name)
			}
		}
		rules[t.Name] = r
	}
	return rules
}
