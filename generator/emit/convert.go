package emit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// The packages that conversions are made of.
const (
	conversionPath = "github.com/armature-dev/armature/runtime/conversion"
	schemaPath     = "k8s.io/apimachinery/pkg/runtime/schema"
)

// Conversion is the file conversion.go of a package: how its types convert to
// those of its neighbours and back. v is the package's own API version.
func Conversion(pkg *plan.Package, v *ir.Version) ([]byte, error) {
	f := NewFile(pkg.ImportPath, pkg.Name)
	if len(pkg.Resources) == 0 {
		return f.Bytes()
	}
	f.Reserve("bag", "c", "dst", "hub", "src", "status")
	g := &converter{File: f, pkg: pkg, conversion: f.Import(conversionPath), apiVersion: pkg.APIVersion, declared: map[string]bool{}, closed: map[string]*ir.Type{}}
	for _, t := range v.Types {
		if pkg.Role == plan.API && t.Kind == ir.Enum && !t.Open && basic[t.Base] != basic[ir.Integer] {
			g.closed[t.Name] = t
		}
	}
	if pkg.Role == plan.Storage && len(pkg.Neighbours) > 0 {
		f.P("// Methods that name the next version's types are not inlined, since what imports this package")
		f.P("// would be compiled against those types too.")
		f.P()
	}
	for i := range pkg.Resources {
		if r := &pkg.Resources[i]; r.Hub {
			g.genHub(r)
		}
	}
	// Exported methods come first: importers compile against their positions
	// too, and a property more moves only what comes after its own function.
	neighbours := plan.Pairs(pkg, v)
	if sharesTypes(pkg) {
		neighbours[0].Pairs = nil
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
		for i := range pkg.Resources {
			if r := &pkg.Resources[i]; r.Next == n.Neighbour.Name {
				g.genAssignResource(r)
			}
		}
		for _, p := range n.Pairs {
			g.genAssign(p, to)
			g.genAssign(p, from)
		}
		g.genFormers(n)
	}
	g.genMembers()
	return f.Bytes()
}

// converter prints the conversions of a package.
type converter struct {
	*File
	pkg        *plan.Package
	conversion string // how the file names the runtime's package
	neighbour  plan.Neighbour
	apiVersion string // of the types that convert with the neighbour's
	declared   map[string]bool
	closed     map[string]*ir.Type // the closed enums of an API version
	members    []*ir.Type          // those that the file has the members of
}

// direction is "To" a neighbour or "From" it; the runtime's helpers end in it.
type direction string

const (
	to   direction = "To"
	from direction = "From"
)

// there is how the file writes a type of the neighbour.
func (g *converter) there(name string) string {
	if g.isResource(name) {
		return g.Ident(g.neighbour.ImportPath, name)
	}
	return g.Ident(g.partsPath(), name)
}

// partsPath is the import path of what the neighbour's resources are made of.
func (g *converter) partsPath() string { return cmp.Or(g.pkg.Twin, g.neighbour.ImportPath) }

// isResource tells whether a type is a resource of the package.
func (g *converter) isResource(name string) bool {
	return slices.ContainsFunc(g.pkg.Resources, func(r plan.Resource) bool { return r.Kind == name })
}

