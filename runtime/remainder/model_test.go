package remainder

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// model makes stored objects, shows them as a version that lacks things would,
// and edits what is shown together with what the stored object then has to be. So it
// knows the right answer without a merge. What a member is tells its name:
//
//	v  shown as it is          c  text, shown in lower case
//	h  not shown               m  shown as "made up" where the stored object has none
//	s  an object               k  a list with keys
//	o  a list with keys,       u  a list of objects without keys
//	   shown in their order    t  a list of texts, in lower case or with some not shown
type model struct {
	*rand.Rand
	next int
	did  map[string]int
}

var modelOptions = Options{Keys: [][]string{{"vport", "vprotocol"}}}

func (m *model) text() string {
	m.next++
	return fmt.Sprintf("Text%d", m.next)
}

func (m *model) one(in int) bool { return m.IntN(in) == 0 }

// any is a value of any form.
func (m *model) any(depth int) any {
	switch m.IntN(8) {
	case 0:
		return nil
	case 1:
		return m.one(2)
	case 2:
		return m.Int64()
	case 3:
		return m.Float64()
	case 4:
		return strings.Repeat(m.text(), m.IntN(9))
	}
	if depth <= 0 {
		return m.text()
	}
	if m.one(2) {
		list := []any{}
		for range m.IntN(3) {
			list = append(list, m.any(depth-1))
		}
		return list
	}
	object := map[string]any{}
	for range m.IntN(3) {
		object[m.text()] = m.any(depth - 1)
	}
	return object
}

func (m *model) object(depth int) map[string]any {
	o := map[string]any{}
	for i := range 2 {
		for _, kind := range "vchm" {
			if !m.one(3) {
				o[fmt.Sprint(string(kind), i)] = m.value(byte(kind))
			}
		}
	}
	if depth > 0 {
		for i, kind := range "sskout" {
			if !m.one(2) {
				o[fmt.Sprint(string(kind), i)] = m.nested(byte(kind), depth-1)
			}
		}
	}
	return o
}

func (m *model) value(kind byte) any {
	if kind == 'h' || kind == 'v' {
		return m.any(2)
	}
	return m.text()
}

func (m *model) nested(kind byte, depth int) any {
	if kind == 's' {
		return m.object(depth)
	}
	list := []any{}
	key := []string{"id", "name", "vport"}[m.IntN(3)]
	lower := m.one(2)
	for range m.IntN(5) {
		list = append(list, m.element(kind, key, lower, depth))
		if kind == 'k' && m.one(4) {
			list[len(list)-1].(map[string]any)["hidden"] = true
		}
		if kind == 't' && !lower && m.one(3) {
			list[len(list)-1] = "hidden " + m.text()
		}
	}
	return list
}

// element is one of a list. Every one has a content of its own.
func (m *model) element(kind byte, key string, lower bool, depth int) any {
	switch {
	case kind == 't' && lower:
		return m.text() // shown in lower case
	case kind == 't':
		return strings.ToLower(m.text())
	}
	e := m.object(depth)
	e["v0"] = m.text()
	switch {
	case kind == 'u':
	case key == "vport":
		m.next++
		e["vport"], e["vprotocol"] = int64(m.next/2), []any{"tcp", "udp"}[m.next%2]
	default:
		e[key] = []string{"", "#", strings.Repeat("long", 9)}[m.IntN(3)] + m.text()
	}
	return e
}

// show returns the object that the client sees, in the shape of the stored object.
func show(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		o := map[string]any{"m0": "made up"}
		for name, value := range tree {
			switch name[0] {
			case 'h':
			case 'c':
				o[name] = strings.ToLower(value.(string))
			case 's', 'k', 'u', 'o', 't':
				o[name] = show(value)
			default:
				o[name] = clone(value)
			}
			if name[0] == 'o' {
				slices.SortFunc(o[name].([]any), func(a, b any) int { return strings.Compare(text(keyOf(a)), text(keyOf(b))) })
			}
		}
		return o
	case []any:
		list := []any{}
		for _, element := range tree {
			if !hidden(element) {
				list = append(list, show(element))
			}
		}
		return list
	}
	return strings.ToLower(tree.(string))
}

