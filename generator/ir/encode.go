package ir

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Encode returns the canonical text of a version: equal versions have equal
// bytes, and a change of one property changes a few lines. It sorts v.
func Encode(v *Version) ([]byte, error) {
	v.Sort()
	return Canonical(v)
}

// Canonical returns the JSON of any value that Armature keeps in a file, with
// an indent of one space, no HTML escapes, and a newline at the end.
func Canonical(value any) ([]byte, error) {
	var text bytes.Buffer
	err := WriteCanonical(&text, value)
	return text.Bytes(), err
}

// WriteCanonical writes the text of [Canonical].
func WriteCanonical(w io.Writer, value any) error {
	err := json.MarshalWrite(w, value, jsonv1.DefaultOptionsV1(), jsontext.EscapeForHTML(false), jsontext.WithIndent(" "))
	if err != nil {
		return err
	}
	_, err = w.Write([]byte{'\n'})
	return err
}

// Decode reads the text of Encode. It refuses unknown fields, because another
// version of the generator wrote them.
func Decode(text string) (*Version, error) {
	v := new(Version)
	if err := DecodeStrict(text, v); err != nil {
		return nil, fmt.Errorf("not an IR of this generator: %w", err)
	}
	return v, nil
}

// Read reads the files of several versions, such as all of a group. Its error
// lists every file that cannot be read.
func Read(files ...string) ([]*Version, error) {
	var errs diag.List
	versions := make([]*Version, len(files))
	for i, file := range files {
		text, err := ReadText(file)
		if err != nil {
			errs.Merge(err)
			continue
		}
		if versions[i], err = Decode(text); err != nil {
			errs.Addf(file, 0, 0, "%v", err)
		}
	}
	return versions, errs.Err()
}

// ReadText returns the content of a file. Files can be large, and this takes memory for
// the text once, where os.ReadFile and a conversion would take it twice.
func ReadText(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	var text strings.Builder
	if info, err := file.Stat(); err == nil {
		text.Grow(int(info.Size()))
	}
	// The method WriteTo of a file would not use the buffer, so it is hidden.
	_, err = io.CopyBuffer(&text, struct{ io.Reader }{file}, make([]byte, 16<<10))
	return text.String(), err
}

// Sort brings everything into the order that the comments of the fields
// promise, and removes repeated notes.
func (v *Version) Sort() {
	slices.SortStableFunc(v.Resources, func(a, b *Resource) int { return cmp.Compare(a.Type, b.Type) })
	for _, r := range v.Resources {
		slices.Sort(r.Scopes)
		slices.SortFunc(r.Collections, func(a, b Collection) int { return cmp.Compare(a.Path, b.Path) })
	}
	slices.SortStableFunc(v.Types, func(a, b *Type) int { return cmp.Compare(a.Name, b.Name) })
	for _, t := range v.Types {
		slices.SortStableFunc(t.Properties, func(a, b *Property) int { return cmp.Compare(a.Name, b.Name) })
	}
	slices.SortFunc(v.Notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Pointer, b.Pointer),
			cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Reason, b.Reason))
	})
	v.Notes = slices.Compact(v.Notes)
	slices.SortFunc(v.Actions, func(a, b Action) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Name, b.Name))
	})
	for _, a := range v.Actions {
		slices.SortFunc(a.Values, func(a, b ActionValue) int { return cmp.Compare(a.Path, b.Path) })
	}
	slices.SortFunc(v.Names, func(a, b PropertyName) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.ARM, b.ARM), cmp.Compare(a.Name, b.Name))
	})
	v.Names = slices.Compact(v.Names)
	slices.Sort(v.Used)
	v.Used = slices.Compact(v.Used)
}

// Type returns the type with a name, or nil. The Types must be sorted.
func (v *Version) Type(name string) *Type {
	i, found := slices.BinarySearchFunc(v.Types, name, func(t *Type, name string) int { return cmp.Compare(t.Name, name) })
	if !found {
		return nil
	}
	return v.Types[i]
}

