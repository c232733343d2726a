package transform

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// half has the types of all Specs, or of all Statuses. A raw type that both use
// becomes two types, because their properties may differ.
type half struct {
	*shaper
	status bool
	types  []*shapedType
	byName map[string]*shapedType
	// queue has the types whose properties have not been followed yet.
	queue []*shapedType
	// hollow has the raw objects of which this half would keep no property.
	hollow map[string]bool
}

// shapedType is a type that is being shaped.
type shapedType struct {
	*ir.Type
	// base is the name of the type in group.yaml and in the report.
	base string
	// root reports whether the type is itself a Spec or a Status.
	root bool
	// hasProperties reports whether the body has an object "properties", which may be
	// empty.
	hasProperties bool
}

func newHalf(s *shaper, status bool) *half {
	h := &half{shaper: s, status: status, byName: map[string]*shapedType{}}
	h.findHollow()
	return h
}

// root adds the Spec or the Status of a kind, made from the raw body, and returns
// its name.
func (h *half) root(kind, rawName string) string {
	raw := h.raw.Type(rawName)
	name, doc := naming.Spec(kind), "What ARM is asked for."
	if h.status {
		name, doc = naming.Status(kind), "What ARM has, and what the operator observed."
	}
	t := &shapedType{&ir.Type{Name: name, Kind: ir.Object, Doc: cmp.Or(raw.Doc, doc)}, kind, true, false}
	h.flatten(t, raw)
	h.add(t)
	return t.Name
}

// addIdentity adds to a Status that is made of requests what every answer of ARM has.
func (h *half) addIdentity(name string) {
	t := h.byName[name]
	for _, arm := range slices.Sorted(maps.Keys(identity)) {
		if !slices.ContainsFunc(t.Properties, func(p *ir.Property) bool { return p.Path() == arm }) {
			t.Properties = append(t.Properties, &ir.Property{Name: arm, Type: ir.TypeRef{Primitive: ir.String}})
		}
	}
}

func (h *half) add(t *shapedType) {
	t.Status = h.status
	h.types = append(h.types, t)
	h.byName[t.Name] = t
	h.queue = append(h.queue, t)
}

// copyReached copies the types that the roots reach, and changes references to
// them into references to the copies. A Status has no enums, so these are not
// copied to it.
func (h *half) copyReached() {
	for len(h.queue) > 0 {
		t := h.queue[0]
		h.queue = h.queue[1:]
		for _, p := range t.Properties {
			leaf := p.Type.Leaf()
			if leaf.Named == "" || h.settings.isSecret(p, t.base) {
				continue // the API does not show the parts of a secret
			}
			raw := h.raw.Type(leaf.Named)
			if raw.Kind == ir.Enum && h.status {
				continue
			}
			if h.status && p.Variant == "" && h.isEmpty(raw) {
				*leaf = ir.TypeRef{Primitive: ir.Any}
				continue
			}
			base := h.bases.of(raw.Name)
			h.bases.reached[raw.Name] = true
			leaf.Named = base
			if h.status {
				leaf.Named = naming.Status(base)
			}
			if h.byName[leaf.Named] == nil {
				h.copyType(raw, leaf.Named, base, t.root && p.Variant != "" && !p.Flattened)
			}
			if raw.Kind == ir.Enum {
				h.correctEnum(h.byName[leaf.Named].Type, p, t.base)
			}
		}
	}
}

// copyType copies a raw type. The type of a variant of a whole resource has its
// own "properties", which are flattened.
func (h *half) copyType(raw *ir.Type, name, base string, flatten bool) {
	copied := *raw
	t := &shapedType{&copied, base, false, false}
	t.Name, t.Source = name, ""
	if raw.Kind == ir.Object {
		t.Properties = nil
		if flatten {
			h.flatten(t, raw)
		} else {
			t.Properties = append(h.kept(raw, base), h.missing(raw, base)...)
		}
	} else {
		h.checkValues(t)
	}
	h.add(t)
}

// checkValues removes the values of an enum that are not of its type. Values other
// than strings are printed as a spec spells them, so they have to be numbers.
func (h *half) checkValues(t *shapedType) {
	t.Values = slices.DeleteFunc(slices.Clone(t.Values), func(v ir.EnumValue) bool {
		wrong := t.Base != ir.String && !isNumber(v.Value, t.Base)
		if wrong {
			h.note(ir.Approximated, t.base, "the value %q is not of the enum's type, %s; it is left out", v.Value, t.Base)
		}
		return wrong
	})
	t.Open = t.Open || len(t.Values) == 0
}

