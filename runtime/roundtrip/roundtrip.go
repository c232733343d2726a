// Package roundtrip holds the conversions between the versions of a Kubernetes
// kind to laws, over objects that are filled at random. It works in a plain
// "go test", on hand-written conversions as on generated ones:
//
//	func TestPersonConversions(t *testing.T) {
//		roundtrip.Check(t, scheme, schema.GroupKind{Group: "crm.example.com", Kind: "Person"})
//	}
//
// The laws are listed in [Laws]. Every run is repeatable, and a failure prints
// how to replay it. The environment variables ARMATURE_SEED and ARMATURE_RUNS
// try other objects, and more of them. The main type is [Options].
package roundtrip

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Options say what a kind needs that others do not. The zero value suits most.
type Options struct {
	// Seed of the first run; each further run adds one. The default is 1.
	Seed int64
	// Runs is how many objects each law is tried on. The default is 50.
	Runs int
	// Fill are further gofuzz functions, such as func(*Color, fuzz.Continue).
	Fill []any
	// Enums are the values of enums, in slices such as []Color{Red, Green}.
	Enums []any
	// Compare are further options of comparisons.
	Compare cmp.Options
	// Waive names the laws that do not hold for this kind.
	Waive []string
}

// Check holds all versions of a kind in a scheme to the laws. One version must
// be the hub, with a method Hub, and all others Convertible.
func Check(t *testing.T, scheme *runtime.Scheme, kind schema.GroupKind) {
	t.Helper()
	Options{}.Check(t, scheme, kind)
}

// Version holds one version of a generated resource, and its road to the hub,
// to the laws. The values of its enums follow, as in [Options].
func Version(t *testing.T, object conversion.KubernetesResource, enums ...any) {
	t.Helper()
	Options{Enums: enums}.Version(t, object)
}

// Check is the function of this name, with options.
func (o Options) Check(t *testing.T, scheme *runtime.Scheme, kind schema.GroupKind) {
	t.Helper()
	k := Kind{Options: o.complete(t)}
	for gvk := range scheme.AllKnownTypes() {
		if gvk.GroupKind() != kind || gvk.Version == runtime.APIVersionInternal {
			continue
		}
		object, err := scheme.New(gvk)
		if err != nil {
			t.Fatal(err)
		}
		switch object := object.(type) {
		case conversion.Hub:
			if k.Hub != nil {
				t.Fatalf("%v has two hubs, %T and %T", kind, k.Hub, object)
			}
			k.Hub = object
		case conversion.Convertible:
			k.Versions = append(k.Versions, object)
		default:
			t.Fatalf("%v: %T has neither Hub nor ConvertTo and ConvertFrom", gvk, object)
		}
	}
	if k.Hub == nil {
		t.Fatalf("the scheme has no version of %v with a method Hub", kind)
	}
	slices.SortFunc(k.Versions, func(a, b conversion.Convertible) int { return strings.Compare(name(a), name(b)) })
	for _, version := range k.Versions {
		t.Run(name(version), func(t *testing.T) { k.try(t, version, false) })
	}
	t.Run(name(k.Hub), func(t *testing.T) { k.try(t, k.Hub, true) })
}

// Version is the function of this name, with options.
func (o Options) Version(t *testing.T, object conversion.KubernetesResource) {
	t.Helper()
	k := Kind{Options: o.complete(t), Hub: object.NewHub()}
	if convertible, ok := object.(conversion.Convertible); ok {
		k.Versions = append(k.Versions, convertible)
		k.try(t, convertible, false)
		return
	}
	k.try(t, k.Hub, true)
}

// complete fills in the defaults and what the environment overrides.
func (o Options) complete(t *testing.T) Options {
	t.Helper()
	number := func(variable string, value, otherwise int64) int64 {
		if text := os.Getenv(variable); text != "" {
			var err error
			if value, err = strconv.ParseInt(text, 10, 64); err != nil {
				t.Fatalf("the environment variable %s is %q, not a number", variable, text)
			}
			return value
		}
		if value == 0 {
			return otherwise
		}
		return value
	}
	o.Seed = number("ARMATURE_SEED", o.Seed, 1)
	o.Runs = int(number("ARMATURE_RUNS", int64(o.Runs), 50))
	for _, name := range o.Waive {
		if !slices.ContainsFunc(Laws, func(l Law) bool { return l.Name == name }) {
			t.Fatalf("there is no law %q to waive", name)
		}
	}
	return o
}

// Kind is what laws speak of: versions of one kind that convert with a hub.
type Kind struct {
	Options
	// Hub is an empty object of the hub's version.
	Hub conversion.Hub
	// Versions are empty objects of the others.
	Versions []conversion.Convertible
}

// Trial is one version of a kind and the means to make objects of it.
type Trial struct {
	*Kind
	// Object is an empty object of the version. It is to be left empty.
	Object runtime.Object
	*Filler
}

// try holds one version to every law.
func (k *Kind) try(t *testing.T, object runtime.Object, hub bool) {
	for _, law := range Laws {
		if hub && !law.OfHub || slices.Contains(k.Waive, law.Name) {
			continue
		}
		t.Run(law.Name, func(t *testing.T) {
			for run := range k.Runs {
				seed := k.Seed + int64(run)
				trial := &Trial{Kind: k, Object: object, Filler: NewFiller(seed, k.Fill...)}
				trial.AddEnums(k.Enums...)
				if err := protect(law.Holds, trial); err != nil {
					t.Fatalf("%v\nTo replay: ARMATURE_SEED=%d ARMATURE_RUNS=1 go test -run '^%s$' (bazel test --test_env=ARMATURE_SEED=%[2]d --test_env=ARMATURE_RUNS=1)",
						err, seed, strings.ReplaceAll(t.Name(), "/", "$/^"))
				}
			}
		})
	}
}

// protect makes a panic an error.
func protect(holds func(*Trial) error, trial *Trial) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return holds(trial)
}

func name(object runtime.Object) string { return strings.TrimPrefix(fmt.Sprintf("%T", object), "*") }
