package transform

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

const cannotChange = "Cannot be changed once the resource exists."

// saysImmutable matches a description that says the same as cannotChange.
var saysImmutable = regexp.MustCompile(`(?i)can(not|\s+not|'t) (be )?(change|modif|update)|immutable`)

// shapeProperties gives the properties of a type their names and types, and
// removes marks that only the raw form has, or that the half does not need.
func (h *half) shapeProperties(t *shapedType) {
	if t.Kind == ir.Enum {
		return
	}
	for _, p := range t.Properties {
		h.checkARMName(t, p)
		p.Doc, p.Default = withDefault(p.Doc, p.Default), ""
		p.Validation, p.ItemValidation = p.Validation.Checked(), p.ItemValidation.Checked()
		arm := armName(p)
		name := propertyName(p)
		if !h.status {
			name = h.shapeSecretOrReference(t, p, name)
			h.settings.markCreateOnly(p, t.base)
			h.settings.markListKeys(p, t.base)
			h.noteLikelyReadOnly(t.base, p)
			if p.CreateOnly && !saysImmutable.MatchString(p.Doc) {
				p.Doc = sentence(p.Doc, cannotChange)
			}
		} else {
			h.noteLikelySecret(t.base, p)
			h.dropEnum(p)
			p.Required, p.WriteOnly, p.CreateOnly = false, false, false
			p.Validation, p.ItemValidation = nil, nil
		}
		h.noteFraction(t.base, p)
		p.ReadOnly, p.IsSecret, p.IsARMID, p.MayBeFraction, p.Likely, p.Source = false, false, false, false, "", ""
		if p.Type.Primitive != ir.Secret {
			p.Encoding = ""
		}
		if p.Type.Leaf().Primitive != ir.Reference {
			p.ResourceTypes = nil
		}
		if settled := h.settled.name(t.base, p.Path()); settled != "" {
			name = settled
		}
		setNames(p, arm, name)
	}
	if t.Discriminator != "" && h.status {
		t.Properties = append(t.Properties, &ir.Property{
			Name: "other", GoName: "Other", Raw: true, Flattened: hasFlattenedVariant(t.Type),
			Type: ir.TypeRef{Primitive: ir.Any},
			Doc:  "The value as Azure sent it, where it is none of the above.",
		})
	}
}

// dropEnum replaces an enum by the type of its values. A Status has no enums,
// because services add members to them, and a status with a new member must
// still be accepted.
func (h *half) dropEnum(p *ir.Property) {
	leaf := p.Type.Leaf()
	if raw := h.raw.Type(leaf.Named); raw != nil && raw.Kind == ir.Enum {
		*leaf = ir.TypeRef{Primitive: raw.Base}
	}
}

// armName returns the JSON name in ARM, or "" if the property has none.
func armName(p *ir.Property) string {
	if p.Variant != "" || p.Spread {
		return ""
	}
	return p.ARMName()
}

// propertyName returns the Kubernetes name by the rules, without group.yaml.
func propertyName(p *ir.Property) string {
	switch {
	case p.Spread:
		return "additionalProperties"
	case p.Variant != "":
		return naming.JSON(p.Variant)
	}
	return naming.JSON(p.ARMName())
}

func setNames(p *ir.Property, arm, name string) {
	p.Name, p.GoName, p.ARM = name, naming.Go(name), ""
	if arm != name {
		p.ARM = arm
	}
}

// withDefault returns a description that says the default of a property, given as JSON
// or "". It does not say lists and objects.
func withDefault(doc, value string) string {
	if text, err := jsontext.AppendUnquote(nil, value); err == nil {
		value = string(text)
	}
	if value == "" || strings.HasPrefix(value, "[") || strings.HasPrefix(value, "{") || strings.Contains(strings.ToLower(doc), "default") {
		return doc
	}
	return sentence(doc, "Default: "+value+".")
}

// sentence appends a sentence to a description.
func sentence(doc, more string) string {
	doc = strings.TrimSpace(doc)
	if doc == "" {
		return more
	}
	if !strings.ContainsAny(doc[len(doc)-1:], ".!?") {
		doc += "."
	}
	return doc + " " + more
}

