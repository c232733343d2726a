package roundtrip

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// animal is a Spec of an API version, with the rules below.
type animal struct {
	Name    *string     `json:"name,omitempty"`
	Code    *string     `json:"code,omitempty"`
	Legs    *int64      `json:"legs,omitempty"`
	Eyes    *int64      `json:"eyes,omitempty"`
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

// animalRules returns rules with all that rules may have.
func animalRules() Rules {
	one, two, three, six := int64(1), int64(2), int64(3), int64(6)
	zero, even, odd, eight := 0.0, 2.0, 3.0, 8.0
	return Rules{
		"animal": {Properties: map[string]*PropertyRules{
			"name":    {Required: true, Type: "string", Limits: &Limits{MinLength: &two, MaxLength: &three}},
			"code":    {Type: "string", Limits: &Limits{Pattern: `^[a-z]{2}-\d+$`, MaxLength: &six}},
			"legs":    {Type: "integer", Limits: &Limits{Minimum: &zero, Maximum: &eight, MultipleOf: &even}},
			"eyes":    {Type: "integer", Limits: &Limits{MultipleOf: &odd}},
			"weight":  {Type: "number", Limits: &Limits{Minimum: &zero, ExclusiveMinimum: true}},
			"tags":    {Type: "[]string", Limits: &Limits{MinItems: &one, MaxItems: &two}, ElementLimits: &Limits{MaxLength: &one}},
			"diet":    {Type: "diet", Enum: "diet"},
			"mood":    {Type: "mood", Enum: "mood"},
			"size":    {Type: "size", Enum: "size"},
			"kind":    {Type: "animalKind"},
			"parents": {Type: "[]animal"},
		}},
		"animalKind": {
			Properties: map[string]*PropertyRules{"bird": {Type: "animal"}, "fish": {Type: "animal"}},
			Variants:   []string{"bird", "fish"},
		},
		"diet": {Values: []string{"Grass", "Meat"}},
		"mood": {Values: []string{"Calm"}, Open: true},
		"size": {Values: []string{"1", "2"}},
	}
}

func animals() map[string]Rules {
	return map[string]Rules{reflect.TypeFor[animal]().PkgPath(): animalRules()}
}

func TestFiller(t *testing.T) {
	t.Run("valid objects are valid, and have everything that they may have", fillsValidObjects)
	t.Run("everything awkward occurs", fillsAwkwardValues)
	t.Run("one seed makes the same object again", fillsTheSameFromOneSeed)
	t.Run("every edit is made", makesEveryEdit)
	t.Run("what JSON lacks is neither filled nor edited", leavesHiddenFields)
}

func leavesHiddenFields(t *testing.T) {
	type part struct {
		Shown  *string           `json:"shown,omitempty"`
		Hidden map[string]string `json:"-"`
	}
	var object struct {
		Part *part `json:"part,omitempty"`
	}
	steps := map[any]bool{}
	for seed := range int64(50) {
		f := NewFiller(seed)
		f.Fill(&object)
		if object.Part != nil && object.Part.Hidden != nil {
			t.Fatalf("seed %d: found %v", seed, object.Part.Hidden)
		}
		for _, s := range f.collectSites(nil, reflect.ValueOf(&object).Elem(), new(trail), 1) {
			steps[s.at.step] = true
		}
	}
	if !steps["Shown"] || steps["Hidden"] {
		t.Errorf("edits are at %v", steps)
	}
}

func fillsValidObjects(t *testing.T) {
	rules := animals()
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
		count("an even number of eyes", a.Eyes != nil && *a.Eyes%6 == 0)
		count("an odd number of eyes", a.Eyes != nil && *a.Eyes%6 != 0)
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
		filler := newVocabulary(nil, nil, rules).filler(seed, 0)
		filler.valid = true
		object := &struct{ Spec animal }{}
		filler.Fill(object)
		for _, p := range problems(rules, object) {
			t.Fatalf("seed %d: %s: %s", seed, p.path, p.what)
		}
		look(&object.Spec)
	}
	for _, what := range []string{
		"no code", "a code", "an even number of eyes", "an odd number of eyes",
		"the least name", "the longest name", "an awkward name", "no legs", "most legs",
		"one tag", "two tags", "nil tags", "grass", "meat", "calm", "a mood of its own", "size 2",
		"nil parents", "empty parents", "three parents", "a bird", "a fish",
	} {
		if seen[what] == 0 {
			t.Errorf("no valid object has %s", what)
		}
	}
}

// filter is a type that has to have two of itself in a list, as those of Azure's cost management have.
type filter struct {
	And  []filter `json:"and,omitzero"`
	Name *string  `json:"name,omitempty"`
}

func TestRecursion(t *testing.T) {
	rules := map[string]Rules{reflect.TypeFor[filter]().PkgPath(): {"filter": {Properties: map[string]*PropertyRules{
		"and": {Type: "[]filter", Limits: &Limits{MinItems: ptr(int64(2))}}, "name": {Type: "string"},
	}}}}
	nested := 0
	for seed := range int64(50) {
		filler := newVocabulary(nil, nil, rules).filler(seed, 0)
		filler.valid = true
		object := &struct{ Spec filter }{}
		filler.Fill(object)
		if len(object.Spec.And) > 0 {
			nested++
		}
		for _, p := range problems(rules, object) {
			t.Fatalf("seed %d: %s: %s", seed, p.path, p.what)
		}
	}
	if nested == 0 {
		t.Error("no list has elements")
	}
}

func ptr[T any](v T) *T { return &v }

func TestProblems(t *testing.T) {
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
		for _, p := range problems(animals(), &test.animal) {
			got = append(got, p.path+": "+p.what)
		}
		if strings.Join(got, "\n") != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestSameRules(t *testing.T) {
	for _, test := range []struct {
		name   string
		of     owner
		change func(Rules)
	}{
		{"another property is required", owner{"animal", "name"}, func(r Rules) { r["animal"].Properties["name"].Required = false }},
		{"another pattern", owner{"animal", "code"}, func(r Rules) { r["animal"].Properties["code"].Limits.Pattern = "x" }},
		{"another type", owner{"animal", "code"}, func(r Rules) { r["animal"].Properties["code"].Type = "integer" }},
		{"an enum with fewer members", owner{"animal", "diet"}, func(r Rules) { r["diet"].Values = r["diet"].Values[:1] }},
		{"an enum that is open", owner{"animal", "diet"}, func(r Rules) { r["diet"].Open = true }},
		{"a union with fewer variants", owner{"animalKind", ""}, func(r Rules) { r["animalKind"].Variants = r["animalKind"].Variants[:1] }},
		{"a union that may have no variant", owner{"animalKind", ""}, func(r Rules) { r["animalKind"].VariantOptional = true }},
		{"elements without limits", owner{"animal", "tags"}, func(r Rules) { r["animal"].Properties["tags"].ElementLimits = nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			other := animalRules()
			if !sameRules(animalRules(), other, test.of) {
				t.Error("the same rules differ")
			}
			test.change(other)
			if sameRules(animalRules(), other, test.of) {
				t.Error("the rules are the same")
			}
		})
	}
}

func makesEveryEdit(t *testing.T) {
	seen := map[string]bool{}
	for seed := range int64(400) {
		filler := NewFiller(seed)
		object := &struct{ Spec everything }{}
		filler.Fill(object)
		sites := filler.collectSites(nil, reflect.ValueOf(object).Elem().Field(0), &trail{step: "Spec"}, 1)
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
