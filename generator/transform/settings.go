package transform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// settings has the marks of group.yaml, which say what properties are, and those that
// had an effect.
type settings struct {
	properties    config.Properties
	marked        map[marked]map[string][]string // by mark, then by entry: its values
	marksChildren bool
	effects       map[string]bool
	corrections   map[string][]config.Mark // that correct specs, by entry
}

// marked is the name of a mark, or its opposite.
type marked struct {
	name string
	not  bool
}

func newSettings(load *config.Load) *settings {
	s := &settings{properties: load.Properties, marked: map[marked]map[string][]string{}, effects: map[string]bool{},
		corrections: map[string][]config.Mark{}}
	for entry, marks := range load.Properties {
		for _, m := range marks {
			mark := marked{m.Name, m.Not}
			if s.marked[mark] == nil {
				s.marked[mark] = map[string][]string{}
			}
			s.marked[mark][entry] = m.Values
			s.marksChildren = s.marksChildren || m.Name == config.Children
			if m.IsCorrection() {
				s.corrections[entry] = append(s.corrections[entry], m)
			}
		}
	}
	return s
}

// find returns the entry that gives a property a mark, or its opposite, by its ARM or its
// Kubernetes name, or "".
func (s *settings) find(name string, not bool, base string, p *ir.Property) string {
	entries := s.marked[marked{name, not}]
	if len(entries) == 0 {
		return ""
	}
	for _, name := range []string{p.ARMName(), propertyName(p)} {
		entry := base + "." + name
		if _, found := entries[entry]; found {
			return entry
		}
	}
	return ""
}

// has reports whether a property has a mark, or its opposite.
func (s *settings) has(name string, not bool, base string, p *ir.Property) bool {
	return s.find(name, not, base, p) != ""
}

// apply is [settings.has] for a mark that has an effect if the property has it, which it
// records. It returns the values of the mark.
func (s *settings) apply(name string, not bool, base string, p *ir.Property) (values []string, has bool) {
	entry := s.find(name, not, base, p)
	if entry == "" {
		return nil, false
	}
	s.effects[config.Mark{Name: name, Not: not}.Entry(entry)] = true
	return s.marked[marked{name, not}][entry], true
}

func (s *settings) used() []string {
	var used []string
	for entry := range s.effects {
		used = append(used, entry)
	}
	return used
}

// isSecret reports whether a property holds a secret.
func (s *settings) isSecret(p *ir.Property, base string) bool {
	return p.IsSecret != s.has(config.Secret, p.IsSecret, base, p)
}

// recordSecret records the marks that say whether a property holds a secret. A mark
// is looked up first, which is faster than the patterns of likelySecret.
func (s *settings) recordSecret(p *ir.Property, base string) {
	if p.IsSecret || s.has(config.Secret, true, base, p) && likelySecret(p, base) {
		s.apply(config.Secret, true, base, p)
	}
	if !p.IsSecret {
		s.apply(config.Secret, false, base, p)
	}
}

// isReference reports whether a property holds the ids of ARM resources.
func (s *settings) isReference(p *ir.Property, base string) bool {
	if p.IsARMID {
		return !s.has(config.Reference, true, base, p)
	}
	return s.markOfReference(p, base) != ""
}

// markOfReference returns the mark that makes a property a reference, or "".
func (s *settings) markOfReference(p *ir.Property, base string) string {
	for _, mark := range []string{config.Reference, config.RoleDefinition} {
		if s.has(mark, false, base, p) {
			return mark
		}
	}
	return ""
}

// recordReference is [settings.recordSecret] for references.
func (s *settings) recordReference(p *ir.Property, base string) {
	if p.IsARMID || s.has(config.Reference, true, base, p) && p.Likely == ir.LikelyID {
		s.apply(config.Reference, true, base, p)
	}
	if !p.IsARMID {
		s.apply(config.Reference, false, base, p)
	}
	s.apply(config.RoleDefinition, false, base, p)
}

// markCreateOnly says of a property whether it can change, if group.yaml does.
func (s *settings) markCreateOnly(p *ir.Property, base string) {
	if _, has := s.apply(config.CreateOnly, p.CreateOnly, base, p); has {
		p.CreateOnly = !p.CreateOnly
	}
}

// markListKeys gives a list of a Spec the keys that group.yaml says, if its source has others or none, or takes them.
func (s *settings) markListKeys(p *ir.Property, base string) {
	if p.Type.Items == nil || p.Type.Items.Named == "" {
		return
	}
	if m := s.listKeys(p, base); m != nil && !slices.Equal(m.Values, p.ListKeys) {
		p.ListKeys = nil
	}
	s.markValues(config.ListKeys, &p.ListKeys, p, base)
}

// listKeys returns the mark that gives a list its keys, or nil.
func (s *settings) listKeys(p *ir.Property, base string) *config.Mark {
	marks := s.properties[s.find(config.ListKeys, false, base, p)]
	if i := slices.IndexFunc(marks, func(m config.Mark) bool { return m.Name == config.ListKeys && !m.Not }); i >= 0 {
		return &marks[i]
	}
	return nil
}

