package config

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"go.yaml.in/yaml/v3"
)

// Read reads a group.yaml, see [Parse].
func Read(file string) (*Group, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, text)
}

// Parse reads a group.yaml. Its error lists every error that the file shows by
// itself. [CheckUsed] reports those that only the specs show.
func Parse(file string, text []byte) (*Group, error) {
	p := &parser{group: &Group{File: file, positions: map[string]position{}}}
	p.document(text)
	if err := p.errs.Err(); err != nil {
		return nil, err // checking an incomplete group would only give misleading errors
	}
	p.group.addProposed()
	if err := check(p.group); err != nil {
		return nil, err
	}
	return p.group, nil
}

// parser decodes YAML into Go values and keeps the position of each. Unlike the
// decoder of the yaml package, it suggests a name for an unknown key.
type parser struct {
	group *Group
	errs  diag.List
}

func (p *parser) errorf(n *yaml.Node, format string, args ...any) {
	p.errs.Addf(p.group.File, n.Line, n.Column, format, args...)
}

var yamlLine = form(`^yaml: line (\d+): (.*)$`)

// document decodes the one document of the file.
func (p *parser) document(text []byte) {
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return
	case err != nil:
		if m := yamlLine().FindStringSubmatch(err.Error()); m != nil {
			line, _ := strconv.Atoi(m[1])
			p.errs.Addf(p.group.File, line, 1, "not YAML: %s", m[2])
			return
		}
		p.errs.Addf(p.group.File, 0, 0, "not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		return
	}
	p.value(document.Content[0], reflect.ValueOf(p.group).Elem(), nil)
	var second yaml.Node
	if err := decoder.Decode(&second); err == nil {
		p.errorf(second.Content[0], "found a second document; a group.yaml is one document")
	}
}

// value decodes a node into v and records its position.
func (p *parser) value(n *yaml.Node, v reflect.Value, path []any) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if _, known := p.group.positions[pathKey(path)]; !known {
		p.group.positions[pathKey(path)] = position{n.Line, n.Column}
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.value(n, v.Elem(), path)
	case reflect.Struct:
		p.structure(n, v, path)
	case reflect.Map:
		p.mapping(n, v, path)
	case reflect.Slice:
		if marks, ok := v.Addr().Interface().(*[]Mark); ok {
			*marks = p.marks(n, path)
			return
		}
		if n.Kind != yaml.SequenceNode {
			p.wrongKind(n, path, "a list")
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
		for i, item := range n.Content {
			p.value(item, v.Index(i), append(slices.Clip(path), i))
		}
	case reflect.Bool, reflect.Int64, reflect.Float64:
		if n.Kind != yaml.ScalarNode || n.Decode(v.Addr().Interface()) != nil {
			p.wrongKind(n, path, map[reflect.Kind]string{reflect.Bool: "true or false", reflect.Int64: "a whole number",
				reflect.Float64: "a number"}[v.Kind()])
		}
	case reflect.String:
		// YAML takes an unquoted date for a timestamp; here it is a version.
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" && n.Tag != "!!timestamp" {
			p.wrongKind(n, path, "a string")
			return
		}
		v.SetString(n.Value)
	}
}

// structure decodes a mapping into a struct.
func (p *parser) structure(n *yaml.Node, v reflect.Value, path []any) {
	fields := map[string]int{}
	for i := range v.NumField() {
		if tag := v.Type().Field(i).Tag.Get("yaml"); tag != "" && tag != "-" {
			fields[tag] = i
		}
	}
	p.keyed(n, path, slices.Collect(maps.Keys(fields)), func(key string, value *yaml.Node, path []any) {
		p.value(value, v.Field(fields[key]), path)
	})
}

