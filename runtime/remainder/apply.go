package remainder

import (
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/propertybag"
)

// Apply restores in an object what the conversion to an API version lost, where
// the client left what it was shown as it was, and returns the entries that it
// did not restore. Object is a pointer to the Go type that the remainder was
// taken of. The tally may be nil.
func (r Remainder) Apply(object any, tally *Tally) (dropped []Entry, err error) {
	return r.apply(object, tally, applier{})
}

// ApplyToBags is [Remainder.Apply] for the entries of bags. It drops all others.
func (r Remainder) ApplyToBags(object any, tally *Tally) (dropped []Entry, err error) {
	return r.apply(object, tally, applier{onlyBags: true})
}

func (r Remainder) apply(object any, tally *Tally, a applier) (dropped []Entry, err error) {
	if r.root == nil {
		return nil, nil
	}
	v := reflect.ValueOf(object).Elem()
	if !a.value(r.root, v, shapeOf(v.Type()), true) {
		v.SetZero()
	}
	tally.count(&a)
	return a.entries, a.err
}

type applier struct {
	collector // of what is dropped
	digester
	applied int
	// onlyBags is true if what is not in a bag is dropped.
	onlyBags bool
	// changed counts the entries that were applied, and the lists that were
	// made anew.
	changed int
}

// value applies a node to the value in v, which must be settable, and reports whether v
// has a value then. present reports whether v has one before.
func (a *applier) value(n *node, v reflect.Value, s *shape, present bool) bool {
	switch {
	case n.leaf != nil && a.onlyBags && !a.inBag:
		a.collect(n)
		return present
	case n.leaf != nil:
		return a.leaf(n, v, s, present)
	case s.form == isBag && n.members != nil:
		a.bag(n.members, v.Addr().Interface().(*propertybag.Bag), s)
		return !v.IsNil()
	}
	inner, is := s.value(v)
	switch {
	case !present || is.null(inner):
		a.collect(n)
	case is.form == isOpaque || is.form == isList && is.elem.form == isOpaque:
		a.untyped(n, v, s)
	case is.form == isObject && n.members != nil:
		if !inner.CanSet() { // an interface holds it
			fresh := reflect.New(inner.Type()).Elem()
			fresh.Set(inner)
			defer put(v, fresh)
			inner = fresh
		}
		a.object(n.members, inner, is)
	case is.form == isMap && n.members != nil:
		a.mapEntries(n.members, inner, is)
	case is.form == isList && n.list != nil:
		put(v, a.list(n.list, inner, is.elem))
	default:
		a.collect(n)
	}
	return present
}

// put sets the value behind the pointers and interfaces in v.
func put(v, to reflect.Value) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer {
		v = v.Elem()
	}
	v.Set(to)
}

// leaf applies an entry to the value in v, as value does.
func (a *applier) leaf(n *node, v reflect.Value, s *shape, present bool) bool {
	if a.matches(n.leaf.plain, v, s, present) {
		if n.leaf.stored == any(Absent{}) {
			a.applied++
			a.changed++
			return false
		}
		fresh := v
		if !v.IsZero() { // keep it until the new one is known to fit
			fresh = reflect.New(v.Type()).Elem()
		}
		if set(fresh, n.leaf.stored, s) {
			a.applied++
			a.changed++
			v.Set(fresh)
			return true
		}
		fresh.SetZero()
	}
	a.collect(n)
	return present
}

// untyped applies a node to a value without a Go type of its own, as a JSON tree. The
// entries are dropped if v cannot hold the result.
func (a *applier) untyped(n *node, v reflect.Value, s *shape) {
	applied, changed, dropped := a.applied, a.changed, len(a.entries)
	tree := a.tree(v, s)
	a.value(n, reflect.ValueOf(&tree).Elem(), held, true)
	if a.changed == changed {
		return
	}
	fresh := reflect.New(v.Type()).Elem()
	if set(fresh, tree, s) {
		v.Set(fresh)
		return
	}
	a.applied, a.entries = applied, a.entries[:dropped]
	a.collect(n)
}

func (a *applier) object(members []member, v reflect.Value, s *shape) {
	inBag := s.bag(v)
	for _, m := range s.ordered(members) {
		f := s.named[m.name]
		if f == nil || m.node.excluded(m.name, s.present(v), inBag) {
			a.within(step{name: m.name}, m.node)
			continue
		}
		field := f.in(v)
		present := !f.omitted(field)
		if !a.step(step{name: m.name}, m.node, field, f.shape, present) && present {
			field.SetZero()
		}
	}
}

// step applies a node to a value one step below, as value does.
func (a *applier) step(to step, n *node, v reflect.Value, s *shape, present bool) bool {
	a.path = append(a.path, to)
	present = a.value(n, v, s, present)
	a.path = a.path[:len(a.path)-1]
	return present
}

// mapEntries applies nodes to the entries of a map.
func (a *applier) mapEntries(members []member, v reflect.Value, s *shape) {
	t := v.Type()
	for _, m := range members {
		key := reflect.ValueOf(strings.Clone(m.name)).Convert(t.Key()) // a copy, which does not keep the annotation in memory
		entry := reflect.New(t.Elem()).Elem()
		before := v.MapIndex(key)
		if before.IsValid() {
			entry.Set(before)
		}
		if a.step(step{name: m.name}, m.node, entry, s.elem, before.IsValid()) {
			v.SetMapIndex(key, entry)
		} else {
			v.SetMapIndex(key, reflect.Value{}) // deletes it
		}
	}
}

