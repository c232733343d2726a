// Package report checks the report of crm: its page is the one that a person
// has reviewed, and conversions do what it says.
package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/report"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/armature-dev/armature/runtime/roundtrip"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// made is the path of the report of crm that Bazel has made, without its extension.
const made = "../../../apis/crm/report"

func TestPage(t *testing.T) {
	const golden = "testdata/crm.md"
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(made + ".md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s\nIf the change is meant: ./bazelw build //apis/crm:report && cp -f bazel-bin/apis/crm/report.md tests/golden/report/%s",
			diff, golden)
	}
}

// objects is the number of objects of each version that are converted to all others.
const objects = 20

// TestConversions checks that the report of a pair of versions is enough to
// predict, from an object of the one version, what a client sees at the other.
func TestConversions(t *testing.T) {
	text, err := os.ReadFile(made + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var r report.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	s := runtime.NewScheme()
	if err := scheme.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	for _, resource := range r.Resources {
		// An alias converts as its twin does.
		twins := map[string][]string{}
		for _, v := range resource.Versions {
			twin := v.AliasOf
			if twin == "" {
				twin = v.Name
			}
			twins[twin] = append(twins[twin], v.Name)
		}
		if want := len(twins) * (len(twins) - 1); len(resource.Conversions) != want {
			t.Errorf("%s has %d versions and %d conversions, want %d", resource.Kind, len(twins), len(resource.Conversions), want)
		}
		for _, c := range resource.Conversions {
			t.Run(fmt.Sprintf("%s/%s to %s", resource.Kind, c.From, c.To), func(t *testing.T) {
				for _, from := range twins[c.From] {
					for _, to := range twins[c.To] {
						kind := schema.GroupVersionKind{Group: r.Group, Version: from, Kind: resource.Kind}
						p := pair{t, resource.Between(c.From, c.To), s, kind, kind.GroupKind().WithVersion(to), map[string]bool{}}
						p.check()
					}
				}
			})
		}
	}
}

// pair is the report of two versions, and the test that checks it.
type pair struct {
	*testing.T
	changes  map[string][]evolution.Becomes // by path
	scheme   *runtime.Scheme
	from, to schema.GroupVersionKind
	seen     map[string]bool // the paths of changes for which an object had a value
}

func (p *pair) check() {
	hooks := p.hooks()
	for seed := range int64(objects) {
		object := p.new(p.from)
		roundtrip.NewFiller(seed).Fill(object)
		before, shown, kept := p.halves(object), p.halves(object), p.halves(object)
		p.Logf("seed %d: %s", seed, text(before))
		p.apply(shown, nil, "", true)
		p.apply(kept, nil, "", false)

		there := p.convert(object, p.to)
		got := p.halves(there)
		for _, half := range hooks {
			leaveOut(got[half], shown[half])
		}
		p.same("at "+p.to.Version, shown, got)
		p.same("back from "+p.to.Version, before, p.halves(p.convert(there, p.from)))
		if len(hooks) > 0 {
			continue // hooks may compute what is carried
		}
		there.SetAnnotations(remainder.Strip(there.GetAnnotations()))
		p.same("back from "+p.to.Version+" without the remainder", kept, p.halves(p.convert(there, p.from)))
	}
	for path := range p.changes {
		if !p.seen[path] {
			p.Errorf("no object of %d had a value at %s", objects, path)
		}
	}
}

// hooks returns the halves for which hooks are called.
func (p *pair) hooks() []string {
	var halves []string
	for path, changes := range p.changes {
		if slices.ContainsFunc(changes, func(c evolution.Becomes) bool { return slices.Contains(c.How, evolution.Hooked) }) {
			if strings.Contains(path, ".") {
				p.Fatalf("there is a hook on a nested type, at %s; this test can predict only hooks on Spec and Status", path)
			}
			halves = append(halves, path)
		}
	}
	return halves
}

// leaveOut deletes from a half what a hook has set beyond the prediction.
func leaveOut(half, predicted any) {
	maps.DeleteFunc(half.(map[string]any), func(name string, _ any) bool {
		_, known := predicted.(map[string]any)[name]
		return !known
	})
}

// apply deletes from the JSON at a path what the other version carries in the
// remainder, as the report says. If rename is set, it renames what has another name
// there, and moves what is elsewhere. Around is the object around the value.
func (p *pair) apply(value any, around map[string]any, path string, rename bool) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			p.apply(element, around, path, rename)
		}
	case map[string]any:
		for _, name := range slices.Collect(maps.Keys(value)) {
			below := strings.TrimPrefix(path+"."+name, ".")
			p.apply(value[name], value, below, rename)
			for _, change := range p.changes[below] {
				p.seen[below] = true
				if change.Name != "" && rename {
					place(value, around, change, value[name])
					delete(value, name)
				}
				emptied, object := value[name].(map[string]any)
				if change.Fate == evolution.Carried || object && len(emptied) == 0 && slices.Contains(change.How, evolution.Moved) {
					delete(value, name)
				}
			}
		}
	}
}

// place puts a value where a change says. A path of several names goes into an object
// beside the value, and one of a single name out of the object that has the value.
func place(value, around map[string]any, change evolution.Becomes, moved any) {
	names := strings.Split(change.Name, ".")
	if slices.Contains(change.How, evolution.Moved) && len(names) == 1 {
		value = around
	}
	for _, name := range names[:len(names)-1] {
		if value[name] == nil {
			value[name] = map[string]any{}
		}
		value = value[name].(map[string]any)
	}
	value[names[len(names)-1]] = moved
}

// same fails the test if two halves differ.
func (p *pair) same(what string, want, got any) {
	p.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		p.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

type resource interface {
	conversion.Convertible
	conversion.KubernetesResource
}

func (p *pair) new(kind schema.GroupVersionKind) resource {
	object, err := p.scheme.New(kind)
	if err != nil {
		p.Fatal(err)
	}
	return object.(resource)
}

func (p *pair) convert(object resource, to schema.GroupVersionKind) resource {
	hub, converted := object.NewHub(), p.new(to)
	if err := object.ConvertTo(hub); err != nil {
		p.Fatal(err)
	}
	if err := converted.ConvertFrom(hub); err != nil {
		p.Fatal(err)
	}
	return converted
}

// halves returns the Spec and the Status as JSON.
func (p *pair) halves(object resource) map[string]any {
	data, err := json.Marshal(map[string]any{"spec": object.GetSpec(), "status": object.GetStatus()})
	if err != nil {
		p.Fatal(err)
	}
	decoded := map[string]any{}
	if err := json.Unmarshal(data, &decoded); err != nil {
		p.Fatal(err)
	}
	return decoded
}

func text(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