// judgeListKeys says of the keys of a list, which each element must have, whether the API server has them. It reports
// whether group.yaml says so, either way.
func (s *settings) judgeListKeys(p *ir.Property, base string) bool {
	m := s.listKeys(p, base)
	if m == nil || m.Merge == "" && m.Source == "" {
		return false
	}
	s.apply(config.ListKeys, false, base, p)
	p.MergeOnly = m.Merge == config.MergeOnly
	return true
}

// markValues gives a property the values that a mark of group.yaml has, if its source has none,
// or takes them if the opposite of the mark says so.
func (s *settings) markValues(name string, values *[]string, p *ir.Property, base string) {
	if marked, has := s.apply(name, len(*values) > 0, base, p); has {
		*values = slices.Clone(marked)
	}
}

// encoding returns how ARM has a secret that is a string, by the specs and by group.yaml.
func (s *settings) encoding(p *ir.Property, base string) ir.Encoding {
	switch _, has := s.apply(config.Base64, p.Encoding != "", base, p); {
	case !has:
		return p.Encoding
	case p.Encoding != "":
		return ""
	}
	return ir.Base64
}

// shapeSecretOrReference makes a property of a Spec a reference to a Secret or to
// a resource, if it holds a secret or an ARM id, and returns its name.
func (h *half) shapeSecretOrReference(t *shapedType, p *ir.Property, name string) string {
	subject := t.base + "." + name
	secret, reference := h.settings.isSecret(p, t.base), h.settings.isReference(p, t.base)
	mark := h.settings.markOfReference(p, t.base)
	h.settings.recordReference(p, t.base)
	switch {
	case secret:
		h.shapeSecret(t, p, subject)
	case reference && p.Type.Leaf().Primitive == ir.String:
		leaf := ir.TypeRef{Primitive: ir.Reference}
		if mark == config.RoleDefinition {
			leaf.Primitive = ir.RoleDefinition
		}
		*p.Type.Leaf() = leaf
		if p.Type.Primitive != "" {
			p.Validation = nil
		}
		p.ItemValidation = nil
		if leaf.Primitive == ir.Reference {
			h.settings.markValues(config.ResourceTypes, &p.ResourceTypes, p, t.base)
		}
		if len(p.ResourceTypes) > 0 {
			p.Doc = sentence(p.Doc, "It refers to "+h.oneOf(p.ResourceTypes)+".")
		}
		return referenceName(name, p.Type)
	case reference && mark != "":
		h.errorf(p.At, "group.yaml marks %s as %s, but it is %s; a reference is a string, or a list or map of "+
			"strings", subject, mark, h.describe(p.Type))
	case reference:
		h.note(ir.Approximated, subject, "holds an id of an ARM resource and is %s; it stays as it is, because only "+
			"a string can be a reference", h.describe(p.Type))
	default:
		h.noteLikelySecret(t.base, p)
		if p.Likely == ir.LikelyIDKeys {
			h.note(ir.Approximated, subject, "the keys of the map are ids of ARM resources; they stay as they are, because only "+
				"a value can be a reference: a property with From at the end of its name, if there is one, adds keys by references")
		}
		if p.Likely == ir.LikelyID && !h.settings.has(config.Reference, true, t.base, p) {
			h.note(ir.NotAssessed, subject, "looks like the id of an ARM resource; %s", markIt(config.Reference))
		}
	}
	return name
}

// markIt returns what to do about a property that looks like what a mark says.
func markIt(mark string) string {
	return fmt.Sprintf("mark it in group.yaml: %s or {not: %[1]s, why: …}", mark)
}

// oneOf returns ARM types as text, with the kinds that the group has for them.
func (h *half) oneOf(types []string) string {
	texts := make([]string, len(types))
	for i, t := range types {
		texts[i] = t
		for exported, kind := range h.exports {
			if strings.EqualFold(exported, t) {
				texts[i] += " (kind " + kind + ")"
			}
		}
	}
	return strings.Join(texts, " or ")
}

