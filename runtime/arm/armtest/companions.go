package armtest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// companion is a child that ARM makes along with its parent, such as the blob service "default" of a storage account:
// there is one of a name that the type fixes, and a document has no DELETE of it.
type companion struct{ armType, name string }

// addCompanion notes that ARM makes a child of a name with each resource of its parent's type.
func (s *specs) addCompanion(armType, name string) {
	at := strings.LastIndexByte(armType, '/')
	parent := strings.ToLower(armType[:at])
	isSame := func(c companion) bool {
		return strings.EqualFold(c.armType, armType) && strings.EqualFold(c.name, name)
	}
	if strings.Contains(parent, "/") && !slices.ContainsFunc(s.companions[parent], isSame) {
		s.companions[parent] = append(s.companions[parent], companion{armType, name})
	}
}

// nearest returns the operation of a type at a version, or at its newest one.
func (s *specs) nearest(armType, version string) *operation {
	versions := s.operations[strings.ToLower(armType)]
	return cmp.Or(versions[version], versions[slices.Max(slices.Collect(maps.Keys(versions)))])
}

// makeCompanions makes the children that ARM makes along with a new resource, and theirs. Clients see them when they
// see the resource.
func (s *Server) makeCompanions(op *operation, r *resource) {
	for _, c := range s.specs.companions[strings.ToLower(op.armType)] {
		id := r.id + c.armType[strings.LastIndexByte(c.armType, '/'):] + "/" + c.name
		if s.resources[key(id)] != nil {
			continue
		}
		child := &resource{id: id, created: r.created, hidden: r.hidden, finalState: "Succeeded", untouched: true}
		of := s.specs.nearest(c.armType, op.version)
		if unfit := s.store(of, child, map[string]any{}); len(unfit) > 0 {
			delete(s.resources, key(id)) // a document whose answer is a list, for example
			continue
		}
		s.makeCompanions(of, child)
	}
}
