// Command armexport writes generated packages as a Go module, for users of the go
// command alone.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/cmd/internal/gofiles"
	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/gomodule"
	"github.com/armature-dev/armature/internal/folder"
)

func main() { verb.Main("armexport", Run) }

// Run writes the module.
func Run(_ context.Context, args []string, stderr io.Writer) error {
	flags := verb.NewFlags()
	read := gofiles.Flags(flags)
	proxy := flags.String("runtime", "the tree from which a Go proxy serves the runtime")
	to := flags.String("to", "the folder to write, from where you are")
	if err := flags.Parse(args); err != nil {
		return err
	}
	m, versions, err := read()
	if err != nil {
		return err
	}
	if err := versions.AddProxy(*proxy); err != nil {
		return err
	}
	goMod, goSum, err := versions.Require(m)
	if err != nil {
		return err
	}
	m.Files["README.md"] = readme(m)
	m.Files["go.mod"], m.Files["go.sum"] = goMod, goSum
	dir := *to
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(os.Getenv("BUILD_WORKING_DIRECTORY"), dir) // bazel run starts in another one
	}
	if err := folder.Write(dir, m.Files); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stderr, "%s has %d files of %s\n", dir, len(m.Files), m.Path)
	return err
}

// readme returns the module's README.
func readme(m *gomodule.Module) []byte {
	packages := map[string][]string{} // by folder of the group
	for name := range m.Files {
		if path.Base(name) == "types.go" {
			group, pkg := path.Split(path.Dir(name))
			packages[group] = append(packages[group], pkg)
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, `# %s

Types of Kubernetes APIs for Azure resources, with the conversions between their versions. Armature wrote this module.
`+"`%s`"+` lists its files. The next export replaces them all, and refuses to if one was edited.

| package | import path |
|---|---|
`, m.Path, folder.Manifest)
	for _, group := range slices.Sorted(maps.Keys(packages)) {
		scheme := path.Join(group, "scheme")
		fmt.Fprintf(&text, "| [%s](%s), which registers all versions | `%s` |\n", scheme, scheme, path.Join(m.Path, scheme))
		for _, pkg := range slices.Sorted(slices.Values(packages[group])) {
			name := path.Join(group, pkg)
			fmt.Fprintf(&text, "| [%s](%s) | `%s` |\n", name, name, path.Join(m.Path, name))
		}
	}
	text.WriteString(`
The go command builds and tests it, if a Go proxy serves the runtime of Armature that ` + "`go.mod`" + ` requires. A release of
Armature has the files for one, in its folder ` + "`go`" + `:

` + "```sh" + `
export GOPROXY=file:///where/the/release/is/go,https://proxy.golang.org GONOSUMDB=github.com/armature-dev
go build ./...
go test ./...   # the laws of conversions: nothing is lost between versions
` + "```" + `
`)
	return []byte(text.String())
}
