package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/generator/crd"
)

// Difference is a member in which our schema differs from controller-tools'.
type Difference struct {
	// Path leads to the member, such as "spec/properties/size/enum".
	Path string
	// Member is the last element of the path.
	Member string
	// Ours and Theirs are the member's JSON values, nil where it is absent.
	Ours, Theirs any
	// Default tells that the version is the one with the full docs.
	Default bool
	// Alias tells that the version is one under an older prefix.
	Alias bool
	// ours and theirs are the schemas that have the member.
	ours, theirs map[string]any
}

// Exception is an intended difference.
type Exception struct {
	Name   string
	Reason string
	Holds  func(d Difference) bool
}

// Exceptions are all intended differences. The test fails if an exception is no
// longer needed.
var Exceptions = []Exception{
	{
		Name: "docs of other versions",
		Reason: "a version that is not the default one has first sentences and the values of enums only, " +
			"an alias has none: descriptions are two thirds of a CRD",
		Holds: func(d Difference) bool {
			ours, ourValues := cutKnown(d.Ours)
			theirs, theirValues := cutKnown(d.Theirs)
			return d.Member == "description" && !d.Default && (ours+ourValues != "" || d.Alias) && strings.HasPrefix(theirs, ours) &&
				(ourValues == theirValues || d.Alias)
		},
	},
	{
		Name: "the Status of other versions",
		Reason: "a version that is not the default one has no schema of the Status but the conditions: clients do not write " +
			"a Status, and an API server would keep the schema in memory",
		Holds: func(d Difference) bool {
			in, isStatus := strings.CutPrefix(d.Path, "properties/status/")
			if !isStatus || d.Default {
				return false
			}
			name, isProperty := strings.CutPrefix(in, "properties/")
			return isProperty && d.Ours == nil && name == d.Member && name != "conditions" && name != "observedGeneration" ||
				in == "x-kubernetes-preserve-unknown-fields" && d.Ours == true ||
				in == "description" && saysWhere(d)
		},
	},
	{
		Name:   "unions in lists and maps",
		Reason: "an API server refuses rules that may cost too much where they are checked for each element; oneOf costs nothing there",
		Holds: func(d Difference) bool {
			if !strings.Contains("/"+d.Path, "/items/") && !strings.Contains("/"+d.Path, "/additionalProperties/") {
				return false
			}
			isOurs := (d.Member == "oneOf" || d.Member == "allOf") && d.Theirs == nil
			isTheirs := d.Member == "x-kubernetes-validations" && d.Ours == nil
			choices := choicesOf(d.ours)
			return (isOurs || isTheirs) && len(choices) > 0 && slices.Equal(choices, rulesOf(d.theirs))
		},
	},
	{
		Name: "lists and maps that recurse",
		Reason: "where a recursive type stops, ours still says that the property is a list or a map; " +
			"controller-tools has no marker for the elements",
		Holds: func(d Difference) bool {
			return d.theirs["x-kubernetes-preserve-unknown-fields"] == true && d.theirs["type"] == nil &&
				slices.Contains([]string{"type", "items", "additionalProperties", "x-kubernetes-preserve-unknown-fields"}, d.Member)
		},
	},
	{
		Name:   "docs of a type that recurses",
		Reason: "where a recursive type stops, ours still says what its type is; controller-tools has the field's own doc only",
		Holds: func(d Difference) bool {
			return d.theirs["x-kubernetes-preserve-unknown-fields"] == true && d.Member == "description" && d.Theirs == nil
		},
	},
	{
		Name:   "a whole Secret",
		Reason: "a reference needs no key where ARM has an object; the Go type is that of all references to Secrets",
		Holds: func(d Difference) bool {
			const key = "Key is the key of the value in the Secret, as JSON."
			text, _ := d.Ours.(string)
			isName := reflect.DeepEqual(d.Ours, []any{"name"}) && reflect.DeepEqual(d.Theirs, []any{"key", "name"})
			return d.Member == "required" && isName ||
				strings.HasSuffix(d.Path, "/key/description") && strings.HasPrefix(text, key)
		},
	},
	{
		Name:   "limits of a map's values",
		Reason: "controller-tools has no marker for them",
		Holds: func(d Difference) bool {
			return strings.Contains("/"+d.Path, "/additionalProperties/") && d.Theirs == nil &&
				slices.Contains([]string{"pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
					"exclusiveMaximum", "multipleOf", "minItems", "maxItems"}, d.Member)
		},
	},
}