// Resource returns the resource with an ARM type, compared without case, or
// nil.
func (v *Version) Resource(armType string) *Resource {
	for _, r := range v.Resources {
		if strings.EqualFold(r.Type, armType) {
			return r
		}
	}
	return nil
}

// Reachable returns the types that the named ones reach, themselves included,
// in the order of v.Types. The Types must be sorted.
func (v *Version) Reachable(roots ...string) []*Type {
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		t := v.Type(name)
		if t == nil {
			return
		}
		seen[name] = true
		for _, p := range t.Properties {
			if named := p.Type.Leaf().Named; named != "" {
				visit(named)
			}
		}
	}
	for _, root := range roots {
		visit(root)
	}
	var types []*Type
	for _, t := range v.Types {
		if seen[t.Name] {
			types = append(types, t)
		}
	}
	return types
}

// Property returns the property with a Kubernetes name, or nil.
func (t *Type) Property(name string) *Property {
	for _, p := range t.Properties {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// AtPath returns the property with a [Property.Path], which in ARM has no case, or nil.
func (t *Type) AtPath(path string) *Property {
	for _, p := range t.Properties {
		if strings.EqualFold(p.Path(), path) {
			return p
		}
	}
	return nil
}

// Names returns the Kubernetes names of properties.
func Names(properties []*Property) []string {
	var names []string
	for _, p := range properties {
		names = append(names, p.Name)
	}
	return names
}

// ARMName returns the property's JSON name in ARM.
func (p *Property) ARMName() string { return cmp.Or(p.ARM, p.Name) }

// ValueFrom returns the property of a type that refers to the object that has the text p, or nil.
func (t *Type) ValueFrom(p *Property) *Property {
	for _, q := range t.Properties {
		if q.Type.Primitive == Value && q.ValueOf == p.ARMName() && q.Flattened == p.Flattened && p.ValueOf == "" && p.Variant == "" {
			return q
		}
	}
	return nil
}

// Path returns the name of a property in the entries of group.yaml, which no other
// property of the type has: ARM's name, "=" and the value of the discriminator for a
// variant, or "*" for additional properties; after "properties/" if it is flattened.
func (p *Property) Path() string {
	name := p.ARMName()
	switch {
	case p.Spread:
		name = "*"
	case p.Variant != "":
		name = "=" + p.Variant
	}
	if p.Flattened {
		return "properties/" + name
	}
	return name
}

// Leaf returns the type of the innermost elements of the arrays and maps in r: a
// primitive or a named type. It points into r, so that a caller can replace it.
func (r *TypeRef) Leaf() *TypeRef {
	for {
		switch {
		case r.Items != nil:
			r = r.Items
		case r.Map != nil:
			r = r.Map
		default:
			return r
		}
	}
}

// Clone returns a deep copy.
func (r TypeRef) Clone() TypeRef {
	if r.Items != nil {
		items := r.Items.Clone()
		r.Items = &items
	}
	if r.Map != nil {
		values := r.Map.Clone()
		r.Map = &values
	}
	return r
}

// Renamed returns the reference with a function applied to the name of its type.
func (r TypeRef) Renamed(name func(string) string) TypeRef {
	r = r.Clone()
	if leaf := r.Leaf(); leaf.Named != "" {
		leaf.Named = name(leaf.Named)
	}
	return r
}

// Equal reports whether both are the same type.
func (r TypeRef) Equal(o TypeRef) bool {
	for {
		switch {
		case r.Items != nil && o.Items != nil:
			r, o = *r.Items, *o.Items
		case r.Map != nil && o.Map != nil:
			r, o = *r.Map, *o.Map
		default:
			return r == o
		}
	}
}

// String returns the type for messages, such as "[]Sku" or "map[string]string".
func (r TypeRef) String() string {
	switch {
	case r.Items != nil:
		return "[]" + r.Items.String()
	case r.Map != nil:
		return "map[string]" + r.Map.String()
	}
	return cmp.Or(r.Named, string(r.Primitive))
}
