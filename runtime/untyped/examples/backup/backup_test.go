package backup_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/armature-dev/armature/runtime/untyped"
	"github.com/armature-dev/armature/runtime/untyped/examples/backup"
	"github.com/armature-dev/armature/runtime/untyped/untypedtest"
)

// convertBackup returns the convert function of the example's mappings.
func convertBackup(t *testing.T) untyped.ConvertFunction {
	t.Helper()
	convert, err := untyped.MakeConvertFunction(backup.Mappings())
	if err != nil {
		t.Fatal(err)
	}
	return convert
}

// TestValidate checks that the mappings reach every version.
func TestValidate(t *testing.T) {
	if err := untyped.Validate(backup.Mappings(), backup.CRD()); err != nil {
		t.Error(err)
	}
}

func TestMappings(t *testing.T) {
	untypedtest.RunTable(t, convertBackup(t), []untypedtest.TableRow{
		{
			Name:            "days as text become a number",
			OriginalVersion: "v1alpha1",
			DesiredVersion:  "v1alpha2",
			Input:           `{apiVersion: storage.example.com/v1alpha1, kind: Backup, spec: {keep: 14d, target: "s3://vault/db"}}`,
			Expected:        `{apiVersion: storage.example.com/v1alpha2, kind: Backup, spec: {keepDays: 14, target: "s3://vault/db"}}`,
		},
		{
			Name:            "days that are none are refused",
			OriginalVersion: "v1alpha1",
			DesiredVersion:  "v1alpha2",
			Input:           `{apiVersion: storage.example.com/v1alpha1, kind: Backup, spec: {keep: a while}}`,
			ExpectedError:   `spec.keep is "a while"`,
		},
		{
			Name:            "a number of days becomes text",
			OriginalVersion: "v1alpha2",
			DesiredVersion:  "v1alpha1",
			Input:           `{apiVersion: storage.example.com/v1alpha2, kind: Backup, spec: {keepDays: 14}}`,
			Expected:        `{apiVersion: storage.example.com/v1alpha1, kind: Backup, spec: {keep: 14d}}`,
		},
		{
			Name:            "a target is taken apart",
			OriginalVersion: "v1alpha2",
			DesiredVersion:  "v1beta1",
			Input:           `{apiVersion: storage.example.com/v1alpha2, kind: Backup, spec: {target: "s3://vault/a/b"}}`,
			Expected:        `{apiVersion: storage.example.com/v1beta1, kind: Backup, spec: {target: {provider: s3, bucket: vault, path: a/b}}}`,
		},
		{
			Name:            "a target without a path has none, not an empty one",
			OriginalVersion: "v1alpha2",
			DesiredVersion:  "v1beta1",
			Input:           `{apiVersion: storage.example.com/v1alpha2, kind: Backup, spec: {target: "s3://vault"}}`,
			Expected:        `{apiVersion: storage.example.com/v1beta1, kind: Backup, spec: {target: {provider: s3, bucket: vault}}}`,
		},
		{
			Name:            "a target that is no URL is refused",
			OriginalVersion: "v1alpha2",
			DesiredVersion:  "v1beta1",
			Input:           `{apiVersion: storage.example.com/v1alpha2, kind: Backup, spec: {target: vault}}`,
			ExpectedError:   `spec.target is "vault"`,
		},
		{
			Name:            "a target is put together",
			OriginalVersion: "v1beta1",
			DesiredVersion:  "v1alpha2",
			Input:           `{apiVersion: storage.example.com/v1beta1, kind: Backup, spec: {target: {provider: s3, bucket: vault}}}`,
			Expected:        `{apiVersion: storage.example.com/v1alpha2, kind: Backup, spec: {target: "s3://vault"}}`,
		},
		{
			Name:            "one target needs no annotation",
			OriginalVersion: "v1",
			DesiredVersion:  "v1beta1",
			Input:           `{apiVersion: storage.example.com/v1, kind: Backup, spec: {targets: [{bucket: a}]}}`,
			Expected:        `{apiVersion: storage.example.com/v1beta1, kind: Backup, spec: {target: {bucket: a}}}`,
		},
		{
			Name:            "targets after the first go into an annotation",
			OriginalVersion: "v1",
			DesiredVersion:  "v1beta1",
			Input: `
apiVersion: storage.example.com/v1
kind: Backup
metadata: {annotations: {mine: kept}}
spec: {targets: [{bucket: a}, {bucket: b}]}
`,
			Expected: `
apiVersion: storage.example.com/v1beta1
kind: Backup
metadata: {annotations: {mine: kept, storage.example.com/more-targets: '[{"bucket":"b"}]'}}
spec: {target: {bucket: a}}
`,
		},
		{
			Name:            "targets come back from the annotation, after the one that a client changed",
			OriginalVersion: "v1beta1",
			DesiredVersion:  "v1",
			Input: `
apiVersion: storage.example.com/v1beta1
kind: Backup
metadata: {annotations: {mine: kept, storage.example.com/more-targets: '[{"bucket":"b"}]'}}
spec: {target: {bucket: changed}}
`,
			Expected: `
apiVersion: storage.example.com/v1
kind: Backup
metadata: {annotations: {mine: kept}}
spec: {targets: [{bucket: changed}, {bucket: b}]}
`,
		},
		{
			Name:            "an annotation that somebody broke is refused",
			OriginalVersion: "v1beta1",
			DesiredVersion:  "v1",
			Input: `
apiVersion: storage.example.com/v1beta1
kind: Backup
metadata: {annotations: {storage.example.com/more-targets: "[{"}}
`,
			ExpectedError: "annotation storage.example.com/more-targets",
		},
	})
}

