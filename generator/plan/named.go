package plan

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
)

// NamedPair is the form of a [Pair] in a plan file.
type NamedPair struct {
	Here  string      `json:"here"`
	There string      `json:"there"`
	To    []NamedStep `json:"to,omitempty"`
	From  []NamedStep `json:"from,omitempty"` // none of a former version's
}

// NamedStep is the form of a [Step] in a plan file.
type NamedStep struct {
	Kind     StepKind     `json:"kind"`
	Elem     *NamedValue  `json:"elem,omitempty"`
	Pair     string       `json:"pair,omitempty"` // as in a NamedValue
	Src      string       `json:"src,omitempty"`
	Dst      string       `json:"dst,omitempty"` // absent where it has the name of Src
	SrcIn    []string     `json:"srcIn,omitempty"`
	DstIn    []string     `json:"dstIn,omitempty"`
	Emptied  bool         `json:"emptied,omitempty"`
	Partner  string       `json:"partner,omitempty"`
	Versions []string     `json:"versions,omitempty"`
	Shapes   []NamedShape `json:"shapes,omitempty"`
	Beside   []string     `json:"beside,omitempty"`
}

// NamedValue is the form of a [Value] in a plan file.
type NamedValue struct {
	Kind StepKind    `json:"kind"`
	Elem *NamedValue `json:"elem,omitempty"`
	// Pair is its type here, and " " and its type there if that has another name.
	Pair string `json:"pair,omitempty"`
}

// NamedShape is the form of a [ShapeValue] in a plan file.
type NamedShape struct {
	Shape string     `json:"shape"`
	Type  ir.TypeRef `json:"type"`
	Value NamedValue `json:"value"`
}

// NamedFormer is the form of a [FormerPairs] in a plan file.
type NamedFormer struct {
	Package    string      `json:"package"`
	APIVersion string      `json:"apiVersion"`
	Types      []*ir.Type  `json:"types"`
	Pairs      []NamedPair `json:"pairs,omitempty"`
}

// SetPairs sets the steps of a package's conversions, given in the order of its
// neighbours.
func (p *Package) SetPairs(all []NeighbourPairs) {
	for i, n := range all {
		p.Neighbours[i].Pairs, p.Neighbours[i].Formers = namedPairs(n.Pairs), nil
		for _, f := range n.Formers {
			former := NamedFormer{Package: f.Package, APIVersion: f.APIVersion, Types: f.Types, Pairs: namedPairs(f.Pairs)}
			for j := range former.Pairs {
				former.Pairs[j].From = nil // nothing converts to a former version
			}
			p.Neighbours[i].Formers = append(p.Neighbours[i].Formers, former)
		}
	}
}

func namedPairs(pairs []*Pair) []NamedPair {
	named := make([]NamedPair, len(pairs))
	for i, p := range pairs {
		named[i] = NamedPair{Here: p.Here.Name, There: p.There.Name, To: namedSteps(p.To), From: namedSteps(p.From)}
	}
	return named
}

func namedSteps(steps []Step) []NamedStep {
	named := make([]NamedStep, len(steps))
	for i, s := range steps {
		v := namedValue(s.Value)
		n := NamedStep{
			Kind: v.Kind, Elem: v.Elem, Pair: v.Pair, SrcIn: ir.Names(s.SrcIn), DstIn: ir.Names(s.DstIn), Emptied: s.Emptied,
			Versions: s.Versions, Beside: s.Beside,
		}
		if s.Src != nil {
			n.Src = s.Src.Name
		}
		if s.Dst != nil && s.Dst.Name != n.Src {
			n.Dst = s.Dst.Name
		}
		if s.Partner != nil {
			n.Partner = s.Partner.Name
		}
		for _, shape := range s.Shapes {
			n.Shapes = append(n.Shapes, NamedShape{Shape: shape.Shape, Type: shape.Type, Value: namedValue(shape.Value)})
		}
		named[i] = n
	}
	return named
}

func namedValue(v Value) NamedValue {
	named := NamedValue{Kind: v.Kind}
	if v.Pair != nil {
		named.Pair = pairName(v.Pair.Here.Name, v.Pair.There.Name)
	}
	if v.Elem != nil {
		elem := namedValue(*v.Elem)
		named.Elem = &elem
	}
	return named
}

// pairName returns the name of a pair in a [NamedValue].
func pairName(here, there string) string {
	if here == there {
		return here
	}
	return here + " " + there
}

// Pairs returns the steps that convert the types of a package, for each neighbour
// in the order of pkg.Neighbours. The shape is the [Shape] of the package, which Pairs
// does not change. It returns an error if the plan names a type or property that the
// shape lacks, because the plan was then made of another version.
func Pairs(pkg *Package, shape *ir.Version) ([]NeighbourPairs, error) {
	all := make([]NeighbourPairs, len(pkg.Neighbours))
	f := &finder{pkg: pkg}
	for i, n := range pkg.Neighbours {
		all[i] = f.neighbour(n, shape.Types, TypesThere(pkg, n, shape))
	}
	return all, f.errs.Err()
}

// TypesThere returns the types of a neighbour that a package's types convert with. The
// shape is the [Shape] of the package.
func TypesThere(pkg *Package, n Neighbour, shape *ir.Version) []*ir.Type {
	if pkg.Role == Storage && !pkg.Alias {
		return n.Types
	}
	return StorageShape(shape).Types
}

// finder finds the types and properties that a plan file names.
type finder struct {
	pkg  *Package
	errs diag.List
	// types are those of the package and of one neighbour, by package and name, and
	// under no package those of a former version.
	types map[string]map[string]*ir.Type
	// pairs are by their name, and by the former version if they are of one.
	pairs map[pairKey]*Pair
}

