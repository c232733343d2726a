// Package convert_test compares what is generated for a small service with its
// goldens, which are packages that compile and pass their own generated tests.
package convert_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/internal/golden"
)

func TestGoldens(t *testing.T) {
	versions := versions()
	for name, pkg := range packages() {
		v := versions[slices.IndexFunc(versions, func(v *ir.Version) bool { return v.APIVersion == pkg.APIVersion })]
		for file, emitted := range map[string]func() ([]byte, error){
			"types.go":      func() ([]byte, error) { return emit.Types(pkg, v) },
			"register.go":   func() ([]byte, error) { return emit.Register(pkg, v) },
			"deepcopy.go":   func() ([]byte, error) { return emit.DeepCopy(pkg, v) },
			"conversion.go": func() ([]byte, error) { return emit.Conversion(pkg, v) },
		} {
			got, err := emitted()
			if err != nil {
				t.Fatal(err)
			}
			golden.Equal(t, filepath.Join(name, file), string(got))
		}
	}
}
