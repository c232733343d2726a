package casestudies

import (
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// way is a way to store the objects of all versions. Objects are JSON. What is not in
// the Spec is the way's own, and passes through clients as it is.
type way interface {
	// create returns what is stored of an object that a client creates when its version
	// is the newest, after all later versions have come out. refused counts the values
	// that the storage version has under their names with another type.
	create(at int, object map[string]any) (stored map[string]any, refused int)
	// read returns what a client sees when all versions are there, and write what is
	// stored of what it writes then.
	read(at int, stored map[string]any) map[string]any
	write(at int, object map[string]any) (stored map[string]any)
}

// direct is a way in which each version converts with the storage version directly,
// and nothing but the storage version's properties is kept.
type direct struct {
	*group
	storage []*ir.Version // by the version that is the newest
}

func (d *direct) create(at int, object map[string]any) (map[string]any, int) {
	stored, refused := d.convert(d.versions[at], d.storage[at], spec(object), false)
	for _, next := range slices.Compact(slices.Clone(d.storage[at:]))[1:] {
		// Who moves stored objects has no one to refuse them to.
		stored, _ = d.convert(d.storage[at], next, stored, false)
		at = slices.Index(d.storage, next)
	}
	return map[string]any{"spec": stored}, refused
}

func (d *direct) read(at int, stored map[string]any) map[string]any {
	seen, _ := d.convert(d.versions[at], d.last(), spec(stored), true)
	return map[string]any{"spec": seen}
}

func (d *direct) write(at int, object map[string]any) map[string]any {
	stored, _ := d.convert(d.versions[at], d.last(), spec(object), false)
	return map[string]any{"spec": stored}
}

func (d *direct) last() *ir.Version { return d.storage[len(d.storage)-1] }

// convert converts a Spec of a version to a storage version, or back.
func (d *direct) convert(v, storage *ir.Version, spec map[string]any, back bool) (map[string]any, int) {
	d.Helper()
	if v == storage {
		return spec, 0
	}
	link := d.link(v, storage)
	c := converter{d.group, back, 0}
	return c.object(link.Pair(v.Resource(persons).Spec), spec), c.refused
}

// converter carries out steps without bags.
type converter struct {
	*group
	back    bool
	refused int
}

func (c *converter) object(pair *plan.Pair, src map[string]any) map[string]any {
	steps, dst := pair.To, map[string]any{}
	if c.back {
		steps = pair.From
	}
	for _, s := range steps {
		from, to := src, dst
		for _, around := range s.SrcIn {
			from, _ = from[around.Name].(map[string]any)
		}
		if s.Src == nil || from[s.Src.Name] == nil {
			continue
		}
		for _, around := range s.DstIn {
			if to[around.Name] == nil {
				to[around.Name] = map[string]any{}
			}
			to = to[around.Name].(map[string]any)
		}
		switch x := from[s.Src.Name]; {
		case s.Dst != nil:
			to[s.Dst.Name] = c.value(s.Value, x)
		case s.Partner != nil:
			c.refused += len(leaves(x, "", map[string]any{}))
		}
	}
	return dst
}

func (c *converter) value(v plan.Value, x any) any {
	c.Helper()
	switch v.Kind {
	case plan.Assign, plan.Cast, plan.Copy:
		return x
	case plan.Object:
		return c.object(v.Pair, x.(map[string]any))
	case plan.Slice:
		var list []any
		for _, element := range x.([]any) {
			list = append(list, c.value(*v.Elem, element))
		}
		return list
	}
	c.Fatalf("crm has a step of the kind %q now, which this test has to learn", v.Kind)
	return nil
}

// always returns a storage version for each version: the same one.
func (g *group) always(storage *ir.Version) []*ir.Version {
	return slices.Repeat([]*ir.Version{storage}, len(g.versions))
}

// rolling returns the storage version for each version: the newest that is no preview.
func (g *group) rolling() []*ir.Version {
	var storage []*ir.Version
	for i := range g.versions {
		storage = append(storage, newestGA(g.versions[:i+1]))
	}
	return storage
}

// fixed is the API version of storage versions that belong to no spec. It is before
// all others, so that a property keeps the name that it has first.
const fixed = "2000-01-01"

// superset returns a storage version with the properties of all of some versions. A
// type or property that group.yaml renames is one. Where one name has two types, the
// first one stays.
func (g *group) superset(versions ...*ir.Version) *ir.Version {
	g.Helper()
	all := plan.StorageShape(versions[0])
	all.APIVersion = fixed
	add := func(to *ir.Type, p *ir.Property) {
		property := *p
		property.Type = p.Type.Renamed(func(name string) string { return g.firstName(all, name) })
		to.Properties = append(to.Properties, &property)
	}
	for _, v := range versions[1:] {
		for _, pair := range g.link(v, all).Pairs {
			for _, s := range pair.To {
				if s.Dst == nil && s.Partner == nil && !s.Emptied {
					add(all.Type(pair.There.Name), s.Src)
				}
			}
		}
		for _, t := range plan.StorageShape(v).Types {
			if all.Type(g.firstName(all, t.Name)) == nil {
				added := &ir.Type{Name: t.Name, Kind: t.Kind, Status: t.Status}
				for _, p := range t.Properties {
					add(added, p)
				}
				all.Types = append(all.Types, added)
			}
		}
		all.Sort()
	}
	return all
}

// firstName returns the name that a type of some version has in another one, which may
// have it under the name before its rename.
func (g *group) firstName(all *ir.Version, name string) string {
	base, half := naming.CutHalf(name)
	for _, change := range g.changes {
		if change.Type != "" && change.Renamed == base && all.Type(change.Type+half) != nil {
			return change.Type + half
		}
	}
	return name
}

// properties returns the number of properties of a version's Spec, with those in objects.
func properties(v *ir.Version) int {
	return len(leaves(fill(v, v.Type(v.Resource(persons).Spec), ""), "", map[string]any{}))
}

// pruned returns what an API server keeps of an object that a storage version describes.
func pruned(storage *ir.Version, t *ir.Type, object map[string]any) map[string]any {
	left := map[string]any{}
	for _, p := range t.Properties {
		switch x := object[p.Name].(type) {
		case nil:
		case map[string]any:
			left[p.Name] = pruned(storage, storage.Type(p.Type.Named), x)
		default:
			left[p.Name] = x
		}
	}
	return left
}
