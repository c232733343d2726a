package emit

import (
	"cmp"
	"fmt"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/gofile"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
)

// The packages that conversions are made of.
const (
	conversionPath = "github.com/armature-dev/armature/runtime/conversion"
	schemaPath     = "k8s.io/apimachinery/pkg/runtime/schema"
)

// Conversion returns the file conversion.go of a package, which converts the
// package's types to those of its neighbours and back.
func Conversion(pkg *shape.Package) ([]byte, error) {
	f := gofile.New(pkg.ImportPath, pkg.Name, "conversion.go")
	if len(pkg.Resources) == 0 {
		return f.Bytes()
	}
	f.Reserve("bag", "c", "dst", "hub", "in", "out", "src", "status", "v")
	g := &converter{
		File: f, pkg: pkg.Package, conversion: f.Import(conversionPath), copier: &copier{pkg, f},
		apiVersion: pkg.APIVersion, declared: map[string]bool{}, closed: map[string]*ir.Type{},
	}
	for _, t := range pkg.Version.Types {
		if pkg.Role == plan.API && t.Kind == ir.Enum && !t.Open && t.Base == ir.String {
			g.closed[t.Name] = t
		}
	}
	if pkg.Role == plan.Storage && len(pkg.Neighbours) > 0 {
		f.P("// Methods that name types of the next version have go:noinline: packages that import this one would")
		f.P("// otherwise be compiled against those types too.")
		f.P()
	}
	for i := range pkg.Resources {
		if r := &pkg.Resources[i]; r.Hub {
			g.genHub(r)
		}
	}
	// Exported methods come first: importers compile against their positions
	// too, and one more property moves only what comes after its own function.
	neighbours, err := plan.Pairs(pkg.Package, pkg.Version)
	if err != nil {
		return nil, err
	}
	for _, n := range neighbours {
		g.neighbour = n.Neighbour
		for i := range pkg.Resources {
			if r := &pkg.Resources[i]; r.Next == n.Neighbour.Name {
				g.genResource(r)
			}
		}
		for _, p := range n.Pairs {
			g.genHalf(p)
			g.genAssignable(p)
		}
	}
	for _, n := range neighbours {
		g.neighbour = n.Neighbour
		if g.passes() {
			g.alike = alikeAmong(n.Pairs)
		}
		for i := range pkg.Resources {
			if r := &pkg.Resources[i]; r.Next == n.Neighbour.Name {
				g.genConvertResource(r)
			}
		}
		for _, p := range n.Pairs {
			g.genConvert(p, to)
			g.genConvert(p, from)
		}
		g.genFormers(n)
	}
	g.genMembers()
	return f.Bytes()
}

// converter prints the conversions of a package.
type converter struct {
	*gofile.File
	pkg        *plan.Package
	conversion string // the name of the runtime's package in the file
	copier     *copier
	neighbour  plan.Neighbour
	apiVersion string // of the types that convert with the neighbour's
	declared   map[string]bool
	closed     map[string]*ir.Type // the closed enums of strings of an API version
	members    []*ir.Type          // the closed enums whose members the file lists
	alike      map[*plan.Pair]bool // of the neighbour, see [alikeAmong]
}

// direction is To the neighbour or From it; the names of exported methods end in it.
type direction string

const (
	to   direction = "To"
	from direction = "From"
)

// there returns how the file writes a type of the neighbour.
func (g *converter) there(name string) string { return g.Ident(g.pathOf(name), name) }

// pathOf returns the import path of a type of the neighbour.
func (g *converter) pathOf(name string) string {
	if g.isResource(name) {
		return g.neighbour.ImportPath
	}
	return g.partsPath()
}

// partsPath returns the import path of the types that the neighbour's resources
// consist of.
func (g *converter) partsPath() string { return cmp.Or(g.pkg.Twin, g.neighbour.ImportPath) }

// isResource reports whether a type is a resource of the package.
func (g *converter) isResource(name string) bool {
	return slices.ContainsFunc(g.pkg.Resources, func(r plan.Resource) bool { return r.Kind == name })
}

// sharesTypes reports whether all types of the package but the resources are
// those of its twin.
func sharesTypes(pkg *plan.Package) bool { return pkg.Alias && pkg.Role == plan.Storage }

// convertName returns the name of the function that converts a type here to a
// type of the neighbour, or back, such as convertAddressToV2storageLocation or
// convertV2storageLocationToAddress.
func (g *converter) convertName(here, there string, d direction) string {
	here, there = capital(here), g.qualified(there)
	if d == to {
		return "convert" + here + "To" + there
	}
	return "convert" + there + "To" + here
}

