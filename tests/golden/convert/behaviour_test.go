package convert_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/roundtrip"
	"github.com/armature-dev/armature/tests/golden/convert/v1"
	"github.com/armature-dev/armature/tests/golden/convert/v1storage"
	"github.com/armature-dev/armature/tests/golden/convert/v2"
	"github.com/armature-dev/armature/tests/golden/convert/v2storage"
	"github.com/armature-dev/armature/tests/golden/convert/v3"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func ptr[T any](v T) *T { return &v }

// TestLaws tries the laws on a kind, as the author of an operator would.
func TestLaws(t *testing.T) {
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{
		"v1": &v1.Person{}, "v1storage": &v1storage.Person{},
		"v2": &v2.Person{}, "v2storage": &v2storage.Person{},
		"v3": &v3.Person{}, "v3storage": &v3storage.Person{},
	} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: version, Kind: "Person"}, object)
	}
	roundtrip.Check(t, scheme, schema.GroupKind{Group: group, Kind: "Person"})
}

func TestConvertTo(t *testing.T) {
	t.Run("renamed, retyped, dropped and nested properties reach the hub", testPropertiesReachTheHub)
	t.Run("a hub of another kind is an error that names both types", testHubOfAnotherKind)
}

func testPropertiesReachTheHub(t *testing.T) {
	person := &v1.Person{
		TypeMeta:   metav1.TypeMeta{APIVersion: group + "/v1", Kind: "Person"},
		ObjectMeta: metav1.ObjectMeta{Name: "ada", Namespace: "ns", Labels: map[string]string{"a": "b"}},
		Spec: v1.Person_Spec{
			LastName: ptr("Lovelace"), Badge: ptr("B-7"), Tier: ptr(v1.Tier("Gold")), Codes: [][]v1.Tier{{"Gold"}, {}},
			Legacy: map[string]string{"K": "v", "k": "w"}, Grid: [][]v1.Address{{{City: ptr("London")}}, nil},
			Nickname: ptr("Ada"), Zipcode: ptr("W1"),
			Pet: &v1.Pet{Dog: &v1.PetDog{Tricks: []string{}}},
		},
	}
	hub := &v3storage.Person{}
	c := &conversion.Context{}
	if err := person.ConvertTo(c.Hub(hub)); err != nil {
		t.Fatal(err)
	}
	if hub.APIVersion != group+"/v3storage" || hub.Kind != "Person" || hub.Labels["a"] != "b" {
		t.Errorf("metadata: %v %v", hub.TypeMeta, hub.ObjectMeta)
	}
	s := hub.Spec
	switch {
	case *s.FamilyName != "Lovelace", *s.Tier != "Gold", s.OriginalVersion != "v1",
		!reflect.DeepEqual(s.Codes, [][]string{{"Gold"}, {}}), *s.Grid[0][0].City != "London", s.Grid[1] != nil:
		t.Errorf("%+v", s)
	case s.Badge != nil || string(s.PropertyBag["badge@2011-01-01"].Value) != `"B-7"`:
		t.Errorf("a badge of another shape is not left in the bag: %v %v", s.Badge, s.PropertyBag)
	case string(s.PropertyBag["legacy"].Value) != `{"K":"v","k":"w"}`:
		t.Errorf("bag: %v", s.PropertyBag)
	case s.Pet.Dog == nil || s.Pet.Dog.Tricks == nil:
		t.Errorf("the dog was not recalled: %+v", s.Pet)
	case s.NickName == nil, s.ZipCode == nil:
		t.Errorf("names that differ in case do not match: %+v", s)
	}
	// badge, legacy, dog and zipcode went in; the latter two came out; the hub's
	// badge is another property.
	if c.Stashed != 4 || c.Recalled != 2 || c.Unreadable != 0 {
		t.Errorf("counted %+v", c.Tally)
	}
	if back := (&v1.Person{}); back.ConvertFrom(hub) != nil || !reflect.DeepEqual(back, person) {
		t.Errorf("%+v came back as %+v", person, back)
	}
}

