// Command armplan plans the packages of a service group. It reads the shapes of
// all API versions and group.yaml, and writes a plan file for each package.
package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"strings"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/planner"
)

func main() { verb.Main("armplan", Run) }

// Run plans a group. It fails unless the build declares exactly the planned
// packages.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	group := flags.String("group", "the Kubernetes API group, such as cache.azure.armature.dev")
	provider := flags.String("provider", "the ARM resource provider, such as Microsoft.Cache")
	prefix := flags.String("import-prefix", "the import path of a package without its name")
	dir := flags.String("dir", "the group's folder, such as apis/cache")
	configFile := flags.String("config", "group.yaml")
	apis := flags.Strings("api", "<ARM API version>=<its api.json>, for each version")
	outs := flags.Strings("out", "<package>=<its plan file>, for each package")
	ga := flags.Optional("ga-name", "pattern of the names of GA versions; default "+naming.Default.GA)
	preview := flags.Optional("preview-name", "pattern of the names of previews; default "+naming.Default.Preview)
	other := flags.Optional("other-preview-name",
		"pattern of the names of previews with another suffix than preview; default "+naming.Default.OtherPreview)
	hooksFile := flags.Optional("hooks", "the signatures of the hand-written hooks, if there are any")
	if err := flags.Parse(args); err != nil {
		return err
	}
	decisions, err := config.Read(*configFile)
	if err != nil {
		return err
	}
	versions, err := readVersions(*apis)
	if err != nil {
		return err
	}
	hooks, err := readHooks(*hooksFile)
	if err != nil {
		return err
	}
	var errs diag.List
	errs.Merge(config.CheckUsed(decisions, versions))
	packages, err := planner.Build(planner.Options{
		Group:        *group,
		Provider:     *provider,
		ImportPrefix: *prefix,
		Dir:          *dir,
		Patterns: naming.Patterns{
			GA:           cmp.Or(*ga, naming.Default.GA),
			Preview:      cmp.Or(*preview, naming.Default.Preview),
			OtherPreview: cmp.Or(*other, naming.Default.OtherPreview),
		},
		Config:   decisions,
		Versions: versions,
		Hooks:    hooks,
	})
	errs.Merge(err)
	if err := errs.Err(); err != nil {
		return err
	}
	return write(packages, *outs, *dir)
}

// readVersions reads <version>=<file> pairs.
func readVersions(apis []string) ([]*ir.Version, error) {
	var errs diag.List
	var versions []*ir.Version
	for _, api := range apis {
		name, file, ok := strings.Cut(api, "=")
		if !ok {
			return nil, verb.Usagef("--api=%s: want <version>=<file>", api)
		}
		read, err := ir.Read(file)
		switch {
		case err != nil:
			errs.Merge(err)
		case read[0].APIVersion != name:
			errs.Addf(file, 0, 0, "it describes version %s, expected %s", read[0].APIVersion, name)
		default:
			versions = append(versions, read...)
		}
	}
	return versions, errs.Err()
}

// readHooks reads the file of signatures. The name is empty if there are no hooks.
func readHooks(file string) ([]plan.HookSource, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	hooks, err := plan.DecodeHooks[plan.HookSource](text)
	if err != nil {
		return nil, diag.Error{File: file, Message: err.Error()}
	}
	return hooks, nil
}

// write writes the packages to the declared files.
func write(packages []*plan.Package, outs []string, dir string) error {
	planned := map[string]*plan.Package{}
	var names []string
	for _, p := range packages {
		planned[p.Name] = p
		names = append(names, p.Name)
	}
	var errs diag.List
	var files []string
	contents := map[string]*plan.Package{}
	for _, out := range outs {
		name, file, ok := strings.Cut(out, "=")
		if !ok {
			return verb.Usagef("--out=%s: want <package>=<file>", out)
		}
		p := planned[name]
		if p == nil {
			errs.Addf(dir, 0, 0, "the build declares the package %s, which no version of the group and no alias of group.yaml "+
				"has%s", name, diag.DidYouMean(name, names))
			continue
		}
		delete(planned, name)
		files = append(files, file)
		contents[file] = p
	}
	for name, p := range planned {
		if p.Alias && p.Role == plan.Storage {
			continue // its API package says so
		}
		if p.Alias {
			errs.Addf(dir, 0, 0, "group.yaml has an alias of version %s, but BUILD.bazel does not declare its package %s; "+
				"add the version to aliases there, below the prefix", p.APIVersion, name)
			continue
		}
		errs.Addf(dir, 0, 0, "the build does not declare the package %s, which the plan has; it declares the names "+
			"that ga_name, preview_name and other_preview_name give", name)
	}
	if err := errs.Err(); err != nil {
		return err
	}
	outputs := verb.NewOutputs(files...)
	for file, p := range contents {
		outputs.SetJSON(file, p)
	}
	return outputs.Commit()
}
