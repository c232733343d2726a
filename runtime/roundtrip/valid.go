package roundtrip

import (
	"fmt"
	"reflect"
	"slices"
)

// showsValid has a client of one version read a valid object of another. What it
// is shown is valid, but for the properties of which not every version asks the
// same.
func showsValid(t *Trial) error {
	if !t.fillsValid(t.seed) {
		return nil
	}
	s, err := t.start()
	if err != nil {
		return err
	}
	if wrong := problems(t.shapes, s.object); len(wrong) > 0 && !t.again {
		return fmt.Errorf("%T: the object that was to be valid is not: %s: %s", t.Object, wrong[0].path, wrong[0].what)
	}
	shown, err := t.down(s.hub, t.Other)
	if err != nil {
		return err
	}
	var lines []string
	for _, p := range problems(t.shapes, shown) {
		if !t.differs(p) && !t.waived([]owner{p.owner}) {
			lines = append(lines, fmt.Sprintf("\t%s: %s", p.path, p.what))
		}
	}
	if len(lines) == 0 || t.again && len(problems(t.shapes, s.object)) > 0 {
		return nil
	}
	return fmt.Errorf("%T: what is shown of a valid %T is not valid:\n%s", t.Other, t.Object, atMost(lines))
}

// differs tells whether some version asks something else of a property.
func (t *Trial) differs(p problem) bool {
	own := t.shapes[packageOf(t.Other)]
	for _, other := range t.shapes {
		if !sameRules(own, other, p.owner) {
			return true
		}
	}
	return false
}

// sameRules tells whether two versions ask the same of a property or, if it has
// no name, of a union.
func sameRules(a, b *shape, of owner) bool {
	typeA, typeB := a.types[of.typ], b.types[of.typ]
	if typeA == nil || typeB == nil {
		return false
	}
	if of.property == "" {
		return typeA.VariantOptional == typeB.VariantOptional && slices.Equal(typeA.variantNames(), typeB.variantNames())
	}
	x, y := typeA.properties[of.property], typeB.properties[of.property]
	return x != nil && y != nil && x.Required == y.Required &&
		reflect.DeepEqual(x.Validation, y.Validation) && reflect.DeepEqual(x.ItemValidation, y.ItemValidation) &&
		reflect.DeepEqual(x.Type, y.Type) && sameEnum(a.types[x.Type.leaf()], b.types[y.Type.leaf()])
}

func (t *shapeType) variantNames() []string {
	var names []string
	for _, p := range t.Properties {
		if p.Variant != "" {
			names = append(names, p.Name)
		}
	}
	return names
}

// leaf is the name of the type that lists and maps have at their ends, or "".
func (r *shapeTypeRef) leaf() string {
	switch {
	case r == nil:
		return ""
	case r.Items != nil:
		return r.Items.leaf()
	case r.Map != nil:
		return r.Map.leaf()
	}
	return r.Named
}

func sameEnum(a, b *shapeType) bool {
	return a == nil || b == nil || a.Kind != "enum" || a.Open == b.Open && reflect.DeepEqual(a.Values, b.Values)
}
