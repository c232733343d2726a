// Package specpath has the form of paths of properties in a Spec, such as spec.sku.name, spec.tags["a,b"] and
// spec.rules[name=web].port.
package specpath

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Root is the path of a Spec.
const Root = "spec"

var (
	leading = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*`)
	plain   = regexp.MustCompile(leading.String() + `$`)
)

// Member returns the path of a property of an object, or of an entry of a map. ARM ids that are keys of a map have one
// spelling in paths.
func Member(of, name string) string {
	if strings.HasPrefix(name, "/") {
		name = strings.ToLower(strings.TrimSuffix(name, "/"))
	}
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

// IsBelow reports whether a path is that of a part of what another one names.
func IsBelow(path, of string) bool {
	return strings.HasPrefix(path, of+".") || strings.HasPrefix(path, of+"[")
}

// Step is a step of a path: to a property or an entry of a map, or to the element of a list that has a name.
type Step struct {
	Name      string
	OfElement bool
}

// On returns the path of what a step leads to.
func (s Step) On(of string) string {
	if s.OfElement {
		return Element(of, s.Name)
	}
	return Member(of, s.Name)
}

// SyntaxError is the error of a text that is no path.
type SyntaxError struct {
	Path string
	// At is the place in bytes at which Expected was not found.
	At       int
	Expected string
}

// Error returns the message.
func (e *SyntaxError) Error() string {
	found := "the end"
	if e.At < len(e.Path) {
		found = strconv.Quote(e.Path[e.At:])
	}
	return fmt.Sprintf("in the path %s: found %s after %q, expected %s", e.Path, found, e.Path[:e.At], e.Expected)
}

// Parse returns the steps of a path.
func Parse(path string) ([]Step, error) {
	at := len(Root)
	if !strings.HasPrefix(path, Root) {
		return nil, &SyntaxError{path, 0, Root}
	}
	fail := func(expected string) ([]Step, error) { return nil, &SyntaxError{path, at, expected} }
	var steps []Step
	for at < len(path) {
		rest := path[at:]
		switch {
		case rest[0] == '.':
			name := leading.FindString(rest[1:])
			if name == "" {
				at++
				return fail("the name of a property")
			}
			steps, at = append(steps, Step{Name: name}), at+1+len(name)
			continue
		case !strings.HasPrefix(rest, "["):
			return fail(`"." or "["`)
		}
		inner, isName := strings.CutPrefix(rest[1:], "name=")
		begin := at + len(rest) - len(inner)
		quoted, err := strconv.QuotedPrefix(inner)
		name, end := "", begin+len(quoted)
		at = begin
		switch n := strings.IndexAny(inner, `]["\`); {
		case err == nil && quoted[0] == '"':
			name, _ = strconv.Unquote(quoted)
		case !isName:
			return fail("a name in quotes, or name= and the name of an element")
		case n <= 0:
			return fail("the name of an element")
		default:
			name, end = inner[:n], begin+n
		}
		if at = end; !strings.HasPrefix(path[at:], "]") {
			return fail(`"]"`)
		}
		steps, at = append(steps, Step{name, isName}), at+1
	}
	if len(steps) == 0 {
		return fail("the name of a property")
	}
	return steps, nil
}

// Clean returns a path in the spelling that this package gives to it, and what is no path as it is.
func Clean(path string) string {
	steps, err := Parse(path)
	if err != nil {
		return path
	}
	clean := Root
	for _, s := range steps {
		clean = s.On(clean)
	}
	return clean
}

// SplitList returns the paths of a text with commas between them. A comma in quotes separates nothing.
func SplitList(text string) (all []string) {
	begin, quoted := 0, false
	add := func(part string) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			add(text[begin:i])
			begin = i + 1
		}
	}
	add(text[begin:])
	return all
}
