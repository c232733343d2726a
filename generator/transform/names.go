package transform

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// settled has the names that group.yaml gives to properties.
type settled struct {
	names map[string]string // by type and ARM path
	taken map[string]bool
}

func newSettled(load *config.Load) *settled {
	s := &settled{names: map[string]string{}, taken: map[string]bool{}}
	for _, n := range load.Names {
		s.names[n.Type+"."+n.ARM] = n.Name
	}
	return s
}

// name returns the name of a property in group.yaml, or "".
func (s *settled) name(base, armPath string) string {
	name, found := s.names[base+"."+armPath]
	if found {
		s.taken[base+"."+armPath] = true
	}
	return name
}

func (s *settled) used() []string {
	var used []string
	for entry := range s.taken {
		used = append(used, "names/"+entry)
	}
	return used
}

// reserved describes, by folded name, the names that generated types use
// themselves. reservedInRoot has those that only a Spec or a Status uses, and
// reservedInSpec those that only a Spec uses.
var (
	reserved = map[string]string{
		"propertybag": "the property bag of a storage version", "deepcopy": "a method", "deepcopyinto": "a method",
	}
	reservedInRoot = map[string]string{
		"originalversion": "the version that a storage version remembers",
		"convertspecto":   "a method", "convertspecfrom": "a method",
		"convertstatusto": "a method", "convertstatusfrom": "a method",
	}
	reservedInSpec = map[string]string{
		"operatorspec": "what a user asks of the operator", "armresource": "a method",
	}
)

// checkNames reports the properties of a type whose names differ in case only,
// because ARM does not distinguish them, and names that are reserved. It suggests
// a free name for each.
func (s *shaper) checkNames(t *shapedType, h *half) {
	if t.Discriminator != "" && !canBeTagged(t.Discriminator) {
		s.errorf(jsontree.Place{}, "%s: the discriminator is named %.80q, which no tag of a Go field can hold; %s", t.base, t.Discriminator, expectedName)
	}
	taken := map[string]bool{}
	for _, p := range t.Properties {
		taken[naming.Fold(p.Name)] = true
	}
	first := make(map[string]*ir.Property, len(t.Properties))
	for _, p := range t.Properties {
		folded := naming.Fold(p.Name)
		use := reserved[folded]
		if use == "" && t.root {
			use = reservedInRoot[folded]
		}
		if use == "" && t.root && !h.status {
			use = reservedInSpec[folded]
		}
		if use != "" {
			s.errorf(p.At, "%s: %s comes to the name %q, which is %s; %s", t.base, origin(p), p.Name, use, s.remedy(t, p, taken))
		}
		other := first[folded]
		if other == nil {
			first[folded] = p
			continue
		}
		a, b := other, p
		if keepsName(b, a) {
			a, b = b, a
		}
		s.errorf(b.At, "%s: %s and %s both come to the name %q; %s", t.base, originAt(a), origin(b), b.Name, s.remedy(t, b, taken))
	}
}

// identity has the properties by which ARM identifies a resource. A user who says
// one of these names means a property of that name inside "properties", since in
// Kubernetes metadata, azureName and owner identify the resource.
var identity = map[string]bool{"id": true, "name": true, "type": true}

// keepsName reports whether p, which comes to the same name as q, keeps it, and q
// gets another one.
func keepsName(p, q *ir.Property) bool {
	if isOwn(p) || isOwn(q) {
		return isOwn(p)
	}
	if p.Flattened != q.Flattened {
		return p.Flattened == identity[armPath(unflattened(p, q))]
	}
	return len(armPath(p)) < len(armPath(q))
}

// unflattened returns the one of two properties that is not flattened.
func unflattened(p, q *ir.Property) *ir.Property {
	if p.Flattened {
		return q
	}
	return p
}

// expectedName says which names of ARM's are accepted.
const expectedName = `expected at most 200 visible characters, none of them "," "=" "/" "\" or a quotation mark, and not "-" or "*" alone`

// canBeTagged reports whether the tag "arm" of a Go field can hold a name of ARM's
// and be read again. Package runtime/arm documents the tag.
func canBeTagged(name string) bool {
	return name != "" && name != "-" && name != "*" && len(name) <= 200 && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, func(r rune) bool {
			return !unicode.IsPrint(r) || r == utf8.RuneError || strings.ContainsRune(",=/\\\"'`", r)
		})
}

// checkARMName reports a name in ARM that the generated code could not tell from
// something else.
func (s *shaper) checkARMName(t *shapedType, p *ir.Property) {
	switch {
	case p.Spread:
	case p.Variant != "":
		// The value of a discriminator is the end of a tag, behind the first "=".
		if v := strings.NewReplacer("=", "", "/", "", "'", "").Replace(p.Variant); v != "" && !canBeTagged(v) || p.Variant == "*" {
			s.errorf(p.At, "%s: a variant is selected by the value %.80q, which no tag of a Go field can hold; %s", t.base, p.Variant, expectedName)
		}
	case !canBeTagged(p.ARMName()):
		s.errorf(p.At, "%s: a property is named %.80q, which no tag of a Go field can hold; %s", t.base, p.ARMName(), expectedName)
	}
}

// isOwn reports whether the generator itself added a property. Such a property
// cannot be renamed in group.yaml.
func isOwn(p *ir.Property) bool {
	switch p.Type.Primitive {
	case ir.Owner, ir.AnyOwner, ir.Conditions:
		return true
	}
	return p.Raw || p.AzureName || p.Type.Named == naming.NoProperties
}

// origin returns where a property comes from, as text.
func origin(p *ir.Property) string {
	switch {
	case isOwn(p):
		return "Armature's own " + p.Name
	case p.Variant != "":
		return fmt.Sprintf("the variant %q", p.Variant)
	case p.Spread:
		return "the map of additional properties"
	}
	return fmt.Sprintf("ARM's %q", armPath(p))
}

// originAt returns the origin of a property with its place in the spec, if it has
// one.
func originAt(p *ir.Property) string {
	if place := p.At.String(); place != "" {
		return origin(p) + " at " + place
	}
	return origin(p)
}

// remedy returns the advice to give a property another name, with the line for
// group.yaml. The name is not among those that are taken.
func (s *shaper) remedy(t *shapedType, p *ir.Property, taken map[string]bool) string {
	var name string
	switch {
	case p.Flattened:
		name = naming.JSON("properties-" + propertyName(p))
	case identity[armPath(p)]:
		name = naming.JSON("arm-" + armPath(p))
	default:
		name = naming.JSON(strings.ToLower(t.base[:1]) + t.base[1:] + naming.Go(propertyName(p)))
	}
	for n, stem := 2, name; taken[naming.Fold(name)]; n++ {
		name = fmt.Sprint(stem, n)
	}
	taken[naming.Fold(name)] = true
	entry := config.Name{Type: t.base, ARM: armPath(p), Name: name}
	if !slices.Contains(s.free, entry) {
		s.free = append(s.free, entry)
	}
	return fmt.Sprintf("give one another name in group.yaml, such as names: [{type: %s, arm: %s, name: %s}]", entry.Type, entry.ARM, entry.Name)
}
