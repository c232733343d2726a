package roundtrip

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// animal is a Spec of an API version, with the shape below.
type animal struct {
	Name    *string     `json:"name,omitempty"`
	Code    *string     `json:"code,omitempty"`
	Legs    *int64      `json:"legs,omitempty"`
	Weight  *float64    `json:"weight,omitempty"`
	Tags    []string    `json:"tags,omitzero"`
	Diet    *diet       `json:"diet,omitempty"`
	Mood    *mood       `json:"mood,omitempty"`
	Size    *size       `json:"size,omitempty"`
	Kind    *animalKind `json:"kind,omitempty"`
	Parents []animal    `json:"parents,omitzero"`
}

type (
	diet string
	mood string
	size int64
)

type animalKind struct {
	Bird *animal `json:"bird,omitempty" arm:"kind=Bird"`
	Fish *animal `json:"fish,omitempty" arm:"kind=Fish"`
}

const animalShape = `{"types": [
  {"name": "animal", "kind": "object", "properties": [
    {"name": "name", "required": true, "type": {"primitive": "string"}, "validation": {"minLength": 2, "maxLength": 3}},
    {"name": "code", "type": {"primitive": "string"}, "validation": {"pattern": "^[a-z]{2}-\\d+$", "maxLength": 6}},
    {"name": "legs", "type": {"primitive": "integer"}, "validation": {"minimum": 0, "maximum": 8, "multipleOf": 2}},
    {"name": "weight", "type": {"primitive": "number"}, "validation": {"minimum": 0, "exclusiveMinimum": true}},
    {"name": "tags", "type": {"items": {"primitive": "string"}}, "validation": {"minItems": 1, "maxItems": 2}, "itemValidation": {"maxLength": 1}},
    {"name": "diet", "type": {"named": "diet"}},
    {"name": "mood", "type": {"named": "mood"}},
    {"name": "size", "type": {"named": "size"}},
    {"name": "kind", "type": {"named": "animalKind"}},
    {"name": "parents", "type": {"items": {"named": "animal"}}}
  ]},
  {"name": "animalKind", "kind": "object", "discriminator": "kind", "properties": [
    {"name": "bird", "variant": "Bird", "type": {"named": "animal"}},
    {"name": "fish", "variant": "Fish", "type": {"named": "animal"}}
  ]},
  {"name": "diet", "kind": "enum", "base": "string", "values": [{"value": "Grass"}, {"value": "Meat"}]},
  {"name": "mood", "kind": "enum", "base": "string", "open": true, "values": [{"value": "Calm"}]},
  {"name": "size", "kind": "enum", "base": "integer", "values": [{"value": "1"}, {"value": "2"}]}
]}`

func animals(t *testing.T) map[string]*shape {
	t.Helper()
	s := new(shape)
	if err := json.Unmarshal([]byte(animalShape), s); err != nil {
		t.Fatal(err)
	}
	return map[string]*shape{reflect.TypeFor[animal]().PkgPath(): s.index()}
}

