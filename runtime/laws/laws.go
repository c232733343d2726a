// Package laws tests generated packages. The tests of a service group call it:
// [Version] and [Pairs] check conversions against the laws of package roundtrip.
//
// It reads the [Facts] of the packages when a test runs. They are not compiled in,
// because then each edit of them would compile the tests again. A test is in the
// folder of a package, or in one beside it.
package laws

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/roundtrip"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Version checks every kind of one generated package, and its conversions to and
// from the hub, against the laws of single versions, each kind in a subtest. The
// values of the package's enums follow, as in [roundtrip.Options].
func Version(t *testing.T, addToScheme func(*runtime.Scheme) error, enums ...any) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := addToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	objects := resources(t, scheme)
	var mu sync.Mutex
	var facts *Facts
	var tried []*roundtrip.Kind
	t.Cleanup(func() { // when the subtests have ended
		if len(tried) < len(objects) || !tried[0].Judges() {
			return
		}
		report(t, roundtrip.Unneeded(tried, slices.DeleteFunc(tried[0].Waive, func(w roundtrip.Waiver) bool {
			return w.OfPairs() && !facts.Storage // the test of pairs reports them, which has no storage versions
		})))
	})
	for _, object := range objects {
		t.Run(reflect.TypeOf(object).Elem().Name(), func(t *testing.T) {
			t.Parallel()
			o := options(enums...)
			f := addFacts(t, &o, object)
			var versions []conversion.Convertible
			if convertible, ok := object.(conversion.Convertible); ok {
				versions = append(versions, convertible)
			}
			k := o.NewKind(t, object.NewHub(), versions...)
			k.TryVersion(t, object)
			k.Forget()
			mu.Lock()
			defer mu.Unlock()
			facts, tried = f, append(tried, k)
		})
	}
}

// resources returns an empty object of every kind of a scheme but lists, in the
// order of their names. It fails the test if there is none.
func resources(t *testing.T, scheme *runtime.Scheme) []conversion.KubernetesResource {
	t.Helper()
	types := scheme.AllKnownTypes()
	var found []conversion.KubernetesResource
	for _, gvk := range slices.SortedFunc(maps.Keys(types),
		func(a, b schema.GroupVersionKind) int { return strings.Compare(a.Kind, b.Kind) }) {
		if object, ok := reflect.New(types[gvk]).Interface().(conversion.KubernetesResource); ok {
			found = append(found, object)
		}
	}
	if len(found) == 0 {
		t.Fatal("the package registers no kind")
	}
	return found
}

// Pairs checks one API version of every kind of a generated group, with each other
// API version, against the laws of pairs. Version is the name of the package.
func Pairs(t *testing.T, addToScheme func(*runtime.Scheme) error, group, version string) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := addToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	var kinds []*roundtrip.Kind
	var waivers []roundtrip.Waiver
	for gvk := range scheme.AllKnownTypes() {
		if gvk.Group != group || gvk.Version != version {
			continue
		}
		object, err := scheme.New(gvk)
		if err != nil {
			t.Fatal(err)
		}
		convertible, ok := object.(conversion.Convertible)
		if !ok {
			continue // a list
		}
		t.Run(gvk.Kind, func(t *testing.T) {
			o := options()
			var versions []conversion.Convertible
			all := o.Kind(t, scheme, gvk.GroupKind())
			for _, v := range all.Versions {
				if resource := v.(conversion.KubernetesResource); !roundtrip.IsStored(resource) {
					addFacts(t, &o, resource)
					versions = append(versions, v)
				}
			}
			k := o.NewKind(t, all.Hub, versions...)
			k.TryPairs(t, convertible)
			k.Forget()
			kinds = append(kinds, k)
			waivers = slices.DeleteFunc(slices.Clone(k.Waive), func(w roundtrip.Waiver) bool {
				return w.Package != packageOf(object) || !w.OfPairs()
			})
		})
	}
	if len(kinds) > 0 && kinds[0].Judges() {
		report(t, roundtrip.Unneeded(kinds, waivers))
	}
}

// report fails a test with each of the messages.
func report(t *testing.T, messages []string) {
	t.Helper()
	for _, message := range messages {
		t.Error(message)
	}
}

// options returns the options of all laws.
func options(enums ...any) roundtrip.Options {
	o := roundtrip.Options{Enums: enums, TypeName: commonName, Rules: map[string]roundtrip.Rules{}}
	if target := os.Getenv("TEST_TARGET"); target != "" {
		o.Replay = func(test string, seed int64) string {
			return fmt.Sprintf("%s test %s --test_filter='%s' --test_env=ARMATURE_SEED=%d --test_env=ARMATURE_RUNS=1",
				cmp.Or(os.Getenv("ARMATURE_BAZEL"), "./bazelw"), target, roundtrip.Pattern(test), seed)
		}
	}
	return o
}

// commonName returns the name that waivers have for a type in both halves of a
// resource.
func commonName(typ string) string {
	for _, suffix := range []string{"_Spec", "_Status"} {
		if common, found := strings.CutSuffix(typ, suffix); found {
			return common
		}
	}
	return typ
}

// addFacts adds the facts of an object's package to the options, and returns them.
func addFacts(t *testing.T, o *roundtrip.Options, object conversion.KubernetesResource) *Facts {
	t.Helper()
	pkg := packageOf(object)
	facts, err := Read("..", path.Base(pkg))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range facts.Waivers {
		w.Package = pkg
		o.Waive = append(o.Waive, w)
	}
	if facts.Storage {
		o.Bags = facts.Bags
	} else {
		o.Rules[pkg] = facts.Rules
	}
	return facts
}

func packageOf(object any) string { return reflect.TypeOf(object).Elem().PkgPath() }
