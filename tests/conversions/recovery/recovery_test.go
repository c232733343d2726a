package recovery_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/apis/crm/v1alpha1api20130303"
	"github.com/armature-dev/armature/apis/crm/v20130303"
	"github.com/armature-dev/armature/apis/crm/v20130303storage"
	"github.com/armature-dev/armature/apis/crm/v20190909"
	"github.com/armature-dev/armature/apis/crm/v20211111"
	hub "github.com/armature-dev/armature/apis/crm/v20211111storage"
	"github.com/armature-dev/armature/apis/crm/v20221212alpha1"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// resource is a pointer to a Person at some version.
type resource[T any] interface {
	*T
	conversion.KubernetesResource
	conversion.Convertible
}

// through returns a client who reads a stored person at a version, edits it, and
// writes it back.
func through[T any, P resource[T]](edit func(P)) func(*testing.T, *hub.Person) {
	return func(t *testing.T, stored *hub.Person) {
		t.Helper()
		shown, written := P(new(T)), &hub.Person{}
		if err := shown.ConvertFrom(stored); err != nil {
			t.Fatal(err)
		}
		edit(shown)
		if err := shown.ConvertTo(written); err != nil {
			t.Fatal(err)
		}
		*stored = *written
	}
}

// at2013, at2019 and atPreview are clients of three versions.
func at2013(edit func(*v20130303.Person)) func(*testing.T, *hub.Person) { return through(edit) }
func at2019(edit func(*v20190909.Person)) func(*testing.T, *hub.Person) { return through(edit) }
func atPreview(edit func(*v20221212alpha1.Person)) func(*testing.T, *hub.Person) {
	return through(edit)
}

func created2013(t *testing.T) *hub.Person {
	t.Helper()
	stored := &hub.Person{}
	object := &v20130303.Person{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "ada"},
		Spec:       v20130303.Person_Spec{FirstName: ptr("Ada"), LastName: ptr("Lovelace")},
	}
	if err := object.ConvertTo(stored); err != nil {
		t.Fatal(err)
	}
	return stored
}

func ptr[T any](value T) *T { return &value }

// TestOriginalVersion has a row for each clause of the rule which version a
// resource is written for.
func TestOriginalVersion(t *testing.T) {
	type client = func(*testing.T, *hub.Person)
	const v2013, v2019, preview = "v20130303", "v20190909", "v20221212alpha1"
	nickname := func(p *v20130303.Person) { p.Spec.FirstName = ptr("Augusta") }
	known := func(p *v20190909.Person) { p.Spec.KnownAs = ptr("A. A. L.") }
	for _, test := range []struct {
		name    string
		clients []client
		want    string
	}{
		{"the version that created it", nil, v2013},
		{"a label of a newer client changes nothing",
			[]client{at2019(func(p *v20190909.Person) { p.Labels = map[string]string{"a": "b"} })}, v2013},
		{"a finalizer of a newer client changes nothing",
			[]client{at2019(func(p *v20190909.Person) { p.Finalizers = []string{"a/b"} })}, v2013},
		{"a Status of a newer client changes nothing",
			[]client{at2019(func(p *v20190909.Person) { p.Status.KnownAs = ptr("Ada") })}, v2013},
		{"a newer client that writes back what it read changes nothing", []client{at2019(func(*v20190909.Person) {})}, v2013},
		{"an edit of the Spec by a newer client", []client{at2019(known)}, v2019},
		{"a later edit of the Spec by an older client changes nothing", []client{at2019(known), at2013(nickname)}, v2019},
		{"a later label of an older client changes nothing",
			[]client{at2019(known), at2013(func(p *v20130303.Person) { p.Labels = map[string]string{"a": "b"} })}, v2019},
		{"an edit of the Spec at a preview later than all",
			[]client{atPreview(func(p *v20221212alpha1.Person) { p.Spec.LegalName = ptr("Ada King") })}, preview},
		{"an annotation with a later version", []client{at2013(byHand[v20130303.Person](v2019))}, v2019},
		{"an annotation with an earlier version", []client{at2019(known), at2019(byHand[v20190909.Person](v2013))}, v2013},
		{"an annotation outlasts an edit", []client{at2013(byHand[v20130303.Person](v2013)), at2019(known)}, v2013},
		{"a removed annotation leaves the version that it named",
			[]client{at2013(byHand[v20130303.Person](v2019)), at2013(byHand[v20130303.Person](""))}, v2019},
		{"an edit of the Spec at an alias of the same version changes nothing",
			[]client{through(func(p *v1alpha1api20130303.Person) { p.Spec.FirstName = ptr("Augusta") })}, v2013},
		{"a client that drops the annotation, and with it all that its version cannot hold",
			[]client{at2019(known), at2013(func(p *v20130303.Person) { delete(p.Annotations, annotation.Remainder) })}, v2013},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored := created2013(t)
			for _, client := range test.clients {
				client(t, stored)
			}
			if got := stored.OriginalGVK().Version; got != test.want || stored.Spec.OriginalVersion != test.want {
				t.Errorf("it is written for %q, and %q is noted, want %q", got, stored.Spec.OriginalVersion, test.want)
			}
		})
	}
	t.Run("a resource that was written as it is stored has none", writtenAsStored)
}