// isNumber reports whether a text is a number in JSON, for [ir.Integer] one that
// int64 holds.
func isNumber(text string, base ir.Primitive) bool {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !json.Valid([]byte(text)) {
		return false
	}
	_, err = strconv.ParseInt(text, 10, 64)
	return base == ir.Number || err == nil || f == math.Trunc(f) && math.Abs(f) < 1<<63
}

// kept returns copies of the properties that the half has.
func (h *half) kept(raw *ir.Type, base string) []*ir.Property {
	var kept []*ir.Property
	for _, was := range raw.Properties {
		p := h.correct(was, base)
		if h.goes(p) {
			h.settings.recordSecret(p, base)
		}
		if p.Spread && p.IsSecret && h.keeps(p, base) && h.settings.isSecret(p, base) {
			h.note(ir.Skipped, base+"."+propertyName(p), "additional properties are secrets, and nothing has a name under which "+
				"the value of a Secret could be sent; they are left out, unless group.yaml marks them {not: secret, why: …}")
			continue
		}
		switch {
		case !h.keeps(p, base):
		case h.isHollow(p):
			h.correctHollow(p.Type.Leaf().Named, map[string]bool{})
		default:
			copied := *p
			copied.Type = p.Type.Clone()
			h.untype(&copied, base)
			h.number(&copied, base)
			kept = append(kept, &copied)
		}
	}
	return kept
}

// correct returns a property as group.yaml corrects it, and records how. The half that the spec has it in does, so that
// it is recorded once.
func (h *half) correct(was *ir.Property, base string) *ir.Property {
	p := h.settings.corrected(was, base)
	if p != was && h.status == was.ReadOnly {
		h.recordCorrection(was, p, base)
	}
	return p
}

// correctHollow records the corrections in an object that the half does not have: what they leave may be nothing.
func (h *half) correctHollow(name string, seen map[string]bool) {
	raw := h.raw.Type(name)
	if raw == nil || seen[name] {
		return
	}
	seen[name] = true
	for _, was := range raw.Properties {
		h.correctHollow(h.correct(was, h.bases.of(name)).Type.Leaf().Named, seen)
	}
}

// untype makes a property untyped that group.yaml marks as such. The API shows
// all that is in it, so a secret must not be.
func (h *half) untype(p *ir.Property, base string) {
	untyped, leaf := &p.Type, p.Type.Leaf()
	if p.Spread {
		untyped = leaf
	}
	if !h.settings.has(config.Untyped, false, base, p) || h.settings.isSecret(p, base) || untyped.Primitive == ir.Any {
		return
	}
	subject := base + "." + propertyName(p)
	if p.Variant != "" {
		h.errorf(p.At, "group.yaml marks %s as untyped, but it is a variant of a union, whose properties ARM has "+
			"beside others; mark properties of %s, or one that holds the union", subject, leaf.Named)
		return
	}
	h.settings.apply(config.Untyped, false, base, p)
	references := 0
	for _, t := range h.raw.Reachable(leaf.Named) {
		inner := h.bases.of(t.Name)
		for _, q := range t.Properties {
			h.settings.recordSecret(q, inner)
			h.noteLikelySecret(inner, q)
			switch {
			case h.settings.isSecret(q, inner):
				h.errorf(p.At, "group.yaml marks %s as untyped, but in it is %s.%s, a secret, which all who read "+
					"the object would see; mark %s as secret, or untype properties that do not have it", subject,
					inner, propertyName(q), subject)
			case h.settings.isReference(q, inner):
				references++
			}
		}
	}
	reason := "is untyped JSON because group.yaml says so; the API server checks nothing in it"
	if references > 0 {
		reason += fmt.Sprintf(", and the ids of ARM resources in it (properties: %d) are plain text", references)
	}
	h.note(ir.Approximated, subject, "%s", reason)
	*untyped = ir.TypeRef{Primitive: ir.Any}
	p.Validation, p.ItemValidation, p.ListKeys, p.IsARMID = nil, nil, nil, false
}

// number makes a property a number that the specs say is an integer, if group.yaml marks it.
func (h *half) number(p *ir.Property, base string) {
	if leaf := p.Type.Leaf(); leaf.Primitive == ir.Integer {
		if _, has := h.settings.apply(config.Number, false, base, p); has {
			leaf.Primitive = ir.Number
		}
	}
}

// keeps reports whether the half has a property: whether the property goes in the
// half's direction, and is not a secret in a Status.
func (h *half) keeps(p *ir.Property, base string) bool {
	return h.goes(p) && (!h.status || !h.settings.isSecret(p, base))
}

// goes reports whether a property goes in the half's direction.
func (h *half) goes(p *ir.Property) bool {
	if h.status {
		return !p.WriteOnly
	}
	return !p.ReadOnly
}

