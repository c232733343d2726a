package changes_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/armature-dev/armature/runtime/changes"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
)

func TestSpec(t *testing.T) {
	with := func(change func(*v3storage.Person)) client.Object {
		p := &v3storage.Person{ObjectMeta: metav1.ObjectMeta{Name: "ada", Generation: 1}}
		p.Spec.OriginalVersion = "v20200101"
		change(p)
		return p
	}
	untyped := func(size int64) client.Object {
		return &unstructured.Unstructured{Object: map[string]any{
			"metadata": map[string]any{"name": "x"}, "spec": map[string]any{"size": size}}}
	}
	same := func(*v3storage.Person) {}
	for _, test := range []struct {
		what          string
		before, after client.Object
		want          bool
	}{
		{"a Spec that changed, and no generation", with(same),
			with(func(p *v3storage.Person) { p.Spec.OriginalVersion = "v20210101" }), true},
		{"a generation that changed, and no Spec", with(same), with(func(p *v3storage.Person) { p.Generation++ }), false},
		{"a Status", with(same), with(func(p *v3storage.Person) { p.Status.Conditions = []metav1.Condition{{Type: "Ready"}} }), false},
		{"a label", with(same), with(func(p *v3storage.Person) { p.Labels = map[string]string{"a": "b"} }), false},
		{"the begin of a deletion", with(same),
			with(func(p *v3storage.Person) { p.DeletionTimestamp = &metav1.Time{Time: time.Now()} }), true},
		{"an untyped Spec that changed", untyped(1), untyped(2), true},
		{"an untyped Spec that did not", untyped(1), untyped(1), false},
		{"an event without an object", nil, with(same), false},
	} {
		t.Run(test.what, func(t *testing.T) {
			if got := (changes.Spec{}).Update(event.UpdateEvent{ObjectOld: test.before, ObjectNew: test.after}); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
	if !(changes.Spec{}).Create(event.CreateEvent{Object: with(same)}) {
		t.Error("a new object is ignored")
	}
}
