package types

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

func newExport(scheme *runtime.Scheme) *cobra.Command {
	var to string
	export := &cobra.Command{
		Use:   "export -f FILENAME [--to VERSION]",
		Short: "Print manifests of resources, to apply elsewhere",
		Long: `Print manifests of resources, to apply elsewhere: without the Status, the annotation ` + annotation.Remainder + `, and what
belongs to one cluster, such as uid, owners and managed fields.

A manifest is at the version that the resource is written for, unless --to names another. If that version cannot hold
all of the Spec, nothing is printed, and the error says what is missing and which versions have all of it.`,
		Example: `  kubectl get redis sessions -o yaml | armature export -f - >sessions.yaml
  kubectl get redis -o yaml | armature export -f - --to 2020-06-01`,
	}
	fromFile(export, func(document []byte) ([]byte, error) { return exportOne(scheme, document, to) })
	export.Flags().StringVar(&to, "to", "", "version of the manifests, such as v20210401, or ARM's, such as 2021-04-01")
	return export
}

func exportOne(scheme *runtime.Scheme, document []byte, to string) ([]byte, error) {
	source, err := decode(scheme, document)
	if err != nil {
		return nil, err
	}
	gvk := source.GetObjectKind().GroupVersionKind()
	hub, err := hubOf(source)
	if err != nil {
		return nil, err
	}
	if to == "" {
		to = hub.(conversion.KubernetesResource).OriginalGVK().Version
	}
	manifest, err := newAt(scheme, gvk.GroupKind(), to)
	if err != nil {
		return nil, err
	}
	missing, err := missingAt(scheme, hub, manifest)
	if err != nil {
		return nil, err
	}
	if len(missing) == 0 {
		return manifestOf(manifest)
	}
	at := manifest.GetObjectKind().GroupVersionKind().Version
	message := fmt.Sprintf("%s %s: %s cannot hold these values of the Spec:", gvk.Kind, source.GetName(), at)
	for _, l := range missing {
		message += "\n  " + l.String()
	}
	var able []string
	for _, version := range versionsOf(scheme, gvk.GroupKind()) {
		other, armVersion := resourceAt(scheme, gvk.GroupKind().WithVersion(version))
		if other == nil || armVersion == "" {
			continue
		}
		other.GetObjectKind().SetGroupVersionKind(gvk.GroupKind().WithVersion(version))
		if missing, err := missingAt(scheme, hub, other); err == nil && len(missing) == 0 {
			able = append(able, version)
		}
	}
	if len(able) == 0 {
		stored, _, err := scheme.ObjectKinds(hub)
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s\nno API version holds all of it: export with --to %s, which only those may "+
			"apply whom the policies let write there", message, stored[0].Version)
	}
	return nil, fmt.Errorf("%s\nexport with --to %s", message, strings.Join(able, ", or "))
}

// missingAt converts the hub to a manifest, and returns what that cannot hold of
// the Spec.
func missingAt(scheme *runtime.Scheme, hub conversion.Hub, manifest conversion.KubernetesResource) ([]loss, error) {
	if err := show(hub, manifest); err != nil {
		return nil, err
	}
	found, err := lossesOf(scheme, manifest)
	if tooLarge := (*remainder.TooLargeError)(nil); errors.As(err, &tooLarge) {
		return []loss{{path: "spec", value: "more than there is room for in an annotation"}}, nil
	}
	return found.spec, err
}

// manifestOf returns the text of a resource without what belongs to one cluster.
func manifestOf(resource conversion.KubernetesResource) ([]byte, error) {
	text, err := json.Marshal(resource)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	delete(object.Object, "status")
	metadata := map[string]any{"name": object.GetName()}
	if namespace := object.GetNamespace(); namespace != "" {
		metadata["namespace"] = namespace
	}
	if labels := remainder.StripLabel(object.GetLabels()); len(labels) > 0 {
		metadata["labels"] = labels
	}
	annotations := object.GetAnnotations()
	delete(annotations, annotation.Remainder)
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	if len(annotations) > 0 {
		metadata["annotations"] = annotations
	}
	object.Object["metadata"] = metadata
	return yaml.Marshal(object.Object)
}
