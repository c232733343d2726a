// Package roundtrip checks the conversions between the versions of a Kubernetes
// kind against laws, on objects that are filled at random. It works in a plain
// "go test", for conversions that somebody wrote as for generated ones:
//
//	func TestPersonConversions(t *testing.T) {
//		roundtrip.Check(t, scheme, schema.GroupKind{Group: "crm.example.com", Kind: "Person"})
//	}
//
// [Laws] lists the laws; each is a subtest. Every run is repeatable: a failure is
// made as small as possible, and prints how to replay it. The environment
// variables ARMATURE_SEED and ARMATURE_RUNS try other objects, and more of them.
// The main type is [Options].
package roundtrip

import (
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Options say what a kind needs that others do not. The zero value suits most.
type Options struct {
	// Seed of the first run; each further run adds one. The default is 1.
	Seed int64
	// Runs is how many objects each law is tried on. The default is 100.
	Runs int
	// Fill are functions that fill further types, as gofuzz takes them, such as
	// func(*Color, fuzz.Continue).
	Fill []any
	// Enums are the values of enums, in slices such as []Color{Red, Green}.
	Enums []any
	// Compare are options with which go-cmp takes values as equal that laws do not.
	Compare cmp.Options
	// Waive are the laws that do not hold for this kind, or not for a property.
	Waive []Waiver
	// TypeName returns the name that waivers have for a Go type: one name for
	// several types, if a waiver is for all of them. The default is the type's own.
	TypeName func(goType string) string
	// Rules say which objects of a version are valid, by the import path of the
	// version's package. Every other object is valid then.
	Rules map[string]Rules
	// Bags are entries that property bags may have, beside those for the
	// properties of the version and the hub: by the name of the struct type.
	Bags map[string][]BagEntry
	// Replay returns the command that runs a test with one seed again. The default
	// is one of "go test".
	Replay func(test string, seed int64) string
}

// defaultRuns is how many objects each law is tried on.
const defaultRuns = 100

// Check checks all versions of a kind in a scheme, and all ordered pairs of them,
// against the laws. One version must be the hub, with a method Hub, and all others
// Convertible.
func Check(t *testing.T, scheme *runtime.Scheme, kind schema.GroupKind) {
	t.Helper()
	Options{}.Check(t, scheme, kind)
}

// Check is [Check] with options.
func (o Options) Check(t *testing.T, scheme *runtime.Scheme, kind schema.GroupKind) {
	t.Helper()
	k := o.Kind(t, scheme, kind)
	if k.Hub == nil {
		t.Fatalf("the scheme has no version of %v with a method Hub", kind)
	}
	for _, version := range k.Versions {
		t.Run(shortName(version), func(t *testing.T) {
			k.Forget()
			k.TryVersion(t, version)
			k.TryPairs(t, version)
		})
	}
	t.Run(shortName(k.Hub), func(t *testing.T) { k.TryVersion(t, k.Hub) })
	if k.Judges() {
		for _, message := range Unneeded([]*Kind{k}, k.Waive) {
			t.Error(message)
		}
	}
}

// Kind returns the versions of a kind in a scheme.
func (o Options) Kind(t *testing.T, scheme *runtime.Scheme, kind schema.GroupKind) *Kind {
	t.Helper()
	var hub conversion.Hub
	var versions []conversion.Convertible
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
			if hub != nil {
				t.Fatalf("%v has two hubs, %T and %T", kind, hub, object)
			}
			hub = object
		case conversion.Convertible:
			versions = append(versions, object)
		default:
			t.Fatalf("%v: %T has neither Hub nor ConvertTo and ConvertFrom", gvk, object)
		}
	}
	return o.NewKind(t, hub, versions...)
}

// NewKind returns the kind of a hub and other versions. The environment variables
// override the options.
func (o Options) NewKind(t *testing.T, hub conversion.Hub, versions ...conversion.Convertible) *Kind {
	t.Helper()
	slices.SortFunc(versions, func(a, b conversion.Convertible) int { return strings.Compare(name(a), name(b)) })
	return &Kind{Options: o.complete(t), Hub: hub, Versions: versions}
}

// IsStored reports whether a generated object is of a storage version, whose
// structs have property bags.
func IsStored(object conversion.KubernetesResource) bool {
	_, stored := reflect.TypeOf(object.GetSpec()).Elem().FieldByName(propertybag.Field)
	return stored
}

