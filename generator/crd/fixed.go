package crd

import (
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/manifests"
)

// fixedOf returns what cannot change in the Specs of the kinds once ARM has the resource, for each
// version, and the properties of their Statuses that have its id.
func fixedOf(kinds map[string][]listing) (all []manifests.Fixed, ids []string) {
	for _, v := range apiVersionsOf(kinds) {
		spec, status := v.pkg.Type(v.Shape.Spec), v.pkg.Type(v.Shape.Status)
		id := inStatus(status, "id")
		found := fixedWalk{listing: v}
		found.object(spec, status, nil, nil)
		if id == nil || len(found.all) == 0 {
			continue
		}
		if !slices.Contains(ids, id.Name) {
			ids = append(ids, id.Name)
		}
		for _, f := range found.all {
			i := slices.IndexFunc(all, func(o manifests.Fixed) bool { return o.Same(f) })
			if i < 0 {
				i, all = len(all), append(all, f)
			}
			all[i].Versions = append(all[i].Versions, v.pkg.Name)
		}
	}
	return all, ids
}

// fixedWalk finds what cannot change in a Spec, where no list and no map is around it, and the
// schema of its CRD does not stop.
type fixedWalk struct {
	listing
	all []manifests.Fixed
}

// object looks at the properties of an object of a Spec. The object of the Status at the same
// place in ARM is status, or nil if there is none, or more steps lead there than are known.
func (w *fixedWalk) object(t, status *ir.Type, steps, shown []manifests.Step) {
	for _, p := range t.Properties {
		if w.stops[Stop{t.Name, p.Name}] || p.AzureName || p.Spread {
			continue
		}
		f := manifests.Fixed{
			Kind: w.Kind, Steps: append(slices.Clip(steps), manifests.Step{Property: p.Name}), WriteOnly: p.WriteOnly,
		}
		q := inStatus(status, p.Path())
		if q != nil {
			f.Shown = append(slices.Clip(shown), manifests.Step{Property: q.Name})
		}
		place := len(steps) == 0 && p.Path() == "location" && p.Type.Primitive == ir.String
		named := w.pkg.Type(p.Type.Named)
		switch {
		case place: // ARM moves nothing to another place, whatever the specs say
			f.Form = manifests.Location
		case p.CreateOnly && (p.Type.Primitive == ir.Reference || p.Type.Primitive == ir.RoleDefinition):
			f.Form = manifests.Reference
		case p.ValueOf != "": // the operator compares the values
			continue
		case p.Type.Primitive == ir.Secret || p.Type.Primitive == ir.SecretJSON || p.Type.Primitive == ir.Owner ||
			p.Type.Primitive == ir.AnyOwner: // the same value may be in another Secret, and another policy has owners
			continue
		case p.CreateOnly && isScalar(p.Type, named):
			f.Form = manifests.Scalar
		case p.CreateOnly:
			f.Form = manifests.Whole
		case named != nil && named.Kind == ir.Object:
			var below *ir.Type
			if q != nil {
				below = w.pkg.Type(q.Type.Named)
			}
			w.object(named, below, f.Steps, f.Shown)
			continue
		default:
			continue
		}
		w.all = append(w.all, f)
	}
}

func isScalar(r ir.TypeRef, named *ir.Type) bool {
	switch r.Primitive {
	case ir.String, ir.Integer, ir.Number, ir.Boolean:
		return true
	}
	return named != nil && named.Kind == ir.Enum
}

// inStatus returns the property of a type of a Status, which may be nil, that has a path in ARM.
func inStatus(t *ir.Type, path string) *ir.Property {
	if t == nil {
		return nil
	}
	i := slices.IndexFunc(t.Properties, func(p *ir.Property) bool { return p.Path() == path })
	if i < 0 {
		return nil
	}
	return t.Properties[i]
}
