// Package oracle_test compares what the readers say of the same versions: bicep types
// beside Swagger, and beside the JSON schemas of deployment templates. Azure makes all of
// them from one text, so each kind of difference has a reason, which stands here.
package oracle_test

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/armschema"
	"github.com/armature-dev/armature/generator/biceptypes"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/swagger"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/internal/specs"
	"github.com/armature-dev/armature/tools/add/service"
)

// kind is a kind of difference, with its reason.
type kind struct{ name, reason string }

// The kinds, with the format that is beside bicep types as %s.
var (
	resource  = kind{"resources that only %s has", "a type with several PUT paths, or of another document of the version"}
	scope     = kind{"resources with other scopes", "a mask of several scopes is an extension"}
	fixed     = kind{"resources with other fixed names", "the name is an enum here and any text there, or in another case"}
	onlyOther = kind{"properties that only %s has", "a later text of the version, and types that bicep types have once for two"}
	onlyBicep = kind{"properties that only bicep types have", "a later text; and a JSON schema has nothing that only responses have"}
	otherType = kind{"properties with other types", "a later text, and objects that have any content on one side"}
	fraction  = kind{"numbers that are integers in bicep types", "the format has no numbers with fractions"}
	needed    = kind{"properties required on one side", "bodies merged of request and response, and templates that require \"properties\""}
	answered  = kind{"properties that only %s calls read-only", "types that only answers have there, all of which is read-only"}
	asked     = kind{"properties that only bicep types call read-only",
		"bodies merged of request and response; and a JSON schema has no such mark"}
	limits     = kind{"properties with other limits", "a later text; and formats that become patterns on one side"}
	secret     = kind{"secrets that only bicep types mark", "x-ms-secret and format password are fewer, and a JSON schema marks none"}
	noSecret   = kind{"secrets that bicep types do not mark", "the mark came with a later text"}
	id         = kind{"ARM ids that bicep types do not mark", "the format cannot"}
	createOnly = kind{"create-only properties that bicep types do not mark", "the format cannot"}
	byDefault  = kind{"defaults that bicep types do not have", "the format cannot"}
	keys       = kind{"keys of lists that bicep types do not have", "the format cannot"}
	values     = kind{"enums with other values", "a later text"}
	open       = kind{"enums that are open on one side",
		"without modelAsString Swagger's is open and that of bicep types closed; all enums of a JSON schema are read as open"}
	action = kind{"actions that only %s has", "a second path of one name, and content that is not marked as optional"}
	answer = kind{"actions with other values", "a later text, and answers deeper than four objects"}
)

var kinds = []kind{resource, scope, fixed, onlyOther, onlyBicep, otherType, fraction, needed, answered, asked, limits,
	secret, noSecret, id, createOnly,
	byDefault, keys, values, open, action, answer}

func TestSwagger(t *testing.T)    { compareAll(t, swagger.Reader{}) }
func TestJSONSchema(t *testing.T) { compareAll(t, armschema.Reader{}) }

