package transform

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// addAzureNames adds names that group.yaml has to those that a spec lists.
func (s *shaper) addAzureNames(r *ir.Resource, more []string) {
	if len(more) == 0 {
		return
	}
	switch limits := r.NameLimits; {
	case r.FixedName != "" && r.ARM == "":
		r.NameLimits = &ir.Validation{Pattern: ir.OneOf(append([]string{r.FixedName}, more...))}
		r.FixedName = ""
	case limits != nil && limits.Pattern != "":
		limits.Pattern = ir.OneOf(more) + "|" + limits.Pattern
	case r.KnownNames == nil:
		return
	}
	if r.KnownNames != nil {
		r.KnownNames = slices.Concat(r.KnownNames, more)
	}
	s.out.Used = append(s.out.Used, "azureNames/"+r.Type)
}

// addToSpec adds the properties that name a resource in Azure, and the one that says
// that an empty "properties" is sent.
func addToSpec(t *shapedType, r *ir.Resource) {
	if t.hasProperties {
		t.Properties = append(t.Properties, &ir.Property{
			Name: "properties", GoName: "Properties", Type: ir.TypeRef{Named: naming.NoProperties},
			Doc: "If set, ARM gets \"properties\" even if it is empty.",
		})
	}
	if r.FixedName == "" {
		doc := "The name of the resource in Azure. By default it is the name of this object. " + cannotChange
		if r.GUIDName {
			doc = "The name of the resource in Azure, a GUID. By default it is the name of this object, or, if that is none, one " +
				"that is made of it and the owner. " + cannotChange
		} else if r.NameLimits != nil {
			doc += " ARM takes " + r.NameLimits.Words() + "."
		}
		if r.KnownNames != nil {
			doc += " Known values: " + strings.Join(r.KnownNames, ", ") + "."
		}
		t.Properties = append(t.Properties, &ir.Property{
			Name: "azureName", GoName: "AzureName", Type: ir.TypeRef{Primitive: ir.String}, AzureName: true, CreateOnly: true, Doc: doc,
		})
	}
	if len(r.Outputs)+len(r.Collections) > 0 {
		t.Properties = append(t.Properties, operatorSpec(r))
	}
	if owner := ownerOf(r); owner != "" {
		p := &ir.Property{
			Name: "owner", GoName: "Owner", Type: ir.TypeRef{Primitive: owner}, Required: true, CreateOnly: true,
			Doc: "The resource that this one belongs to: its name in the cluster, or its ARM id. " + cannotChange,
		}
		if r.Parent == "" && slices.Equal(r.Scopes, []ir.Scope{ir.Subscription}) {
			p.Required = false
			p.Doc = "The subscription that this resource belongs to, by its ARM id. By default it is that of the " +
				"credential. " + cannotChange
		}
		t.Properties = append(t.Properties, p)
	}
}

// ownerOf returns the type of a resource's owner, or "" if it has no owner. If the
// resource does not determine the kind of the owner, any kind is allowed.
func ownerOf(r *ir.Resource) ir.Primitive {
	switch {
	case r.Parent != "":
		return ir.Owner
	case len(r.Scopes) > 1 || slices.Contains(r.Scopes, ir.Extension):
		return ir.AnyOwner
	case slices.Contains(r.Scopes, ir.Tenant):
		return ""
	}
	return ir.Owner
}

// addToStatus adds what the operator reports.
func addToStatus(t *shapedType) {
	t.Properties = append(t.Properties, &ir.Property{
		Name: "conditions", GoName: "Conditions", Type: ir.TypeRef{Primitive: ir.Conditions},
		Doc: "What the operator observed of the resource.",
	}, &ir.Property{
		Name: "observedGeneration", GoName: "ObservedGeneration", Type: ir.TypeRef{Primitive: ir.Generation},
		Doc: "The generation of this object that the conditions are about.",
	})
}
