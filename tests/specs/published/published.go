// Package published has what the tests of published specs share: the groups that
// are generated from these specs, and the folder of the specs. Its main variable is
// Groups, all of them by their names, which the build writes from apis/groups.bzl.
package published

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
)

// Group is a group with published specs.
type Group struct {
	Name        string // of its folder
	AddToScheme func(*runtime.Scheme) error
}

// AddToScheme registers all groups.
func AddToScheme(scheme *runtime.Scheme) error {
	for _, group := range Groups {
		if err := group.AddToScheme(scheme); err != nil {
			return err
		}
	}
	return nil
}

// Specs returns the folder of the Swagger specs, which the build names in the
// environment variable SPECS. It skips the test if there are none.
func Specs(t testing.TB) string {
	t.Helper()
	folder := specs()
	if folder == "" {
		t.Skip("there are no published specs: the bodies of requests are those of their examples")
	}
	return folder
}

// HasSpecs reports whether there are Swagger specs.
func HasSpecs() bool { return specs() != "" }

func specs() string {
	folder := filepath.Join(os.Getenv("TEST_SRCDIR"), filepath.Dir(os.Getenv("SPECS")), "azure-rest-api-specs", "specification")
	if _, err := os.Stat(folder); err != nil {
		return ""
	}
	return folder
}
