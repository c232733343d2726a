package emit

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// Types returns the file types.go of a package, with its resources and the types
// below them. v is the package's own API version.
func Types(pkg *plan.Package, v *ir.Version) ([]byte, error) {
	g := newGoPackage(pkg, v)
	f := NewFile(pkg.ImportPath, pkg.Name)
	for _, r := range g.resources() {
		g.genResource(f, r)
		if sharesTypes(pkg) {
			continue
		}
		for _, half := range g.declared(r) {
			g.genType(f, half)
		}
		if g.Role == plan.API {
			g.genARMResource(f, r)
		}
	}
	if sharesTypes(pkg) {
		return f.Bytes()
	}
	for _, t := range g.parts() {
		g.genType(f, t)
	}
	if g.Role == plan.API {
		g.genEnums(f)
	}
	return f.Bytes()
}

// genResource prints a resource and its list.
func (g *goPackage) genResource(f *File, r resource) {
	k, meta := r.Kind, f.Import(metaPath)
	markers := storageMarkers(r)
	if g.Role == plan.API {
		markers = g.rootMarkers(r)
	}
	f.Doc(0, g.resourceDoc(r))
	printMarkers(f, markers)
	f.P("type ", k, " struct {")
	f.P(meta, ".TypeMeta\t`json:\",inline\"`")
	f.P(meta, ".ObjectMeta\t`json:\"metadata,omitempty\"`")
	f.P()
	spec, status := r.shape.Spec, r.shape.Status
	if sharesTypes(g.Package) {
		spec, status = f.Ident(g.Twin, spec), f.Ident(g.Twin, status)
	}
	f.P("Spec\t", spec, "\t`json:\"spec\"`")
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

// resourceDoc returns the doc of a resource.
func (g *goPackage) resourceDoc(r resource) string {
	if g.Role == plan.Storage {
		return fmt.Sprintf("%s is the stored form of %s at API version %s.", r.Kind, r.ARMType, g.APIVersion)
	}
	return fmt.Sprintf("%s is %s at API version %s.", r.Kind, r.ARMType, g.APIVersion)
}

// genType prints a type below a resource.
func (g *goPackage) genType(f *File, t *ir.Type) {
	if t.Kind == ir.Enum && !g.Alias {
		f.Doc(0, withKnown(t.Doc, known(t)))
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
	if g.Role == plan.Storage && g.isSpec(t) {
		f.P("OriginalVersion\tstring\t", tag(jsonTag("originalVersion", "omitempty")+notARM))
	}
	for _, p := range t.Properties {
		f.Doc(1, g.propertyDoc(p))
		if g.Role == plan.API {
			printMarkers(f, g.fieldMarkers(t, p))
		}
		goType, omit := goField(f, p.Type)
		f.P(p.GoName, "\t", goType, "\t", tag(jsonTag(p.Name, omit)+armTag(t, p)+g.listKeyTag(p)))
	}
	if g.Role == plan.Storage {
		genBagField(f, notARM)
	}
	f.P("}")
	f.P()
}

// genBagField prints the field with the bag of an object. more follows the JSON
// name in the field's tag.
func genBagField(f *File, more string) {
	f.P("PropertyBag\t", f.Ident(bagPath, "Bag"), "\t", tag(jsonTag("$propertyBag", "omitempty")+more))
}

// tag returns the literal of a field's tag. A name in it may have any character
// that Go has, so no text is put between backquotes as it is.
func tag(text string) string { return raw(text) }

// jsonTag returns the part of a field's tag that says how encoding/json writes it.
func jsonTag(name, option string) string { return "json:" + strconv.Quote(name+","+option) }

// listKeyTag returns the part of a stored list's tag that names the properties by
// which package remainder finds its elements again.
func (g *goPackage) listKeyTag(p *ir.Property) string {
	if g.Role == plan.API || p.Type.Items == nil || len(p.ListKeys) == 0 {
		return ""
	}
	return " listMapKey:" + strconv.Quote(strings.Join(p.ListKeys, ","))
}

// genEnum prints an enum and its values.
func genEnum(f *File, t *ir.Type) {
	f.P("type ", t.Name, " ", basic[cmp.Or(t.Base, ir.String)])
	f.P()
	if len(t.Values) == 0 {
		return
	}
	f.P("const (")
	for _, v := range t.Values {
		f.Doc(1, v.Doc)
		f.P(t.Name, "_", v.Name, "\t", t.Name, "\t= ", literal(t.Base, v.Value))
	}
	f.P(")")
	f.P()
}

// genEnums prints a list of the values of all enums, which cannot be found out from
// the Go types.
func (g *goPackage) genEnums(f *File) {
	f.P("// Enums has the values of each enum, for tests that fill objects.")
	var enums []*ir.Type
	for _, t := range g.parts() {
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

func printMarkers(f *File, markers []string) {
	for _, m := range markers {
		f.P("// +", m)
	}
}
