package convert_test

import (
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/armature-dev/armature/tests/golden/convert/v1"
	"github.com/armature-dev/armature/tests/golden/convert/v2"
	"github.com/armature-dev/armature/tests/golden/convert/v3"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
)

// apiVersions returns an empty person of each API version.
func apiVersions() []interface {
	conversion.KubernetesResource
	conversion.Convertible
} {
	return []interface {
		conversion.KubernetesResource
		conversion.Convertible
	}{&v1.Person{}, &v2.Person{}, &v3.Person{}}
}

// TestLimits checks that limits hold on the way in, and that no read fails for them.
func TestLimits(t *testing.T) {
	t.Run("annotations that leave no room for a marker are refused", refusesAnnotations)
	t.Run("a stored object is read whatever annotations it has", readsAnyAnnotations)
	t.Run("a write of what had no room is refused, and another object's is not", refusesMarked)
	t.Run("an annotation that is no version is refused", refusesVersion)
	t.Run("a stored one is ignored", ignoresVersion)
	t.Run("an object that is being deleted is taken as it is", takesDeleted)
}

// full returns annotations with as many bytes as the API server allows.
func full() map[string]string {
	return map[string]string{"k": strings.Repeat("v", remainder.MaxAnnotations-len("k"))}
}

func refusesAnnotations(t *testing.T) {
	for _, object := range apiVersions() {
		object.SetAnnotations(full())
		err := object.ConvertTo(&v3storage.Person{})
		if err == nil || !strings.Contains(err.Error(), "have 262144 bytes, expected at most 258048") {
			t.Errorf("%T: %v", object, err)
		}
		object.SetAnnotations(map[string]string{"k": strings.Repeat("v", remainder.MaxOwn-1)})
		stored := &v3storage.Person{}
		if err := object.ConvertTo(stored); err != nil {
			t.Errorf("%T: %v", object, err)
		}
	}
}

// crammed returns a stored person of which no API version can hold all, and whose
// annotations have no room.
func crammed() *v3storage.Person {
	return &v3storage.Person{
		ObjectMeta: metav1.ObjectMeta{Name: "ada", Namespace: "ns", Annotations: full(), Labels: map[string]string{"a": "b"}},
		Spec: v3storage.Person_Spec{
			FamilyName: ptr("Lovelace"), OriginalVersion: "v2",
			PropertyBag: propertybag.Bag{"unknown": {Version: "2001-01-01", Value: []byte("1")}},
		},
	}
}

func readsAnyAnnotations(t *testing.T) {
	for _, object := range apiVersions() {
		if err := object.ConvertFrom(crammed()); err != nil {
			t.Errorf("%T: %v", object, err)
			continue
		}
		if !maps.Equal(object.GetAnnotations(), full()) {
			t.Errorf("%T: the annotations changed", object)
		}
		if errs := validation.ValidateLabels(object.GetLabels(), nil); len(errs) > 0 || len(object.GetLabels()) != 2 {
			t.Errorf("%T: labels %v: %v", object, object.GetLabels(), errs)
		}
	}
	// Nothing is lost but the version that it is written for.
	stored := crammed()
	stored.Spec.PropertyBag = nil
	shown := &v3.Person{}
	if err := shown.ConvertFrom(stored); err != nil || !maps.Equal(shown.Labels, stored.Labels) || !maps.Equal(shown.Annotations, full()) {
		t.Errorf("labels %v, %v", shown.Labels, err)
	}
}

func refusesMarked(t *testing.T) {
	for _, object := range apiVersions() {
		if err := object.ConvertFrom(crammed()); err != nil {
			t.Fatal(err)
		}
		object.SetAnnotations(nil)
		err := object.ConvertTo(&v3storage.Person{})
		if err == nil || !strings.Contains(err.Error(), "no room for it in its annotations: read and write it at version v3") {
			t.Errorf("%T: %v", object, err)
		}
		object.SetName("other")
		stored := &v3storage.Person{}
		if err := object.ConvertTo(stored); err != nil || !maps.Equal(stored.Labels, map[string]string{"a": "b"}) {
			t.Errorf("%T: another person has labels %v, %v", object, stored.Labels, err)
		}
	}
	stored := crammed()
	stored.Labels, stored.Annotations = map[string]string{annotation.RemainderLabel: "x"}, nil
	shown := &v3.Person{}
	if err := shown.ConvertFrom(stored); err != nil || shown.Labels != nil {
		t.Errorf("a label that somebody stored is shown: %v, %v", shown.Labels, err)
	}
}

func refusesVersion(t *testing.T) {
	for _, version := range []string{strings.Repeat("v", 64), strings.Repeat("v1", 50_000), "V1", "v 1", "-", "2021-04-01", "v1\n"} {
		object := &v2.Person{ObjectMeta: metav1.ObjectMeta{
			Name: "ada", Annotations: map[string]string{annotation.APIVersion: version},
		}}
		err := object.ConvertTo(&v3storage.Person{})
		if err == nil || !strings.Contains(err.Error(), "expected the name of a version such as v3") || len(err.Error()) > 500 {
			t.Errorf("%.80q: %v", version, err)
		}
	}
	object := &v2.Person{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{annotation.APIVersion: strings.Repeat("v", 63)}}}
	if err := object.ConvertTo(&v3storage.Person{}); err != nil {
		t.Error(err)
	}
}

func ignoresVersion(t *testing.T) {
	long := strings.Repeat("v", 100_000)
	stored := &v3storage.Person{ObjectMeta: metav1.ObjectMeta{Name: "ada"}, Spec: v3storage.Person_Spec{OriginalVersion: long}}
	stored.Annotations = map[string]string{annotation.APIVersion: long}
	if got := stored.OriginalGVK().Version; got != "v3" {
		t.Errorf("it is written for %.80q", got)
	}
	for _, object := range apiVersions() {
		if err := object.ConvertFrom(stored); err != nil {
			t.Error(err)
		}
		if size := len(object.GetAnnotations()[annotation.Remainder]); size > 1000 {
			t.Errorf("%T carries %d bytes", object, size)
		}
		annotations := object.GetAnnotations()
		delete(annotations, annotation.APIVersion)
		object.SetAnnotations(annotations)
		again := &v3storage.Person{}
		if err := object.ConvertTo(again); err != nil || len(again.Spec.OriginalVersion) > 63 {
			t.Errorf("%T cannot be mended: %v, %d", object, err, len(again.Spec.OriginalVersion))
		}
	}
}

func takesDeleted(t *testing.T) {
	now := metav1.NewTime(time.Unix(0, 0))
	for _, object := range apiVersions() {
		annotations := full()
		annotations["k"] = annotations["k"][100:]
		annotations[annotation.APIVersion] = "V 1"
		object.SetAnnotations(annotations)
		object.SetDeletionTimestamp(&now)
		stored := &v3storage.Person{}
		if err := object.ConvertTo(stored); err != nil || !reflect.DeepEqual(stored.Annotations, annotations) {
			t.Errorf("%T: %v", object, err)
		}
		if stored.Spec.OriginalVersion == "V 1" {
			t.Errorf("%T: %q is noted", object, stored.Spec.OriginalVersion)
		}
	}
}