// compareAll compares all versions that a format and bicep types have.
func compareAll(t *testing.T, other documents.Reader) {
	specs := service.Specs(specs.Folder())
	folders, err := filepath.Glob(filepath.Join(string(specs), "bicep-types-az/generated/*/*"))
	if specs == "" || err != nil || len(folders) == 0 {
		t.Skip("ARMATURE_SPECS names no checkout with bicep types")
	}
	c := &comparison{found: map[kind][]string{}}
	providers := map[string]bool{}
	for _, folder := range folders {
		providers[filepath.Base(folder)] = true
	}
	versions, resources := 0, 0
	for _, name := range slices.Sorted(maps.Keys(providers)) {
		provider, docs, err := specs.Provider(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, version := range slices.Sorted(maps.Keys(docs)) {
			a, b := read(t, specs, other, provider, version, docs[version])
			if a == nil || b == nil {
				continue
			}
			versions++
			resources += c.versions(a, b)
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s and bicep types describe %d versions with %d resources, whose bodies share %d properties. They differ in:\n",
		other.Format(), versions, resources, c.shared)
	for _, k := range kinds {
		if found := c.found[k]; len(found) > 0 {
			name, _, _ := strings.Cut(fmt.Sprintf(k.name+"\x00", other.Format()), "\x00")
			name = strings.TrimSuffix(name, "%!(EXTRA string="+other.Format()+")")
			fmt.Fprintf(&text, "\n%d %s: %s\n", len(found), name, k.reason)
			for _, example := range found[:min(3, len(found))] {
				fmt.Fprintf(&text, "  %s\n", example)
			}
		}
	}
	golden.Equal(t, "testdata/"+other.Format()+".txt", text.String())
}

// read reads a version with both readers. It returns nil for a reader that has no document.
func read(t *testing.T, specs service.Specs, other documents.Reader, provider, version string, docs []string) (a, b *ir.Version) {
	t.Helper()
	in := documents.Input{Provider: provider, APIVersion: version, Read: specs.Read, Exports: map[string]string{}}
	roots := map[string][]string{}
	for _, doc := range docs {
		text, err := specs.Read(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []documents.Reader{other, biceptypes.Reader{}} {
			if r.Recognizes(doc, text) {
				roots[r.Format()] = append(roots[r.Format()], doc)
			}
		}
	}
	readers := []documents.Reader{other, biceptypes.Reader{}}
	for _, r := range readers {
		in.Roots = roots[r.Format()]
		if len(in.Roots) == 0 {
			return nil, nil
		}
		types, err := r.Types(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, all := range types {
			for _, armType := range all {
				if strings.HasPrefix(strings.ToLower(armType), strings.ToLower(provider)+"/") {
					in.Exports[strings.ToLower(armType)] = "K"
				}
			}
		}
	}
	for i, armType := range slices.Sorted(maps.Keys(in.Exports)) {
		in.Exports[armType] = fmt.Sprint("K", i)
	}
	var both []*ir.Version
	for _, r := range readers {
		in.Roots = roots[r.Format()]
		v, err := r.Read(in)
		if err != nil {
			t.Fatalf("%s %s: %v", provider, version, err)
		}
		both = append(both, v)
	}
	return both[0], both[1]
}

// comparison collects differences.
type comparison struct {
	found  map[kind][]string
	shared int
	a, b   *ir.Version
	seen   map[[2]string]bool // pairs of types
}

func (c *comparison) add(k kind, format string, args ...any) {
	c.found[k] = append(c.found[k], c.a.APIVersion+" "+fmt.Sprintf(format, args...))
}

// versions compares two versions, and returns the number of resources that both have.
func (c *comparison) versions(a, b *ir.Version) (resources int) {
	c.a, c.b, c.seen = a, b, map[[2]string]bool{}
	for _, r := range a.Resources {
		other := b.Resource(r.Type)
		if other == nil {
			c.add(resource, "%s", r.Type)
			continue
		}
		resources++
		if !slices.Equal(r.Scopes, other.Scopes) {
			c.add(scope, "%s: %v, %v", r.Type, r.Scopes, other.Scopes)
		}
		if r.FixedName != other.FixedName {
			c.add(fixed, "%s: %q, %q", r.Type, r.FixedName, other.FixedName)
		}
		c.types(r.Type, r.Spec, other.Spec)
		if r.Status != "" && other.Status != "" {
			c.types(r.Type, r.Status, other.Status)
		}
	}
	for _, x := range a.Actions {
		i := slices.IndexFunc(b.Actions, func(y ir.Action) bool {
			return strings.EqualFold(x.Resource, y.Resource) && strings.EqualFold(x.Name, y.Name)
		})
		if i < 0 {
			c.add(action, "%s %s", x.Resource, x.Name)
			continue
		}
		paths := func(a ir.Action) (all []string) {
			for _, v := range a.Values {
				all = append(all, strings.ToLower(v.Path))
			}
			return all
		}
		if !slices.Equal(paths(x), paths(b.Actions[i])) {
			c.add(answer, "%s %s", x.Resource, x.Name)
		}
	}
	return resources
}

// types compares two types at one place, and those below them.
func (c *comparison) types(where, a, b string) {
	x, y := c.a.Type(a), c.b.Type(b)
	if x == nil || y == nil || c.seen[[2]string{a, b}] {
		return
	}
	c.seen[[2]string{a, b}] = true
	if x.Kind == ir.Enum {
		c.enums(where, x, y)
		return
	}
	for _, p := range x.Properties {
		if q := same(y, p); q != nil {
			c.properties(where+" "+p.Path(), p, q)
		} else if !strings.EqualFold(p.ARMName(), y.Discriminator) {
			c.add(onlyOther, "%s %s", where, p.Path())
		}
	}
	for _, q := range y.Properties {
		if same(x, q) == nil && !strings.EqualFold(q.ARMName(), x.Discriminator) {
			c.add(onlyBicep, "%s %s", where, q.Path())
		}
	}
}

func same(t *ir.Type, p *ir.Property) *ir.Property {
	i := slices.IndexFunc(t.Properties, func(q *ir.Property) bool { return strings.EqualFold(p.Path(), q.Path()) })
	if i < 0 {
		return nil
	}
	return t.Properties[i]
}

func (c *comparison) enums(where string, x, y *ir.Type) {
	texts := func(t *ir.Type) (all []string) {
		for _, v := range t.Values {
			all = append(all, v.Value)
		}
		slices.Sort(all)
		return all
	}
	if !slices.Equal(texts(x), texts(y)) {
		c.add(values, "%s: %s, %s", where, strings.Join(texts(x), " "), strings.Join(texts(y), " "))
	}
	if x.Open != y.Open {
		c.add(open, "%s: %v, %v", where, x.Open, y.Open)
	}
}

// properties compares two properties that are the same in ARM.
func (c *comparison) properties(where string, p, q *ir.Property) {
	c.shared++
	was, is := c.text(c.a, p.Type), c.text(c.b, q.Type)
	switch {
	case was == is:
	case strings.ReplaceAll(was, "number", "integer") == is:
		c.add(fraction, "%s", where)
	default:
		c.add(otherType, "%s: %s, %s", where, was, is)
	}
	if p.Required != q.Required {
		c.add(needed, "%s: %v, %v", where, p.Required, q.Required)
	}
	if was, is := p.Validation.Limits(), q.Validation.Limits(); !slices.Equal(was, is) {
		c.add(limits, "%s: %s; %s", where, strings.Join(was, ", "), strings.Join(is, ", "))
	}
	for k, holds := range map[kind]bool{
		answered: p.ReadOnly && !q.ReadOnly, asked: q.ReadOnly && !p.ReadOnly,
		secret: q.IsSecret && !p.IsSecret, noSecret: p.IsSecret && !q.IsSecret, id: p.IsARMID && !q.IsARMID,
		createOnly: p.CreateOnly && !q.CreateOnly, byDefault: p.Default != "" && q.Default == "",
		keys: len(p.ListKeys) > 0 && len(q.ListKeys) == 0,
	} {
		if holds {
			c.add(k, "%s", where)
		}
	}
	c.types(where, p.Type.Leaf().Named, q.Type.Leaf().Named)
}

// text returns the JSON type of a value.
func (c *comparison) text(v *ir.Version, ref ir.TypeRef) string {
	switch {
	case ref.Items != nil:
		return "list of " + c.text(v, *ref.Items)
	case ref.Map != nil:
		return "map of " + c.text(v, *ref.Map)
	}
	t := v.Type(ref.Named)
	if t != nil && t.Kind == ir.Object {
		return "object"
	}
	if t != nil {
		return string(t.Base)
	}
	return string(cmp.Or(ref.Primitive, ir.Any))
}
