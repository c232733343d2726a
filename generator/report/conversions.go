package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// Conversion says what becomes of the properties of one API version when an
// object is converted to another.
type Conversion struct {
	// From and To name Kubernetes versions.
	From string `json:"from"`
	To   string `json:"to"`
	// Route lists the storage versions on the way, in order. The format keeps its
	// first name for it.
	Route  []string `json:"road"`
	Counts Counts   `json:"counts"`
	// Changes lists the properties that are not just assigned, sorted by path.
	// To has all other properties of From, with the same path and value.
	Changes []Change `json:"changes,omitempty"`
	// Refused lists what To demands of the Spec and From does not, sorted by path.
	Refused []Refusal `json:"refused,omitempty"`
}

// Counts holds the numbers of properties by [Fate]. A property that goes into a
// bag counts once, with everything below it, whether or not it comes out again.
type Counts struct {
	Assigned  int `json:"assigned"`
	Converted int `json:"converted,omitempty"`
	Stashed   int `json:"stashed,omitempty"`
	Carried   int `json:"carried,omitempty"`
	// Waived counts the [Waiver]s of the packages at both ends and on the route.
	Waived int `json:"waived,omitempty"`
}

// Fate says where the value of a property is at the end of a route.
type Fate string

// The fates of a property.
const (
	// Assigned means that the property of the same name and type has it.
	Assigned Fate = "assigned"
	// Converted means that its partner has it, and so have all versions on the
	// way.
	Converted Fate = "converted"
	// Stashed means that its partner has it, and that a bag had it at some
	// versions on the way.
	Stashed Fate = "stashed"
	// Carried means that the destination cannot hold it, and that the annotation
	// armature.dev/remainder has it.
	Carried Fate = "carried"
	// Lost means that nothing has it. A report that says so shows an error of the
	// generator, because no conversion may lose a value.
	Lost Fate = "lost"
)

// How says in which way a property is converted.
type How string

// The ways in which a property is converted.
const (
	// Cast means that an enum became its base type, or an enum with other members.
	Cast How = "cast"
	// SafeChange means a change that the table of safe changes allows. A value
	// that would not come back identical goes into a bag instead.
	SafeChange How = "safeChange"
	// FormerShape means that the value came out of a bag in the shape of another
	// version and was converted.
	FormerShape How = "formerShape"
	// TypeRename and PropertyRename mean that the name differs, by an entry of
	// group.yaml or in case only.
	TypeRename     How = "typeRename"
	PropertyRename How = "propertyRename"
	// Moved means that the property went into an object or out of one, by an entry of
	// group.yaml.
	Moved How = "move"
	// Hooked means that a hand-written hook is called for the object. It may set
	// any of its properties.
	Hooked How = "hook"
)

// Change says what becomes of one property.
type Change struct {
	// Path names the property at From, such as "spec.sku.name". It has no
	// indexes or keys: an element of a list or map is named like a single object.
	Path string `json:"path"`
	Fate Fate   `json:"fate"`
	How  []How  `json:"how,omitempty"`
	// Name is set if the property has another name at To. If it moved, this is its path
	// from the object around both places.
	Name string `json:"name,omitempty"`
	// What gives its type at From and its type at To.
	What string `json:"what,omitempty"`
	// Bags lists the parts of the route on which a bag has the value.
	Bags []Stay `json:"bags,omitempty"`
	// Hooks lists the hooks that are called for the object, in order.
	Hooks []string `json:"hooks,omitempty"`
}

// Stay describes a part of a route on which a bag has a value.
type Stay struct {
	// From and To name the first and the last package whose bag has it. To is
	// empty if the value is never taken out.
	From string `json:"from"`
	To   string `json:"to,omitempty"`
}

