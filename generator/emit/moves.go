package emit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// genTakes prints how moves take properties out of objects of the source, each into
// its place or into a variable. It returns the names of the variables with the rests of
// these objects, by the property that has the object.
func (g *converter) genTakes(steps []plan.Step, d direction) map[*ir.Property]string {
	var taken []plan.Step
	for _, s := range steps {
		if len(s.SrcIn) == 0 {
			continue
		}
		taken = append(taken, s)
		if len(s.DstIn) > 0 {
			g.P("var ", movedName(s), " ", g.fieldType(s.Dst.Type, d))
		} else if s.Kind == plan.Fit {
			g.genRecall(s, d)
		}
	}
	rests := map[*ir.Property]string{}
	for _, s := range taken {
		if root := s.SrcIn[0]; rests[root] == "" {
			rests[root] = "rest" + root.GoName
			g.P(rests[root], " := ", g.without(taken, s.SrcIn[:1], "in", d))
		}
	}
	return rests
}

// without returns the expression for the object at the end of a path without what
// moves take out of it. Around is the variable with the object around it.
func (g *converter) without(taken []plan.Step, path []*ir.Property, around string, d direction) string {
	last := path[len(path)-1]
	var nested, own strings.Builder // an object inside may move itself, when others have left it
	var done []*ir.Property
	for _, s := range taken {
		if len(s.SrcIn) < len(path) || !slices.Equal(s.SrcIn[:len(path)], path) {
			continue
		}
		if len(s.SrcIn) == len(path) {
			own.WriteString(g.take(s, d))
		} else if next := s.SrcIn[len(path)]; !slices.Contains(done, next) {
			done = append(done, next)
			nested.WriteString("v." + next.GoName + " = " + g.without(taken, s.SrcIn[:len(path)+1], "v", d) + "\n")
		}
	}
	return g.conversion + ".Without(" + around + "." + last.GoName + ", func(v *" + g.typeName(last.Type, d.back()) + ") {\n" +
		nested.String() + own.String() + "})"
}

// take returns the statement that takes a property out of the variable v.
func (g *converter) take(s plan.Step, d direction) string {
	place := "out." + s.Dst.GoName
	if len(s.DstIn) > 0 {
		place = movedName(s)
	}
	field := "v." + s.Src.GoName
	value := g.value(s.Value, s.Src.Type, s.Dst.Type, field, d)
	if s.Kind == plan.Fit { // what does not fit stays
		return "if moved := " + value + "; moved != nil {\n" + place + ", " + field + " = moved, nil\n}\n"
	}
	return place + ", " + field + " = " + value + ", nil\n"
}

// genPlaces prints how moves put properties into objects of the destination. Version is
// the API version of the source, and rests is what [converter.genTakes] returned.
func (g *converter) genPlaces(steps []plan.Step, d direction, version string, rests map[*ir.Property]string) {
	for _, s := range steps {
		if len(s.DstIn) == 0 {
			continue
		}
		value := movedName(s)
		if len(s.SrcIn) == 0 {
			value = g.stepValue(s, cmp.Or(rests[s.Src], "in."+s.Src.GoName), d)
		}
		object := "out"
		for _, p := range s.DstIn {
			object = g.conversion + ".At(&" + object + "." + p.GoName + ", " + strconv.Quote(version) + ")"
		}
		g.P("if v := ", value, "; v != nil {")
		g.P(object, ".", s.Dst.GoName, " = v")
		g.P("}")
	}
}

// movedName returns the name of the variable for a value between two objects.
func movedName(s plan.Step) string {
	name := "moved"
	for _, p := range append(slices.Clip(s.DstIn), s.Dst) {
		name += p.GoName
	}
	return name
}

// fieldType returns the type of a field of a storage type of the destination.
func (g *converter) fieldType(r ir.TypeRef, d direction) string {
	if r.Named != "" {
		return "*" + g.typeName(r, d)
	}
	if r.Items != nil || r.Map != nil {
		return g.typeName(r, d)
	}
	goType, _ := goField(g.File, r)
	return goType
}
