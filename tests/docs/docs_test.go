// Package docs holds the docs to what they say.
package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

var blocks = regexp.MustCompile("(?ms)^ *```go\n(.*?)^ *```$")

func TestGoInDocsIsCompiled(t *testing.T) {
	text, err := os.ReadFile("../../docs/operators.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("operator_test.go")
	if err != nil {
		t.Fatal(err)
	}
	found := blocks.FindAllStringSubmatch(string(text), -1)
	if len(found) < 5 {
		t.Errorf("found %d blocks of Go, expected at least 5", len(found))
	}
	for _, block := range found {
		if !strings.Contains(string(code), block[1]) {
			t.Errorf("docs/operators.md shows what is not in tests/docs/operator_test.go:\n%s", block[1])
		}
	}
}

// A manager is made without a cluster; nothing is started.
func TestTheManagerOfTheDocsIsMade(t *testing.T) {
	operator, err := newManager(&rest.Config{Host: "https://127.0.0.1:1"}, "http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if err := serveConversions(operator); err != nil {
		t.Error(err)
	}
}
