package biceptypes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// actions returns the actions of resources that may be sent without content.
func (r *reader) actions(resources []*resource, all []description) []ir.Action {
	var actions []ir.Action
	for _, doc := range r.roots {
		for _, node := range doc.Root.Items() {
			at := place{doc, node}
			if !at.is("ResourceFunctionType") || node.Get("apiVersion").Text() != r.in.APIVersion {
				continue
			}
			own := targets(resources, all, node.Get("resourceType").Text())
			if len(own) == 0 || r.needsContent(at) {
				continue
			}
			w := &answerWalk{reader: r}
			w.walk(at.get("output"))
			if len(w.found) == 0 {
				continue
			}
			secret := slices.ContainsFunc(w.found, func(v ir.ActionValue) bool { return v.Secret })
			for _, target := range own {
				a := ir.Action{
					Resource: target.Type, Name: target.path + node.Get("name").Text(), Secret: secret, Values: slices.Clone(w.found),
				}
				if !slices.ContainsFunc(actions, func(b ir.Action) bool { return b.Resource == a.Resource && b.Name == a.Name }) {
					actions = append(actions, a)
				}
			}
		}
	}
	return actions
}

// target is a resource that has an action, and what leads to it from the path of the
// resource, such as "config/web/".
type target struct {
	*resource
	path string
}

// targets returns the resources that have the actions of a type: those of the type, also
// those of one fixed name each. The actions of a type without a PUT that has one fixed
// name are those of its parent.
func targets(resources []*resource, all []description, armType string) []target {
	of := func(armType, path string) []target {
		var found []target
		for _, res := range resources {
			if strings.EqualFold(cmp.Or(res.ARM, res.Type), armType) {
				found = append(found, target{res, path})
			}
		}
		return found
	}
	if own := of(armType, ""); own != nil {
		return own
	}
	for _, d := range all {
		if strings.EqualFold(d.armType, armType) && d.scopes == 0 && len(d.names) == 1 {
			return of(parentOf(armType), armType[strings.LastIndexByte(armType, '/')+1:]+"/"+d.names[0]+"/")
		}
	}
	return nil
}

// needsContent reports whether an action has content with a property that is required.
// Whether content as a whole may be left out, the format does not say.
func (r *reader) needsContent(action place) bool {
	if action.node.Get("input") == nil {
		return false
	}
	input := r.target(action.get("input"))
	if !input.is("ObjectType") {
		return true
	}
	return slices.ContainsFunc(input.node.Get("properties").Members(), func(m jsontree.Member) bool {
		flags, _ := m.Value.Get("flags").Int()
		return flags&required != 0
	})
}

// answerWalk finds the scalars in an answer. It makes no types and no notes, since the
// API does not show them.
type answerWalk struct {
	*reader
	path   []string
	within []*jsontree.Node
	found  []ir.ActionValue
	visits int
}

const (
	// maxAnswerDepth is how deep values lie that are looked for.
	maxAnswerDepth = 4
	// maxAnswerVisits is how many properties are looked at, since each may have as many.
	maxAnswerVisits = 10000
)

// walk visits the type that a reference names.
func (w *answerWalk) walk(ref place) {
	t := w.target(ref)
	if t.node == nil || slices.Contains(w.within, t.node) || len(w.path) > maxAnswerDepth || w.visits > maxAnswerVisits {
		return
	}
	w.visits++
	w.within = append(w.within, t.node)
	defer func() { w.within = w.within[:len(w.within)-1] }()
	switch t.node.Get("$type").Text() {
	case "ObjectType":
		for _, m := range t.node.Get("properties").Members() {
			w.step(m.Name, place{t.doc, m.Value.Get("type")})
		}
		if additional := t.get("additionalProperties"); additional.node != nil {
			w.step("*", additional)
		}
	case "ArrayType":
		if len(w.path) > 0 {
			w.path[len(w.path)-1] += "[]"
			w.walk(t.get("itemType"))
		}
	case "StringType", "StringLiteralType", "UnionType", "IntegerType", "BooleanType", "AnyType":
		if len(w.path) > 0 {
			w.found = append(w.found, ir.ActionValue{
				Path: strings.Join(w.path, "."), Any: t.is("AnyType"), Secret: t.node.Get("sensitive").True(),
			})
		}
	}
}

// step visits a property.
func (w *answerWalk) step(name string, ref place) {
	w.path = append(w.path, name)
	w.walk(ref)
	w.path = w.path[:len(w.path)-1]
}
