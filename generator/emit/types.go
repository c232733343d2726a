package emit

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/gofile"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
)

// Types returns the file types.go of a package, with its resources and the types
// below them.
func Types(pkg *shape.Package) ([]byte, error) {
	g := &types{Package: pkg}
	if g.Role == plan.API {
		g.stops = crd.Stops(g.Version)
	}
	f := gofile.New(pkg.ImportPath, pkg.Name, "types.go")
	for _, r := range g.Declared() {
		g.genResource(f, r)
		if sharesTypes(pkg.Package) {
			continue
		}
		for _, half := range g.Halves(r) {
			g.genType(f, half)
		}
		if g.Role == plan.API {
			g.genARMResource(f, r)
		}
	}
	if sharesTypes(pkg.Package) {
		return f.Bytes()
	}
	for _, t := range g.Parts() {
		g.genType(f, t)
	}
	if g.Role == plan.API {
		g.genEnums(f)
	}
	return f.Bytes()
}

// types prints the types of a package.
type types struct {
	*shape.Package
	// stops has the properties at which schemas stop. API packages only.
	stops map[crd.Stop]bool
}

// genResource prints a resource and its list.
func (g *types) genResource(f *gofile.File, r shape.Resource) {
	k, meta := r.Kind, f.Import(metaPath)
	markers := storageMarkers(r)
	if g.Role == plan.API {
		markers = g.rootMarkers(r)
	}
	f.Doc(0, g.ResourceDoc(r))
	printMarkers(f, markers)
	f.P("type ", k, " struct {")
	f.P(meta, ".TypeMeta\t`json:\",inline\"`")
	f.P(meta, ".ObjectMeta\t`json:\"metadata,omitempty\"`")
	f.P()
	spec, status := r.Shape.Spec, r.Shape.Status
	if sharesTypes(g.Package.Package) {
		spec, status = f.Ident(g.Twin, spec), f.Ident(g.Twin, status)
	}
	f.P("Spec\t", spec, "\t`json:\"spec\"`")
	if t := g.Type(r.Shape.Status); g.Role == plan.API && t != nil {
		for _, p := range t.Properties {
			if p.Type.Primitive == ir.Generation {
				f.P("// +kubebuilder:default={\"", p.Name, "\":-1}")
			}
		}
	}
	f.P("Status\t", status, "\t`json:\"status,omitzero\"`")
	f.P("}")
	f.P()
	f.Doc(0, fmt.Sprintf("%sList is a list of %s.", k, k))
	printMarkers(f, []string{"kubebuilder:object:root=true"})
	f.P("type ", k, "List struct {")
	f.P(meta, ".TypeMeta\t`json:\",inline\"`")
	f.P(meta, ".ListMeta\t`json:\"metadata,omitempty\"`")
	f.P()
	f.P("Items []", k, " `json:\"items\"`")
	f.P("}")
	f.P()
}

// genType prints a type below a resource.
func (g *types) genType(f *gofile.File, t *ir.Type) {
	if t.Kind == ir.Enum && !g.Alias {
		f.Doc(0, shape.WithKnown(t.Doc, shape.Known(t)))
	} else {
		f.Doc(0, t.Doc)
	}
	if g.Role == plan.API {
		printMarkers(f, g.typeMarkers(t))
	}
	if t.Kind == ir.Enum {
		genEnum(f, t)
		return
	}
	if len(t.Properties) == 0 && g.Role == plan.API {
		f.P("type ", t.Name, " struct{}")
		f.P()
		return
	}
	f.P("type ", t.Name, " struct {")
	if g.Role == plan.Storage && g.IsSpec(t) {
		f.P("OriginalVersion\tstring\t", tag(jsonTag("originalVersion", "omitempty")+notARM))
	}
	for _, p := range t.Properties {
		f.Doc(1, g.propertyDoc(p))
		if g.Role == plan.API {
			printMarkers(f, g.fieldMarkers(t, p))
		}
		goType, omit := goField(f, p.Type)
		f.P(p.GoName, "\t", goType, "\t", tag(jsonTag(p.Name, omit)+armTag(t, p)+g.typesTag(p)+g.listKeyTag(p)))
	}
	if g.Role == plan.Storage {
		genBagField(f, notARM)
	}
	f.P("}")
	f.P()
}

// propertyDoc returns the description of a property. That of an open enum, or of a
// list or a map of one, ends in the values. A property without a description of its
// own has that of its type.
func (g *types) propertyDoc(p *ir.Property) string {
	if p.Doc == "" {
		return ""
	}
	return shape.WithKnown(p.Doc, shape.Known(g.Type(p.Type.Leaf().Named)))
}

// genBagField prints the field with the bag of an object. more follows the JSON
// name in the field's tag.
func genBagField(f *gofile.File, more string) {
	f.P("PropertyBag\t", f.Ident(bagPath, "Bag"), "\t", tag(jsonTag("$propertyBag", "omitempty")+more))
}

// tag returns the literal of a field's tag. A name in it may have any character
// that Go has, so no text is put between backquotes as it is.
func tag(text string) string { return gofile.Quote(text) }

// jsonTag returns the part of a field's tag that says how encoding/json writes it.
func jsonTag(name, option string) string { return "json:" + strconv.Quote(name+","+option) }

// listKeyTag returns the part of a list's tag that names the properties by which
// package remainder finds the elements again that a client was shown.
func (g *types) listKeyTag(p *ir.Property) string {
	if g.Role != plan.API || p.Type.Items == nil || len(p.ListKeys) == 0 {
		return ""
	}
	return " listMapKey:" + strconv.Quote(strings.Join(p.ListKeys, ","))
}

// genEnum prints an enum and its values.
func genEnum(f *gofile.File, t *ir.Type) {
	f.P("type ", t.Name, " ", basic[cmp.Or(t.Base, ir.String)])
	f.P()
	if len(t.Values) == 0 {
		return
	}
	f.P("const (")
	for _, v := range t.Values {
		f.Doc(1, v.Doc)
		f.P(t.Name, "_", v.Name, "\t", t.Name, "\t= ", shape.Literal(t.Base, v.Value))
	}
	f.P(")")
	f.P()
}

// genEnums prints a list of the values of all enums, which cannot be found out from
// the Go types.
func (g *types) genEnums(f *gofile.File) {
	f.P("// Enums has the values of each enum, for tests that fill objects.")
	var enums []*ir.Type
	for _, t := range g.Parts() {
		if t.Kind == ir.Enum && len(t.Values) > 0 {
			enums = append(enums, t)
		}
	}
	if len(enums) == 0 {
		f.P("var Enums = []any{}")
		return
	}
	f.P("var Enums = []any{")
	for _, t := range enums {
		var values []string
		for _, v := range t.Values {
			values = append(values, t.Name+"_"+v.Name)
		}
		f.P("[]", t.Name, "{", strings.Join(values, ", "), "},")
	}
	f.P("}")
}

func printMarkers(f *gofile.File, markers []string) {
	for _, m := range markers {
		f.P("// +", m)
	}
}
