package crd

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
)

// Relax returns the versions of a group as their schemas have them: without demands that
// an object of another version may not meet, be it older or newer. With these an API
// server would refuse every write of such an object, even of a label. They are a required
// property that another version lacks, or has as an optional one or with another type;
// and a variant that a union must have, where another version has other variants. A
// policy makes these demands of a Spec that changes.
//
// Whether an object of another version can lack something is decided for each type of a
// kind, not for each place that has it. Types correspond if they have one name or if a
// conversion turns one into the other, and properties if they have one name that no
// rename concerns. An object into which a property moves can lack all others. If in
// doubt, a property can be absent.
func Relax(versions []*ir.Version, packages []*plan.Package) []*ir.Version {
	relaxed, _ := relax(versions, packages)
	return relaxed
}

// demand names a property that a version requires, or a union, which has no property.
type demand struct{ typ, property string }

// relax returns what [Relax] does, and the demands that each version is without, by API
// version.
func relax(versions []*ir.Version, packages []*plan.Package) ([]*ir.Version, map[string]map[demand]bool) {
	r := relaxation{kin: kinOf(versions, packages), specs: make([]map[place][]*ir.Type, len(versions))}
	for i, v := range versions {
		r.specs[i] = map[place][]*ir.Type{}
		for _, resource := range v.Resources {
			for _, t := range v.Reachable(resource.Spec) {
				if t.Kind == ir.Object {
					at := place{resource.Kind, r.kin.class(t.Name)}
					r.specs[i][at] = append(r.specs[i][at], t)
				}
			}
		}
	}
	relaxed, demands := make([]*ir.Version, len(versions)), map[string]map[demand]bool{}
	for i, v := range versions {
		demands[v.APIVersion] = r.demands(versions, i)
		relaxed[i] = without(v, demands[v.APIVersion])
	}
	return relaxed, demands
}

// relaxation compares the versions of a group.
type relaxation struct {
	kin *kin
	// specs are the object types of the Specs of each version.
	specs []map[place][]*ir.Type
}

// place is where objects of corresponding types are: a kind, and the class of the types.
type place struct{ kind, class string }

// demands returns the demands of a version that objects of others may not meet.
func (r *relaxation) demands(versions []*ir.Version, of int) map[demand]bool {
	found := map[demand]bool{}
	for at, types := range r.specs[of] {
		for _, t := range types {
			if !r.kin.made[at.class] {
				continue
			}
			for _, p := range t.Properties {
				if p.Required {
					found[demand{t.Name, p.Name}] = true
				}
			}
			if shape.IsUnion(t) && !t.VariantOptional {
				found[demand{t.Name, ""}] = true
			}
		}
		for i := range versions {
			if i == of {
				continue
			}
			for _, other := range r.specs[i][at] {
				for _, t := range types {
					r.compare(found, versions[of], t, versions[i], other)
				}
			}
		}
	}
	return found
}

// compare adds the demands of a type that a value of another version's type may not meet.
func (r *relaxation) compare(found map[demand]bool, v *ir.Version, t *ir.Type, otherVersion *ir.Version, other *ir.Type) {
	for _, p := range t.Properties {
		if p.Required && !r.always(v, t, p, otherVersion, other) {
			found[demand{t.Name, p.Name}] = true
		}
	}
	if !shape.IsUnion(t) || t.VariantOptional {
		return
	}
	if !shape.IsUnion(other) || other.VariantOptional {
		found[demand{t.Name, ""}] = true
		return
	}
	for _, p := range other.Properties {
		if p.Variant != "" && !slices.ContainsFunc(t.Properties, func(o *ir.Property) bool {
			return o.Variant != "" && r.same(v, t, o, otherVersion, p)
		}) {
			found[demand{t.Name, ""}] = true
		}
	}
}

// always reports whether each value of a type has a property, in the shape that the
// property has in the type t of a version.
func (r *relaxation) always(v *ir.Version, t *ir.Type, p *ir.Property, otherVersion *ir.Version, other *ir.Type) bool {
	return slices.ContainsFunc(other.Properties, func(o *ir.Property) bool {
		return o.Required && r.same(v, t, p, otherVersion, o) && (other.ValueFrom(o) == nil || t.ValueFrom(p) != nil)
	})
}

// same reports whether a property p of a type is the property o of the corresponding type
// of another version, with each of its values.
func (r *relaxation) same(v *ir.Version, t *ir.Type, p *ir.Property, otherVersion *ir.Version, o *ir.Property) bool {
	return naming.Fold(p.Name) == naming.Fold(o.Name) && !r.kin.renamed[r.kin.class(t.Name)+"."+naming.Fold(p.Name)] &&
		sameType(v, p.Type, otherVersion, o.Type)
}

// sameType reports whether each value of a type of one version is one of a type of another
// version. Enums are, since conversions cast them.
func sameType(v *ir.Version, a ir.TypeRef, other *ir.Version, b ir.TypeRef) bool {
	switch {
	case a.Items != nil && b.Items != nil:
		return sameType(v, *a.Items, other, *b.Items)
	case a.Map != nil && b.Map != nil:
		return sameType(v, *a.Map, other, *b.Map)
	case a.Items != nil || b.Items != nil || a.Map != nil || b.Map != nil:
		return false
	}
	base := func(v *ir.Version, r ir.TypeRef) ir.Primitive {
		if t := v.Type(r.Named); t != nil && t.Kind == ir.Enum {
			return t.Base
		}
		return r.Primitive
	}
	baseA, baseB := base(v, a), base(other, b)
	return baseA == baseB && (baseA != "" || naming.Fold(a.Named) == naming.Fold(b.Named))
}

