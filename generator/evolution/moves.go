package evolution

import (
	"maps"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// restKey names what moves leave of an object on a hop. The path leads to it from the
// object that the pair converts.
type restKey struct {
	of   *object
	pair *plan.Pair
	back bool
	path string
}

// rest is an object without what moves take out of it, and what that is, by the index
// of the step.
type rest struct {
	object *object
	taken  map[int]*value
}

// takeOut returns what steps leave of the object at a path. Types may contain
// themselves, so each rest is made once.
func (t *trace) takeOut(key restKey, steps []plan.Step, path []*ir.Property) *rest {
	if r := t.rests[key]; r != nil {
		return r
	}
	r := &rest{key.of, map[int]*value{}}
	for i, s := range steps {
		if len(s.SrcIn) == 0 || len(s.SrcIn) < len(path) || !slices.Equal(s.SrcIn[:len(path)], path) {
			continue
		}
		if r.object == key.of {
			r.object = key.of.clone()
			t.rests[key] = r
		}
		next := s.Src
		if len(s.SrcIn) > len(path) {
			next = s.SrcIn[len(path)]
		}
		at := r.object.index(next.Name)
		if at < 0 {
			continue
		}
		v := r.object.fields[at].value
		if len(s.SrcIn) == len(path) {
			r.taken[i] = v
			r.object.fields = slices.Delete(r.object.fields, at, at+1)
			continue
		}
		if v.object != nil && r.taken[i] == nil {
			below := t.takeOut(restKey{v.object, key.pair, key.back, key.path + "." + next.Name}, steps, s.SrcIn[:len(path)+1])
			shortened := *v
			shortened.object = below.object
			r.object.fields[at].value = &shortened
			maps.Copy(r.taken, below.taken)
		}
	}
	return r
}

// clone returns an object with the same fields and bag.
func (o *object) clone() *object {
	return &object{typ: o.typ, fields: slices.Clone(o.fields), bag: slices.Clone(o.bag), emptied: o.emptied, hooks: o.hooks}
}

// put sets a field of the object at the end of a path, and makes the objects on the
// way that are not there. Other objects may have those that are.
func (o *object) put(path []*ir.Property, f field) {
	if len(path) == 0 {
		o.merge(f)
		return
	}
	i := o.index(path[0].Name)
	if i < 0 {
		i = len(o.fields)
		o.fields = append(o.fields, field{path[0], &value{object: new(object)}})
	}
	around := *o.fields[i].value
	around.object = around.object.clone()
	around.object.put(path[1:], f)
	o.fields[i].value = &around
}

// merge sets a field, which keeps what other moves have put into it before.
func (o *object) merge(f field) {
	i := o.index(f.property.Name)
	if i < 0 {
		o.fields = append(o.fields, f)
		return
	}
	before := o.fields[i].object
	if f.object != nil && before != nil {
		with := *f.value
		with.object = f.object.clone()
		with.object.fields = append(with.object.fields, before.fields...)
		f.value = &with
	}
	o.fields[i] = f
}

// nearest returns what [comparison.moved] does, for the place that is the fewest objects away.
func (c *comparison) nearest(p *ir.Property, y *object, typ *ir.Type) (path string, at field, inBag, found bool) {
	for within := 0; within <= maxDepth && !found; within++ {
		path, at, inBag, found = c.moved(p, y, typ, within)
	}
	return path, at, inBag, found
}

// moved returns where an object has a property that has moved: its path through no more
// objects than within, and the field there. It reports whether that is in a bag. The type
// is the one of the object at the end of the route, or nil within a bag.
func (c *comparison) moved(p *ir.Property, y *object, typ *ir.Type, within int) (path string, at field, inBag, found bool) {
	for i, f := range y.fields {
		unknown := false // see object.recoded
		if typ != nil {
			is := named(typ, f.property.Name, i)
			if unknown = is == nil; !unknown {
				f.property = is
			}
		}
		if f.origin == p && f.moved {
			return f.property.Name, f, unknown, true
		}
		if f.object == nil || within == 0 {
			continue
		}
		var below *ir.Type
		if typ != nil {
			below = c.to[f.property.Type.Leaf().Named]
		}
		if path, at, inBag, found := c.moved(p, f.object, below, within-1); found {
			return f.property.Name + "." + path, at, inBag, true
		}
	}
	for _, e := range y.bag {
		if e.origin == p && e.moved {
			return e.name, field{p, e.value}, true, true
		}
		if e.object == nil || within == 0 {
			continue
		}
		if path, at, _, found := c.moved(p, e.object, nil, within-1); found {
			return e.name + "." + path, at, true, true
		}
	}
	return "", field{}, false, false
}
