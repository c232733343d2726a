// Package evolution tests conversions of real resources, where properties changed
// between published API versions. Its main function is [Check], which the tests of
// the groups call; [Cases] are the known changes, each a path in a kind.
package evolution

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/roundtrip"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// seeds is how many values are tried for each pair of versions.
const seeds = 10

// Case is a property that changed.
type Case struct {
	ID, Group, Kind string
	// Half is "Spec" or "Status".
	Half string
	// Path leads to the property by JSON names; "[]" are the elements of a
	// list. "" is all of the half.
	Path string
	// At are versions that must have the path, such as "v20200601". If At is
	// empty, no published version here has the path.
	At []string
	// Examples are exchanges between clients.
	Examples []Example
}

// Example is an exchange between two clients: one sets a half at a version,
// another sees it at another version and may edit it.
type Example struct {
	At, Set, To, See string
	// Edit is a JSON merge patch, or "". The first client sees Want then.
	Edit, Want string
}

// Check runs the cases of a group for all ordered pairs of its storage versions. A
// value at the path must come back as it was. An edit at the other version must
// stay, and change no more when it is written back and forth.
func Check(t *testing.T, group string, add func(*runtime.Scheme) error) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := add(scheme); err != nil {
		t.Fatal(err)
	}
	for _, c := range Cases {
		if c.Group != group {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			versions := storageVersions(t, scheme, c.Kind)
			var at []string
			for _, v := range sorted(versions) {
				if hasPath(halfOf(versions[v], c.Half), c.Path) {
					at = append(at, v)
				}
			}
			for _, v := range c.At {
				if !slices.Contains(at, v) {
					t.Errorf("%s has no %s of %s %s; these have: %v", v, c.Path, c.Kind, c.Half, at)
				}
			}
			if len(at) == 0 {
				t.Skip("no published version here has the property")
			}
			for _, a := range at {
				for b := range versions {
					if a != b {
						p := pair{t, c, versions[a], versions[b], fmt.Sprintf("%s → %s", a, b)}
						p.comesBack()
						if slices.Contains(at, b) {
							p.editsStay()
						}
					}
				}
			}
			for _, e := range c.Examples {
				e.check(t, c, versions)
			}
		})
	}
}

// storageVersions returns the types of a kind's storage versions, by the names of
// the versions without "storage".
func storageVersions(t *testing.T, scheme *runtime.Scheme, kind string) map[string]reflect.Type {
	t.Helper()
	versions := map[string]reflect.Type{}
	for gvk, typ := range scheme.AllKnownTypes() {
		if v, storage := strings.CutSuffix(gvk.Version, "storage"); storage && gvk.Kind == kind {
			versions[v] = typ
		}
	}
	if len(versions) == 0 {
		t.Fatalf("the scheme has no storage version of %s", kind)
	}
	return versions
}

func sorted(versions map[string]reflect.Type) []string {
	var names []string
	for v := range versions {
		names = append(names, v)
	}
	slices.Sort(names)
	return names
}

// half is a Spec or a Status.
type half any

func newHalf(resource reflect.Type, name string) half {
	object := reflect.New(resource).Interface().(conversion.KubernetesResource)
	if name == "Status" {
		return object.GetStatus()
	}
	return object.GetSpec()
}

func halfOf(resource reflect.Type, name string) reflect.Type {
	return reflect.TypeOf(newHalf(resource, name)).Elem()
}

