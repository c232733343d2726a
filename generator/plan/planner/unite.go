package planner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// unite returns the types of the Statuses of kinds, with what own and from have of
// each. Both have all of the kinds. A property that both have keeps its name in
// from, and the type that own gives it, unless that says less. A type that both
// have keeps its name in from too, so that it converts with the one there.
func unite(own, from *ir.Version, kinds []string) *ir.Version {
	u := &uniter{
		own: own, from: from, byTypes: map[[2]*ir.Type]*union{}, byOwn: map[*ir.Type]*union{},
		byFrom: map[*ir.Type]*union{}, names: map[string]bool{},
	}
	for _, kind := range kinds {
		u.pair(own.Type(naming.Status(kind)), from.Type(naming.Status(kind)))
	}
	for i := 0; i < len(u.all); i++ { // discover adds more
		u.discover(u.all[i])
	}
	united := &ir.Version{Provider: own.Provider, APIVersion: own.APIVersion}
	for i := 0; i < len(u.all); i++ { // fill adds types that only one side has
		u.fill(u.all[i])
		united.Types = append(united.Types, u.all[i].out)
	}
	united.Sort()
	return united
}

// uniter holds what is known while the types of two versions are united.
type uniter struct {
	own, from *ir.Version
	all       []*union
	byTypes   map[[2]*ir.Type]*union
	// byOwn and byFrom have the first union of each type.
	byOwn, byFrom map[*ir.Type]*union
	names         map[string]bool // of the results, folded
}

// union is the result for one type of own, or one of from, or one of each.
type union struct {
	own, from, out *ir.Type
}

// pair returns the union of two types, either of which may be nil. A type without a
// partner joins the first union that has it, which has all of its properties.
func (u *uniter) pair(own, from *ir.Type) *union {
	switch {
	case own == nil && u.byFrom[from] != nil:
		return u.byFrom[from]
	case from == nil && u.byOwn[own] != nil:
		return u.byOwn[own]
	}
	if known := u.byTypes[[2]*ir.Type{own, from}]; known != nil {
		return known
	}
	added := &union{own: own, from: from, out: &ir.Type{Kind: ir.Object, Status: true}}
	for _, t := range []*ir.Type{from, own} {
		if t != nil && added.out.Name == "" && !u.names[naming.Fold(t.Name)] {
			added.out.Name = t.Name
		}
	}
	for n := 2; added.out.Name == ""; n++ {
		base := naming.Common(cmp.Or(from, own).Name)
		if name := naming.Status(fmt.Sprint(base, n)); !u.names[naming.Fold(name)] {
			added.out.Name = name
		}
	}
	u.names[naming.Fold(added.out.Name)] = true
	u.all = append(u.all, added)
	u.byTypes[[2]*ir.Type{own, from}] = added
	u.byOwn[own] = cmp.Or(u.byOwn[own], added)
	u.byFrom[from] = cmp.Or(u.byFrom[from], added)
	return added
}

// discover pairs the types of the properties that both sides of a union have.
func (u *uniter) discover(t *union) {
	if t.own == nil || t.from == nil {
		return
	}
	for _, p := range t.own.Properties {
		if q := sameInARM(t.from, p); q != nil && bothNamed(p.Type, q.Type) {
			u.combine(p.Type, q.Type)
		}
	}
}

// fill sets the properties of a union.
func (u *uniter) fill(t *union) {
	names := map[string]bool{}
	add := func(p *ir.Property, ref ir.TypeRef) {
		added := *p
		added.Type = ref
		for n := 2; names[naming.Fold(added.Name)]; n++ {
			added.Name, added.ARM = fmt.Sprint(p.Name, n), p.ARMName()
			added.GoName = naming.Go(added.Name)
		}
		names[naming.Fold(added.Name)] = true
		t.out.Properties = append(t.out.Properties, &added)
	}
	for _, side := range []*ir.Type{t.own, t.from} {
		if side != nil && side.Discriminator != "" && t.out.Discriminator == "" {
			t.out.Discriminator, t.out.VariantOptional = side.Discriminator, true
		}
	}
	if t.from != nil {
		for _, q := range t.from.Properties {
			p := sameInARM(t.own, q)
			switch {
			case p != nil:
				add(q, u.combine(p.Type, q.Type))
			case !t.selects(t.from, q):
				add(q, u.combine(ir.TypeRef{}, q.Type))
			}
		}
	}
	if t.own != nil {
		for _, p := range t.own.Properties {
			if sameInARM(t.from, p) == nil && !t.selects(t.own, p) {
				add(p, u.combine(p.Type, ir.TypeRef{}))
			}
		}
	}
}

// selects reports whether a property of one side has no place in the union: it is the
// discriminator, which a union has no property for, or a variant that another
// discriminator selects.
func (t *union) selects(side *ir.Type, p *ir.Property) bool {
	if strings.EqualFold(side.Discriminator, t.out.Discriminator) {
		return false
	}
	return p.Variant != "" || strings.EqualFold(p.ARMName(), t.out.Discriminator)
}

// combine returns the type of a property that own and from have, or one of them.
func (u *uniter) combine(own, from ir.TypeRef) ir.TypeRef {
	none := ir.TypeRef{}
	switch {
	case own.Items != nil && from.Items != nil:
		elem := u.combine(*own.Items, *from.Items)
		return ir.TypeRef{Items: &elem}
	case own.Map != nil && from.Map != nil:
		elem := u.combine(*own.Map, *from.Map)
		return ir.TypeRef{Map: &elem}
	case own.Named != "" && from.Named != "":
		return ir.TypeRef{Named: u.pair(u.own.Type(own.Named), u.from.Type(from.Named)).out.Name}
	case own == none, from != none && (own.Leaf().Primitive == ir.Any || from.Leaf().Primitive == ir.Any):
		ref := from.Clone()
		if leaf := ref.Leaf(); leaf.Named != "" {
			leaf.Named = u.pair(nil, u.from.Type(leaf.Named)).out.Name
		}
		return ref
	}
	ref := own.Clone()
	if leaf := ref.Leaf(); leaf.Named != "" {
		leaf.Named = u.pair(u.own.Type(leaf.Named), nil).out.Name
	}
	return ref
}

// bothNamed reports whether two types are the same lists or maps of named types.
func bothNamed(own, from ir.TypeRef) bool {
	same := func(string) string { return "" }
	return own.Leaf().Named != "" && from.Leaf().Named != "" && own.Renamed(same).Equal(from.Renamed(same))
}

// sameInARM returns the property of a type, which may be nil, that is the same in ARM as
// p, or nil.
func sameInARM(t *ir.Type, p *ir.Property) *ir.Property {
	if t == nil {
		return nil
	}
	i := slices.IndexFunc(t.Properties, func(q *ir.Property) bool {
		return p.Flattened == q.Flattened && p.Variant == q.Variant && p.Spread == q.Spread && p.Raw == q.Raw &&
			(p.Variant != "" || p.Spread || strings.EqualFold(p.ARMName(), q.ARMName()))
	})
	if i < 0 {
		return nil
	}
	return t.Properties[i]
}
