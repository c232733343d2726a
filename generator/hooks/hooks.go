// Package hooks compares the results of a group's hooks with golden files. The tests
// of a group call [Golden]. It reads the plans of the group's packages and the facts
// of the laws when a test runs.
package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/laws"
	"github.com/armature-dev/armature/runtime/roundtrip"
	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	strictjson "sigs.k8s.io/json"
)

// Golden compares what hooks do with golden files, because laws cannot say whether a
// hook computes the right value. For every kind of a generated group, an example
// of each old API version is converted to the latest, and one of the latest to
// each old version, wherever a hook is called between the two.
//
// The latest is the newest stable version that is no alias; all others are old. A
// golden file is testdata/hooks/<Kind>/<old>_to_latest/<example>.json, or in
// latest_to_<old>, beside the BUILD file of the test.
func Golden(t *testing.T, addToScheme func(*runtime.Scheme) error) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := addToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	g, err := newGoldens(scheme, ".")
	if err != nil {
		t.Fatal(err)
	}
	g.check(func(name string, err error) {
		t.Run(name, func(t *testing.T) {
			if err != nil {
				t.Error(err)
			}
		})
	})
}

const (
	goldenFolder = "testdata/hooks"
	goldenSuffix = ".json"
)

// goldens are the golden files of a group, with all that they depend on.
type goldens struct {
	scheme   *runtime.Scheme
	plans    string // the folder of the plans, and of the packages' folders
	dir      string // where golden files are read, and written
	packages map[string]*plan.Package
}

// isStable reports whether the package is of a version that is no preview.
func isStable(p *plan.Package) bool {
	v, err := naming.ParseVersion(p.APIVersion)
	return err == nil && !v.Preview()
}

func newGoldens(scheme *runtime.Scheme, plans string) (*goldens, error) {
	g := &goldens{scheme: scheme, plans: plans, dir: goldenFolder, packages: map[string]*plan.Package{}}
	if golden.Updating() {
		var err error
		if g.dir, err = golden.Source(goldenFolder); err != nil {
			return nil, err
		}
	}
	files, err := filepath.Glob(filepath.Join(plans, "*.plan.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s has no plans: run the test with Bazel, which makes them", plans)
	}
	packages, err := plan.Read(files...)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		g.packages[p.Name] = p
	}
	return g, nil
}

// inWorkspace returns the path of a golden file, for people to read.
func inWorkspace(name string) string { return golden.Path(path.Join(goldenFolder, name)) }

// crossing is an ordered pair of API versions of a kind between which there are hooks.
type crossing struct {
	kind     string
	from, to *plan.Package
	folder   string // within the golden files
	hooks    []string
}

// check compares or writes all golden files, and reports the error of each, or nil.
func (g *goldens) check(report func(name string, err error)) {
	crossings := g.crossings()
	for _, s := range g.strays(crossings) {
		report(s.name, s.err)
	}
	for _, c := range crossings {
		files, err := filepath.Glob(filepath.Join(g.dir, c.folder, "*"+goldenSuffix))
		if err == nil && len(files) == 0 {
			files, err = g.begin(c)
		}
		if err != nil {
			report(c.folder, err)
		}
		for _, file := range files {
			name := path.Join(c.folder, filepath.Base(file))
			err := g.compare(c, file)
			if err != nil {
				err = fmt.Errorf("%s: %w", inWorkspace(name), err)
			}
			report(strings.TrimSuffix(name, goldenSuffix), err)
		}
	}
}

