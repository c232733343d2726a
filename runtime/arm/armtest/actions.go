package armtest

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Secret is a part of every value in the answers of actions, so that a test can find the
// places where such values are shown.
const Secret = "armtest-canary"

// action is a POST of a resource type at one version.
type action struct {
	compile func() (*jsonschema.Schema, error)
}

// addActions adds the actions of a document, by the type and the action's name.
func (s *specs) addActions(file string, doc *document) {
	for template, item := range doc.Paths {
		at := strings.LastIndexByte(template, '/')
		armType, ok := typeOf(template[:max(at, 0)])
		if item.Post == nil || !ok || item.Post.Responses["200"].Schema == nil {
			continue
		}
		schema := schemaURL(file, "/paths/"+escape(template)+"/post/responses/200/schema")
		s.actions[actionKey(armType, template[at+1:], doc.Info.Version)] = &action{
			sync.OnceValues(func() (*jsonschema.Schema, error) { return s.compile(schema, func(any) {}) }),
		}
	}
}

func actionKey(armType, name, version string) string {
	return strings.ToLower(armType + "/" + name + "/" + version)
}

// Rotate gives a resource new keys, as another client would.
func (s *Server) Rotate(id string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if r := s.resources[key(id)]; r != nil {
		r.rotations++
	}
}

// Recover sets the state of resources that have failed, or that stay in a state, to Succeeded, as
// a repaired service would.
func (s *Server) Recover() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, r := range s.resources {
		if r.state == r.finalState {
			r.state = "Succeeded"
		}
		r.finalState = "Succeeded"
	}
}

// Answer returns the answer of a resource's action, or nil if there is no such resource.
func (s *Server) Answer(id, name, version string) any {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := s.resources[key(id)]
	if r == nil {
		return nil
	}
	answer, _ := s.act(r, name, version)
	return answer
}

// post answers an action of a resource: according to its spec, or with two keys if no spec
// describes it.
func (s *Server) post(op *operation, id string, e *exchange) answer {
	r := s.visible(id)
	switch {
	case r == nil || s.isOut(r):
		return refuse(http.StatusNotFound, "ResourceNotFound", fmt.Sprintf("The resource %q was not found.", id))
	case r.operation != nil:
		return refuse(http.StatusConflict, "NotProvisioned", fmt.Sprintf("The resource %q is not provisioned.", id))
	}
	body, err := s.act(r, e.id[strings.LastIndexByte(e.id, '/')+1:], op.version)
	if err != nil {
		return refuse(http.StatusInternalServerError, "InvalidSpec", err.Error())
	}
	return answer{status: http.StatusOK, body: body}
}

func (s *Server) act(r *resource, name, version string) (any, error) {
	armType, _ := typeOf(r.id)
	described := s.specs.actions[actionKey(armType, name, version)]
	value := func(path string) string { return fmt.Sprintf("%s %s %d of %s", Secret, path, r.rotations, r.id) }
	if described == nil {
		return map[string]any{"primaryKey": value("primaryKey"), "secondaryKey": value("secondaryKey")}, nil
	}
	schema, err := described.compile()
	if err != nil {
		return nil, err
	}
	return makeValue(schema, "", 0, value), nil
}

// makeValue makes a value that satisfies a schema. Lists have two elements. If they have names,
// these are key1 and key2.
func makeValue(s *jsonschema.Schema, path string, index int, value func(path string) string) any {
	for s.Ref != nil {
		s = s.Ref
	}
	if items, isList := s.Items.(*jsonschema.Schema); isList && len(path) < 100 {
		var list []any
		for i := range 2 {
			list = append(list, makeValue(items, fmt.Sprintf("%s[%d]", path, i), i+1, value))
		}
		return list
	}
	if object := membersOf(s); len(object) > 0 && len(path) < 100 {
		body := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			body[name] = makeValue(object[name], strings.TrimPrefix(path+"."+name, "."), index, value)
		}
		return body
	}
	switch {
	case s.Enum != nil:
		return s.Enum.Values[0]
	case s.Types != nil && slices.Contains(s.Types.ToStrings(), "integer"),
		s.Types != nil && slices.Contains(s.Types.ToStrings(), "number"):
		return index
	case s.Types != nil && slices.Contains(s.Types.ToStrings(), "boolean"):
		return true
	case s.Format != nil && s.Format.Name == "byte":
		return base64.StdEncoding.EncodeToString([]byte(value(path)))
	case index > 0 && strings.HasSuffix(strings.ToLower(path), "name"):
		return fmt.Sprintf("key%d", index)
	}
	return value(path)
}

// membersOf returns the properties of an object, inherited ones included.
func membersOf(s *jsonschema.Schema) map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{}
	for _, base := range append(slices.Clone(s.AllOf), s.Ref) {
		if base != nil {
			maps.Copy(all, membersOf(base))
		}
	}
	maps.Copy(all, s.Properties)
	return all
}
