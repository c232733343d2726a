package main

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/armature-dev/armature/runtime/version"
)

// program returns the smallest binary.
func program(t *testing.T, machine elf.Machine, segments ...elf.ProgType) []byte {
	t.Helper()
	header := elf.Header64{
		Ident:     [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:      uint16(elf.ET_EXEC),
		Machine:   uint16(machine),
		Version:   uint32(elf.EV_CURRENT),
		Phoff:     uint64(binary.Size(elf.Header64{})),
		Phentsize: uint16(binary.Size(elf.Prog64{})),
		Phnum:     uint16(len(segments)),
	}
	var text bytes.Buffer
	if err := binary.Write(&text, binary.LittleEndian, header); err != nil {
		t.Fatal(err)
	}
	for _, segment := range segments {
		if err := binary.Write(&text, binary.LittleEndian, elf.Prog64{Type: uint32(segment)}); err != nil {
			t.Fatal(err)
		}
	}
	return append(text.Bytes(), "armature.modinfopath\tunknown\n"+strings.Repeat("#", 200)+"\nmodinfo.armature"...)
}

// write writes a program and returns its name.
func write(t *testing.T, text []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "webhook")
	if err := os.WriteFile(name, text, 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// arguments returns those of the verb for programs.
func arguments(t *testing.T, out string, programs ...string) []string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.26.0\n\nrequire example.com/a v1.2.3\n",
		"go.sum": "example.com/a v1.2.3 h1:sum=\n",
		"licences": `{"example.com/a": {"LICENSE": "Of a.", "b/NOTICE": "Of b.", "c/LICENSE": "Of c."},
			"stdlib": {"LICENSE": "Of Go."}, "github.com/armature-dev/armature": {"LICENSE": "Own."}}`,
		"packages": `{"main": "m/webhook", "packages": ["example.com/a/b", "m/c"]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"--out=" + out}
	for _, name := range []string{"go-mod", "go-sum", "licences"} {
		args = append(args, "--"+name+"="+filepath.Join(dir, strings.Replace(name, "-", ".", 1)))
	}
	for _, name := range programs {
		args = append(args, "--binary="+name, "--packages="+filepath.Join(dir, "packages"))
	}
	return args
}

func TestRun(t *testing.T) {
	t.Run("the same program gives the same image", testReproducible)
	t.Run("the index has an image for each architecture", testArchitectures)
	t.Run("the program says which modules it has", testModules)
	t.Run("the image has the licences of these modules, and an SBOM", testLicences)
	t.Run("a program without a place for that stays as it is", func(t *testing.T) {
		text := []byte(strings.Replace(string(program(t, elf.EM_X86_64)), "armature.modinfo", "", 1))
		if got := layerOf(t, write(t, text)); !bytes.Contains(got, text) {
			t.Errorf("the layer has not the program:\n%q", got)
		}
	})
	t.Run("a program that would not start is refused", testRefused)
}

func testReproducible(t *testing.T) {
	var images [2]map[string]string
	for i := range images {
		name, out := write(t, program(t, elf.EM_AARCH64)), t.TempDir()
		if err := os.Chtimes(name, time.Time{}, time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
		if err := Run(t.Context(), arguments(t, out, name), nil); err != nil {
			t.Fatal(err)
		}
		images[i] = map[string]string{}
		err := filepath.WalkDir(out, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			images[i][strings.TrimPrefix(path, out)] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(images[0], images[1]); diff != "" {
		t.Errorf("the second image differs:\n%s", diff)
	}
}

// layerOf returns the content of the layer of an image with a program.
func layerOf(t *testing.T, program string) []byte {
	t.Helper()
	out := t.TempDir()
	if err := Run(t.Context(), arguments(t, out, program), nil); err != nil {
		t.Fatal(err)
	}
	folder, err := layout.ImageIndexFromPath(out)
	if err != nil {
		t.Fatal(err)
	}
	indexes, err := partial.FindIndexes(folder, func(v1.Descriptor) bool { return true })
	if err != nil || len(indexes) != 1 {
		t.Fatalf("%v: found %d indexes", err, len(indexes))
	}
	images, err := partial.FindImages(indexes[0], func(v1.Descriptor) bool { return true })
	if err != nil || len(images) != 1 {
		t.Fatalf("%v: found %d images", err, len(images))
	}
	layers, err := images[0].Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%v: found %d layers", err, len(layers))
	}
	content, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	text, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func testModules(t *testing.T) {
	text := layerOf(t, write(t, program(t, elf.EM_X86_64)))
	want := "path\tm/webhook\nmod\tgithub.com/armature-dev/armature\tv" + version.String() + "\t\n" +
		"dep\texample.com/a\tv1.2.3\th1:sum=\n#"
	if !bytes.Contains(text, []byte(want)) {
		t.Errorf("the layer lacks %q:\n%q", want, text)
	}
}

// filesOf returns the files in the layer of an image with a program.
func filesOf(t *testing.T, program string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for in := tar.NewReader(bytes.NewReader(layerOf(t, program))); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name] = string(text)
	}
}

func testLicences(t *testing.T) {
	files := filesOf(t, write(t, program(t, elf.EM_X86_64)))
	bill := files["webhook.spdx.json"]
	for _, want := range []string{`"name": "webhook"`, "pkg:golang/example.com/a@v1.2.3", "pkg:golang/stdlib@"} {
		if !strings.Contains(bill, want) {
			t.Errorf("the SBOM lacks %s:\n%s", want, bill)
		}
	}
	delete(files, "webhook")
	delete(files, "webhook.spdx.json")
	if diff := cmp.Diff(map[string]string{
		"licenses/example.com/a/LICENSE": "Of a.", "licenses/example.com/a/b/NOTICE": "Of b.",
		"licenses/stdlib/LICENSE": "Of Go.", "licenses/github.com/armature-dev/armature/LICENSE": "Own.",
	}, files); diff != "" {
		t.Error(diff)
	}
	args := arguments(t, t.TempDir(), write(t, program(t, elf.EM_X86_64)))
	for i, arg := range args {
		if file, found := strings.CutPrefix(arg, "--licences="); found {
			args[i] = "--licences=" + filepath.Join(t.TempDir(), "licences")
			text, err := os.ReadFile(file)
			if err == nil {
				text = bytes.Replace(text, []byte("LICENSE"), []byte("NOTICE"), 1)
				err = os.WriteFile(strings.TrimPrefix(args[i], "--licences="), text, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := Run(t.Context(), args, nil); err == nil || !strings.Contains(err.Error(), "the module example.com/a has no licence file") {
		t.Errorf("without the licence of a: error %v", err)
	}
}

func testArchitectures(t *testing.T) {
	out := t.TempDir()
	var programs []string
	for _, machine := range []elf.Machine{elf.EM_X86_64, elf.EM_AARCH64} {
		programs = append(programs, write(t, program(t, machine)))
	}
	if err := Run(t.Context(), arguments(t, out, programs...), nil); err != nil {
		t.Fatal(err)
	}
	folder, err := layout.ImageIndexFromPath(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(folder); err != nil {
		t.Error(err)
	}
	pushed, err := folder.IndexManifest()
	if err != nil || len(pushed.Manifests) != 1 {
		t.Fatalf("%v: the layout lists %v, want the index alone", err, pushed)
	}
	index, err := folder.ImageIndex(pushed.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var platforms []string
	for _, image := range manifest.Manifests {
		platforms = append(platforms, image.Platform.String())
	}
	if diff := cmp.Diff([]string{"linux/amd64", "linux/arm64"}, platforms); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestArchive tests that the tar file ends with two blocks of zeros, without which
// programs other than Go refuse it.
func TestArchive(t *testing.T) {
	text, err := archive("webhook", program(t, elf.EM_X86_64), nil)
	if err != nil {
		t.Fatal(err)
	}
	if end := make([]byte, 1024); len(text)%512 != 0 || !bytes.HasSuffix(text, end) {
		t.Errorf("%d bytes end with %x", len(text), text[max(0, len(text)-16):])
	}
}

func testRefused(t *testing.T) {
	good := program(t, elf.EM_X86_64)
	for _, test := range []struct {
		reason, want string
		program      []byte
	}{
		{"for another system", "not a binary for Linux", []byte("\xcf\xfa\xed\xfe for macOS")},
		{"the image has no linker", "linked dynamically", program(t, elf.EM_X86_64, elf.PT_LOAD, elf.PT_INTERP)},
		{"there are no such nodes", "found a binary for EM_MIPS", program(t, elf.EM_MIPS, elf.PT_LOAD)},
		{"which of the two would run?", "found a second binary for amd64", good},
	} {
		out := filepath.Join(t.TempDir(), "image")
		err := Run(t.Context(), arguments(t, out, write(t, good), write(t, test.program)), nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: found %v, want %s", test.reason, err, test.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the verb wrote files in spite of the error", test.reason)
		}
	}
}
