package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/armature-dev/armature/internal/await"
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
	AwaitDenied(t, denied)
	return func() {
		deleteAll()
		await.True(t, "no policy denies it any longer", func() bool { return !IsDenied(denied()) })
	}
}

// IsDenied reports whether an admission policy has denied a request.
func IsDenied(err error) bool { return controlplane.IsDenied(err) }

// AwaitDenied waits until an admission policy denies what is tried, in words. An API server takes notice of policies
// after some moments.
func AwaitDenied(t testing.TB, try func() error, words ...string) {
	t.Helper()
	await.Until(t, "a policy denies it", func() error {
		err := try()
		lacks := func(word string) bool { return !strings.Contains(err.Error(), word) }
		if IsDenied(err) && !slices.ContainsFunc(words, lacks) {
			return nil
		}
		return fmt.Errorf("got %v, want %q", err, words)
	})
}

// Patiently tries again what the API server had no time for. It gives a write 34 seconds, which can be too few for a
// large object on a busy machine.
func Patiently(try func() error) error {
	for {
		if err := try(); !apierrors.IsTimeout(err) {
			return err
		}
	}
}
