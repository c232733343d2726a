// Package convert_test holds what is generated for a small service to its
// goldens, which are packages that compile and pass their own generated tests.
package convert_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/ir"
)

func TestPackagesEqualTheGoldens(t *testing.T) {
	versions := versions()
	for name, pkg := range packages() {
		v := versions[slices.IndexFunc(versions, func(v *ir.Version) bool { return v.APIVersion == pkg.APIVersion })]
		for file, emitted := range map[string]func() ([]byte, error){
			"types.go":      func() ([]byte, error) { return emit.Types(pkg, v) },
			"register.go":   func() ([]byte, error) { return emit.Register(pkg, v) },
			"deepcopy.go":   func() ([]byte, error) { return emit.DeepCopy(pkg, v) },
			"conversion.go": func() ([]byte, error) { return emit.Conversion(pkg, v) },
			"laws_test.go":  func() ([]byte, error) { return emit.Tests(pkg) },
		} {
			got, err := emitted()
			golden(t, filepath.Join(name, file), got, err)
		}
	}
}

func golden(t *testing.T, path string, got []byte, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ARMATURE_UPDATE") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the generator writes; ARMATURE_UPDATE=1 go test ./tests/golden/convert -run Goldens updates it", path)
	}
}
