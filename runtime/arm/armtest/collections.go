package armtest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Collection is a list in the body of a resource whose elements are its children, as in
// package arm. ARM creates and updates the children that a PUT lists, and deletes those that
// it leaves out.
type Collection struct {
	// Parent is the ARM type of the resource, Path the place of the list in its body,
	// and Type the ARM type of the elements.
	Parent, Path, Type string
	// Keeps has the API versions in which a PUT without the list deletes nothing.
	Keeps []string
	// Lacks has, by API version, the properties of an element that a body at this version
	// cannot have. A PUT of the parent at this version drops their values.
	Lacks map[string][]string
}

// Collect adds collections to those that the Server knows.
func (s *Server) Collect(all ...Collection) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.collections = append(s.collections, all...)
}

// Keep changes the Server so that a PUT at an API version deletes nothing if its body lacks the
// list of a collection.
func (s *Server) Keep(version string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i := range s.collections {
		s.collections[i].Keeps = append(s.collections[i].Keeps, version)
	}
}

// Put creates or changes a resource as another client would, without faults.
func (s *Server) Put(id, version, body string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	rates := s.behavior.Rates
	s.behavior.Rates = nil
	defer func() { s.behavior.Rates = rates }()
	s.endOperations()
	op, err := s.specs.find(id, version)
	if err != nil {
		panic(err)
	}
	s.put(op, &exchange{method: http.MethodPut, id: id, version: version, body: []byte(body)})
}

// collectionsOf returns the collections of a resource type.
func (s *Server) collectionsOf(armType string) (of []Collection) {
	for _, c := range s.collections {
		if strings.EqualFold(c.Parent, armType) {
			of = append(of, c)
		}
	}
	return of
}

// prefix returns the beginning of the ids of a resource's elements.
func (c Collection) prefix(id string) string {
	return id + c.Type[strings.LastIndexByte(c.Type, '/'):] + "/"
}

// elements returns the children of a resource that are in a collection, by name.
func (s *Server) elements(c Collection, id string) (all []*resource) {
	prefix := strings.ToLower(c.prefix(id))
	for at, r := range s.resources {
		if name, below := strings.CutPrefix(at, prefix); below && !strings.Contains(name, "/") {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *resource) int { return strings.Compare(a.id, b.id) })
	return all
}

// putCollections creates and updates the children in the collections of a PUT's body, and deletes
// the children that these leave out.
func (s *Server) putCollections(armType string, e *exchange, body map[string]any) {
	for _, c := range s.collectionsOf(armType) {
		holder, name := memberAt(body, c.Path)
		list, listed := holder[name].([]any)
		if !listed && slices.Contains(c.Keeps, e.version) {
			continue
		}
		delete(holder, name)
		left := map[string]bool{}
		for _, element := range list {
			object, _ := element.(map[string]any)
			title, _ := object["name"].(string)
			id := c.prefix(e.id) + title
			left[key(id)] = true
			child := maps.Clone(object)
			child["id"], child["type"] = id, c.Type
			delete(child, "etag")
			if properties, ok := child["properties"].(map[string]any); ok {
				delete(properties, "provisioningState")
			}
			r := s.resources[key(id)]
			if r == nil {
				r = &resource{created: s.behavior.Now(), finalState: "Succeeded", showsState: s.showsState(id)}
				s.resources[key(id)] = r
			}
			r.id, r.body, r.answer = id, child, deepCopy(child).(map[string]any)
			r.setState("Succeeded")
		}
		for _, r := range s.elements(c, e.id) {
			if !left[key(r.id)] {
				s.remove(r.id)
			}
		}
	}
}

// addCollections adds the children of a resource to the collections in its body.
func (s *Server) addCollections(r *resource, e *exchange, body map[string]any) {
	armType, _ := typeOf(r.id)
	for _, c := range s.collectionsOf(armType) {
		list := []any{}
		for _, child := range s.elements(c, r.id) {
			isNew := s.behavior.Now().Sub(child.created) < s.behavior.Lag
			if s.visible(child.id) == nil || isNew && s.occurs(OldList, e) {
				continue
			}
			element := s.show(child, e)
			leaveOut(element, c.Lacks[e.version])
			element["etag"] = child.quotedETag()
			delete(element, "type")
			delete(element, "systemData")
			list = append(list, element)
		}
		holder, name := memberAt(body, c.Path)
		holder[name] = list
	}
}

// touchParent gives the parent of a resource another ETag, if a collection of the parent has the
// resource.
func (s *Server) touchParent(id string) {
	parent, ok := parentOf(id)
	armType, _ := typeOf(id)
	if r := s.resources[key(parent)]; ok && r != nil &&
		slices.ContainsFunc(s.collections, func(c Collection) bool { return strings.EqualFold(c.Type, armType) }) {
		r.etag++
	}
}

// memberAt returns the object that has the member at a path, and the member's name. It
// adds missing objects along the path.
func memberAt(body map[string]any, path string) (holder map[string]any, name string) {
	steps := strings.Split(path, "/")
	for _, step := range steps[:len(steps)-1] {
		next, _ := body[step].(map[string]any)
		if next == nil {
			next = map[string]any{}
			body[step] = next
		}
		body = next
	}
	return body, steps[len(steps)-1]
}
