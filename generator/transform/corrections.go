package transform

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// corrected returns a property as group.yaml corrects it: the property itself, or a copy. A request does not have to
// have what only ARM writes.
func (s *settings) corrected(p *ir.Property, base string) *ir.Property {
	marks := s.correctionsOf(base, p)
	if len(marks) == 0 {
		return p
	}
	is := *p
	for _, m := range marks {
		switch {
		case m.Name == config.ReadOnly && m.Not == p.ReadOnly:
			is.ReadOnly, is.WriteOnly = !p.ReadOnly, false
		case m.Name == config.WriteOnly:
			is.WriteOnly = !m.Not && !is.ReadOnly
		case m.Name == config.Required:
			is.Required = !m.Not
		case m.Name == config.LimitsMark && isLimited(p.Type):
			is.Validation = withLimits(p.Validation, m.Limits)
		}
	}
	is.Required = is.Required && (!is.ReadOnly || p.ReadOnly)
	if reflect.DeepEqual(&is, p) {
		return p
	}
	return &is
}

// readOnlyName matches the names of properties that only ARM writes wherever a spec says who does.
var readOnlyName = regexp.MustCompile(`^(?i:etag|provisioning(state|status)|resourceguid|entityavailabilitystatus|` +
	`(created|updated|lastmodified)(at|on|date|time)|creation(date|time))$`)

// isLikelyReadOnly reports whether a property looks like what only ARM writes, by its name.
func isLikelyReadOnly(p *ir.Property) bool {
	return p.Type.Items == nil && p.Type.Map == nil && p.Variant == "" && !p.Spread && readOnlyName.MatchString(p.ARMName())
}

// noteLikelyReadOnly adds a note on a property of a Spec that looks like what only ARM writes, unless group.yaml says
// that it is not.
func (h *half) noteLikelyReadOnly(base string, p *ir.Property) {
	if !isLikelyReadOnly(p) {
		return
	}
	if _, has := h.settings.apply(config.ReadOnly, true, base, p); !has {
		h.note(ir.NotAssessed, base+"."+propertyName(p), "looks like what only ARM writes; mark it in group.yaml: "+
			"{is: readOnly, why: …, source: …} or {not: readOnly, why: …, source: …}")
	}
}

// correctionsOf returns the corrections of a property, by its ARM and its Kubernetes name.
func (s *settings) correctionsOf(base string, p *ir.Property) []config.Mark {
	if len(s.corrections) == 0 {
		return nil
	}
	all := s.corrections[base+"."+p.ARMName()]
	if name := propertyName(p); name != p.ARMName() {
		all = slices.Concat(all, s.corrections[base+"."+name])
	}
	return all
}

// isLimited reports whether limits of values apply to a type.
func isLimited(t ir.TypeRef) bool {
	return t.Primitive == ir.String || t.Primitive == ir.Integer || t.Primitive == ir.Number
}

// withLimits returns limits with those of group.yaml in place of a spec's.
func withLimits(of *ir.Validation, l *config.Limits) *ir.Validation {
	var v ir.Validation
	if of != nil {
		v = *of
	}
	if l.Pattern != "" {
		v.SetPattern(l.Pattern)
	}
	v.MinLength, v.MaxLength = cmp.Or(l.MinLength, v.MinLength), cmp.Or(l.MaxLength, v.MaxLength)
	if l.Minimum != nil {
		v.Minimum, v.ExclusiveMinimum = l.Minimum, false
	}
	if l.Maximum != nil {
		v.Maximum, v.ExclusiveMaximum = l.Maximum, false
	}
	return &v
}