// crossings returns the pairs of each kind's old versions with its latest one, in
// both directions, where the conversion calls a hook.
func (g *goldens) crossings() []crossing {
	versions := map[string][]*plan.Package{} // by kind
	for _, name := range slices.Sorted(maps.Keys(g.packages)) {
		p := g.packages[name]
		for _, r := range p.Resources {
			if p.Role == "api" {
				versions[r.Kind] = append(versions[r.Kind], p)
			}
		}
	}
	var all []crossing
	for _, kind := range slices.Sorted(maps.Keys(versions)) {
		latest := newestOf(versions[kind])
		for _, old := range versions[kind] {
			hooks := slices.Concat(g.hooksOf(old, kind), g.hooksOf(latest, kind))
			if old != latest && len(hooks) > 0 {
				all = append(all,
					crossing{kind, old, latest, path.Join(kind, old.Name+"_to_latest"), hooks},
					crossing{kind, latest, old, path.Join(kind, "latest_to_"+old.Name), hooks})
			}
		}
	}
	return all
}

// newestOf returns the newest stable version that is no alias, or else the newest
// preview.
func newestOf(versions []*plan.Package) *plan.Package {
	rank := func(p *plan.Package) int {
		switch {
		case p.Alias:
			return 0
		case !isStable(p):
			return 1
		}
		return 2
	}
	return slices.MaxFunc(versions, func(a, b *plan.Package) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.APIVersion, b.APIVersion))
	})
}

// hooksOf returns the packages with hooks that a conversion from a version of a kind
// to its hub calls.
func (g *goldens) hooksOf(p *plan.Package, kind string) []string {
	var found []string
	for p != nil {
		next := ""
		for _, r := range p.Resources {
			if r.Kind == kind {
				next = r.Next
			}
		}
		own := typesOf(g.object(p, kind))
		for _, h := range p.Hooks {
			if own[h.Type] && (h.Neighbour == next || h.Neighbour == path.Base(p.Twin)) {
				found = append(found, p.Name)
				break
			}
		}
		p = g.packages[next]
	}
	return found
}

// object returns an empty object of a version. The scheme has it, because the scheme
// and the plans are of the same build.
func (g *goldens) object(p *plan.Package, kind string) conversion.KubernetesResource {
	object, err := g.scheme.New(schema.GroupVersionKind{Group: p.Group, Version: p.Name, Kind: kind})
	if err != nil {
		panic(err)
	}
	return object.(conversion.KubernetesResource)
}

// typesOf returns the names of the types of an object's package that are within the
// object.
func typesOf(object runtime.Object) map[string]bool {
	names, seen := map[string]bool{}, map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		if t.PkgPath() == packageOf(object) {
			names[t.Name()] = true
		}
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				visit(t.Field(i).Type)
			}
		}
	}
	visit(reflect.TypeOf(object).Elem())
	return names
}

// stray is a golden file that belongs to no pair, or a folder of such files.
type stray struct {
	name string
	err  error
}

// strays returns the golden files that belong to no pair. They are not removed,
// because somebody wrote them by hand.
func (g *goldens) strays(crossings []crossing) []stray {
	known := map[string]bool{}
	for _, c := range crossings {
		known[c.folder] = true
	}
	var found []stray
	err := filepath.WalkDir(g.dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != goldenSuffix {
			return err
		}
		name, err := filepath.Rel(g.dir, file)
		if err != nil || known[path.Dir(name)] {
			return err
		}
		if folder := path.Dir(name); strings.Count(folder, "/") == 1 {
			name, known[folder] = folder, true // reported once
		}
		err = fmt.Errorf("%s: these examples are of no old version and latest with a hook between them; expected %s\n"+
			"To drop it: git rm -r %s", inWorkspace(name), oneOf(crossings), inWorkspace(name))
		found = append(found, stray{name, err})
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		found = append(found, stray{goldenFolder, err})
	}
	return found
}

// oneOf lists the folders that there may be.
func oneOf(crossings []crossing) string {
	if len(crossings) == 0 {
		return "none, because there is no hook between such versions"
	}
	text := "one of"
	for _, c := range crossings {
		text += "\n\t" + c.folder
	}
	return text
}

