// Package sample is the command armature sample, which prints a small object of a kind.
package sample

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/version"

	"github.com/armature-dev/armature/cli/catalog"
	"github.com/armature-dev/armature/cli/kinds"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/sample"
)

// New returns the command.
func New(all *catalog.Catalog) *cobra.Command {
	var as chosen
	c := &cobra.Command{
		Use:   "sample KIND...",
		Short: "Print a small object of a kind",
		Long: `Print a small object of a kind that its CRD and Azure take, as far as the specs say, with the Secret that it refers
to. Its values are those of an example of the specs, where there is one, and otherwise made up. It belongs to a parent
called "mysample", and what it refers to has that name too. --name chooses another one, for names that have to be unique
in Azure; --set gives properties of the object, and not of its owners, other values.

A kind goes by its name, its plural or a short name, and with its group behind a dot where several groups have the name.`,
		Example: `  armature sample StorageAccount
  armature sample StorageAccount --version 2020-01-01
  armature sample StorageAccount --with-owners --name acme4711 --set spec.location=northeurope | kubectl apply -f -`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: kinds.Complete(all.Indexes),
		RunE: func(c *cobra.Command, names []string) error {
			if err := as.check(); err != nil {
				return err
			}
			samples := samplesOf(all)
			var texts []string
			var errs []error
			for _, name := range names {
				text, err := sampleOf(all, samples, name, &as)
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
	flags.StringVar(&as.version, "version", "", "the `VERSION` of the object, as v20200101 or 2020-01-01; default: the newest stable one")
	flags.BoolVar(&as.withOwners, "with-owners", false, "print first what the object is in or refers to, at their newest versions")
	flags.StringVar(&as.name, "name", sample.Name, "`NAME` of the objects and of their resources")
	flags.StringArrayVar(&as.set, "set", nil,
		"`PATH=VALUE` of a property, such as spec.location=northeurope; may be repeated, and the value is YAML")
	return c
}

// chosen is what a person has chosen for samples.
type chosen struct {
	version, name string
	withOwners    bool
	set           []string
	settings      []setting // of set
}

// sampleName matches names that Azure's services take wherever they take the usual one.
var sampleName = regexp.MustCompile(`^[a-z][a-z0-9]{2,23}$`)

// check checks the flags.
func (c *chosen) check() error {
	var errs []error
	if !sampleName.MatchString(c.name) {
		errs = append(errs, fmt.Errorf("--name: found %q, expected 3 to 24 lower case letters and digits, of which the first is a letter: "+
			"each service takes these", c.name))
	}
	for _, text := range c.set {
		s, err := parseSetting(text)
		c.settings, errs = append(c.settings, s), append(errs, err)
	}
	return errors.Join(errs...)
}

// samplesOf returns the samples of all groups.
func samplesOf(c *catalog.Catalog) *sample.Catalog {
	var all []sample.Kind
	for _, index := range c.Indexes {
		for _, s := range index.CRDs {
			all = append(all, sample.Kind{Group: index.Group, Kind: s.Kind, ARMType: s.ARMType})
		}
	}
	return sample.NewCatalog(all, func(k sample.Kind, version string) ([]byte, error) {
		return fs.ReadFile(c.Folders[k.Group], path.Join("sample", sample.File(k.Kind, version)))
	})
}

// sampleOf returns the sample of a kind that a person has named, as they have chosen it.
func sampleOf(c *catalog.Catalog, samples *sample.Catalog, name string, as *chosen) (string, error) {
	found, err := crd.Find(name, c.Indexes...)
	if err != nil {
		return "", err
	}
	version, err := versionOf(found, as.version)
	if err != nil {
		return "", err
	}
	text, err := samples.Sample(sample.Kind{Group: found.Group(), Kind: found.Kind, ARMType: found.ARMType}, version, as.withOwners)
	if err != nil {
		return "", err
	}
	objects := strings.ReplaceAll(string(text), sample.Name, as.name)
	const between = "\n---\n"
	last := 0 // where the object of the kind begins, which comes after all others
	if i := strings.LastIndex(objects, between); i >= 0 {
		last = i + len(between)
	}
	object, err := setAll(objects[last:], as.settings)
	if err != nil {
		return "", fmt.Errorf("%s: %w", found.Kind, err)
	}
	return objects[:last] + object, nil
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