func testHubOfAnotherKind(t *testing.T) {
	for _, err := range []error{
		(&v1.Person{}).ConvertTo(&v3storage.Party{}),
		(&v2storage.Person{}).ConvertTo(&v3storage.Party{}),
	} {
		if err == nil || !strings.Contains(err.Error(), "storage.Person") &&
			!strings.Contains(err.Error(), "v1.Person") || !strings.Contains(err.Error(), "*v3storage.Party") {
			t.Errorf("error: %v", err)
		}
	}
	want := "no conversion from *v3storage.Party to *v1.Person"
	if err := (&v1.Person{}).ConvertFrom(&v3storage.Party{}); err == nil || err.Error() != want {
		t.Errorf("error: %v, want %s", err, want)
	}
}

// TestSetStatus sets a Status of each version on an object of each version.
func TestSetStatus(t *testing.T) {
	statuses := []conversion.ConvertibleStatus{
		&v1.Person_Status{Id: ptr("x")}, &v1storage.Person_Status{Id: ptr("x")},
		&v2.Person_Status{Id: ptr("x")}, &v2storage.Person_Status{Id: ptr("x")},
		&v3.Person_Status{Id: ptr("x")}, &v3storage.Person_Status{Id: ptr("x")},
	}
	objects := []conversion.KubernetesResource{
		&v1.Person{}, &v1storage.Person{}, &v2.Person{}, &v2storage.Person{}, &v3.Person{}, &v3storage.Person{},
	}
	for _, object := range objects {
		for _, status := range statuses {
			if err := object.SetStatus(object.NewEmptyStatus()); err != nil {
				t.Fatal(err)
			}
			if err := object.SetStatus(status); err != nil {
				t.Errorf("%T of %T: %v", status, object, err)
				continue
			}
			if id := reflect.ValueOf(object.GetStatus()).Elem().FieldByName("Id").Elem(); !id.IsValid() || id.String() != "x" {
				t.Errorf("%T of %T has no id", status, object)
			}
		}
		before := object.DeepCopyObject()
		for _, other := range []conversion.ConvertibleStatus{&v1.Party_Status{}, &v3storage.Party_Status{}, nil} {
			want := fmt.Sprintf("no conversion from %T to %T", other, object.GetStatus())
			if err := object.SetStatus(other); err == nil || err.Error() != want {
				t.Errorf("%T: error %v, want %s", object, err, want)
			}
		}
		if !reflect.DeepEqual(before, object) {
			t.Errorf("%T: a Status that was refused has changed it", object)
		}
	}
}

// TestConvertSpecTo converts between versions of which neither is on the way from
// the other to the hub.
func TestConvertSpecTo(t *testing.T) {
	src, dst := &v3.Person_Spec{FamilyName: ptr("Lovelace")}, &v1.Person_Spec{}
	if err := src.ConvertSpecTo(dst); err != nil || dst.LastName == nil {
		t.Errorf("%v, %v", dst.LastName, err)
	}
	back := &v3.Person_Spec{}
	if err := back.ConvertSpecFrom(dst); err != nil || *back.FamilyName != "Lovelace" {
		t.Errorf("%v, %v", back.FamilyName, err)
	}
	want := "no conversion from *v3.Person_Spec to *v1.Party_Spec"
	if err := src.ConvertSpecTo(&v1.Party_Spec{}); err == nil || err.Error() != want {
		t.Errorf("error: %v, want %s", err, want)
	}
}

// TestAllocations compares three steps to the hub with a deep copy.
func TestAllocations(t *testing.T) {
	object := person()
	object.Spec.Relation = &v1.Relation{Related: make([]v1.Relation, 10)}
	conversions := testing.AllocsPerRun(10, func() { _ = object.ConvertTo(&v3storage.Person{}) })
	copies := testing.AllocsPerRun(10, func() { object.DeepCopy() })
	if conversions > 3*copies {
		t.Errorf("three steps make %v allocations, more than three times the %v of a deep copy", conversions, copies)
	}
}

