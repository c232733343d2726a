// Package docs_test checks that the docs are true: what they show of Go and
// Starlark is built from this folder.
package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

// blocksOf returns the code blocks of one language in a document.
func blocksOf(t *testing.T, document, language string) []string {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, found := range regexp.MustCompile("(?ms)^ *```"+language+"\n(.*?)^ *```$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

func TestOperators(t *testing.T) {
	for _, test := range []struct {
		language, file string
		least          int
	}{
		{"go", "operator_test.go", 5},
		{"starlark", "BUILD.bazel", 1},
	} {
		t.Run("all "+test.language+" is in "+test.file, func(t *testing.T) {
			code, err := os.ReadFile(test.file)
			if err != nil {
				t.Fatal(err)
			}
			blocks := blocksOf(t, "../../docs/operators.md", test.language)
			if len(blocks) < test.least {
				t.Errorf("docs/operators.md has %d blocks, expected at least %d", len(blocks), test.least)
			}
			for _, block := range blocks {
				for paragraph := range strings.SplitSeq(strings.TrimSpace(block), "\n\n") {
					if !strings.Contains(string(code), paragraph) {
						t.Errorf("docs/operators.md shows what is not in tests/docs/%s:\n%s", test.file, paragraph)
					}
				}
			}
		})
	}

	t.Run("the manager can be made without a cluster", func(t *testing.T) {
		operator, err := newManager(&rest.Config{Host: "https://127.0.0.1:1"}, "http://127.0.0.1:1")
		if err != nil {
			t.Fatal(err)
		}
		if err := serveConversions(operator); err != nil {
			t.Error(err)
		}
	})
}
