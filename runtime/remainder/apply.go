package remainder

import (
	"maps"
	"slices"
	"strings"
)

// Apply restores in tree what the conversion to an API version lost, where the
// client left what it was shown as it was. The rest is dropped. Tree is in the
// stored object's shape; Apply changes it, and puts values of the remainder
// into it. The tally may be nil.
func (r Remainder) Apply(tree any, tally *Tally) (merged any, dropped []Entry) {
	if r.root == nil {
		return tree, nil
	}
	var a applier
	merged = a.value(r.root, tree, nil)
	if merged == any(Absent{}) {
		merged = nil
	}
	tally.count(&a)
	return merged, a.entries
}

type applier struct {
	collector // of what is dropped
	digester
	applied int
	// asWritten tells that what was stored may come as text.
	asWritten bool
}

// value returns what a node makes of a value of a shape; either may be [Absent].
func (a *applier) value(n *node, value any, s *shape) any {
	switch {
	case n.leaf != nil:
		if is(value, n.leaf.plain) {
			a.applied++
			if a.asWritten {
				return n.leaf.stored
			}
			return treeIn(n.leaf.stored)
		}
	case n.list != nil:
		if elements, ok := value.([]any); ok {
			return a.list(n.list, elements, s)
		}
	default:
		if object, ok := value.(map[string]any); ok {
			a.object(n.members, object, s)
			return object
		}
	}
	a.collect(n)
	return value
}

// step is value for what is one step below.
func (a *applier) step(to step, n *node, value any, s *shape) any {
	a.path = append(a.path, to)
	value = a.value(n, value, s)
	a.path = a.path[:len(a.path)-1]
	return value
}

func (a *applier) object(members []member, object map[string]any, s *shape) {
	var inBag keys
	if s.declared() {
		inBag = bagOf(object)
	}
	for _, m := range ordered(members) {
		if s.declared() && m.node.excluded(m.name, has(object), inBag) {
			a.within(step{name: m.name}, m.node)
			continue
		}
		a.path = append(a.path, step{name: m.name})
		value := a.property(m, valueOf(object, m.name), s)
		a.path = a.path[:len(a.path)-1]
		if value == any(Absent{}) {
			delete(object, m.name)
		} else {
			object[m.name] = value
		}
	}
}

// property is value for the property, of an object of shape s, where the path
// is. It makes a bag where there is none, and leaves no empty one behind.
func (a *applier) property(m member, value any, s *shape) any {
	inner := s.member(m.name)
	if !s.isBag(m.name) || m.node.members == nil {
		return a.value(m.node, value, inner)
	}
	if value == any(Absent{}) {
		value = map[string]any{}
	}
	value = a.value(m.node, value, inner)
	if entries, ok := value.(map[string]any); ok && len(entries) == 0 {
		return Absent{}
	}
	return value
}

// ordered are members, variants of unions when another that has to go is gone,
// and the bag last, so that until then it is as the client's write made it.
func ordered(members []member) []member {
	rank := func(m member) int {
		switch {
		case m.name == bag:
			return 2
		case m.node.variant():
			return 1
		}
		return 0
	}
	if !slices.ContainsFunc(members, func(m member) bool { return rank(m) > 0 }) {
		return members
	}
	members = slices.Clone(members)
	slices.SortStableFunc(members, func(a, b member) int { return rank(a) - rank(b) })
	return members
}

// variant is whether the node is a variant of a union that the stored object alone has.
func (n *node) variant() bool { return n.leaf != nil && len(n.leaf.unless) > 0 }

// excluded is whether the client has chosen another variant, or has set the
// property to what the stored object's type cannot hold, so that it is in the bag.
func (n *node) excluded(name string, present func(string) bool, inBag keys) bool {
	if n.leaf != nil && n.added() && n.leaf.unless == nil {
		return inBag.has(name)
	}
	return n.variant() && slices.ContainsFunc(n.leaf.unless, present)
}

// keys calls yield with the names of the entries of a bag.
type keys func(yield func(string) bool)

// has tells whether a bag has an entry of a property: under its name without
// case, and maybe the version behind an @.
func (all keys) has(name string) bool {
	if all == nil {
		return false
	}
	name = strings.ToLower(name)
	for key := range all {
		if of, _, _ := strings.Cut(key, "@"); of == name {
			return true
		}
	}
	return false
}

// bagOf has the keys of an object's bag.
func bagOf(object map[string]any) keys {
	entries, _ := object[bag].(map[string]any)
	return keys(maps.Keys(entries))
}

func (a *applier) list(l *list, elements []any, s *shape) []any {
	f := l.find(elements, &a.digester)
	whole := l.replaced(f)
	added := map[string]any{}
	gone := 0
	for _, id := range l.ids() {
		n, to := l.elements[id], step{id, l}
		i, here := f.at[id]
		switch {
		case n.added() && !here && !whole:
			added[id] = a.step(to, n, Absent{}, s.element())
		case n.added() || !here:
			a.within(to, n)
		default:
			elements[i] = a.step(to, n, elements[i], s.element())
			if elements[i] == any(Absent{}) {
				gone++
			}
		}
	}
	if l.order == nil && gone == 0 {
		return elements
	}
	if ordered, ok := l.inOrder(elements, gone, f, added); ok {
		return ordered
	}
	return l.besides(elements, f, added)
}

// replaced is whether the client left nothing of the list as shown. What the
// stored object alone has of it goes with it.
func (l *list) replaced(f found) bool {
	shown, left := 0, 0
	for _, id := range l.order {
		if n := l.elements[id]; n == nil || !n.added() {
			shown++
			if _, here := f.at[id]; here {
				left++
			}
		}
	}
	return shown > 0 && left == 0
}

// inOrder is the list in the stored object's order, if the client left the order alone.
func (l *list) inOrder(elements []any, gone int, f found, added map[string]any) ([]any, bool) {
	if !f.untouched || l.order == nil {
		return nil, false
	}
	ordered := make([]any, 0, len(l.order))
	for _, id := range l.order {
		if i, here := f.at[id]; here {
			ordered = append(ordered, elements[i])
		} else if value, ok := added[id]; ok {
			ordered = append(ordered, value)
		}
	}
	return ordered, len(ordered) == len(elements)-gone+len(added)
}

// besides is the list in the client's order, with every element that the stored object
// alone has behind the one that it follows there.
func (l *list) besides(elements []any, f found, added map[string]any) []any {
	behind := map[int][]any{}
	last := -1
	for _, id := range l.order {
		if i, here := f.at[id]; here {
			last = i
		} else if value, ok := added[id]; ok {
			behind[last] = append(behind[last], value)
		}
	}
	arranged := append(make([]any, 0, len(elements)+len(added)), behind[-1]...)
	for i, element := range elements {
		if element != any(Absent{}) {
			arranged = append(arranged, element)
		}
		arranged = append(arranged, behind[i]...)
	}
	return arranged
}