// graph holds the packages of a group and how they convert.
type graph struct {
	packages map[string]*plan.Package
	pairs    map[string][]plan.NeighbourPairs
	// types holds the types of each API package by package and name.
	types map[string]map[string]*ir.Type
	// recursive has the names of the types of each API package that contain
	// themselves.
	recursive map[string]map[string]bool
	// ways are those that were asked for, by package and kind: each pair of versions asks
	// for two.
	ways map[[2]string]way
}

// way has the hops between a package and the hub of a kind.
type way struct{ up, down []hop }

func newGraph(packages []*plan.Package, shapes []*ir.Version) (*graph, error) {
	g := &graph{
		map[string]*plan.Package{}, map[string][]plan.NeighbourPairs{}, map[string]map[string]*ir.Type{},
		map[string]map[string]bool{}, map[[2]string]way{},
	}
	versions := map[string]*ir.Version{}
	for _, v := range shapes {
		versions[v.APIVersion] = v
	}
	for _, p := range packages {
		v := versions[p.APIVersion]
		if v == nil {
			continue
		}
		g.packages[p.Name] = p
		shape := plan.Shape(p, v)
		pairs, err := plan.Pairs(p, shape)
		if err != nil {
			return nil, err
		}
		g.pairs[p.Name] = pairs
		if p.Role == plan.API {
			types, recursive := map[string]*ir.Type{}, map[string]bool{}
			for _, t := range shape.Types {
				types[t.Name] = t
			}
			for _, c := range shape.Cycles(func(ir.Edge) bool { return false }) {
				for _, e := range c.Edges {
					recursive[e.From] = true
				}
			}
			g.types[p.Name], g.recursive[p.Name] = types, recursive
		}
	}
	return g, nil
}

// way returns the hops between a package and the hub of a kind.
func (g *graph) way(name, kind string) way {
	key := [2]string{name, kind}
	if w, known := g.ways[key]; known {
		return w
	}
	var w way
	for p := g.packages[name]; p != nil; {
		i := slices.IndexFunc(p.Resources, func(r plan.Resource) bool { return r.Kind == kind })
		if i < 0 || p.Resources[i].Next == "" {
			break
		}
		next := p.Resources[i].Next
		for j := range g.pairs[p.Name] {
			if pairs := &g.pairs[p.Name][j]; pairs.Neighbour.Name == next {
				w.up, w.down = append(w.up, newHop(p, pairs, false)), append(w.down, newHop(p, pairs, true))
			}
		}
		p = g.packages[next]
	}
	slices.Reverse(w.down)
	g.ways[key] = w
	return w
}

// follow returns what an object is after some hops. It skips the storage package
// of an alias, which has the types of its twin, so that nothing changes there.
func (t *trace) follow(hops []hop, typ string, o *object) *object {
	for _, h := range hops {
		if h.pkg.Alias && h.pkg.Role == plan.Storage {
			continue
		}
		o = t.convert(h, h.pairs.Pair(typ), o)
	}
	return o
}

// addConversions adds a conversion from each version of each resource to each
// other version.
func (b *builder) addConversions() error {
	var err error
	if b.graph, err = newGraph(b.Packages, b.Shapes); err != nil {
		return err
	}
	b.renames = renames{}
	for _, p := range b.Packages {
		if b.graph.types[p.Name] == nil || b.twin(p) != "" {
			continue
		}
		t := newTrace(b.graph.types[p.Name])
		for _, r := range b.report.Resources {
			if slices.ContainsFunc(p.Resources, func(o plan.Resource) bool { return o.Kind == r.Kind }) {
				b.addConversionsFrom(p.Name, r, t)
			}
		}
	}
	return nil
}

