// Package specpath has the form of paths of properties in a Spec, such as spec.sku.name, spec.tags["a,b"] and
// spec.rules[name=web].port.
package specpath

import (
	"regexp"
	"strconv"
	"strings"
)

// Root is the path of a Spec.
const Root = "spec"

var plain = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// Member returns the path of a property of an object, or of an entry of a map.
func Member(of, name string) string {
	if plain.MatchString(name) {
		return of + "." + name
	}
	return of + "[" + strconv.Quote(name) + "]"
}

// Element returns the path of the element of a list that has a name.
func Element(of, name string) string {
	if strings.ContainsAny(name, `]["\`) || strconv.Quote(name) != `"`+name+`"` {
		name = strconv.Quote(name)
	}
	return of + "[name=" + name + "]"
}

// Names returns the names of the elements of a list in their order, or nil if one has none or two have the same. Then
// its elements have no paths.
func Names(list []any) []string {
	seen, names := map[string]bool{}, []string(nil)
	for _, e := range list {
		element, _ := e.(map[string]any)
		name, _ := element["name"].(string)
		if name == "" || seen[name] {
			return nil
		}
		seen[name], names = true, append(names, name)
	}
	return names
}
