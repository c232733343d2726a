// Package backup is the worked example of package untyped: the CRD
// backups.storage.example.com with four versions, no Go types, and the six
// mappings between them.
//
//	v1alpha1                  v1alpha2                  v1beta1                v1
//	keep: 14d          ────►  keepDays: 14
//	target: s3://a/b/c        target: s3://a/b/c  ────► target:         ────►  targets:
//	                                                      provider: s3         - provider: s3
//	                                                      bucket: a              bucket: a
//	                                                      path: b/c              path: b/c
//
// Up, a value changes its type, a string is taken apart, and one becomes many.
// Down, a v1beta1 has room for one target only, so the others go into an
// annotation, and back from there on the way up: nothing is lost. [Mappings] is
// the table, and the functions below are written as they would be anywhere.
package backup

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/runtime/untyped"
)

// MoreTargets is the annotation that holds, below v1, the targets after the first, as JSON.
const MoreTargets = "storage.example.com/more-targets"

//go:embed backups.yaml
var crd []byte

// CRD is the custom resource definition, without a conversion webhook.
func CRD() *apiextensionsv1.CustomResourceDefinition {
	backups := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(crd, backups); err != nil {
		panic(fmt.Sprintf("the embedded backups.yaml: %v", err))
	}
	return backups
}

// Mappings joins each version with the next, in both directions.
func Mappings() []untyped.ConversionMapping {
	return []untyped.ConversionMapping{
		{OriginalVersion: "v1alpha1", DesiredVersion: "v1alpha2", Convert: untyped.Edit(parseKeep)},
		{OriginalVersion: "v1alpha2", DesiredVersion: "v1beta1", Convert: untyped.Edit(parseTarget)},
		{OriginalVersion: "v1beta1", DesiredVersion: "v1", Convert: untyped.Edit(toManyTargets)},

		{OriginalVersion: "v1", DesiredVersion: "v1beta1", Convert: untyped.Edit(toOneTarget)},
		{OriginalVersion: "v1beta1", DesiredVersion: "v1alpha2", Convert: untyped.Edit(formatTarget)},
		{OriginalVersion: "v1alpha2", DesiredVersion: "v1alpha1", Convert: untyped.Edit(formatKeep)},
	}
}

func parseKeep(backup *unstructured.Unstructured) error {
	keep, found, err := unstructured.NestedString(backup.Object, "spec", "keep")
	if err != nil || !found {
		return err
	}
	days, err := strconv.ParseInt(strings.TrimSuffix(keep, "d"), 10, 64)
	if err != nil {
		return fmt.Errorf("spec.keep is %q, not a number of days such as 14d", keep)
	}
	unstructured.RemoveNestedField(backup.Object, "spec", "keep")
	return unstructured.SetNestedField(backup.Object, days, "spec", "keepDays")
}

func formatKeep(backup *unstructured.Unstructured) error {
	days, found, err := unstructured.NestedInt64(backup.Object, "spec", "keepDays")
	if err != nil || !found {
		return err
	}
	unstructured.RemoveNestedField(backup.Object, "spec", "keepDays")
	return unstructured.SetNestedField(backup.Object, fmt.Sprintf("%dd", days), "spec", "keep")
}

func parseTarget(backup *unstructured.Unstructured) error {
	target, found, err := unstructured.NestedString(backup.Object, "spec", "target")
	if err != nil || !found {
		return err
	}
	provider, rest, found := strings.Cut(target, "://")
	if !found {
		return fmt.Errorf("spec.target is %q, not a URL such as s3://bucket/path", target)
	}
	bucket, path, hasPath := strings.Cut(rest, "/")
	parts := map[string]any{"provider": provider, "bucket": bucket}
	if hasPath {
		parts["path"] = path
	}
	return unstructured.SetNestedMap(backup.Object, parts, "spec", "target")
}

func formatTarget(backup *unstructured.Unstructured) error {
	parts, found, err := unstructured.NestedStringMap(backup.Object, "spec", "target")
	if err != nil || !found {
		return err
	}
	target := parts["provider"] + "://" + parts["bucket"]
	if path, found := parts["path"]; found {
		target += "/" + path
	}
	return unstructured.SetNestedField(backup.Object, target, "spec", "target")
}

func toManyTargets(backup *unstructured.Unstructured) error {
	first, one, err := unstructured.NestedMap(backup.Object, "spec", "target")
	if err != nil {
		return err
	}
	annotations := backup.GetAnnotations()
	more, carried := annotations[MoreTargets]
	if !one && !carried {
		return nil
	}
	targets := []any{}
	if one {
		targets = append(targets, first)
	}
	if carried {
		var others []any
		if err := json.Unmarshal([]byte(more), &others); err != nil {
			return fmt.Errorf("annotation %s: %w", MoreTargets, err)
		}
		targets = append(targets, others...)
		delete(annotations, MoreTargets)
		backup.SetAnnotations(annotations)
	}
	unstructured.RemoveNestedField(backup.Object, "spec", "target")
	return unstructured.SetNestedSlice(backup.Object, targets, "spec", "targets")
}

// toOneTarget also carries an empty list, which is not the same as none.
func toOneTarget(backup *unstructured.Unstructured) error {
	targets, found, err := unstructured.NestedSlice(backup.Object, "spec", "targets")
	if err != nil || !found {
		return err
	}
	unstructured.RemoveNestedField(backup.Object, "spec", "targets")
	var others []any
	if len(targets) > 0 {
		if err := unstructured.SetNestedField(backup.Object, targets[0], "spec", "target"); err != nil {
			return err
		}
		others = targets[1:]
	}
	if len(targets) == 1 {
		return nil
	}
	more, err := json.Marshal(append([]any{}, others...))
	if err != nil {
		return err
	}
	annotations := backup.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[MoreTargets] = string(more)
	backup.SetAnnotations(annotations)
	return nil
}
