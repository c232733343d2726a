package e2e

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/runtime/untyped"
	"github.com/armature-dev/armature/runtime/untyped/examples/backup"
	"github.com/armature-dev/armature/runtime/untyped/untypedtest"
	"github.com/armature-dev/armature/runtime/webhook"
	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// The example of package untyped on an API server: objects of a CRD without Go
// types go up through all versions and down again.
func TestUntypedCRD(t *testing.T) {
	convertBackup, err := untyped.MakeConvertFunction(backup.Mappings())
	if err != nil {
		t.Fatal(err)
	}
	crd := backup.CRD()
	handler, err := webhook.New(webhook.Options{Untyped: map[schema.GroupKind]untyped.ConvertFunction{
		{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}: convertBackup,
	}})
	if err != nil {
		t.Fatal(err)
	}
	converter := cluster.NewWebhook(t, handler)
	t.Cleanup(converter.Stop)
	server.Install(t, converter, crd)
	t.Cleanup(func() { server.Uninstall(t, crd) })

	target := map[string]any{"provider": "s3", "bucket": "vault", "path": "db"}
	specs := map[string]map[string]any{
		"v1alpha1": {"keep": "14d", "target": "s3://vault/db"},
		"v1alpha2": {"keepDays": int64(14), "target": "s3://vault/db"},
		"v1beta1":  {"keepDays": int64(14), "target": target},
		"v1":       {"keepDays": int64(14), "targets": []any{target}},
	}
	steps := 0
	untypedtest.RunCRDVersionTest(t, untypedtest.CRDVersionTest{
		Spec:   crd.Spec,
		Client: server.Client,
		Seed: func(_ *testing.T, version string) []*unstructured.Unstructured {
			return []*unstructured.Unstructured{{Object: map[string]any{
				"metadata": map[string]any{"name": "nightly"},
				"spec":     specs[version],
			}}}
		},
		Test: func(t *testing.T, version string, objects []*unstructured.Unstructured) {
			steps++
			if diff := cmp.Diff(specs[version], specOf(objects[0])); diff != "" {
				t.Errorf("spec (-expected +got):\n%s", diff)
			}
		},
	})
	if steps != 7 {
		t.Errorf("%d steps, want 7: four versions up, three down", steps)
	}
}
