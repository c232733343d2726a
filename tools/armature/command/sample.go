package command

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/tools/armature/kinds"
)

// newSample returns the command that prints samples.
func newSample(all *catalog) *cobra.Command {
	return &cobra.Command{
		Use:   "sample KIND...",
		Short: "Print a small object of a kind",
		Long: `Print the smallest object of a kind that its CRD and Azure take, as far as the specs say, with the Secret that it
refers to. It belongs to a parent called "mysample". Names that have to be unique in Azure are to be changed.

A kind goes by its name, its plural or a short name, and with its group behind a dot where several groups have the name.`,
		Example: `  armature sample StorageAccount
  armature sample rg VirtualNetwork snet.network | kubectl apply -f -`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: kinds.Complete(all.indexes),
		RunE: func(c *cobra.Command, names []string) error {
			var texts []string
			var errs []error
			for _, name := range names {
				text, err := all.sampleOf(name)
				texts, errs = append(texts, text), append(errs, err)
			}
			if err := errors.Join(errs...); err != nil {
				return err
			}
			_, err := c.OutOrStdout().Write([]byte(strings.Join(texts, "---\n")))
			return err
		},
	}
}

// sampleOf returns the sample of a kind.
func (c *catalog) sampleOf(name string) (string, error) {
	found, err := crd.Find(name, c.indexes...)
	if err != nil {
		return "", err
	}
	text, err := fs.ReadFile(c.folders[found.Group()], path.Join("sample", sample.File(found.Kind)))
	return string(text), err
}
