// Package action tests how generating actions run.
package action

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAction(t *testing.T) {
	t.Run("a verb gets a params file with mapped paths", testVerb)
	t.Run("all rules run their actions by run_verb", testRules)
}

// A verb always gets a params file, so that there is one way to call it. It has
// one unquoted argument a line. Its paths are without the configuration, so that
// the outputs for one configuration are cache hits for others.
func testVerb(t *testing.T) {
	got, err := os.ReadFile("call.txt")
	if err != nil {
		t.Skip("Bazel makes the call: run ./bazelw test //rules/tests/action/...")
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

func testRules(t *testing.T) {
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
