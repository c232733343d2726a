package biceptypes

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// actions returns the actions of exported resources that need no content.
func (r *reader) actions() []ir.Action {
	var actions []ir.Action
	for _, doc := range r.roots {
		for _, node := range doc.Root.Items() {
			at := element{doc, node}
			resource := r.exported(node.Get("resourceType").Text())
			if at.kind() != "ResourceFunctionType" || resource == "" || r.needsContent(at) {
				continue
			}
			w := &answerWalk{reader: r, within: map[*jsontree.Node]bool{}}
			w.walk(at.get("output"))
			name := node.Get("name").Text()
			isKnown := slices.ContainsFunc(actions, func(a ir.Action) bool { return a.Resource == resource && a.Name == name })
			if len(w.found) > 0 && !isKnown {
				secret := slices.ContainsFunc(w.found, func(v ir.ActionValue) bool { return v.Secret })
				actions = append(actions, ir.Action{Resource: resource, Name: name, Secret: secret, Values: w.found})
			}
		}
	}
	return actions
}

// needsContent reports whether an action has content that cannot be left out.
func (r *reader) needsContent(action element) bool {
	if action.get("input").node == nil {
		return false
	}
	input := r.target(action.get("input"))
	return input.kind() != "ObjectType" || slices.ContainsFunc(input.node.Get("properties").Members(),
		func(m jsontree.Member) bool { return flagsOf(m.Value)&required != 0 })
}

// answerWalk finds the values in an answer that are no objects or lists. It makes no types
// and no notes, since the API does not show them.
type answerWalk struct {
	*reader
	path   []string
	within map[*jsontree.Node]bool
	found  []ir.ActionValue
}

// maxAnswerDepth is how deep values lie that are looked for.
const maxAnswerDepth = 4

// walk visits the type that a reference names.
func (w *answerWalk) walk(ref element) {
	t := w.target(ref)
	if t.node == nil || w.within[t.node] || len(w.path) > maxAnswerDepth {
		return
	}
	w.within[t.node] = true
	defer delete(w.within, t.node)
	switch t.kind() {
	case "ObjectType", "DiscriminatedObjectType":
		w.members(t, "properties")
		w.members(t, "baseProperties")
		if t.node.Has("additionalProperties") {
			w.below("*", t.get("additionalProperties"))
		}
	case "ArrayType":
		if len(w.path) > 0 {
			w.path[len(w.path)-1] += "[]"
			w.walk(t.get("itemType"))
		}
	default:
		path := strings.Join(w.path, ".")
		isKnown := slices.ContainsFunc(w.found, func(v ir.ActionValue) bool { return v.Path == path })
		if path != "" && !isKnown {
			w.found = append(w.found, ir.ActionValue{Path: path, Secret: w.isSensitive(t)})
		}
	}
}

func (w *answerWalk) members(t element, list string) {
	for _, m := range t.node.Get(list).Members() {
		w.below(m.Name, element{t.doc, m.Value.Get("type")})
	}
}

// below visits a type below the one that is visited.
func (w *answerWalk) below(name string, ref element) {
	w.path = append(w.path, name)
	w.walk(ref)
	w.path = w.path[:len(w.path)-1]
}

// isSensitive reports whether a type is marked as a secret, or a union with such.
func (r *reader) isSensitive(t element) bool {
	return t.node.Get("sensitive").True() || t.kind() == "UnionType" && slices.ContainsFunc(t.node.Get("elements").Items(),
		func(ref *jsontree.Node) bool { return r.target(element{t.doc, ref}).node.Get("sensitive").True() })
}