// qualified returns the name of a neighbour's type with its package in front. A
// type of the package itself, which converts from a former version, has none.
func (g *converter) qualified(there string) string {
	if importPath := g.pathOf(there); importPath != g.pkg.ImportPath {
		return capital(path.Base(importPath)) + there
	}
	return there
}

// genHub prints the methods of a resource that is the hub.
func (g *converter) genHub(r *plan.Resource) {
	k := r.Kind
	g.P("var _ ", g.conversion, ".StoredResource = &", k, "{}")
	g.P()
	g.P("// Hub marks ", k, " as the version that all others convert with.")
	g.P("func (*", k, ") Hub() {}")
	g.P()
	g.P("// NewHub returns an empty ", k, ".")
	g.Func("func (*"+k+") NewHub() "+g.conversion+".Hub", "return &"+k+"{}")
	g.P()
	g.genMethods(r)
	for half, name := range halvesOf(k) {
		g.genHalfMethods(name, half, func(d direction, end, self string) string {
			return g.conversion + ".Hub" + half + string(d) + "(" + end + ", " + self + ")"
		})
	}
}

// genResource prints the methods of a resource that converts with a neighbour.
func (g *converter) genResource(r *plan.Resource) {
	k, self := r.Kind, receiver(r.Kind)
	g.P("var (")
	g.P("_ ", g.conversion, ".Convertible\t= &", k, "{}")
	g.P("_ ", g.conversion, ".", contract[g.pkg.Role], "\t= &", k, "{}")
	g.P(")")
	g.P()
	for _, d := range []direction{to, from} {
		g.P("// Convert", d, " converts the resource ", strings.ToLower(string(d)), " the hub.")
		g.genNoinline()
		g.P("func (", self, " *", k, ") Convert", d, "(hub ", g.conversion, ".Hub) error {")
		g.P("return ", g.conversion, ".", d, hubward[g.pkg.Role], "(hub, ", self, ", ", g.convertName(k, k, d), ")")
		g.P("}")
		g.P()
	}
	g.P("// NewHub returns an empty object of the hub's version.")
	g.genNoinline()
	g.Func("func (*"+k+") NewHub() "+g.conversion+".Hub", "return (&"+g.there(k)+"{}).NewHub()")
	g.P()
	g.genMethods(r)
}

// contract is the runtime's interface that a resource implements.
var contract = map[plan.Role]string{plan.API: "KubernetesResource", plan.Storage: "StoredResource"}

// hubward is the end of the names of the runtime's functions for versions that
// clients see.
var hubward = map[plan.Role]string{plan.API: "Hub"}

// genConvertResource prints the functions that convert a resource to its
// neighbour and back.
func (g *converter) genConvertResource(r *plan.Resource) {
	k := r.Kind
	for _, d := range []direction{to, from} {
		g.genSignature(k, k, d)
		version := "GroupVersion"
		if d == to {
			version = g.Ident(g.neighbour.ImportPath, "GroupVersion")
		}
		g.P("c.Meta(in, out, ", version, ")")
		for half, name := range halvesOf(k) {
			if sharesTypes(g.pkg) {
				g.P("out.", half, " = *", g.conversion, ".Pass(c, &in.", half, ", (*", g.there(name), ").DeepCopy)")
				continue
			}
			g.P(g.convertName(name, name, d), "(c, &in.", half, ", &out.", half, ")")
		}
		g.P("}")
		g.P()
	}
}

// genNoinline ends the comment of a method of a storage package that names the
// neighbour's types. Importers compile against a body that can be inlined, and
// with it against those types: a change would spread from package to package.
func (g *converter) genNoinline() {
	if g.pkg.Role == plan.Storage {
		g.P("//")
		g.P("//go:noinline")
	}
}