// TestRoundTrip converts objects of the version that can hold the most to each
// other version, and back.
func TestRoundTrip(t *testing.T) {
	convert := convertBackup(t)
	specs := map[string]map[string]any{
		"whole": {"keepDays": int64(14), "targets": []any{map[string]any{"provider": "s3", "bucket": "vault", "path": "db"}}},
		"many": {"targets": []any{map[string]any{"provider": "s3", "bucket": "a"},
			map[string]any{"provider": "gs", "bucket": "b", "path": ""}}},
		"targetless": {"targets": []any{}},
		"empty":      {},
	}
	for name, spec := range specs {
		for _, version := range []string{"v1beta1", "v1alpha2", "v1alpha1"} {
			t.Run(name+" by way of "+version, func(t *testing.T) {
				object := &unstructured.Unstructured{Object: map[string]any{
					"apiVersion": "storage.example.com/v1",
					"kind":       "Backup",
					"metadata":   map[string]any{"name": name},
					"spec":       spec,
				}}
				down, err := convert(untyped.FromUnstructured(object), "storage.example.com/"+version)
				if err != nil {
					t.Fatal(err)
				}
				up, err := convert(down, "storage.example.com/v1")
				if err != nil {
					t.Fatal(err)
				}
				got, err := up.Unstructured()
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(object.Object, got.Object); diff != "" {
					t.Errorf("after %s (-before +after):\n%s", down.Raw, diff)
				}
			})
		}
	}
}

func TestVersions(t *testing.T) {
	convert := convertBackup(t)
	target := map[string]any{"provider": "s3", "bucket": "vault", "path": "db"}
	specs := map[string]map[string]any{
		"v1alpha1": {"keep": "14d", "target": "s3://vault/db"},
		"v1alpha2": {"keepDays": int64(14), "target": "s3://vault/db"},
		"v1beta1":  {"keepDays": int64(14), "target": target},
		"v1":       {"keepDays": int64(14), "targets": []any{target}},
	}
	untypedtest.RunCRDVersionTest(t, untypedtest.CRDVersionTest{
		Spec:    backup.CRD().Spec,
		Convert: convert,
		Seed: func(t *testing.T, version string) []*unstructured.Unstructured {
			return []*unstructured.Unstructured{{Object: map[string]any{
				"metadata": map[string]any{"name": "nightly"},
				"spec":     specs[version],
			}}}
		},
		Test: func(t *testing.T, version string, objects []*unstructured.Unstructured) {
			if diff := cmp.Diff(specs[version], objects[0].Object["spec"]); diff != "" {
				t.Errorf("spec (-expected +got):\n%s", diff)
			}
		},
	})
}
