package roundtrip

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// Waiver is a law that does not hold for a property. A waiver that nothing
// needs fails the test.
type Waiver struct {
	// Law is the name of the law.
	Law string `json:"law"`
	// Property is Type.property, the type without _Spec and _Status and the
	// property as JSON has it. The law is waived altogether if it is empty.
	Property string `json:"property"`
	// Reason says why the law cannot hold.
	Reason string `json:"reason"`
}

// check finds what is wrong with a waiver.
func (w Waiver) check() error {
	if !slices.ContainsFunc(Laws, func(l Law) bool { return l.Name == w.Law }) {
		return fmt.Errorf("there is no law %q to waive", w.Law)
	}
	if w.Reason == "" {
		return fmt.Errorf("the waiver of the law %s lacks its reason", w.Law)
	}
	return nil
}

// owner is a property of a Go type that leads to a value.
type owner struct{ typ, property string }

// waived tells whether the present law is waived for one of the properties
// that lead to a value.
func (t *Trial) waived(owners []owner) bool {
	for _, w := range t.ofVersions() {
		if w.Law == t.law && w.Property != "" && slices.ContainsFunc(owners, w.of) {
			if t.needed == nil {
				t.needed = map[Waiver]bool{}
			}
			t.needed[w] = true
			return true
		}
	}
	return false
}

// ofVersions are the waivers that speak of the versions which may be the
// reason of a difference.
func (t *Trial) ofVersions() []Waiver {
	all := t.Waive
	if t.Other != nil {
		all = slices.Concat(all, t.waivers[packageOf(t.Other)])
	}
	if t.Other == nil || t.law != "Frame" {
		all = slices.Concat(all, t.waivers[packageOf(t.Object)])
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

// unneeded reports the waivers that no law needed. It says nothing if not all
// was tried that is tried by default.
func (k *Kind) unneeded(t *testing.T, object any) {
	t.Helper()
	if k.Runs < defaultRuns || flag.Lookup("test.run").Value.String() != "" || os.Getenv("TESTBRIDGE_TEST_ONLY") != "" {
		return
	}
	for _, w := range slices.Concat(k.Waive, k.waivers[packageOf(object)]) {
		if w.Property != "" && k.settled[w.Law] && !k.needed[w] {
			t.Errorf("the law %s holds for %s too, the waiver is not needed: remove it, or the version from it", w.Law, w.Property)
		}
	}
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
	k.waivers[packageOf(object)] = p.Waivers
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
	data, err := os.ReadFile(file)
	if err = errors.Join(err, json.Unmarshal(data, into)); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
