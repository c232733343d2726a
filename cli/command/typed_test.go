package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/version"
)

func TestTypesOf(t *testing.T) {
	// write writes a program below a folder.
	write := func(t *testing.T, folder, name string) string {
		t.Helper()
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	t.Run("it is beside the program, whatever that is called", func(t *testing.T) {
		folder := t.TempDir()
		want := write(t, folder, "petshop-types")
		got, built, err := typesOf(write(t, folder, "petshop"))
		if err != nil || got != want || !built.IsZero() {
			t.Errorf("got %s of %v, %v; want %s", got, built, err, want)
		}
	})
	t.Run("it is beside a plugin of kubectl under its own name, and beside what a link leads to", func(t *testing.T) {
		for _, link := range []string{"kubectl-armature", "a"} {
			folder, bin := t.TempDir(), t.TempDir()
			want := write(t, folder, "armature-types")
			if err := os.Symlink(write(t, folder, "armature"), filepath.Join(bin, link)); err != nil {
				t.Fatal(err)
			}
			for _, self := range []string{write(t, folder, "kubectl-armature"), filepath.Join(bin, link)} {
				if got, _, err := typesOf(self); err != nil || got != want {
					t.Errorf("%s: got %s, %v; want %s", self, got, err, want)
				}
			}
		}
	})
	t.Run("of Bazel, it may be older than the sources", func(t *testing.T) {
		folder := t.TempDir()
		want := write(t, folder, "armature-types_/armature-types")
		got, built, err := typesOf(write(t, folder, "armature_/armature"))
		if err != nil || got != want || built.IsZero() {
			t.Errorf("got %s of %v, %v; want %s and when it was built", got, built, err, want)
		}
	})
	t.Run("where there is none, the error has the command that builds it", func(t *testing.T) {
		_, err := armature(t, "export", "-f", "-")
		for _, want := range []string{"export needs the Go types", "-types; build it with: " + build} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got the error %v, want %s", err, want)
			}
		}
	})
	t.Run("of a release, the error has the file that it is in", func(t *testing.T) {
		file := "armature-types-1.2.3-" + runtime.GOOS + "-" + runtime.GOARCH + ".tar.gz"
		for _, test := range []struct{ self, version, want string }{
			{"bin/armature", "1.2.3", "put it there from " + file + " of the release, or "},
			{"bin/kubectl-armature", "1.2.3", "put it there from " + file + " of the release, or "},
			{"bin/armature", version.Unknown, ""},
			{"bin/petshop", "1.2.3", ""},
		} {
			if got := released(test.self, test.version); got != test.want {
				t.Errorf("%s %s: got %q, want %q", test.self, test.version, got, test.want)
			}
		}
	})
}