// without returns a version without demands. It shares the rest with v.
func without(v *ir.Version, demands map[demand]bool) *ir.Version {
	relaxed := *v
	relaxed.Types = slices.Clone(v.Types)
	for i, t := range v.Types {
		own := *t
		own.Properties = slices.Clone(t.Properties)
		for j, p := range t.Properties {
			if demands[demand{t.Name, p.Name}] {
				property := *p
				property.Required = false
				own.Properties[j] = &property
			}
		}
		own.VariantOptional = t.VariantOptional || demands[demand{t.Name, ""}]
		relaxed.Types[i] = &own
	}
	return &relaxed
}

// kin says which types of a group's versions correspond to each other.
type kin struct {
	// like has for a type another one of its class, by their folded names. The one that
	// stands for the class has none.
	like map[string]string
	// renamed has the properties that have another name in some version, after the class
	// of their type and a dot.
	renamed map[string]bool
	// made has the classes of the objects that a move may make.
	made map[string]bool
}

// kinOf reads in the plans of a group what conversions turn into each other.
func kinOf(versions []*ir.Version, packages []*plan.Package) *kin {
	k := &kin{map[string]string{}, map[string]bool{}, map[string]bool{}}
	byAPIVersion := map[string]*ir.Version{}
	for _, v := range versions {
		byAPIVersion[v.APIVersion] = v
	}
	// The function do gets the version of each side; nothing converts to a former version.
	each := func(do func(pair plan.NamedPair, here, there *ir.Version)) {
		for _, p := range packages {
			for _, n := range p.Neighbours {
				here, there := byAPIVersion[p.APIVersion], byAPIVersion[n.APIVersion]
				for _, pair := range n.Pairs {
					do(pair, here, there)
				}
				for _, former := range n.Formers {
					to := there
					if former.Package == p.Name {
						to = here
					}
					for _, pair := range former.Pairs {
						// The plan puts the version before the names of its types.
						pair.Here = strings.TrimPrefix(pair.Here, "v"+strings.ReplaceAll(former.APIVersion, "-", ""))
						do(pair, nil, to)
					}
				}
			}
		}
	}
	each(func(pair plan.NamedPair, _, _ *ir.Version) {
		if here, there := k.class(pair.Here), k.class(pair.There); here != there {
			k.like[here] = there
		}
	})
	each(func(pair plan.NamedPair, here, there *ir.Version) {
		for _, s := range slices.Concat(pair.To, pair.From) {
			k.addRenames(k.class(pair.Here), s)
		}
		k.addMade(there, pair.There, pair.To)
		k.addMade(here, pair.Here, pair.From)
	})
	return k
}

// addMade adds the objects of a version that the moves to a type of it may make.
func (k *kin) addMade(v *ir.Version, typ string, steps []plan.NamedStep) {
	for _, s := range steps {
		if len(s.DstIn) == 0 {
			continue
		}
		t := v.Type(typ)
		for _, name := range s.DstIn {
			if t == nil {
				break // the types of a Status that is borrowed are not the version's
			}
			made := t.Property(name).Type.Named
			k.made[k.class(made)] = true
			t = v.Type(made)
		}
	}
}

// class returns the class of a type.
func (k *kin) class(name string) string {
	for name = naming.Fold(name); k.like[name] != ""; {
		name = k.like[name]
	}
	return name
}

// addRenames adds the properties that a step renames. A shape of a bag's entry has the
// name that the property had, if that is another one.
func (k *kin) addRenames(class string, s plan.NamedStep) {
	names := []string{s.Src, s.Dst, s.Partner}
	renamed := s.Src != "" && s.Dst != "" && naming.Fold(s.Src) != naming.Fold(s.Dst)
	shapes := slices.Concat(s.Versions, s.Beside)
	for _, other := range s.Shapes {
		shapes = append(shapes, other.Shape)
	}
	for _, other := range shapes {
		if name, _, named := strings.Cut(other, "@"); named {
			names, renamed = append(names, name), true
		}
	}
	for _, name := range names {
		if renamed && name != "" {
			k.renamed[class+"."+naming.Fold(name)] = true
		}
	}
}

// demandsOf returns what the policy demands of the Specs of the kinds, for each version.
func demandsOf(kinds map[string][]listing) []manifests.Demand {
	var all []manifests.Demand
	index := map[string]int{}
	for _, v := range apiVersionsOf(kinds) {
		w := specWalk{listing: v, found: func(t *ir.Type, steps []manifests.Step) {
			for _, d := range v.demandsOf(t) {
				d.Kind, d.Steps = v.Kind, steps
				key := v.Kind + "\n" + d.Expected()
				i, known := index[key]
				if !known {
					i = len(all)
					index[key] = i
					all = append(all, d)
				}
				all[i].Versions = append(all[i].Versions, v.pkg.Name)
			}
		}}
		w.walk()
	}
	return all
}

// demandsOf returns what the schema of a type does not demand, and the version does.
func (v listing) demandsOf(t *ir.Type) []manifests.Demand {
	var all []manifests.Demand
	for _, p := range t.Properties {
		switch from := t.ValueFrom(p); {
		case !v.demands[demand{t.Name, p.Name}]:
		case from != nil:
			all = append(all, manifests.Demand{Variants: []string{p.Name, from.Name}})
		default:
			all = append(all, manifests.Demand{Property: p.Name})
		}
	}
	if v.demands[demand{t.Name, ""}] {
		all = append(all, manifests.Demand{Variants: shape.Variants(t)})
	}
	return all
}
