package swagger

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// actions returns the actions of resources: the POSTs whose path is that of a resource
// and more names, and that need no content.
func (r *reader) actions(resources []*resource) []ir.Action {
	var actions []ir.Action
	r.eachPath("post", func(template string, item schema) {
		parameters := r.parameters(item, "post")
		if slices.ContainsFunc(parameters, func(p schema) bool {
			return p.node.Get("in").Text() == "body" && p.node.Get("required").True()
		}) {
			return
		}
		types, name := r.targets(resources, template, parameters)
		if len(types) == 0 {
			return
		}
		answer := r.follow(item.get("post").get("responses").get("200")).get("schema")
		values := (&answerWalk{reader: r, within: map[*jsontree.Node]bool{}}).values(answer)
		if len(values) == 0 {
			return
		}
		for _, armType := range types {
			if !slices.ContainsFunc(actions, func(a ir.Action) bool { return a.Resource == armType && a.Name == name }) {
				secret := slices.ContainsFunc(values, func(v ir.ActionValue) bool { return v.Secret })
				actions = append(actions, ir.Action{Resource: armType, Name: name, Secret: secret, Values: values})
			}
		}
	})
	return actions
}

// targets returns the types of the nearest resource above the path of an action, and what
// follows the path of the resource. There are none if a name in that is free.
func (r *reader) targets(resources []*resource, template string, parameters []schema) (types []string, name string) {
	for above := template; ; {
		at := strings.LastIndexByte(above, '/')
		if at < 0 || strings.HasPrefix(above[at+1:], "{") {
			return nil, ""
		}
		above, name = above[:at], template[at+1:]
		if types = r.resourcesAt(resources, above, parameters); len(types) > 0 {
			return types, name
		}
	}
}

// resourcesAt returns the types of the resources at a path, as they are exported.
func (r *reader) resourcesAt(resources []*resource, template string, parameters []schema) []string {
	var found []string
	_, types := r.typesAt(template, parameters)
	names := pathValues(parameters, template[strings.LastIndexByte(template, '/')+1:])
	for _, res := range resources {
		isName := func(name string) bool { return strings.EqualFold(name, res.FixedName) }
		isType := func(t string) bool { return strings.EqualFold(t, cmp.Or(res.ARM, res.Type)) }
		if slices.ContainsFunc(types, isType) && (res.FixedName == "" || names == nil || slices.ContainsFunc(names, isName)) {
			found = append(found, res.Type)
		}
	}
	return found
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
	if additional := last.get("additionalProperties"); additional.node.Kind() == jsontree.Object {
		w.path = append(w.path, "*")
		w.walk(additional, true)
		w.path = w.path[:len(w.path)-1]
	}
	switch last.node.Get("type").Text() {
	case "array":
		if items := last.get("items"); items.node != nil && len(w.path) > 0 {
			w.path[len(w.path)-1] += "[]"
			w.walk(items, true)
		}
	case "string", "integer", "number", "boolean":
		if whole {
			w.add(c, false)
		}
	default:
		if whole && !hasStructure(last.node) && !last.node.Has("allOf") {
			w.add(c, true)
		}
	}
}

// add adds a value, which may be of any type.
func (w *answerWalk) add(c chain, isAny bool) {
	if len(w.path) == 0 {
		return
	}
	path, format := strings.Join(w.path, "."), c.get("format").node.Text()
	if !slices.ContainsFunc(w.found, func(v ir.ActionValue) bool { return v.Path == path }) {
		w.found = append(w.found, ir.ActionValue{
			Path: path, Any: isAny, Base64: format == "byte", Secret: c.get("x-ms-secret").node.True() || format == "password",
		})
	}
}
