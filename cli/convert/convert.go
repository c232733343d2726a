// Package convert is the command armature convert, which prints resources at another version.
package convert

import (
	"fmt"
	"strings"

	"github.com/armature-dev/armature/cli/objects"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// New returns the command, for the kinds of a scheme.
func New(scheme *runtime.Scheme) *cobra.Command {
	var to string
	convert := &cobra.Command{
		Use:   "convert -f FILENAME --to VERSION",
		Short: "Print resources at another version",
		Long: `Print resources at another version, as a client of that version sees them.

A comment above each lists the values that the version cannot hold. An annotation carries them while a client has the
resource, and ARM would not get them at that version.`,
		Example: `  armature convert -f person.yaml --to v20110101
  armature convert -f redis.yaml --to 2020-06-01
  kubectl get persons ada -o yaml | armature convert -f - --to v20211111storage`,
	}
	objects.FromFile(convert, func(document []byte) ([]byte, error) { return convertOne(scheme, document, to) })
	convert.Flags().StringVar(&to, "to", "", "version to print them at, such as v20210401, or ARM's, such as 2021-04-01")
	objects.Require(convert, "to")
	return convert
}

func convertOne(scheme *runtime.Scheme, document []byte, to string) ([]byte, error) {
	source, err := objects.Decode(scheme, document)
	if err != nil {
		return nil, err
	}
	result, err := objects.NewAt(scheme, source.GetObjectKind().GroupVersionKind().GroupKind(), to)
	if err != nil {
		return nil, err
	}
	hub, err := objects.HubOf(source)
	if err == nil {
		err = objects.Show(hub, result)
	}
	if err != nil {
		return nil, err
	}
	text, err := yaml.Marshal(result)
	if err != nil {
		return nil, err
	}
	comment, err := describe(scheme, result)
	return append(comment, text...), err
}

// describe returns the comment above a resource.
func describe(scheme *runtime.Scheme, resource conversion.KubernetesResource) ([]byte, error) {
	found, err := objects.LossesOf(scheme, resource)
	if err != nil {
		return nil, err
	}
	gvk := resource.GetObjectKind().GroupVersionKind()
	var out strings.Builder
	fmt.Fprintf(&out, "# %s %s, written at %s.\n", gvk.Kind, resource.GetName(), found.Written)
	list := func(title string, all []objects.Loss) {
		for i, l := range all {
			if i == 0 {
				fmt.Fprint(&out, title)
			}
			fmt.Fprintf(&out, "#   %s\n", l)
		}
	}
	list("# "+gvk.Version+" cannot hold these values, so ARM would not get them at this version:\n", found.Spec)
	list("# Nor can it hold these of the status:\n", found.Status)
	return []byte(out.String()), nil
}
