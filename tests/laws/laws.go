// Package laws tests generated packages. The tests of a service group call it:
// [Version] and [Pairs] check conversions against the laws of package roundtrip,
// and [Hooks] compares the results of hooks with golden files.
//
// It reads the plans of the packages, and the shapes of their API versions, when
// a test runs: these have the waivers, and say which objects are valid. They are
// not compiled in, because then each edit of them would compile the tests again.
package laws

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/internal/bazel"
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
	var pkg *plan.Package
	var tried []*roundtrip.Kind
	t.Cleanup(func() { // when the subtests have ended
		if pkg == nil || len(tried) < len(objects) || !tried[0].Judges() {
			return
		}
		report(t, roundtrip.Unneeded(tried, slices.DeleteFunc(tried[0].Waive, func(w roundtrip.Waiver) bool {
			return w.OfPairs() && pkg.Role == plan.API // TestPairs reports them, which has no storage versions
		})))
	})
	for _, object := range objects {
		t.Run(reflect.TypeOf(object).Elem().Name(), func(t *testing.T) {
			t.Parallel()
			o := roundtrip.Options{Enums: enums, Replay: replay}
			p := addPackage(t, &o, object)
			var versions []conversion.Convertible
			if convertible, ok := object.(conversion.Convertible); ok {
				versions = append(versions, convertible)
			}
			k := o.NewKind(t, object.NewHub(), versions...)
			k.TryVersion(t, object)
			mu.Lock()
			defer mu.Unlock()
			pkg, tried = p, append(tried, k)
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
			o := roundtrip.Options{Replay: replay}
			var versions []conversion.Convertible
			all := o.Kind(t, scheme, gvk.GroupKind())
			for _, v := range all.Versions {
				if resource := v.(conversion.KubernetesResource); !roundtrip.IsStored(resource) {
					addPackage(t, &o, resource)
					versions = append(versions, v)
				}
			}
			k := o.NewKind(t, all.Hub, versions...)
			k.TryPairs(t, convertible)
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

// replay returns the command that runs a test of a target with one seed again.
func replay(test string, seed int64) string {
	return fmt.Sprintf("%s test %s --test_filter='%s' --test_env=ARMATURE_SEED=%d --test_env=ARMATURE_RUNS=1",
		bazel.Command(), os.Getenv("TEST_TARGET"), roundtrip.Pattern(test), seed)
}

// plansVariable names the folder with the plans of packages, and with the shapes
// of the API versions of those that are no storage packages.
const plansVariable = "ARMATURE_PLANS"

// addPackage adds to the options the waivers and the entries of bags in the plan of
// an object's package, and the rules of its API version. It returns the plan, or nil
// if the environment has no plans: then the options stay as they are.
func addPackage(t *testing.T, o *roundtrip.Options, object conversion.KubernetesResource) *plan.Package {
	t.Helper()
	dir := os.Getenv(plansVariable)
	if dir == "" {
		return nil
	}
	packages, err := plan.Read(filepath.Join(dir, path.Base(packageOf(object))+".plan.json"))
	if err != nil {
		t.Fatalf("%s is %q: %v", plansVariable, dir, err)
	}
	p := packages[0]
	o.TypeName = naming.Common
	for _, w := range p.Waivers {
		o.Waive = append(o.Waive, roundtrip.Waiver{Law: w.Law, Property: w.Property, Package: packageOf(object), Reason: w.Reason})
	}
	if p.Role != plan.API {
		o.Bags = Bags(p)
		return p
	}
	rules, err := readRules(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	if o.Rules == nil {
		o.Rules = map[string]roundtrip.Rules{}
	}
	o.Rules[packageOf(object)] = rules
	return p
}

// readRules returns the rules that the API version of a package has in its specs.
func readRules(dir string, p *plan.Package) (roundtrip.Rules, error) {
	versions, err := ir.Read(filepath.Join(dir, p.APIVersion+".api.json"))
	if err != nil {
		return nil, err
	}
	return rulesOf(versions[0]), nil
}

func packageOf(object any) string { return reflect.TypeOf(object).Elem().PkgPath() }