// saysWhere reports whether a description is the first sentence of theirs, and says where
// the rest is.
func saysWhere(d Difference) bool {
	ours, _ := d.Ours.(string)
	theirs, _ := d.Theirs.(string)
	first, command, found := strings.Cut(ours, "The rest is described at the default version: ")
	return found && command != "" && strings.HasPrefix(oneLine(theirs), strings.TrimRight(first, ". "))
}

// cutKnown returns a description on one line, and the values of an open enum, which
// all descriptions end in.
func cutKnown(description any) (text, values string) {
	text, _ = description.(string)
	text, values, _ = strings.Cut(oneLine(text), "Known values: ")
	return strings.TrimSpace(text), values
}

var names = regexp.MustCompile(`has\(self\.(\w+)\)`)

// rulesOf returns what the CEL rules of a schema say of how many of some properties are set, such as "a b <= 1",
// sorted.
func rulesOf(schema map[string]any) (all []string) {
	list, _ := schema["x-kubernetes-validations"].([]any)
	for _, r := range list {
		rule, _ := r.(map[string]any)["rule"].(string)
		var of []string
		for _, match := range names.FindAllStringSubmatch(rule, -1) {
			of = append(of, match[1])
		}
		slices.Sort(of)
		all = append(all, choice(slices.Compact(of), !strings.HasSuffix(rule, "<= 1")))
	}
	slices.Sort(all)
	return all
}

// choicesOf returns the same of what a schema says by conditions: a oneOf for the variants of a union, and an allOf for
// texts and the references to them.
func choicesOf(schema map[string]any) (all []string) {
	if of, required := branches(schema["oneOf"]); len(of) > 0 {
		all = append(all, choice(of, required))
	}
	list, _ := schema["allOf"].([]any)
	for _, each := range list {
		condition, _ := each.(map[string]any)
		if of, required := branches(condition["oneOf"]); len(of) > 0 {
			all = append(all, choice(of, required))
		} else if not, isNot := condition["not"].(map[string]any); isNot {
			all = append(all, choice(texts(not["required"]), false))
		}
	}
	slices.Sort(all)
	return all
}

func choice(of []string, required bool) string {
	if required {
		return strings.Join(of, " ") + " == 1"
	}
	return strings.Join(of, " ") + " <= 1"
}

// branches returns the properties of a oneOf of which each branch requires one, and whether there is no branch for
// none.
func branches(oneOf any) (of []string, required bool) {
	list, _ := oneOf.([]any)
	required = true
	for _, b := range list {
		branch, _ := b.(map[string]any)
		if one := texts(branch["required"]); len(one) == 1 {
			of = append(of, one[0])
		}
		required = required && branch["not"] == nil
	}
	return of, required
}

func texts(list any) (all []string) {
	elements, _ := list.([]any)
	for _, e := range elements {
		text, _ := e.(string)
		all = append(all, text)
	}
	return all
}

// Compare returns the differences of two schemas of a version, except for white
// space in descriptions. That there are no descriptions, no Go comment says.
func Compare(ours, theirs *apiextensionsv1.JSONSchemaProps, isDefault, isAlias bool) ([]Difference, error) {
	described := *ours
	described.Description = strings.TrimSuffix(ours.Description, " "+crd.WithoutDocs)
	a, err := generic(&described)
	if err != nil {
		return nil, err
	}
	b, err := generic(theirs)
	if err != nil {
		return nil, err
	}
	c := comparison{isDefault: isDefault, isAlias: isAlias}
	c.compare("", a, b)
	return c.found, nil
}

type comparison struct {
	isDefault, isAlias bool
	found              []Difference
}

// compare walks two objects. It descends into a member that is an object in both,
// and compares other members as a whole.
func (c *comparison) compare(path string, ours, theirs map[string]any) {
	members := slices.Collect(maps.Keys(ours))
	for member := range theirs {
		if _, both := ours[member]; !both {
			members = append(members, member)
		}
	}
	slices.Sort(members)
	for _, member := range members {
		a, b := ours[member], theirs[member]
		at := strings.TrimPrefix(path+"/"+member, "/")
		objectA, isA := a.(map[string]any)
		objectB, isB := b.(map[string]any)
		switch {
		case isA && isB:
			c.compare(at, objectA, objectB)
		case member == "description" && oneLine(fmt.Sprint(a)) == oneLine(fmt.Sprint(b)):
		case !reflect.DeepEqual(a, b):
			c.found = append(c.found, Difference{
				Path: at, Member: member, Ours: a, Theirs: b, Default: c.isDefault, Alias: c.isAlias,
				ours: ours, theirs: theirs,
			})
		}
	}
}

// generic returns a value as encoding/json decodes it.
func generic(value any) (map[string]any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var object map[string]any
	return object, json.Unmarshal(text, &object)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