// shapeSecret makes a property a reference to a key of a Secret. The Secret holds
// the text of a string, or the bytes that it encodes, and JSON of any other value. A
// list or an object goes there as a whole, so that no part of it is visible.
func (h *half) shapeSecret(t *shapedType, p *ir.Property, subject string) {
	var encoding ir.Encoding
	if p.Type.Primitive == ir.String || p.Type.Primitive == ir.Any {
		encoding = h.settings.encoding(p, t.base)
	}
	switch raw := h.raw.Type(p.Type.Named); {
	case p.Spread || p.Variant != "":
		h.errorf(p.At, "%s is a secret, but it has no name in ARM under which the value of a Secret could be sent; "+
			"if it is not a secret, mark it in group.yaml: {not: secret, why: …}", subject)
		return
	case p.Type.Primitive == ir.String || encoding != "" || raw != nil && raw.Kind == ir.Enum && raw.Base == ir.String:
		p.Type.Primitive = ir.Secret
	case p.Type.Primitive == ir.Any:
		p.Type.Primitive, p.WholeSecret = ir.SecretJSON, true
	default:
		h.note(ir.Approximated, subject, "holds a secret and is %s; the Secret holds it as JSON, which is not checked", h.describe(p.Type))
		p.Type.Primitive, p.WholeSecret = ir.SecretJSON, isMapOfTexts(p.Type)
	}
	if p.Type = (ir.TypeRef{Primitive: p.Type.Primitive}); p.Type.Primitive == ir.SecretJSON {
		holds := "The Secret holds it as JSON."
		if p.WholeSecret {
			holds = "The Secret holds it as JSON, or, if the reference has no key, all of its properties as keys."
		}
		p.Doc = sentence(p.Doc, holds)
		h.opaque[t.base+"."+p.ARMName()] = true
	}
	if encoding != "" {
		p.Doc = sentence(p.Doc, "The Secret holds the bytes, and not their form in Base64.")
	}
	p.Encoding, p.Validation, p.ItemValidation, p.ListKeys = encoding, nil, nil, nil
}

// isMapOfTexts reports whether a type is a map whose values can all be texts.
func isMapOfTexts(ref ir.TypeRef) bool {
	return ref.Map != nil && (ref.Map.Primitive == ir.String || ref.Map.Primitive == ir.Any)
}

// describe returns a type for messages, to be read after "is".
func (h *half) describe(ref ir.TypeRef) string {
	switch {
	case ref.Items != nil:
		return "a list (" + ref.String() + ")"
	case ref.Map != nil:
		return "a map (" + ref.String() + ")"
	case ref.Primitive == ir.Any:
		return "untyped"
	case ref.Named != "":
		return "of type " + ref.Named
	}
	return "of type " + string(ref.Primitive)
}

// noteLikelySecret adds a note on a property that looks like a secret and that
// neither the spec nor group.yaml says to be one. This matters most in a Status,
// which everybody can read.
func (h *half) noteLikelySecret(base string, p *ir.Property) {
	isMarked := func(not bool) bool { return h.settings.has(config.Secret, not, base, p) }
	if likelySecret(p, base) && !p.IsSecret && !isMarked(true) && !isMarked(false) {
		h.note(ir.NotAssessed, base+"."+propertyName(p), "looks like a secret; %s", markIt(config.Secret))
	}
}

// noteFraction adds a note on an integer whose source could not say that it may have
// fractions. Where the description speaks of them, somebody should decide.
func (h *half) noteFraction(base string, p *ir.Property) {
	switch subject := base + "." + propertyName(p); {
	case !p.MayBeFraction || p.Type.Leaf().Primitive != ir.Integer:
	case p.Likely == ir.LikelyFraction && h.settings.has(config.Number, true, base, p):
		h.settings.apply(config.Number, true, base, p)
	case p.Likely == ir.LikelyFraction:
		h.note(ir.NotAssessed, subject, "may have fractions, by its description; bicep types alone describe it, which have all "+
			"numbers as integers; %s", markIt(config.Number))
	default:
		h.note(ir.Approximated, subject, "is an integer, as bicep types alone describe it, which have all numbers as integers")
	}
}

// referenceName returns the name of a reference in place of a property that holds
// an ARM id.
func referenceName(name string, ref ir.TypeRef) string {
	for _, suffix := range []string{"Ids", "IDs", "Id", "ID"} {
		if stem, found := strings.CutSuffix(name, suffix); found {
			name = stem
			break
		}
	}
	if name == "id" || name == "ids" {
		name = ""
	}
	suffix := "Reference"
	if ref.Primitive == "" {
		suffix = "References"
	}
	return naming.JSON(name + suffix)
}

// likelySecret reports whether a property of a type looks like a secret, by its name or
// as the value of what is called a secret.
func likelySecret(p *ir.Property, base string) bool {
	leaf := p.Type.Leaf().Primitive
	name := naming.JSON(p.ARMName())
	return (leaf == ir.String || leaf == ir.Any) && p.Variant == "" &&
		(isSecretName(name) || strings.EqualFold(name, "value") && strings.Contains(base, "Secret"))
}

// secretEnds lists how names of secrets end, in lower case.
var secretEnds = func() []string {
	ends := []string{"password", "passphrase", "secret", "secrets", "connectionstring", "connectionstrings", "sastoken",
		"credential", "credentials", "saskey", "protectedsettings"}
	const keys = "account access primary secondary shared storage api private license master admin auth authorization"
	for of := range strings.FieldsSeq(keys) {
		ends = append(ends, of+"key", of+"keys", of+"_key", of+"_keys")
	}
	for of := range strings.FieldsSeq("access auth refresh bearer security") {
		ends = append(ends, of+"token", of+"_token")
	}
	return ends
}()

// isSecretName reports whether a name looks like that of a secret.
func isSecretName(name string) bool {
	name = strings.ToLower(name)
	hasEnd := func(end string) bool { return strings.HasSuffix(name, end) }
	return name == "key" || name == "token" || slices.ContainsFunc(secretEnds, hasEnd)
}
