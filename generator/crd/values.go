package crd

import (
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/manifests"
)

// namesOf returns the limits on the names in Azure of the kinds, for each version.
func namesOf(kinds map[string][]listing) []manifests.NameLimits {
	var all []manifests.NameLimits
	for _, v := range apiVersionsOf(kinds) {
		limits := v.Shape.NameLimits
		if v.Shape.GUIDName {
			limits = &ir.Validation{Pattern: ir.GUID}
		}
		if limits == nil || limits.Words() == "" || !hasAzureName(v) {
			continue
		}
		n := manifests.NameLimits{Least: limits.MinLength, Most: limits.MaxLength, Pattern: limits.Pattern, Expected: limits.Words()}
		if n.GUID = v.Shape.GUIDName; n.GUID {
			n.Expected = "a GUID"
		}
		i := slices.IndexFunc(all, func(o manifests.NameLimits) bool { return o.Expected == n.Expected })
		if i < 0 {
			i, all = len(all), append(all, n)
		}
		all[i].Of = append(all[i].Of, v.Kind+"/"+v.pkg.Name)
	}
	return all
}

// hasAzureName reports whether a version has a name in Azure that the user may choose.
func hasAzureName(v listing) bool {
	p := v.pkg.Type(v.Shape.Spec).Property("azureName")
	return p != nil && p.AzureName
}

// apiVersionsOf returns the listings of API versions, by kind and then in the order of the CRD.
func apiVersionsOf(kinds map[string][]listing) []listing {
	var all []listing
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		for _, v := range kinds[kind] {
			if !v.isStored() {
				all = append(all, v)
			}
		}
	}
	return all
}

// enumsOf returns the open enums in the Specs of the kinds, with their known values, for
// each version. A name in Azure of which some are known is one, too.
func enumsOf(kinds map[string][]listing) []manifests.OpenEnum {
	var all []manifests.OpenEnum
	index := map[string]int{}
	for _, v := range apiVersionsOf(kinds) {
		add := func(steps []manifests.Step, values []string) {
			e := manifests.OpenEnum{Kind: v.Kind, Steps: steps, Values: values}
			key := v.Kind + "\n" + e.Path() + "\n" + strings.Join(e.Values, "\n")
			i, known := index[key]
			if !known {
				i = len(all)
				index[key] = i
				all = append(all, e)
			}
			all[i].Versions = append(all[i].Versions, v.pkg.Name)
		}
		if len(v.Shape.KnownNames) > 0 && hasAzureName(v) {
			add(nil, v.Shape.KnownNames)
		}
		w := specWalk{listing: v, found: func(t *ir.Type, steps []manifests.Step) {
			if t.Kind != ir.Enum || !t.Open || t.Base != ir.String || len(t.Values) == 0 {
				return
			}
			var values []string
			for _, value := range t.Values {
				values = append(values, value.Value)
			}
			add(steps, values)
		}}
		w.walk()
	}
	return all
}

// specWalk finds the named types in a Spec, where the schema of its CRD does not stop.
type specWalk struct {
	listing
	// found is called for each place that has a value of a named type, with the steps that
	// lead there.
	found func(t *ir.Type, steps []manifests.Step)
}

func (w specWalk) walk() { w.named(w.pkg.Type(w.Shape.Spec), nil) }

func (w specWalk) named(t *ir.Type, steps []manifests.Step) {
	w.found(t, steps)
	for _, p := range t.Properties {
		if !w.stops[Stop{t.Name, p.Name}] {
			w.value(p.Type, append(slices.Clip(steps), manifests.Step{Property: p.Name}))
		}
	}
}

func (w specWalk) value(r ir.TypeRef, steps []manifests.Step) {
	switch {
	case r.Items != nil:
		w.value(*r.Items, append(slices.Clip(steps), manifests.Step{List: true}))
	case r.Map != nil:
		w.value(*r.Map, append(slices.Clip(steps), manifests.Step{Map: true}))
	case r.Named != "":
		w.named(w.pkg.Type(r.Named), steps)
	}
}
