// Package routes measures the conversions of all kinds of a selection of groups, each
// from its oldest version to the hub and back, and compares them with deep copies.
package routes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/roundtrip"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// shown is how many kinds the table has.
const shown = 10

// published matches the name of an API version that is no alias, and its date.
var published = regexp.MustCompile(`^v(\d{8})(alpha\d+|beta\d+)?$`)

// stored matches the name of a storage version that is no alias's, and its date.
var stored = regexp.MustCompile(`^v(\d{8})(alpha\d+|beta\d+)?storage$`)

// kind has the versions of a kind.
type kind struct {
	name   schema.GroupKind
	oldest conversion.Convertible // with every property set
	hub    conversion.Hub         // oldest at the hub
	steps  int                    // storage versions
	up     float64                // how many times as long as a copy of oldest
	down   float64                // how many times as long as a copy of hub
}

// Main prints the slowest kinds of some groups. It takes the functions that register
// all versions of a group.
func Main(groups ...func(*runtime.Scheme) error) {
	goruntime.GOMAXPROCS(1) // a second core would collect garbage all the time
	if err := table(groups); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func table(groups []func(*runtime.Scheme) error) error {
	scheme := runtime.NewScheme()
	for _, addToScheme := range groups {
		if err := addToScheme(scheme); err != nil {
			return err
		}
	}
	kinds, err := kindsOf(scheme)
	if err != nil {
		return err
	}
	for _, k := range kinds {
		k.measure()
	}
	slices.SortFunc(kinds, func(a, b *kind) int { return cmp.Compare(max(b.up, b.down), max(a.up, a.down)) })
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintln(w, "| kind\t| storage versions\t| up\t| down\t|")
	fmt.Fprintln(w, "|---\t|---\t|---\t|---\t|")
	for _, k := range kinds[:min(shown, len(kinds))] {
		group, _, _ := strings.Cut(k.name.Group, ".")
		fmt.Fprintf(w, "| %s of %s\t| %d\t| %.2f\t| %.2f\t|\n", k.name.Kind, group, k.steps, k.up, k.down)
	}
	fmt.Fprintf(w, "| the median of all %d\t|\t| %.2f\t| %.2f\t|\n", len(kinds),
		median(kinds, func(k *kind) float64 { return k.up }), median(kinds, func(k *kind) float64 { return k.down }))
	return w.Flush()
}

// kindsOf returns the kinds of a scheme that have an API version, sorted.
func kindsOf(scheme *runtime.Scheme) ([]*kind, error) {
	versions := map[schema.GroupKind][]schema.GroupVersionKind{}
	for gvk := range scheme.AllKnownTypes() {
		versions[gvk.GroupKind()] = append(versions[gvk.GroupKind()], gvk)
	}
	var kinds []*kind
	for name, all := range versions {
		slices.SortFunc(all, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.Version, b.Version) })
		oldest := slices.IndexFunc(all, func(gvk schema.GroupVersionKind) bool { return published.MatchString(gvk.Version) })
		if oldest < 0 {
			continue
		}
		object, err := scheme.New(all[oldest])
		if err != nil {
			return nil, err
		}
		resource, ok := object.(conversion.KubernetesResource)
		if !ok { // a list, or a type of Kubernetes
			continue
		}
		roundtrip.FillExample(nil, true, resource.GetSpec(), resource.GetStatus())
		k := &kind{name: name, oldest: object.(conversion.Convertible), hub: resource.NewHub()}
		if err := k.oldest.ConvertTo(k.hub); err != nil {
			return nil, err
		}
		if k.steps, err = k.check(scheme, all[oldest:]); err != nil {
			return nil, err
		}
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b *kind) int { return strings.Compare(a.name.String(), b.name.String()) })
	return kinds, nil
}

// check returns an error if a conversion to the hub in one go differs from one whose
// every step is a conversion of its own, which passes nothing on. It also returns the
// number of steps.
func (k *kind) check(scheme *runtime.Scheme, versions []schema.GroupVersionKind) (steps int, err error) {
	at, want := k.oldest.(conversion.KubernetesResource), k.hub.(conversion.KubernetesResource)
	for _, gvk := range versions {
		if !stored.MatchString(gvk.Version) || reflect.TypeOf(at) == reflect.TypeOf(want) {
			continue
		}
		object, err := scheme.New(gvk)
		if err != nil {
			return 0, err
		}
		next := object.(conversion.KubernetesResource)
		if err := errors.Join(at.GetSpec().ConvertSpecTo(next.GetSpec()), at.GetStatus().ConvertStatusTo(next.GetStatus())); err != nil {
			return 0, err
		}
		at, steps = next, steps+1
	}
	if !reflect.DeepEqual(at.GetSpec(), want.GetSpec()) || !reflect.DeepEqual(at.GetStatus(), want.GetStatus()) {
		return 0, fmt.Errorf("%v: a conversion of %T in one go differs from one step by step", k.name, k.oldest)
	}
	return steps, nil
}

// measure compares the conversions with copies.
func (k *kind) measure() {
	up := func() { must(k.oldest.ConvertTo(empty(k.hub))) }
	down := func() { must(empty(k.oldest).ConvertFrom(k.hub)) }
	k.up = compare(func() { k.oldest.DeepCopyObject() }, up)
	k.down = compare(func() { k.hub.DeepCopyObject() }, down)
}

// compare returns how many times as long as base do takes: the fastest of batches that
// take turns, in CPU time, so that what else runs on the machine matters little.
func compare(base, do func()) float64 {
	const batches, long = 9, 4 * time.Millisecond
	calls := 1
	batch := func(do func()) time.Duration {
		start := cpu()
		for range calls {
			do()
		}
		return cpu() - start
	}
	for batch(base) < long {
		calls *= 2
	}
	fastest, fastestBase := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range batches {
		fastest, fastestBase = min(fastest, batch(do)), min(fastestBase, batch(base))
	}
	return float64(fastest) / float64(fastestBase)
}

// cpu returns the CPU time that the process has used.
func cpu() time.Duration {
	var used syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// median returns the median of what of returns for each kind.
func median(kinds []*kind, of func(*kind) float64) float64 {
	var values []float64
	for _, k := range kinds {
		values = append(values, of(k))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// empty returns an empty object of the type of like.
func empty[T any](like T) T { return reflect.New(reflect.TypeOf(like).Elem()).Interface().(T) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}
