package sample

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/shape"
)

// GivenFile is the name of the file in the folder of a group with what is given of its
// samples.
const GivenFile = "samples.yaml"

// MadeUp is what is given of a secret, whose value a sample makes up.
const MadeUp = "secret"

// Given has the values that the samples of a group have beside what is required: for each
// kind an object with the names of Kubernetes. A reference is the ARM type of the resource
// to refer to, and a secret is [MadeUp].
type Given struct {
	file  string
	kinds []entry
}

// entry is a member of a mapping in YAML.
type entry struct{ key, value *yaml.Node }

// ParseGiven reads a file with what is given of samples. It may be empty.
func ParseGiven(file string, text []byte) (*Given, error) {
	g := &Given{file: file}
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return g, nil
	case err != nil:
		line, message := 0, strings.TrimPrefix(err.Error(), "yaml: ")
		if found := yamlLine().FindStringSubmatch(message); found != nil {
			line, _ = strconv.Atoi(found[1])
			message = found[2]
		}
		return nil, diag.Error{File: file, Line: line, Column: min(line, 1), Message: "not YAML: " + message}
	}
	var errs diag.List
	top := document.Content[0]
	if top.Kind != yaml.MappingNode {
		errs.Addf(file, top.Line, top.Column, "the file is %s; expected a mapping from kinds to values", describe(top))
		return nil, errs.Err()
	}
	g.kinds = entriesOf(top)
	checkNodes(file, top, &errs)
	var second yaml.Node
	if err := decoder.Decode(&second); err == nil {
		errs.Addf(file, second.Line, second.Column, "found a second document; expected one")
	}
	return g, errs.Err()
}

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^line (\d+): (.*)$`) })

// checkNodes reports what YAML has and values have not: repeated keys, and aliases.
func checkNodes(file string, n *yaml.Node, errs *diag.List) {
	switch n.Kind {
	case yaml.AliasNode:
		errs.Addf(file, n.Line, n.Column, "found an alias of YAML; write the value here too")
	case yaml.MappingNode:
		first := map[string]int{}
		for _, e := range entriesOf(n) {
			if line, twice := first[e.key.Value]; twice {
				errs.Addf(file, e.key.Line, e.key.Column, "%q is given twice; first on line %d", e.key.Value, line)
			}
			first[e.key.Value] = e.key.Line
			checkNodes(file, e.value, errs)
		}
	case yaml.SequenceNode:
		for _, element := range n.Content {
			checkNodes(file, element, errs)
		}
	}
}

func entriesOf(n *yaml.Node) []entry {
	var all []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, entry{n.Content[i], n.Content[i+1]})
	}
	return all
}

// describe returns what a node is.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "empty"
	}
	return fmt.Sprintf("%q", n.Value)
}

// taking gives values to samples, and notes which of them some version takes.
type taking struct {
	*Given
	taken   map[*yaml.Node]bool
	refused map[*yaml.Node]string // why the first version that refused it did so
}

func (g *Given) taking() *taking {
	if g == nil {
		g = &Given{}
	}
	return &taking{g, map[*yaml.Node]bool{}, map[*yaml.Node]string{}}
}

// of returns what is given of a kind, or nil.
func (t *taking) of(kind string) *yaml.Node {
	i := slices.IndexFunc(t.kinds, func(e entry) bool { return e.key.Value == kind })
	if i < 0 {
		return nil
	}
	value := t.kinds[i].value
	if value.Kind != yaml.MappingNode {
		t.refuse(value, "it is %s; expected a mapping with properties of the Spec", describe(value))
		return nil
	}
	t.taken[value] = true
	return value
}

func (t *taking) refuse(n *yaml.Node, format string, args ...any) {
	if t.refused[n] == "" {
		t.refused[n] = fmt.Sprintf(format, args...)
	}
}

// check reports the kinds that a group does not have, and the values that no version of
// their kind has taken, with what the newest one says of them.
func (t *taking) check(kinds []string) error {
	var errs diag.List
	var walk func(path string, at, n *yaml.Node)
	walk = func(path string, at, n *yaml.Node) {
		if !t.taken[n] {
			errs.Addf(t.file, at.Line, at.Column, "%s: no version takes this: %s", path, t.refused[n])
			return
		}
		switch n.Kind {
		case yaml.MappingNode:
			for _, e := range entriesOf(n) {
				walk(path+"."+e.key.Value, e.key, e.value)
			}
		case yaml.SequenceNode:
			for i, element := range n.Content {
				walk(fmt.Sprintf("%s[%d]", path, i), element, element)
			}
		}
	}
	for _, e := range t.kinds {
		if kind := e.key.Value; !slices.Contains(kinds, kind) {
			errs.Addf(t.file, e.key.Line, e.key.Column, "%q is no kind of the group%s", kind, diag.DidYouMean(kind, kinds))
		} else {
			walk(kind, e.key, e.value)
		}
	}
	return errs.Err()
}

// Fit takes out of a mapping with values for the sample of a kind what the kind does not take
// at a version. It returns an error if nothing makes a sample of the rest.
func Fit(p *shape.Package, kind string, values *yaml.Node) error {
	g := &Given{kinds: []entry{{&yaml.Node{Value: kind}, values}}}
	m := &maker{Package: p, taking: g.taking(), kind: kind}
	if _, err := m.manifest(); err != nil {
		return err
	}
	var fit func(n *yaml.Node)
	fit = func(n *yaml.Node) {
		var kept []*yaml.Node
		step := 1
		if n.Kind == yaml.MappingNode {
			step = 2
		}
		for i := 0; i < len(n.Content); i += step {
			if value := n.Content[i+step-1]; m.taken[value] {
				fit(value)
				kept = append(kept, n.Content[i:i+step]...)
			}
		}
		n.Content = kept
	}
	fit(values)
	return nil
}

// members returns what is given of the properties of an object type, by their names.
func (m *maker) members(t *ir.Type, given *yaml.Node) map[string]*yaml.Node {
	if given == nil {
		return nil
	}
	members := map[string]*yaml.Node{}
	for _, e := range entriesOf(given) {
		if t.Property(e.key.Value) == nil {
			m.refuse(e.value, "%s has no such property%s", m.Name, diag.DidYouMean(e.key.Value, ir.Names(t.Properties)))
			continue
		}
		members[e.key.Value] = e.value
	}
	return members
}

// takeVariant returns the first of some variants of a union of which a value is given.
func (m *maker) takeVariant(variants []*ir.Property, members map[string]*yaml.Node) (name string, value any, taken bool) {
	for _, p := range variants {
		switch given := members[p.Name]; {
		case given == nil:
		case taken:
			m.refuse(given, "it is the second one of a union that has one value, after %s", name)
		default:
			if value, taken = m.take(p, p.Type, p.Validation, given); taken {
				name = p.Name
			}
		}
	}
	return name, value, taken
}

// take returns the value of a type that is given of a property, or of its elements. It
// takes none that the type or the limits do not allow.
func (m *maker) take(p *ir.Property, t ir.TypeRef, limits *ir.Validation, given *yaml.Node) (value any, taken bool) {
	if given == nil {
		return nil, false
	}
	refuse := func(format string, args ...any) (any, bool) {
		m.refuse(given, format, args...)
		return nil, false
	}
	wrong := func(want string) (any, bool) { return refuse("it is %s; expected %s", describe(given), want) }
	switch {
	case t.Items != nil:
		if given.Kind != yaml.SequenceNode {
			return wrong("a list")
		}
		m.taken[given] = true
		return m.takeList(p, t, limits, given)
	case t.Map != nil:
		if given.Kind != yaml.MappingNode {
			return wrong("a mapping")
		}
		m.taken[given] = true
		entries := map[string]any{}
		for _, e := range entriesOf(given) {
			if v, ok := m.take(p, *t.Map, p.ItemValidation, e.value); ok {
				entries[e.key.Value] = v
			}
		}
		return entries, true
	case t.Named != "" && m.Type(t.Named).Kind == ir.Object:
		if given.Kind != yaml.MappingNode {
			return wrong("a mapping")
		}
		object, err := m.object(m.Type(t.Named), nil, given)
		if err != nil {
			return refuse("%v", err)
		}
		m.taken[given] = true
		return object, len(object) > 0 || len(given.Content) == 0
	}
	if t.Primitive == ir.Any {
		var v any
		if err := given.Decode(&v); err != nil {
			return refuse("%v", err)
		}
		m.takeAll(given)
		return v, true
	}
	value, why := m.scalar(p, t, limits, given)
	if why != "" {
		return refuse("%s", why)
	}
	m.taken[given] = true
	return value, true
}

// takeList returns a list with the given elements that its type takes, and with more where
// it requires more.
func (m *maker) takeList(p *ir.Property, t ir.TypeRef, limits *ir.Validation, given *yaml.Node) (any, bool) {
	all := []any{}
	for _, element := range given.Content {
		if limits != nil && limits.MaxItems != nil && int64(len(all)) == *limits.MaxItems {
			m.refuse(element, "the list has at most %d", *limits.MaxItems)
		} else if v, ok := m.take(p, *t.Items, p.ItemValidation, element); ok {
			all = append(all, v)
		}
	}
	if len(all) == 0 && len(given.Content) > 0 {
		return nil, false
	}
	return all, limits == nil || limits.MinItems == nil || int64(len(all)) >= *limits.MinItems
}

// takeAll notes that a value is taken with all that is in it.
func (m *maker) takeAll(given *yaml.Node) {
	m.taken[given] = true
	for _, n := range given.Content {
		m.takeAll(n)
	}
}

// scalar returns the value of an enum or a primitive that is given, or why it takes none.
func (m *maker) scalar(p *ir.Property, t ir.TypeRef, limits *ir.Validation, given *yaml.Node) (value any, why string) {
	switch t.Primitive {
	case ir.Secret, ir.SecretJSON:
		if given.Value != MadeUp {
			return nil, "it is a secret: write " + MadeUp + ", and a sample makes up its value"
		}
		value, err := m.value(p, t, limits, nil)
		if err != nil {
			return nil, err.Error()
		}
		return value, ""
	case ir.Owner, ir.OperatorSpec, ir.RoleDefinition:
		return nil, "a sample makes it up"
	}
	if given.Kind != yaml.ScalarNode {
		return nil, "it is " + describe(given) + "; expected one value"
	}
	if named := m.Type(t.Named); named != nil {
		listed := slices.ContainsFunc(named.Values, func(v ir.EnumValue) bool { return v.Value == given.Value })
		if !listed && !named.Open {
			var values []string
			for _, v := range named.Values {
				values = append(values, v.Value)
			}
			return nil, fmt.Sprintf("it is %s%s; expected one of %s", describe(given), diag.DidYouMean(given.Value, values),
				strings.Join(values, ", "))
		}
	}
	isText := given.Tag == "!!str" || given.Tag == "!!timestamp"
	switch m.Base(t) {
	case ir.String:
		switch {
		case !isText:
			return nil, fmt.Sprintf("it is %s; expected a text: %q", given.Value, given.Value)
		case !fits(given.Value, limits):
			return nil, fmt.Sprintf("it is %q; expected %s", given.Value, limits.Words())
		}
		return given.Value, ""
	case ir.Integer, ir.Number:
		number, err := strconv.ParseFloat(given.Value, 64)
		if err != nil || isText || m.Base(t) == ir.Integer && given.Tag != "!!int" {
			return nil, fmt.Sprintf("it is %s; expected a number", describe(given))
		}
		if !allows(limits, number) {
			return nil, fmt.Sprintf("it is %s, which the limits do not allow", given.Value)
		}
		if i := int64(number); float64(i) == number {
			return i, ""
		}
		return number, ""
	case ir.Boolean:
		if given.Tag != "!!bool" {
			return nil, fmt.Sprintf("it is %s; expected true or false", describe(given))
		}
		return strings.EqualFold(given.Value, "true"), ""
	case ir.Reference, ir.AnyOwner:
		if !isType().MatchString(given.Value) {
			return nil, fmt.Sprintf("it is %s; expected the ARM type of a resource, such as %s", describe(given), resourceGroups)
		}
		same := func(t string) bool { return strings.EqualFold(t, given.Value) }
		if len(p.ResourceTypes) > 0 && !slices.ContainsFunc(p.ResourceTypes, same) {
			return nil, fmt.Sprintf("it is %s; expected one of %s", given.Value, strings.Join(p.ResourceTypes, ", "))
		}
		return m.reference([]string{given.Value}), ""
	}
	return nil, fmt.Sprintf("its type is %s, of which no value can be given", t)
}

var isType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z0-9]+)+(/[A-Za-z0-9][A-Za-z0-9._-]*)+$`)
})