// genMethods prints the methods of KubernetesResource that are alike for all
// resources.
func (g *converter) genMethods(r *plan.Resource) {
	k, self := r.Kind, receiver(r.Kind)
	gvk := g.Ident(schemaPath, "GroupVersionKind")
	g.P("// OriginalGVK returns the version that the resource was written for.")
	if g.pkg.Role == plan.API {
		g.Func("func (*"+k+") OriginalGVK() "+gvk, "return GroupVersion.WithKind("+strconv.Quote(k)+")")
	} else {
		g.P("func (", self, " *", k, ") OriginalGVK() ", gvk, " {")
		own := "GroupVersion.WithKind(" + strconv.Quote(k) + ")"
		g.P("return ", g.conversion, ".OriginalGVK(", self, ", ", own, ", ", self, ".Spec.OriginalVersion)")
		g.P("}")
		g.P()
		g.P("// OriginalVersion points to the field that notes the version that the resource was written for.")
		g.Func("func ("+self+" *"+k+") OriginalVersion() *string", "return &"+self+".Spec.OriginalVersion")
	}
	g.P()
	for _, half := range []string{"Spec", "Status"} {
		g.P("// Get", half, " returns the ", half, " itself, not a copy.")
		g.Func("func ("+self+" *"+k+") Get"+half+"() "+g.conversion+".Convertible"+half, "return &"+self+"."+half)
		g.P()
	}
	g.P("// NewEmptyStatus returns an empty Status of this version.")
	status := naming.Status(k)
	if sharesTypes(g.pkg) {
		status = g.there(status)
	}
	g.Func("func (*"+k+") NewEmptyStatus() "+g.conversion+".ConvertibleStatus", "return &"+status+"{}")
	g.P()
	g.P("// SetStatus sets the Status from that of any version of ", k, ".")
	g.P("func (", self, " *", k, ") SetStatus(status ", g.conversion, ".ConvertibleStatus) error {")
	g.P("return ", g.conversion, ".SetStatus(&", self, ".Status, status)")
	g.P("}")
	g.P()
}

// genHalf prints the methods of a Spec or Status.
func (g *converter) genHalf(p *plan.Pair) {
	name := p.Here.Name
	for _, r := range g.pkg.Resources {
		for half, of := range halvesOf(r.Kind) {
			if of != name {
				continue
			}
			if g.pkg.Role == plan.API && g.isSpec(name) {
				g.P("// OriginalVersion returns the name of this version.")
				g.Func("func (*"+name+") OriginalVersion() string", "return GroupVersion.Version")
				g.P()
			}
			g.genHalfMethods(name, half, func(d direction, end, self string) string {
				return g.conversion + "." + half + string(d) + "(" + end + ", " + self + ", " + g.convertName(name, p.There.Name, d) + ")"
			})
		}
	}
}

// genHalfMethods prints the two methods that convert a Spec or Status. The
// function call returns what they call, given the names of their two variables.
func (g *converter) genHalfMethods(name, half string, call func(d direction, end, self string) string) {
	self := receiver(name)
	for _, d := range []direction{to, from} {
		end := farEnd[d]
		body := call(d, end, self)
		g.P("// Convert", half, d, " converts the ", half, " ", strings.ToLower(string(d)), " that of any version.")
		if strings.Contains(body, "convert") {
			g.genNoinline()
		}
		g.P("func (", self, " *", name, ") Convert", half, d, "(", end, " ", g.conversion, ".Convertible", half, ") error {")
		g.P("return ", body)
		g.P("}")
		g.P()
	}
}

// genConvert prints the function that converts the properties of a pair in one
// direction.
func (g *converter) genConvert(p *plan.Pair, d direction) {
	steps, version := p.To, g.apiVersion
	if d == from {
		steps, version = p.From, g.neighbour.APIVersion
	}
	g.genSignature(p.Here.Name, p.There.Name, d)
	switch spec := g.isSpec(p.Here.Name); {
	case spec && g.pkg.Role == plan.Storage:
		g.P("out.OriginalVersion = in.OriginalVersion")
	case spec && d == to:
		g.P("out.OriginalVersion = in.OriginalVersion()")
	}
	if g.pkg.Role == plan.API && d == from {
		g.P("c.MarkLost(in.PropertyBag)")
	}
	carries := slices.ContainsFunc(steps, func(s plan.Step) bool { return s.Stashes() || s.Recalls() })
	if carries {
		g.P("bag := c.Bag(in.PropertyBag, ", strconv.Quote(version), ")")
	}
	rests := g.genTakes(steps, d)
	for _, s := range steps {
		if !s.Moves() {
			g.genStep(s, d, rests)
		}
	}
	g.genPlaces(steps, d, version, rests)
	switch {
	case carries:
		g.P("out.PropertyBag = bag.Rest()")
	case g.passes():
		g.P("out.PropertyBag = ", g.conversion, ".Pass(c, in.PropertyBag, ", g.Ident(bagPath, "Bag"), ".DeepCopy)")
	case g.pkg.Role == plan.Storage:
		g.P("out.PropertyBag = in.PropertyBag.DeepCopy()")
	}
	g.genHook(p, d)
	g.P("}")
	g.P()
}