// Valid objects are valid, and have everything that they may have.
func TestValidObjectsAreValidAndOfEveryKind(t *testing.T) {
	shapes := animals(t)
	seen := map[string]int{}
	var look func(a *animal)
	look = func(a *animal) {
		count := func(what string, is bool) {
			if is {
				seen[what]++
			}
		}
		count("no code", a.Code == nil)
		count("a code", a.Code != nil)
		count("the least name", utf8.RuneCountInString(*a.Name) == 2)
		count("the longest name", utf8.RuneCountInString(*a.Name) == 3)
		count("an awkward name", strings.ContainsAny(*a.Name, "\"\x00𝒳"))
		count("no legs", a.Legs != nil && *a.Legs == 0)
		count("most legs", a.Legs != nil && *a.Legs == 8)
		count("one tag", len(a.Tags) == 1)
		count("two tags", len(a.Tags) == 2)
		count("nil tags", a.Tags == nil)
		count("grass", a.Diet != nil && *a.Diet == "Grass")
		count("meat", a.Diet != nil && *a.Diet == "Meat")
		count("calm", a.Mood != nil && *a.Mood == "Calm")
		count("a mood of its own", a.Mood != nil && *a.Mood != "Calm")
		count("size 2", a.Size != nil && *a.Size == 2)
		count("nil parents", a.Parents == nil)
		count("empty parents", a.Parents != nil && len(a.Parents) == 0)
		count("three parents", len(a.Parents) == 3)
		if a.Kind != nil {
			count("a bird", a.Kind.Bird != nil)
			count("a fish", a.Kind.Fish != nil)
			for _, variant := range []*animal{a.Kind.Bird, a.Kind.Fish} {
				if variant != nil {
					look(variant)
				}
			}
		}
		for i := range a.Parents {
			look(&a.Parents[i])
		}
	}
	for seed := range int64(200) {
		filler := NewFiller(seed)
		filler.shapes, filler.valid = shapes, true
		object := &struct{ Spec animal }{}
		filler.Fill(object)
		for _, p := range problems(shapes, object) {
			t.Fatalf("seed %d: %s: %s", seed, p.path, p.what)
		}
		look(&object.Spec)
	}
	for _, what := range []string{
		"no code", "a code", "the least name", "the longest name", "an awkward name", "no legs", "most legs",
		"one tag", "two tags", "nil tags", "grass", "meat", "calm", "a mood of its own", "size 2",
		"nil parents", "empty parents", "three parents", "a bird", "a fish",
	} {
		if seen[what] == 0 {
			t.Errorf("no valid object has %s", what)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// Each rule of a shape is asked for.
func TestWhatIsNotValidIsFound(t *testing.T) {
	shapes := animals(t)
	for _, test := range []struct {
		animal animal
		want   string
	}{
		{animal{Name: ptr("ab")}, ""},
		{animal{}, "name: it is required, and absent"},
		{animal{Name: ptr("a")}, `name: "a" is shorter than 2`},
		{animal{Name: ptr("𝒳𝒳𝒳𝒳")}, `name: "𝒳𝒳𝒳𝒳" is longer than 3`},
		{animal{Name: ptr("ab"), Code: ptr("x")}, `code: "x" does not match ^[a-z]{2}-\d+$`},
		{animal{Name: ptr("ab"), Legs: ptr(int64(3))}, "legs: 3 is no multiple of 2"},
		{animal{Name: ptr("ab"), Legs: ptr(int64(10))}, "legs: 10 is more than 8"},
		{animal{Name: ptr("ab"), Weight: ptr(0.0)}, "weight: 0 is less than 0"},
		{animal{Name: ptr("ab"), Tags: []string{}}, "tags: 0 elements are fewer than 1"},
		{animal{Name: ptr("ab"), Tags: []string{"ab"}}, `tags[0]: "ab" is longer than 1`},
		{animal{Name: ptr("ab"), Diet: ptr(diet("Fish"))}, "diet: Fish is none of the values of diet"},
		{animal{Name: ptr("ab"), Mood: ptr(mood("Wild"))}, ""},
		{animal{Name: ptr("ab"), Size: ptr(size(3))}, "size: 3 is none of the values of size"},
		{animal{Name: ptr("ab"), Kind: &animalKind{}}, "kind: it has 0 variants"},
		{animal{Name: ptr("ab"), Parents: []animal{{}}}, "parents[0].name: it is required, and absent"},
	} {
		var got []string
		for _, p := range problems(shapes, &test.animal) {
			got = append(got, p.path+": "+p.what)
		}
		if strings.Join(got, "\n") != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// A property is excused only where a version asks something else of it.
func TestPropertiesAreComparedByWhatIsAskedOfThem(t *testing.T) {
	a := animals(t)[reflect.TypeFor[animal]().PkgPath()]
	for _, property := range []string{"name", "code", "diet", "kind", "tags"} {
		b := animals(t)[reflect.TypeFor[animal]().PkgPath()]
		of := owner{"animal", property}
		if !sameRules(a, b, of) {
			t.Errorf("%s: the same is another", property)
		}
		p := b.types["animal"].properties[property]
		switch property {
		case "name":
			p.Required = false
		case "code":
			p.Validation.Pattern = "x"
		case "diet":
			b.types["diet"].Values = b.types["diet"].Values[:1]
		case "kind":
			of = owner{"animalKind", ""}
			b.types["animalKind"].Properties = b.types["animalKind"].Properties[:1]
		case "tags":
			p.ItemValidation = nil
		}
		if sameRules(a, b, of) {
			t.Errorf("%s: another is the same", property)
		}
	}
}

// Every edit is made, and each changes the object.
func TestEveryEditOccurs(t *testing.T) {
	seen := map[string]bool{}
	for seed := range int64(400) {
		filler := NewFiller(seed)
		object := &struct{ Spec everything }{}
		filler.Fill(object)
		var sites []*edit
		sites = filler.collectEdits(reflect.ValueOf(object).Elem().Field(0), []any{"Spec"}, 1)
		for range 5 {
			e := sites[filler.rand.Intn(len(sites))]
			seen[e.op] = true
		}
	}
	for _, op := range []string{set, clearIt, emptyIt, insert, remove, move, reorder, variant} {
		if !seen[op] {
			t.Errorf("no edit is: %s", op)
		}
	}
}
