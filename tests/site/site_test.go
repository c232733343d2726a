// Package site checks the site of apis/crm and the docs that Bazel has made.
package site

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/site/page"
	"github.com/armature-dev/armature/generator/site/sitetest"
)

// maxBytes is how large a page may be.
const maxBytes = 400_000

func TestPages(t *testing.T) {
	if os.Getenv("TEST_SRCDIR") == "" {
		t.Skip("Bazel makes the pages: run ./bazelw test //tests/site/...")
	}
	files := sitetest.Read(t, "whole")
	pages := sitetest.Check(t, files)
	for name, text := range files {
		if len(text) > maxBytes {
			t.Errorf("%s has %d bytes, want at most %d", name, len(text), maxBytes)
		}
	}
	for _, name := range []string{
		"crm/index.html", "crm/person/index.html", "crm/person/v20110101.html", "crm/party/v20221212alpha1.html",
		"docs/readme.html", "docs/case-studies/readme.html", "release/readme.html", "architecture.html",
	} {
		if files[name] == nil {
			t.Errorf("there is no page %s", name)
		}
	}
	t.Run("three clicks lead from the front page to what people look for", func(t *testing.T) {
		has := func(name string, ids ...string) func(string, *sitetest.Page) bool {
			return func(page string, p *sitetest.Page) bool {
				found := strings.HasPrefix(page, name)
				for _, id := range ids {
					found = found && p.IDs[id]
				}
				return found
			}
		}
		for what, is := range map[string]func(string, *sitetest.Page) bool{
			"the sample of a kind":              has("crm/person/", "sample"),
			"what changed between two versions": has("crm/person/", "changes"),
			"how versions changed":              has("crm/person/index.html", "evolution"),
			"how to install":                    has("docs/install.html"),
			"what a condition means":            has("docs/conditions.html", "reasons"),
			"what other operators do":           has("docs/comparison.html", "sources"),
		} {
			if clicks := sitetest.Clicks(pages, is); clicks < 1 || clicks > 3 {
				t.Errorf("%d clicks lead to %s", clicks, what)
			}
		}
	})
	t.Run("the front page is one screen", func(t *testing.T) {
		if lines := bytes.Count(files[page.Index], []byte("\n")); lines > 70 {
			t.Errorf("it has %d lines", lines)
		}
	})
}
