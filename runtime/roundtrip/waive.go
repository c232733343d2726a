package roundtrip

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/propertybag"
	"k8s.io/apimachinery/pkg/runtime"
)

// Waiver is a law that does not hold for a property. A waiver that nothing
// needs fails the test.
type Waiver struct {
	// Law is the name of the law: Edit and Frame of versions and of pairs,
	// PairEdit and PairFrame of pairs alone.
	Law string `json:"law"`
	// Property is Type.property, the type as [Options.TypeName] names it and the
	// property as JSON has it. If it is empty, the law is waived altogether.
	Property string `json:"property"`
	// Package is the import path of the version that the waiver is for; it is for
	// all versions if Package is empty.
	Package string `json:"package,omitempty"`
	// Reason says why the law cannot hold.
	Reason string `json:"reason"`
}

// check returns what is wrong with a waiver.
func (w Waiver) check() error {
	if !slices.ContainsFunc(Laws, w.waives) {
		return fmt.Errorf("there is no law %q to waive", w.Law)
	}
	if w.Reason == "" {
		return fmt.Errorf("the waiver of the law %s lacks its reason", w.Law)
	}
	return nil
}

// waives reports whether the waiver is for a law.
func (w Waiver) waives(l Law) bool { return w.Law != "" && (w.Law == l.Name || w.Law == l.OfPairs) }

// OfPairs reports whether only pairs can need the waiver.
func (w Waiver) OfPairs() bool {
	return !slices.ContainsFunc(Laws, func(l Law) bool { return w.waives(l) && !l.OfPair })
}

// owner is a property of a Go type that leads to a value.
type owner struct{ typ, property string }

// waived reports whether the law that is tried is waived for one of the
// properties that lead to a value.
func (t *Trial) waived(owners []owner) bool {
	for _, w := range t.Waive {
		if t.mayNeed(w) && w.waives(t.law) && w.Property != "" && slices.ContainsFunc(owners, t.meantBy(w)) {
			if t.needed == nil {
				t.needed = map[Waiver]bool{}
			}
			t.needed[w] = true
			return true
		}
	}
	return false
}

// mayNeed reports whether a waiver is for a version that may cause a difference.
func (t *Trial) mayNeed(w Waiver) bool {
	switch {
	case w.Package == "", t.Other != nil && w.Package == packageOf(t.Other):
		return true
	case t.Other != nil && t.law.Name == "Frame": // only the version that edits may
		return false
	}
	return w.Package == packageOf(t.Object)
}

// meantBy returns a function that reports whether a waiver is for a property.
func (o Options) meantBy(w Waiver) func(owner) bool {
	typ, property, _ := strings.Cut(w.Property, ".")
	return func(of owner) bool {
		if o.TypeName != nil {
			of.typ = o.TypeName(of.typ)
		}
		return strings.EqualFold(typ, of.typ) && strings.EqualFold(property, of.property)
	}
}

// Judges reports whether the test tries everything that it tries by default, so that it
// can report waivers that are not needed.
func (k *Kind) Judges() bool {
	all := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == ""
	return all && k.Runs >= defaultRuns && os.Getenv(seedVariable) == ""
}

// attempt is a law that was tried.
type attempt struct {
	law           Law
	object, other runtime.Object
}

// runsBeforeReport is how many objects a law is tried on before its waiver is reported
// as not needed.
const runsBeforeReport = 10 * defaultRuns

// Unneeded returns a message for each waiver that no kind needs: neither for the
// objects that were tried, nor for more of them. A pair is tried in either order
// for that, although a test tries one.
func Unneeded(kinds []*Kind, waivers []Waiver) (messages []string) {
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
		messages = append(messages, fmt.Sprintf("the law %s holds for %s too, the waiver is not needed: remove "+
			"it, or the version from it%s", w.Law, w.Property, hint))
	}
	return messages
}

// seek reports whether it finds an object that needs the waiver.
func (k *Kind) seek(w Waiver) bool {
	for _, a := range k.tried {
		if !w.waives(a.law) {
			continue
		}
		orders := [][2]runtime.Object{{a.object, a.other}}
		if a.law.OfPair {
			orders = append(orders, [2]runtime.Object{a.other, a.object})
		}
		for _, o := range orders {
			k.Forget()
			for run := range max(k.Runs, runsBeforeReport) {
				if _ = k.NewTrial(o[0], o[1], k.Seed+int64(run)).Try(a.law); k.needed[w] {
					return true
				}
			}
		}
	}
	return false
}

// ownersAt returns the properties of Go types on a path in JSON.
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

// typeAt returns the Go type, not a pointer, of the value at a path in JSON, or nil.
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
		if i := fieldIndex(t, path[0]); i >= 0 {
			return typeAt(t.Field(i).Type, path[1:])
		}
	}
	return nil
}

// fieldIndex returns the index of the field of a struct type with a name in JSON, or -1.
func fieldIndex(t reflect.Type, name string) int {
	for i := range t.NumField() {
		if jsonName(t.Field(i)) == name {
			return i
		}
	}
	return -1
}

func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return cmp.Or(name, field.Name)
}

func packageOf(object any) string { return reflect.TypeOf(object).Elem().PkgPath() }
