package hooks_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/hooks"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/runtime/laws"
	"github.com/armature-dev/armature/runtime/roundtrip"
	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// planned has what a test needs of the plan of a package with one kind.
type planned struct {
	name, version string
	alias         bool
	next          string // "" for the hub
	hooks         string // the type that has some, if any
	neighbour     string // of the hooks, if it is not next
}

// history returns the plans of a group with a kind of three versions. The first has
// an alias, the last is a preview, and v2 has the hub.
func history(changes ...func(map[string]*planned)) map[string]*planned {
	all := map[string]*planned{}
	for _, p := range []planned{
		{name: "v1", version: "2020-01-01", next: "v1storage"},
		{name: "v1storage", version: "2020-01-01", next: "v2storage"},
		{name: "v1alias", version: "2020-01-01", alias: true, next: "v1aliasstorage"},
		{name: "v1aliasstorage", version: "2020-01-01", alias: true, next: "v1storage"},
		{name: "v2", version: "2021-01-01", next: "v2storage"},
		{name: "v2storage", version: "2021-01-01"},
		{name: "v3", version: "2022-01-01-preview", next: "v3storage"},
		{name: "v3storage", version: "2022-01-01-preview", next: "v2storage"},
	} {
		all[p.name] = &p
	}
	for _, change := range changes {
		change(all)
	}
	return all
}

// hook returns a change that gives a package hooks of a type.
func hook(name, typ string) func(map[string]*planned) {
	return func(all map[string]*planned) { all[name].hooks = typ }
}