// isSpec reports whether a type is the Spec of a resource.
func (g *converter) isSpec(name string) bool {
	return slices.ContainsFunc(g.pkg.Resources, func(r plan.Resource) bool { return naming.Spec(r.Kind) == name })
}

// halvesOf iterates over the fields of a resource and the names of their types.
func halvesOf(kind string) iter.Seq2[string, string] {
	return func(yield func(field, typeName string) bool) {
		_ = yield("Spec", naming.Spec(kind)) && yield("Status", naming.Status(kind))
	}
}

// genSignature prints the first line of a function that converts properties.
// It is a function, because a method, exported or not, is part of what
// importers of the package compile against, and has the neighbour's types.
func (g *converter) genSignature(here, there string, d direction) {
	in, out := here, g.there(there)
	if d == from {
		in, out = out, in
	}
	g.P("func ", g.convertName(here, there, d), "(c *", g.conversion, ".Context, in *", in, ", out *", out, ") {")
}

// genStep prints how one property converts. Rests has the names of variables with what
// moves leave of some properties.
func (g *converter) genStep(s plan.Step, d direction, rests map[*ir.Property]string) {
	if s.Kind == plan.Recall {
		g.genRecall(s, d)
		return
	}
	value := cmp.Or(rests[s.Src], "in."+s.Src.GoName)
	if s.Kind == plan.Stash {
		g.P("bag.Stash(", arguments(strconv.Quote(s.Src.Name), value, s.Beside), ")")
		return
	}
	g.P("out.", s.Dst.GoName, " = ", g.stepValue(s, value, d))
	if s.Kind == plan.Fit {
		g.genRecall(s, d)
	}
}

// stepValue returns the expression that converts the value of a step's source, and
// that puts a value which does not fit into the bag.
func (g *converter) stepValue(s plan.Step, value string, d direction) string {
	converted := g.value(s.Value, s.Src.Type, s.Dst.Type, value, d)
	if s.Kind != plan.Fit {
		return converted
	}
	args := arguments(strconv.Quote(s.Src.Name), value+", "+converted, s.Beside)
	return g.Ident(bagPath, "Fit") + "(&bag, " + args + ")"
}

// genRecall prints how a property comes out of a bag: in its own shape, or
// from any other that converts to it.
func (g *converter) genRecall(s plan.Step, d direction) {
	name, field := strconv.Quote(s.Dst.Name), "&out."+s.Dst.GoName
	g.P("bag.Recall(", arguments(name, field, s.Versions), ")")
	for _, v := range s.Shapes {
		convert := g.fromShape(v, s.Dst.Type, d)
		g.P(g.Ident(bagPath, "RecallFrom"), "(&bag, ", name, ", ", field, ", ", convert, ", ", strconv.Quote(v.Shape), ")")
	}
}

// genFormerType prints a type with the fields that it has as JSON in a bag.
func (g *converter) genFormerType(t *ir.Type, apiVersion string) {
	g.P("type ", t.Name, " struct { // of ", apiVersion)
	for _, p := range t.Properties {
		goType, omit := goField(g.File, p.Type)
		g.P(p.GoName, "\t", goType, "\t", tag(jsonTag(p.Name, omit)))
	}
	genBagField(g.File, "")
	g.P("}")
	g.P()
}

// fromShape returns the function that converts a value of another shape.
func (g *converter) fromShape(former plan.ShapeValue, dst ir.TypeRef, d direction) string {
	target := *g
	if d == from {
		target.neighbour = plan.Neighbour{ImportPath: g.pkg.ImportPath}
	}
	src, _ := goField(g.File, former.Type)
	result := target.fieldType(dst, to)
	if former.Kind == plan.Fit && former.Elem == nil {
		if isScalar(former.Type) && isScalar(dst) {
			return g.fit(former.Type, dst)
		}
		return fmt.Sprintf("%s.Recode[%s, %s]", g.conversion, result, src)
	}
	return fmt.Sprintf("func(v %s) %s {\nreturn %s\n}", src, result, target.value(former.Value, former.Type, dst, "v", to))
}

// fit returns the runtime's function for a safe change between two scalars.
func (g *converter) fit(src, dst ir.TypeRef) string {
	names := map[ir.Primitive]string{ir.Integer: "Int", ir.Number: "Float", ir.String: "String"}
	return g.conversion + "." + names[src.Primitive] + "To" + names[dst.Primitive]
}

// isScalar reports whether a value is a scalar and no enum.
func isScalar(r ir.TypeRef) bool { return r.Primitive != "" && r.Primitive != ir.Any }

