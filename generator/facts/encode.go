package facts

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/generator/ir"
)

// Encode returns the text of the file of a version in its raw form, which it sorts.
// Equal facts have equal texts. Each member of the file has a line of its own, and so
// have each resource, action, type, property and value.
func Encode(v *ir.Version) ([]byte, error) {
	f := newFile(v)
	e := &encoder{}
	e.text.WriteString("{\n")
	for _, m := range []struct {
		name  string
		value any
	}{{"facts", f.Facts}, {"provider", f.Provider}, {"apiVersion", f.APIVersion}, {"sources", f.Sources}} {
		fmt.Fprintf(&e.text, "%q: %s,\n", m.name, e.json(m.value))
	}
	e.list("resources", len(f.Resources), "", func(i int) { e.text.Write(e.json(f.Resources[i])) })
	if len(f.Actions) > 0 {
		e.text.WriteString(",\n")
		e.list("actions", len(f.Actions), "", func(i int) {
			a := f.Actions[i]
			values := a.Values
			a.Values = nil
			e.open(a)
			e.list("values", len(values), " ", func(i int) { e.text.Write(e.json(values[i])) })
			e.text.WriteByte('}')
		})
	}
	e.text.WriteString(",\n")
	e.list("types", len(f.Types), "", func(i int) { e.typ(f.Types[i]) })
	e.text.WriteString("\n}\n")
	if e.err != nil {
		return nil, fmt.Errorf("%s %s: %w", v.Provider, v.APIVersion, e.err)
	}
	return e.text.Bytes(), nil
}

type encoder struct {
	text bytes.Buffer
	err  error
}

func (e *encoder) typ(t typ) {
	properties, values := t.Properties, t.Values
	t.Properties, t.Values = nil, nil
	e.open(t)
	if t.Base != "" {
		e.list("values", len(values), " ", func(i int) { e.text.Write(e.json(values[i])) })
	} else {
		e.list("properties", len(properties), " ", func(i int) { e.text.Write(e.json(properties[i])) })
	}
	e.text.WriteByte('}')
}

// open writes an object up to its last member, which follows.
func (e *encoder) open(object any) {
	e.text.Write(bytes.TrimSuffix(e.json(object), []byte("}")))
	e.text.WriteString(", ")
}

// list writes a member that is a list, with a line for each element.
func (e *encoder) list(name string, n int, indent string, element func(i int)) {
	fmt.Fprintf(&e.text, "%q: [", name)
	for i := range n {
		if i > 0 {
			e.text.WriteByte(',')
		}
		e.text.WriteString("\n " + indent)
		element(i)
	}
	if n > 0 {
		e.text.WriteString("\n" + indent)
	}
	e.text.WriteByte(']')
}

func (e *encoder) json(value any) []byte {
	text, err := json.Marshal(value, jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true))
	if err != nil && e.err == nil {
		e.err = err
	}
	return text
}