// addConversionsFrom adds the conversions of a resource from one version.
func (b *builder) addConversionsFrom(from string, r *Resource, t *trace) {
	up := b.graph.way(from, r.Kind).up
	var atHub [len(halves)]*object
	for i, half := range halves {
		name := half.typeName(r.Kind)
		atHub[i] = t.follow(up, name, t.begin(t.types[name]))
	}
	for _, to := range r.Versions {
		if to.Name == from || to.AliasOf != "" || b.graph.types[to.Name] == nil {
			continue
		}
		down := b.graph.way(to.Name, r.Kind).down
		c := &Conversion{From: from, To: to.Name, Route: routeNames(up, down)}
		ends := newComparison(b.graph, t, from, to.Name, b.renames)
		for i, half := range halves {
			name := half.typeName(r.Kind)
			seen := ends.object(t.begun[t.types[name]], t.follow(down, name, atHub[i]))
			c.Counts.Assigned += seen.assigned
			c.add(half.path, seen)
		}
		slices.SortStableFunc(c.Changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
		r.Conversions = append(r.Conversions, c)
	}
}

// byPair returns the conversions of the resource by the names of their versions.
func (r *Resource) byPair() map[[2]string]*Conversion {
	all := make(map[[2]string]*Conversion, len(r.Conversions))
	for _, c := range r.Conversions {
		all[[2]string{c.From, c.To}] = c
	}
	return all
}

// CheckNothingLost returns an error that names each property that some conversion
// loses. The plan of the group is wrong then.
func (r *Report) CheckNothingLost() error {
	var errs diag.List
	for _, resource := range r.Resources {
		for _, c := range resource.Conversions {
			for _, change := range c.Changes {
				if change.Fate == Lost {
					errs.Addf("", 0, 0, "%s from %s to %s loses %s, by way of %s: this is an error of the generator",
						resource.Kind, c.From, c.To, change.Path, strings.Join(c.Route, ", "))
				}
			}
		}
	}
	return errs.Err()
}

// add adds the changes of an object at a path, and of all that is in it.
func (c *Conversion) add(path string, seen *outcome) {
	for _, part := range seen.parts {
		at := join(path, part.name)
		if part.below != nil {
			c.add(at, part.below)
			continue
		}
		change := *part.change
		change.Path = at
		switch change.Fate {
		case Converted:
			c.Counts.Converted++
		case Stashed:
			c.Counts.Stashed++
		case Carried:
			c.Counts.Carried++
		}
		c.Changes = append(c.Changes, change)
	}
}

// halves lists the two parts of a resource, each with the function that names its
// type.
var halves = [...]struct {
	path     string
	typeName func(kind string) string
}{{"spec", naming.Spec}, {"status", naming.Status}}

// routeNames returns the storage packages on the way up to the hub and down from it.
func routeNames(up, down []hop) []string {
	names := make([]string, 0, len(up)+len(down)-1)
	for _, hops := range [][]hop{up, down[:len(down)-1]} {
		for _, h := range hops {
			names = append(names, h.to)
		}
	}
	return names
}

// comparison compares an object of one version with what arrives at another version.
type comparison struct {
	*trace
	from, to map[string]*ir.Type
	// ends holds the API versions of the two.
	ends    [2]string
	renames renames
	within  map[*object]bool // the objects around the one that is compared
	around  []*object        // the same, outermost first
}

// outcome collects what becomes of the properties of an object.
type outcome struct {
	assigned int // with those of the objects below
	parts    []part
	cut      bool // the object was met within itself, so that this is a part only
}

// part is the change of a property, or the outcome of the object that it holds. An
// object may be at many places, so paths are made when all is known.
type part struct {
	name   string  // of the property, or "" for the object itself
	change *Change // without its path
	below  *outcome
}

func (o *outcome) add(name string, change Change) {
	o.parts = append(o.parts, part{name: name, change: &change})
}

func newComparison(g *graph, t *trace, from, to string, r renames) *comparison {
	return &comparison{
		trace: t,
		from:  g.types[from], to: g.types[to],
		ends:    [2]string{g.packages[from].APIVersion, g.packages[to].APIVersion},
		renames: r,
		within:  map[*object]bool{},
	}
}

// object compares x with y, which x became at the end of the route.
func (c *comparison) object(x, y *object) *outcome {
	if y.end != nil {
		return y.end
	}
	if c.within[y] {
		return &outcome{cut: true}
	}
	c.within[y] = true
	c.around = append(c.around, y)
	seen := new(outcome)
	if len(y.hooks) > 0 {
		seen.add("", Change{Fate: Converted, How: []How{Hooked}, Hooks: y.hooks})
	}
	for _, f := range x.fields {
		c.property(seen, x, f, y)
	}
	delete(c.within, y)
	c.around = c.around[:len(c.around)-1]
	if !seen.cut {
		y.end = seen
	}
	return seen
}

// property finds a property of x in y or in the bag of y, and adds the outcome to
// seen.
func (c *comparison) property(seen *outcome, x *object, f field, y *object) {
	comesFrom := func(v *value) bool { return v.origin == f.property }
	i := slices.IndexFunc(y.fields, func(g field) bool { return comesFrom(g.value) })
	if i < 0 {
		if c.movedProperty(seen, f, y) {
			return
		}
		change := Change{Fate: Lost, What: typeText(f.property.Type, c.from)}
		if i := slices.IndexFunc(y.bag, func(e entry) bool { return comesFrom(e.value) }); i >= 0 {
			change.Fate, change.Bags = Carried, append(slices.Clip(y.bag[i].bags), Stay{From: y.bag[i].since})
		}
		seen.add(f.property.Name, change)
		c.movedBelow(seen, f, y)
		return
	}
	arrived := y.fields[i]
	if change := c.change(f.property, arrived); change.Fate == Assigned {
		seen.assigned++
	} else {
		seen.add(f.property.Name, change)
	}
	if !strings.EqualFold(f.property.Name, arrived.property.Name) {
		c.renames.add(c.ends[0], x.typ.Name, f.property.Name, c.ends[1], arrived.property.Name)
	}
	if f.object == nil || arrived.object == nil {
		return
	}
	below := c.object(f.object, arrived.object)
	seen.assigned += below.assigned
	seen.cut = seen.cut || below.cut
	if len(below.parts) > 0 {
		seen.parts = append(seen.parts, part{name: f.property.Name, below: below})
	}
}

// maxDepth is how many objects a search for a moved property goes into.
const maxDepth = 4

// movedProperty adds the outcome of a property that has moved, or of an object all of
// whose properties have, and reports whether it is one.
func (c *comparison) movedProperty(seen *outcome, f field, y *object) bool {
	if !c.moves {
		return false
	}
	for _, around := range slices.Backward(c.around) {
		path, at, inBag, found := nearest(f.property, around)
		if !found {
			continue
		}
		change := c.change(f.property, at)
		change.How = append(slices.DeleteFunc(change.How, func(h How) bool { return h == PropertyRename }), Moved)
		change.Name = path
		switch {
		case inBag:
			change.Fate, change.Name = Carried, ""
		case change.Fate == Assigned:
			change.Fate = Converted
		}
		seen.add(f.property.Name, change)
		return true
	}
	if slices.ContainsFunc(y.emptied, func(v *value) bool { return v.origin == f.property }) {
		seen.add(f.property.Name, Change{Fate: Converted, How: []How{Moved}, What: typeText(f.property.Type, c.from)})
		c.movedBelow(seen, f, y)
		return true
	}
	return false
}

// movedBelow adds the outcome of the properties of an object that have moved out of it.
func (c *comparison) movedBelow(seen *outcome, f field, y *object) {
	if !c.moves || f.object == nil || len(c.around) > maxDepth {
		return
	}
	below := new(outcome)
	for _, inner := range f.object.fields {
		c.movedProperty(below, inner, new(object))
	}
	if len(below.parts) > 0 {
		seen.parts = append(seen.parts, part{name: f.property.Name, below: below})
	}
}

// change returns how a property arrived, without its path.
func (c *comparison) change(p *ir.Property, at field) Change {
	change := Change{Fate: Assigned, Bags: at.bags}
	was, is := p.Type.Leaf(), at.property.Type.Leaf()
	differs := !p.Type.Equal(at.property.Type)
	var from, to *ir.Type
	if at.object == nil { // a named type that is no object is an enum
		from, to = c.from[was.Named], c.to[is.Named]
	}
	enum := func(t *ir.Type) bool { return t != nil && t.Kind == ir.Enum }
	if at.former {
		change.How = append(change.How, FormerShape)
	}
	switch {
	case at.safe:
		change.How = append(change.How, SafeChange)
	case enum(from) || enum(to):
		if differs = !sameMembers(from, to); differs {
			change.How = append(change.How, Cast)
		}
	case !strings.EqualFold(was.Named, is.Named):
		change.How = append(change.How, TypeRename)
	}
	if p.Name != at.property.Name {
		change.How, change.Name = append(change.How, PropertyRename), at.property.Name
	}
	if differs {
		change.What = typeText(p.Type, c.from) + " → " + typeText(at.property.Type, c.to)
		if enum(from) && enum(to) {
			change.What = membersText(from, to)
		}
	}
	switch {
	case len(change.Bags) > 0:
		change.Fate = Stashed
	case len(change.How) > 0:
		change.Fate = Converted
	}
	return change
}

func join(a, b string) string {
	if b == "" {
		return a
	}
	return a + "." + b
}

// typeText returns a type as a person reads it. The name of an object lacks
// _Spec or _Status.
func typeText(r ir.TypeRef, types map[string]*ir.Type) string {
	switch {
	case r.Items != nil:
		return "list of " + typeText(*r.Items, types)
	case r.Map != nil:
		return "map of " + typeText(*r.Map, types)
	case r.Primitive == ir.Any:
		return "JSON"
	case r.Named == "":
		return string(r.Primitive)
	}
	if t := types[r.Named]; t != nil && t.Kind == ir.Enum {
		return string(t.Base) + " enum"
	}
	return naming.Common(r.Named)
}

// members returns the values of an enum, sorted, and nothing for another type.
func members(t *ir.Type) []string {
	var names []string
	if t != nil && t.Kind == ir.Enum {
		for _, v := range t.Values {
			names = append(names, v.Value)
		}
	}
	slices.Sort(names)
	return names
}

// sameMembers reports whether both are enums with the same members, and both are
// open or both are closed.
func sameMembers(x, y *ir.Type) bool {
	return x != nil && y != nil && x.Kind == y.Kind && x.Open == y.Open && slices.Equal(members(x), members(y))
}

// membersText returns how an enum changed, such as "+Premium −Basic".
func membersText(was, is *ir.Type) string {
	var parts []string
	list := func(sign string, has, lacks []string) {
		names := slices.DeleteFunc(slices.Clone(has), func(n string) bool { return slices.Contains(lacks, n) })
		for i, n := range names {
			if i == 3 && len(names) > 4 {
				parts = append(parts, sign+more(len(names)-i))
				break
			}
			parts = append(parts, sign+n)
		}
	}
	list("+", members(is), members(was))
	list("−", members(was), members(is))
	if was.Open != is.Open {
		parts = append(parts, map[bool]string{true: "now open", false: "now closed"}[is.Open])
	}
	return strings.Join(parts, " ")
}

// renames maps an API version, a type and a property's name to the newest name
// of that property, if it differs.
type renames map[[3]string]newest

// newest is a name of a property, and the newest API version that has it.
type newest struct{ version, name string }

// add records that a property of version from is called there at version to.
func (r renames) add(from, typ, name, to, there string) {
	key := [3]string{from, typ, name}
	last := r[key]
	if naming.CompareVersions(from, to) < 0 && (last.version == "" || naming.CompareVersions(last.version, to) < 0) {
		r[key] = newest{to, there}
	}
}

// of returns the newest name of a property.
func (r renames) of(version, typ, name string) string {
	return cmp.Or(r[[3]string{version, typ, name}].name, name)
}