// bag applies nodes to the entries of a bag. It makes a bag if there is none, and
// removes one that becomes empty.
func (a *applier) bag(members []member, bag *propertybag.Bag, s *shape) {
	if *bag == nil {
		*bag = make(propertybag.Bag, len(members))
	}
	a.inBag = true
	defer func() { a.inBag = false }()
	for _, m := range members {
		entry, present := (*bag)[m.name]
		changed := a.changed
		switch is := a.step(step{name: m.name}, m.node, reflect.ValueOf(&entry).Elem(), s.elem, present); {
		case a.changed == changed:
		case is:
			(*bag)[strings.Clone(m.name)] = entry // a copy, which does not keep the annotation in memory
		default:
			delete(*bag, m.name)
		}
	}
	if len(*bag) == 0 {
		*bag = nil
	}
}

// ordered returns the members in the order in which they are applied: a variant of a
// union after the one that it replaces, and the bag last, so that until then it is as
// the client wrote it.
func (s *shape) ordered(members []member) []member {
	rank := func(m member) int {
		switch {
		case s.named[m.name] != nil && s.named[m.name].form == isBag:
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

// variant reports whether the node is a variant of a union that the stored
// object alone has.
func (n *node) variant() bool { return n.leaf != nil && len(n.leaf.unless) > 0 }

// excluded reports whether the client has chosen another variant, or has set the
// property to a value that the stored object's type cannot hold, so that it is
// in the bag.
func (n *node) excluded(name string, present func(string) bool, inBag keys) bool {
	if n.leaf != nil && n.added() && n.leaf.unless == nil {
		return inBag.has(name)
	}
	return n.variant() && slices.ContainsFunc(n.leaf.unless, present)
}

// keys calls yield with the names of the entries of a bag.
type keys func(yield func(string) bool)

// has reports whether a bag has an entry of a property: under its name without case,
// with or without "@" and a version after it.
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

// list applies a node to the elements of a list, and returns the list: a new one if
// elements were added, removed or moved.
func (a *applier) list(l *list, elements reflect.Value, elem *shape) reflect.Value {
	f := l.find(elements, elem, &a.digester)
	whole := l.replaced(f)
	added, gone := map[string]reflect.Value{}, map[int]bool{}
	for _, id := range l.ids() {
		n, to := l.elements[id], step{id, l}
		i, present := f.at[id]
		switch {
		case n.added() && !present && !whole:
			element := reflect.New(elements.Type().Elem()).Elem()
			if a.step(to, n, element, elem, false) {
				added[id] = element
			}
		case n.added() || !present:
			a.within(to, n)
		case !a.step(to, n, elements.Index(i), elem, true):
			gone[i] = true
		}
	}
	if (l.order == nil || a.onlyBags) && len(gone) == 0 {
		return elements
	}
	a.changed++
	if ordered, ok := l.inOrder(elements, gone, f, added); ok {
		return ordered
	}
	return l.inClientsOrder(elements, gone, f, added)
}

// replaced reports whether the client kept no element of the list as shown. Then the
// elements that only the stored object has are dropped too.
func (l *list) replaced(f found) bool {
	shown, left := 0, 0
	for _, id := range l.order {
		if n := l.elements[id]; n == nil || !n.added() {
			shown++
			if _, present := f.at[id]; present {
				left++
			}
		}
	}
	return shown > 0 && left == 0
}

// inOrder returns the list in the stored object's order, if the client did not change
// the order.
func (l *list) inOrder(
	elements reflect.Value, gone map[int]bool, f found, added map[string]reflect.Value,
) (ordered reflect.Value, ok bool) {
	if !f.untouched || l.order == nil {
		return ordered, false
	}
	ordered = reflect.MakeSlice(elements.Type(), 0, len(l.order))
	for _, id := range l.order {
		if i, present := f.at[id]; present {
			ordered = reflect.Append(ordered, elements.Index(i))
		} else if element, ok := added[id]; ok {
			ordered = reflect.Append(ordered, element)
		}
	}
	return ordered, ordered.Len() == elements.Len()-len(gone)+len(added)
}

// inClientsOrder returns the list in the client's order. Each element that only the
// stored object has comes after the one that it follows in the stored object.
func (l *list) inClientsOrder(elements reflect.Value, gone map[int]bool, f found, added map[string]reflect.Value) reflect.Value {
	behind := map[int][]reflect.Value{}
	last := -1
	for _, id := range l.order {
		if i, present := f.at[id]; present {
			last = i
		} else if element, ok := added[id]; ok {
			behind[last] = append(behind[last], element)
		}
	}
	arranged := reflect.MakeSlice(elements.Type(), 0, elements.Len()+len(added))
	arranged = reflect.Append(arranged, behind[-1]...)
	for i := range elements.Len() {
		if !gone[i] {
			arranged = reflect.Append(arranged, elements.Index(i))
		}
		arranged = reflect.Append(arranged, behind[i]...)
	}
	return arranged
}
