// Package site checks the pages of apis/crm that Bazel has made.
package site

import (
	"io/fs"
	"os"
	"testing"

	"github.com/armature-dev/armature/generator/site/sitetest"
)

// maxBytes is how large a page may be.
const maxBytes = 400_000

func TestPages(t *testing.T) {
	if os.Getenv("TEST_SRCDIR") == "" {
		t.Skip("Bazel makes the pages: run ./bazelw test //tests/site/...")
	}
	files := map[string][]byte{}
	made := os.DirFS("../../apis/crm/site")
	err := fs.WalkDir(made, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(made, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sitetest.Check(t, files)
	for name, text := range files {
		if len(text) > maxBytes {
			t.Errorf("%s has %d bytes, want at most %d", name, len(text), maxBytes)
		}
	}
	for _, name := range []string{"index.html", "person/index.html", "person/v20110101.html", "party/v20221212alpha1.html"} {
		if files[name] == nil {
			t.Errorf("there is no page %s", name)
		}
	}
}
