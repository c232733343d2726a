package objects_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/armature-dev/armature/cli/objects/objectstest"
	"sigs.k8s.io/yaml"
)

// TestInput reads resources in all the ways in which kubectl takes them.
func TestInput(t *testing.T) {
	named := func(name string) string {
		return strings.Replace(objectstest.Person, "name: ada\n", "name: "+name+"\n", 1)
	}
	inJSON := func(name string) string {
		text, err := yaml.YAMLToJSON([]byte(named(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	indented := func(name string) string {
		text, err := json.MarshalIndent(json.RawMessage(inJSON(name)), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, test := range []struct{ reason, in, want string }{
		{"documents of YAML", named("ada") + "---\n" + named("bob"), "ada bob"},
		{"an object of JSON", indented("ada"), "ada"},
		{"objects of JSON, one after the other", indented("ada") + "\n" + indented("bob") + inJSON("cy"), "ada bob cy"},
		{"objects of JSON as documents", inJSON("ada") + "\n---\n" + inJSON("bob"), "ada bob"},
		{"YAML that begins like JSON", "{apiVersion: crm.azure.armature.dev/v20190909, kind: Person, metadata: {name: ada}}", "ada"},
		{"YAML whose first key is quoted", strings.Replace(named("ada"), "apiVersion", `"apiVersion"`, 1), "ada"},
		{"documents of comments alone, as helm prints",
			"# Source: a.yaml\n---\n# Source: b.yaml\n" + named("ada") + "---\n# the end\n", "ada"},
		{"empty documents", "---\n\n---\n" + named("ada") + "---\n", "ada"},
		{"lists beside resources", "kind: List\napiVersion: v1\nitems: [" + inJSON("ada") + "," + inJSON("bob") + "]\n---\n" + named("cy"),
			"ada bob cy"},
		{"an empty list, as kubectl prints for nothing", "kind: List\napiVersion: v1\nitems: []\n", ""},
	} {
		out, err := objectstest.Armature(t, test.in, "convert", "-f", "-", "--to", "v20190909")
		if err != nil {
			t.Errorf("%s: %v", test.reason, err)
		}
		var names []string
		for line := range strings.Lines(out) {
			if name, isName := strings.CutPrefix(line, "  name: "); isName {
				names = append(names, strings.TrimSpace(name))
			}
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, got, test.want)
		}
	}
}

func TestInputErrors(t *testing.T) {
	redis := func(spec string) string {
		return "apiVersion: cache.azure.armature.dev/v20241101\nkind: Redis\nmetadata: {name: a}\nspec: {" + spec + "}\n"
	}
	const noKind = `-: resource 1: found the kind "A" of the group "", expected one of cache.azure.armature.dev, crm.azure.armature.dev`
	for _, test := range []struct{ reason, in, want string }{
		{"empty input", "", "-: found no resource, expected at least one, as YAML or JSON"},
		{"comments alone", "# a\n---\n# b\n", "-: found no resource, expected at least one, as YAML or JSON"},
		{"JSON cut short after an object", `{"kind": "A"}{"kind": `, noKind + "\n-: resource 2: unexpected EOF"},
		{"objects in one document of YAML", "{kind: A}\n{kind: B}\n",
			"-: resource 1: found more after the first object, expected a line --- between objects of YAML"},
		{"objects of JSON after a comment", "# a\n{\"kind\": \"A\"}\n{\"kind\": \"B\"}\n",
			"-: resource 1: found more after the first object, expected a line --- between objects of YAML"},
		{"a key twice", "kind: A\nkind: B\n", `-: resource 1: yaml: unmarshal errors:` + "\n  line 2: key \"kind\" already set in map"},
		{"no object", "- a\n", "-: resource 1: found a list, expected an object"},
		{"a list of no list", "kind: List\napiVersion: v1\nitems: 3\n", "-: resource 1: items: found a number, expected a list"},
		{"another kind of a group", strings.Replace(objectstest.Person, "Person", "Persom", 1),
			`-: resource 1: found the kind "Persom" of crm.azure.armature.dev, which has no such kind; did you mean "Person"?`},
		{"a kind that is no text", "kind: 3\n", "-: resource 1: kind: found a number, expected a string"},
		{"text for an integer", redis("sku: {capacity: many}"), "-: resource 1: spec.sku.capacity: found a string, expected an integer"},
		{"a fraction for an integer", redis("sku: {capacity: 1.5}"),
			"-: resource 1: spec.sku.capacity: found the number 1.5, expected an integer"},
		{"a number in a list of texts", redis("zones: [1]"), "-: resource 1: spec.zones: found a number, expected a string"},
		{"text for a list", redis("zones: a"), "-: resource 1: spec.zones: found a string, expected a list"},
		{"a list for an object", redis("sku: []"), "-: resource 1: spec.sku: found a list, expected an object"},
		{"an object for text", redis("location: {}"), "-: resource 1: spec.location: found an object, expected a string"},
		{"text for a boolean", redis("enableNonSslPort: a"), "-: resource 1: spec.enableNonSslPort: found a string, expected a boolean"},
		{"a boolean for text", redis("location: true"), "-: resource 1: spec.location: found a boolean, expected a string"},
	} {
		out, err := objectstest.Armature(t, test.in, "convert", "-f", "-", "--to", "v20190909")
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || out != "" {
			t.Errorf("%s: got the error %v and %q, want %s", test.reason, err, out, test.want)
		}
	}
}
