// Command armimage writes a container image of one static binary, as an OCI layout with an index of the architectures.
// The image has the licences of the binary's Go modules, an SBOM, and nothing else: no shell, no users, no dates. The
// binary, too, says which Go modules it is made of.
package main

import (
	"archive/tar"
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/armature-dev/armature/generator/buildinfo"
	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/gomodule"
	"github.com/armature-dev/armature/generator/licences"
	"github.com/armature-dev/armature/generator/sbom"
	"github.com/armature-dev/armature/runtime/version"
)

func main() { verb.Main("armimage", Run) }

// nobody is the user and the group as which the binary runs.
const nobody = "65532:65532"

// Run writes an OCI layout.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	binaries := flags.Strings("binary", "a static binary for Linux; repeat it for each architecture")
	packages := flags.Strings("packages", "a JSON file with the packages of a binary, in the order of the binaries")
	goMod := flags.String("go-mod", "the go.mod with the versions of the modules")
	goSum := flags.String("go-sum", "its go.sum")
	licenceFile := flags.String("licences", "the JSON file with the licences of the modules")
	out := flags.String("out", "the folder to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if len(*packages) != len(*binaries) {
		return verb.Usagef("--packages: found %d files, expected one for each of %d binaries", len(*packages), len(*binaries))
	}
	modules, err := gomodule.ReadVersions(*goMod, *goSum)
	if err != nil {
		return err
	}
	known, err := licences.Read(*licenceFile)
	if err != nil {
		return err
	}
	materials := &sbom.Materials{Modules: modules, Licences: known}
	var errs diag.List
	var images []mutate.IndexAddendum
	file := map[string]string{} // by architecture
	for i, binary := range *binaries {
		image, architecture, err := read(binary, (*packages)[i], materials)
		errs.Merge(err)
		if other, twice := file[architecture]; twice && err == nil {
			errs.Merge(fmt.Errorf("%s: found a second binary for %s beside %s, expected one for each architecture",
				binary, architecture, other))
		}
		file[architecture] = binary
		images = append(images, mutate.IndexAddendum{
			Add:        image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: architecture}},
		})
	}
	if err := errs.Err(); err != nil {
		return err
	}
	folder, err := layout.Write(*out, empty.Index)
	if err != nil {
		return err
	}
	// Tools push the one thing that the layout's own index lists.
	return folder.AppendIndex(mutate.AppendManifests(empty.Index, images...))
}

// read returns an image of a binary with the packages in a file, and the architecture that it is for.
func read(binary, packages string, materials *sbom.Materials) (v1.Image, string, error) {
	program, err := os.ReadFile(binary)
	if err != nil {
		return nil, "", err
	}
	architecture, err := inspect(binary, program)
	if err != nil {
		return nil, "", err
	}
	text, err := os.ReadFile(packages)
	if err != nil {
		return nil, "", err
	}
	var of sbom.Program
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, "", fmt.Errorf("%s: %w", packages, err)
	}
	switch written, err := buildinfo.Write(program, buildinfo.Of(of.Main, version.String(), of.Packages, materials.Modules)); {
	case err == nil:
		program = written
	case !errors.Is(err, buildinfo.ErrNone): // which is a program of somebody else
		return nil, "", fmt.Errorf("%s: %w", binary, err)
	}
	name := filepath.Base(binary)
	files, err := besides(name, of, materials)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", binary, err)
	}
	image, err := build(name, program, files, architecture)
	return image, architecture, err
}

// besides returns what an image has beside its program: the SBOM where scanners find it, by the end of its name, and
// the licences.
func besides(name string, of sbom.Program, materials *sbom.Materials) (map[string][]byte, error) {
	bill, err := materials.Text(version.String(), map[string]sbom.Program{name: of})
	if err != nil {
		return nil, err
	}
	texts, err := materials.LicencesOf(of)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{name + ".spdx.json": bill}
	for file, text := range texts {
		files[path.Join("licenses", file)] = text
	}
	return files, nil
}

// architectures has Go's names of the architectures of Kubernetes nodes.
var architectures = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}

// inspect returns the architecture of a binary. It refuses a binary that would not
// start: one for another system, or one that needs a linker at run time.
func inspect(name string, program []byte) (string, error) {
	const fix = "make the image with arm_image, which builds for Linux"
	file, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return "", fmt.Errorf("%s: not a binary for Linux (%w), which an image needs: %s", name, err, fix)
	}
	for _, segment := range file.Progs {
		if segment.Type == elf.PT_INTERP {
			return "", fmt.Errorf("%s: found a binary that is linked dynamically, expected a static one: build without cgo", name)
		}
	}
	architecture, known := architectures[file.Machine]
	if !known {
		return "", fmt.Errorf("%s: found a binary for %v, expected x86-64 or AArch64: %s", name, file.Machine, fix)
	}
	return architecture, nil
}

// build returns an image whose entry point is a program, with other files.
func build(name string, program []byte, files map[string][]byte, architecture string) (v1.Image, error) {
	text, err := archive(name, program, files)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching,
	)
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	epoch := v1.Time{Time: time.Unix(0, 0).UTC()}
	image, err = mutate.ConfigFile(image, &v1.ConfigFile{
		OS:           "linux",
		Architecture: architecture,
		Created:      epoch,
		RootFS:       v1.RootFS{Type: "layers"},
		Config: v1.Config{
			Entrypoint: []string{path.Join("/", name)},
			User:       nobody,
			WorkingDir: "/",
			Labels: map[string]string{
				"org.opencontainers.image.title":   name,
				"org.opencontainers.image.version": version.String(),
			},
		},
	})
	if err != nil {
		return nil, err
	}
	return mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{Created: epoch, CreatedBy: "armimage"}})
}

// archive returns a tar file of a program and other files, which belong to root and have no date.
func archive(name string, program []byte, files map[string][]byte) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(len(program) + 4<<10)
	out := tar.NewWriter(&text)
	add := func(name string, content []byte, mode int64) error {
		header := &tar.Header{Name: name, Mode: mode, Size: int64(len(content)), ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR}
		if err := out.WriteHeader(header); err != nil {
			return err
		}
		_, err := out.Write(content)
		return err
	}
	if err := add(name, program, 0o755); err != nil {
		return nil, err
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := add(file, files[file], 0o644); err != nil {
			return nil, err
		}
	}
	err := out.Close()
	return text.Bytes(), err
}
