package renames

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// side is a storage type at a version. The version has docs and enums, which the
// type lacks.
type side struct {
	version *ir.Version
	typ     *ir.Type
}

// described returns a property of the type with its docs, as far as the version
// has it. It lacks a Status that was taken from another version.
func (s side) described(p *ir.Property) *ir.Property {
	if t := s.version.Type(s.typ.Name); t != nil {
		if q := t.Property(p.Name); q != nil {
			return q
		}
	}
	return p
}

// sides has two matching types, and the properties that only one of them has.
type sides struct {
	older, newer side
	gone, came   []plan.Step
	// renamed has the older names of types by the newer ones, from the renames in
	// group.yaml.
	renamed map[string]string
}

// crosses reports whether what happened at a version happened between the two.
func (s sides) crosses(since string) bool {
	return naming.CompareVersions(s.older.version.APIVersion, since) < 0 && naming.CompareVersions(since, s.newer.version.APIVersion) <= 0
}

// guesses returns the properties that may be a vanished one under another name.
func (s sides) guesses(step plan.Step) []Guess {
	var all []Guess
	for _, came := range s.came {
		if came.Src.Variant != step.Src.Variant {
			continue // variants are distinguished by their discriminator, not by name
		}
		if g, ok := s.guess(step, came); ok {
			all = append(all, g)
		}
	}
	return all
}

// The weights of the evidence. Unknown facts, such as the similarity of absent
// docs, have no weight.
const (
	weighName     = 3
	weighDoc      = 4
	weighType     = 2
	weighAlone    = 1
	weighRequired = 0.5
)

// guess weighs whether a vanished property is one that appeared. It returns false
// if that is out of the question.
func (s sides) guess(gone, came plan.Step) (Guess, bool) {
	from, to := s.older.described(gone.Src), s.newer.described(came.Src)
	e := &evidence{}
	typ, ok := s.compareTypes(e, from.Type, to.Type)
	if !ok {
		return Guess{}, false
	}
	g := Guess{To: to.Name}
	named, left := weighName, 1.0
	if a, b := from.Type.Leaf().Named, to.Type.Leaf().Named; s.isObject(a, b) && !s.sameType(a, b) {
		g.FromType, g.ToType = naming.Common(a), naming.Common(b)
		left = s.typeRenameFactor(e, g, from.Name == to.Name, typ)
	}
	older, newer, sameName := from.Name, to.Name, from.Name == to.Name
	if sameName {
		if g.FromType == "" {
			return Guess{}, false // same name and same type: a rename cannot explain the change
		}
		// Only the name of the type changed, which says less.
		older, newer, named = g.FromType, g.ToType, 1
		e.weigh(1, weighName-1, "")
	}
	name, why := compareNames(older, newer)
	e.weigh(name, float64(named), why)
	doc, why := compareDocs(from.Doc, to.Doc)
	if why != "" {
		e.weigh(doc, weighDoc, why)
	}
	e.weigh(typ, weighType, "")
	alone, why := s.alone(gone, came)
	e.weigh(alone, weighAlone, why)
	if from.Required != to.Required {
		e.weigh(0, weighRequired, fmt.Sprintf("%s is %s, and %s is %s", from.Name, optionality(from), to.Name, optionality(to)))
	} else {
		e.weigh(1, weighRequired, "both are "+optionality(from))
	}
	if !sameName && name < 0.3 && doc < 0.5 && typ < 0.8 {
		return Guess{}, false // only circumstantial evidence is left
	}
	score := e.sum / e.weight * left * e.contradictions(from, to)
	g.Score, g.For, g.Against = int(math.Round(100*score)), e.pro, e.contra
	return g, true
}

func optionality(p *ir.Property) string {
	if p.Required {
		return "required"
	}
	return "optional"
}

// evidence is a weighted mean, with words that explain it.
type evidence struct {
	sum, weight float64
	pro, contra []string
}

// weigh adds a value from 0 to 1, with words that explain it, if there are any.
func (e *evidence) weigh(value, weight float64, words string) {
	e.sum += value * weight
	e.weight += weight
	switch {
	case words == "":
	case value >= 0.5:
		e.pro = append(e.pro, words)
	default:
		e.contra = append(e.contra, words)
	}
}

