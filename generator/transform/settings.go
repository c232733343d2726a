package transform

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// settings has the lists of group.yaml that say which properties hold references
// and secrets and which are untyped, and the entries of these that had an effect.
type settings struct {
	lists   map[string]map[string]bool // by the list's key, then by entry
	effects map[string]bool
}

func newSettings(load *config.Load) *settings {
	s := &settings{lists: map[string]map[string]bool{}, effects: map[string]bool{}}
	for key, entries := range map[string][]string{
		"references": load.References, "roleDefinitions": load.RoleDefinitions, "notReferences": load.NotReferences,
		"secrets": load.Secrets, "notSecrets": load.NotSecrets, "untyped": load.Untyped,
		"numbers": load.Numbers, "notNumbers": load.NotNumbers, "createOnly": load.CreateOnly,
	} {
		s.lists[key] = map[string]bool{}
		for _, entry := range entries {
			s.lists[key][entry] = true
		}
	}
	return s
}

// find returns the entry of a list that names a property, by its ARM or its
// Kubernetes name, or "".
func (s *settings) find(list, base string, p *ir.Property) string {
	if len(s.lists[list]) == 0 {
		return ""
	}
	for _, name := range []string{p.ARMName(), propertyName(p)} {
		if entry := base + "." + name; s.lists[list][entry] {
			return entry
		}
	}
	return ""
}

// record marks the entry of a list for a property, if there is one, as having an
// effect.
func (s *settings) record(list, base string, p *ir.Property) {
	if entry := s.find(list, base, p); entry != "" {
		s.effects[list+"/"+entry] = true
	}
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
	if p.IsSecret {
		return s.find("notSecrets", base, p) == ""
	}
	return s.find("secrets", base, p) != ""
}

// recordSecret records the entries that say whether a property holds a secret. An entry
// is looked up first, which is faster than the patterns of likelySecret.
func (s *settings) recordSecret(p *ir.Property, base string) {
	if p.IsSecret || s.find("notSecrets", base, p) != "" && likelySecret(p) {
		s.record("notSecrets", base, p)
	}
	if !p.IsSecret {
		s.record("secrets", base, p)
	}
}

// isReference reports whether a property holds the ids of ARM resources.
func (s *settings) isReference(p *ir.Property, base string) bool {
	if p.IsARMID {
		return s.find("notReferences", base, p) == ""
	}
	return s.listOfReference(p, base) != ""
}

// listOfReference returns the list that makes a property a reference, or "".
func (s *settings) listOfReference(p *ir.Property, base string) string {
	for _, list := range []string{"references", "roleDefinitions"} {
		if s.find(list, base, p) != "" {
			return list
		}
	}
	return ""
}

// recordReference is [settings.recordSecret] for references.
func (s *settings) recordReference(p *ir.Property, base string) {
	if p.IsARMID || s.find("notReferences", base, p) != "" && p.Likely == ir.LikelyID {
		s.record("notReferences", base, p)
	}
	if !p.IsARMID {
		s.record("references", base, p)
	}
	s.record("roleDefinitions", base, p)
}

