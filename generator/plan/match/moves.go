package match

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// moves are the steps of a pair that take properties into or out of objects.
type moves struct {
	to, from []plan.Step
	// here and there are the properties of the pair's own types that move away.
	here, there map[*ir.Property]bool
}

// moves returns the moves of a pair. A move whose types do not match is none.
func (m *Matcher) moves(here, there *ir.Type) moves {
	all := moves{here: map[*ir.Property]bool{}, there: map[*ir.Property]bool{}}
	for _, move := range m.movesOf(here) {
		src, dst := Path(m.here, here, move.Here), Path(m.there, there, move.There)
		if src == nil || dst == nil {
			continue
		}
		h, t := src[len(src)-1], dst[len(dst)-1]
		value := m.Property(h, t)
		if value == nil {
			continue
		}
		src, dst = src[:len(src)-1], dst[:len(dst)-1]
		to := m.step(*value, m.pkg.Name, here, h, m.neighbour, there, t)
		to.SrcIn, to.DstIn = src, dst
		from := m.step(*value, m.neighbour, there, t, m.pkg.Name, here, h)
		from.SrcIn, from.DstIn = dst, src
		for _, s := range []*plan.Step{&to, &from} {
			// The bag of the pair's own type has nothing of what is in an object.
			if len(s.SrcIn) > 0 {
				s.Beside = nil
			}
			if len(s.DstIn) > 0 {
				s.Versions, s.Shapes = nil, nil
			}
		}
		all.to, all.from = append(all.to, to), append(all.from, from)
		if len(src) == 0 {
			all.here[h] = true
		}
		if len(dst) == 0 {
			all.there[t] = true
		}
	}
	return all
}

// movesOf returns the moves of a type here.
func (m *Matcher) movesOf(here *ir.Type) []Move {
	return slices.DeleteFunc(slices.Clone(m.pkg.Moves), func(move Move) bool {
		return move.Neighbour != m.neighbour || !strings.EqualFold(move.Type, here.Name)
	})
}

// Path returns the properties on a path from a type, without regard to case, or nil if
// there is no such path, or it goes through anything but objects. A variant of a union
// is no such object, because one value could then set two variants.
func Path(types map[string]*ir.Type, from *ir.Type, names []string) []*ir.Property {
	var path []*ir.Property
	for _, name := range names {
		if from == nil || from.Kind != ir.Object {
			return nil
		}
		i := slices.IndexFunc(from.Properties, func(p *ir.Property) bool { return strings.EqualFold(p.Name, name) })
		if i < 0 {
			return nil
		}
		p := from.Properties[i]
		if p.Variant != "" {
			return nil
		}
		path, from = append(path, p), nil
		if p.Type.Named != "" {
			from = types[naming.Fold(p.Type.Named)]
		}
	}
	return path
}

// markEmptied marks the stashes of objects all of whose properties move elsewhere.
func markEmptied(steps []plan.Step, types map[string]*ir.Type) {
	for i, s := range steps {
		if s.Kind == plan.Stash {
			steps[i].Emptied = emptied(steps, types, []*ir.Property{s.Src})
		}
	}
}

// emptied reports whether moves take all properties of the object at the end of a path.
func emptied(steps []plan.Step, types map[string]*ir.Type, path []*ir.Property) bool {
	t := types[naming.Fold(path[len(path)-1].Type.Named)]
	if t == nil || t.Kind != ir.Object || len(t.Properties) == 0 || path[len(path)-1].Type.Named == "" {
		return false
	}
	for _, p := range t.Properties {
		taken := slices.ContainsFunc(steps, func(s plan.Step) bool { return s.Src == p && slices.Equal(s.SrcIn, path) })
		onTheWay := slices.ContainsFunc(steps, func(s plan.Step) bool {
			return len(s.SrcIn) > len(path) && s.SrcIn[len(path)] == p && slices.Equal(s.SrcIn[:len(path)], path)
		})
		if !taken && !(onTheWay && emptied(steps, types, append(slices.Clip(path), p))) {
			return false
		}
	}
	return true
}
