package roundtrip

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"k8s.io/apimachinery/pkg/runtime"
)

// Waiver is a law that does not hold for a property. A waiver that nothing
// needs fails the test.
type Waiver struct {
	// Law is the name of the law: Edit and Frame of versions and of pairs,
	// PairEdit and PairFrame of pairs alone.
	Law string `json:"law"`
	// Property is Type.property, the type without _Spec and _Status and the
	// property as JSON has it. The law is waived altogether if it is empty.
	Property string `json:"property"`
	// Reason says why the law cannot hold.
	Reason string `json:"reason"`
}

// check finds what is wrong with a waiver.
func (w Waiver) check() error {
	if !slices.ContainsFunc(Laws, w.waives) {
		return fmt.Errorf("there is no law %q to waive", w.Law)
	}
	if w.Reason == "" {
		return fmt.Errorf("the waiver of the law %s lacks its reason", w.Law)
	}
	return nil
}

// waives tells whether the waiver speaks of a law.
func (w Waiver) waives(l Law) bool { return w.Law != "" && (w.Law == l.Name || w.Law == l.OfPairs) }

// ofPairs tells whether only pairs can need the waiver.
func (w Waiver) ofPairs() bool {
	return !slices.ContainsFunc(Laws, func(l Law) bool { return w.waives(l) && !l.OfPair })
}

// owner is a property of a Go type that leads to a value.
type owner struct{ typ, property string }

// ofPackage is a waiver, and the package that it is for: "" for all versions.
type ofPackage struct {
	Waiver
	name string
}

// waived tells whether the present law is waived for one of the properties
// that lead to a value.
func (t *Trial) waived(owners []owner) bool {
	for _, w := range t.ofVersions() {
		if w.waives(t.law) && w.Property != "" && slices.ContainsFunc(owners, w.of) {
			if t.needed == nil {
				t.needed = map[ofPackage]bool{}
			}
			t.needed[w] = true
			return true
		}
	}
	return false
}

// ofVersions are the waivers that speak of the versions which may be the
// reason of a difference.
func (t *Trial) ofVersions() []ofPackage {
	all := t.of("", t.Waive)
	if t.Other != nil {
		all = append(all, t.waiversOf(t.Other)...)
	}
	if t.Other == nil || t.law.Name != "Frame" {
		all = append(all, t.waiversOf(t.Object)...)
	}
	return all
}

func (k *Kind) waiversOf(object any) []ofPackage {
	name := packageOf(object)
	return k.of(name, k.waivers[name])
}

func (*Kind) of(name string, waivers []Waiver) (all []ofPackage) {
	for _, w := range waivers {
		all = append(all, ofPackage{w, name})
	}
	return all
}

func (w Waiver) of(o owner) bool {
	typ, property, _ := strings.Cut(w.Property, ".")
	for _, half := range []string{"_Spec", "_Status"} {
		o.typ = strings.TrimSuffix(o.typ, half)
	}
	return strings.EqualFold(typ, o.typ) && strings.EqualFold(property, o.property)
}

// judges tells whether nothing that is tried by default is left out here.
func (k *Kind) judges() bool {
	return k.Runs >= defaultRuns && os.Getenv(seedVariable) == "" && flag.Lookup("test.run").Value.String() == "" && os.Getenv("TESTBRIDGE_TEST_ONLY") == ""
}

// attempt is a law that was tried.
type attempt struct {
	law           Law
	object, other runtime.Object
}

// farther is how many objects a law is tried on before a waiver is said not to
// be needed.
const farther = 10 * defaultRuns

// unneeded are the waivers that no kind needs: not for the objects that were
// tried, nor for more of them. A pair counts in either order, of which a test
// tries one.
func unneeded(kinds []*Kind, waivers []ofPackage) (wrong []string) {
	for _, w := range waivers {
		needs := func(k *Kind) bool { return k.needed[w] }
		if w.Property == "" || slices.ContainsFunc(kinds, needs) {
			continue
		}
		if slices.ContainsFunc(kinds, func(k *Kind) bool { return k.seek(w) }) {
			continue
		}
		hint := ""
		if w.Law == "Edit" || w.Law == "Frame" {
			hint = fmt.Sprintf(", unless pairs need it: then its law is Pair%s", w.Law)
		}
		wrong = append(wrong, fmt.Sprintf("the law %s holds for %s too, the waiver is not needed: remove it, or the version from it%s", w.Law, w.Property, hint))
	}
	return wrong
}

