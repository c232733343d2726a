// Command armimage writes a container image of one static binary, as an OCI
// layout with an index of the architectures. The image has nothing else: no
// shell, no users, no dates. The binary says which Go modules it is made of.
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
	"os"
	"path"
	"path/filepath"
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
	var errs diag.List
	var images []mutate.IndexAddendum
	file := map[string]string{} // by architecture
	for i, binary := range *binaries {
		image, architecture, err := read(binary, (*packages)[i], modules)
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

// linked are the import paths of the packages of a program.
type linked struct {
	Main     string   `json:"main"`
	Packages []string `json:"packages"`
}

// read returns an image of a binary with the packages in a file, and the architecture that it is for.
func read(binary, packages string, modules *gomodule.Versions) (v1.Image, string, error) {
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
	var of linked
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, "", fmt.Errorf("%s: %w", packages, err)
	}
	switch written, err := buildinfo.Write(program, buildinfo.Of(of.Main, version.String(), of.Packages, modules)); {
	case err == nil:
		program = written
	case !errors.Is(err, buildinfo.ErrNone): // which is a program of somebody else
		return nil, "", fmt.Errorf("%s: %w", binary, err)
	}
	image, err := build(filepath.Base(binary), program, architecture)
	return image, architecture, err
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

// build returns an image whose entry point is a program.
func build(name string, program []byte, architecture string) (v1.Image, error) {
	text, err := archive(name, program)
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

// archive returns a tar file of a program, which belongs to root and has no date.
func archive(name string, program []byte) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(len(program) + 4<<10)
	out := tar.NewWriter(&text)
	header := &tar.Header{Name: name, Mode: 0o755, Size: int64(len(program)), ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR}
	if err := out.WriteHeader(header); err != nil {
		return nil, err
	}
	if _, err := out.Write(program); err != nil {
		return nil, err
	}
	err := out.Close()
	return text.Bytes(), err
}
