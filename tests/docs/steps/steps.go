// Package steps does what the pages of the docs say that readers follow step by
// step, in a copy of the repository. The info string of a block says what it is:
//
//	```sh          commands, which succeed
//	```sh fails    commands, which fail
//	```sh by hand  commands for a terminal beside a running demo, which are not run
//	```diff        a patch, which is applied
//	```            text that the last commands have printed; "..." stands for more of it
//	```… text      an illustration
package steps

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/armature-dev/armature/tests/bazel/workspace"
)

// Pages are the pages that readers follow step by step.
var Pages = []string{"docs/tutorial.md", "docs/add-a-service.md"}

// Follow does what a page says, in a workspace that it fills with a fresh copy of
// the repository, but for the tests.
func Follow(t *testing.T, w workspace.Workspace, page string) {
	files := map[string]string{}
	for _, name := range w.Files(t, ".") {
		if !workspace.IsTest(name) {
			files[name] = name
		}
	}
	w.Fill(t, files)
	text, err := os.ReadFile(filepath.Join(w.Dir, page))
	if err != nil {
		t.Fatal(err)
	}
	r := reader{w: w}
	r.prepare(t)
	for _, b := range blocksOf(string(text)) {
		if !t.Run(fmt.Sprintf("line %d", b.line), func(t *testing.T) { r.do(t, b) }) {
			t.Fatalf("line %d failed, so nothing after it was tried", b.line)
		}
	}
}

// reader is somebody who follows a page.
type reader struct {
	w       workspace.Workspace
	printed string // by the last commands
}

// prepare makes a git repository of the copy, and gives Bazel an output base
// that stays between runs.
func (r *reader) prepare(t *testing.T) {
	t.Helper()
	rc := filepath.Join(r.w.Dir, ".bazelrc")
	text, err := os.ReadFile(rc)
	if err != nil {
		t.Fatal(err)
	}
	text = fmt.Appendf(text, "\nstartup %s\n", strings.Join(workspace.Startup(r.w.OutputBase), " "))
	if err := os.WriteFile(rc, text, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := r.run("git init --quiet && git add --all && " +
		"git -c user.name=reader -c user.email=reader@example.com commit --quiet --message=start")
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func (r *reader) do(t *testing.T, b block) {
	switch b.info {
	case "sh", "sh fails":
		var err error
		r.printed, err = r.run(b.text)
		if wantFailure := b.info == "sh fails"; (err != nil) != wantFailure {
			t.Errorf("the commands ended with %v, expected to fail: %v\n%s\n%s", err, wantFailure, b.text, r.printed)
		}
	case "sh by hand":
		if !strings.Contains(b.text, "//tools/demo") && !strings.Contains(b.text, "kubectl ") {
			t.Errorf("nothing in this block needs the demo, expected that it is run:\n%s", b.text)
		}
	case "text", "starlark text", "yaml text":
	case "diff":
		cmd := exec.Command("git", "apply", "-")
		cmd.Dir, cmd.Stdin = r.w.Dir, strings.NewReader(b.text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("git apply: %v\n%s\n%s", err, out, b.text)
		}
	case "":
		for part := range strings.SplitSeq(b.text, "...\n") {
			if !strings.Contains(words(r.printed), words(part)) {
				t.Errorf("the page says that the last commands print\n%s\nbut they print\n%s", part, r.printed)
			}
		}
	default:
		t.Errorf("found a block of %q; expected a kind that the comment on this package lists", b.info)
	}
}

// run runs commands in a shell that stops at the first error.
func (r *reader) run(commands string) (string, error) {
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir, cmd.Env = r.w.Dir, append(workspace.Environment(), "GIT_PAGER=cat")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// words returns a text with single spaces, because pages wrap long lines.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// block is a fenced block of a page.
type block struct {
	line       int
	info, text string
}

var fence = regexp.MustCompile("(?ms)^```([^`\n]*)\n(.*?)^```$")

func blocksOf(page string) []block {
	var blocks []block
	for _, at := range fence.FindAllStringSubmatchIndex(page, -1) {
		blocks = append(blocks, block{
			line: 1 + strings.Count(page[:at[0]], "\n"),
			info: page[at[2]:at[3]],
			text: page[at[4]:at[5]],
		})
	}
	return blocks
}
