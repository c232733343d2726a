package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/google/go-cmp/cmp"
)

const whole = `exports:
  Contoso.Crm/people: {kind: Person, plural: persons, shortNames: [pe], hub: 2013-03-03, aliases: [{prefix: v1old, versions: [2012-02-02], until: "1.2"}]}
  Contoso.Crm/people/pets:
    kind: Pet
names:
  - {type: Person, arm: properties/name, name: fullName}
properties:
  Person.employerId: reference
  Person.friends: {children: Contoso.Crm/people/friends}
  Person.pets: [untyped, {not: children, why: they are words}]
  Person.pin: [secret, createOnly] # the name says so
  Person.taxId:
    - {not: reference, why: a number}
    - {not: secret, why: everybody knows it}
outputs:
  Contoso.Crm/people:
    code: {action: listKeys, path: "keys[name=door].value", encoding: base64}
    age: {status: age}
changes:
  - {property: Person.alphaKey, since: 2015-05-05, renamed: sortKey}
  - {property: Person.fax, since: 2016-06-06, removed: nobody has one}
  - {type: Address, since: "2019-09-09", renamed: Location}
waivers:
  - {law: Frame, property: Person.sortKey, versions: [2013-03-03], reason: computed}
`

func parse(t *testing.T, text string) *Group {
	t.Helper()
	g, err := Parse("group.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestParse(t *testing.T) {
	g := parse(t, whole)
	g.positions = nil
	want := &Group{
		Exports: map[string]*Export{
			"Contoso.Crm/people": {Kind: "Person", Plural: "persons", ShortNames: []string{"pe"},
				Hub: "2013-03-03", Aliases: []*Alias{{Prefix: "v1old", Versions: []string{"2012-02-02"}, Until: "1.2"}}},
			"Contoso.Crm/people/pets": {Kind: "Pet"},
		},
		Names: []Name{{"Person", "properties/name", "fullName"}},
		Properties: Properties{
			"Person.employerId": {{Name: Reference}},
			"Person.friends":    {{Name: Children, Type: "Contoso.Crm/people/friends"}},
			"Person.pets":       {{Name: Untyped}, {Name: Children, Not: true, Why: "they are words"}},
			"Person.pin":        {{Name: Secret}, {Name: CreateOnly}},
			"Person.taxId": {{Name: Reference, Not: true, Why: "a number"},
				{Name: Secret, Not: true, Why: "everybody knows it"}},
		},
		Outputs: map[string]map[string]*Output{"Contoso.Crm/people": {
			"code": {Action: "listKeys", Path: "keys[name=door].value", Encoding: "base64"}, "age": {Status: "age"},
		}},
		Changes: []Change{
			{Property: "Person.alphaKey", Since: "2015-05-05", Renamed: "sortKey"},
			{Property: "Person.fax", Since: "2016-06-06", Removed: "nobody has one"},
			{Type: "Address", Since: "2019-09-09", Renamed: "Location"},
		},
		Waivers: []Waiver{{"Frame", "Person.sortKey", []string{"2013-03-03"}, "api", "computed"}},
		File:    "group.yaml",
	}
	if diff := cmp.Diff(want, g, cmp.AllowUnexported(Group{})); diff != "" {
		t.Error(diff)
	}
}

func TestPosition(t *testing.T) {
	g := parse(t, whole)
	for _, test := range []struct {
		reason       string
		path         []any
		line, column int
	}{
		{"an export stands where its key does", at("exports", "Contoso.Crm/people"), 2, 3},
		{"a value", at("exports", "Contoso.Crm/people", "hub"), 2, 78},
		{"a property stands where its key does", at("properties", "Person.pin"), 11, 3},
		{"a mark", at("properties", "Person.employerId", 0), 8, 22},
		{"a mark of several", at("properties", "Person.pin", 1), 11, 24},
		{"a value of an element", at("changes", 0, "renamed"), 20, 61},
		{"an absent value stands where its parent does", at("exports", "Contoso.Crm/people/pets", "hub"), 3, 3},
		{"an absent list stands where the file does", at("conversions", 3), 1, 1},
	} {
		if line, column := g.Position(test.path...); line != test.line || column != test.column {
			t.Errorf("%s: %v: got %d:%d, want %d:%d", test.reason, test.path, line, column, test.line, test.column)
		}
	}
}

func TestParseErrors(t *testing.T) {
	all, opposites := strings.Join(names(isAny), ", "), strings.Join(names(hasOpposite), ", ")
	const ok = "exports:\n  Contoso.Crm/people: {kind: Person}\n"
	const corrects = "corrects a spec, so it needs why, the reason, and source, a public page or a line of a spec; expected a form such as "
	const source = `: "ARM refuses it", source: "https://…"}, or a source such as "signalr.json:12 of 2024-03-01"`
	fifty := strings.Repeat("x", 50)
	const tooLong = " has 60 characters; expected at most 59, because Kubernetes allows its list 63, such as "
	for _, test := range []struct{ reason, text, want string }{
		{"not YAML", "exports: [", "group.yaml:1:1: not YAML: did not find expected node content"},
		{"an empty file", "",
			"group.yaml: nothing is exported; list the resource types to publish, such as exports: {Microsoft.Cache/redis: {kind: Redis}}"},
		{"no exports", "exports: {}\n",
			"group.yaml:1:10: nothing is exported; list the resource types to publish, such as exports: {Microsoft.Cache/redis: {kind: Redis}}"},
		{"a list for a mapping", "- exports\n", "group.yaml:1:1: the file is a list; expected a mapping"},
		{"two documents", ok + "---\n" + ok, "group.yaml:4:1: found a second document; a group.yaml is one document"},
		{"an unknown key", ok + "propertys: {}\n",
			`group.yaml:3:1: unknown key "propertys"; did you mean "properties"?; the keys here are changes, exports, hubNotAfter, names, notOutputs, outputs, properties, proposedChanges, retired, waivers`},
		{"a key of a later version", ok + "manual: []\n",
			`group.yaml:3:1: unknown key "manual"; the keys here are changes, exports, hubNotAfter, names, notOutputs, outputs, properties, proposedChanges, retired, waivers`},
		{"an unknown key of an export", "exports:\n  Contoso.Crm/people: {kind: Person, shortnames: [p]}\n",
			`group.yaml:2:38: unknown key "shortnames"; did you mean "shortNames"?; the keys here are aliases, azureNames, hub, kind, name, nameForm, plural, shortNames`},
		{"a name without its source, and with an impossible length",
			"exports:\n  Contoso.Crm/people: {kind: Person, name: {minLength: 3, maxLength: 2}}\n",
			"group.yaml:2:44: name " + strings.TrimSuffix(corrects, " ") + ` {maxLength: 24, why: "ARM refuses more", source: "https://…"}
group.yaml:2:44: no value is within the limits {minLength: 3, maxLength: 2}`},
		{"names in Azure that are none", "exports:\n  Contoso.Crm/people: {kind: Person, azureNames: [ann, a/b, Ann, '']}\n",
			"group.yaml:2:56: \"a/b\" is not the name of a resource in Azure; expected a text without \"/\"\n" +
				"group.yaml:2:61: \"Ann\" is listed twice; ARM compares names without case\n" +
				"group.yaml:2:66: \"\" is not the name of a resource in Azure; expected a text without \"/\""},
		{"a key twice", ok + "retired: []\nretired: []\n", `group.yaml:4:1: "retired" is given twice; first on line 3`},
		{"a string for a list", ok + "retired: all\n", "group.yaml:3:10: retired is a string; expected a list"},
		{"a mapping for a string", ok + "retired: [{Person: pin}]\n",
			"group.yaml:3:11: entry 1 of retired is a mapping; expected a string"},
		{"nothing for a mapping", "exports:\n  Contoso.Crm/people:\n", "group.yaml:2:22: Contoso.Crm/people is empty; expected a mapping"},
		{"a number for a string", "exports:\n  Contoso.Crm/people: {kind: 1}\n",
			`group.yaml:2:30: kind is the number 1; expected a string; quote it: "1"`},
		{"a boolean for a string", "exports:\n  Contoso.Crm/people: {kind: true}\n",
			`group.yaml:2:30: kind is the boolean true; expected a string; quote it: "true"`},
		{"all errors at once", "exports: 1\nretired: x\n",
			"group.yaml:1:10: exports is the number 1; expected a mapping\ngroup.yaml:2:10: retired is a string; expected a list"},
		{"not an ARM type", "exports:\n  people: {kind: Person}\n",
			`group.yaml:2:3: "people" is not an ARM resource type; expected a form such as Microsoft.Cache/redis/firewallRules`},
		{"no kind", "exports:\n  Contoso.Crm/people: {}\n",
			"group.yaml:2:3: Contoso.Crm/people lacks its kind; add one, such as kind: People"},
		{"a kind in small letters", "exports:\n  Contoso.Crm/people: {kind: person}\n",
			`group.yaml:2:30: "person" is not a kind; expected letters and digits, the first a capital`},
		{"a kind of 60 characters", "exports:\n  Contoso.Crm/people: {kind: Longperson" + fifty + "}\n",
			"group.yaml:2:30: the kind Longperson" + fifty + tooLong + "Longperson" + fifty[1:]},
		{"a kind of two words, which is too long", "exports:\n  Contoso.Crm/people: {kind: VeryLong" + fifty + "xx}\n",
			"group.yaml:2:30: the kind VeryLong" + fifty + "xx" + tooLong + "Long" + fifty + "xx"},
		{"a long kind, of which a shorter form is taken",
			"exports:\n  Contoso.Crm/people: {kind: VeryLongP" + fifty + "x}\n  Contoso.Crm/long: {kind: LongP" + fifty + "x}\n",
			"group.yaml:2:30: the kind VeryLongP" + fifty + "x" + tooLong + "P" + fifty + "x"},
		{"a plural of 64 characters", "exports:\n  Contoso.Crm/people: {kind: Person, plural: peopleinpublic" + fifty + "}\n",
			"group.yaml:2:46: the plural peopleinpublic" + fifty +
				" has 64 characters; expected at most 63, such as persons, which it is without this entry"},
		{"one type twice", ok + "  contoso.crm/People: {kind: Human}\n",
			"group.yaml:3:3: contoso.crm/People is already exported as Contoso.Crm/people; ARM compares types without case"},
		{"another provider", ok + "  Contoso.Erp/orders: {kind: Order}\n",
			"group.yaml:3:3: Contoso.Erp/orders is of another provider than Contoso.Crm; a group exports one provider's types"},
		{"a kind that generated packages declare", ok + "  Contoso.Crm/groupVersions: {kind: GroupVersion}\n" +
			"  Contoso.Crm/enums: {kind: enums}\n  Contoso.Crm/addToSchemes: {kind: Addtoscheme}\n",
			"group.yaml:3:37: the kind GroupVersion is the name of what each generated package declares; expected another, " +
				"such as GroupVersionResource\n" +
				"group.yaml:4:29: \"enums\" is not a kind; expected letters and digits, the first a capital\n" +
				"group.yaml:5:36: the kind Addtoscheme is the name of what each generated package declares; expected another, " +
				"such as AddtoschemeResource"},
		{"one kind twice", ok + "  Contoso.Crm/humans: {kind: Person}\n",
			"group.yaml:3:30: the kind Person is already that of Contoso.Crm/people; give one of them another"},
		{"kinds compare without case", ok + "  Contoso.Crm/humans: {kind: PERSON}\n",
			"group.yaml:3:3: the plural persons is already that of Contoso.Crm/people; give one of them another\ngroup.yaml:3:30: the kind PERSON is already that of Contoso.Crm/people; give one of them another"},
		{"a kind that is another's list", ok + "  Contoso.Crm/lists: {kind: PersonList}\n",
			"group.yaml:3:29: the kind PersonList is already that of Contoso.Crm/people; give one of them another"},
		{"a list that is another's kind",
			"exports:\n  Contoso.Crm/lists: {kind: PersonList}\n  Contoso.Crm/people: {kind: Person}\n",
			"group.yaml:3:30: the list of the kind Person would have the name of the kind of Contoso.Crm/lists; give one of them another kind"},
		{"one plural twice", ok + "  Contoso.Crm/humans: {kind: Human, plural: persons}\n",
			"group.yaml:3:45: the plural persons is already that of Contoso.Crm/people; give one of them another"},
		{"a capital in a plural", "exports:\n  Contoso.Crm/people: {kind: Person, plural: People}\n",
			`group.yaml:2:46: "People" is not a plural name; expected small letters and digits`},
		{"a short name twice", "exports:\n  Contoso.Crm/people: {kind: Person, shortNames: [p, P!, p]}\n",
			"group.yaml:2:54: \"P!\" is not a short name; expected small letters and digits\ngroup.yaml:2:58: the short name p is already that of Contoso.Crm/people; remove one of them"},
		{"a hub that is not a version", "exports:\n  Contoso.Crm/people: {kind: Person, hub: newest}\n",
			`group.yaml:2:43: "newest" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview`},
		{"invalid aliases", "exports:\n  Contoso.Crm/people:\n    kind: Person\n    aliases:\n" +
			"    - {prefix: v1old, versions: [2012-02-02, 2012-02-02], until: soon}\n    - {prefix: v1old}\n    - {prefix: V1}\n",
			"group.yaml:5:46: 2012-02-02 is listed twice\n" +
				"group.yaml:5:66: \"soon\" is not a release; expected numbers such as \"1.2\"\n" +
				"group.yaml:6:7: it lacks versions; list the ARM versions that have aliases with the prefix\n" +
				"group.yaml:6:16: v1old is listed twice; put the versions of both into one entry\n" +
				"group.yaml:7:7: it lacks versions; list the ARM versions that have aliases with the prefix\n" +
				"group.yaml:7:16: \"V1\" is not a prefix of aliases; expected small letters and digits, the first a letter, such as v1alpha1api"},
		{"an invalid name", ok + "names: [{type: Person, arm: id, name: the-id}]\n",
			`group.yaml:3:39: "the-id" is not a property name; expected letters and digits, the first a small one`},
		{"a name lacks its parts", ok + "names: [{type: Person}]\n",
			"group.yaml:3:9: the entry lacks arm\ngroup.yaml:3:9: the entry lacks name"},
		{"a name twice", ok + "names: [{type: Person, arm: id, name: a}, {type: Person, arm: id, name: b}]\n",
			"group.yaml:3:43: Person.id is named twice"},
		{"an invalid property", ok + "properties: {pin: secret}\n",
			`group.yaml:3:14: "pin" is not a property; expected a form such as Redis.subnetId`},
		{"a property twice", ok + "properties:\n  Person.pin: secret\n  Person.pin: createOnly\n",
			`group.yaml:5:3: "Person.pin" is given twice; first on line 4`},
		{"no mark", ok + "properties: {Person.pin: []}\n",
			"group.yaml:3:14: Person.pin has no mark; expected " + all + ", or several of these"},
		{"a mark that is neither a name nor a mapping", ok +
			"properties:\n  Person.pin: 1\n  Person.puk: [secret, [createOnly]]\n  Person.tan:\n",
			`group.yaml:4:15: entry 1 of Person.pin is the number 1; expected a string; quote it: "1"
group.yaml:5:24: entry 2 of Person.puk is a list; expected a string
group.yaml:6:14: entry 1 of Person.tan is empty; expected a string`},
		{"a mark that nobody knows", ok + "properties: {Person.pin: [secrets, holy]}\n",
			`group.yaml:3:27: "secrets" is no mark; did you mean "secret"?; the marks are ` + all + `
group.yaml:3:36: "holy" is no mark; the marks are ` + all},
		{"keys of a list without their evidence, or with evidence that merge contradicts", ok + "properties: {P.a: {listKeys: [n], " +
			"source: \"https://example.com\"}, P.b: {listKeys: [n], merge: never}, P.c: {listKeys: [n], merge: only, why: w, " +
			"source: \"https://example.com\"}, P.d: {is: readOnly, merge: only, why: w, source: \"https://example.com\"}}\n",
			`group.yaml:3:19: listKeys lacks its reason or its source; expected a form such as {listKeys: [name], why: "names are unique", source: "hub.json:12 of 2024-03-01"}
group.yaml:3:72: merge is "never"; expected "only", and beside listKeys
group.yaml:3:108: either the API server has the keys, because source shows that ARM refuses a second element, or merge is only; remove one of the two
group.yaml:3:182: merge is "only"; expected "only", and beside listKeys`},
		{"a key that no mark has", ok + "properties: {Person.pin: {so: secret}}\n",
			`group.yaml:3:27: unknown key "so"; the keys here are children, enum, is, limits, listKeys, merge, missing, not, resourceTypes, source, why`},
		{"a mark without a name, and one with two", ok +
			"properties: {Person.pin: {why: w}, Person.pets: {not: secret, why: w, children: Contoso.Crm/people/pets}}\n",
			`group.yaml:3:26: a mark is a name, or it has one of is, not, children, enum, limits, listKeys, missing and resourceTypes; expected ` + all + `, or a form such as {not: reference, why: "it is a name"}
group.yaml:3:49: a mark is a name, or it has one of is, not, children, enum, limits, listKeys, missing and resourceTypes; expected ` + all + `, or a form such as {not: reference, why: "it is a name"}`},
		{"a mark that is negated without a reason", ok + "properties: {Person.pin: {not: secret}}\n",
			`group.yaml:3:26: the mark lacks why, the reason; expected a form such as {not: secret, why: "it is a name"}`},
		{"a mark that has no opposite", ok + "properties: {Person.pin: {not: untyped, why: w}}\n",
			"group.yaml:3:26: no spec says untyped, so nothing can be not untyped; expected " + opposites},
		{"keys and types without values, and two marks in one", ok +
			"properties: {Person.pets: listKeys, Person.cat: {resourceTypes: [cat]}, " +
			"Person.dogs: {listKeys: [name], children: Contoso.Crm/people/pets}}\n",
			`group.yaml:3:27: listKeys lacks its value; expected a form such as {listKeys: [name]}
group.yaml:3:49: resourceTypes has ARM types, such as Microsoft.Network/virtualNetworks/subnets; found cat
group.yaml:3:86: a mark is a name, or it has one of is, not, children, enum, limits, listKeys, missing and resourceTypes; expected ` + all + `, or a form such as {not: reference, why: "it is a name"}`},
		{"corrections without their source, and limits that nothing keeps", ok +
			"properties: {Person.pin: {is: readOnly, why: w}, Person.a: {not: required, source: 'https://example.com'}, " +
			"Person.b: {limits: {minLength: 2, maxLength: 1}, why: w, source: 'x.json:1 of 2020'}, " +
			"Person.e: {not: secret, why: w, source: 'https://example.com'}}\n",
			`group.yaml:3:26: readOnly ` + corrects + `{is: readOnly, why` + source + `
group.yaml:3:60: not required ` + corrects + `{not: required, why` + source + `
group.yaml:3:118: no value is within the limits {minLength: 2, maxLength: 1}
group.yaml:3:204: not secret has no source: only listKeys and what corrects a spec have; write what there is to say into why`},
		{"what corrects nothing, and a length that is none", ok +
			"properties: {Person.c: {is: secret}, Person.d: {limits: {minLength: a}}}\n",
			"group.yaml:3:29: secret corrects nothing; write its name alone: secret\n" +
				"group.yaml:3:69: minLength is a string; expected a whole number"},
		{"children without a type, or with one of another resource", ok +
			"properties: {Person.pets: children, Person.cats: {children: Contoso.Crm/peopel/cats}, Person.dogs: {children: dogs}}\n",
			`group.yaml:3:27: children lacks its value; expected a form such as {children: Microsoft.Network/virtualNetworks/subnets}
group.yaml:3:50: "Contoso.Crm/peopel/cats" is not a type below one that is exported; did you mean "Contoso.Crm/people"?
group.yaml:3:100: "dogs" is not a type below one that is exported`},
		{"a mark twice", ok + "properties: {Person.pin: [secret, secret]}\n", "group.yaml:3:35: Person.pin is marked secret twice"},
		{"a contradiction", ok + "properties: {Person.pin: [secret, {not: secret, why: w}]}\n",
			"group.yaml:3:35: Person.pin is also marked secret; remove one of the two"},
		{"a reference is not a secret", ok + "properties: {Person.pin: [reference, secret]}\n",
			"group.yaml:3:38: Person.pin is also marked reference; remove one of the two"},
		{"a secret is untyped by itself", ok + "properties: {Person.pin: [secret, untyped]}\n",
			"group.yaml:3:35: Person.pin is also marked secret; remove one of the two"},
		{"outputs of what is not exported", ok + "outputs: {Contoso.Crm/peopel: {a: {status: a}}}\n",
			`group.yaml:3:11: Contoso.Crm/peopel is not exported; did you mean "Contoso.Crm/people"?`},
		{"no outputs", ok + "outputs: {Contoso.Crm/people: {}}\n",
			"group.yaml:3:11: there are no outputs of Contoso.Crm/people; remove the entry, or add one such as primaryKey: {action: listKeys, path: primaryKey}"},
		{"the name of an output", ok + "outputs: {Contoso.Crm/people: {the-key: {status: a}}}\n",
			`group.yaml:3:32: "the-key" is not the name of an output; expected letters and digits, the first a small one`},
		{"what has no outputs", ok + "outputs: {Contoso.Crm/people: {a: {action: k, path: a}}}\n" +
			"notOutputs: {Contoso.Crm/peopel: {l: x}, Contoso.Crm/people: {K: x, l: \"\"}}\n",
			`group.yaml:4:14: Contoso.Crm/peopel is not exported; did you mean "Contoso.Crm/people"?
group.yaml:4:63: Contoso.Crm/people has an output of K; remove one of the two entries
group.yaml:4:69: the entry lacks a reason`},
		{"an output of nothing", ok + "outputs: {Contoso.Crm/people: {a: {}}}\n",
			"group.yaml:3:32: the entry lacks action, or status\ngroup.yaml:3:32: the entry lacks path"},
		{"an output of two", ok + "outputs: {Contoso.Crm/people: {a: {status: a, path: b}}}\n",
			"group.yaml:3:32: a has status, and other keys; expected either status, or action and path"},
		{"an output that leads nowhere", ok + "outputs: {Contoso.Crm/people: {a: {action: list//keys, path: a..b}, b: {status: \"b[x]\"}}}\n", `group.yaml:3:44: "list//keys" is not an action; expected a name such as listKeys or config/publishingcredentials/list
group.yaml:3:62: "a..b" is not a path; expected names with dots, such as primaryKey, keys[0].value or keys[keyName=key1].value
group.yaml:3:81: "b[x]" is not a path; expected names with dots, such as primaryKey, keys[0].value or keys[keyName=key1].value`},
		{"an unknown encoding", ok + "outputs: {Contoso.Crm/people: {a: {action: k, path: a, encoding: hex}}}\n",
			`group.yaml:3:66: "hex" is not an encoding; expected base64, or none`},
		{"a rename to itself", ok + "changes: [{type: A, since: 2012-02-02, renamed: A}, {property: P.a, since: 2012-02-02, renamed: a}]\n",
			"group.yaml:3:11: A is renamed to itself\ngroup.yaml:3:53: a is renamed to itself"},
		{"a change without a version", ok + "changes: [{type: A, renamed: B}]\n", "group.yaml:3:11: the entry lacks since"},
		{"a change of nothing, and of two", ok +
			"changes: [{since: 2012-02-02, renamed: B}, {property: P.a, type: P, since: 2012-02-02, renamed: B}]\n",
			`group.yaml:3:11: expected either the property or the type that changed
group.yaml:3:44: expected either the property or the type that changed`},
		{"nothing that happened, and two things", ok + "changes: [{property: P.a, since: 2012-02-02, removed: \"\"}, " +
			"{property: P.b, since: 2012-02-02, renamed: c, removed: r}]\n",
			`group.yaml:3:11: found nothing that happened to P.a; expected one of renamed, with the new name, moved, with the new path, and removed, with the reason
group.yaml:3:60: found renamed and removed for what happened to P.b; expected one of renamed, with the new name, moved, with the new path, and removed, with the reason`},
		{"a type that is removed", ok + "changes: [{type: A, since: 2012-02-02, removed: r}]\n",
			"group.yaml:3:49: a type can only be renamed; list what happened to its properties"},
		{"a move to no path", ok + "changes: [{property: T.a, since: 2012-02-02, moved: b.c}]\n",
			`group.yaml:3:53: "b.c" is not a path; expected a form such as T.coordinates.latitude`},
		{"a move to another type", ok + "changes: [{property: T.a, since: 2012-02-02, moved: U.a}]\n",
			"group.yaml:3:53: T.a moves to U.a, which begins with another type; expected a path from T, or from a type around both for both"},
		{"a move that is a rename", ok + "changes: [{property: T.a, since: 2012-02-02, moved: T.b}]\n",
			"group.yaml:3:11: T.a moves to T.b in the same object; expected renamed: b"},
		{"a move to itself", ok + "changes: [{property: T.a.b, since: 2012-02-02, moved: T.a.b}]\n",
			"group.yaml:3:11: T.a.b is moved to itself"},
		{"two moves of one", ok +
			"changes: [{property: T.a, since: 2012-02-02, moved: T.b.a}, {property: T.a, since: 2012-02-02, moved: T.c.a}]\n",
			"group.yaml:3:61: T.a is moved twice at 2012-02-02, to T.b.a and to T.c.a"},
		{"two sources for one target", ok +
			"changes: [{property: T.a, since: 2012-02-02, moved: T.c.a}, {property: T.b, since: 2012-02-02, moved: T.c.a}]\n",
			"group.yaml:3:61: T.a and T.b are both moved to T.c.a at 2012-02-02; a value has one origin"},
		{"two renames onto one", ok +
			"changes: [{property: T.a, since: 2012-02-02, renamed: c}, {property: T.b, since: 2012-02-02, renamed: c}]\n",
			"group.yaml:3:59: a and b are both renamed to c at 2012-02-02; one name has one origin"},
		{"a type that keeps its name, and no other", ok + "changes: [{type: T, since: 2012-02-02, renamed: T}]\n",
			"group.yaml:3:11: T is renamed to itself"},
		{"a rename of a type twice", ok +
			"changes: [{type: T, since: 2012-02-02, renamed: U}, {type: T, since: 2012-02-02, renamed: U}]\n",
			"group.yaml:3:53: the rename of T to U at 2012-02-02 is listed twice"},
		{"two renames of one", ok +
			"changes: [{property: T.a, since: 2012-02-02, renamed: b}, {property: T.a, since: 2012-02-02, renamed: c}]\n",
			"group.yaml:3:59: a is renamed twice at 2012-02-02, to b and to c"},
		{"a rename of all properties of a type", ok + "changes: [{property: T.*, since: 2012-02-02, renamed: b}]\n",
			"group.yaml:3:11: T.* are all properties of a type; they can only be removed, with the reason"},
		{"a mistake in a proposal", ok + "changes: [{property: T.a, since: 2012-02-02, removed: r}]\n" +
			"proposedChanges:\n  - {property: T.b, since: 2012-02-02, removed: r}\n  - {property: fax, since: 2012-02-02, removed: r}\n",
			`group.yaml:6:16: "fax" is not a property; expected a form such as Redis.subnetId`},
		{"a proposal of what is confirmed", ok + "changes: [{property: T.a, since: 2012-02-02, removed: r}]\n" +
			"proposedChanges: [{property: T.a, since: 2012-02-02, removed: s}]\n",
			"group.yaml:4:19: the removal of T.a at 2012-02-02 is listed twice"},
		{"a removal of an invalid property", ok + "changes: [{property: fax, since: today, removed: r}]\n",
			"group.yaml:3:22: \"fax\" is not a property; expected a form such as Redis.subnetId\ngroup.yaml:3:34: \"today\" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview"},
		{"a removal twice", ok +
			"changes: [{property: P.fax, since: 2012-02-02, removed: r}, {property: P.fax, since: 2012-02-02, removed: r}]\n",
			"group.yaml:3:61: the removal of P.fax at 2012-02-02 is listed twice"},
		{"a waiver without a reason", ok + "waivers: [{law: Frame, property: P.fax}]\n", "group.yaml:3:11: the entry lacks reason"},
		{"an unknown law", ok + "waivers: [{law: frames, property: P.fax, reason: r}]\n",
			`group.yaml:3:17: unknown law "frames"; did you mean "Frame"?; the laws are Edit, Frame, Halves, NoLoss, Pair, PairEdit, PairFrame, RoundTrip, Valid`},
		{"a waiver of an invalid property", ok + "waivers: [{law: Frame, property: fax, reason: r}]\n",
			`group.yaml:3:34: "fax" is not a property; expected a form such as Redis.subnetId`},
		{"a waiver for an unknown role", ok + "waivers: [{law: Frame, property: P.fax, role: hub, reason: r}]\n",
			`group.yaml:3:47: "hub" is not a role; expected api or storage`},
		{"a waiver of an invalid version", ok +
			"waivers: [{law: Frame, property: P.fax, versions: [today], reason: r}]\n",
			`group.yaml:3:52: "today" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview`},
		{"a waiver twice", ok +
			"waivers: [{law: Frame, property: P.fax, reason: r}, {law: Frame, property: P.fax, reason: s}]\n",
			"group.yaml:3:53: the waiver of Frame for P.fax is listed twice"},
	} {
		_, err := Parse("group.yaml", []byte(test.text))
		if err == nil {
			t.Errorf("%s: no error, want %s", test.reason, test.want)
			continue
		}
		if diff := cmp.Diff(test.want, err.Error()); diff != "" {
			t.Errorf("%s: %s", test.reason, diff)
		}
	}
}

func TestLoad(t *testing.T) {
	canonical := func(text string) string {
		t.Helper()
		l := parse(t, text).Load()
		json, err := ir.Canonical(l)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeLoad(json)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(l, back); diff != "" {
			t.Errorf("read back: %s", diff)
		}
		return string(json)
	}
	before := canonical(whole)
	for _, test := range []struct {
		reason    string
		edit      *strings.Replacer
		unchanged bool
	}{
		{"a rename", strings.NewReplacer("sortKey", "orderKey"), true},
		{"a removal", strings.NewReplacer("Person.fax", "Person.telex"), true},
		{"a hub", strings.NewReplacer("hub: 2013-03-03, ", ""), true},
		{"a plural", strings.NewReplacer("plural: persons, ", ""), true},
		{"a comment", strings.NewReplacer("properties:", "# ids\nproperties:"), true},
		{"the reason of a mark", strings.NewReplacer("a number", "no id"), true},
		{"the order of marks", strings.NewReplacer("[secret, createOnly]", "[createOnly, secret]"), true},
		{"a kind", strings.NewReplacer("Pet", "Animal"), false},
		{"a reference", strings.NewReplacer("employerId", "unionId"), false},
		{"a secret", strings.NewReplacer("Person.pin", "Person.puk"), false},
		{"a mark that is negated", strings.NewReplacer("{not: secret", "{not: number"), false},
		{"an output", strings.NewReplacer("name=door", "name=gate"), false},
		{"the type of children", strings.NewReplacer("people/friends", "people/mates"), false},
		{"a name", strings.NewReplacer("fullName", "wholeName"), false},
		{"a name in Azure", strings.NewReplacer("shortNames: [pe]", "azureNames: [ada]"), false},
	} {
		if after := canonical(test.edit.Replace(whole)); (after == before) != test.unchanged {
			t.Errorf("%s: unchanged is %v, want %v", test.reason, after == before, test.unchanged)
		}
	}
	const keys = "exports: {Contoso.Crm/people: {kind: Person}}\nproperties: {Person.dogs: {listKeys: [name]"
	believed := canonical(keys + "}}")
	for _, more := range []string{`, why: w, source: "https://example.com"`, ", merge: only"} {
		if canonical(keys+more+"}}") == believed {
			t.Errorf("list keys with%s are as those without", more)
		}
	}
	if _, err := DecodeLoad([]byte(`{"exports": {}, "hubs": {}}`)); err == nil {
		t.Error("a field of another generator is accepted")
	}
}

func TestCheckUsed(t *testing.T) {
	str := ir.TypeRef{Primitive: ir.String}
	version := &ir.Version{
		Resources: []*ir.Resource{{Type: "Contoso.Crm/people", Spec: "Person_Spec", Status: "Person_Status",
			Collections: []ir.Collection{{Path: "properties/pets", Type: "Contoso.Crm/people/pets"}}}},
		Actions: []ir.Action{
			{Resource: "Contoso.Crm/people", Name: "listKeys",
				Values: []ir.ActionValue{{Path: "keys[].name"}, {Path: "keys[].value", Secret: true}, {Path: "file", Base64: true}}},
			{Resource: "Contoso.Crm/people", Name: "listPins", Secret: true},
			{Resource: "Contoso.Crm/people", Name: "config/web/list", Values: []ir.ActionValue{
				{Path: "*"}, {Path: "properties.*", Secret: true}, {Path: "sites.*.port"}, {Path: "value", Any: true}}},
			{Resource: "Contoso.Crm/dogs", Name: "bark", Values: []ir.ActionValue{{Path: "loud"}}},
		},
		Types: []*ir.Type{
			{Name: "Address_Status", Kind: ir.Object, Status: true, Properties: []*ir.Property{{Name: "street", Type: str}}},
			{Name: "Person_Spec", Kind: ir.Object, Properties: []*ir.Property{
				{Name: "employerReference", ARM: "employerId", Type: ir.TypeRef{Primitive: ir.Reference}},
				{Name: "taxId", Flattened: true, Type: str},
				{Name: "friends", Flattened: true, Type: ir.TypeRef{Items: &ir.TypeRef{Named: "Pet"}}},
				{Name: "pets", Flattened: true, Type: ir.TypeRef{Items: &ir.TypeRef{Named: "Pet"}}},
			}},
			{Name: "Person_Status", Kind: ir.Object, Status: true, Properties: []*ir.Property{
				{Name: "id", Type: str}, {Name: "address", Type: ir.TypeRef{Named: "Address_Status"}},
				{Name: "phones", Type: ir.TypeRef{Items: &str}}, {Name: "more", Type: ir.TypeRef{Map: &str}},
				{Name: "sites", Type: ir.TypeRef{Items: &ir.TypeRef{Named: "Site_Status"}}},
			}},
			{Name: "Pet", Kind: ir.Object, Properties: []*ir.Property{{Name: "name", Type: str}}},
			{Name: "Site_Status", Kind: ir.Object, Status: true,
				Properties: []*ir.Property{{Name: "host", Type: str}, {Name: "port", Type: str}}},
		},
		Used: []string{"reference/Person.employerId", "secret/Person.pin"},
	}
	const text = `exports: {Contoso.Crm/people: {kind: Person, azureNames: [ada]}}
names:
  - {type: Persn, arm: id, name: a}
  - {type: Person, arm: properties/taxid, name: b}
properties:
  Person.employerId: reference
  Address.street: [reference, {not: secret, why: w}]
  Person.taxId: [reference, createOnly]
  Person.taxid: {not: reference, why: w}
  Person.pin: secret
  Adress.street: secret
  Person.taxID: untyped
  Person.id: untyped
  Person.pets: {children: Contoso.Crm/people/pets}
  Person.frends: {children: Contoso.Crm/people/friends}
  Person.friends: {not: children, why: w}
  Person.phones: [number, {children: Contoso.Crm/people/phones}]
  Pet.name: {not: createOnly, why: w}
outputs:
  Contoso.Crm/people:
    a1: {action: listKeys, path: "keys[name=a].value"}
    a2: {action: listKey, path: file}
    a3: {action: bark, path: loud}
    a4: {action: listKeys, path: "keys[0].valeu"}
    a5: {action: listKeys, path: "keys[nmae=a].value"}
    a6: {action: listKeys, path: file}
    a7: {action: listKeys, path: file, encoding: base64}
    a8: {action: config/web/list, path: properties.master}
    a9: {action: config/web/list, path: "properties.*"}
    d1: {action: config/web/list, path: "sites.*"}
    d2: {action: config/web/list, path: sites.www.port}
    d3: {action: config/web/list, path: value, encoding: base64}
    d4: {action: config/web/list, path: "*"}
    d5: {action: config/web/list, path: sites.www.host}
    d6: {action: config/web/list, path: "property.*"}
    b1: {status: address.street}
    b2: {status: "phones[0]"}
    b3: {status: adress.street}
    b4: {status: address.stret}
    b5: {status: address}
    b6: {status: phones}
    b7: {status: more.x}
    b8: {status: id.x}
    c1: {status: "sites[host=www.contoso.com].port"}
    c2: {status: "sites[host=www.contoso.com].prot"}
    c3: {status: "sites[hots=www.contoso.com].port"}
notOutputs:
  Contoso.Crm/people: {listpins: "for people", listPin: "for people"}
`
	want := `group.yaml:1:59: no spec lists the names of Contoso.Crm/people in Azure, so this one is taken anyway; remove the entry
group.yaml:3:5: no version has a type Persn; did you mean "Person"?
group.yaml:4:5: no version of Person has the ARM property properties/taxid; did you mean "properties/taxId"?
group.yaml:7:20: Address.street is in responses only, and there ids are plain text; remove the mark
group.yaml:7:31: without the mark, Address.street would not be a secret either; remove it
group.yaml:8:18: all specs with Person.taxId mark it as an ARM id; remove the mark
group.yaml:8:29: all specs with Person.taxId say that it cannot change, or it is in responses only; remove the mark
group.yaml:9:17: no version of Person has a property taxid; did you mean "taxId"?
group.yaml:11:18: no version has a type Adress; did you mean "Address"?
group.yaml:12:17: no version of Person has a property taxID; did you mean "taxId"?
group.yaml:13:14: without the mark, Person.id would have no schema of its parts either; remove it
group.yaml:14:16: all specs with Person.pets show that it holds Contoso.Crm/people/pets; remove the mark
group.yaml:15:18: no version of Person has a property frends; did you mean "friends"?
group.yaml:16:19: without the mark, Person.friends would be no list of resources either; remove it; there is Person.pets
group.yaml:17:19: no spec says that Person.phones is an integer; remove the mark
group.yaml:17:27: no version has Person.phones as a list of objects with names in the body of a resource with children of type Contoso.Crm/people/phones; did you mean "Person.pets"?
group.yaml:18:13: no spec says that Pet.name cannot change; remove the mark
group.yaml:22:18: no version of Contoso.Crm/people has an action listKey, a POST without content that an object answers; did you mean "listKeys"?; there is config/web/list, listKeys, listPins
group.yaml:23:18: no version of Contoso.Crm/people has an action bark, a POST without content that an object answers; there is config/web/list, listKeys, listPins
group.yaml:24:34: no answer of listKeys has keys[].valeu; did you mean "keys[].value"?; there is file, keys[].name, keys[].value
group.yaml:25:34: no answer of listKeys has keys[].nmae, by which the path selects an element; did you mean "keys[].name"?
group.yaml:26:34: file is encoded in the answer of listKeys; add encoding: base64
group.yaml:34:41: no answer of config/web/list has sites.www.host; there is *, properties.*, sites.*.port, value
group.yaml:35:41: no answer of config/web/list has property.*; did you mean "properties.*"?; there is *, properties.*, sites.*.port, value
group.yaml:38:18: no version of Person_Status has a property adress; did you mean "address"?
group.yaml:39:18: no version of Address_Status has a property stret; did you mean "street"?
group.yaml:40:18: address in the Status is Address_Status; expected the path of a string, a number or a boolean
group.yaml:41:18: phones of Person_Status is []string; expected the path of a string, a number or a boolean
group.yaml:42:18: more.x in the Status is map[string]string, which has no x
group.yaml:43:18: id.x in the Status is string, which has no x
group.yaml:45:18: no version of Site_Status has a property prot; did you mean "port"?
group.yaml:46:18: no version of Site_Status has a property hots; did you mean "host"?
group.yaml:48:48: no version of Contoso.Crm/people has an action listPin that tells secrets; did you mean "listPins"?; there is listPins`
	err := CheckUsed(parse(t, text), []*ir.Version{version, {}})
	if err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
	version.Used = append(version.Used, "reference/Person.taxId")
	if err := CheckUsed(parse(t, "exports: {Contoso.Crm/people: {kind: Person}}\nproperties: {Person.taxId: reference}\n"),
		[]*ir.Version{version}); err != nil {
		t.Errorf("a used entry: %v", err)
	}
}

func TestLine(t *testing.T) {
	for _, test := range []struct {
		behaviour string
		marks     []Mark
		want      string
	}{
		{"the evidence of a mark is a comment", []Mark{{Name: Secret, Why: "the name says so"}}, "secret # the name says so"},
		{"a mark without evidence has none", []Mark{{Name: Secret}}, "secret"},
		{"the reason of a negated mark belongs to it", []Mark{{Name: Reference, Not: true, Why: "its own: a number"}},
			`{not: reference, why: "its own: a number"}`},
		{"a list of children has their type", []Mark{{Name: Children, Type: "Contoso.Crm/people/pets"}},
			"{children: Contoso.Crm/people/pets}"},
		{"a list has its keys, and a reference its types", []Mark{{Name: ListKeys, Values: []string{"name", "at/port"}, Why: "so"}},
			"{listKeys: [name, at/port]} # so"},
		{"keys for merging alone", []Mark{{Name: ListKeys, Values: []string{"name"}, Merge: MergeOnly, Why: "so"}},
			"{listKeys: [name], merge: only} # so"},
		{"keys with their evidence", []Mark{{Name: ListKeys, Values: []string{"name"}, Why: "unique", Source: "a.json:1 of 2024-01-01"}},
			`{listKeys: [name], why: "unique", source: "a.json:1 of 2024-01-01"}`},
		{"each of several marks has its evidence",
			[]Mark{{Name: Reference, Why: "ids in the examples"}, {Name: CreateOnly, Why: "swagger says so"}},
			"[reference, createOnly] # reference: ids in the examples; createOnly: swagger says so"},
		{"one of several marks has evidence", []Mark{{Name: Reference}, {Name: CreateOnly, Why: "swagger says so"}},
			"[reference, createOnly] # createOnly: swagger says so"},
		{"a mark beside one that is negated", []Mark{{Name: Secret, Why: "a key"}, {Name: Reference, Not: true, Why: "no id"}},
			`[secret, {not: reference, why: "no id"}] # a key`},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			line := Line("Person.pin", test.marks)
			if want := "  Person.pin: " + test.want + "\n"; line != want {
				t.Errorf("got %s, want %s", line, want)
			}
			read := parse(t, "exports: {Contoso.Crm/people: {kind: Person}}\nproperties:\n"+line).Properties["Person.pin"]
			for i, m := range test.marks {
				if !m.HasReason() {
					m.Why = "" // it is a comment
				}
				if !reflect.DeepEqual(read[i], m) {
					t.Errorf("it is read as %+v, want %+v", read[i], m)
				}
			}
		})
	}
}