// pairKey names a pair. The package and API version are those of a [NamedFormer].
type pairKey struct{ pkg, apiVersion, name string }

func (f *finder) neighbour(n Neighbour, here, there []*ir.Type) NeighbourPairs {
	result := NeighbourPairs{Neighbour: n}
	for _, r := range f.pkg.Resources {
		if r.Next == n.Name {
			result.Kinds = append(result.Kinds, r.Kind)
		}
	}
	f.types = map[string]map[string]*ir.Type{f.pkg.Name: byName(here), n.Name: byName(there)}
	f.pairs = map[pairKey]*Pair{}
	result.Pairs = f.find(n.Pairs, pairKey{}, f.types[f.pkg.Name], f.types[n.Name])
	for _, former := range n.Formers {
		key := pairKey{pkg: former.Package, apiVersion: former.APIVersion}
		pairs := f.find(former.Pairs, key, byName(former.Types), f.types[former.Package])
		result.Formers = append(result.Formers,
			FormerPairs{Package: former.Package, APIVersion: former.APIVersion, Types: former.Types, Pairs: pairs})
	}
	f.steps(n.Pairs, pairKey{}, f.pkg.Name, n.Name)
	for _, former := range n.Formers {
		f.types[""] = byName(former.Types)
		f.steps(former.Pairs, pairKey{pkg: former.Package, apiVersion: former.APIVersion}, "", former.Package)
	}
	return result
}

func byName(types []*ir.Type) map[string]*ir.Type {
	m := make(map[string]*ir.Type, len(types))
	for _, t := range types {
		m[t.Name] = t
	}
	return m
}

// find returns pairs without their steps. The steps refer to pairs, so all of
// those must be known first.
func (f *finder) find(named []NamedPair, key pairKey, here, there map[string]*ir.Type) []*Pair {
	pairs := make([]*Pair, len(named))
	for i, n := range named {
		pairs[i] = &Pair{Here: f.typ(here, n.Here), There: f.typ(there, n.There)}
		key.name = pairName(n.Here, n.There)
		f.pairs[key] = pairs[i]
	}
	return pairs
}

func (f *finder) typ(types map[string]*ir.Type, name string) *ir.Type {
	if t := types[name]; t != nil {
		return t
	}
	f.errs.Addf("", 0, 0, "the plan of %s has the type %s, which no version that it was made of has", f.pkg.Name, name)
	return &ir.Type{Name: name}
}

// steps sets the steps of pairs between two packages. The first one is "" for a
// former version.
func (f *finder) steps(named []NamedPair, key pairKey, here, there string) {
	for _, n := range named {
		key.name = pairName(n.Here, n.There)
		p := f.pairs[key]
		p.To = f.found(n.To, key, end{p.Here, here}, end{p.There, there})
		p.From = f.found(n.From, key, end{p.There, there}, end{p.Here, here})
	}
}

// end is a type that steps convert, and its package.
type end struct {
	*ir.Type
	pkg string
}

// found returns the steps from a type to another type.
func (f *finder) found(named []NamedStep, key pairKey, src, dst end) []Step {
	if named == nil {
		return nil
	}
	steps := make([]Step, len(named))
	for i, n := range named {
		s := Step{
			Value: f.value(NamedValue{n.Kind, n.Elem, n.Pair}, key), Emptied: n.Emptied, Versions: n.Versions, Beside: n.Beside,
		}
		if n.Dst == "" && n.Kind != Stash {
			n.Dst = n.Src
		}
		partners := src.Type
		if n.Kind == Stash {
			partners = dst.Type
		}
		var from, to *ir.Type
		s.SrcIn, from = f.path(src, n.SrcIn)
		s.DstIn, to = f.path(dst, n.DstIn)
		s.Src, s.Dst, s.Partner = f.property(from, n.Src), f.property(to, n.Dst), f.property(partners, n.Partner)
		for _, shape := range n.Shapes {
			_, version, named := strings.Cut(shape.Shape, "@")
			if !named {
				version = shape.Shape
			}
			s.Shapes = append(s.Shapes, ShapeValue{Shape: shape.Shape, Type: shape.Type,
				Value: f.value(shape.Value, pairKey{pkg: dst.pkg, apiVersion: version})})
		}
		steps[i] = s
	}
	return steps
}

// path returns the properties of a path from a type, and the type of the last one.
func (f *finder) path(from end, names []string) ([]*ir.Property, *ir.Type) {
	var path []*ir.Property
	t := from.Type
	for _, name := range names {
		p := f.property(t, name)
		path, t = append(path, p), f.typ(f.types[from.pkg], p.Type.Named)
	}
	return path, t
}

// property returns the property of a type, or nil if there is no name.
func (f *finder) property(t *ir.Type, name string) *ir.Property {
	if name == "" {
		return nil
	}
	i := slices.IndexFunc(t.Properties, func(p *ir.Property) bool { return p.Name == name })
	if i < 0 {
		f.errs.Addf("", 0, 0, "the plan of %s has the property %s.%s, which no version that it was made of has", f.pkg.Name, t.Name, name)
		return &ir.Property{Name: name}
	}
	return t.Properties[i]
}

// value returns a value. The key says where to look for the pairs of its objects.
func (f *finder) value(n NamedValue, key pairKey) Value {
	v := Value{Kind: n.Kind}
	if n.Elem != nil {
		elem := f.value(*n.Elem, key)
		v.Elem = &elem
	}
	if n.Pair != "" {
		key.name = n.Pair
		if v.Pair = f.pairs[key]; v.Pair == nil {
			f.errs.Addf("", 0, 0, "the plan of %s has no pair of %s", f.pkg.Name, n.Pair)
		}
	}
	return v
}
