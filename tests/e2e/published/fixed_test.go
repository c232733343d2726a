package published_test

import (
	"context"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// testFixed changes what ARM reads when it makes a storage account, at two API versions and at the
// storage version.
func (p policies) testFixed(t *testing.T) {
	const newest, old = "v20260401", "v20210401"
	const name = "fixed"
	o := p.account(t, newest, name, "")
	unstructured.SetNestedField(o.Object, "Service", "spec", "encryption", "services", "queue", "keyType")
	unstructured.SetNestedField(o.Object, "Microsoft.Storage", "spec", "encryption", "keySource") // the older version requires it
	p.create(t, o, metav1.CreateOptions{})
	t.Cleanup(func() {
		if err := p.accounts(newest).Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
	dryPatch := func(version, text string) error {
		_, err := p.accounts(version).Patch(t.Context(), name, types.MergePatchType, []byte(text), metav1.PatchOptions{DryRun: dry})
		return err
	}
	const place, keyType = `{"spec": {"location": "northeurope"}}`,
		`{"spec": {"encryption": {"services": {"queue": {"keyType": "Account"}}}}}`
	for _, text := range []string{place, keyType} {
		if err := dryPatch(newest, text); err != nil {
			t.Errorf("before ARM has it: %v", err)
		}
	}
	_, err := p.accounts(newest).Patch(t.Context(), name, types.MergePatchType,
		[]byte(`{"status": {"id": "/subscriptions/s/x", "location": "westeurope", "encryption": {"services": {"table": {"keyType": "Account"}}}}}`),
		metav1.PatchOptions{}, "status")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ behavior, version, text, want string }{
		{"another place", newest, place, "spec.location, which is westeurope: " + newest + " does not let this change"},
		{"another place at an older version", old, place, "spec.location, which is westeurope: " + old + " does not let this change"},
		{"another spelling of the place", newest, `{"spec": {"location": "West Europe"}}`, ""},
		{"a property deep below", newest, keyType, "spec.encryption.services.queue.keyType, which is Service: " + newest},
		{"what ARM has already", newest, `{"spec": {"encryption": {"services": {"table": {"keyType": "Account"}}}}}`, ""},
		{"what ARM does not show", newest, `{"spec": {"encryption": {"services": {"blob": {"keyType": "Account"}}}}}`,
			"spec.encryption.services.blob.keyType, which is not set: " + newest},
		{"another property", newest, `{"spec": {"accessTier": "Hot"}}`, ""},
		{"a label", old, `{"metadata": {"labels": {"a": "b"}}}`, ""},
		{"the storage version", newest + "storage", place, ""},
	} {
		t.Run(row.behavior, func(t *testing.T) {
			switch err := dryPatch(row.version, row.text); {
			case row.want == "" && err != nil:
				t.Error(err)
			case row.want != "" && (!cluster.IsDenied(err) || !strings.Contains(err.Error(), "'create-only.") ||
				!strings.Contains(err.Error(), row.want)):
				t.Errorf("the error is\n%v\nwant a denial with\n%s", err, row.want)
			}
		})
	}
}
