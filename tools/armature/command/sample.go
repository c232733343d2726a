package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/generator/diag"
)

// newSample returns the command that prints samples. Each of groups has those of a group,
// by kind.
func newSample(groups []map[string]string) *cobra.Command {
	all := map[string]string{}
	for _, group := range groups {
		maps.Copy(all, group)
	}
	return &cobra.Command{
		Use:   "sample KIND...",
		Short: "Print a small object of a kind",
		Long: `Print the smallest object of a kind that its CRD and Azure take, as far as the specs say, with the Secret that it
refers to. It belongs to a parent called "mysample". Names that have to be unique in Azure are to be changed.`,
		Example: `  armature sample StorageAccount
  armature sample ResourceGroup VirtualNetwork Subnet | kubectl apply -f -`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(slices.Sorted(maps.Keys(all)), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(c *cobra.Command, kinds []string) error {
			for i, kind := range kinds {
				text, err := sampleOf(all, kind)
				if err != nil {
					return err
				}
				if i > 0 {
					text = "---\n" + text
				}
				if _, err := fmt.Fprint(c.OutOrStdout(), text); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// sampleOf returns the sample of a kind, which is compared without case.
func sampleOf(all map[string]string, kind string) (string, error) {
	for k, text := range all {
		if strings.EqualFold(k, kind) {
			return text, nil
		}
	}
	return "", fmt.Errorf("no group of this binary has the kind %s%s", kind, diag.DidYouMean(kind, slices.Sorted(maps.Keys(all))))
}