func hidden(element any) bool {
	if s, ok := element.(string); ok {
		return strings.HasPrefix(s, "hidden")
	}
	return element.(map[string]any)["hidden"] != nil
}

func keyOf(element any) any {
	e := element.(map[string]any)
	return []any{e["id"], e["name"], e["vport"], e["vprotocol"]}
}

// edit changes what is shown at random, and the stored object alike.
func (m *model) edit(stored, shown map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		kind := name[0]
		switch {
		case name == "id" || name == "name" || strings.HasPrefix(name, "vp"):
		case m.one(2):
			m.did["keep"]++
		case m.one(12):
			m.did["clear"]++
			delete(stored, name)
			delete(shown, name)
		case kind == 's' && m.one(6):
			m.did["empty the parent"]++
			empty := shown[name].(map[string]any)
			for inner := range empty {
				delete(empty, inner)
				delete(stored[name].(map[string]any), inner)
			}
		case kind == 's':
			m.edit(stored[name].(map[string]any), shown[name].(map[string]any))
		case strings.IndexByte("kuot", kind) >= 0:
			stored[name], shown[name] = m.editList(kind, stored[name].([]any), shown[name].([]any))
		case m.one(4):
			m.did["edit and revert"]++ // written as it was shown
		default:
			m.did["set"]++
			value := any(m.text())
			if kind == 'v' {
				value = m.any(2)
			}
			if name == "v0" {
				value = m.text() // keeps elements apart
			}
			stored[name], shown[name] = value, clone(value)
		}
	}
	if m.one(3) {
		m.did["set what was absent"]++
		for _, kind := range "vc" {
			name := fmt.Sprint(string(kind), m.IntN(3))
			if _, ok := shown[name]; !ok && name != "v0" {
				value := m.text()
				stored[name], shown[name] = value, value
			}
		}
	}
}

// editList edits the elements, then changes the list in one way. In a list
// without keys it does either.
func (m *model) editList(kind byte, stored, shown []any) (h, s []any) {
	// partner is the element of the stored object that one is shown for.
	partner := map[int]int{}
	for i, j := 0, 0; kind != 'o' && i < len(stored); i++ {
		if !hidden(stored[i]) {
			partner[j] = i
			j++
		}
	}
	for i := range shown {
		for j := range stored {
			if kind == 'o' && text(keyOf(stored[j])) == text(keyOf(shown[i])) {
				partner[i] = j
			}
		}
	}
	inside := m.one(2)
	for i := range shown {
		if inside && kind != 't' {
			m.did["edit elements"]++
			m.edit(stored[partner[i]].(map[string]any), shown[i].(map[string]any))
		} else if inside && m.one(2) {
			m.did["edit texts"]++
			s := strings.ToLower(m.text())
			stored[partner[i]], shown[i] = s, s
		}
	}
	if inside && (strings.IndexByte("ut", kind) >= 0 || kind == 'o' && m.one(2)) {
		return stored, shown
	}
	// A list that is shown in another order and changed keeps the client's.
	if kind == 'o' {
		moved := make([]any, len(stored))
		for i, j := range partner {
			moved[i] = stored[j]
			partner[i] = i
		}
		m.did["change what is shown in another order"]++
		if len(shown) == 0 {
			return stored, shown
		}
		stored = moved
	}
	fresh := m.fresh(kind, shown)
	at := m.IntN(len(shown) + 1)
	switch m.IntN(5) {
	case 0:
		m.did["insert"]++
		j := len(stored)
		if at < len(shown) {
			j = partner[at]
		}
		return slices.Insert(stored, j, fresh), slices.Insert(shown, at, clone(fresh))
	case 1:
		m.did["empty the list"]++
		if len(shown) > 0 {
			stored = []any{}
		}
		return stored, []any{}
	case 2:
		if len(shown) == 0 {
			break
		}
		m.did["replace the whole list"]++
		all := []any{fresh}
		for range len(shown) {
			all = append(all, m.fresh(kind, shown))
		}
		return all, clone(all).([]any)
	case 3:
		if len(shown) < 2 {
			break
		}
		m.did["delete"]++
		at = m.IntN(len(shown))
		return slices.Delete(stored, partner[at], partner[at]+1), slices.Delete(shown, at, at+1)
	}
	m.did["reorder"]++
	// What is not shown goes along with what stands before it.
	groups := [][]any{}
	front := stored
	if len(shown) > 0 {
		front = stored[:partner[0]]
	}
	for i := range shown {
		end := len(stored)
		if i+1 < len(shown) {
			end = partner[i+1]
		}
		groups = append(groups, stored[partner[i]:end])
	}
	order := m.Perm(len(shown))
	if slices.IsSorted(order) && kind == 'o' && len(order) > 1 {
		slices.Reverse(order)
	}
	h, s = append([]any{}, front...), []any{}
	for _, i := range order {
		h, s = append(h, groups[i]...), append(s, shown[i])
	}
	return h, s
}

