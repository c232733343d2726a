package cluster

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/armature-dev/armature/tools/controlplane"
)

// Apply applies the objects in a text of YAML, and returns a function that deletes them.
func (c *Cluster) Apply(t testing.TB, text string) (remove func()) {
	t.Helper()
	// The context is not the test's, because cleanups apply too when that has ended.
	deleteAll, err := c.ControlPlane.Apply(context.Background(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := deleteAll(); err != nil {
			t.Error(err)
		}
	}
}

// ReadPolicies returns the admission policies in the folder that a group's target crds
// makes.
func ReadPolicies(t testing.TB, folder string) string {
	t.Helper()
	text, err := controlplane.ReadPolicies(folder)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// InstallPolicies installs the admission policies in the folder that a group's
// target crds makes, and waits until denied returns an error that a policy has
// made. It returns a function that removes them and waits until denied returns
// none.
func (c *Cluster) InstallPolicies(t testing.TB, folder string, denied func() error) (remove func()) {
	t.Helper()
	deleteAll := c.Apply(t, ReadPolicies(t, folder))
	Eventually(t, func() bool { return IsDenied(denied()) })
	return func() {
		deleteAll()
		Eventually(t, func() bool { return !IsDenied(denied()) })
	}
}

// IsDenied reports whether an admission policy has denied a request.
func IsDenied(err error) bool { return controlplane.IsDenied(err) }

// Eventually waits until a condition holds: an API server takes notice of roles
// and policies after some moments.
func Eventually(t testing.TB, condition func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(context.Background(), 50*time.Millisecond, 5*time.Minute, true,
		func(context.Context) (bool, error) { return condition(), nil })
	if err != nil {
		t.Fatal(err)
	}
}
