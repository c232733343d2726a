package remainder

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// model makes stored accounts. It edits an account as shown together with the stored account
// that must result, so it knows the right answer without this package.
// Accounts are trees of JSON here.
type model struct {
	*rand.Rand
	next int
	did  map[string]int
}

func (m *model) text() string {
	m.next++
	return fmt.Sprintf("Text%d", m.next)
}

func (m *model) one(in int) bool { return m.IntN(in) == 0 }

// members are the members of an enum, in the spelling that is shown.
var members = []string{"bronze", "copper", "gold", "iron", "lead", "nickel", "silver", "tin", "zinc"}

// member returns a member of an enum as it is stored, which may have another spelling.
func (m *model) member() any {
	member := members[m.IntN(len(members))]
	switch m.IntN(3) {
	case 0:
		return strings.ToUpper(member)
	case 1:
		return strings.ToUpper(member[:1]) + member[1:]
	}
	return member
}

// object makes an account. The name of a list says how its elements are told apart: in
// tiers and grid by content, in rules by a key, or by content, if they have none.
func (m *model) object(depth int) map[string]any {
	o := map[string]any{}
	some := func(name string, value func() any) {
		if m.one(2) {
			o[name] = value()
		}
	}
	some("$propertyBag", m.bag)
	some("amount", func() any { return m.IntN(1000) })
	some("any", func() any { return map[string]any{"a": []any{m.text(), nil}} })
	some("tier", m.member)
	some("tierOf", func() any { return map[string]any{m.text(): m.member(), "$" + m.text(): m.member()} })
	some("tiers", func() any {
		list := []any{}
		for _, i := range m.Perm(len(members))[:m.IntN(5)] {
			list = append(list, strings.ToUpper(members[i]))
		}
		return list
	})
	some("zones", func() any { return []any{m.text(), m.text()} })
	if depth > 0 {
		some("part", func() any { return m.object(depth - 1) })
		some("parts", func() any { return map[string]any{m.text(): m.object(depth - 1), "$propertyBag": m.object(depth - 1)} })
		some("plain", func() any { return map[string]any{m.text(): m.object(depth - 1), "$propertyBag": m.object(depth - 1)} })
		some("rules", func() any {
			list, keyed := []any{}, m.IntN(3)
			for range m.IntN(5) {
				list = append(list, m.element(keyed, depth-1))
			}
			return list
		})
	}
	return o
}

func (m *model) bag() any {
	bag := map[string]any{}
	for range 1 + m.IntN(3) {
		bag[m.text()] = map[string]any{"value": []any{m.text()}, "version": "1"}
	}
	return bag
}

// element makes an element of a list. Each element has different content. In some lists all
// elements have a key, in others none or a few.
func (m *model) element(keyed, depth int) map[string]any {
	e := m.object(depth)
	e["zones"] = []any{m.text()}
	if keyed == 0 || keyed == 1 && m.one(2) {
		e["name"] = m.text()
	}
	return e
}

// show removes from a tree what an API version does not show.
func show(tree map[string]any) {
	delete(tree, "$propertyBag")
	for name, value := range tree {
		switch value := value.(type) {
		case string:
			if name == "tier" {
				tree[name] = strings.ToLower(value)
			}
		case map[string]any:
			for key, inner := range value {
				if object, ok := inner.(map[string]any); ok && (name == "parts" || name == "plain") {
					show(object)
				} else if name == "tierOf" {
					value[key] = strings.ToLower(inner.(string))
				}
			}
			if name == "part" {
				show(value)
			}
		case []any:
			for i, element := range value {
				if object, ok := element.(map[string]any); ok {
					show(object)
				} else if name == "tiers" {
					value[i] = strings.ToLower(element.(string))
				}
			}
		}
	}
}

// copied returns a copy of a tree that shares nothing.
func copied[T any](tree T) T { return clone(tree).(T) }

func clone(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		copied := maps.Clone(tree)
		for name, value := range tree {
			copied[name] = clone(value)
		}
		return copied
	case []any:
		copied := slices.Clone(tree)
		for i, element := range tree {
			copied[i] = clone(element)
		}
		return copied
	}
	return tree
}

