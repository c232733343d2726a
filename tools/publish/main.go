// Command publish adds a release of Armature to a folder: what other machines need to
// use it without this repository.
//
//	./bazelw run //tools/publish -- --to DIR --url https://example.com/armature
//
// The folder has
//
//   - a registry of Bazel modules, with the module's source archive;
//   - the tree of a Go proxy with the runtime, in go;
//   - the manifests, CRDs and images for Kubernetes, as an archive;
//   - the programs of the command line for Linux and darwin;
//   - the Helm chart, and files for kubectl, which name the images in a registry;
//   - the site, in a folder of the version;
//   - the changelog;
//   - an SBOM of the programs and the images in SPDX, and one of each image, to be pushed beside it;
//   - SHA256SUMS.
//
// SHA256SUMS.sig is the place for a signature of these, which somebody else makes. It stays as long as they do.
//
// Each version has files of its own, beside those of the versions that the folder had. A
// version that was published does not change. The same commit gives the same bytes,
// wherever it is checked out.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/semver"

	"github.com/armature-dev/armature/internal/bazel"
	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/runtime/version"
	"github.com/armature-dev/armature/tools/publish/kubernetes"
)

func main() {
	if err := command(os.Stderr).Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "publish:", err)
		os.Exit(1)
	}
}

// parts are what a release is made of.
type parts struct {
	source     string // the root of the repository
	kubernetes string // the archive for Kubernetes
	runtime    string // the tree of the Go proxy
	packages   string // the JSON file with the packages of the programs
	licences   string // the JSON file with the licences of Go modules
	site       string // the front page of the site, beside its other pages
	// armature and types are the files of the programs, one for each platform.
	armature, types []string
	url             string // where the folder will be served
	registry        string // where the images will be
	// withoutDocs says to publish CRDs without descriptions, too.
	withoutDocs bool
	version     string
}

// command returns the command, which says on output what it did.
func command(output io.Writer) *cobra.Command {
	p := parts{source: os.Getenv("BUILD_WORKSPACE_DIRECTORY"), version: version.String()}
	to := ""
	c := &cobra.Command{
		Use:           "publish --to DIR [--url URL] [--registry NAME]",
		Short:         "Add a release of Armature to a folder",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(*cobra.Command, []string) error {
			if to == "" || p.source == "" {
				return fmt.Errorf("expected: %s --to DIR [--url URL] [--registry NAME]", bazel.RunOwn("//tools/publish --"))
			}
			return p.publish(to, output)
		},
	}
	flags := c.Flags()
	flags.StringVar(&to, "to", "", "the `FOLDER` to add the release to")
	flags.StringVar(&p.url, "url", "", "the `URL` at which Bazel will find the folder; default: its place on this machine")
	flags.StringVar(&p.registry, "registry", "",
		"the `NAME` of the registry that has the images, such as registry.example.com/armature; default: none")
	flags.StringVar(&p.kubernetes, "kubernetes", "", "the `FILE` for Kubernetes; the build sets it")
	flags.StringVar(&p.packages, "packages", "", "the JSON `FILE` with the packages of the programs; the build sets it")
	flags.StringVar(&p.licences, "licences", "", "the JSON `FILE` with the licences of Go modules; the build sets it")
	flags.StringVar(&p.site, "site", "", "the `FILE` with the front page of the site; the build sets it")
	flags.StringArrayVar(&p.armature, "armature", nil, "the `FILE` of armature, for each platform; the build sets it")
	flags.StringArrayVar(&p.types, "types", nil, "the `FILE` of armature-types, for each platform; the build sets it")
	flags.BoolVar(&p.withoutDocs, "without-docs", false, "publish CRDs without descriptions, too")
	flags.StringVar(&p.runtime, "runtime", "", "the `FOLDER` with the Go module of the runtime; the build sets it")
	return c
}

// publish adds the release to a folder.
func (p parts) publish(dir string, output io.Writer) error {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(os.Getenv("BUILD_WORKING_DIRECTORY"), dir)
	}
	if p.url == "" {
		p.url = "file://" + filepath.ToSlash(dir)
	}
	var versions []string
	if err := folder.Add(dir, func(found folder.Sums) (folder.Files, error) {
		files, err := p.files()
		if err != nil {
			return nil, err
		}
		if versions, err = p.addTo(found, files); err != nil {
			return nil, fmt.Errorf("%s %w", dir, err)
		}
		return files, nil
	}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(output, "%s has Armature %s, for %s\n", dir, strings.Join(versions, ", "), p.url)
	return err
}

// Files of the folder that all versions share: by the first Bazel knows a registry, the second is in each folder of a
// Go proxy's tree.
const (
	registry  = "bazel_registry.json"
	proxyList = "list"
)