// fresh is a new element like those of a list.
func (m *model) fresh(kind byte, like []any) any {
	if kind == 't' {
		return strings.ToLower(m.text())
	}
	e := map[string]any{"v0": m.text()}
	if kind == 'u' {
		return e
	}
	key := "name"
	for _, element := range like {
		for _, name := range []string{"id", "vport"} {
			if _, ok := element.(map[string]any)[name]; ok {
				key = name
			}
		}
	}
	e[key] = m.text()
	if key == "vport" {
		e["vprotocol"] = "tcp"
	}
	return e
}

// seeds returns how many random objects a test tries: n, or fewer with -short, as under
// the race detector.
func seeds(n int) int {
	if testing.Short() {
		return n / 7
	}
	return n
}

// TestRandomEdits checks that without an edit the stored object comes back exactly,
// and that edits have the same effect as on the stored object, and no other.
func TestRandomEdits(t *testing.T) {
	runs := seeds(2000)
	m := &model{did: map[string]int{}}
	for seed := range runs {
		m.Rand, m.next = rand.New(rand.NewPCG(1, uint64(seed))), 0
		stored := any(m.object(2))
		plain := show(stored)
		before := text(stored) + text(plain)
		lost := carried(t, diff(t, stored, plain, modelOptions))
		if after := text(stored) + text(plain); after != before {
			t.Fatalf("seed %d: Diff changed its arguments", seed)
		}
		merged, dropped := apply(t, lost, clone(plain), nil)
		if text(merged) != text(stored) || len(dropped) > 0 {
			t.Fatalf("seed %d: without an edit\n got %s\nwant %s\ndropped %v", seed, text(merged), text(stored), dropped)
		}

		lost = carried(t, lost) // Apply has put its values into merged
		want, written := clone(stored).(map[string]any), clone(plain).(map[string]any)
		m.edit(want, written)
		entries := len(lost.Entries())
		tally := Tally{}
		request := text(written)
		merged, dropped = apply(t, lost, written, &tally)
		if text(merged) != text(want) {
			t.Fatalf("seed %d:\n stored    %s\n shown  %s\n sent   %s\n got    %s\n want   %s", seed, text(stored), text(plain),
				request, text(merged), text(want))
		}
		if tally.Applied+len(dropped) != entries {
			t.Fatalf("seed %d: %d entries, %d applied, %d dropped", seed, entries, tally.Applied, len(dropped))
		}
	}
	for _, edit := range []string{
		"keep", "clear", "empty the parent", "edit and revert", "set", "set what was absent", "edit elements", "edit texts",
		"insert", "empty the list", "replace the whole list", "delete", "reorder", "change what is shown in another order",
	} {
		if m.did[edit] < runs/100 {
			t.Errorf("%q was done %d times in %d runs", edit, m.did[edit], runs)
		}
	}
}