// seek looks for an object that needs a waiver.
func (k *Kind) seek(w ofPackage) bool {
	for _, a := range k.tried {
		if !w.waives(a.law) {
			continue
		}
		orders := [][2]runtime.Object{{a.object, a.other}}
		if a.law.OfPair {
			orders = append(orders, [2]runtime.Object{a.other, a.object})
		}
		for _, o := range orders {
			k.forget()
			for run := range max(k.Runs, farther) {
				if _ = k.NewTrial(o[0], o[1], k.Seed+int64(run)).Try(a.law); k.needed[w] {
					return true
				}
			}
		}
	}
	return false
}

// versions has, by package, the kinds of a version that were tried already: one
// of them may need a waiver that the others do not.
var versions = struct {
	sync.Mutex
	kinds map[string][]*Kind
}{kinds: map[string][]*Kind{}}

// unneededOfVersion are the waivers that no kind of a version needs, once all are tried.
// Those which only pairs need are for [Pairs] to judge, which knows no storage versions.
func (k *Kind) unneededOfVersion(object conversion.KubernetesResource) []string {
	versions.Lock()
	defer versions.Unlock()
	name := packageOf(object)
	kinds := append(versions.kinds[name], k)
	if len(kinds) < k.kinds {
		versions.kinds[name] = kinds
		return nil
	}
	delete(versions.kinds, name)
	waivers := append(k.of("", k.Waive), k.waiversOf(object)...)
	return unneeded(kinds, slices.DeleteFunc(waivers, func(w ofPackage) bool { return w.ofPairs() && !isStored(object) }))
}

// ownersAt are the properties of Go types on a path in JSON.
func ownersAt(t reflect.Type, path []string) []owner {
	var owners []owner
	for i, step := range path {
		in := typeAt(t, path[:i])
		if in == nil {
			break
		}
		switch {
		case in.Kind() == reflect.Struct:
			owners = append(owners, owner{in.Name(), step})
		case in == reflect.TypeFor[propertybag.Bag]():
			owners = append(owners, owner{owners[len(owners)-1].typ, step})
		}
	}
	return owners
}

// typeAt is the Go type, not a pointer, of what is at a path in JSON, or nil.
func typeAt(t reflect.Type, path []string) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if len(path) == 0 {
		return t
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		return typeAt(t.Elem(), path[1:])
	case reflect.Struct:
		for i := range t.NumField() {
			if jsonName(t.Field(i)) == path[0] {
				return typeAt(t.Field(i).Type, path[1:])
			}
		}
	}
	return nil
}

func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return cmp.Or(name, field.Name)
}

// plansVariable names the folder of the plans and shapes of generated packages.
const plansVariable = "ARMATURE_PLANS"

// planFile is what the laws need of the plan of a generated package.
type planFile struct {
	APIVersion string   `json:"apiVersion"`
	Role       string   `json:"role"`
	Resources  []any    `json:"resources"`
	Waivers    []Waiver `json:"waivers"`
}

// plan takes over what the plan of a generated package says, and the shape of
// its version, where the build supplies them.
func (k *Kind) plan(t *testing.T, object conversion.KubernetesResource) {
	t.Helper()
	dir := os.Getenv(plansVariable)
	if dir == "" {
		return
	}
	name := path.Base(packageOf(object))
	var p planFile
	read(t, filepath.Join(dir, name+".plan.json"), &p)
	if k.waivers == nil {
		k.shapes, k.waivers = map[string]*shape{}, map[string][]Waiver{}
	}
	k.waivers[packageOf(object)], k.kinds = p.Waivers, len(p.Resources)
	if p.Role != "api" {
		return
	}
	s := new(shape)
	read(t, filepath.Join(dir, p.APIVersion+".api.json"), s)
	k.shapes[packageOf(object)] = s.index()
}

func packageOf(object any) string { return reflect.TypeOf(object).Elem().PkgPath() }

func read(t *testing.T, file string, into any) {
	t.Helper()
	if err := readInto(file, into); err != nil {
		t.Fatal(err)
	}
}
