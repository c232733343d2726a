package biceptypes_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/biceptypes"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/google/go-cmp/cmp"
)

func TestReader(t *testing.T) { documentstest.Run(t, biceptypes.Reader{}) }

// reference matches a reference to a type.
var reference = regexp.MustCompile(`"#/(\d+)"`)

// moved returns a document with its types in another order.
func moved(t *testing.T, text []byte, random *rand.Rand) []byte {
	t.Helper()
	var types []json.RawMessage
	if err := json.Unmarshal(text, &types); err != nil {
		t.Fatal(err)
	}
	to := random.Perm(len(types))
	out := make([]string, len(types))
	for i, typ := range types {
		out[to[i]] = reference.ReplaceAllStringFunc(string(typ), func(ref string) string {
			var index int
			fmt.Sscanf(ref, `"#/%d"`, &index)
			return fmt.Sprintf(`"#/%d"`, to[index])
		})
	}
	return []byte("[" + strings.Join(out, ",") + "]")
}

// withoutPlaces returns a version as text without the places of notes.
func withoutPlaces(t *testing.T, v *ir.Version) string {
	t.Helper()
	copied := *v
	copied.Notes = nil
	for _, n := range v.Notes {
		n.Pointer, n.File = "", ""
		copied.Notes = append(copied.Notes, n)
	}
	text, err := ir.Encode(&copied)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestIndexes(t *testing.T) {
	t.Run("a version does not depend on the order of types", func(t *testing.T) {
		random := rand.New(rand.NewSource(1))
		for _, c := range documentstest.Cases(t) {
			v, err := biceptypes.Reader{}.Read(c.Input())
			if err != nil || strings.HasSuffix(c.Dir, "actions_and_their_values") {
				continue // of two actions of one name the first counts
			}
			want := withoutPlaces(t, v)
			for name, text := range c.Files {
				c.Files[name] = moved(t, text, random)
			}
			if v, err = (biceptypes.Reader{}).Read(c.Input()); err != nil {
				t.Errorf("%s: %v", c.Dir, err)
			} else if diff := cmp.Diff(want, withoutPlaces(t, v)); diff != "" {
				t.Errorf("%s: %s", c.Dir, diff)
			}
		}
	})
}

// body returns a file in which the body of an order has a property of the type with
// index 2.
func body(types ...string) string {
	return `[{"$type": "ResourceType", "name": "Contoso.Shop/orders@2020-01-01", "body": {"$ref": "#/1"}, "writableScopes": 8},
		{"$type": "ObjectType", "name": "o", "properties": {"p": {"type": {"$ref": "#/2"}, "flags": 0}}},` + strings.Join(types, ",") + `]`
}

// each returns n types that a format makes of the indexes of the type and the next.
func each(n int, format string) []string {
	var types []string
	for i := range n {
		types = append(types, fmt.Sprintf(format, i+2, i+3))
	}
	return append(types, `{"$type": "StringType"}`)
}

func TestHostileFiles(t *testing.T) {
	const (
		n      = 10_000
		list   = `{"$type": "ArrayType", "name": "t%d", "itemType": {"$ref": "#/%d"}}`
		maps   = `{"$type": "ObjectType", "name": "t%d", "properties": {}, "additionalProperties": {"$ref": "#/%d"}}`
		object = `{"$type": "ObjectType", "name": "t%d", "properties": {"p": {"type": {"$ref": "#/%d"}, "flags": 0}}}`
		same   = `{"$type": "ObjectType", "name": "t", "properties": {"p%d": {"type": {"$ref": "#/%d"}, "flags": 0}}}`
		union  = `{"$type": "UnionType", "name": "t%d", "elements": [{"$ref": "#/%[2]d"}, {"$ref": "#/%[2]d"}]}`
		choice = `{"$type": "DiscriminatedObjectType", "name": "t%d", "discriminator": "d", "baseProperties": {},
			"elements": {"a": {"$ref": "#/%[2]d"}, "b": {"$ref": "#/%[2]d"}}}`
		action = `{"$type": "ResourceFunctionType", "name": "list", "resourceType": "Contoso.Shop/orders",
			"apiVersion": "2020-01-01", "output": {"$ref": "#/4"}}`
		text, empty = `{"$type": "StringType"}`, `{"$type": "ObjectType", "name": "o", "properties": {}}`
	)
	for name, test := range map[string]struct{ text, want string }{
		"nested arrays":        {strings.Repeat("[", n) + strings.Repeat("]", n), "nested deeper than 1000 levels"},
		"lists of lists":       {body(each(n, list)...), "lists and maps nested deeper than 32 levels"},
		"maps of maps":         {body(each(n, maps)...), "lists and maps nested deeper than 32 levels"},
		"unions of unions":     {body(each(n, union)...), "unions nested deeper than 32 levels"},
		"variants of variants": {body(each(n, choice)...), "unions nested deeper than 32 levels"},
		"2^30 alternatives":    {body(each(30, union)...), ""},
		"2^30 variants":        {body(append(each(30, choice)[:30], empty)...), ""},
		"objects in objects":   {body(each(n, object)...), ""},
		"objects of one name":  {body(each(n/10, same)...), ""},
		"an answer whose objects refer to each other": {body(append([]string{text, action}, webOf(4, 300)...)...), ""},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := biceptypes.Reader{}.Read(documents.Input{
				APIVersion: "2020-01-01", Roots: []string{"types.json"}, Exports: map[string]string{"Contoso.Shop/orders": "Order"},
				Read: func(string) ([]byte, error) { return []byte(test.text), nil },
			})
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want == "":
				documentstest.Check(t, v)
			case err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "types.json:"):
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// webOf returns n objects from an index on, each with a property for each of them.
func webOf(from, n int) []string {
	var properties, types []string
	for i := range n {
		properties = append(properties, fmt.Sprintf(`"p%d": {"type": {"$ref": "#/%d"}}`, i, from+i))
	}
	for range n {
		types = append(types, `{"$type": "ObjectType", "name": "x", "properties": {`+strings.Join(properties, ",")+`}}`)
	}
	return types
}