// contradictions returns a factor below 1 if the names say that the two
// properties mean different things.
func (e *evidence) contradictions(from, to *ir.Property) float64 {
	left := 1.0
	if a, b := opposed(words(from.Name), words(to.Name)); a != "" {
		e.contra = append(e.contra, fmt.Sprintf("%s means something else than %s", a, b))
		left *= 0.5
	}
	if a, b := unitOf(from.Name), unitOf(to.Name); a != b {
		e.contra = append(e.contra, fmt.Sprintf("the unit changes from %s to %s, and a rename keeps the value", orNone(a), orNone(b)))
		left *= 0.8
	}
	return left
}

func orNone(unit string) string {
	if unit == "" {
		return "none"
	}
	return unit
}

// sameType reports whether two types are the same, by name or by a rename.
func (s sides) sameType(older, newer string) bool {
	older, newer = naming.Common(older), naming.Common(newer)
	return older == newer || s.renamed[newer] == older
}

// isObject reports whether both names are those of object types.
func (s sides) isObject(older, newer string) bool {
	a, b := s.older.version.Type(older), s.newer.version.Type(newer)
	return a != nil && b != nil && a.Kind == ir.Object && b.Kind == ir.Object
}

// typeRenameFactor returns a factor for the score of a guess that renames the
// type too. It is lower the less similar the types are, and if the rename would
// separate a type from one of the same name on the other side.
func (s sides) typeRenameFactor(e *evidence, g Guess, sameName bool, like float64) float64 {
	left := 0.5 + 0.5*like // objects that share nothing cannot be converted
	if sameName {
		left = 0.75 + 0.25*like // the name of the property says that it is the same
	}
	if s.renamed[g.ToType] != "" {
		e.contra = append(e.contra, fmt.Sprintf("group.yaml renames another type to %s, and a name has one origin", g.ToType))
		left *= 0.6
	}
	if hasType(s.newer.version, g.FromType) {
		e.contra = append(e.contra, fmt.Sprintf("%s still has a type %s, and a rename would separate the older one "+
			"from it", s.newer.version.APIVersion, g.FromType))
		left *= 0.6
	}
	if hasType(s.older.version, g.ToType) {
		e.contra = append(e.contra, fmt.Sprintf("%s already has a type %s, and a rename would separate the newer "+
			"one from it", s.older.version.APIVersion, g.ToType))
		left *= 0.8
	}
	return left
}

// hasType reports whether a version has a type with a name from group.yaml.
func hasType(v *ir.Version, base string) bool {
	return slices.ContainsFunc(v.Types, func(t *ir.Type) bool {
		name := naming.Common(t.Name)
		return strings.EqualFold(name, base)
	})
}

// compareTypes returns the similarity of two types, from 0 to 1, and reports
// whether a value of one can be converted to the other at all.
func (s sides) compareTypes(e *evidence, from, to ir.TypeRef) (float64, bool) {
	switch {
	case from.Items != nil && to.Items != nil:
		return s.compareTypes(e, *from.Items, *to.Items)
	case from.Map != nil && to.Map != nil:
		return s.compareTypes(e, *from.Map, *to.Map)
	case from.Items != nil && from.Items.Named != "" && to.Named != "":
		e.contra = append(e.contra, "a list is now one object: only a list of one element can be converted")
		like, ok := s.compareTypes(e, *from.Items, to)
		return like * 0.6, ok
	case to.Items != nil && to.Items.Named != "" && from.Named != "":
		e.contra = append(e.contra, "one object is now a list: only a list of one element can be converted back")
		like, ok := s.compareTypes(e, from, *to.Items)
		return like * 0.6, ok
	}
	a, b := s.older.version.Type(from.Named), s.newer.version.Type(to.Named)
	switch {
	case a != nil && b != nil && a.Kind == ir.Object && b.Kind == ir.Object:
		if s.sameType(a.Name, b.Name) {
			e.pro = append(e.pro, "both are "+article(naming.Common(b.Name)))
			return 1, true
		}
		return compareShapes(e, a, b), true
	case a != nil && b != nil && a.Kind == ir.Enum && b.Kind == ir.Enum && a.Base == b.Base:
		return compareEnums(e, a, b), true
	}
	x, y := base(from, a), base(to, b)
	switch {
	case x == "" || y == "":
		return 0, false
	case x == y && (a == nil) != (b == nil):
		e.pro = append(e.pro, fmt.Sprintf("both are %s, one of them an enum", article(string(x))))
		return 0.6, true
	case x == y:
		e.pro = append(e.pro, "both are "+article(string(x)))
		return 0.7, true
	case x == ir.Integer && (y == ir.Number || y == ir.String), y == ir.Integer && (x == ir.Number || x == ir.String):
		e.contra = append(e.contra, fmt.Sprintf(
			"%s is now %s: only whole numbers can be converted", article(string(x)), article(string(y))))
		return 0.3, true
	}
	return 0, false
}

