package emit

import (
	"path"
	"strings"

	"github.com/armature-dev/armature/generator/plan"
)

// hook returns the hook of a pair in a direction, or nil if nobody wrote one.
func (g *converter) hook(p *plan.Pair, d direction) *plan.Hook {
	for i, h := range g.pkg.Hooks {
		if h.Type == p.Here.Name && h.There == p.There.Name && h.Neighbour == path.Base(g.partsPath()) && h.To == (d == to) {
			return &g.pkg.Hooks[i]
		}
	}
	return nil
}

// genAssignable prints an interface for each hook of a pair, and that the type
// implements it.
func (g *converter) genAssignable(p *plan.Pair) {
	for _, d := range []direction{to, from} {
		hook := g.hook(p, d)
		if hook == nil {
			continue
		}
		name := "Assignable" + string(d) + p.There.Name
		if !g.declare(name) {
			name += capital(hook.Neighbour)
		}
		g.Doc(0, name+" is a type with a hand-written hook, which ends the conversion "+
			strings.ToLower(string(d))+" "+g.there(p.There.Name)+" when all properties and the bag are converted. "+
			"The hook leaves its source as it is, and shares only pointers to scalars with it.")
		g.P("type ", name, " interface {")
		g.P(hook.Method(), "(", farEnd[d], " *", g.there(p.There.Name), ") error")
		g.P("}")
		g.P()
		g.P("var _ ", name, " = &", p.Here.Name, "{}")
		g.P()
	}
}

// genHook prints the call of a hook at the end of the conversion of a pair.
func (g *converter) genHook(p *plan.Pair, d direction) {
	if hook := g.hook(p, d); hook != nil {
		here, there := "in", "out"
		if d == from {
			here, there = there, here
		}
		g.P("c.Check(", here, ", ", here, ".", hook.Method(), "(", there, "))")
	}
}

// farEnd is the name of the parameter of a method that converts to another
// version or from it.
var farEnd = map[direction]string{to: "dst", from: "src"}

// capital returns a name with a capital first letter.
func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