func convert(t *testing.T, src, dst half) {
	t.Helper()
	var err error
	if spec, ok := src.(conversion.ConvertibleSpec); ok {
		err = spec.ConvertSpecTo(dst.(conversion.ConvertibleSpec))
	} else {
		err = src.(conversion.ConvertibleStatus).ConvertStatusTo(dst.(conversion.ConvertibleStatus))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// pair is a case between two versions.
type pair struct {
	t    *testing.T
	c    Case
	a, b reflect.Type
	name string
}

// filled sets a random value at the path of a half, and returns the half.
func (p pair) filled(into half, seed int64) half {
	fill(reflect.ValueOf(into).Elem(), steps(p.c.Path), roundtrip.NewFiller(seed))
	return into
}

func (p pair) to(resource reflect.Type, src half) half {
	dst := newHalf(resource, p.c.Half)
	convert(p.t, src, dst)
	return dst
}

func (p pair) comesBack() {
	for seed := range int64(seeds) {
		src := p.filled(newHalf(p.a, p.c.Half), seed)
		before := text(p.t, src)
		there := p.to(p.b, src)
		if got := text(p.t, p.to(p.a, there)); got != before {
			p.t.Fatalf("%s, seed %d:\n%s\ncame back as\n%s\nthrough\n%s", p.name, seed, before, got, text(p.t, there))
		}
	}
}

func (p pair) editsStay() {
	for seed := range int64(seeds) {
		there := p.to(p.b, p.filled(newHalf(p.a, p.c.Half), seed))
		edited := p.filled(there, seed+seeds)
		want := plain(p.t, edited, p.b, p.c.Half)
		first := p.to(p.a, edited)
		again := p.to(p.b, first)
		if got := plain(p.t, again, p.b, p.c.Half); got != want {
			p.t.Fatalf("%s, seed %d: the edit\n%s\nbecame\n%s\nthrough\n%s", p.name, seed, want, got, text(p.t, first))
		}
		if x, y := text(p.t, first), text(p.t, p.to(p.a, again)); x != y {
			p.t.Fatalf("%s, seed %d:\n%s\nbecame without an edit\n%s", p.name, seed, x, y)
		}
	}
}

func (e Example) check(t *testing.T, c Case, versions map[string]reflect.Type) {
	t.Helper()
	name := fmt.Sprintf("%s %s at %s → %s", c.ID, e.Set, e.At, e.To)
	for _, v := range []string{e.At, e.To} {
		if versions[v] == nil {
			t.Fatalf("%s: there is no version %s", name, v)
		}
	}
	src, there, back := newHalf(versions[e.At], c.Half), newHalf(versions[e.To], c.Half), newHalf(versions[e.At], c.Half)
	read(t, e.Set, src)
	set := text(t, src)
	convert(t, src, there)
	if got := plain(t, there, versions[e.To], c.Half); got != e.See {
		t.Errorf("%s: saw %s, want %s", name, got, e.See)
	}
	want := set
	if e.Edit != "" {
		there, want = merged(t, there, e.Edit, newHalf(versions[e.To], c.Half)), e.Want
	}
	convert(t, there, back)
	if got := plain(t, back, versions[e.At], c.Half); got != want {
		t.Errorf("%s: %s came back, want %s\nfrom %s", name, got, want, text(t, there))
	}
}

func steps(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, ".")
}

var bagType = reflect.TypeFor[propertybag.Bag]()

// field returns the index of the field with a JSON name in any case.
func field(t reflect.Type, name string) (int, bool) {
	for i := range t.NumField() {
		if json, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); strings.EqualFold(json, name) {
			return i, true
		}
	}
	return 0, false
}

func hasPath(t reflect.Type, path string) bool {
	for _, step := range steps(path) {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if step == "[]" {
			if t.Kind() != reflect.Slice {
				return false
			}
			t = t.Elem()
			continue
		}
		if t.Kind() != reflect.Struct {
			return false
		}
		i, ok := field(t, step)
		if !ok {
			return false
		}
		t = t.Field(i).Type
	}
	return true
}

// fill sets the value that a path leads to, and makes missing structs and elements
// on the path. A struct that was there keeps its bag.
func fill(v reflect.Value, path []string, filler *roundtrip.Filler) {
	if len(path) == 0 {
		bag := bagOf(v)
		switch v.SetZero(); v.Kind() {
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			if v.Type().Elem() == reflect.TypeFor[apiextensionsv1.JSON]() {
				v.Interface().(*apiextensionsv1.JSON).Raw = []byte(`{"rules":[{"value":9007199254740993}]}`)
				return
			}
			filler.Fill(v.Interface())
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			filler.Fill(v.Addr().Interface())
		case reflect.Map:
			v.Set(reflect.MakeMap(v.Type()))
			filler.Fill(v.Addr().Interface())
		default:
			filler.Fill(v.Addr().Interface())
		}
		if bag != nil {
			reflect.Indirect(v).FieldByName(propertybag.Field).Set(reflect.ValueOf(bag))
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fill(v.Elem(), path, filler)
		return
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
		fill(v.Index(v.Len()-1), path[1:], filler)
		return
	}
	i, _ := field(v.Type(), path[0])
	fill(v.Field(i), path[1:], filler)
}

// bagOf returns the bag of a struct or of a pointer to one, or nil.
func bagOf(v reflect.Value) propertybag.Bag {
	v = reflect.Indirect(v)
	if v.Kind() != reflect.Struct {
		return nil
	}
	if f := v.FieldByName(propertybag.Field); f.IsValid() && f.Type() == bagType {
		return f.Interface().(propertybag.Bag)
	}
	return nil
}

func text(t *testing.T, object any) string {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func read(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

// plain returns the JSON of a half without its bags, as a client sees it.
func plain(t *testing.T, object half, resource reflect.Type, name string) string {
	t.Helper()
	fresh := newHalf(resource, name)
	read(t, text(t, object), fresh)
	stripBags(reflect.ValueOf(fresh))
	return text(t, fresh)
}

func stripBags(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			stripBags(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			stripBags(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			stripBags(value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).Type() == bagType {
				v.Field(i).SetZero()
			} else if v.Field(i).CanSet() {
				stripBags(v.Field(i))
			}
		}
	}
}

// merged returns a half with a merge patch applied.
func merged(t *testing.T, object half, patch string, into half) half {
	t.Helper()
	var apply func(into, from map[string]any)
	apply = func(into, from map[string]any) {
		for key, value := range from {
			inner, object := into[key].(map[string]any)
			change, also := value.(map[string]any)
			switch {
			case object && also:
				apply(inner, change)
			case value == nil:
				delete(into, key)
			default:
				into[key] = value
			}
		}
	}
	var tree, change map[string]any
	read(t, text(t, object), &tree)
	read(t, patch, &change)
	apply(tree, change)
	read(t, text(t, tree), into)
	return into
}
