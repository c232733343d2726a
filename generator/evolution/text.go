package evolution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// TypeText returns a type as a person reads it. The name of an object lacks
// _Spec or _Status.
func TypeText(r ir.TypeRef, types map[string]*ir.Type) string {
	switch {
	case r.Items != nil:
		return "list of " + TypeText(*r.Items, types)
	case r.Map != nil:
		return "map of " + TypeText(*r.Map, types)
	case r.Primitive == ir.Any:
		return "JSON"
	case r.Named == "":
		return string(r.Primitive)
	}
	if t := types[r.Named]; t != nil && t.Kind == ir.Enum {
		return string(t.Base) + " enum"
	}
	return naming.Common(r.Named)
}

// enums knows the members of enums, and which enums have the same.
type enums struct {
	sorted map[*ir.Type][]string
	ids    map[*ir.Type]int
	known  map[string]int
}

func newEnums() *enums {
	return &enums{map[*ir.Type][]string{}, map[*ir.Type]int{}, map[string]int{}}
}

// members returns the values of an enum, sorted.
func (e *enums) members(t *ir.Type) []string {
	names, known := e.sorted[t]
	if !known {
		for _, v := range t.Values {
			names = append(names, v.Value)
		}
		slices.Sort(names)
		e.sorted[t] = names
	}
	return names
}

// of returns the same number for two enums with the same members that are both open or
// both closed, and 0 for what is no enum.
func (e *enums) of(t *ir.Type) int {
	if t == nil || t.Kind != ir.Enum {
		return 0
	}
	id := e.ids[t]
	if id == 0 {
		key := fmt.Sprintf("%v %q", t.Open, e.members(t))
		if id = e.known[key]; id == 0 {
			id = len(e.known) + 1
			e.known[key] = id
		}
		e.ids[t] = id
	}
	return id
}

// MembersText returns how the members of an enum changed, such as "+Premium −Basic", and
// whether it was open, so that other members are possible, and is.
func MembersText(was []string, wasOpen bool, is []string, isOpen bool) string {
	var parts []string
	list := func(sign string, has, lacks []string) {
		names := slices.DeleteFunc(slices.Clone(has), func(n string) bool { return slices.Contains(lacks, n) })
		for i, n := range names {
			if i == 3 && len(names) > 4 {
				parts = append(parts, fmt.Sprintf("%s%d more", sign, len(names)-i))
				break
			}
			parts = append(parts, sign+n)
		}
	}
	list("+", is, was)
	list("−", was, is)
	if wasOpen != isOpen {
		parts = append(parts, map[bool]string{true: "now open", false: "now closed"}[isOpen])
	}
	return strings.Join(parts, " ")
}

func joined(names []string) string { return strings.Join(names, ", ") }
