package roundtrip

import (
	"fmt"
	"reflect"
	"slices"
)

// showsValid has a client of one version read a valid object of another. What the
// client is shown must be valid too, but for properties that have other rules in the
// version of the object.
func showsValid(t *Trial) error {
	if !t.fillsValid(t.seed) {
		return nil
	}
	s, err := t.start()
	if err != nil {
		return err
	}
	if wrong := problems(t.Rules, s.object); len(wrong) > 0 && !t.again {
		return fmt.Errorf("%T: the filled object should be valid, and is not: %s: %s", t.Object, wrong[0].path, wrong[0].what)
	}
	e, err := t.exchange(s.hub, t.Other)
	if err != nil {
		return err
	}
	var lines []string
	for _, p := range problems(t.Rules, e.shown) {
		if !t.differs(p) && !t.waived([]owner{p.owner}) {
			lines = append(lines, fmt.Sprintf("\t%s: %s", p.path, p.what))
		}
	}
	if len(lines) == 0 || t.again && len(problems(t.Rules, s.object)) > 0 {
		return nil
	}
	return fmt.Errorf("%T: a valid %T is shown as an object that is not valid:\n%s", t.Other, t.Object, atMost(lines))
}

// differs reports whether the two versions have different rules for a property.
func (t *Trial) differs(p problem) bool {
	return !sameRules(t.Rules[packageOf(t.Other)], t.Rules[packageOf(t.Object)], p.owner)
}

// sameRules reports whether two versions have the same rules for a property or,
// if it has no name, for the variants of a union.
func sameRules(a, b Rules, of owner) bool {
	typeA, typeB := a[of.typ], b[of.typ]
	if typeA == nil || typeB == nil {
		return false
	}
	if of.property == "" {
		return typeA.VariantOptional == typeB.VariantOptional && slices.Equal(typeA.Variants, typeB.Variants)
	}
	x, y := typeA.Properties[of.property], typeB.Properties[of.property]
	return x != nil && y != nil && reflect.DeepEqual(x, y) && sameEnum(a[x.Enum], b[y.Enum])
}

func sameEnum(a, b *TypeRules) bool {
	return a == nil || b == nil || a.Open == b.Open && slices.Equal(a.Values, b.Values)
}