// sharesTypes tells whether the package has resources alone, of its twin's types.
func sharesTypes(pkg *plan.Package) bool { return pkg.Alias && pkg.Role == plan.Storage }

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
	for _, half := range []string{"Spec", "Status"} {
		name := k + "_" + half
		g.genConvert("Hub"+half, name, "Convert"+half, "Convertible"+half, "")
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
		g.P("return ", g.conversion, ".", d, hubward[g.pkg.Role], "(hub, ", self, ", ", assign(d, k, ""), ")")
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

// hubward ends the names of the runtime's functions for versions that clients see.
var hubward = map[plan.Role]string{plan.API: "Hub"}

// genAssignResource prints the functions that convert a resource one step.
func (g *converter) genAssignResource(r *plan.Resource) {
	k, self := r.Kind, receiver(r.Kind)
	version := g.Ident(g.neighbour.ImportPath, "GroupVersion")
	for _, d := range []direction{to, from} {
		g.genSignature(k, g.there(k), d, "")
		if d == from {
			version = "GroupVersion"
		}
		src, dst := g.ends(k, d)
		g.P("c.Meta(", dst, ", ", src, ", ", version, ")")
		for _, half := range []string{"Spec", "Status"} {
			if sharesTypes(g.pkg) {
				g.P(g.conversion, ".Whole(c, &", dst, ".", half, ", &", src, ".", half, ")")
				continue
			}
			g.P(assign(d, k+"_"+half, ""), "(&", self, ".", half, ", c, &", farEnd[d], ".", half, ")")
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

// genMethods prints the methods of KubernetesResource that all resources have alike.
func (g *converter) genMethods(r *plan.Resource) {
	k, self := r.Kind, receiver(r.Kind)
	gvk := g.Ident(schemaPath, "GroupVersionKind")
	g.P("// OriginalGVK is the version that the resource was written for.")
	if g.pkg.Role == plan.API {
		g.Func("func (*"+k+") OriginalGVK() "+gvk, "return GroupVersion.WithKind("+strconv.Quote(k)+")")
	} else {
		g.P("func (", self, " *", k, ") OriginalGVK() ", gvk, " {")
		g.P("return ", g.conversion, ".OriginalGVK(", self, ", GroupVersion.WithKind(", strconv.Quote(k), "), ", self, ".Spec.OriginalVersion)")
		g.P("}")
		g.P()
		g.P("// OriginalVersion is where the Spec notes the version that the resource was written for.")
		g.Func("func ("+self+" *"+k+") OriginalVersion() *string", "return &"+self+".Spec.OriginalVersion")
	}
	g.P()
	for _, half := range []string{"Spec", "Status"} {
		g.P("// Get", half, " returns the ", half, " itself, not a copy.")
		g.Func("func ("+self+" *"+k+") Get"+half+"() "+g.conversion+".Convertible"+half, "return &"+self+"."+half)
		g.P()
	}
	g.P("// NewEmptyStatus returns an empty Status of this version.")
	status := k + "_Status"
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

// genHalf prints the methods that a Spec or Status has beside its assignments.
func (g *converter) genHalf(p *plan.Pair) {
	name := p.Here.Name
	for _, r := range g.pkg.Resources {
		switch name {
		case r.Kind + "_Spec":
			if g.pkg.Role == plan.API {
				g.P("// OriginalVersion is this version.")
				g.Func("func (*"+name+") OriginalVersion() string", "return GroupVersion.Version")
				g.P()
			}
			g.genConvert("Spec", name, "ConvertSpec", "ConvertibleSpec", p.Suffix)
		case r.Kind + "_Status":
			g.genConvert("Status", name, "ConvertStatus", "ConvertibleStatus", p.Suffix)
		}
	}
}

// genConvert prints both conversions of a Spec or Status, which call a helper
// of the runtime, such as SpecTo or HubSpecTo.
func (g *converter) genConvert(helper, name, method, convertible, suffix string) {
	self := receiver(name)
	half := strings.TrimPrefix(convertible, "Convertible")
	for _, d := range []direction{to, from} {
		end := farEnd[d]
		g.P("// ", method, d, " converts the ", half, " ", strings.ToLower(string(d)), " that of any version.")
		if !strings.HasPrefix(helper, "Hub") {
			g.genNoinline()
		}
		g.P("func (", self, " *", name, ") ", method, d, "(", end, " ", g.conversion, ".", convertible, ") error {")
		call := g.conversion + "." + helper + string(d) + "(" + end + ", " + self
		if !strings.HasPrefix(helper, "Hub") {
			call += ", " + assign(d, name, suffix)
		}
		g.P("return ", call, ")")
		g.P("}")
		g.P()
	}
}

// genAssign prints the function that converts the properties of a pair one way.
func (g *converter) genAssign(p *plan.Pair, d direction) {
	steps, version := p.To, g.apiVersion
	if d == from {
		steps, version = p.From, g.neighbour.APIVersion
	}
	src, dst := g.ends(p.Here.Name, d)
	g.genSignature(p.Here.Name, g.there(p.There.Name), d, p.Suffix)
	switch spec := g.isSpec(p.Here.Name); {
	case spec && g.pkg.Role == plan.Storage:
		g.P(dst, ".OriginalVersion = ", src, ".OriginalVersion")
	case spec && d == to:
		g.P(dst, ".OriginalVersion = ", src, ".OriginalVersion()")
	}
	if g.pkg.Role == plan.API && d == from {
		g.P("c.Drop(", src, ".PropertyBag)")
	}
	uses := map[plan.StepKind]bool{}
	for _, s := range steps {
		uses[s.Kind] = true
	}
	carries := uses[plan.Stash] || uses[plan.Recall] || uses[plan.Fit]
	if carries {
		g.P("bag := c.Bag(", src, ".PropertyBag, ", strconv.Quote(version), ")")
	}
	for _, s := range steps {
		g.genStep(p, s, d)
	}
	switch {
	case carries:
		g.P(dst, ".PropertyBag = bag.Rest()")
	case g.pkg.Role == plan.Storage:
		g.P(dst, ".PropertyBag = c.Carry(", src, ".PropertyBag)")
	}
	g.genHook(p, d)
	g.P("}")
	g.P()
}

func (g *converter) isSpec(name string) bool {
	for _, r := range g.pkg.Resources {
		if r.Kind+"_Spec" == name {
			return true
		}
	}
	return false
}

// genSignature prints the first line of a function that converts properties.
// It is a function, because a method, exported or not, is part of what
// importers of the package compile against, and has the neighbour's types.
func (g *converter) genSignature(here, there string, d direction, suffix string) {
	end := farEnd[d]
	g.P("func ", assign(d, here, suffix), "(", receiver(here), " *", here, ", c *", g.conversion, ".Context, ", end, " *", there, ") {")
}

// genStep prints how one property converts.
func (g *converter) genStep(p *plan.Pair, s plan.Step, d direction) {
	src, dst := g.ends(p.Here.Name, d)
	switch s.Kind {
	case plan.Stash:
		g.P("bag.Stash(", arguments(strconv.Quote(s.Src.Name), src+"."+s.Src.GoName, s.Beside), ")")
	case plan.Recall:
		g.genRecall(s, dst, d)
	case plan.Fit:
		value := src + "." + s.Src.GoName
		converted := g.value(s.Value, s.Src.Type, s.Dst.Type, value, d)
		g.P(dst, ".", s.Dst.GoName, " = ", g.Ident(bagPath, "Fit"), "(&bag, ", arguments(strconv.Quote(s.Src.Name), value+", "+converted, s.Beside), ")")
		g.genRecall(s, dst, d)
	default:
		g.P(dst, ".", s.Dst.GoName, " = ", g.value(s.Value, s.Src.Type, s.Dst.Type, src+"."+s.Src.GoName, d))
	}
}

// genRecall prints how a property comes out of a bag: in its own shape, or
// from any other that converts to it.
func (g *converter) genRecall(s plan.Step, dst string, d direction) {
	name, field := strconv.Quote(s.Dst.Name), "&"+dst+"."+s.Dst.GoName
	g.P("bag.Recall(", arguments(name, field, s.Versions), ")")
	for _, shape := range s.Shapes {
		g.P(g.Ident(bagPath, "RecallFrom"), "(&bag, ", name, ", ", field, ", ", g.fromShape(shape, s.Dst.Type, d), ", ", strconv.Quote(shape.Shape), ")")
	}
}

// genFormerType prints a type as JSON in a bag has it.
func (g *converter) genFormerType(t *ir.Type, apiVersion string) {
	g.P("type ", t.Name, " struct { // of ", apiVersion)
	for _, p := range t.Properties {
		goType, omit := goField(g.File, p.Type)
		g.P(p.GoName, "\t", goType, "\t`json:\"", p.Name, ",", omit, "\"`")
	}
	g.P("PropertyBag\t", g.Ident(bagPath, "Bag"), "\t`json:\"$propertyBag,omitempty\"`")
	g.P("}")
	g.P()
}

// fromShape is the function that converts a value of another shape.
func (g *converter) fromShape(shape plan.ShapeValue, dst ir.TypeRef, d direction) string {
	target := *g
	if d == from {
		target.neighbour = plan.Neighbour{ImportPath: g.pkg.ImportPath}
	}
	if shape.Kind == plan.Fit && shape.Elem == nil {
		return g.fit(shape.Type, dst)
	}
	result := target.typeName(dst, to)
	if dst.Named != "" {
		result = "*" + result
	}
	src, _ := goField(g.File, shape.Type)
	return fmt.Sprintf("func(v %s) %s {\nreturn %s\n}", src, result, target.value(shape.Value, shape.Type, dst, "v", to))
}

// fit is the function of the table of safe changes between two scalars.
func (g *converter) fit(src, dst ir.TypeRef) string {
	names := map[ir.Primitive]string{ir.Integer: "Int", ir.Number: "Float", ir.String: "String"}
	return g.conversion + "." + names[src.Primitive] + "To" + names[dst.Primitive]
}

// arguments are those of a name, a value, and shapes.
func arguments(name, value string, shapes []string) string {
	args := []string{name, value}
	for _, s := range shapes {
		args = append(args, strconv.Quote(s))
	}
	return strings.Join(args, ", ")
}

// genFormers prints the shapes of other versions that come out of bags, and
// how they convert.
func (g *converter) genFormers(n plan.NeighbourPairs) {
	for _, former := range n.Formers {
		here := *g
		here.apiVersion = former.APIVersion
		if former.Package == g.pkg.Name {
			here.neighbour = plan.Neighbour{ImportPath: g.pkg.ImportPath}
		}
		for _, t := range former.Types {
			if !g.declared[t.Name] {
				g.declared[t.Name] = true
				g.genFormerType(t, former.APIVersion)
			}
		}
		for _, p := range former.Pairs {
			here.genAssign(p, to)
		}
	}
}

// value is the expression that converts the value of a property, or of a
// nested slice or map.
func (g *converter) value(v plan.Value, src, dst ir.TypeRef, expr string, d direction) string {
	switch v.Kind {
	case plan.Assign:
		return expr
	case plan.Cast:
		value := "(*" + g.typeName(dst, d) + ")(" + expr + ")"
		if members := g.membersOf(dst, d); members != "" {
			value = fmt.Sprintf("%s.Member(c, %s, %s)", g.conversion, value, members)
		}
		return value
	case plan.Copy:
		copied := ".Clone"
		switch src.Primitive {
		case ir.Any:
			copied = ".Copy"
		case ir.Conditions:
			copied = ".CopySlice"
		}
		return g.take(expr, g.conversion+copied)
	case plan.Fit:
		return g.fitValue(v, src, dst, expr, d)
	case plan.Object:
		return fmt.Sprintf("%s.%sObject%s(c, %s, %s)", g.conversion, g.takes(v.Pair, d), d, expr, g.assignOf(v.Pair, d))
	}
	if v.Elem.Kind == plan.Object {
		takes := ""
		if v.Kind == plan.Slice {
			takes = g.takes(v.Elem.Pair, d)
		}
		return fmt.Sprintf("%s.%s%s%s(c, %s, %s)", g.conversion, takes, helper(v.Kind), d, expr, g.assignOf(v.Elem.Pair, d))
	}
	if f := g.flat(v, src, dst, d); v.Elem.Kind == plan.Cast && f != "" {
		return f + "(" + expr + ")"
	} else if f != "" {
		return g.take(expr, f)
	}
	return fmt.Sprintf("%s.%sOf(%s, %s)", g.conversion, helper(v.Kind), expr, g.function(*v.Elem, *element(src), *element(dst), d))
}

// fitValue is the expression of a safe change; it is nil for a value that
// would come back as another.
func (g *converter) fitValue(v plan.Value, src, dst ir.TypeRef, expr string, d direction) string {
	switch {
	case v.Elem == nil:
		return g.fit(src, dst) + "(" + expr + ")"
	case src.Items != nil:
		return g.value(*v.Elem, *src.Items, dst, g.conversion+".One("+expr+")", d)
	}
	return g.conversion + ".ListOf(" + g.value(*v.Elem, src, *dst.Items, expr, d) + ")"
}

// take is the expression that makes a value the destination's.
func (g *converter) take(expr, copied string) string {
	return fmt.Sprintf("%s.Take(c, %s, %s)", g.conversion, expr, copied)
}

// function is what converts an element: a function's name, or a literal.
func (g *converter) function(v plan.Value, src, dst ir.TypeRef, d direction) string {
	if v.Kind == plan.Cast {
		value := g.typeName(dst, d) + "(v)"
		if members := g.membersOf(dst, d); members != "" {
			value = fmt.Sprintf("%s.Spelling(c, %s, %s)", g.conversion, value, members)
		}
		return function(fmt.Sprintf("func(v %s) %s", g.typeName(src, d.back()), g.typeName(dst, d)), "return "+value)
	}
	if f := g.flat(v, src, dst, d); f != "" {
		return f
	}
	return fmt.Sprintf("func(v %s) %s {\nreturn %s\n}", g.typeName(src, d.back()), g.typeName(dst, d), g.value(v, src, dst, "v", d))
}

// flat is the function that converts a whole slice or map of values that are
// not generated objects, or "" if there is none.
func (g *converter) flat(v plan.Value, src, dst ir.TypeRef, d direction) string {
	switch v.Elem.Kind {
	case plan.Assign, plan.Copy:
		if element(src).Primitive == ir.Any {
			return g.conversion + ".Copy" + helper(v.Kind)
		}
		return g.Ident(map[plan.StepKind]string{plan.Slice: "slices", plan.Map: "maps"}[v.Kind], "Clone")
	case plan.Cast:
		if g.membersOf(*element(dst), d) != "" {
			return ""
		}
		if element(src).Primitive == ir.String || element(dst).Primitive == ir.String {
			return fmt.Sprintf("%s.Cast%s[%s]", g.conversion, helper(v.Kind), g.typeName(*element(dst), d))
		}
	}
	return ""
}

// membersOf names the members of a closed enum, if that is what the value of an
// API version's property becomes.
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

// helper is the beginning of the names of the runtime's functions for a
// slice or map.
func helper(kind plan.StepKind) string {
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

// typeName is how the file writes the type of the destination's value in this
// direction: of the neighbour, or of the package itself. Values that are not
// generated have helpers that need no types.
func (g *converter) typeName(r ir.TypeRef, d direction) string {
	switch {
	case r.Items != nil:
		return "[]" + g.typeName(*r.Items, d)
	case r.Map != nil:
		return "map[string]" + g.typeName(*r.Map, d)
	case r.Named == "":
		return basic[r.Primitive]
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

// assignOf is the name of the function that converts the properties of a pair.
func (g *converter) assignOf(p *plan.Pair, d direction) string {
	return assign(d, p.Here.Name, p.Suffix)
}

// assign is the name of the function that converts the properties of a type.
func assign(d direction, typeName, suffix string) string {
	return "assignProperties" + string(d) + capital(typeName) + capital(suffix)
}

// ends are the names of source and destination in the functions of a type.
func (g *converter) ends(here string, d direction) (src, dst string) {
	if d == to {
		return receiver(here), "dst"
	}
	return "src", receiver(here)
}

// receiver is the name of the receiver of a type's methods. The methods use
// c for the context of the conversion.
func receiver(typeName string) string {
	name := strings.ToLower(typeName[:1])
	if name == "c" {
		name = strings.ToLower(typeName[:min(2, len(typeName))])
	}
	return name
}
