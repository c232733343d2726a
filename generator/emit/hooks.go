package emit

import (
	"path"
	"strings"

	"github.com/armature-dev/armature/generator/plan"
)

// hook returns the hook of a pair in a direction, or nil if nobody wrote one.
func (g *converter) hook(p *plan.Pair, d direction) *plan.Hook {
	for i, h := range g.pkg.Hooks {
		if h.Type == p.Here.Name && h.Neighbour == path.Base(g.partsPath()) && h.To == (d == to) {
			return &g.pkg.Hooks[i]
		}
	}
	return nil
}

// genAssignable prints what the hooks of a pair look like, and that they do.
func (g *converter) genAssignable(p *plan.Pair) {
	for _, d := range []direction{to, from} {
		hook := g.hook(p, d)
		if hook == nil {
			continue
		}
		name := "Assignable" + string(d) + p.There.Name + capital(p.Suffix)
		end := farEnd[d]
		g.Doc(0, name+" is the hand-written end of a conversion "+strings.ToLower(string(d))+" "+g.there(p.There.Name)+
			". All properties and the bag are converted when it is called. It leaves the source as it is, and keeps nothing of it but pointers to scalars: the rest is lent.")
		g.P("type ", name, " interface {")
		g.P(hook.Method(), "(", end, " *", g.there(p.There.Name), ") error")
		g.P("}")
		g.P()
		g.P("var _ ", name, " = &", p.Here.Name, "{}")
		g.P()
	}
}

// genHook prints the call of a hook, with which the conversion of a pair ends.
func (g *converter) genHook(p *plan.Pair, d direction) {
	if hook := g.hook(p, d); hook != nil {
		self := receiver(p.Here.Name)
		g.P("c.Check(", self, ", ", self, ".", hook.Method(), "(", farEnd[d], "))")
	}
}

// farEnd is the name of the neighbour's value in what converts to it and from it.
var farEnd = map[direction]string{to: "dst", from: "src"}

func capital(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