// isHollow reports whether a property is an object of which no property is kept,
// and may be left out. A variant is kept because the discriminator selects it, a
// required property because ARM requires it, and a map because of its keys: a
// request with userAssignedIdentities says nothing else.
func (h *half) isHollow(p *ir.Property) bool {
	return h.hollow[p.Type.Leaf().Named] && p.Type.Map == nil && p.Variant == "" && !(p.Required && !h.status)
}

// findHollow finds the raw objects that have properties, but none that this half
// keeps. They would only confuse people who read the API. All objects count as
// hollow until a kept property is found, so that objects that contain themselves
// are handled too.
func (h *half) findHollow() {
	h.hollow = map[string]bool{}
	for _, t := range h.raw.Types {
		h.hollow[t.Name] = t.Kind == ir.Object && len(t.Properties) > 0 && t.Discriminator == ""
	}
	for changed := true; changed; {
		changed = false
		for _, t := range h.raw.Types {
			if h.hollow[t.Name] && slices.ContainsFunc(t.Properties, func(p *ir.Property) bool {
				base := h.bases.of(t.Name)
				return h.keeps(h.settings.corrected(p, base), base) && !h.isHollow(p)
			}) {
				h.hollow[t.Name], changed = false, true
			}
		}
	}
}

// isEmpty reports whether this half has no property of an object. A Status has such
// an object untyped, because an empty type would drop all that ARM sends of it. An
// object with a secret in it is not untyped, since a Status shows no secrets.
func (h *half) isEmpty(raw *ir.Type) bool {
	if raw.Kind != ir.Object || raw.Discriminator != "" || len(raw.Properties) > 0 && !h.hollow[raw.Name] {
		return false
	}
	return !slices.ContainsFunc(h.raw.Reachable(raw.Name), func(t *ir.Type) bool {
		return slices.ContainsFunc(t.Properties, func(p *ir.Property) bool { return h.settings.isSecret(p, h.bases.of(t.Name)) })
	})
}

// envelope has the properties of a request's body that identify the resource. In
// Kubernetes, azureName, owner and the kind do that.
var envelope = map[string]bool{"id": true, "name": true, "type": true, "apiVersion": true, "systemData": true}

// flatten adds the properties of a body to t, and the properties inside its
// "properties" in place of that one.
func (h *half) flatten(t *shapedType, raw *ir.Type) {
	t.Discriminator, t.VariantOptional = raw.Discriminator, raw.VariantOptional
	t.hasProperties = h.hasProperties(raw)
	kept := h.kept(raw, t.base)
	if !t.hasProperties { // which has what is missing, otherwise
		kept = append(kept, h.missing(raw, t.base)...)
	}
	for _, p := range kept {
		inner := h.raw.Type(p.Type.Named)
		switch {
		case !h.status && p.Variant == "" && envelope[p.ARMName()]:
		case p.ARMName() == "properties" && inner != nil && inner.Kind == ir.Object && t.Discriminator != "" && inner.Discriminator != "":
			h.note(ir.Approximated, t.base+".properties", "the resource and its properties are both unions, by %q and by %q; so the "+
				"properties stay in an object of their own", t.Discriminator, inner.Discriminator)
			t.Properties = append(t.Properties, p)
		case p.ARMName() == "properties" && inner != nil && inner.Kind == ir.Object:
			h.flattenInto(t, inner, p)
		default:
			t.Properties = append(t.Properties, p)
		}
	}
}

// hasProperties reports whether a body, or one of its variants, has an object
// "properties" that may be empty.
func (h *half) hasProperties(body *ir.Type) bool {
	return slices.ContainsFunc(body.Properties, func(p *ir.Property) bool {
		inner := h.raw.Type(p.Type.Named)
		switch {
		case inner == nil || inner.Kind != ir.Object || !h.goes(p):
			return false
		case p.Variant != "":
			return h.hasProperties(inner)
		}
		return p.ARMName() == "properties" && inner.Discriminator == ""
	})
}

// flattenInto adds the properties of inner, the type of the property outer, to t.
// A property is required only if outer is required too.
func (h *half) flattenInto(t *shapedType, inner *ir.Type, outer *ir.Property) {
	for _, p := range append(h.kept(inner, t.base), h.missing(inner, t.base)...) {
		p.Flattened = true
		p.Required = p.Required && outer.Required
		t.Properties = append(t.Properties, p)
	}
	if inner.Discriminator == "" {
		return
	}
	t.Discriminator = inner.Discriminator
	t.VariantOptional = cmp.Or(inner.VariantOptional, !outer.Required)
}
