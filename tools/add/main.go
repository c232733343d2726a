// Add makes a service group of a provider of the published specs, which
// ARMATURE_SPECS names:
//
//	./bazelw run //tools/add -- Microsoft.Subscription
//
// On a terminal, and without flags, it asks which types and versions to add.
//
// It writes the group's folder below apis (or --folder), and adds the group where groups are
// listed. Package service says how it decides. With --update it adds the newest versions
// to a group, and with --version one version:
//
//	./bazelw run //tools/add -- web --update
//	./bazelw run //tools/add -- web --version 2025-03-01
//
// Without the name of a group, --update moves all of them on, and prints a report.
//
// Of several providers, or with --all of all that have no group yet, it makes a group each, and prints a report:
//
//	./bazelw run //tools/add -- --all >report.md
//
// With --list it prints the providers that can be added.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/armature-dev/armature/internal/bazel"
	"github.com/armature-dev/armature/internal/specs"
	"github.com/armature-dev/armature/tools/add/service"
)

func main() {
	var in io.Reader
	if term.IsTerminal(int(os.Stdin.Fd())) {
		in = os.Stdin
	}
	if err := command(in, os.Stdout).Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// command returns the command. It asks for what the flags do not say, with the answers
// in in, which may be nil.
func command(in io.Reader, out io.Writer) *cobra.Command {
	at := service.Repository{Root: os.Getenv("BUILD_WORKSPACE_DIRECTORY")}
	r := service.Request{Specs: service.Specs(specs.Folder())}
	u := service.Update{Specs: r.Specs}
	dryRun, update, list, all := false, false, false, false
	c := &cobra.Command{
		Use:   "add PROVIDER..., or add --all, or add [GROUP] --update, or add GROUP --version VERSION, or add --list",
		Short: "Make service groups of providers of the published specs, or add versions to a group",
		Example: `  add --list
  add Microsoft.Subscription
  add Microsoft.Subscription --types 'aliases,polic*' --dry-run
  add Microsoft.Subscription --versions 2021-10-01,2025-11-01-preview --group subscriptions
  add Microsoft.Search Microsoft.Cache
  add --all --dry-run
  add Microsoft.Storage --update
  add --update --dry-run
  add sql --version 2025-08-01-preview`,
		Args: func(_ *cobra.Command, arguments []string) error {
			several := len(arguments) > 1
			switch {
			case list && len(arguments) > 0:
				return fmt.Errorf("found %s, and --list, which lists all providers: leave one of the two out", arguments[0])
			case all && len(arguments) > 0:
				return fmt.Errorf("found %s, and --all, which adds all providers: leave one of the two out", arguments[0])
			case several && (update || u.APIVersion != ""):
				return fmt.Errorf("found %d arguments, and --update or --version, which takes one group", len(arguments))
			case several && len(r.Types)+len(r.Versions)+len(r.Group) > 0:
				return fmt.Errorf("found %d providers, and --types, --versions or --group, which are of one: add that one by itself",
					len(arguments))
			case len(arguments) == 0 && !list && !all && !update:
				return fmt.Errorf("found no argument, expected a provider such as Microsoft.Subscription, or --all, or a group and "+
					"--update or --version; %s lists the providers", bazel.RunOwn("//tools/add -- --list"))
			}
			return nil
		},
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(c *cobra.Command, args []string) error {
			if at.Root == "" {
				return errors.New("BUILD_WORKSPACE_DIRECTORY is not set: start it with " + bazel.RunOwn("//tools/add"))
			}
			if list {
				return service.List(at, r.Specs, out)
			}
			r.Repository, u.Repository = at, at
			if all || len(args) > 1 {
				return service.AddAll(r, args, dryRun, out, c.ErrOrStderr())
			}
			if len(args) == 0 {
				return service.UpdateAll(u, dryRun, out, c.ErrOrStderr())
			}
			var interview *service.Interview
			if in != nil && c.Flags().NFlag() == 0 {
				interview = service.NewInterview(in, out)
			}
			var change *service.Change
			var err error
			r.Provider, u.Group = args[0], args[0]
			if u.APIVersion == "" && !update {
				if interview != nil {
					if err := interview.Ask(&r); err != nil {
						return err
					}
				}
				change, err = service.Plan(r)
			} else {
				change, err = service.PlanUpdate(u)
			}
			if err != nil {
				return err
			}
			return change.Apply(at.Root, dryRun, interview, out)
		},
	}
	flags := c.Flags()
	flags.StringSliceVar(&r.Types, "types", nil, "`PATTERNS` of resource types without the provider, in which * "+
		"is any part of a segment; default: all types")
	flags.StringSliceVar(&r.Versions, "versions", nil,
		"API `VERSIONS`; default: the newest stable version of each type, and the previews newer than it")
	flags.StringVar(&r.Group, "group", "", "the `NAME` of the group's folder; default: that of the provider in lower case, "+
		"without dots and without Microsoft's name")
	flags.StringVar(&u.APIVersion, "version", "", "the API `VERSION` to add to a group")
	flags.BoolVar(&update, "update", false, "add the newest stable version of each type to a group, or to all groups")
	flags.IntVar(&u.Stable, "stable", 1, "with --update, the `NUMBER` of stable versions of each type to add, the newest ones; "+
		"with 0 only the facts become what the specs say")
	flags.BoolVar(&u.Preview, "preview", false, "with --update, add the newest preview of each type too, if it is the newest version")
	flags.BoolVar(&all, "all", false, "make a group of each provider that has none yet, with all types, and print a report")
	flags.BoolVar(&list, "list", false, "print the providers of the specs, with the newest version and the group of each")
	for _, new := range []string{"types", "versions", "group"} {
		c.MarkFlagsMutuallyExclusive("list", new)
		c.MarkFlagsMutuallyExclusive("all", new)
		c.MarkFlagsMutuallyExclusive("update", "version", new)
	}
	c.MarkFlagsMutuallyExclusive("all", "list", "update", "version")
	for _, detail := range []string{"stable", "preview"} {
		c.MarkFlagsMutuallyExclusive("version", detail)
	}
	flags.StringVar(&at.Folder, "folder", "apis", "the `FOLDER` that has a folder for each group")
	flags.StringVar(&at.Domain, "domain", "", "the `DOMAIN` that the Kubernetes API group of a new group ends with; default: DOMAIN in "+
		"domain.bzl of --folder")
	flags.StringVar(&at.ImportPath, "importpath", "",
		"the Go import `PATH` of --folder; default: the module in go.mod, and then the folder")
	flags.BoolVar(&dryRun, "dry-run", false, "print what would be written, and write nothing")
	return c
}