// article returns a noun with its indefinite article.
func article(noun string) string {
	if noun != "" && strings.ContainsRune("AEIOaeio", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// base returns the JSON type of the values, or "" for an object or a list.
func base(r ir.TypeRef, t *ir.Type) ir.Primitive {
	if t != nil {
		return t.Base
	}
	return r.Primitive
}

// compareShapes returns the share of properties that two objects have in common.
func compareShapes(e *evidence, a, b *ir.Type) float64 {
	x, y := naming.Common(a.Name), naming.Common(b.Name)
	common := 0
	for _, p := range a.Properties {
		for _, q := range b.Properties {
			if name, _ := compareNames(p.Name, q.Name); name >= 0.8 && p.Type.Renamed(naming.Common).Equal(q.Type.Renamed(naming.Common)) {
				common++
				break
			}
		}
	}
	all := len(a.Properties) + len(b.Properties) - common
	if all == 0 {
		e.pro = append(e.pro, fmt.Sprintf("neither %s nor %s has a property", x, y))
		return 1
	}
	like := float64(common) / float64(all)
	told := fmt.Sprintf("%s and %s share %d of %d properties", x, y, common, all)
	if like >= 0.5 {
		e.pro = append(e.pro, told)
	} else {
		e.contra = append(e.contra, told)
	}
	return like
}

// compareEnums returns the similarity of two enums, by the share of values that
// they have in common, compared without case.
func compareEnums(e *evidence, a, b *ir.Type) float64 {
	common := 0
	for _, v := range a.Values {
		if slices.ContainsFunc(b.Values, func(w ir.EnumValue) bool { return strings.EqualFold(v.Value, w.Value) }) {
			common++
		}
	}
	all := len(a.Values) + len(b.Values) - common
	if all == 0 {
		return 0.6
	}
	like := float64(common) / float64(all)
	told := fmt.Sprintf("as enums they share %d of %d values", common, all)
	if like >= 0.5 {
		e.pro = append(e.pro, told)
	} else {
		e.contra = append(e.contra, told)
	}
	return 0.2 + 0.8*like
}

// alone returns a value that is higher the fewer other properties of matching
// types disappeared and appeared with the two.
func (s sides) alone(gone, came plan.Step) (float64, string) {
	others := func(steps []plan.Step, self plan.Step) int {
		n := 0
		for _, o := range steps {
			if o.Src != self.Src && o.Src.Type.Equal(self.Src.Type) {
				n++
			}
		}
		return n
	}
	stayed := len(s.older.typ.Properties) - len(s.gone)
	wentToo, cameToo := others(s.gone, gone), others(s.came, came)
	typ := naming.Common(s.older.typ.Name)
	if wentToo+cameToo == 0 {
		return 1, fmt.Sprintf("no other property of their type went from %s or came; %d of its %d properties stayed",
			typ, stayed, len(s.older.typ.Properties))
	}
	return 1 / float64(1+wentToo+cameToo), fmt.Sprintf("%d more of their type went from %s, and %d more came", wentToo, typ, cameToo)
}

// hints returns other facts that may explain why a property vanished.
func (f *finder) hints(s sides, base string, p *ir.Property) []string {
	var hints []string
	if hint := s.marked(base, p); hint != "" {
		hints = append(hints, hint)
	}
	if propertyFold(s.newer.typ, p.Name) == nil {
		if s.inOtherHalf(base, p) {
			hints = append(hints, "requests still have it, only responses no longer do")
		}
		if v := f.comesBack(s, p); v != "" {
			hints = append(hints, v+" has it again")
		}
	}
	if v := s.older.version.APIVersion; isPreview(v) && !f.inGA(s, p) {
		hints = append(hints, "no GA version before had it")
	}
	return hints
}

// marked says which mark makes one property of two that are the same in ARM: at one of the versions
// it is a secret or a reference, and at the other one text.
func (s sides) marked(base string, p *ir.Property) string {
	marks := map[ir.Primitive]string{ir.Secret: config.Secret, ir.SecretJSON: config.Secret, ir.Reference: config.Reference}
	q := s.newer.typ.AtPath(p.Path())
	if q == nil {
		return ""
	}
	was, is := marks[p.Type.Leaf().Primitive], marks[q.Type.Leaf().Primitive]
	if was == is || was != "" && is != "" {
		return ""
	}
	with := s.newer.version.APIVersion
	if is == "" {
		with = s.older.version.APIVersion
	}
	mark := cmp.Or(was, is)
	return fmt.Sprintf("it is a %s at %s: if it is one at all versions, say %s.%s: %s in properties, and it is one property",
		mark, with, naming.Common(base), naming.JSON(p.ARMName()), mark)
}

// movesOf returns the paths to which a property may have moved.
func (s sides) movesOf(base string, p *ir.Property) []string {
	var paths []string
	for _, holder := range s.newer.typ.Properties {
		if at := s.movedInto(holder, p); at != "" {
			paths = append(paths, strings.Join([]string{base, holder.Name, at}, "."))
		}
	}
	return paths
}

// inOtherHalf reports whether a property vanished from the Status of a resource
// and is still in its Spec.
func (s sides) inOtherHalf(base string, p *ir.Property) bool {
	if !s.older.typ.Status {
		return false
	}
	for _, name := range []string{base, naming.Spec(base)} {
		before, now := s.older.version.Type(name), s.newer.version.Type(name)
		if before != nil && now != nil && propertyFold(before, p.Name) != nil && propertyFold(now, p.Name) != nil {
			return true
		}
	}
	return false
}

// movedInto returns the name of the property of holder that p may have become, if
// holder is an object beside p that did not have it before; else "".
func (s sides) movedInto(holder *ir.Property, p *ir.Property) string {
	inner := s.newer.version.Type(holder.Type.Named)
	if inner == nil || inner.Kind != ir.Object {
		return ""
	}
	before := s.older.version.Type(holder.Type.Named)
	for _, q := range inner.Properties {
		if before != nil && before.Property(q.Name) != nil {
			continue
		}
		name, _ := compareNames(p.Name, q.Name)
		if _, ok := s.compareTypes(&evidence{}, s.older.described(p).Type, q.Type); ok && name >= 0.7 {
			return q.Name
		}
	}
	return ""
}

// comesBack returns the first version after the newer one that has the property,
// or "".
func (f *finder) comesBack(s sides, p *ir.Property) string {
	first := ""
	for name, v := range f.versions {
		if naming.CompareVersions(name, s.newer.version.APIVersion) > 0 && s.hasProperty(v, p) &&
			(first == "" || naming.CompareVersions(name, first) < 0) {
			first = name
		}
	}
	return first
}

// inGA reports whether a GA version before the older one had a property.
func (f *finder) inGA(s sides, p *ir.Property) bool {
	for name, v := range f.versions {
		if !isPreview(name) && naming.CompareVersions(name, s.older.version.APIVersion) < 0 && s.hasProperty(v, p) {
			return true
		}
	}
	return false
}

// hasProperty reports whether the older type has a property at another version.
func (s sides) hasProperty(v *ir.Version, p *ir.Property) bool {
	t := v.Type(s.older.typ.Name)
	return t != nil && propertyFold(t, p.Name) != nil
}

func isPreview(apiVersion string) bool {
	v, err := naming.ParseVersion(apiVersion)
	return err == nil && v.Preview()
}

// propertyFold returns the property with a name, compared without case, or nil.
func propertyFold(t *ir.Type, name string) *ir.Property {
	for _, p := range t.Properties {
		if strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}
