package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		got, built, err := typesOf(filepath.Join(folder, "petshop"))
		if err != nil || got != want || !built.IsZero() {
			t.Errorf("got %s of %v, %v; want %s", got, built, err, want)
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
}
