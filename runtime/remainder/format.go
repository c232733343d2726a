package remainder

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// The forms of a node in format 1, but for objects: a JSON array, of which
// this is the first element. A # behind it says that the plain value is a
// digest.
const (
	onlyHub   = "+" // hub, and the other variants of a union if there are any
	onlyPlain = "-" // plain
	differs   = "~" // plain, hub
	keyed     = "@" // key, elements, and order and shown if there is an order
	unkeyed   = "#" // shown, elements, and order if there is one
)

// maxDepth is how many objects and lists the annotation may have in each
// other, less than what encoding/json reads.
const maxDepth = 5000

var errDepth = errors.New("too many objects and lists in each other")

// encoder appends format 1.
type encoder struct {
	text  []byte
	depth int
	err   error
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// list appends a JSON array or object of n elements.
func (e *encoder) list(brackets string, n int, element func(i int)) {
	if e.depth++; e.depth > maxDepth {
		e.fail(errDepth)
	}
	e.text = append(e.text, brackets[0])
	for i := 0; i < n && e.err == nil; i++ {
		if i > 0 {
			e.text = append(e.text, ',')
		}
		element(i)
	}
	e.text = append(e.text, brackets[1])
	e.depth--
}

func (e *encoder) array(elements ...func()) {
	e.list("[]", len(elements), func(i int) { elements[i]() })
}

// object appends an object, its members in the order of their names.
func object[T any](e *encoder, members map[string]T, value func(T)) {
	names := slices.Sorted(maps.Keys(members))
	e.list("{}", len(names), func(i int) {
		e.text = append(appendString(e.text, names[i]), ':')
		value(members[names[i]])
	})
}

func (e *encoder) value(value any) {
	switch v := value.(type) {
	case map[string]any:
		object(e, v, e.value)
	case []any:
		e.list("[]", len(v), func(i int) { e.value(v[i]) })
	case string:
		e.text = appendString(e.text, v)
	case Digest:
		e.text = appendString(e.text, string(v))
	case nil, bool, int64, float64, json.Number:
		data, err := json.Marshal(v)
		if err != nil {
			e.fail(err)
		}
		e.text = append(e.text, data...)
	default:
		e.fail(fmt.Errorf("%T is no JSON tree", value))
	}
}

func (e *encoder) strings(all []string) {
	e.list("[]", len(all), func(i int) { e.value(all[i]) })
}

func (e *encoder) node(n *node) {
	value := func(v any) func() { return func() { e.value(v) } }
	strings := func(s []string) func() { return func() { e.strings(s) } }
	switch {
	case n.leaf != nil:
		mark := ""
		if _, ok := n.leaf.plain.(Digest); ok {
			mark = "#"
		}
		switch {
		case n.added() && n.leaf.unless != nil:
			e.array(value(onlyHub), value(n.leaf.hub), strings(n.leaf.unless))
		case n.added():
			e.array(value(onlyHub), value(n.leaf.hub))
		case n.leaf.hub == any(Absent{}):
			e.array(value(onlyPlain+mark), value(n.leaf.plain))
		default:
			e.array(value(differs+mark), value(n.leaf.plain), value(n.leaf.hub))
		}
	case n.list != nil:
		l := n.list
		parts := []func(){value(unkeyed), value(join(l.shown))}
		if l.key != nil {
			parts = []func(){value(keyed), strings(l.key)}
		}
		parts = append(parts, func() { object(e, l.elements, e.node) })
		if l.order != nil {
			parts = append(parts, strings(l.order))
			if l.key != nil {
				parts = append(parts, value(join(l.shown)))
			}
		}
		e.array(parts...)
	default:
		object(e, n.members, e.node)
	}
}

// join is the text of contents.
func join(all []content) string {
	data := make([]byte, 0, len(all)*len(content{}))
	for _, c := range all {
		data = append(data, c[:]...)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func split(text string) ([]content, bool) {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(data)%len(content{}) != 0 {
		return nil, false
	}
	all := make([]content, 0, len(data)/len(content{}))
	for c := range slices.Chunk(data, len(content{})) {
		all = append(all, content(c))
	}
	return all, true
}

// decodeNode reads a node of format 1, or returns nil if it is damaged.
func decodeNode(tree any) *node {
	if object, ok := tree.(map[string]any); ok {
		members, ok := decodeNodes(object)
		if !ok || len(members) == 0 {
			return nil
		}
		return &node{members: members}
	}
	array, _ := tree.([]any)
	if len(array) < 2 {
		return nil
	}
	form, _ := array[0].(string)
	switch form {
	case onlyHub, onlyPlain, differs, onlyPlain + "#", differs + "#":
		return decodeLeaf(form, array[1:])
	case keyed, unkeyed:
		return decodeList(form, array[1:])
	}
	return nil
}

func decodeNodes(object map[string]any) (map[string]*node, bool) {
	nodes := make(map[string]*node, len(object))
	for name, tree := range object {
		n := decodeNode(tree)
		if n == nil {
			return nil, false
		}
		nodes[name] = n
	}
	return nodes, true
}

func decodeLeaf(form string, parts []any) *node {
	var l leaf
	switch {
	case form == onlyHub && len(parts) <= 2:
		l.plain, l.hub = Absent{}, parts[0]
		if len(parts) == 2 {
			var ok bool
			if l.unless, ok = decodeStrings(parts[1]); !ok {
				return nil
			}
		}
	case form[:1] == onlyPlain && len(parts) == 1:
		l.plain, l.hub = parts[0], Absent{}
	case form[:1] == differs && len(parts) == 2:
		l.plain, l.hub = parts[0], parts[1]
	default:
		return nil
	}
	if len(form) == 2 {
		digest, ok := l.plain.(string)
		if !ok {
			return nil
		}
		l.plain = Digest(digest)
	}
	return &node{leaf: &l}
}

// decodeStrings reads a list of strings, of which no two are the same.
func decodeStrings(tree any) ([]string, bool) {
	array, ok := tree.([]any)
	all := make([]string, len(array))
	seen := make(map[string]bool, len(array))
	for i, element := range array {
		s, isString := element.(string)
		ok = ok && isString && !seen[s]
		all[i], seen[s] = s, true
	}
	return all, ok
}

func decodeList(form string, parts []any) *node {
	if len(parts) < 2 {
		return nil
	}
	var l list
	elements, ok := parts[1].(map[string]any)
	if ok {
		l.elements, ok = decodeNodes(elements)
	}
	if !ok {
		return nil
	}
	var shown any
	switch {
	case form == unkeyed && len(parts) <= 3:
		shown = parts[0]
	case form == keyed && len(parts) == 4:
		shown = parts[3]
		fallthrough
	case form == keyed && len(parts) == 2:
		if l.key, ok = decodeStrings(parts[0]); !ok || len(l.key) == 0 {
			return nil
		}
	default:
		return nil
	}
	if form == unkeyed || len(parts) == 4 {
		text, isString := shown.(string)
		if l.shown, ok = split(text); !ok || !isString || form == keyed && len(l.shown) != 1 {
			return nil
		}
	}
	if len(parts) > 2 {
		if l.order, ok = decodeStrings(parts[2]); !ok {
			return nil
		}
	}
	if !l.consistent() {
		return nil
	}
	return &node{list: &l}
}

// consistent is whether the elements are those that the list can have.
func (l *list) consistent() bool {
	ordered := make(map[string]bool, len(l.order))
	for _, id := range l.order {
		ordered[id] = true
	}
	for id, n := range l.elements {
		added := n.added()
		if added && !ordered[id] {
			return false
		}
		if l.key == nil {
			i, err := strconv.Atoi(id)
			if err != nil || strconv.Itoa(i) != id || i < 0 || (i >= len(l.shown)) != added {
				return false
			}
		}
	}
	return true
}