// entry is the folder of the module in the registry.
const entry = "modules/armature/"

// sourceOf returns the file in the registry that says where the sources of a version are.
func sourceOf(version string) string { return entry + version + "/source.json" }

// addTo adds to the files of the release what lists the versions of the folder with those that it had earlier, and
// returns the versions.
func (p parts) addTo(earlier folder.Sums, release folder.Files) (versions []string, err error) {
	all := map[string]bool{}
	for name := range earlier {
		all[name] = true
	}
	if len(all) > 0 && !all[registry] {
		return nil, fmt.Errorf("has files, and no %s of an earlier release: name a new or an empty folder", registry)
	}
	published := all[sourceOf(p.version)]
	var other []string
	for _, name := range slices.Sorted(maps.Keys(release)) {
		if published && folder.Sum(release[name]) != earlier[name] {
			other = append(other, name)
		}
		all[name] = true
	}
	if len(other) > 0 {
		return nil, fmt.Errorf("has another Armature %s, and what was published does not change: raise the version in "+
			"MODULE.bazel, or name a new folder; these files differ:\n  %s", p.version, strings.Join(other, "\n  "))
	}
	proxied := map[string][]string{} // versions in the tree of the Go proxy, by folder
	for name := range all {
		switch dir, file := path.Split(name); {
		case strings.HasPrefix(name, entry) && file == "source.json":
			versions = append(versions, path.Base(dir))
		case path.Ext(file) == ".info":
			proxied[dir] = append(proxied[dir], strings.TrimSuffix(file, ".info"))
		}
	}
	for dir, list := range proxied {
		semver.Sort(list)
		release[dir+proxyList] = []byte(strings.Join(list, "\n") + "\n")
	}
	slices.SortFunc(versions, func(a, b string) int { return semver.Compare("v"+a, "v"+b) })
	release[releases] = releasesFile(all)
	release[entry+"metadata.json"], err = encode(map[string]any{"versions": versions, "yanked_versions": map[string]string{}})
	return versions, err
}

// files returns the files of the release alone, without what lists versions.
func (p parts) files() (folder.Files, error) {
	sources, archive, err := p.sourceArchive()
	if err != nil {
		return nil, err
	}
	if err := checkChangelog(sources[changelog], p.version); err != nil {
		return nil, err
	}
	archiveForKubernetes, err := os.ReadFile(p.kubernetes)
	if err != nil {
		return nil, err
	}
	name := "armature-" + p.version
	release, err := kubernetes.New(archiveForKubernetes, p.registry)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.kubernetes, err)
	}
	files, err := p.forClusters(name, release)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(archive)
	source, err := encode(map[string]string{
		"integrity":    "sha256-" + base64.StdEncoding.EncodeToString(hash[:]),
		"strip_prefix": name,
		"url":          strings.TrimSuffix(p.url, "/") + "/" + name + ".tar.gz",
	})
	if err != nil {
		return nil, err
	}
	linked, materials, err := p.materials()
	if err != nil {
		return nil, err
	}
	commandLine, err := p.commandLine(sources, linked, materials)
	if err != nil {
		return nil, err
	}
	maps.Copy(files, commandLine)
	site, err := p.siteFiles()
	if err != nil {
		return nil, err
	}
	maps.Copy(files, site)
	bills, err := p.bills(name, release.Images(), linked, materials)
	if err != nil {
		return nil, err
	}
	maps.Copy(files, bills)
	maps.Copy(files, folder.Files{
		name + ".tar.gz":                    archive,
		name + "-kubernetes.tar.gz":         archiveForKubernetes,
		name + "-" + changelog:              sources[changelog],
		registry:                            []byte("{}\n"),
		entry + p.version + "/MODULE.bazel": sources[moduleFile],
		sourceOf(p.version):                 source,
	})
	tree, err := filepath.EvalSymlinks(p.runtime)
	if err != nil {
		return nil, err
	}
	return files, filepath.WalkDir(tree, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == proxyList {
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

// moduleFile is the file of the sources with the version.
const moduleFile = "MODULE.bazel"

// sourceArchive returns the files that git tracks, and an archive of them. The tree must be as it was committed, so
// that a release can be made again.
func (p parts) sourceArchive() (files folder.Files, archive []byte, err error) {
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
	files = folder.Files{}
	executable := map[string]bool{}
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
	for _, name := range append([]string{moduleFile, changelog}, own...) {
		if files[name] == nil {
			return nil, nil, fmt.Errorf("%s has no %s", p.source, name)
		}
	}
	archive, err = folder.Archive("armature-"+p.version, files, executable)
	return files, archive, err
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