// arguments joins a name, a value, and shapes.
func arguments(name, value string, shapes []string) string {
	args := []string{name, value}
	for _, s := range shapes {
		args = append(args, strconv.Quote(s))
	}
	return strings.Join(args, ", ")
}

// genFormers prints the shapes of other versions that come out of bags, and
// the functions that convert them. Shapes that convert to the package's own
// types may be needed beside several neighbours.
func (g *converter) genFormers(n plan.NeighbourPairs) {
	for _, former := range n.Formers {
		here := *g
		here.apiVersion = former.APIVersion
		if former.Package == g.pkg.Name {
			here.neighbour = plan.Neighbour{ImportPath: g.pkg.ImportPath}
		}
		for _, t := range former.Types {
			if g.declare(t.Name) {
				g.genFormerType(t, former.APIVersion)
			}
		}
		for _, p := range former.Pairs {
			if g.declare(here.convertName(p.Here.Name, p.There.Name, to)) {
				here.genConvert(p, to)
			}
		}
	}
}

// declare notes that the file declares a name, and reports whether it is new.
func (g *converter) declare(name string) bool {
	known := g.declared[name]
	g.declared[name] = true
	return !known
}

// value returns the expression that converts the value of a property, or of a
// nested slice or map.
func (g *converter) value(v plan.Value, src, dst ir.TypeRef, expr string, d direction) string {
	if copied(v) {
		if g.passes() {
			return g.conversion + ".Pass(c, " + expr + ", " + g.copier.function(src) + ")"
		}
		return g.copier.value(src, expr)
	}
	switch v.Kind {
	case plan.Assign:
		return expr
	case plan.Cast:
		value := "(*" + g.typeName(dst, d) + ")(" + expr + ")"
		if members := g.membersOf(dst, d); members != "" {
			value = fmt.Sprintf("%s.Member(c, %s, %s)", g.conversion, value, members)
		}
		return value
	case plan.Fit:
		return g.fitValue(v, src, dst, expr, d)
	case plan.Object:
		return g.objects("Object", expr, v.Pair, d)
	}
	switch v.Elem.Kind {
	case plan.Object:
		return g.objects("Object"+container(v.Kind), expr, v.Elem.Pair, d)
	case plan.Cast:
		if f := g.cast(v, src, dst, d); f != "" {
			return f + "(" + expr + ")"
		}
	}
	return fmt.Sprintf("%s.%sOf(%s, %s)", g.conversion, container(v.Kind), expr, g.function(*v.Elem, *element(src), *element(dst), d))
}

// copied reports whether a value converts by a deep copy, because both sides
// have the same type. A scalar does not: both sides may have the same pointer.
func copied(v plan.Value) bool {
	switch v.Kind {
	case plan.Copy:
		return true
	case plan.Slice, plan.Map:
		return v.Elem.Kind == plan.Assign || copied(*v.Elem)
	}
	return false
}

// passes reports whether a step of the package may pass on what its source has. A hook
// may change in place what it got, so a step with hooks copies. The types of API
// versions have no bags, and differ by that from those of the neighbour.
func (g *converter) passes() bool { return g.pkg.Role == plan.Storage && len(g.pkg.Hooks) == 0 }

// alikeAmong returns the pairs of types that have the same layout, so that a step may
// pass on an object of one as one of the other: each property converts to the one at
// the same place, either without a change or as an object of such a pair.
func alikeAmong(pairs []*plan.Pair) map[*plan.Pair]bool {
	alike := map[*plan.Pair]bool{}
	for _, p := range pairs {
		alike[p] = slices.EqualFunc(p.Here.Properties, p.There.Properties, func(here, there *ir.Property) bool {
			return here.GoName == there.GoName
		})
	}
	differs := func(s plan.Step) bool { return !whole(s.Value, alike) || s.Moves() || s.Src.GoName != s.Dst.GoName }
	for found := true; found; { // types may contain themselves
		found = false
		for _, p := range pairs {
			if alike[p] && (slices.ContainsFunc(p.To, differs) || slices.ContainsFunc(p.From, differs)) {
				alike[p], found = false, true
			}
		}
	}
	return alike
}

// whole reports whether a value converts to one of the same layout.
func whole(v plan.Value, alike map[*plan.Pair]bool) bool {
	switch {
	case v.Kind == plan.Object:
		return alike[v.Pair]
	case v.Kind == plan.Slice || v.Kind == plan.Map:
		return whole(*v.Elem, alike)
	}
	return v.Kind == plan.Assign || v.Kind == plan.Copy
}

