package swagger

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// actions returns the actions of exported resources: the POSTs whose path is that of a
// resource and one more name, and that need no content.
func (r *reader) actions() []ir.Action {
	var actions []ir.Action
	r.eachPath("post", func(template string, item schema) {
		at := strings.LastIndexByte(template, '/')
		name := template[at+1:]
		if at < 0 || strings.HasPrefix(name, "{") {
			return
		}
		parameters := r.parameters(item, "post")
		if slices.ContainsFunc(parameters, func(p schema) bool {
			return p.node.Get("in").Text() == "body" && p.node.Get("required").True()
		}) {
			return
		}
		answer := r.follow(item.get("post").get("responses").get("200")).get("schema")
		values := (&answerWalk{reader: r, within: map[*jsontree.Node]bool{}}).values(answer)
		if len(values) == 0 {
			return
		}
		for _, armType := range r.exportedAt(template[:at], parameters) {
			if !slices.ContainsFunc(actions, func(a ir.Action) bool { return a.Resource == armType && a.Name == name }) {
				secret := slices.ContainsFunc(values, func(v ir.ActionValue) bool { return v.Secret })
				actions = append(actions, ir.Action{Resource: armType, Name: name, Secret: secret, Values: values})
			}
		}
	})
	return actions
}

// exportedAt returns the exported types of the resources at a path.
func (r *reader) exportedAt(template string, parameters []schema) []string {
	var exported []string
	_, types := r.typesAt(template, parameters)
	names := pathValues(parameters, template[strings.LastIndexByte(template, '/')+1:])
	for _, t := range types {
		if len(names) == 1 {
			if own := r.export(t + "/" + names[0]); own != "" {
				exported = append(exported, own)
				continue
			}
		}
		if own := r.export(t); own != "" {
			exported = append(exported, own)
		}
	}
	return exported
}

// export returns a resource type as the group exports it, or "".
func (r *reader) export(armType string) string {
	for own := range r.in.Exports {
		if strings.EqualFold(own, armType) {
			return own
		}
	}
	return ""
}

// answerWalk finds the scalars in an answer. It makes no types and no notes, since the
// API does not show them.
type answerWalk struct {
	*reader
	path   []string
	within map[*jsontree.Node]bool
	found  []ir.ActionValue
}

// maxAnswerDepth is how deep values lie that are looked for.
const maxAnswerDepth = 4

func (w *answerWalk) values(answer schema) []ir.ActionValue {
	if answer.node != nil {
		w.walk(answer, true)
	}
	return w.found
}

// walk visits a schema, and the properties that it has or inherits.
func (w *answerWalk) walk(s schema, whole bool) {
	c := w.chain(s)
	last := c.last()
	if last.node == nil || w.within[last.node] || len(w.path) > maxAnswerDepth {
		return
	}
	w.within[last.node] = true
	defer delete(w.within, last.node)
	for _, base := range last.node.Get("allOf").Items() {
		w.walk(schema{last.doc, base}, false)
	}
	for _, p := range last.node.Get("properties").Members() {
		w.path = append(w.path, p.Name)
		w.walk(schema{last.doc, p.Value}, true)
		w.path = w.path[:len(w.path)-1]
	}
	switch last.node.Get("type").Text() {
	case "array":
		if items := last.get("items"); items.node != nil && len(w.path) > 0 {
			w.path[len(w.path)-1] += "[]"
			w.walk(items, true)
		}
	case "string", "integer", "number", "boolean":
		if !whole || len(w.path) == 0 {
			return
		}
		path, format := strings.Join(w.path, "."), c.get("format").node.Text()
		value := ir.ActionValue{Path: path, Base64: format == "byte", Secret: c.get("x-ms-secret").node.True() || format == "password"}
		if !slices.ContainsFunc(w.found, func(v ir.ActionValue) bool { return v.Path == path }) {
			w.found = append(w.found, value)
		}
	}
}
