package recovery_test

import (
	"testing"

	"github.com/armature-dev/armature/apis/crm/v20190909"
	"github.com/armature-dev/armature/apis/crm/v20211111"
	hub "github.com/armature-dev/armature/apis/crm/v20211111storage"
	"github.com/armature-dev/armature/runtime/annotation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestExact has a row for each clause of the rule when the annotation exact takes
// effect. The residential address is a property that 2019-09-09 lacks.
func TestExact(t *testing.T) {
	type client = func(*testing.T, *hub.Person)
	const v2019, v2021 = "v20190909", "v20211111"
	at2021 := func(edit func(*v20211111.Person)) client { return through(edit) }
	annotate := func(object metav1.Object, version string) {
		annotations := object.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[annotation.Exact] = version
		object.SetAnnotations(annotations)
	}
	exact := func(version string) client {
		return at2019(func(p *v20190909.Person) { annotate(p, version) })
	}
	edited := at2019(func(p *v20190909.Person) { p.Spec.SortKey = ptr("king") })
	label := at2019(func(p *v20190909.Person) { p.Labels = map[string]string{"a": "b"} })
	moved := at2021(func(p *v20211111.Person) {
		p.Spec.ResidentialAddress = &v20211111.Location{CountryCode: ptr("IE")}
	})
	for _, test := range []struct {
		name    string
		clients []client
		stays   bool
	}{
		{"a write that sets the annotation, with the Spec as it is", []client{exact(v2019)}, false},
		{"a write that sets the annotation, with another Spec", []client{at2019(func(p *v20190909.Person) {
			p.Spec.SortKey = ptr("king")
			annotate(p, v2019)
		})}, false},
		{"a write that changes the annotation from another version", []client{exact(v2021), exact(v2019)}, false},
		{"an annotation that names another version", []client{exact(v2021), edited}, true},
		{"without the annotation", []client{edited}, true},
		{"a later label at that version", []client{exact(v2019), moved, label}, true},
		{"a later Status at that version",
			[]client{exact(v2019), moved, at2019(func(p *v20190909.Person) { p.Status.SortKey = ptr("king") })}, true},
		{"the same written again", []client{exact(v2019), moved, exact(v2019)}, true},
		{"a later edit of the Spec at that version", []client{exact(v2019), moved, edited}, false},
		{"a later edit of the Spec at another version",
			[]client{exact(v2019), moved, at2021(func(p *v20211111.Person) { p.Spec.SortKey = ptr("king") })}, true},
		{"the annotation goes, and the Spec changes", []client{exact(v2019), moved, at2019(func(p *v20190909.Person) {
			delete(p.Annotations, annotation.Exact)
			p.Spec.SortKey = ptr("king")
		})}, true},
		{"the annotation is set at another version, and a label at its own",
			[]client{at2021(func(p *v20211111.Person) { annotate(p, v2019) }), label}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored := created2013(t)
			at2021(func(p *v20211111.Person) {
				p.Spec.ResidentialAddress = &v20211111.Location{CountryCode: ptr("GB")}
				p.Status.ResidentialAddress = &v20211111.Location_Status{CountryCode: ptr("GB")}
			})(t, stored)
			for _, client := range test.clients {
				client(t, stored)
			}
			if got := stored.Spec.ResidentialAddress; (got != nil) != test.stays {
				t.Errorf("the address is %v, want that it stays: %v", got, test.stays)
			}
			if stored.Status.ResidentialAddress == nil {
				t.Error("the Status has no address")
			}
			if got := stored.Spec.OriginalVersion; got != v2021 {
				t.Errorf("it is written for %s, want %s, at which ARM learns what is gone", got, v2021)
			}
		})
	}
}
