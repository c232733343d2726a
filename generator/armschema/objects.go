package armschema

import (
	"cmp"
	"maps"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
)

// shape has the parts of an object, gathered from all schemas that it is composed
// of.
type shape struct {
	at         schema
	properties []*member
	required   map[string]bool
	// additional are the schemas of additional properties.
	additional []schema
	// choices are lists of alternatives. The object has one shape of each list.
	choices [][]*shape
}

// member is a property, and the schemas that describe it.
type member struct {
	name    string
	schemas []schema
}

func (s *shape) member(name string) *member {
	for _, m := range s.properties {
		if m.name == name {
			return m
		}
	}
	return nil
}

func (s *shape) add(name string, property schema) {
	m := s.member(name)
	if m == nil {
		m = &member{name: name}
		s.properties = append(s.properties, m)
	}
	m.schemas = append(m.schemas, property)
}

// shape gathers the parts of an object.
func (r *reader) shape(at schema) *shape {
	s := &shape{at: at, required: map[string]bool{}}
	r.gather(s, at)
	return s
}

func (r *reader) gather(into *shape, at schema) {
	at, _ = r.unwrap(at)
	if at.node == nil {
		return
	}
	if r.gathering[at.node] {
		r.errorf(at, "the object is composed of itself; remove one of the references")
		return
	}
	r.gathering[at.node] = true
	defer delete(r.gathering, at.node)
	for _, part := range at.get("allOf").items() {
		r.gather(into, part)
	}
	for _, m := range at.node.Get("properties").Members() {
		into.add(m.Name, schema{at.doc, m.Value})
	}
	for _, name := range at.node.Get("required").Items() {
		into.required[name.Text()] = true
	}
	if additional := at.get("additionalProperties"); isMap(additional.node) {
		into.additional = append(into.additional, additional)
	}
	rest, _ := alternatives(at)
	if len(rest) == 0 {
		return
	}
	var choice []*shape
	for _, part := range rest {
		choice = append(choice, r.shape(part))
	}
	into.choices = append(into.choices, choice)
}

// object returns the type of a schema for which isObject is true.
func (r *reader) object(at schema, h hint) ir.TypeRef {
	t, known := r.typeAt(at, h)
	if !known {
		t.Kind = ir.Object
		t.Doc = h.docOf(at)
		r.fill(t, r.shape(at))
	}
	return t.ref()
}

// fill gives a type the properties of a shape.
func (r *reader) fill(t *namedType, s *shape) {
	union := r.mergeChoices(s)
	if union != nil {
		union.requireShared(s)
	}
	for _, m := range s.properties {
		if union == nil || m.name != union.discriminator {
			t.Properties = append(t.Properties, r.property(t, s, m))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.required)) {
		if s.member(name) == nil && !union.declares(name) {
			r.note(ir.Approximated, s.at, "%q is required but not declared; it is left out", name)
		}
	}
	if spread := r.spread(t, s); spread != nil {
		t.Properties = append(t.Properties, spread)
	}
	if union != nil {
		r.variants(t, s, union)
	}
	slices.SortStableFunc(t.Properties, func(a, b *ir.Property) int {
		return cmp.Or(cmp.Compare(a.ARM, b.ARM), cmp.Compare(a.Variant, b.Variant))
	})
}

func (r *reader) property(t *namedType, s *shape, m *member) *ir.Property {
	v := r.anyOfValues(m.schemas[0], m.schemas, hint{within: t, part: m.name})
	doc, defaultValue := docOf(m.schemas[0])
	return &ir.Property{
		ARM: m.name, Type: v.ref, Doc: doc, Default: defaultValue, Required: s.required[m.name],
		Validation: v.limits, ItemValidation: v.itemLimits, At: m.schemas[0].place(),
	}
}

// spread returns the map of additional properties, or nil if there are none.
func (r *reader) spread(t *namedType, s *shape) *ir.Property {
	if len(s.additional) == 0 {
		return nil
	}
	v := r.anyOfValues(s.additional[0], s.additional, hint{within: t, part: "value"})
	return &ir.Property{Spread: true, Type: ir.TypeRef{Map: &v.ref}, ItemValidation: v.limits, At: s.additional[0].place()}
}

// docOf returns the description of a property, not that of its type, and its default.
func docOf(s schema) (doc, defaultValue string) {
	for range maxSteps {
		doc = cmp.Or(doc, s.node.Get("description").Text())
		defaultValue = cmp.Or(defaultValue, s.node.Get("default").JSON())
		only, ok := onlyAlternative(s)
		if !ok {
			break
		}
		s = only
	}
	return doc, defaultValue
}

// union is a choice in which the value of a property selects the alternative.
type union struct {
	discriminator string
	choice        []*shape
	values        []string // of the discriminator, one for each alternative
}