// edit makes a random change in an account as shown, and the same change in the stored one.
func (m *model) edit(stored, shown map[string]any) {
	_, hasPart := shown["part"]
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		switch value := shown[name].(type) {
		default:
			m.leaf(name, stored, shown)
		case map[string]any:
			switch {
			case m.one(12):
				m.did["clear an object"]++
				delete(stored, name)
				delete(shown, name)
			case name == "part":
				m.edit(stored[name].(map[string]any), value)
			case name == "tierOf":
				for _, key := range slices.Sorted(maps.Keys(value)) {
					if m.one(3) {
						m.leaf(key, stored[name].(map[string]any), value)
					}
				}
			case name != "any":
				for _, key := range slices.Sorted(maps.Keys(value)) {
					if m.one(6) {
						m.did["remove a key"]++
						delete(stored[name].(map[string]any), key)
						delete(value, key)
						continue
					}
					m.edit(stored[name].(map[string]any)[key].(map[string]any), value[key].(map[string]any))
				}
			}
		case []any:
			if name == "rules" || name == "tiers" {
				stored[name], shown[name] = m.list(name, stored[name].([]any), value)
			}
		}
	}
	if !hasPart && m.one(3) {
		m.did["set what was absent"]++
		stored["part"], shown["part"] = map[string]any{"amount": 1}, map[string]any{"amount": 1}
	}
}

// leaf changes one value.
func (m *model) leaf(name string, stored, shown map[string]any) {
	switch {
	case m.one(2) || name == "name":
		m.did["keep"]++
	case m.one(4):
		m.did["clear"]++
		delete(stored, name)
		delete(shown, name)
	default:
		m.did["set"]++
		var value any = m.IntN(1000)
		if _, isText := shown[name].(string); isText {
			value = "platinum" // which no other one is
		}
		stored[name], shown[name] = value, value
	}
}

// list edits the elements of a list, or changes the list in one way.
func (m *model) list(name string, stored, shown []any) (h, s []any) {
	if name == "rules" && m.one(2) {
		m.did["edit elements"]++
		for i := range shown {
			before, e := stored[i].(map[string]any), shown[i].(map[string]any)
			m.edit(before, e)
			if m.one(4) {
				m.did["clear or empty keys"]++
				delete(before, "name")
				delete(e, "name")
				if m.one(2) {
					before["name"], e["name"] = "", ""
				}
			}
		}
		return stored, shown
	}
	fresh := func() any {
		if name == "tiers" {
			return "platinum"
		}
		return map[string]any{"name": m.text()}
	}
	at := m.IntN(len(shown) + 1)
	switch m.IntN(5) {
	case 0:
		m.did["insert"]++
		one := fresh()
		return slices.Insert(stored, at, one), slices.Insert(shown, at, clone(one))
	case 1:
		m.did["empty the list"]++
		return []any{}, []any{}
	case 2:
		m.did["replace the whole list"]++
		all := []any{fresh()}
		for range shown {
			all = append(all, fresh())
		}
		return all, copied(all)
	case 3:
		if len(shown) > 1 {
			m.did["delete"]++
			at = m.IntN(len(shown))
			return slices.Delete(stored, at, at+1), slices.Delete(shown, at, at+1)
		}
	}
	m.did["reorder"]++
	for _, i := range m.Perm(len(shown)) {
		h, s = append(h, stored[i]), append(s, shown[i])
	}
	return append([]any{}, h...), append([]any{}, s...)
}

// TestRandomEdits checks that without an edit the stored account comes back exactly,
// and that edits have the same effect as on the stored account, and no other.
func TestRandomEdits(t *testing.T) {
	runs := seeds(1500)
	m := &model{did: map[string]int{}}
	for seed := range runs {
		m.Rand, m.next = rand.New(rand.NewPCG(1, uint64(seed))), 0
		stored := m.object(2)
		plain := copied(stored)
		show(plain)
		typed := read[string](t, text(stored))
		if got, want := text(shownOf(t, typed)), text(read[string](t, text(plain))); got != want {
			t.Fatalf("seed %d: shown %s, want %s", seed, got, want)
		}
		lost := carried(t, collect(t, typed))
		if merged, dropped := restore(t, lost, text(plain)); text(merged) != text(typed) || dropped > 0 {
			t.Fatalf("seed %d: without an edit\n got %s\nwant %s\n%d dropped from %s", seed, text(merged), text(typed), dropped, lost.text)
		}

		want, written := copied(stored), copied(plain)
		m.edit(want, written)
		merged, _ := restore(t, lost, text(written))
		if got, want := text(merged), text(read[string](t, text(want))); got != want {
			t.Fatalf("seed %d:\n stored %s\n shown  %s\n sent   %s\n got    %s\n want   %s\n lost   %s", seed, text(stored), text(plain),
				text(written), got, want, lost.text)
		}
	}
	for _, edit := range []string{
		"keep", "clear", "clear an object", "remove a key", "set", "set what was absent", "edit elements", "clear or empty keys",
		"insert", "empty the list", "replace the whole list", "delete", "reorder",
	} {
		if m.did[edit] < runs/100 {
			t.Errorf("%q was done %d times in %d runs", edit, m.did[edit], runs)
		}
	}
}
