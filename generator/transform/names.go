package transform

import (
	"cmp"
	"fmt"
	"maps"
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

// settleNames gives the properties of each type different names: those of which two
// come to one name, in another case or not, and those whose name is reserved. Both
// halves of a resource have the same names.
func (s *shaper) settleNames(halves ...*half) {
	byBase := map[string][]*shapedType{}
	for _, h := range halves {
		for _, t := range h.types {
			if t.Discriminator != "" && !canBeTagged(t.Discriminator) {
				s.errorf(jsontree.Place{}, "%s: the discriminator is named %.80q, which no tag of a Go field can "+
					"hold; %s", t.base, t.Discriminator, expectedName)
			}
			byBase[t.base] = append(byBase[t.base], t)
		}
	}
	for _, base := range slices.Sorted(maps.Keys(byBase)) {
		n := &namer{shaper: s, base: base, types: byBase[base], known: map[string]string{}, refused: map[string]bool{}}
		n.pin()
		for n.settle() {
		}
		for path, name := range n.known {
			s.out.Names = append(s.out.Names, ir.PropertyName{Type: base, ARM: path, Name: name})
		}
	}
}

// namer settles the names of one type in both halves.
type namer struct {
	*shaper
	base  string
	types []*shapedType
	// known has the names of properties that share or shared one, by path.
	known map[string]string
	// refused has the paths of properties to which group.yaml gives a name that they
	// cannot have.
	refused map[string]bool
}

// pin gives properties the names that the lock keeps, unless group.yaml gives them
// another one.
func (n *namer) pin() {
	for _, t := range n.types {
		for _, p := range t.Properties {
			name := n.pins[n.base][p.Path()]
			if name == "" || isOwn(p) || n.settled.names[n.base+"."+p.Path()] != "" {
				continue
			}
			n.known[p.Path()] = name
			if name != propertyName(p) {
				setNames(p, armName(p), name)
			}
		}
	}
}

// settle gives one property another name, and reports whether there was one to give.
func (n *namer) settle() bool {
	for _, t := range n.types {
		slices.SortStableFunc(t.Properties, func(a, b *ir.Property) int { return cmp.Compare(a.Path(), b.Path()) })
		first := make(map[string]*ir.Property, len(t.Properties))
		for _, p := range t.Properties {
			folded := naming.Fold(p.Name)
			if use := t.reserved(folded); use != "" {
				if n.rename(p, fmt.Sprintf("%q is %s", p.Name, use)) {
					return true
				}
				continue
			}
			other := first[folded]
			if other == nil {
				first[folded] = p
				continue
			}
			if p.Path() == other.Path() && isOwn(p) == isOwn(other) {
				n.errorf(p.At, "%s: the spec has %s twice", n.base, origin(p))
				return false
			}
			if n.keepsName(p, other) {
				p, other = other, p
			}
			if other.Name == propertyName(other) && !isOwn(other) {
				n.known[other.Path()] = other.Name
			}
			if n.rename(p, fmt.Sprintf("%q is the name of %s", other.Name, origin(other))) {
				return true
			}
		}
	}
	return false
}

// reserved returns what a folded name is reserved for in a type, or "".
func (t *shapedType) reserved(folded string) string {
	use := reserved[folded]
	if use == "" && t.root {
		use = reservedInRoot[folded]
	}
	if use == "" && t.root && !t.Status {
		use = reservedInSpec[folded]
	}
	return use
}

// rename gives a property a free name in both halves, and reports whether it did. It
// did not if group.yaml gives the name.
func (n *namer) rename(p *ir.Property, why string) bool {
	path := p.Path()
	if isOwn(p) {
		return false
	}
	if n.settled.names[n.base+"."+path] != "" {
		if !n.refused[path] {
			n.errorf(p.At, "%s: group.yaml names %s %q, and %s; choose another name", n.base, origin(p), p.Name, why)
		}
		n.refused[path] = true
		return false
	}
	name := n.free(p)
	n.known[path] = name
	n.note(ir.Approximated, n.base+"."+name, "the name of %s, because %s", origin(p), why)
	for _, t := range n.types {
		for _, q := range t.Properties {
			if q.Path() == path && !isOwn(q) {
				setNames(q, armName(q), name)
			}
		}
	}
	return true
}

// free returns the name of a property that lost its own: one that says where ARM has
// it, or what it belongs to.
func (n *namer) free(p *ir.Property) string {
	name := n.pins[n.base][p.Path()]
	if name == "" || name == p.Name {
		switch {
		case p.Flattened:
			name = naming.JSON("properties-" + propertyName(p))
		case n.types[0].root:
			name = naming.JSON("arm-" + propertyName(p))
		default:
			name = naming.JSON(strings.ToLower(n.base[:1]) + n.base[1:] + naming.Go(propertyName(p)))
		}
	}
	stem := name
	for i := 2; n.taken(name); i++ {
		name = fmt.Sprint(stem, i)
	}
	return name
}

// taken reports whether a property has a name, or none may have it.
func (n *namer) taken(name string) bool {
	return slices.ContainsFunc(n.types, func(t *shapedType) bool {
		return t.reserved(naming.Fold(name)) != "" ||
			slices.ContainsFunc(t.Properties, func(p *ir.Property) bool { return naming.Fold(p.Name) == naming.Fold(name) })
	})
}

// identity has the properties by which ARM identifies a resource. A user who says
// one of these names means a property of that name inside "properties", since in
// Kubernetes metadata, azureName and owner identify the resource.
var identity = map[string]bool{"id": true, "name": true, "type": true}

// keepsName reports whether p, which comes to the same name as q, keeps it, and q
// gets another one. What the lock keeps goes before the rule.
func (n *namer) keepsName(p, q *ir.Property) bool {
	if isOwn(p) || isOwn(q) {
		return isOwn(p)
	}
	for _, names := range []func(string) string{
		func(path string) string { return n.settled.names[n.base+"."+path] },
		func(path string) string { return n.pins[n.base][path] },
	} {
		if a, b := names(p.Path()) == p.Name, names(q.Path()) == q.Name; a != b {
			return a
		}
	}
	if p.Flattened != q.Flattened {
		return p.Flattened == identity[unflattened(p, q).Path()]
	}
	return len(p.Path()) < len(q.Path())
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
		v := strings.NewReplacer("=", "", "/", "", "'", "").Replace(p.Variant)
		if v != "" && !canBeTagged(v) || p.Variant == "*" {
			s.errorf(p.At, "%s: a variant is selected by the value %.80q, which no tag of a Go field can hold; %s",
				t.base, p.Variant, expectedName)
		}
	case !canBeTagged(p.ARMName()):
		s.errorf(p.At, "%s: a property is named %.80q, which no tag of a Go field can hold; %s", t.base, p.ARMName(), expectedName)
	}
}

// isOwn reports whether the generator itself added a property. Such a property
// cannot be renamed in group.yaml.
func isOwn(p *ir.Property) bool {
	switch p.Type.Primitive {
	case ir.Owner, ir.AnyOwner, ir.OperatorSpec, ir.Conditions, ir.Generation:
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
	return fmt.Sprintf("ARM's %q", p.Path())
}
