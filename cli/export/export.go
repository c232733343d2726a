// Package export is the command armature export, which prints manifests of resources of a cluster.
package export

import (
	"fmt"
	"strings"

	"github.com/armature-dev/armature/cli/objects"
	"github.com/armature-dev/armature/cli/references"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
)

// New returns the command, for the kinds of a scheme.
func New(scheme *runtime.Scheme) *cobra.Command {
	var to string
	export := &cobra.Command{
		Use:   "export -f FILENAME [--to VERSION]",
		Short: "Print manifests of resources, to apply elsewhere",
		Long: `Print manifests of resources, to apply elsewhere: without the Status, the annotation ` + annotation.Remainder + `, and what
belongs to one cluster, such as uid, owners and managed fields.

A property that has the value of an output of another resource that is exported at the same time, such as the principalId of an
identity, takes it from there by name, as that value is another one elsewhere.

A manifest is at the version that the resource is written for, unless --to names another. If that version cannot hold
all of the Spec, nothing is printed, and the error says what is missing and which versions have all of it.`,
		Example: `  kubectl get redis sessions -o yaml | armature export -f - >sessions.yaml
  kubectl get redis -o yaml | armature export -f - --to 2020-06-01`,
	}
	objects.AllFromFile(export, func(document []byte) (conversion.KubernetesResource, error) { return manifestOf(scheme, document, to) },
		textsOf)
	export.Flags().StringVar(&to, "to", "", "version of the manifests, such as v20210401, or ARM's, such as 2021-04-01")
	return export
}

// textsOf lets the resources of manifests refer to each other, and returns the texts of these.
func textsOf(manifests []conversion.KubernetesResource) ([][]byte, error) {
	var all references.Set
	for _, m := range manifests {
		all.Add(m)
	}
	if err := all.Refer(); err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, m := range manifests {
		text, err := objects.ManifestOf(m)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// manifestOf returns the resource of a document at a version, which has all of its Spec.
func manifestOf(scheme *runtime.Scheme, document []byte, to string) (conversion.KubernetesResource, error) {
	source, err := objects.Decode(scheme, document)
	if err != nil {
		return nil, err
	}
	gvk := source.GetObjectKind().GroupVersionKind()
	hub, err := objects.HubOf(source)
	if err != nil {
		return nil, err
	}
	if to == "" {
		to = hub.(conversion.KubernetesResource).OriginalGVK().Version
	}
	manifest, err := objects.NewAt(scheme, gvk.GroupKind(), to)
	if err != nil {
		return nil, err
	}
	missing, err := objects.MissingAt(scheme, hub, manifest)
	if err != nil {
		return nil, err
	}
	if len(missing) == 0 {
		return manifest, nil
	}
	at := manifest.GetObjectKind().GroupVersionKind().Version
	message := fmt.Sprintf("%s %s: %s cannot hold these values of the Spec:", gvk.Kind, source.GetName(), at)
	for _, l := range missing {
		message += "\n  " + l.String()
	}
	var able []string
	for _, version := range objects.VersionsOf(scheme, gvk.GroupKind()) {
		other, armVersion := objects.ResourceAt(scheme, gvk.GroupKind().WithVersion(version))
		if other == nil || armVersion == "" {
			continue
		}
		other.GetObjectKind().SetGroupVersionKind(gvk.GroupKind().WithVersion(version))
		if missing, err := objects.MissingAt(scheme, hub, other); err == nil && len(missing) == 0 {
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