// complete returns the options with defaults, and with the values that the
// environment overrides.
func (o Options) complete(t *testing.T) Options {
	t.Helper()
	number := func(variable string, value, otherwise int64) int64 {
		switch text := os.Getenv(variable); {
		case text == "random" && variable == seedVariable:
			return time.Now().UnixNano() % 1e12
		case text != "":
			var err error
			if value, err = strconv.ParseInt(text, 10, 64); err != nil {
				t.Fatalf("the environment variable %s is %q, not a number", variable, text)
			}
			return value
		case value == 0:
			return otherwise
		}
		return value
	}
	o.Seed = number(seedVariable, o.Seed, 1)
	o.Runs = int(number(runsVariable, int64(o.Runs), defaultRuns))
	for _, w := range o.Waive {
		if err := w.check(); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// The environment variables.
const (
	seedVariable = "ARMATURE_SEED"
	runsVariable = "ARMATURE_RUNS"
)

// Kind has the versions of a kind, which convert with a hub.
type Kind struct {
	Options
	// Hub is an empty object of the hub's version.
	Hub conversion.Hub
	// Versions are empty objects of the others.
	Versions []conversion.Convertible

	needed map[Waiver]bool // of those that were needed
	tried  []attempt

	// What laws share.
	*vocabulary
	objects   map[filledKey]runtime.Object
	starts    map[int64]*start
	exchanges map[exchangeKey]*exchange
	entries   map[reflect.Type]map[string][]BagEntry // of bags, by version
}

// TryVersion checks one version, which may be the hub, against the laws of single
// versions.
func (k *Kind) TryVersion(t *testing.T, object runtime.Object) {
	_, hub := object.(conversion.Hub)
	for _, law := range Laws {
		if law.OfPair || hub && !law.OfHub || law.OfClients && generated(object) && IsStored(object.(conversion.KubernetesResource)) {
			continue
		}
		k.try(t, law, object, nil)
	}
}

// TryPairs checks a version with each other version against the laws of pairs.
func (k *Kind) TryPairs(t *testing.T, object conversion.Convertible) {
	for _, other := range k.Versions {
		if name(other) == name(object) {
			continue
		}
		t.Run(shortName(other), func(t *testing.T) {
			k.exchanges = nil // of another pair
			for _, law := range Laws {
				if law.OfPair {
					k.try(t, law, object, other)
				}
			}
		})
	}
}

// try checks a version, or a pair unless other is nil, against a law.
func (k *Kind) try(t *testing.T, law Law, object, other runtime.Object) {
	if slices.ContainsFunc(k.Waive, func(w Waiver) bool { return w.waives(law) && w.Property == "" && w.Package == "" }) {
		return
	}
	k.tried = append(k.tried, attempt{law, object, other})
	t.Run(law.Name, func(t *testing.T) {
		for run := range k.Runs {
			if law.Shared && k.Runs > 1 && run%shares != k.share(other) {
				continue
			}
			trial := k.NewTrial(object, other, k.Seed+int64(run))
			if trial.Try(law) == nil {
				continue
			}
			err := trial.Shrink(law, shrinkingTime)
			t.Fatalf("%v\n%s\nTo replay: %s", err, trial.Describe(), k.replay(t.Name(), trial.seed))
		}
	})
}

// shares is how many parts the objects of a version are divided into for the laws
// of pairs that need only one part for each pair: a version has many pairs.
const shares = 5

// share returns the part of the objects that goes to a version.
func (k *Kind) share(other runtime.Object) int {
	return slices.IndexFunc(k.Versions, func(v conversion.Convertible) bool { return name(v) == name(other) }) % shares
}

// replay returns the command that runs a test with one seed again.
func (k *Kind) replay(test string, seed int64) string {
	if k.Replay != nil {
		return k.Replay(test, seed)
	}
	return fmt.Sprintf("%s=%d %s=1 go test -run '%s'", seedVariable, seed, runsVariable, Pattern(test))
}

// Pattern returns the regular expression that selects one test, for the flag -run.
func Pattern(test string) string { return "^" + strings.ReplaceAll(test, "/", "$/^") + "$" }

// Trial is one version of a kind or an ordered pair of versions, with the objects
// that a law is tried on.
type Trial struct {
	*Kind
	// Object is an empty object of the version, which stays empty.
	Object runtime.Object
	// Other is an empty object of the pair's other version, or nil.
	Other runtime.Object

	law  Law
	seed int64
	// The objects and edits that the law was tried on. They are made smaller, and
	// tried again, if the law fails.
	inputs     []runtime.Object
	edits      []*edit
	drawn, nth int
	again      bool
}

// The streams of random numbers of a trial, beside those of objects, which have the
// object's number. An object depends on the seed and its number alone, so that laws
// can share it: objects are costly to fill.
const (
	editStream     = 1000
	bagStream      = 2000
	metadataStream = 3000
)

// NewTrial returns a trial of a version, or of a pair unless other is nil.
func (k *Kind) NewTrial(object, other runtime.Object, seed int64) *Trial {
	if k.vocabulary == nil {
		k.vocabulary = newVocabulary(k.Fill, k.Enums, k.Rules)
	}
	return &Trial{Kind: k, Object: object, Other: other, seed: seed}
}

// Try returns an error if a law does not hold. A panic is an error.
func (t *Trial) Try(law Law) (err error) {
	t.law, t.drawn, t.nth = law, 0, 0
	defer func() {
		t.again = true
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return law.Holds(t)
}

// draw returns a filled object of the type of like.
func (t *Trial) draw(like runtime.Object) runtime.Object { return t.input(like, nil).DeepCopyObject() }

// drawWith returns an object whose property bags have some of the entries.
func (t *Trial) drawWith(bags map[string][]BagEntry, like runtime.Object) runtime.Object {
	return t.input(like, bags).DeepCopyObject()
}

// input returns a filled object of the type of like, which must not be changed.
func (t *Trial) input(like runtime.Object, bags map[string][]BagEntry) runtime.Object {
	if t.drawn == len(t.inputs) {
		t.inputs = append(t.inputs, t.filled(like, t.seed, int64(t.drawn), bags))
	}
	t.drawn++
	return t.inputs[t.drawn-1]
}

// maxKept is how many objects are kept for other laws and other versions.
const maxKept = 4 * defaultRuns

// filledKey has what a filled object depends on, apart from entries of bags.
type filledKey struct {
	typ          reflect.Type
	seed, number int64
}

// filled returns a filled object, and keeps it for other laws.
func (k *Kind) filled(like runtime.Object, seed, number int64, bags map[string][]BagEntry) runtime.Object {
	key := filledKey{reflect.TypeOf(like), seed, number}
	if known := k.objects[key]; known != nil && bags == nil {
		return known
	}
	object := empty(like)
	f := k.filler(seed, number)
	if bags != nil {
		f = k.filler(seed, number+bagStream)
		f.bags = bags
	}
	f.Fill(object)
	if bags == nil && len(k.objects) < maxKept {
		if k.objects == nil {
			k.objects = map[filledKey]runtime.Object{}
		}
		k.objects[key] = object
	}
	return object
}

// Forget drops the objects that were kept for other laws. The objects of a large kind
// take hundreds of megabytes, so a test of many kinds calls it after each.
func (k *Kind) Forget() { k.starts, k.objects, k.exchanges = nil, nil, nil }

// bagsOf returns entries for the property bags of a version and of the hub.
func (k *Kind) bagsOf(object runtime.Object) map[string][]BagEntry {
	typ := reflect.TypeOf(object)
	if k.entries[typ] == nil {
		if k.entries == nil {
			k.entries = map[reflect.Type]map[string][]BagEntry{}
		}
		bags := bagsOf(object, k.Hub)
		for name, entries := range k.Bags {
			bags[name] = append(bags[name], entries...)
		}
		k.entries[typ] = bags
	}
	return k.entries[typ]
}

// edit makes one edit of an object and returns it, or nil if nothing can be edited.
func (t *Trial) edit(object runtime.Object) *edit {
	if t.nth == len(t.edits) {
		t.edits = append(t.edits, chooseEdit(t.filler(t.seed, editStream+int64(t.nth)), object))
	}
	t.nth++
	e := t.edits[t.nth-1]
	if e == nil {
		return nil
	}
	var before runtime.Object
	if t.again { // the object was made smaller, and the edit may change nothing
		before = object.DeepCopyObject()
	}
	if !e.apply(object) || before != nil && reflect.DeepEqual(before, object) {
		return nil
	}
	return e
}

// shortName returns the package of a generated type, which is its version.
func shortName(object runtime.Object) string {
	if generated(object) {
		return ownVersion(object).Version
	}
	return name(object)
}

func name(object runtime.Object) string { return strings.TrimPrefix(fmt.Sprintf("%T", object), "*") }
