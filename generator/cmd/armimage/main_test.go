package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
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
	return text.Bytes()
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

func TestRun(t *testing.T) {
	t.Run("the same program gives the same image", testReproducible)
	t.Run("the index has an image for each architecture", testArchitectures)
	t.Run("a program that would not start is refused", testRefused)
}

func testReproducible(t *testing.T) {
	var images [2]map[string]string
	for i := range images {
		name, out := write(t, program(t, elf.EM_AARCH64)), t.TempDir()
		if err := os.Chtimes(name, time.Time{}, time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
		if err := Run(t.Context(), []string{"--binary=" + name, "--out=" + out}, nil); err != nil {
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

func testArchitectures(t *testing.T) {
	out := t.TempDir()
	args := []string{"--out=" + out}
	for _, machine := range []elf.Machine{elf.EM_X86_64, elf.EM_AARCH64} {
		args = append(args, "--binary="+write(t, program(t, machine)))
	}
	if err := Run(t.Context(), args, nil); err != nil {
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
	text, err := archive("webhook", program(t, elf.EM_X86_64))
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
		err := Run(t.Context(), []string{"--binary=" + write(t, good), "--binary=" + write(t, test.program), "--out=" + out}, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: found %v, want %s", test.reason, err, test.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the verb wrote files in spite of the error", test.reason)
		}
	}
}
