package evolution

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// object describes an object after some hops of a trace. At the beginning of the
// trace every property of the object was set.
type object struct {
	typ       *ir.Type // at the beginning only
	fields    []field
	bag       []entry
	emptied   []*value // objects whose properties all moved elsewhere
	hooks     []string // the hooks that were called so far
	converted []conversion
	ends      []end
	// recoded is set for an object that was untyped JSON, and may have properties that its type does not have: a value
	// with them is in a bag.
	recoded bool
}

// conversion remembers what an object becomes on a hop. Types contain themselves
// and routes share hops, so each object is converted once for each *hop.
type conversion struct {
	pair *plan.Pair
	back bool
	dst  *object
}

// end is what became of an object at the end of a route, where it has a type.
type end struct {
	typ *ir.Type
	*outcome
}

// field holds a property that is set, and its value. The property is the one of the last
// version that changed something of the object, and has the name that it has now.
type field struct {
	property *ir.Property
	*value
}

// value describes what became of a property so far.
type value struct {
	origin *ir.Property // where the trace began
	object *object      // the value or each element of it; nil if it is no generated object
	bags   []Stay
	safe   bool // whether it went through a safe change
	moved  bool // whether it went into an object or out of one
	former bool // whether it came out of a bag in another shape
}

// entry holds a value in a bag.
type entry struct {
	name    string // the property's name, folded
	version string // the API version whose shape the value has
	beside  bool   // whether the key has the version too, beside entries of other versions
	since   string // the first package whose bag had it
	*value
}

// get returns the value of a property, or nil. Case does not count.
func (o *object) get(name string) *value {
	if i := o.index(name); i >= 0 {
		return o.fields[i].value
	}
	return nil
}

// index returns the index of a property, or -1. Case does not count.
func (o *object) index(name string) int {
	return slices.IndexFunc(o.fields, func(f field) bool {
		return len(f.property.Name) == len(name) && strings.EqualFold(f.property.Name, name)
	})
}

// trace follows all properties of one version along all routes. It does what the
// generated conversions do, but with properties in place of their values.
type trace struct {
	types map[string]*ir.Type // the types of the version where it begins
	begun map[*ir.Type]*object
	rests map[restKey]*rest
	moves bool // whether a step so far has moved a property
}

func newTrace(types map[string]*ir.Type) *trace {
	return &trace{types: types, begun: map[*ir.Type]*object{}, rests: map[restKey]*rest{}}
}

// begin returns an object of a type with every property set.
func (t *trace) begin(typ *ir.Type) *object {
	if o := t.begun[typ]; o != nil {
		return o
	}
	o := &object{typ: typ, fields: make([]field, len(typ.Properties))}
	t.begun[typ] = o
	values := make([]value, len(typ.Properties))
	for i, p := range typ.Properties {
		v := &values[i]
		v.origin = p
		if named := t.types[p.Type.Leaf().Named]; named != nil && named.Kind == ir.Object {
			v.object = t.begin(named)
		}
		o.fields[i] = field{p, v}
	}
	return o
}

// follow returns what an object is after some hops. It skips the storage package
// of an alias, which has the types of its twin, so that nothing changes there.
func (t *trace) follow(hops []*hop, typ string, o *object) *object {
	for _, h := range hops {
		if h.pkg.Alias && h.pkg.Role == plan.Storage {
			continue
		}
		o = t.convert(h, h.byName[typ], o)
	}
	return o
}

