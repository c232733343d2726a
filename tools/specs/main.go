// Specs makes a checkout of the specs that Azure publishes, for ARMATURE_SPECS to name. The build does not run it.
//
//	./bazelw run //tools/specs [-- --dir FOLDER] [--remote NAME=URL]...
//
// The file pins.json lists what it checks out, and the files named *.sha256 have the digests of the files. A checkout
// with any other content is refused.
//
//	./bazelw run //tools/specs -- --digest FOLDER
//
// prints the digests of the files in a folder, to pin them.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/armature-dev/armature/tools/specs/digests"
)

//go:embed pins.json *.sha256
var pinned embed.FS

// readPins returns the pins, with the digests of their files.
func readPins() ([]Pin, error) {
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
	}
	return pins, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "specs:", err)
		os.Exit(1)
	}
}

// remotes is the flag --remote NAME=URL, which may be repeated.
type remotes map[string]string

func (r remotes) String() string { return "" }

func (r remotes) Set(value string) error {
	name, url, ok := strings.Cut(value, "=")
	if !ok || name == "" || url == "" {
		return fmt.Errorf("expected NAME=URL, as in azure-rest-api-specs=../mirror")
	}
	r[name] = url
	return nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	pins, err := readPins()
	if err != nil {
		return err
	}
	overrides := remotes{}
	flags := flag.NewFlagSet("specs", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("dir", "", "the `folder` to check out into; default: armature/specs in the user's cache folder")
	digested := flags.String("digest", "", "print the digests of the files in this `folder`, and do nothing else")
	flags.Var(overrides, "remote", "`NAME=URL`: fetch the checkout of that name from another place; may be repeated")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q; the folder is given with --dir", flags.Arg(0))
	}
	if *digested != "" {
		folder, err := destination(*digested)
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
	for name, url := range overrides {
		if err := override(pins, name, url); err != nil {
			return err
		}
	}
	root, err := destination(*dir)
	if err != nil {
		return err
	}
	if err := Checkout(ctx, root, pins, stderr); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "The specs are in %s. To build with them:\n  export ARMATURE_SPECS=%q\n", root, root)
	return nil
}

func override(pins []Pin, name, url string) error {
	var names []string
	for i := range pins {
		if pins[i].Folder == name {
			pins[i].Remote = url
			return nil
		}
		names = append(names, pins[i].Folder)
	}
	return fmt.Errorf("--remote: there is no checkout %q, only %s", name, strings.Join(names, ", "))
}

// destination returns the folder as an absolute path. `bazel run` starts programs in another folder, and sets
// BUILD_WORKING_DIRECTORY to the user's.
func destination(dir string) (string, error) {
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no default folder: %w; name one with --dir", err)
		}
		return filepath.Join(cache, "armature", "specs"), nil
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(os.Getenv("BUILD_WORKING_DIRECTORY"), dir)
	}
	return filepath.Abs(dir)
}
