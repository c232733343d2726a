package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/match"
)

// meetingMoves calls visit for each move between two types that match, of an older and of
// a newer version, with the paths there.
func (c *changes) meetingMoves(p *match.Package, neighbour string, s span, older, newer map[string]*ir.Type,
	visit func(m move, from, to *ir.Type, src, dst []*ir.Property)) {
	var types []string
	for _, m := range within(s, c.moves) {
		types = append(types, m.typ)
	}
	for from, to := range matching(p, neighbour, s, older, newer, types) {
		for _, m := range followMoves(c.movesOf(s, from.Name, to.Name)) {
			if src, dst := match.Path(older, from, m.from), match.Path(newer, to, m.to); src != nil && dst != nil {
				visit(m, from, to, src, dst)
			}
		}
	}
}

// moveProperties adds the moves of properties of types that match.
func (c *changes) moveProperties(p *match.Package, neighbour string, s span, older, newer map[string]*ir.Type) {
	c.meetingMoves(p, neighbour, s, older, newer, func(_ move, from, to *ir.Type, src, dst []*ir.Property) {
		typ, _ := orient(s, from.Name, to.Name)
		here, there := orient(s, ir.Names(src), ir.Names(dst))
		p.Moves = append(p.Moves, match.Move{Neighbour: neighbour, Type: typ, Here: here, There: there})
	})
	slices.SortFunc(p.Moves, func(x, y match.Move) int {
		return strings.Compare(fmt.Sprint(x.Neighbour, x.Type, x.Here), fmt.Sprint(y.Neighbour, y.Type, y.Here))
	})
}

// refuseMoves adds an error for each move between neighbours to a place that the older
// version has too, or from one that the newer version still has: such a value has two
// places, and which of them counts only a hook can know.
func (c *changes) refuseMoves(p *match.Package, neighbour string, s span, older, newer map[string]*ir.Type) {
	c.meetingMoves(p, neighbour, s, older, newer, func(m move, from, to *ir.Type, _, _ []*ir.Property) {
		if match.Path(older, from, m.to) != nil {
			c.refuseMove(m, s.older, m.to)
		}
		if match.Path(newer, to, m.from) != nil {
			c.refuseMove(m, s.newer, m.from)
		}
	})
}

// refuseMove adds the error of a move if a version has both of its places.
func (c *changes) refuseMove(m move, version string, path []string) {
	c.ignoref([]any{"changes", m.index}, "%s.%s cannot move to %s at %s: %s has %[1]s.%[6]s too, so the value has two places; "+
		"write a hook, and removed", m.typ, strings.Join(m.from, "."), strings.Join(m.to, "."), m.since, version, strings.Join(path, "."))
}

// movesOf returns the moves in a span within a type that has one of two names.
func (c *changes) movesOf(s span, older, newer string) []move {
	return slices.DeleteFunc(slices.Clone(within(s, c.moves)), func(m move) bool {
		return !strings.EqualFold(m.typ, naming.Common(older)) && !strings.EqualFold(m.typ, naming.Common(newer))
	})
}

// followMoves joins moves: one from where an earlier one led to continues that.
func followMoves(moves []move) []move {
	var all []move
	for _, m := range moves {
		i := slices.IndexFunc(all, func(earlier move) bool {
			return earlier.since != m.since && slices.EqualFunc(earlier.to, m.from, strings.EqualFold)
		})
		if i < 0 {
			all = append(all, m)
		} else {
			all[i].to, all[i].index = m.to, m.index
		}
	}
	return slices.DeleteFunc(all, func(m move) bool { return slices.EqualFunc(m.from, m.to, strings.EqualFold) })
}

// useMoves marks the moves that a pair's steps make as used. What a type loses by them
// is assessed.
func (c *changes) useMoves(s span, pair *plan.Pair) {
	steps, _ := orient(s, pair.To, pair.From)
	older, newer := orient(s, pair.Here, pair.There)
	for _, step := range steps {
		if !step.Moves() {
			continue
		}
		from := ir.Names(append(slices.Clip(step.SrcIn), step.Src))
		to := ir.Names(append(slices.Clip(step.DstIn), step.Dst))
		for _, m := range c.movesOf(s, older.Name, newer.Name) {
			if slices.EqualFunc(m.from, from, strings.EqualFold) || slices.EqualFunc(m.to, to, strings.EqualFold) {
				c.used[m.index] = true
			}
		}
		if n := len(step.SrcIn); n > 0 {
			around := naming.Common(step.SrcIn[n-1].Type.Named)
			c.taken[plan.Change{Property: around + "." + step.Src.Name, Older: s.older, Since: s.newer}] = true
		}
	}
}

// unusedMove returns the reason why a move has no use.
func (c *changes) unusedMove(m move) string {
	text := fmt.Sprintf("%s.%s to %s", m.typ, strings.Join(m.from, "."), strings.Join(m.to, "."))
	before, after := c.typesAround(m.since)
	types := append(slices.Clone(before), after...)
	if c.version(m.since) == nil {
		return c.noVersion(m.since)
	}
	if !has(types, m.typ) {
		return fmt.Sprintf("no version has a type %s%s", m.typ, diag.DidYouMean(m.typ, types))
	}
	src, wrongSrc := c.findPath(m, m.from, true)
	dst, wrongDst := c.findPath(m, m.to, false)
	switch {
	case src == nil:
		return wrongSrc
	case dst == nil:
		return wrongDst
	}
	return fmt.Sprintf("the move of %s since %s is unused: %s, and no two versions that convert with each other have the one "+
		"and the other with types that convert; write a hook, and removed", text, m.since, plan.RetypedText(src.Type, dst.Type))
}

// findPath returns the property at the end of a path, in the nearest version before or
// from the version of a move on, or why there is none.
func (c *changes) findPath(m move, path []string, before bool) (*ir.Property, string) {
	when := "from " + m.since + " on"
	if before {
		when = "before " + m.since
	}
	wrong := ""
	versions := slices.Clone(c.Versions)
	if before {
		slices.Reverse(versions)
	}
	for _, v := range versions {
		if before != (naming.CompareVersions(v.APIVersion, m.since) < 0) {
			continue
		}
		types := match.ByName(v.Types)
		for _, t := range v.Types {
			base := naming.Common(t.Name)
			if !strings.EqualFold(base, m.typ) && !c.isRenamed(base, m.typ) {
				continue
			}
			if found := match.Path(types, t, path); found != nil {
				return found[len(found)-1], ""
			}
			if wrong == "" {
				wrong = noPath(types, t, path, m.typ, when)
			}
		}
	}
	if wrong == "" {
		wrong = fmt.Sprintf("no version %s has a type %s", when, m.typ)
	}
	return nil, wrong
}

// noPath returns the reason why a type has no path. The type is called name.
func noPath(types map[string]*ir.Type, t *ir.Type, path []string, name, when string) string {
	for i, next := range path {
		p := propertyFold(t, next)
		if p == nil {
			return fmt.Sprintf("%s %s has no property %s%s", when, name, next, diag.DidYouMean(next, ir.Names(t.Properties)))
		}
		name += "." + p.Name
		if p.Variant != "" {
			return fmt.Sprintf("%s is a variant of a union, so no property moves through it; write a hook, and removed", name)
		}
		if t = types[naming.Fold(p.Type.Named)]; i < len(path)-1 && (p.Type.Named == "" || t.Kind != ir.Object) {
			return fmt.Sprintf("%s %s is %s and no object, so no property moves through it; write a hook, and removed", when, name,
				p.Type.Renamed(naming.Common))
		}
	}
	return ""
}
