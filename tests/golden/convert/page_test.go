package convert_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/tests/golden/convert/v1"
	"github.com/armature-dev/armature/tests/golden/convert/v1storage"
	"github.com/armature-dev/armature/tests/golden/convert/v2storage"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
)

// stages are the versions of the fixtures, by the names that examples have for them: e1 to e3 are
// storage versions of the evolution, s and m those of the histories shapes and moves, and api is an
// API version.
var stages = map[string]struct {
	version string
	spec    conversion.ConvertibleSpec
}{
	"api": {"2011-01-01, as a client sees it", &v1.Person_Spec{}},
	"e1":  {"2011-01-01", &v1storage.Person_Spec{}},
	"e2":  {"2012-02-02", &v2storage.Person_Spec{}},
	"e3":  {"2013-03-03", &v3storage.Person_Spec{}},
	"s1":  {"2011-01-01", shapeSpecs["v1"]},
	"s2":  {"2012-02-02", shapeSpecs["v2"]},
	"s3":  {"2013-03-03", shapeSpecs["v3"]},
	"m1":  {"2011-01-01", moveSpecs["m1"]},
	"m2":  {"2012-02-02", moveSpecs["m2"]},
}

// branches are the branches of the chart in docs/conversion.md, with a Spec for each, and the versions
// through which it goes.
var branches = []struct{ branch, spec, through string }{
	{"**Primitive**: assigned.", `{"firstName":"Ada","age":36}`, "e1 e2"},
	{"**Enum**: storage versions have its base type. A closed enum gets the spelling of its member.", `{"tier":"GOLD"}`, "e1 api"},
	{"**Same type that is not generated**, such as JSON of any content: copied.", `{"policy":{"effect":["deny",1]}}`, "e1 e2"},
	{"**Object**: property by property, into a bag of its own.",
		`{"address":{"city":"London","country":"UK"}}`, "e2 e1"},
	{"**List**: each element.", `{"items":[{"name":"a","disk":{"size":1}},{"name":"b"}]}`, "s1 s2"},
	{"**Map**: each value, and what a value has in lists.", `{"routes":{"north":[{"city":"York"}],"south":[]}}`, "e1 e2"},
	{"**Union**: as an object. A variant that the other version lacks goes into the bag.",
		`{"pet":{"name":"Rex","dog":{"tricks":["sit"]}}}`, "e1 e2"},
	{"**Rename of a property**: `{property: Person.lastName, renamed: familyName}`.", `{"lastName":"Lovelace"}`, "e2 e3"},
	{"**Rename of a type**: `{type: Address, renamed: Location}`. Without it the whole address would go into\n" +
		"the bag.", `{"address":{"city":"London"}}`, "e2 e3"},
	{"**Move**: `{property: Person.latitude, moved: Person.coordinates.latitude}`.", `{"latitude":51.5,"id":"ada"}`, "m1 m2"},
	{"**Safe change of type**, of a value that comes back.", `{"code":"12","rule":{"name":"a"}}`, "s1 s2"},
	{"**Safe change of type**, of values that would not.", `{"code":"012","count":9007199254740993}`, "s1 s2"},
	{"**Another change of type**: two properties of one name, each with a value of its own.", `{"mode":"None"}`, "s1 s2 s3"},
	{"**Removed**: stashed in the bag.", `{"legacy":{"K":"v"}}`, "e1 e2"},
	{"**Back in its own shape**: recalled.", `{"zipcode":"W1"}`, "e1 e2 e3"},
	{"**Back in another shape** that converts: by these rules.", `{"disk":{"caching":"RW","size":7}}`, "s1 s2 s3"},
}

// hookExample is a golden file of the hooks of crm, whose test compares it with what they do.
const hookExample = "../../../apis/crm/testdata/hooks/Person/v20130303_to_latest/all_names.json"

// TestPage writes the examples in docs/conversion.md.
func TestPage(t *testing.T) {
	var page strings.Builder
	for _, b := range branches {
		var names []string
		var objects []any
		for i, name := range strings.Fields(b.through) {
			spec := emptyLike(stages[name].spec).(conversion.ConvertibleSpec)
			if i == 0 {
				read(t, b.spec, spec)
			} else if err := objects[i-1].(conversion.ConvertibleSpec).ConvertSpecTo(spec); err != nil {
				t.Fatalf("%s: %v", b.branch, err)
			}
			names, objects = append(names, stages[name].version), append(objects, spec)
		}
		example(t, &page, b.branch, names, objects)
		back := emptyLike(objects[0]).(conversion.ConvertibleSpec)
		if err := objects[len(objects)-1].(conversion.ConvertibleSpec).ConvertSpecTo(back); err != nil {
			t.Fatalf("%s: %v", b.branch, err)
		}
		// An enum's spelling is all that a page may show and a way back may change: an annotation keeps it.
		if got, want := text(t, back), text(t, objects[0]); got != want && !slices.Contains(names, stages["api"].version) {
			t.Errorf("%s %s came back as %s", b.branch, want, got)
		}
	}
	data, err := os.ReadFile(hookExample)
	if err != nil {
		t.Fatal(err)
	}
	var hooked struct{ Given, Shown struct{ Spec map[string]any } }
	if err := json.Unmarshal(data, &hooked); err != nil {
		t.Fatal(err)
	}
	example(t, &page, "**Hook**: what Go computes, here the names of `apis/crm`.", []string{"2013-03-03", "2021-11-11"},
		[]any{hooked.Given.Spec, hooked.Shown.Spec})
	parts := map[string]string{"branches": page.String()}
	golden.Fill(t, "../../../docs/conversion.md", parts)
	if len(parts) > 0 {
		t.Error("docs/conversion.md has no examples of branches")
	}
}

// example prints a Spec at several versions.
func example(t *testing.T, page *strings.Builder, title string, versions []string, specs []any) {
	t.Helper()
	if page.Len() > 0 {
		page.WriteString("\n")
	}
	fmt.Fprintf(page, "%s\n\n```yaml text\n", title)
	for i, spec := range specs {
		text, err := yaml.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(page, "# %s\n%s", versions[i], text)
	}
	page.WriteString("```\n")
}
