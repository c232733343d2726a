package paths

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/internal/specpath"
)

// Difference is a property that a Spec sets and that is otherwise in another one, or an entry of a map or a list that
// only the other one has.
type Difference struct {
	Path string
	// Wanted is what the Spec has there as JSON, "" for nothing, and Shown what the other one has.
	Wanted, Shown string
	// text is Shown in the form that all its spellings have in common.
	text string
}

// Compare returns what of a Spec is otherwise in another one of the same type, sorted by path. What the Spec does not
// set may be anything, but the entries of a map and the named elements of a list that it sets are all. Spellings that
// mean the same in ARM are no difference, and neither are secrets, nor lists and objects without content.
func Compare(spec, other any) ([]Difference, error) {
	wanted, err := collect(spec)
	if err != nil {
		return nil, err
	}
	shown, err := collect(other)
	if err != nil {
		return nil, err
	}
	found := map[string]Difference{}
	for path, w := range wanted {
		s := shown[path]
		switch {
		case w.secret || s != nil && (s.secret || w.text == s.text && w.open == s.open):
		case s == nil && (w.text == "" || w.isEmpty()):
		case s == nil:
			at := shown.highestAbsent(wanted, path)
			found[at] = Difference{Path: at, Wanted: wanted.json(at)}
		case w.text == "" && s.isEmpty(), s.text == "" && w.isEmpty():
			// The entries below are the differences.
		default:
			found[path] = Difference{path, wanted.json(path), shown.json(path), shown.common(path)}
		}
	}
	for path, s := range shown {
		if in := wanted[s.parent]; wanted[path] == nil && in != nil && (in.open || in.text == "[]" && shown[s.parent].open) {
			found[path] = Difference{Path: path, Shown: shown.json(path), text: "present"}
		}
	}
	all := slices.SortedFunc(maps.Values(found), func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	var top []Difference
	for _, d := range all {
		if !slices.ContainsFunc(top, func(t Difference) bool { return specpath.IsBelow(d.Path, t.Path) }) {
			top = append(top, d)
		}
	}
	return top, nil
}

// isEmpty reports whether a value is a list or an object without content. ARM leaves these out.
func (n *node) isEmpty() bool { return n.text == "[]" || n.text == "{}" }

// highestAbsent returns the path of the largest part of a Spec that holds a path and is not among the nodes.
func (n nodes) highestAbsent(wanted nodes, path string) string {
	for {
		parent := wanted[path].parent
		if wanted[parent] == nil || n[parent] != nil || wanted.hasSecret(parent) {
			return path
		}
		path = parent
	}
}

// hasSecret reports whether there is a secret at a path or below it.
func (n nodes) hasSecret(path string) bool {
	for at, node := range n {
		if node.secret && (at == path || specpath.IsBelow(at, path)) {
			return true
		}
	}
	return false
}

// json returns what is at a path as JSON.
func (n nodes) json(path string) string {
	text, err := json.Marshal(n.value(path))
	if err != nil {
		panic(err) // it came from JSON, or goes into it
	}
	return string(text)
}

// value returns what is at a path.
func (n nodes) value(path string) any {
	at := n[path]
	if at.value != nil || at.secret {
		return at.value
	}
	object := map[string]any{}
	for below, node := range n {
		if node.parent == path {
			object[strings.TrimPrefix(strings.TrimPrefix(below, path), ".")] = n.value(below)
		}
	}
	return object
}

// common returns what is at a path in the form that all its spellings have in common.
func (n nodes) common(path string) string {
	if at := n[path]; at.text != "" {
		return at.text
	}
	var all []string
	for below, node := range n {
		if specpath.IsBelow(below, path) {
			all = append(all, below+"\x00"+node.text)
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\x00")
}
