// Command publish writes a release of Armature to a folder: what other machines need to
// use it without this repository.
//
//	./bazelw run //tools/publish -- --to DIR --url https://example.com/armature
//
// The folder has
//
//   - a registry of Bazel modules, with the module's source archive;
//   - the tree of a Go proxy with the runtime, in go;
//   - the manifests, CRDs and images for Kubernetes, as an archive;
//   - SHA256SUMS.
//
// The same commit gives the same bytes, wherever it is checked out.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/runtime/version"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "publish:", err)
		os.Exit(1)
	}
}

// parts are what a release is made of.
type parts struct {
	source     string // the root of the repository
	kubernetes string // the archive for Kubernetes
	runtime    string // the tree of the Go proxy
	url        string // where the folder will be served
	version    string
}

func run(arguments []string, output io.Writer) error {
	flags := flag.NewFlagSet("publish", flag.ContinueOnError)
	flags.SetOutput(output)
	p := parts{source: os.Getenv("BUILD_WORKSPACE_DIRECTORY"), version: version.String()}
	to := flags.String("to", "", "the `folder` to write")
	flags.StringVar(&p.url, "url", "", "the `URL` at which Bazel will find the folder; default: its place on this machine")
	flags.StringVar(&p.kubernetes, "kubernetes", "", "the `file` for Kubernetes; the build sets it")
	flags.StringVar(&p.runtime, "runtime", "", "the `folder` with the Go module of the runtime; the build sets it")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if *to == "" || flags.NArg() > 0 || p.source == "" {
		return errors.New("expected: bazel run //tools/publish -- --to DIR [--url URL]")
	}
	dir := *to
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(os.Getenv("BUILD_WORKING_DIRECTORY"), dir)
	}
	if p.url == "" {
		p.url = "file://" + filepath.ToSlash(dir)
	}
	files, err := p.files()
	if err != nil {
		return err
	}
	if err := folder.Write(dir, files); err != nil {
		return err
	}
	_, err = fmt.Fprintf(output, "%s has Armature %s, for %s\n", dir, p.version, p.url)
	return err
}

// files returns the files of the release.
func (p parts) files() (folder.Files, error) {
	archive, moduleFile, err := p.sourceArchive()
	if err != nil {
		return nil, err
	}
	kubernetes, err := os.ReadFile(p.kubernetes)
	if err != nil {
		return nil, err
	}
	name := "armature-" + p.version
	hash := sha256.Sum256(archive)
	source, err := encode(map[string]string{
		"integrity":    "sha256-" + base64.StdEncoding.EncodeToString(hash[:]),
		"strip_prefix": name,
		"url":          strings.TrimSuffix(p.url, "/") + "/" + name + ".tar.gz",
	})
	if err != nil {
		return nil, err
	}
	metadata, err := encode(map[string]any{"versions": []string{p.version}, "yanked_versions": map[string]string{}})
	if err != nil {
		return nil, err
	}
	entry := "modules/armature/"
	files := folder.Files{
		name + ".tar.gz":                            archive,
		name + "-kubernetes.tar.gz":                 kubernetes,
		"bazel_registry.json":                       []byte("{}\n"),
		entry + "metadata.json":                     metadata,
		path.Join(entry, p.version, "MODULE.bazel"): moduleFile,
		path.Join(entry, p.version, "source.json"):  source,
	}
	tree, err := filepath.EvalSymlinks(p.runtime)
	if err != nil {
		return nil, err
	}
	return files, filepath.WalkDir(tree, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(tree, file)
		if err != nil {
			return err
		}
		files[path.Join("go", filepath.ToSlash(rel))], err = os.ReadFile(file)
		return err
	})
}

// sourceArchive returns the archive of the files that git tracks, and MODULE.bazel. The
// tree must be as it was committed, so that a release can be made again.
func (p parts) sourceArchive() (archive, moduleFile []byte, err error) {
	changes, err := p.git("status", "--porcelain")
	if err != nil {
		return nil, nil, err
	}
	if len(changes) > 0 {
		return nil, nil, fmt.Errorf("%s has changes that are not committed; commit or remove them:\n%s",
			p.source, bytes.TrimRight(changes, "\n"))
	}
	list, err := p.git("ls-files", "-z")
	if err != nil {
		return nil, nil, err
	}
	files, executable := folder.Files{}, map[string]bool{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		file := filepath.Join(p.source, filepath.FromSlash(name))
		info, err := os.Lstat(file)
		if err != nil {
			return nil, nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, nil, fmt.Errorf("%s: found %v, expected a file: an archive of sources has nothing else", name, info.Mode())
		}
		if files[name], err = os.ReadFile(file); err != nil {
			return nil, nil, err
		}
		executable[name] = info.Mode()&0o100 != 0
	}
	moduleFile, exists := files["MODULE.bazel"]
	if !exists {
		return nil, nil, fmt.Errorf("%s has no MODULE.bazel", p.source)
	}
	archive, err = folder.Archive("armature-"+p.version, files, executable)
	return archive, moduleFile, err
}

func (p parts) git(arguments ...string) ([]byte, error) {
	command := exec.Command("git", append([]string{"-C", p.source}, arguments...)...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w\n%s", arguments[0], err, &stderr)
	}
	return out, nil
}

func encode(value any) ([]byte, error) {
	text, err := json.MarshalIndent(value, "", "  ")
	return append(text, '\n'), err
}
