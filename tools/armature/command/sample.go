package command

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/version"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/tools/armature/kinds"
)

// newSample returns the command that prints samples.
func newSample(all *catalog) *cobra.Command {
	version, withOwners := "", false
	c := &cobra.Command{
		Use:   "sample KIND...",
		Short: "Print a small object of a kind",
		Long: `Print a small object of a kind that its CRD and Azure take, as far as the specs say, with the Secret that it refers
to. Its values are those of an example of the specs, where there is one, and otherwise made up. It belongs to a parent
called "mysample", and what it refers to has that name too. Names that have to be unique in Azure are to be changed.

A kind goes by its name, its plural or a short name, and with its group behind a dot where several groups have the name.`,
		Example: `  armature sample StorageAccount
  armature sample StorageAccount --version 2020-01-01
  armature sample snet.network --with-owners | kubectl apply -f -`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: kinds.Complete(all.indexes),
		RunE: func(c *cobra.Command, names []string) error {
			samples := all.samples()
			var texts []string
			var errs []error
			for _, name := range names {
				text, err := all.sampleOf(samples, name, version, withOwners)
				texts, errs = append(texts, text), append(errs, err)
			}
			if err := errors.Join(errs...); err != nil {
				return err
			}
			_, err := c.OutOrStdout().Write([]byte(strings.Join(texts, "---\n")))
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&version, "version", "", "the `VERSION` of the object, as v20200101 or 2020-01-01; default: the newest stable one")
	flags.BoolVar(&withOwners, "with-owners", false, "print first what the object is in or refers to, at their newest versions")
	return c
}

// samples returns the samples of all groups.
func (c *catalog) samples() *sample.Catalog {
	var all []sample.Kind
	for _, index := range c.indexes {
		for _, s := range index.CRDs {
			all = append(all, sample.Kind{Group: index.Group, Kind: s.Kind, ARMType: s.ARMType})
		}
	}
	return sample.NewCatalog(all, func(k sample.Kind, version string) ([]byte, error) {
		return fs.ReadFile(c.folders[k.Group], path.Join("sample", sample.File(k.Kind, version)))
	})
}

// sampleOf returns the sample of a kind that a person has named, at a version.
func (c *catalog) sampleOf(samples *sample.Catalog, name, version string, withOwners bool) (string, error) {
	found, err := crd.Find(name, c.indexes...)
	if err != nil {
		return "", err
	}
	if version, err = versionOf(found, version); err != nil {
		return "", err
	}
	text, err := samples.Sample(sample.Kind{Group: found.Group(), Kind: found.Kind, ARMType: found.ARMType}, version, withOwners)
	return string(text), err
}

// versionOf returns the version of a kind that a person has named by Kubernetes' name or by
// ARM's, or "" for the one that a client gets that names none.
func versionOf(kind *crd.Summary, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	var names, known []string
	for _, v := range kind.Versions {
		if !v.IsStored() {
			names = append(names, v.Name)
		}
	}
	newest := slices.MaxFunc(names, version.CompareKubeAwareVersionStrings)
	for _, v := range kind.Versions {
		switch {
		case v.IsStored():
			continue
		case v.Name != name && v.APIVersion != name:
			known = append(known, v.Name)
		case v.Name == newest:
			return "", nil
		default:
			return v.Name, nil
		}
	}
	return "", fmt.Errorf("--version: %s has no version %s%s; it has %s", kind.Kind, name, diag.DidYouMean(name, known),
		strings.Join(known, ", "))
}
