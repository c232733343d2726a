package emit

import (
	"bytes"
	"fmt"
	"go/format"
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
		name := hook.Interface()
		if !g.declare(name) {
			name += capital(hook.Neighbour)
		}
		g.Doc(0, name+" is a type with a hand-written hook, which ends the conversion "+
			strings.ToLower(string(d))+" "+g.there(p.There.Name)+" when all properties and the bag are converted. "+
			"The hook leaves its source as it is, and shares only pointers to scalars with it.")
		g.P(assignable(name, *hook, g.there(p.There.Name)))
		g.P()
		g.P("var _ ", name, " = &", p.Here.Name, "{}")
		g.P()
	}
}

// assignable returns the interface of a hook.
func assignable(name string, h plan.Hook, there string) string {
	return "type " + name + " interface {\n" + h.Call(there) + "\n}"
}

// HookFile returns a Go file for a package with hooks of a link, which compile and do
// nothing. People go on from there.
func HookFile(l *plan.Link, hooks []plan.Hook) ([]byte, error) {
	return ofLink(l, hooks, func(h plan.Hook, there string) string {
		way := "from"
		if h.To {
			way = "to"
		}
		return fmt.Sprintf("// %s ends the conversion %s %s.\n%s {\nreturn nil\n}", h.Method(), way, there, h.Declaration(there))
	})
}

// Assignables returns the interfaces of hooks of a link as a package declares them that
// has these hooks.
func Assignables(l *plan.Link, hooks []plan.Hook) ([]byte, error) {
	return ofLink(l, hooks, func(h plan.Hook, there string) string {
		return fmt.Sprintf("// %s may be implemented by %s.\n%s", h.Interface(), h.Type, assignable(h.Interface(), h, there))
	})
}

// ofLink returns a Go file of the package of a link with a declaration for each hook.
func ofLink(l *plan.Link, hooks []plan.Hook, declare func(h plan.Hook, there string) string) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport %q\n", l.Package, l.ImportPath)
	for _, h := range hooks {
		fmt.Fprintf(&b, "\n%s\n", declare(h, l.Neighbour+"."+h.There))
	}
	return format.Source(b.Bytes())
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
