package armtest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Collection is a list in the body of a resource whose elements are its children, as in
// package arm. ARM makes the children of what a PUT lists, and deletes those that it
// leaves out.
type Collection struct {
	// Parent is the ARM type of the resource, Path the place of the list in its body,
	// and Type the ARM type of the elements.
	Parent, Path, Type string
	// Keeps has the API versions in which a PUT without the list deletes nothing.
	Keeps []string
	// Lacks has, by API version, the properties of an element that a body in this
	// version cannot have. What they are is lost by a PUT of the parent.
	Lacks map[string][]string
}

// Collect tells the Server of collections.
func (s *Server) Collect(all ...Collection) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.collections = append(s.collections, all...)
}

// Keep makes a PUT at an API version without the list of a collection delete nothing.
func (s *Server) Keep(version string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i := range s.collections {
		s.collections[i].Keeps = append(s.collections[i].Keeps, version)
	}
}

// Put makes or changes a resource as somebody else would, whatever the faults.
func (s *Server) Put(id, version, body string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	rates := s.behavior.Rates
	s.behavior.Rates = nil
	defer func() { s.behavior.Rates = rates }()
	s.settle()
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

// prefix returns what the ids of the elements of a resource begin with.
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

// spread makes children of the collections in the body of a PUT, and deletes those that
// it leaves out.
func (s *Server) spread(armType string, e *exchange, body map[string]any) {
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
				r = &resource{settled: "Succeeded", showsState: s.showsState(id)}
				s.resources[key(id)] = r
			}
			r.id, r.body, r.answer = id, child, deepCopy(child).(map[string]any)
			r.become("Succeeded")
		}
		for _, r := range s.elements(c, e.id) {
			if !left[key(r.id)] {
				s.remove(r.id)
			}
		}
	}
}

// gather adds to the body of a resource the children that are in its collections.
func (s *Server) gather(r *resource, e *exchange, body map[string]any) {
	armType, _ := typeOf(r.id)
	for _, c := range s.collectionsOf(armType) {
		list := []any{}
		for _, child := range s.elements(c, r.id) {
			if s.visible(child.id) == nil {
				continue
			}
			element := s.show(child, e)
			leaveOut(element, c.Lacks[e.version])
			element["etag"] = child.quotedETag()
			delete(element, "type")
			list = append(list, element)
		}
		holder, name := memberAt(body, c.Path)
		holder[name] = list
	}
}

// touch gives the parent of a resource another ETag, if it shows the resource.
func (s *Server) touch(id string) {
	parent, ok := parentOf(id)
	armType, _ := typeOf(id)
	if r := s.resources[key(parent)]; ok && r != nil &&
		slices.ContainsFunc(s.collections, func(c Collection) bool { return strings.EqualFold(c.Type, armType) }) {
		r.etag++
	}
}

// memberAt returns the object that has the member at a path, and the member's name. It
// makes the objects on the way.
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