// convert returns what an object is after a hop.
func (t *trace) convert(h *hop, pair *plan.Pair, src *object) *object {
	if h.pairs != nil && !h.changing[pair] {
		return src
	}
	for _, c := range src.converted {
		if c.pair == pair && c.back == h.back {
			return c.dst
		}
	}
	dst := &object{hooks: src.hooks, emptied: slices.Clip(src.emptied)}
	src.converted = append(src.converted, conversion{pair, h.back, dst}) // before its properties, which may have the same type
	steps := h.steps(pair)
	dst.fields = make([]field, 0, len(steps))
	b := &bag{hop: h, source: slices.Clone(src.bag)}
	left := t.takeOut(restKey{src, pair, h.back, ""}, steps, nil)
	src = left.object
	for i, s := range steps {
		if s.Moves() {
			t.moves = true
			v := left.taken[i]
			if len(s.SrcIn) == 0 {
				v = src.get(s.Src.Name)
			}
			if v != nil {
				moved := *t.value(h, s.Value, v)
				moved.moved = true
				dst.put(s.DstIn, field{s.Dst, &moved})
			}
			continue
		}
		switch s.Kind {
		case plan.Stash:
			v := src.get(s.Src.Name)
			if s.Emptied && v != nil && v.object != nil && len(v.object.fields)+len(v.object.bag) == 0 {
				dst.emptied = append(dst.emptied, v)
				continue
			}
			b.stash(s, v)
		case plan.Recall:
			t.recall(dst, b, s)
		case plan.Fit:
			if v := src.get(s.Src.Name); v != nil {
				b.supersede(s.Src.Name, s.Beside)
				dst.fields = append(dst.fields, field{s.Dst, t.value(h, s.Value, v)})
				continue
			}
			t.recall(dst, b, s)
		default:
			if v := src.get(s.Src.Name); v != nil {
				dst.fields = append(dst.fields, field{s.Dst, t.value(h, s.Value, v)})
			}
		}
	}
	if src.recoded {
		for _, f := range src.fields {
			if !slices.ContainsFunc(steps, func(s plan.Step) bool { return s.Src != nil && s.Src.Name == f.property.Name }) {
				b.stashed = append(b.stashed, entry{naming.Fold(f.property.Name), b.version, false, b.to, f.value})
			}
		}
	}
	dst.bag = append(b.stashed, b.source...)
	if hook := h.hook(pair); hook != "" {
		dst.hooks = append(slices.Clip(dst.hooks), hook)
	}
	return dst
}

// value returns what a value is after a step.
func (t *trace) value(h *hop, v plan.Value, x *value) *value {
	pair := leaf(v).Pair
	var object *object
	if pair != nil && x.object != nil {
		object = t.convert(h, pair, x.object)
	}
	if v.Kind != plan.Fit && (object == nil || object == x.object) {
		return x
	}
	y := *x
	y.safe = y.safe || v.Kind == plan.Fit
	if object != nil {
		y.object = object
	} else if v.Kind == plan.Fit && pair == nil && x.object != nil {
		y.object = x.object.clone()
		y.object.recoded = true
	}
	return &y
}

// recall sets the property of a step from the bag, if the bag has it.
func (t *trace) recall(dst *object, b *bag, s plan.Step) {
	if e := b.take(s.Dst.Name, s.Versions); e != nil {
		dst.fields = append(dst.fields, field{s.Dst, b.taken(e)})
		return
	}
	for _, shape := range s.Shapes {
		e := b.take(s.Dst.Name, []string{shape.Shape})
		if e == nil {
			continue
		}
		former := &hop{pkg: b.hop.pkg, from: b.hop.from, to: b.hop.to, version: e.version}
		v := *t.value(former, shape.Value, b.taken(e))
		v.former = true
		dst.fields = append(dst.fields, field{s.Dst, &v})
		return
	}
}

// bag holds the bag of an object on a hop: what the source brings, and what the
// hop adds.
type bag struct {
	*hop
	source, stashed []entry
}

// stash puts a value into the bag, as [propertybag.Transfer] does.
func (b *bag) stash(s plan.Step, v *value) {
	if v == nil {
		return
	}
	b.supersede(s.Src.Name, s.Beside)
	b.stashed = append(b.stashed, entry{naming.Fold(s.Src.Name), b.version, len(s.Beside) > 0, b.to, v})
}

// supersede drops the entries that the bag has of a property.
func (b *bag) supersede(name string, shapes []string) {
	for b.take(name, shapes) != nil {
	}
}

// take removes and returns an entry of a property from the source's bag, or nil.
// Shapes are the versions that the entry may have, such as 2020-01-01, or
// name@2020-01-01 for a property that had another name. Without shapes an entry of
// any version matches.
func (b *bag) take(name string, shapes []string) *entry {
	find := func(is func(entry) bool) *entry {
		i := slices.IndexFunc(b.source, is)
		if i < 0 {
			return nil
		}
		e := b.source[i]
		b.source = slices.Delete(b.source, i, i+1)
		return &e
	}
	if len(shapes) == 0 {
		return find(func(e entry) bool { return e.name == naming.Fold(name) && !e.beside })
	}
	for _, shape := range shapes {
		named, version, other := strings.Cut(shape, "@")
		if !other {
			named, version = name, shape
		}
		if e := find(func(e entry) bool { return e.name == naming.Fold(named) && e.version == version }); e != nil {
			return e
		}
	}
	return nil
}

// taken returns the value of an entry that was taken out on this hop.
func (b *bag) taken(e *entry) *value {
	v := *e.value
	v.bags = append(slices.Clip(v.bags), Stay{From: e.since, To: b.from})
	return &v
}