// byHand returns an edit that sets the annotation, or removes it if version is "".
func byHand[T any, P resource[T]](version string) func(P) {
	return func(p P) {
		annotations := p.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[annotation.APIVersion] = version
		if version == "" {
			delete(annotations, annotation.APIVersion)
		}
		p.SetAnnotations(annotations)
	}
}

func writtenAsStored(t *testing.T) {
	stored := &hub.Person{Spec: hub.Person_Spec{LegalName: ptr("Ada Lovelace")}}
	for _, object := range []conversion.KubernetesResource{stored, &v20130303storage.Person{}} {
		if got := object.OriginalGVK().Version; got != "v20211111" {
			t.Errorf("%T is written for %q, want the hub's version", object, got)
		}
	}
	at2013(func(p *v20130303.Person) { p.Labels = map[string]string{"a": "b"} })(t, stored)
	if got := stored.Spec.OriginalVersion; got != "" {
		t.Errorf("after a label at 2013, %q is noted", got)
	}
	at2013(func(p *v20130303.Person) { p.Spec.FirstName = ptr("Augusta") })(t, stored)
	if got := stored.OriginalGVK().Version; got != "v20211111" {
		t.Errorf("after an edit at 2013, it is written for %q, want the hub's version still", got)
	}
	stored.Spec.OriginalVersion = "v20130303"
	stored.Annotations = map[string]string{annotation.APIVersion: "v20190909"}
	if got := stored.OriginalGVK().Version; got != "v20190909" {
		t.Errorf("the annotation of a stored object says v20190909, it is written for %q", got)
	}
}

// TestVersionFor asks for the version that a resource is written for, where the
// scheme may not have it.
func TestVersionFor(t *testing.T) {
	all := persons(t, func(string) bool { return true })
	for _, test := range []struct {
		name   string
		scheme *runtime.Scheme
		noted  string
		want   string
	}{
		{"known", all, "v20190909", "v20190909"},
		{"empty", all, "", "v20211111"},
		{"no version at all", all, "latest", "v20211111"},
		{"a storage version", all, "v20190909storage", "v20190909"},
		{"the same ARM version under a prefix that is gone", all, "v1api20190909", "v20190909"},
		{"the preferred of several with that date", all, "v1api20130303", "v20130303"},
		{"between two", all, "v20180101", "v20180808"},
		{"before all", all, "v20000101", "v20110101"},
		{"after all", all, "v20300101", "v20211111"},
		{"retired", persons(t, func(v string) bool { return v != "v20190909" }), "v20190909", "v20201010"},
		{"retired, and so is the hub's", persons(t, func(v string) bool { return v > "v2" && v < "v2020" }), "", "v20190909"},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored := &hub.Person{Spec: hub.Person_Spec{OriginalVersion: test.noted}}
			got, err := conversion.VersionFor(stored, test.scheme)
			if err != nil || got.Version != test.want || got.Kind != "Person" {
				t.Errorf("got %v, %v, want %s", got, err, test.want)
			}
			if got := conversion.IsNewer(stored, test.scheme); got != (test.name == "after all") {
				t.Errorf("it is newer than all: %v", got)
			}
		})
	}
	t.Run("an empty scheme is an error", func(t *testing.T) {
		if _, err := conversion.VersionFor(&hub.Person{}, runtime.NewScheme()); err == nil ||
			!strings.Contains(err.Error(), "Person.crm.azure.armature.dev") {
			t.Errorf("the error is %v", err)
		}
	})
}

