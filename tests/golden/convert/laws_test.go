package convert_test

import (
	"testing"

	"github.com/armature-dev/armature/tests/golden/convert/v1"
	"github.com/armature-dev/armature/tests/golden/convert/v1aliasstorage"
	"github.com/armature-dev/armature/tests/golden/convert/v1storage"
	"github.com/armature-dev/armature/tests/golden/convert/v2"
	"github.com/armature-dev/armature/tests/golden/convert/v2storage"
	"github.com/armature-dev/armature/tests/golden/convert/v3"
	"github.com/armature-dev/armature/tests/golden/convert/v3aliasstorage"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
	"github.com/armature-dev/armature/tests/laws"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestVersions tries the laws on each generated package, as the test of an API version in a service group does.
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
		t.Run(p.name, func(t *testing.T) { laws.Version(t, p.addToScheme, p.enums...) })
	}
}
