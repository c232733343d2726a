// Package all checks the site of all groups, at night: it reads every description that there is.
package all

import (
	"os"
	"path"
	"testing"

	"github.com/armature-dev/armature/generator/site/page"
	"github.com/armature-dev/armature/generator/site/sitetest"
)

// The bytes that a page may have, and the scripts of the search together.
const (
	mostOfPage   = 400_000
	mostOfSearch = 3_000_000
)

func TestSite(t *testing.T) {
	if os.Getenv("TEST_SRCDIR") == "" {
		t.Skip("Bazel makes the pages: run ./bazelw test //tests/site/all:all_test")
	}
	files := sitetest.Read(t, "../../../site/site")
	search, groups := 0, 0
	for name, text := range files {
		switch {
		case path.Base(name) == page.SearchFile:
			search += len(text)
			groups++
		case path.Ext(name) == ".html" && len(text) > mostOfPage:
			t.Errorf("%s has %d bytes, want at most %d", name, len(text), mostOfPage)
		}
	}
	t.Logf("%d groups have %d files, and %d bytes of search", groups, len(files), search)
	if search > mostOfSearch {
		t.Errorf("the scripts of the search have %d bytes, want at most %d", search, mostOfSearch)
	}
	sitetest.Check(t, files)
}