// shapeSecretOrReference makes a property of a Spec a reference to a Secret or to
// a resource, if it holds a secret or an ARM id, and returns its name.
func (h *half) shapeSecretOrReference(t *shapedType, p *ir.Property, name string) string {
	subject := t.base + "." + name
	secret, reference := h.settings.isSecret(p, t.base), h.settings.isReference(p, t.base)
	listed := h.settings.listOfReference(p, t.base)
	h.settings.recordReference(p, t.base)
	switch {
	case secret:
		h.shapeSecret(t, p, subject)
	case reference && p.Type.Leaf().Primitive == ir.String:
		leaf := ir.TypeRef{Primitive: ir.Reference}
		if listed == "roleDefinitions" {
			leaf.Primitive = ir.RoleDefinition
		}
		*p.Type.Leaf() = leaf
		if p.Type.Primitive != "" {
			p.Validation = nil
		}
		p.ItemValidation = nil
		if len(p.ResourceTypes) > 0 {
			p.Doc = sentence(p.Doc, "It refers to "+h.oneOf(p.ResourceTypes)+".")
		}
		return referenceName(name, p.Type)
	case reference && listed != "":
		h.errorf(p.At, "group.yaml lists %s under %s, but it is %s; a reference is a string, or a list or map of "+
			"strings", subject, listed, h.describe(p.Type))
	case reference:
		h.note(ir.Approximated, subject, "holds an id of an ARM resource and is %s; it stays as it is, because only "+
			"a string can be a reference", h.describe(p.Type))
	default:
		h.noteLikelySecret(t.base, p)
		if p.Likely == ir.LikelyIDKeys {
			h.note(ir.Approximated, subject,
				"the keys of the map are ids of ARM resources; they stay as they are, because only a value can be a reference")
		}
		if p.Likely == ir.LikelyID && h.settings.find("notReferences", t.base, p) == "" {
			h.note(ir.NotAssessed, subject, "looks like the id of an ARM resource; list it in group.yaml under references or notReferences")
		}
	}
	return name
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
// the text of a string, and JSON of any other value. A list or an object goes
// there as a whole, so that no part of it is visible.
func (h *half) shapeSecret(t *shapedType, p *ir.Property, subject string) {
	switch raw := h.raw.Type(p.Type.Named); {
	case p.Spread || p.Variant != "":
		h.errorf(p.At, "%s is a secret, but it has no name in ARM under which the value of a Secret could be sent; "+
			"if it is not a secret, list it in group.yaml under notSecrets", subject)
		return
	case p.Type.Primitive == ir.String || raw != nil && raw.Kind == ir.Enum && raw.Base == ir.String:
		p.Type.Primitive = ir.Secret
	case p.Type.Primitive == ir.Any:
		p.Type.Primitive = ir.SecretJSON
	default:
		h.note(ir.Approximated, subject, "holds a secret and is %s; the Secret holds it as JSON, which is not checked", h.describe(p.Type))
		p.Type.Primitive = ir.SecretJSON
	}
	if p.Type = (ir.TypeRef{Primitive: p.Type.Primitive}); p.Type.Primitive == ir.SecretJSON {
		p.Doc = sentence(p.Doc, "The Secret holds it as JSON.")
		h.opaque[t.base+"."+p.ARMName()] = true
	}
	p.Validation, p.ItemValidation, p.ListKeys = nil, nil, nil
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
	if likelySecret(p) && !p.IsSecret && h.settings.find("notSecrets", base, p) == "" && h.settings.find("secrets", base, p) == "" {
		h.note(ir.NotAssessed, base+"."+propertyName(p), "looks like a secret; list it in group.yaml under secrets or notSecrets")
	}
}

// noteFraction adds a note on an integer whose source could not say that it may have
// fractions. Where the description speaks of them, somebody should decide.
func (h *half) noteFraction(base string, p *ir.Property) {
	switch subject := base + "." + propertyName(p); {
	case !p.MayBeFraction || p.Type.Leaf().Primitive != ir.Integer:
	case p.Likely == ir.LikelyFraction && h.settings.find("notNumbers", base, p) != "":
		h.settings.record("notNumbers", base, p)
	case p.Likely == ir.LikelyFraction:
		h.note(ir.NotAssessed, subject, "may have fractions, by its description; bicep types alone describe it, which have all "+
			"numbers as integers; list it in group.yaml under numbers or notNumbers")
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

// likelySecret reports whether a property looks like a secret, by its name.
func likelySecret(p *ir.Property) bool {
	leaf := p.Type.Leaf().Primitive
	return (leaf == ir.String || leaf == ir.Any) && p.Variant == "" && isSecretName(naming.JSON(p.ARMName()))
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
