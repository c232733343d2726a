package evolution

import (
	"path"
	"slices"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// halves lists the two parts of a resource, each with the function that names its
// type.
var halves = [...]struct {
	path     string
	typeName func(kind string) string
}{{"spec", naming.Spec}, {"status", naming.Status}}

// graph holds the packages of a group and how they convert.
type graph struct {
	packages map[string]*plan.Package
	pairs    map[string][]plan.NeighbourPairs
	// types holds the types of each API package by package and name.
	types map[string]map[string]*ir.Type
	// recursive has the names of the types of each API package that contain
	// themselves.
	recursive map[string]map[string]bool
	ways      map[[2]string]way // those that were asked for, by package and kind
	links     map[*plan.NeighbourPairs]link
}

// link has the hops over a link, up to the neighbour and down from it.
type link struct{ up, down *hop }

// way has the hops between a package and the hub of a kind.
type way struct{ up, down []*hop }

// route returns the storage versions on the way, the hub last.
func (w way) route() []string {
	names := make([]string, len(w.up))
	for i, h := range w.up {
		names[i] = h.to
	}
	return names
}

func newGraph(packages []*plan.Package, all []*ir.Version) (*graph, error) {
	g := &graph{
		map[string]*plan.Package{}, map[string][]plan.NeighbourPairs{}, map[string]map[string]*ir.Type{},
		map[string]map[string]bool{}, map[[2]string]way{}, map[*plan.NeighbourPairs]link{},
	}
	var errs diag.List
	versions, shapes := map[string]*ir.Version{}, map[string]*ir.Version{}
	for _, v := range all {
		versions[v.APIVersion] = v
	}
	for _, p := range packages {
		v := versions[p.APIVersion]
		if v == nil {
			continue
		}
		g.packages[p.Name] = p
		shape := plan.Shape(p, v)
		shapes[p.Name] = shape
		pairs, err := plan.Pairs(p, shape)
		if err != nil {
			return nil, err
		}
		g.pairs[p.Name] = pairs
		errs.Merge(checkTargets(p, pairs))
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
	errs.Merge(checkNeighbours(packages, shapes))
	return g, errs.Err()
}

// checkTargets returns an error for each property that two steps of a conversion set, because
// the value of the first is lost.
func checkTargets(p *plan.Package, all []plan.NeighbourPairs) error {
	var errs diag.List
	for _, n := range all {
		pairs := slices.Clone(n.Pairs)
		for _, f := range n.Formers {
			pairs = append(pairs, f.Pairs...)
		}
		for _, pair := range pairs {
			for _, steps := range [][]plan.Step{pair.To, pair.From} {
				set := make(map[*ir.Property]bool, len(steps))
				for _, s := range steps {
					if s.Dst == nil || len(s.DstIn) > 0 {
						continue
					}
					if set[s.Dst] {
						errs.Addf("", 0, 0, "the plan of %s sets %s of %s and %s, in a conversion with %s, twice: "+
							"this is an error of the generator", p.Name, s.Dst.Name, pair.Here.Name, pair.There.Name, n.Neighbour.Name)
					}
					set[s.Dst] = true
				}
			}
		}
	}
	return errs.Err()
}

// checkNeighbours returns an error for each type that a plan has of a neighbour, and that
// has other properties than the neighbour's own. A trace passes over the hops that change
// nothing, so it would not see what is lost between the two.
func checkNeighbours(packages []*plan.Package, shapes map[string]*ir.Version) error {
	var errs diag.List
	for _, p := range packages {
		for _, n := range p.Neighbours {
			own := map[string]*ir.Type{}
			if shape := shapes[n.Name]; shape != nil {
				for _, t := range shape.Types {
					own[t.Name] = t
				}
			}
			for _, t := range n.Types {
				if o := own[t.Name]; o == nil || !slices.EqualFunc(t.Properties, o.Properties, sameName) {
					errs.Addf("", 0, 0, "the plan of %s has the type %s of %s with other properties than %s itself: "+
						"this is an error of the generator", p.Name, t.Name, n.Name, n.Name)
				}
			}
		}
	}
	return errs.Err()
}

func sameName(x, y *ir.Property) bool { return x.Name == y.Name }

// way returns the hops between a package and the hub of a kind.
func (g *graph) way(name, kind string) way {
	key := [2]string{name, kind}
	if w, known := g.ways[key]; known {
		return w
	}
	var w way
	if p := g.packages[name]; p != nil {
		if r := p.Resource(kind); r != nil && r.Next != "" {
			for i := range g.pairs[name] {
				if pairs := &g.pairs[name][i]; pairs.Neighbour.Name == r.Next {
					l, next := g.link(p, pairs), g.way(r.Next, kind)
					w.up, w.down = slices.Concat([]*hop{l.up}, next.up), slices.Concat(next.down, []*hop{l.down})
				}
			}
		}
	}
	g.ways[key] = w
	return w
}

// hop is a conversion between two neighbours, in one direction.
type hop struct {
	pkg   *plan.Package // the package that has the conversion
	pairs *plan.NeighbourPairs
	back  bool // whether it converts from the neighbour
	// from and to are the names of the packages, and version is the ARM API
	// version whose shape the source has.
	from, to, version string
	byName            map[string]*plan.Pair // by the name of the type here
	changing          map[*plan.Pair]bool   // the pairs that are not just passed over
}

// link returns the hops between a package and a neighbour. All kinds share them.
func (g *graph) link(pkg *plan.Package, pairs *plan.NeighbourPairs) link {
	if l, known := g.links[pairs]; known {
		return l
	}
	n := pairs.Neighbour
	l := link{
		up:   &hop{pkg: pkg, pairs: pairs, from: pkg.Name, to: n.Name, version: pkg.APIVersion},
		down: &hop{pkg: pkg, pairs: pairs, back: true, from: n.Name, to: pkg.Name, version: n.APIVersion},
	}
	for _, h := range []*hop{l.up, l.down} {
		h.byName = make(map[string]*plan.Pair, len(pairs.Pairs))
		for _, p := range pairs.Pairs {
			h.byName[p.Here.Name] = p
		}
		h.findChanging()
	}
	g.links[pairs] = l
	return l
}

func (h *hop) steps(p *plan.Pair) []plan.Step {
	if h.back {
		return p.From
	}
	return p.To
}

// hook returns the hook that the conversion of a pair calls at its end, or "".
func (h *hop) hook(p *plan.Pair) string {
	if h.pairs == nil {
		return "" // the conversion of a former shape calls none
	}
	for _, hook := range h.pkg.Hooks {
		own := hook.Neighbour == h.pairs.Neighbour.Name || path.Base(h.pkg.Twin) == hook.Neighbour
		if own && hook.Type == p.Here.Name && hook.To != h.back {
			return h.pkg.Name + "." + hook.Type + "." + hook.Method()
		}
	}
	return ""
}

// findChanging finds the pairs whose conversion may change an object: those of which
// [hop.passes] says so, and those that contain one of them.
func (h *hop) findChanging() {
	h.changing = map[*plan.Pair]bool{}
	containing := map[*plan.Pair][]*plan.Pair{}
	var todo []*plan.Pair
	for _, p := range h.pairs.Pairs {
		if !h.passes(p) {
			todo = append(todo, p)
		}
		for _, s := range h.steps(p) {
			if below := leaf(s.Value).Pair; below != nil {
				containing[below] = append(containing[below], p)
			}
		}
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !h.changing[p] {
			h.changing[p] = true
			todo = append(todo, containing[p]...)
		}
	}
}

// passes reports whether the steps of a pair hand every property of the source to the
// property with the same name, and no hook sees the object. No two steps set the same
// property, so none is left out if there are as many steps as properties.
func (h *hop) passes(p *plan.Pair) bool {
	src, steps := p.Here, h.steps(p)
	if h.back {
		src = p.There
	}
	if len(steps) != len(src.Properties) || h.hook(p) != "" {
		return false
	}
	for _, s := range steps {
		if s.Src == nil || s.Dst == nil || s.Moves() || s.Kind == plan.Fit || s.Src.Name != s.Dst.Name {
			return false
		}
	}
	return true
}

// leaf returns the conversion of the elements in lists and maps.
func leaf(v plan.Value) plan.Value {
	for v.Elem != nil {
		v = *v.Elem
	}
	return v
}
