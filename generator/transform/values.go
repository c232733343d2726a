package transform

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// Texts that another object in the cluster may have as an output, or a ConfigMap of what was made before it: what only
// ARM knows once a resource is there. valueNames are their names, and valueEnds how others end, in lower case. Each
// costs five schemas of its CRD, so there are none for what no resource can have, such as the address of a login page.
var (
	valueNames = strings.Fields("endpoint hostname fqdn ipaddress startipaddress endipaddress nexthopipaddress")
	valueEnds  = strings.Fields("principalid objectid clientid tenantid workspaceid customerid storageendpoint endpointuri " +
		"storageuri vaulturi keyuri storageurl accounturl vaulturl vaultbaseurl keyurl")
)

// isValue reports whether a property of a type is a text that another object may have, or a map whose keys are ids
// of resources.
func (h *half) isValue(p *ir.Property, base string) bool {
	name, byName := strings.ToLower(p.ARMName()), false
	switch {
	case p.Variant != "" || p.Spread || p.AzureName:
		return false
	case p.Type.Primitive == ir.String:
		byName = slices.Contains(valueNames, name) ||
			slices.ContainsFunc(valueEnds, func(end string) bool { return strings.HasSuffix(name, end) })
	case h.hasObjects(p):
		byName = name == "userassignedidentities"
	default:
		return false
	}
	_, marked := h.settings.apply(config.ValueFrom, byName, base, p)
	return byName != marked
}

// hasObjects reports whether a property is a map whose values may be empty objects.
func (h *half) hasObjects(p *ir.Property) bool {
	if p.Type.Map == nil {
		return false
	}
	t := h.byName[p.Type.Map.Named]
	return p.Type.Map.Primitive == ir.Any || t != nil && t.Kind == ir.Object
}

// addValues adds references to values to the types of Specs, beside the texts that they stand for. What tells the
// elements of a list apart has none, because the API server has to know it, and neither has what ARM says of an
// identity under its id, which nobody sends.
func (h *half) addValues() {
	without := map[*ir.Property]bool{}
	for _, t := range h.types {
		for _, p := range t.Properties {
			element := h.byName[p.Type.Leaf().Named]
			if element == nil {
				continue
			}
			for _, key := range p.ListKeys {
				without[propertyAt(h, element, key)] = true
			}
			if p.Type.Map != nil && h.isValue(p, t.base) {
				for _, q := range element.Properties {
					without[q] = true
				}
			}
		}
	}
	for _, t := range h.types {
		for _, p := range slices.Clone(t.Properties) {
			from := &ir.Property{Name: p.Name + "From", ValueOf: p.ARMName(), Flattened: p.Flattened, CreateOnly: p.CreateOnly}
			switch {
			case without[p] || !h.isValue(p, t.base):
				continue
			case p.Type.Map != nil:
				from.Type = ir.TypeRef{Items: &ir.TypeRef{Primitive: ir.Reference}}
				from.Doc = "Resources whose ids are keys of " + p.Name + ", beside those that it has."
			default:
				from.Type = ir.TypeRef{Primitive: ir.Value}
				from.Doc = "The object that has the value of " + p.Name + ", in place of the value."
			}
			if slices.ContainsFunc(t.Properties, func(q *ir.Property) bool { return naming.Fold(q.Name) == naming.Fold(from.Name) }) {
				from.Name = p.Name + "ValueFrom"
			}
			from.GoName = naming.Go(from.Name)
			t.Properties = append(t.Properties, from)
		}
	}
}

// propertyAt returns the property of a type to which names lead, with "/" between them, or nil.
func propertyAt(h *half, t *shapedType, names string) *ir.Property {
	name, rest, deeper := strings.Cut(names, "/")
	i := slices.IndexFunc(t.Properties, func(p *ir.Property) bool { return p.Name == name })
	switch {
	case i < 0:
		return nil
	case !deeper:
		return t.Properties[i]
	}
	below := h.byName[t.Properties[i].Type.Named]
	if below == nil {
		return nil
	}
	return propertyAt(h, below, rest)
}
