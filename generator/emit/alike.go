package emit

import (
	"slices"

	"github.com/armature-dev/armature/generator/plan"
)

// takes begins the names of the runtime's functions that take an object over
// without converting it, "" where the types of a pair are not alike.
//
// A hook gets both sides and may change one while it reads the other, so a
// package with hooks converts everything.
func (g *converter) takes(p *plan.Pair, d direction) string {
	if g.pkg.Role == plan.Storage && len(g.pkg.Hooks) == 0 && alike(p, d, map[*plan.Pair]bool{}) {
		return "Take"
	}
	return ""
}

// alike tells whether the generated structs of a pair have the same fields in
// the same order, apart from their names, and each comes to the other's place
// as it is. Seen are the pairs that are alike if the present one is, since
// types recur.
func alike(p *plan.Pair, d direction, seen map[*plan.Pair]bool) bool {
	if seen[p] {
		return true
	}
	seen[p] = true
	steps, src, dst := p.To, p.Here, p.There
	if d == from {
		steps, src, dst = p.From, p.There, p.Here
	}
	if p.Suffix != "" || len(steps) != len(src.Properties) || len(steps) != len(dst.Properties) {
		return false
	}
	for _, s := range steps {
		i, j := slices.Index(src.Properties, s.Src), slices.Index(dst.Properties, s.Dst)
		if i < 0 || i != j || !alikeValue(s.Value, d, seen) {
			return false
		}
	}
	return true
}

func alikeValue(v plan.Value, d direction, seen map[*plan.Pair]bool) bool {
	switch v.Kind {
	case plan.Assign, plan.Copy:
		return true
	case plan.Slice:
		return alikeValue(*v.Elem, d, seen)
	case plan.Map: // a map of objects has their type in it
		return v.Elem.Kind == plan.Assign || v.Elem.Kind == plan.Copy
	case plan.Object:
		return alike(v.Pair, d, seen)
	}
	return false
}