// recordCorrection records the corrections of a property.
func (h *half) recordCorrection(was, is *ir.Property, base string) {
	subject := base + "." + propertyName(was)
	if was.ReadOnly != is.ReadOnly {
		h.settings.apply(config.ReadOnly, was.ReadOnly, base, was)
		if is.ReadOnly {
			h.note(ir.Approximated, subject, "is written by ARM alone because group.yaml says so; the spec gives it to requests, too")
		} else {
			h.note(ir.Approximated, subject, "may be in requests because group.yaml says so; the spec says that ARM alone writes it")
		}
	}
	if was.WriteOnly != is.WriteOnly && was.ReadOnly == is.ReadOnly {
		h.settings.apply(config.WriteOnly, was.WriteOnly, base, was)
		if is.WriteOnly {
			h.note(ir.Approximated, subject, "is not in answers because group.yaml says so; the spec says that ARM shows it")
		} else {
			h.note(ir.Approximated, subject, "is in answers because group.yaml says so; the spec says that ARM does not show it")
		}
	}
	if was.Required != is.Required {
		h.settings.apply(config.Required, was.Required, base, was)
		if is.Required {
			h.note(ir.Approximated, subject, "is required because group.yaml says so; the spec does not require it")
		} else if !is.ReadOnly {
			h.note(ir.Approximated, subject, "is optional because group.yaml says so; the spec requires it")
		}
	}
	if !reflect.DeepEqual(was.Validation, is.Validation) {
		h.settings.apply(config.LimitsMark, false, base, was)
		h.note(ir.Approximated, subject, "has limits that group.yaml says, in place of those in the spec")
	}
}

// correctName gives the names of a resource the limits that group.yaml has.
func (s *shaper) correctName(r *ir.Resource, l *config.Limits) {
	if l == nil || r.FixedName != "" {
		return
	}
	if is := withLimits(r.NameLimits, l); !reflect.DeepEqual(is, r.NameLimits) {
		r.NameLimits = is
		s.out.Used = append(s.out.Used, "name/"+r.Type)
		s.note(ir.Approximated, r.Kind, "has names in Azure with limits that group.yaml says, in place of those in the spec")
	}
}

// correctEnum gives an enum of a Spec the values that group.yaml has for a property of its type.
func (h *half) correctEnum(t *ir.Type, p *ir.Property, base string) {
	marks := h.settings.correctionsOf(base, p)
	i := slices.IndexFunc(marks, func(m config.Mark) bool { return m.Name == config.EnumMark })
	if i < 0 {
		return
	}
	is := marks[i].Enum
	var added []string
	for _, value := range is.Values {
		if !slices.ContainsFunc(t.Values, func(v ir.EnumValue) bool { return v.Value == value }) {
			added = append(added, value)
		}
	}
	if opens := is.Open != nil && *is.Open != t.Open; len(added) == 0 && !opens {
		return
	}
	h.settings.apply(config.EnumMark, false, base, p)
	var literals []string
	for _, v := range t.Values {
		literals = append(literals, v.Value)
	}
	names := naming.EnumNames(append(literals, added...))
	t.Values = slices.Clone(t.Values)
	for i, value := range added {
		t.Values = append(t.Values, ir.EnumValue{Value: value, Name: names[len(literals)+i]})
	}
	if is.Open != nil {
		t.Open = *is.Open
	}
	h.note(ir.Approximated, base+"."+propertyName(p), "has %s because group.yaml says so; the spec lists others", is)
}

// missing returns the properties of a type that no spec has and group.yaml adds.
func (h *half) missing(raw *ir.Type, base string) []*ir.Property {
	var all []*ir.Property
	for entry, marks := range h.settings.corrections {
		name, isOf := strings.CutPrefix(entry, base+".")
		for _, m := range marks {
			has := func(p *ir.Property) bool { return strings.EqualFold(p.ARMName(), name) }
			if !isOf || m.Missing == nil || naming.CompareVersions(h.raw.APIVersion, m.Missing.Since) < 0 ||
				slices.ContainsFunc(raw.Properties, has) {
				continue
			}
			p := &ir.Property{Name: name, Type: typeOf(m.Missing.Type), Required: m.Missing.Required && !h.status}
			h.settings.apply(config.MissingMark, false, base, p)
			if !h.status {
				h.note(ir.Approximated, base+"."+name, "is there because group.yaml says so; no spec has it")
			}
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *ir.Property) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// typeOf returns the type that a text such as []string names.
func typeOf(text string) ir.TypeRef {
	if items, isList := strings.CutPrefix(text, "[]"); isList {
		ref := typeOf(items)
		return ir.TypeRef{Items: &ref}
	}
	if values, isMap := strings.CutPrefix(text, "map[string]"); isMap {
		ref := typeOf(values)
		return ir.TypeRef{Map: &ref}
	}
	return ir.TypeRef{Primitive: ir.Primitive(text)}
}