// objects returns the call of the runtime's function that converts one or many
// objects, or passes them on.
func (g *converter) objects(kind, expr string, p *plan.Pair, d direction) string {
	if g.alike[p] {
		kind = "Pass" + kind
	}
	return fmt.Sprintf("%s.%s(c, %s, %s)", g.conversion, kind, expr, g.convertName(p.Here.Name, p.There.Name, d))
}

// fitValue returns the expression of a safe change; its value is nil for one
// that would come back as another.
func (g *converter) fitValue(v plan.Value, src, dst ir.TypeRef, expr string, d direction) string {
	switch {
	case v.Elem == nil:
		if isScalar(src) && isScalar(dst) {
			return g.fit(src, dst) + "(" + expr + ")"
		}
		return fmt.Sprintf("%s.Recode[%s](%s)", g.conversion, g.fieldType(dst, d), expr)
	case src.Items != nil:
		return g.value(*v.Elem, *src.Items, dst, g.conversion+".One("+expr+")", d)
	}
	return g.conversion + ".ListOf(" + g.value(*v.Elem, src, *dst.Items, expr, d) + ")"
}

// function returns the name or the literal of a function that converts an element.
func (g *converter) function(v plan.Value, src, dst ir.TypeRef, d direction) string {
	in, out := g.typeName(src, d.back()), g.typeName(dst, d)
	if v.Kind == plan.Cast {
		value := out + "(v)"
		if members := g.membersOf(dst, d); members != "" {
			value = fmt.Sprintf("%s.Spelling(c, %s, %s)", g.conversion, value, members)
		}
		return gofile.Function("func(v "+in+") "+out, "return "+value)
	}
	if v.Kind == plan.Slice || v.Kind == plan.Map {
		if f := g.cast(v, src, dst, d); f != "" {
			return f
		}
	}
	return "func(v " + in + ") " + out + " {\nreturn " + g.value(v, src, dst, "v", d) + "\n}"
}

// cast returns the runtime's function that converts a slice or map between an
// enum and its base type, or "" where there is none.
func (g *converter) cast(v plan.Value, src, dst ir.TypeRef, d direction) string {
	from, to := *element(src), *element(dst)
	if v.Elem.Kind != plan.Cast || g.membersOf(to, d) != "" || from.Primitive != ir.String && to.Primitive != ir.String {
		return ""
	}
	return fmt.Sprintf("%s.Cast%s[%s]", g.conversion, container(v.Kind), g.typeName(to, d))
}

// membersOf returns the name of the variable with the members of a closed enum,
// if a property of an API version becomes one, or "".
func (g *converter) membersOf(dst ir.TypeRef, d direction) string {
	t := g.closed[dst.Named]
	if t == nil || d == to {
		return ""
	}
	if !slices.Contains(g.members, t) {
		g.members = append(g.members, t)
	}
	return "membersOf" + t.Name
}

// genMembers prints the members of closed enums, whose spelling the API server
// insists on.
func (g *converter) genMembers() {
	slices.SortFunc(g.members, func(a, b *ir.Type) int { return cmp.Compare(a.Name, b.Name) })
	for _, t := range g.members {
		var names []string
		for _, value := range t.Values {
			names = append(names, t.Name+"_"+value.Name)
		}
		g.P("var membersOf", t.Name, " = []", t.Name, "{", strings.Join(names, ", "), "}")
	}
}

// container is the part of the names of the runtime's functions that says slice
// or map.
func container(kind plan.StepKind) string {
	if kind == plan.Slice {
		return "Slice"
	}
	return "Map"
}

func element(r ir.TypeRef) *ir.TypeRef {
	if r.Items != nil {
		return r.Items
	}
	return r.Map
}

// typeName returns how the file writes the type of the destination's value in
// this direction, which belongs to the neighbour or to the package itself.
func (g *converter) typeName(r ir.TypeRef, d direction) string {
	switch {
	case r.Items != nil:
		return "[]" + g.typeName(*r.Items, d)
	case r.Map != nil:
		return "map[string]" + g.typeName(*r.Map, d)
	case r.Named == "":
		return goValue(g.File, r)
	case d == to:
		return g.there(r.Named)
	}
	return r.Named
}

func (d direction) back() direction {
	if d == to {
		return from
	}
	return to
}

// receiver returns the name of the receiver of a type's methods.
func receiver(typeName string) string {
	return strings.ToLower(typeName[:1])
}
