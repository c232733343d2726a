package laws

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
	"github.com/armature-dev/armature/runtime/roundtrip"
	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	strictjson "sigs.k8s.io/json"
)

// Hooks compares what hooks do with golden files, because laws cannot say whether a
// hook computes the right value. For every kind of a generated group, an example
// of each old API version is converted to the latest, and one of the latest to
// each old version, wherever a hook is called between the two.
//
// The latest is the newest stable version that is no alias; all others are old. A
// golden file is testdata/hooks/<Kind>/<old>_to_latest/<example>.json, or in
// latest_to_<old>, beside the BUILD file of the test.
func Hooks(t *testing.T, addToScheme func(*runtime.Scheme) error) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := addToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	g, err := newGoldens(scheme, os.Getenv(plansVariable))
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
	plans    string // the folder of the plans and shapes
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
		return nil, fmt.Errorf("%s is %q, where there are no plans: run the test with bazelw", plansVariable, plans)
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

// check compares all examples, or writes them, and reports each: nil if it is
// as its golden file says.
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

// crossings are the pairs of each kind's old versions with its latest, both
// ways, whose road crosses a hook.
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

// newestOf is the newest stable version that is no alias, else the newest preview.
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

// hooksOf are the packages on the road from a version of a kind to its hub
// that have hooks for it.
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

// object is an empty object of a version. What is registered is as the plans
// say, because both are of one build.
func (g *goldens) object(p *plan.Package, kind string) conversion.KubernetesResource {
	object, err := g.scheme.New(schema.GroupVersionKind{Group: p.Group, Version: p.Name, Kind: kind})
	if err != nil {
		panic(err)
	}
	return object.(conversion.KubernetesResource)
}

// typesOf are the names of the types within an object that are of its own package.
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

// stray is a file that no pair has, or a folder of such files.
type stray struct {
	name string
	err  error
}

// strays are the files that no pair has, or the folders of pairs that are none.
// They are not removed: somebody has thought of what is in them.
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
		found = append(found, stray{name, fmt.Errorf("%s: no old version and latest between which there is a hook have their examples here; expected %s\nTo drop it: git rm -r %s",
			inWorkspace(name), oneOf(crossings), inWorkspace(name))})
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
		return "none, as no such two versions have a hook between them"
	}
	text := "one of"
	for _, c := range crossings {
		text += "\n\t" + c.folder
	}
	return text
}

// goldenFile is an example.
type goldenFile struct {
	// Given is what somebody has written at the one version.
	Given *sides `json:"given"`
	// Shown is what the other version shows of it.
	Shown *sides `json:"shown,omitempty"`
}

// sides are Spec and Status of an object.
type sides struct {
	Spec   json.RawMessage `json:"spec,omitempty"`
	Status json.RawMessage `json:"status,omitempty"`
}

// compare converts an example, and compares or writes what the other version shows.
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
		return fmt.Errorf(`there is no "given", with what somebody writes at %s`, c.from.Name)
	}
	shown, err := g.shown(c, content.Given)
	if err != nil {
		return err
	}
	if golden.Updating() {
		return write(file, goldenFile{content.Given, shown})
	}
	if content.Shown == nil {
		return fmt.Errorf(`there is no "shown" yet; to have what %s shows written there: %s`, c.to.Name, golden.Command())
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
		return fmt.Errorf("%s shows something else of it (-want +got):\n%s\nIf that is meant: %s", c.to.Name, diff, golden.Command())
	}
	return nil
}

// shown is what the one version of a pair shows of what was written at the other.
func (g *goldens) shown(c crossing, given *sides) (*sides, error) {
	text, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	src, dst := g.object(c.from, c.kind), g.object(c.to, c.kind)
	if err := strict(text, src); err != nil {
		return nil, fmt.Errorf("what is given does not fit %s: %w", c.from.Name, err)
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

// begin writes the first examples of a pair that has none: what is required,
// and all that there is.
func (g *goldens) begin(c crossing) ([]string, error) {
	if !golden.Updating() {
		return nil, fmt.Errorf("%s has no example, and the road from %s to %s crosses the hooks of %s; to begin with some: %s",
			inWorkspace(c.folder), c.from.Name, c.to.Name, strings.Join(c.hooks, " and "), golden.Command())
	}
	rules, err := readRules(g.plans, c.from)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range []struct {
		name string
		full bool
	}{{"required", false}, {"full", true}} {
		object := g.object(c.from, c.kind)
		roundtrip.FillExample(map[string]roundtrip.Rules{packageOf(object): rules}, e.full, object.GetSpec(), object.GetStatus())
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

// write makes a golden file.
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

// indented is a value as JSON, in lines and with sorted keys, so that two that
// mean the same are the same.
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

// strict reads JSON into a value that has a place for all of it. All that it
// has no place for is in the error.
func strict(text []byte, into any) error {
	wrong, err := strictjson.UnmarshalStrict(text, into)
	return errors.Join(append(wrong, err)...)
}
