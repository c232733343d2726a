package convert_test

import (
	"reflect"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/roundtrip"
	"github.com/armature-dev/armature/tests/golden/convert/v1"
	"github.com/armature-dev/armature/tests/golden/convert/v1aliasstorage"
	"github.com/armature-dev/armature/tests/golden/convert/v1storage"
	"github.com/armature-dev/armature/tests/golden/convert/v2"
	"github.com/armature-dev/armature/tests/golden/convert/v2storage"
	"github.com/armature-dev/armature/tests/golden/convert/v3"
	"github.com/armature-dev/armature/tests/golden/convert/v3aliasstorage"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestVersions tries the laws on each generated package, without rules for what is valid.
func TestVersions(t *testing.T) {
	for _, p := range []struct {
		name        string
		addToScheme func(*runtime.Scheme) error
		enums       []any
	}{
		{"v1", v1.AddToScheme, v1.Enums},
		{"v2", v2.AddToScheme, v2.Enums},
		{"v3", v3.AddToScheme, v3.Enums},
		{"v1storage", v1storage.AddToScheme, nil},
		{"v2storage", v2storage.AddToScheme, nil},
		{"v3storage", v3storage.AddToScheme, nil},
		{"v1aliasstorage", v1aliasstorage.AddToScheme, nil},
		{"v3aliasstorage", v3aliasstorage.AddToScheme, nil},
	} {
		t.Run(p.name, func(t *testing.T) {
			scheme := runtime.NewScheme()
			if err := p.addToScheme(scheme); err != nil {
				t.Fatal(err)
			}
			for _, typ := range scheme.AllKnownTypes() {
				object, ok := reflect.New(typ).Interface().(conversion.KubernetesResource)
				if !ok {
					continue // a list
				}
				var versions []conversion.Convertible
				if convertible, ok := object.(conversion.Convertible); ok {
					versions = append(versions, convertible)
				}
				roundtrip.Options{Enums: p.enums}.NewKind(t, object.NewHub(), versions...).TryVersion(t, object)
			}
		})
	}
}