// keyed calls visit for each entry of a mapping, with its path, and reports keys that are
// not among those given.
func (p *parser) keyed(n *yaml.Node, path []any, keys []string, visit func(key string, value *yaml.Node, path []any)) {
	slices.Sort(keys)
	p.entries(n, path, func(key, value *yaml.Node) {
		if !slices.Contains(keys, key.Value) {
			p.errorf(key, "unknown key %q%s; the keys here are %s", key.Value, diag.DidYouMean(key.Value, keys), strings.Join(keys, ", "))
			return
		}
		visit(key.Value, value, append(slices.Clip(path), key.Value))
	})
}

// mapping decodes a mapping with free keys.
func (p *parser) mapping(n *yaml.Node, v reflect.Value, path []any) {
	v.Set(reflect.MakeMap(v.Type()))
	p.entries(n, path, func(key, value *yaml.Node) {
		at := append(slices.Clip(path), key.Value)
		p.group.positions[pathKey(at)] = position{key.Line, key.Column}
		element := reflect.New(v.Type().Elem()).Elem()
		p.value(value, element, at)
		v.SetMapIndex(reflect.ValueOf(key.Value), element)
	})
}

// marks decodes one mark or a list of them.
func (p *parser) marks(n *yaml.Node, path []any) []Mark {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	marks := make([]Mark, len(items))
	for i, item := range items {
		marks[i] = p.mark(item, append(slices.Clip(path), i))
	}
	return marks
}

// mark decodes a mark, which is a name or a mapping.
func (p *parser) mark(n *yaml.Node, path []any) (m Mark) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	p.group.positions[pathKey(path)] = position{n.Line, n.Column}
	if n.Kind != yaml.MappingNode {
		p.value(n, reflect.ValueOf(&m.Name).Elem(), path)
		return m
	}
	named := 0
	p.keyed(n, path, append(names(hasValues), "is", "merge", "not", "source", "why"), func(key string, value *yaml.Node, path []any) {
		var into any
		switch key {
		case "why":
			into = &m.Why
		case "source":
			into = &m.Source
		case "merge":
			into = &m.Merge
		case "is":
			named++
			into = &m.Name
		case "not":
			named++
			m.Not, into = true, &m.Name
		default:
			named++
			m.Name = key
			into = m.into()
		}
		p.value(value, reflect.ValueOf(into).Elem(), path)
		if row := markOf(m.Name); key == "is" && row != nil && !row.corrects {
			p.errorf(value, "%s corrects nothing; write its name alone: %[1]s", m.Name)
		}
	})
	if named > 1 { // which are several marks
		m.Name = ""
	}
	return m
}

// entries calls visit for each entry of a mapping, and reports repeated keys.
func (p *parser) entries(n *yaml.Node, path []any, visit func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.wrongKind(n, path, "a mapping")
		return
	}
	first := map[string]*yaml.Node{}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if earlier := first[key.Value]; earlier != nil {
			p.errorf(key, "%q is given twice; first on line %d", key.Value, earlier.Line)
			continue
		}
		first[key.Value] = key
		visit(key, value)
	}
}

// wrongKind reports a node that is of another kind than expected.
func (p *parser) wrongKind(n *yaml.Node, path []any, want string) {
	got, advice := "", ""
	switch {
	case n.Kind == yaml.MappingNode:
		got = "a mapping"
	case n.Kind == yaml.SequenceNode:
		got = "a list"
	case n.Tag == "!!null":
		got = "empty"
	case n.Tag == "!!str" || n.Tag == "!!timestamp":
		got = "a string"
	default:
		got = "the " + map[string]string{"!!int": "number", "!!float": "number", "!!bool": "boolean"}[n.Tag] + " " + n.Value
		if want == "a string" {
			advice = fmt.Sprintf("; quote it: %q", n.Value)
		}
	}
	what := "the file"
	if len(path) > 0 {
		what = fmt.Sprint(path[len(path)-1])
		if i, isIndex := path[len(path)-1].(int); isIndex {
			what = fmt.Sprintf("entry %d of %v", i+1, path[len(path)-2])
		}
	}
	p.errorf(n, "%s is %s; expected %s%s", what, got, want, advice)
}