// declares reports whether an alternative declares a property.
func (u *union) declares(name string) bool {
	return u != nil && slices.ContainsFunc(u.choice, func(alternative *shape) bool { return alternative.member(name) != nil })
}

// requireShared makes those properties of s required that all alternatives
// require.
func (u *union) requireShared(s *shape) {
	for _, m := range s.properties {
		if m.name != u.discriminator && requiredByAll(u.choice, m.name) {
			s.required[m.name] = true
		}
	}
}

// mergeChoices returns the choice that makes a union, or nil. It merges the
// alternatives of all other choices into the shape, which then may have each of
// their properties.
func (r *reader) mergeChoices(s *shape) *union {
	var found *union
	choices := s.choices
	s.choices = nil
	for len(choices) > 0 {
		choice := choices[0]
		choices = choices[1:]
		if u := r.discriminate(choice); u != nil && found == nil {
			found = u
			continue
		}
		if len(choice) > 1 {
			r.note(ir.Approximated, s.at, "no property distinguishes the %d alternatives; they are read as one "+
				"object with the properties of all", len(choice))
		}
		for i, alternative := range choice {
			choices = append(choices, alternative.choices...)
			for _, m := range alternative.properties {
				for _, property := range m.schemas {
					s.add(m.name, property)
				}
			}
			for name := range alternative.required {
				// The object requires only what all alternatives require.
				if i == 0 && requiredByAll(choice, name) {
					s.required[name] = true
				}
			}
			s.additional = append(s.additional, alternative.additional...)
		}
	}
	return found
}

func requiredByAll(choice []*shape, name string) bool {
	return !slices.ContainsFunc(choice, func(alternative *shape) bool { return !alternative.required[name] })
}

// discriminate returns the union that a choice makes, or nil. Its discriminator
// is a property with exactly one value in each alternative, all different. A
// property that all alternatives require is preferred.
func (r *reader) discriminate(choice []*shape) *union {
	var best *union
	for _, m := range choice[0].properties {
		if m.name == "" {
			continue // no discriminator is "" where there is none
		}
		u := &union{discriminator: m.name, choice: choice}
		for _, alternative := range choice {
			value, ok := r.onlyValue(alternative.member(m.name))
			if !ok || slices.Contains(u.values, value) {
				u = nil
				break
			}
			u.values = append(u.values, value)
		}
		if u != nil && (best == nil || requiredByAll(choice, u.discriminator) && !requiredByAll(choice, best.discriminator)) {
			best = u
		}
	}
	return best
}

// onlyValue returns the value of a property that can have one value only.
func (r *reader) onlyValue(m *member) (string, bool) {
	if m == nil {
		return "", false
	}
	for _, property := range m.schemas {
		inner, _ := r.unwrap(property)
		if values := enumValues(inner); len(values) == 1 {
			return values[0], true
		}
	}
	return "", false
}

// variants adds the variants of a union to its type. The type of a variant has
// the properties that the variant adds to those that all variants share.
func (r *reader) variants(t *namedType, s *shape, u *union) {
	t.Discriminator = u.discriminator
	t.VariantOptional = !s.required[u.discriminator] && !requiredByAll(u.choice, u.discriminator)
	for i, alternative := range u.choice {
		v, _ := r.typeAt(alternative.at, hint{within: t, part: u.values[i], variant: true})
		v.Kind = ir.Object
		v.Doc = r.variantDoc(alternative.at)
		t.Properties = append(t.Properties, &ir.Property{Variant: u.values[i], Type: v.ref(), Doc: v.Doc, At: alternative.at.place()})
		r.share(s, alternative, u)
		r.fill(v, alternative)
	}
}

// variantDoc returns the description of an alternative, or else that of a schema
// in its allOf.
func (r *reader) variantDoc(at schema) string {
	inner, _ := r.unwrap(at)
	doc := inner.node.Get("description").Text()
	for _, part := range inner.get("allOf").items() {
		part, _ = r.unwrap(part)
		doc = cmp.Or(doc, part.node.Get("description").Text())
	}
	return doc
}

// share removes from an alternative the properties that the object s has too,
// and makes those of the others required that s requires.
func (r *reader) share(s, alternative *shape, u *union) {
	alternative.properties = slices.DeleteFunc(alternative.properties, func(m *member) bool {
		return m.name == u.discriminator || s.member(m.name) != nil
	})
	for _, name := range slices.Sorted(maps.Keys(alternative.required)) {
		shared := s.member(name) != nil
		if shared || name == u.discriminator {
			delete(alternative.required, name)
		}
		if shared && !s.required[name] && name != u.discriminator {
			r.note(ir.Approximated, alternative.at, "the variant requires %q, which all variants have; it is optional", name)
		}
	}
	for name := range s.required {
		if alternative.member(name) != nil {
			alternative.required[name] = true
		}
	}
}