// TestSpelling stores members of a closed enum in another spelling. A client sees
// the spelling that the API server accepts, and what is stored stays as it was.
func TestSpelling(t *testing.T) {
	stored := &v3storage.Person{Spec: v3storage.Person_Spec{
		OriginalVersion: "v1", Tier: ptr("gOLD"), Tiers: []string{"silver", "Platinum", "Gold"}, Codes: [][]string{{"GOLD"}},
	}}
	shown := &v1.Person{}
	if err := shown.ConvertFrom(stored); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(*shown.Spec.Tier, shown.Spec.Tiers, shown.Spec.Codes); got != "Gold[Silver Platinum Gold] [[Gold]]" {
		t.Errorf("a client is shown %s", got)
	}
	shown.Spec.Tiers = append(shown.Spec.Tiers, "Gold")
	written := &v3storage.Person{}
	if err := shown.ConvertTo(written); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(*written.Spec.Tier, written.Spec.Tiers, written.Spec.Codes); got != "gOLD[silver Platinum Gold Gold] [[GOLD]]" {
		t.Errorf("when the client has added a tier, %s is stored", got)
	}
}

func TestGetVersionedSpec(t *testing.T) {
	t.Run("the resource stays as it is, since it may belong to an informer's cache", testNothingIsShared)
	t.Run("one half costs the same, however large the other one is", testOneHalfIsCopied)
}

// versionedScheme returns a scheme with versions that Persons are written for.
func versionedScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v1": &v1.Person{}, "v3": &v3.Person{}, "v3storage": &v3storage.Person{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: version, Kind: "Person"}, object)
	}
	return scheme
}

func testNothingIsShared(t *testing.T) {
	scheme := versionedScheme()
	for what, change := range map[string]func(stored *v3storage.Person){
		"the Spec at the version of the hub": func(stored *v3storage.Person) {
			spec, err := conversion.GetVersionedSpec(stored, scheme)
			if err != nil {
				t.Fatal(err)
			}
			*spec.(*v3.Person_Spec).FamilyName, spec.(*v3.Person_Spec).Levels[0] = "Eve", 2
		},
		"the Spec at another version": func(stored *v3storage.Person) {
			stored.Spec.OriginalVersion = "v1"
			spec, err := conversion.GetVersionedSpec(stored, scheme)
			if err != nil {
				t.Fatal(err)
			}
			*spec.(*v1.Person_Spec).LastName = "Eve"
		},
		"the Status": func(stored *v3storage.Person) {
			status, err := conversion.GetVersionedStatus(stored, scheme)
			if err != nil {
				t.Fatal(err)
			}
			*status.(*v3.Person_Status).Id = "y"
		},
	} {
		stored := &v3storage.Person{
			Spec:   v3storage.Person_Spec{OriginalVersion: "v3", FamilyName: ptr("Lovelace"), Levels: []int64{1}},
			Status: v3storage.Person_Status{Id: ptr("x")},
		}
		change(stored)
		if *stored.Spec.FamilyName != "Lovelace" || stored.Spec.Levels[0] != 1 || *stored.Status.Id != "x" {
			t.Errorf("%s is shared with the resource", what)
		}
	}
}

// halved returns a stored Person whose Spec and Status have as many objects as given.
func halved(inSpec, inStatus int) *v3storage.Person {
	stored := &v3storage.Person{Spec: v3storage.Person_Spec{OriginalVersion: "v1", FamilyName: ptr("Lovelace")}}
	for range inSpec {
		stored.Spec.Grid = append(stored.Spec.Grid, []v3storage.Location{{City: ptr("London")}})
	}
	for range inStatus {
		stored.Status.History = append(stored.Status.History, v3storage.Location_Status{City: ptr("London")})
	}
	return stored
}

func testOneHalfIsCopied(t *testing.T) {
	scheme := versionedScheme()
	spec := func(stored *v3storage.Person) func() {
		return func() {
			if _, err := conversion.GetVersionedSpec(stored, scheme); err != nil {
				t.Fatal(err)
			}
		}
	}
	status := func(stored *v3storage.Person) func() {
		return func() {
			if _, err := conversion.GetVersionedStatus(stored, scheme); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, test := range map[string]struct{ small, large func() }{
		"the Spec":   {spec(halved(1, 0)), spec(halved(1, 1000))},
		"the Status": {status(halved(0, 1)), status(halved(1000, 1))},
	} {
		small, large := testing.AllocsPerRun(20, test.small), testing.AllocsPerRun(20, test.large)
		if small != large {
			t.Errorf("%s takes %v allocations, and %v beside a large other half", name, small, large)
		}
	}
}