// persons returns a scheme with some of the API versions of Person.
func persons(t *testing.T, some func(version string) bool) *runtime.Scheme {
	t.Helper()
	all, scheme1 := runtime.NewScheme(), runtime.NewScheme()
	if err := scheme.AddToScheme(all); err != nil {
		t.Fatal(err)
	}
	for gvk := range all.AllKnownTypes() {
		if gvk.Kind != "Person" || !strings.HasSuffix(gvk.Version, "storage") && !some(gvk.Version) {
			continue
		}
		object, err := all.New(gvk)
		if err != nil {
			t.Fatal(err)
		}
		scheme1.AddKnownTypeWithName(gvk, object)
	}
	return scheme1
}

func TestGetVersionedSpec(t *testing.T) {
	t.Run("a Spec that its version cannot hold is not sent in part", unsentSpec)
	t.Run("what a hook puts into other properties is sent", hookedSpec)
}

func unsentSpec(t *testing.T) {
	all := persons(t, func(string) bool { return true })
	stored := created2013(t)
	if spec, err := conversion.GetVersionedSpec(stored, all); err != nil || *spec.(*v20130303.Person_Spec).LastName != "Lovelace" {
		t.Fatal(spec, err)
	}
	stored.Spec.MailingAddress = &hub.Location{CountryCode: ptr("GB")}
	_, err := conversion.GetVersionedSpec(stored, all)
	var unsent *conversion.UnsentError
	if !errors.As(err, &unsent) || !slices.Equal(unsent.Paths, []string{"spec.mailingAddress.countryCode"}) &&
		!slices.Equal(unsent.Paths, []string{"spec.mailingAddress"}) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"Person default/ada", "v20130303", "spec.mailingAddress", annotation.APIVersion} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error %q does not say %s", err, part)
		}
	}
}

func hookedSpec(t *testing.T) {
	all := persons(t, func(string) bool { return true })
	stored := &hub.Person{}
	object := &v20190909.Person{Spec: v20190909.Person_Spec{FamilyName: ptr("Byron")}}
	if err := object.ConvertTo(stored); err != nil {
		t.Fatal(err)
	}
	at2013(func(p *v20130303.Person) { p.Spec.FirstName, p.Spec.LastName = ptr("Ada"), ptr("Lovelace") })(t, stored)
	spec, err := conversion.GetVersionedSpec(stored, all)
	if err != nil {
		t.Fatal(err)
	}
	if got := spec.(*v20190909.Person_Spec); *got.KnownAs != "Ada" || *got.FamilyName != "Lovelace" {
		t.Errorf("sent %v %v", *got.KnownAs, *got.FamilyName)
	}
	at2019(func(p *v20190909.Person) { p.Spec.KnownAs = ptr("Countess") })(t, stored)
	_, err = conversion.GetVersionedSpec(stored, all)
	var unsent *conversion.UnsentError
	if !errors.As(err, &unsent) || !slices.Equal(unsent.Paths, []string{"spec.firstName"}) {
		t.Errorf("got %v, want one that a first name is not sent", err)
	}
}

// TestSetStatus gives a stored person Statuses of another version and of another kind.
func TestSetStatus(t *testing.T) {
	stored := created2013(t)
	spec := stored.Spec.DeepCopy()
	if err := stored.SetStatus(&v20130303.Person_Status{FirstName: ptr("Ada"), LastName: ptr("Lovelace")}); err != nil {
		t.Fatal(err)
	}
	if *stored.Status.KnownAs != "Ada" || cmp.Diff(spec, &stored.Spec) != "" {
		t.Errorf("got %v, and the Spec changed: %s", stored.Status, cmp.Diff(spec, &stored.Spec))
	}
	before := stored.Status.DeepCopy()
	err := stored.SetStatus(&v20211111.Party_Status{})
	if err == nil || !strings.Contains(err.Error(), "Party_Status") || !strings.Contains(err.Error(), "Person_Status") {
		t.Errorf("the Status of a Party gives the error %v", err)
	}
	if diff := cmp.Diff(before, &stored.Status); diff != "" {
		t.Error("the Status was changed nevertheless:", diff)
	}
	status, err := conversion.GetVersionedStatus(stored, persons(t, func(string) bool { return true }))
	if err != nil || *status.(*v20130303.Person_Status).FirstName != "Ada" {
		t.Error(status, err)
	}
}