// register returns a scheme with all versions of a history, and the folder of
// their plans. All API versions are of type Thing.
func register(t *testing.T, all map[string]*planned) (*runtime.Scheme, string) {
	t.Helper()
	scheme, dir := runtime.NewScheme(), t.TempDir()
	three := int64(3)
	for name, p := range all {
		gvk := schema.GroupVersionKind{Group: "example.com", Version: name, Kind: "Thing"}
		scheme.AddKnownTypeWithName(gvk, &Thing{})
		pkg := &plan.Package{
			Group: gvk.Group, Name: name, APIVersion: p.version, Role: plan.API, Alias: p.alias,
			Resources: []plan.Resource{{Kind: gvk.Kind, Hub: p.next == "", Next: p.next}},
		}
		if strings.HasSuffix(name, "storage") {
			pkg.Role = plan.Storage
		}
		if p.alias {
			pkg.Twin = "example.com/things/v1storage"
		}
		if p.hooks != "" {
			pkg.Hooks = []plan.Hook{{Type: p.hooks, Neighbour: cmp.Or(p.neighbour, p.next), There: "Any", To: true}}
		}
		text, err := ir.Canonical(pkg)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name+".plan.json"), string(text))
		facts := &laws.Facts{Rules: roundtrip.Rules{"ThingSpec": {Properties: map[string]*roundtrip.PropertyRules{
			"name": {Required: true, Limits: &roundtrip.Limits{MaxLength: &three}},
			"tags": {},
		}}}}
		text, err = ir.Canonical(facts)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name, laws.File), string(text))
	}
	return scheme, dir
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCrossings checks which pairs of versions have golden files: those between
// which a hook is called.
func TestCrossings(t *testing.T) {
	both := func(old, hooks string) []string {
		return []string{"Thing/" + old + "_to_latest " + hooks, "Thing/latest_to_" + old + " " + hooks}
	}
	for _, test := range []struct {
		name   string
		change []func(map[string]*planned)
		want   []string
	}{
		{"without a hook there are no golden files", nil, nil},
		{"a hook of a storage version is called for its version, and for the alias that converts with it",
			[]func(map[string]*planned){hook("v1storage", "ThingSpec")},
			slices.Concat(both("v1", "[v1storage]"), both("v1alias", "[v1storage]"))},
		{"a hook of a type of another package is not called",
			[]func(map[string]*planned){hook("v1storage", "ObjectMeta")}, nil},
		{"a hook of a type that the kind does not have is not called",
			[]func(map[string]*planned){hook("v1storage", "OtherSpec")}, nil},
		{"a hook of a type within the kind is called",
			[]func(map[string]*planned){hook("v1storage", "Zones")},
			slices.Concat(both("v1", "[v1storage]"), both("v1alias", "[v1storage]"))},
		{"a hook of an API version is called for that version alone",
			[]func(map[string]*planned){hook("v1", "ThingSpec")}, both("v1", "[v1]")},
		{"a hook of an alias converts with the types of its twin",
			[]func(map[string]*planned){
				hook("v1alias", "ThingSpec"), func(all map[string]*planned) { all["v1alias"].neighbour = "v1storage" },
			},
			both("v1alias", "[v1alias]")},
		{"a hook of the conversion with another neighbour is not called",
			[]func(map[string]*planned){hook("v1storage", "ThingSpec"),
				func(all map[string]*planned) { all["v1storage"].neighbour = "v3storage" }}, nil},
		{"a later preview is an old version",
			[]func(map[string]*planned){hook("v3storage", "ThingSpec")}, both("v3", "[v3storage]")},
		{"a hook of the latest version is called for all",
			[]func(map[string]*planned){hook("v2", "ThingSpec")},
			slices.Concat(both("v1", "[v2]"), both("v1alias", "[v2]"), both("v3", "[v2]"))},
		{"an alias is never the latest",
			[]func(map[string]*planned){hook("v2", "ThingSpec"), func(all map[string]*planned) {
				all["v1alias"].version, all["v1aliasstorage"].next = "2021-01-01", "v2storage"
			}},
			slices.Concat(both("v1", "[v2]"), both("v1alias", "[v2]"), both("v3", "[v2]"))},
		{"hooks of both versions are called",
			[]func(map[string]*planned){hook("v2", "ThingSpec"), hook("v3storage", "ThingSpec")},
			slices.Concat(both("v1", "[v2]"), both("v1alias", "[v2]"), both("v3", "[v3storage v2]"))},
		{"without a stable version the latest is a preview",
			[]func(map[string]*planned){hook("v1storage", "ThingSpec"), func(all map[string]*planned) {
				for name, p := range all {
					if strings.HasPrefix(name, "v1") || strings.HasPrefix(name, "v2") {
						p.version += "-preview"
					}
				}
			}},
			slices.Concat(both("v1", "[v1storage]"), both("v1alias", "[v1storage]"))},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := hooks.Crossings(register(t, history(test.change...)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// workspace is the root of a source tree with a group that has hooks.
type workspace struct {
	scheme *runtime.Scheme
	plans  string
	root   string
}

const things = "apis/things/testdata/hooks/Thing/"

func newWorkspace(t *testing.T) *workspace {
	t.Helper()
	w := &workspace{root: t.TempDir()}
	w.scheme, w.plans = register(t, history(hook("v1storage", "ThingSpec")))
	writeFile(t, filepath.Join(w.root, "apis/things/BUILD.bazel"), "")
	return w
}

// check compares the golden files, or writes them if update is set, and returns the
// errors.
func (w *workspace) check(t *testing.T, update bool) []string {
	t.Helper()
	t.Chdir(filepath.Join(w.root, "apis/things"))
	t.Setenv("TEST_TARGET", "//apis/things:hooks_test")
	t.Setenv("BUILD_WORKSPACE_DIRECTORY", w.root)
	t.Setenv("ARMATURE_UPDATE", "")
	if update {
		t.Setenv("ARMATURE_UPDATE", "1")
	}
	var wrong []string
	err := hooks.Check(w.scheme, w.plans, func(name string, err error) {
		if err != nil {
			wrong = append(wrong, name+": "+err.Error())
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return wrong
}

func (w *workspace) files(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(w.root, things, "*/*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = strings.TrimPrefix(files[i], w.root+"/"+things)
	}
	return files
}

func (w *workspace) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.root, things, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestHooks(t *testing.T) {
	t.Run("one command writes the first examples of a new hook", writesFirstExamples)
	t.Run("an example is compared with what the other version shows", comparesExamples)
	t.Run("a golden file that belongs to no pair is an error, and stays", keepsStrays)
	t.Run("without hooks no golden file is expected", expectsNothingWithoutHooks)
	t.Run("an error names what is missing", namesWhatIsMissing)
}

func writesFirstExamples(t *testing.T) {
	w := newWorkspace(t)
	wrong := w.check(t, false)
	if len(wrong) != 4 || !strings.Contains(wrong[0], "no example") || !strings.Contains(wrong[0], "v1storage") ||
		!strings.Contains(wrong[0], "ARMATURE_UPDATE=1 ./bazelw run //apis/things:hooks_test") {
		t.Errorf("pairs without exemplars: %q", wrong)
	}
	if wrong := w.check(t, true); wrong != nil {
		t.Errorf("when they are written: %q", wrong)
	}
	if wrong := w.check(t, false); wrong != nil {
		t.Errorf("after they were written: %q", wrong)
	}
	var want []string
	for _, folder := range []string{"latest_to_v1", "latest_to_v1alias", "v1_to_latest", "v1alias_to_latest"} {
		want = append(want, folder+"/full.json", folder+"/required.json")
	}
	if diff := gocmp.Diff(want, w.files(t)); diff != "" {
		t.Errorf("golden files (-want +got):\n%s", diff)
	}
	const required = `{
  "given": {
    "spec": {
      "name": "tex"
    },
    "status": {}
  },
  "shown": {
    "spec": {
      "name": "tex"
    },
    "status": {}
  }
}
`
	if diff := gocmp.Diff(required, w.read(t, "v1_to_latest/required.json")); diff != "" {
		t.Errorf("what is required (-want +got):\n%s", diff)
	}
	full := w.read(t, "v1_to_latest/full.json")
	for _, text := range []string{`"nick": "text`, `"zones": [`, `"tags": {`, `"id": "text`} {
		if strings.Count(full, text) != 2 {
			t.Errorf("not in both of a full exemplar: %s\n%s", text, full)
		}
	}

	before := map[string]string{}
	for _, name := range w.files(t) {
		before[name] = w.read(t, name)
	}
	w.check(t, true)
	for name, text := range before {
		if w.read(t, name) != text {
			t.Errorf("%s is written anew, and differs", name)
		}
	}
}

func comparesExamples(t *testing.T) {
	// What the conversion does to {"name": "a", "zones": ["z", "a"]} is in the golden files.
	const given = `{"given": {"spec": {"zones": ["z", "a"], "name": "<a>"}}%s}`
	const shown = `, "shown": {"status": {}, "spec": {"name": "<a>", "zones": ["z", "a"]}}`
	for _, test := range []struct {
		name, fault, text string
		want              []string // within the error, none if there is to be none
		after             string   // the text when it has been updated, none if it stays
	}{
		{name: "as it is, whatever the order of keys", text: fmt.Sprintf(given, shown)},
		{name: "a conversion that changes", fault: "elements are sorted", text: fmt.Sprintf(given, shown),
			want: []string{
				things + "v1_to_latest/one.json: ", "v2 shows it differently", "-", `"z"`, "+",
				"ARMATURE_UPDATE=1 ./bazelw run //apis/things:hooks_test",
			},
			after: "\"a\",\n        \"z\""},
		{name: "a conversion that fails", fault: "a conversion fails", text: `{"given": {"spec": {}}, "shown": {}}`,
			want: []string{things + "v1_to_latest/one.json: ", "no name"}},
		{name: "given alone", text: fmt.Sprintf(given, ""),
			want: []string{
				things + "v1_to_latest/one.json: ", `there is no "shown" yet`, "v2",
				"ARMATURE_UPDATE=1 ./bazelw run //apis/things:hooks_test",
			},
			after: `"name": "<a>"`},
		{name: "what the version does not have",
			text: `{"given": {"spec": {"nam": "a", "name": "b", "Tags": {}}, "status": {"id": "i", "name": "n"}}}`,
			want: []string{things + "v1_to_latest/one.json: \"given\" does not fit v1: ", `unknown field "spec.nam"`,
				`unknown field "spec.Tags"`, `unknown field "status.name"`}},
		{name: "what is of another type", text: `{"given": {"spec": {"name": 1}}}`,
			want: []string{"\"given\" does not fit v1: ", "cannot unmarshal number", "name"}},
		{name: "no JSON", text: `{"given": {"spec": {}`,
			want: []string{things + "v1_to_latest/one.json: ", "unexpected end", `expected {"given": `}},
		{name: "keys of no golden file", text: `{"given": {"spec": {}, "metadata": {}}, "want": {}}`,
			want: []string{`unknown field "given.metadata"`, `unknown field "want"`, `expected {"given": `}},
		{name: "nothing given", text: `{"shown": {}}`, want: []string{`there is no "given", which is an example at v1`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorkspace(t)
			w.check(t, true)
			file := filepath.Join(w.root, things, "v1_to_latest/one.json")
			writeFile(t, file, test.text)
			defer func() { fault = "" }()
			fault = test.fault
			wrong := slices.DeleteFunc(w.check(t, false), func(s string) bool { return !strings.Contains(s, "v1_to_latest/one") })
			if len(wrong) > 1 || (len(wrong) == 1) != (test.want != nil) {
				t.Fatalf("reported: %q", wrong)
			}
			for _, want := range test.want {
				if !strings.Contains(wrong[0], want) {
					t.Errorf("reported without %q: %s", want, wrong[0])
				}
			}
			w.check(t, true)
			switch text := w.read(t, "v1_to_latest/one.json"); {
			case test.after != "" && (strings.Count(text, test.after) < 1 || !strings.Contains(text, "shown")):
				t.Errorf("updated, without %q: %s", test.after, text)
			case test.after == "" && test.want != nil && text != test.text:
				t.Errorf("what is wrong was written: %s", text)
			}
			if wrong := w.check(t, false); test.after != "" && wrong != nil {
				t.Errorf("after the update: %q", wrong)
			}
		})
	}
}

func keepsStrays(t *testing.T) {
	for file, drop := range map[string]string{
		"Thing/v3_to_latest/one.json":       "Thing/v3_to_latest",
		"Thing/v0_to_latest/one.json":       "Thing/v0_to_latest",
		"Thing/v1_to_v2/one.json":           "Thing/v1_to_v2",
		"Other/v1_to_latest/one.json":       "Other/v1_to_latest",
		"Thing/v1_to_latest/below/one.json": "Thing/v1_to_latest/below/one.json",
		// Not the folder, which has others.
		"Thing/one.json": "Thing/one.json",
		"one.json":       "one.json",
	} {
		w := newWorkspace(t)
		w.check(t, true)
		file = filepath.Join(w.root, "apis/things/testdata/hooks", file)
		writeFile(t, file, "{}")
		for _, update := range []bool{false, true} {
			wrong := w.check(t, update)
			if len(wrong) != 1 || !strings.HasSuffix(wrong[0], "git rm -r apis/things/testdata/hooks/"+drop) ||
				!strings.Contains(wrong[0], "\n\tThing/v1_to_latest\n") {
				t.Errorf("%s: reported: %q", drop, wrong)
			}
		}
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	}
}

func expectsNothingWithoutHooks(t *testing.T) {
	w := newWorkspace(t)
	w.check(t, true)
	w.scheme, w.plans = register(t, history())
	if wrong := w.check(t, false); len(wrong) != 4 || !strings.Contains(wrong[0], "expected none") {
		t.Errorf("reported: %q", wrong)
	}
	if err := os.RemoveAll(filepath.Join(w.root, things)); err != nil {
		t.Fatal(err)
	}
	if wrong := w.check(t, false); wrong != nil {
		t.Errorf("reported: %q", wrong)
	}
}

func namesWhatIsMissing(t *testing.T) {
	scheme, plans := register(t, history())
	t.Setenv("TEST_TARGET", "//apis/things:hooks_test")
	for _, test := range []struct{ name, plans, update, want string }{
		{"no plans", t.TempDir(), "", "has no plans"},
		{"an update without a source tree", plans, "1", `ARMATURE_UPDATE=1 ./bazelw run //apis/things:hooks_test`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("BUILD_WORKSPACE_DIRECTORY", "")
			t.Setenv("ARMATURE_UPDATE", test.update)
			err := hooks.Check(scheme, test.plans, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}
