// Package convert_test compares what is generated for a small service with its
// goldens, which are packages that compile and pass their own generated tests.
package convert_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/shape"
	"github.com/armature-dev/armature/internal/golden"
)

func TestGoldens(t *testing.T) {
	versions := versions()
	for name, pkg := range packages() {
		v := versions[slices.IndexFunc(versions, func(v *ir.Version) bool { return v.APIVersion == pkg.APIVersion })]
		for file, emit := range map[string]func(*shape.Package) ([]byte, error){
			"types.go": emit.Types, "register.go": emit.Register, "deepcopy.go": emit.DeepCopy, "conversion.go": emit.Conversion,
		} {
			got, err := emit(shape.New(pkg, v))
			if err != nil {
				t.Fatal(err)
			}
			golden.Equal(t, filepath.Join(name, file), string(got))
		}
	}
}