func hasFlattenedVariant(t *ir.Type) bool {
	return slices.ContainsFunc(t.Properties, func(p *ir.Property) bool { return p.Variant != "" && p.Flattened })
}

// mapListKeys replaces the ARM names in the keys of lists by Kubernetes names. If
// one of the keys is not a plain property of the elements, the list gets no keys. If
// an element need not have one, conversions still use them, but no schema has them.
func (h *half) mapListKeys(t *shapedType) {
	for _, p := range t.Properties {
		if len(p.ListKeys) == 0 {
			continue
		}
		var keys, optional []string
		if p.Type.Items != nil && h.byName[p.Type.Items.Named] != nil {
			keys, optional = h.keysOf(h.byName[p.Type.Items.Named].Type, p.ListKeys)
		}
		alike := keys != nil && p.Type.Items != nil && h.allAlike(h.byName[p.Type.Items.Named].Type, keys)
		if alike {
			keys = nil
		}
		switch subject := t.base + "." + p.Name; {
		case h.status:
		case alike:
			h.note(ir.Approximated, subject, "the spec identifies the elements by %s, which can have one value only; "+
				"the list has no keys", strings.Join(p.ListKeys, " and "))
		case keys == nil:
			h.note(ir.Approximated, subject, "ARM identifies the elements by %s, which here is not a "+
				"plain property of them; the list has no keys", strings.Join(p.ListKeys, " and "))
		case optional != nil:
			h.note(ir.Approximated, subject, "ARM identifies the elements by %s, but an element need not have %s itself; "+
				"for the API server the list has no keys", strings.Join(keys, " and "), strings.Join(optional, " and "))
		case !h.settings.judgeListKeys(p, t.base):
			h.note(ir.NotAssessed, subject, "is believed to have elements that are identified by %s; mark it in group.yaml: "+
				"{listKeys: [%s], why: …, source: …} or {listKeys: […], merge: only}", strings.Join(keys, " and "),
				strings.Join(p.ListKeys, ", "))
		case p.MergeOnly:
			h.note(ir.Approximated, subject, "the spec identifies the elements by %s, and nothing shows that ARM refuses a second "+
				"one; for the API server the list has no keys", strings.Join(keys, " and "))
		}
		p.ListKeys = keys
	}
}

// allAlike reports whether all keys of elements are enums of one value, such as the action of rules
// that can only allow. The API server would refuse a second element.
func (h *half) allAlike(element *ir.Type, keys []string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool {
		i := slices.IndexFunc(element.Properties, func(p *ir.Property) bool { return p.Name == key })
		if i < 0 {
			return true
		}
		t := h.raw.Type(element.Properties[i].Type.Named)
		return t == nil || t.Kind != ir.Enum || len(t.Values) != 1
	})
}

// keysOf returns the Kubernetes names of the properties with the given paths of ARM
// names, each once, or nil if one of them is missing or is an object, list or reference.
// Of these, optional are not required or lie deeper in an element.
func (h *half) keysOf(element *ir.Type, arm []string) (keys, optional []string) {
	for _, path := range arm {
		var names []string
		at, required := element, false
		for name := range strings.SplitSeq(path, "/") {
			var p *ir.Property
			if at != nil {
				p = propertyOf(at, name)
			}
			if p == nil {
				return nil, nil
			}
			required = p.Required && len(names) == 0
			names = append(names, p.Name)
			at = nil
			if t := h.byName[p.Type.Named]; t != nil && t.Kind == ir.Object {
				at = t.Type
			} else if p.Type.Named == "" && !slices.Contains(scalars, p.Type.Primitive) {
				return nil, nil
			}
		}
		if at != nil {
			return nil, nil
		}
		key := strings.Join(names, "/")
		if slices.Contains(keys, key) {
			continue
		}
		keys = append(keys, key)
		if !required {
			optional = append(optional, key)
		}
	}
	return keys, optional
}

// propertyOf returns the property of a type with an ARM name, or nil.
func propertyOf(t *ir.Type, arm string) *ir.Property {
	for _, p := range t.Properties {
		if p.ARMName() == arm && p.Variant == "" && !p.Spread {
			return p
		}
	}
	return nil
}

var scalars = []ir.Primitive{ir.String, ir.Integer, ir.Number, ir.Boolean}
