// Package action tests how the generating actions run.
package action

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A params file always, so that a verb has one way to be called; one argument
// a line, unquoted; and paths without the configuration, so that what was built
// for one is a cache hit for the others.
func TestAVerbIsCalledWithAParamsFileAndMappedPaths(t *testing.T) {
	got, err := os.ReadFile("call.txt")
	if err != nil {
		t.Skip("the call is Bazel's: ./bazelw test //rules/tests/action/...")
	}
	const bin = "bazel-out/cfg/bin/rules/tests/action/"
	want := "argument @" + bin + "call.txt-0.params\n" +
		"line two words\n" +
		"line --in=" + bin + "call.in\n" +
		"line --out=" + bin + "call.txt\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoRuleRunsAnActionInAnotherWay(t *testing.T) {
	files, err := filepath.Glob("../../private/*.bzl")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d files of rules: %v", len(files), err)
	}
	runs := regexp.MustCompile(`\bactions\.run(_shell)?\(`)
	var found []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if runs.Match(text) {
			found = append(found, filepath.Base(file))
		}
	}
	if diff := cmp.Diff([]string{"action.bzl"}, found); diff != "" {
		t.Errorf("files that run actions (-want +got):\n%s", diff)
	}
}
