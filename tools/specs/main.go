// Specs makes a checkout of the specs that Azure publishes, for ARMATURE_SPECS to name. The build does not run it.
//
//	./bazelw run //tools/specs [-- --dir FOLDER] [--remote NAME=URL]...
//
// The file pins.json lists what it checks out, and the files named *.sha256 have the digests of the files. A checkout
// with any other content is refused.
//
//	./bazelw run //tools/specs -- --provider Microsoft.Databricks
//
// fetches and pins the newest versions of a provider, too, for tools/add.
//
//	./bazelw run //tools/specs -- --digest FOLDER
//
// prints the digests of the files in a folder, to pin them.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/internal/bazel"
	"github.com/armature-dev/armature/internal/specs"
	"github.com/armature-dev/armature/tools/specs/digests"
)

//go:embed pins.json *.sha256
var pinned embed.FS

// readPins returns the pins, with the digests of their files. A repository that uses this one as a module may pin more.
func readPins(workspace string) ([]Pin, error) {
	text, err := pinned.ReadFile("pins.json")
	if err != nil {
		return nil, err
	}
	var pins []Pin
	if err := json.Unmarshal(text, &pins); err != nil {
		return nil, fmt.Errorf("pins.json: %w", err)
	}
	for i := range pins {
		list := pins[i].Folder + ".sha256"
		text, err := pinned.ReadFile(list)
		if err != nil {
			return nil, err
		}
		if pins[i].Digests, err = digests.Parse(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", list, err)
		}
		if workspace == "" {
			continue
		}
		own, err := digests.ReadPins(workspace, pins[i].Folder)
		if err != nil {
			return nil, err
		}
		maps.Copy(own, pins[i].Digests)
		pins[i].Digests = own
	}
	return pins, nil
}

// folders returns the checkouts of some pins.
func folders(pins []Pin) []string {
	var all []string
	for _, pin := range pins {
		all = append(all, pin.Folder)
	}
	return all
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command(os.Stdout, os.Stderr).ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "specs:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	dir, digest, provider string
	remotes               map[string]string // by the name of the checkout
}

// command returns the command. It writes what it is asked for to stdout, and how far it is to stderr.
func command(stdout, stderr io.Writer) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "specs",
		Short: "Make a checkout of the specs that Azure publishes",
		Example: `  specs
  specs --provider Microsoft.Databricks
  specs --dir ../specs --remote bicep-types-az=https://git.example.com/bicep-types-az`,
		Args: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) > 0 {
				return fmt.Errorf("unexpected argument %q; the folder is given with --dir, and a provider with --provider", arguments[0])
			}
			return nil
		},
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.digest != "" {
				return printDigests(o.digest, stdout)
			}
			return run(c.Context(), o, stderr)
		},
	}
	c.SetOut(stdout)
	flags := c.Flags()
	flags.StringVar(&o.dir, "dir", "", "the `FOLDER` to check out into; default: armature/specs in the user's cache folder")
	flags.StringVar(&o.digest, "digest", "", "print the digests of the files in this `FOLDER`, and do nothing else")
	flags.StringVar(&o.provider, "provider", "", "fetch and pin the newest versions of this `PROVIDER`, too, such as Microsoft.Databricks")
	flags.StringToStringVar(&o.remotes, "remote", nil, "`NAME=URL`: fetch the checkout of that name from another place; may be repeated")
	c.MarkFlagsMutuallyExclusive("digest", "provider")
	return c
}

func run(ctx context.Context, o options, stderr io.Writer) error {
	workspace := os.Getenv("BUILD_WORKSPACE_DIRECTORY")
	if o.provider != "" && workspace == "" {
		return fmt.Errorf("BUILD_WORKSPACE_DIRECTORY is not set, so there are no pins to add to: start it with %s",
			bazel.RunOwn("//tools/specs -- --provider "+o.provider))
	}
	pins, err := readPins(workspace)
	if err != nil {
		return err
	}
	for name, url := range o.remotes {
		if err := override(pins, name, url); err != nil {
			return err
		}
	}
	root, err := destination(o.dir)
	if err != nil {
		return err
	}
	if o.provider == "" {
		err = Checkout(ctx, root, pins, stderr)
	} else {
		err = pinProvider(ctx, root, workspace, pins, o.provider, stderr)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "The specs are in %s.", root)
	if root == specs.Folder() {
		fmt.Fprintln(stderr, " Builds read them.")
	} else {
		fmt.Fprintf(stderr, " To build with them:\n  export ARMATURE_SPECS=%q\n", root)
	}
	if o.provider != "" {
		fmt.Fprintf(stderr, "To make a group of %[1]s:\n  %[2]s%[1]s\n", o.provider, bazel.RunOwn("//tools/add -- "))
	}
	return nil
}

// printDigests prints the digests of the files in a folder.
func printDigests(folder string, stdout io.Writer) error {
	folder, err := destination(folder)
	if err != nil {
		return err
	}
	found, err := digestsIn(folder)
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, digests.Format(found))
	return err
}

// pinProvider checks out a provider, and pins its files in the repository.
func pinProvider(ctx context.Context, root, workspace string, pins []Pin, provider string, stderr io.Writer) error {
	added, err := CheckoutProvider(ctx, root, pins, provider, stderr)
	if err != nil {
		return err
	}
	n, err := writeOwn(workspace, added)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "tools/specs/*.sha256 has %d files more.\n", n)
	return nil
}

func override(pins []Pin, name, url string) error {
	for i := range pins {
		if pins[i].Folder == name {
			pins[i].Remote = url
			return nil
		}
	}
	return fmt.Errorf("--remote: there is no checkout %q, only %s", name, strings.Join(folders(pins), ", "))
}

// destination returns the folder as an absolute path. `bazel run` starts programs in another folder, and sets
// BUILD_WORKING_DIRECTORY to the user's.
func destination(dir string) (string, error) {
	if dir == "" {
		if specs.Own() == "" {
			return "", errors.New("there is no default folder, because neither XDG_CACHE_HOME nor HOME names one; name one with --dir")
		}
		return specs.Own(), nil
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(os.Getenv("BUILD_WORKING_DIRECTORY"), dir)
	}
	return filepath.Abs(dir)
}