// goldenFile is the content of a golden file.
type goldenFile struct {
	// Given is an example that a person wrote at one version.
	Given *sides `json:"given"`
	// Shown is the example at the other version.
	Shown *sides `json:"shown,omitempty"`
}

// sides has the Spec and the Status of an object.
type sides struct {
	Spec   json.RawMessage `json:"spec,omitempty"`
	Status json.RawMessage `json:"status,omitempty"`
}

// compare converts an example to the other version, and compares or writes the result.
func (g *goldens) compare(c crossing, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var content goldenFile
	if err := strict(text, &content); err != nil {
		return fmt.Errorf(`%w; expected {"given": {"spec": …, "status": …}, "shown": …}`, err)
	}
	if content.Given == nil {
		return fmt.Errorf(`there is no "given", which is an example at %s`, c.from.Name)
	}
	shown, err := g.shown(c, content.Given)
	if err != nil {
		return err
	}
	if golden.Updating() {
		return write(file, goldenFile{content.Given, shown})
	}
	if content.Shown == nil {
		return fmt.Errorf(`there is no "shown" yet; to write what %s shows, run: %s`, c.to.Name, golden.Command())
	}
	want, err := indented(content.Shown)
	if err != nil {
		return err
	}
	got, err := indented(shown)
	if err != nil {
		return err
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		return fmt.Errorf("%s shows it differently (-want +got):\n%s\nif the change is meant, run: %s", c.to.Name, diff, golden.Command())
	}
	return nil
}

// shown converts an example to the other version of a pair.
func (g *goldens) shown(c crossing, given *sides) (*sides, error) {
	text, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	src, dst := g.object(c.from, c.kind), g.object(c.to, c.kind)
	if err := strict(text, src); err != nil {
		return nil, fmt.Errorf(`"given" does not fit %s: %w`, c.from.Name, err)
	}
	hub := src.NewHub()
	if err := src.(conversion.Convertible).ConvertTo(hub); err != nil {
		return nil, fmt.Errorf("%T to %T: %w", src, hub, err)
	}
	if err := dst.(conversion.Convertible).ConvertFrom(hub); err != nil {
		return nil, fmt.Errorf("%T from %T: %w", dst, hub, err)
	}
	return sidesOf(dst)
}

func sidesOf(object conversion.KubernetesResource) (*sides, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	both := new(sides)
	return both, json.Unmarshal(text, both)
}

// begin writes the first examples of a pair that has none: one with the required
// properties and one with all properties.
func (g *goldens) begin(c crossing) ([]string, error) {
	if !golden.Updating() {
		return nil,
			fmt.Errorf("%s has no example, and the conversion from %s to %s calls the hooks of %s; to write the first examples, run: %s",
				inWorkspace(c.folder), c.from.Name, c.to.Name, strings.Join(c.hooks, " and "), golden.Command())
	}
	facts, err := laws.Read(g.plans, c.from.Name)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range []struct {
		name string
		full bool
	}{{"required", false}, {"full", true}} {
		object := g.object(c.from, c.kind)
		roundtrip.FillExample(map[string]roundtrip.Rules{packageOf(object): facts.Rules}, e.full, object.GetSpec(), object.GetStatus())
		given, err := sidesOf(object)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(g.dir, c.folder, e.name+goldenSuffix)
		if err := write(file, goldenFile{Given: given}); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// write writes a golden file.
func write(file string, content goldenFile) error {
	text, err := indented(content)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// indented returns the JSON of a value in lines, with sorted keys.
func indented(value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var sorted any
	if err := decoder.Decode(&sorted); err != nil {
		return "", err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(sorted)
	return b.String(), err
}

// strict reads JSON into a value. Its error lists every field that the value does not
// have.
func strict(text []byte, into any) error {
	wrong, err := strictjson.UnmarshalStrict(text, into)
	return errors.Join(append(wrong, err)...)
}

func packageOf(object any) string { return reflect.TypeOf(object).Elem().PkgPath() }
