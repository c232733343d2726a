// Package steps does what the pages of the docs say that readers follow step by
// step. The info string of a block says what it is:
//
//	```sh          commands, which succeed
//	```sh fails    commands, which fail
//	```sh by hand  commands for a terminal beside a running demo, which are not run
//	```sh azure    commands that need Azure, which are not run
//	```sh cluster  commands of the command line for a cluster, which other tests run
//	```sh release  commands that tests/release/apply has, which are not run
//	```diff        a patch, which is applied
//	```yaml        a file, if a comment in its first line has its name
//	```            text that the last commands have printed; "..." stands for more of it
//	```go          code, which other tests check
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
	w.Copy(t, func(name string) string {
		if workspace.IsTest(name) {
			return ""
		}
		return name
	})
	text, err := os.ReadFile(filepath.Join(w.Dir, page))
	if err != nil {
		t.Fatal(err)
	}
	prepare(t, w)
	r := Reader{Dir: w.Dir, Environment: append(workspace.Environment(), "GIT_PAGER=cat")}
	for _, b := range Blocks(string(text)) {
		if !t.Run(fmt.Sprintf("line %d", b.Line), func(t *testing.T) { r.Do(t, b) }) {
			t.Fatalf("line %d failed, so nothing after it was tried", b.Line)
		}
	}
}

// prepare makes a git repository of the copy, and gives Bazel an output base
// that stays between runs.
func prepare(t *testing.T, w workspace.Workspace) {
	t.Helper()
	rc := filepath.Join(w.Dir, ".bazelrc")
	text, err := os.ReadFile(rc)
	if err != nil {
		t.Fatal(err)
	}
	text = fmt.Appendf(text, "\nstartup %s\n", strings.Join(workspace.Startup(w.OutputBase), " "))
	if err := os.WriteFile(rc, text, 0o644); err != nil {
		t.Fatal(err)
	}
	r := Reader{Dir: w.Dir, Environment: workspace.Environment()}
	out, err := r.Run("git init --quiet && git add --all && " +
		"git -c user.name=reader -c user.email=reader@example.com commit --quiet --message=start")
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// Reader is somebody who follows a page.
type Reader struct {
	// Dir is where commands run and files are written, Environment what the
	// commands see.
	Dir         string
	Environment []string

	printed string // by the last commands
}

// Do does what a block says.
func (r *Reader) Do(t *testing.T, b Block) {
	t.Helper()
	switch b.Info {
	case "sh", "sh fails":
		var err error
		r.printed, err = r.Run(b.Text)
		if wantFailure := b.Info == "sh fails"; (err != nil) != wantFailure {
			t.Errorf("the commands ended with %v, expected to fail: %v\n%s\n%s", err, wantFailure, b.Text, r.printed)
		}
	case "sh by hand":
		if !strings.Contains(b.Text, "//tools/demo") && !strings.Contains(b.Text, "kubectl ") {
			t.Errorf("nothing in this block needs the demo, expected that it is run:\n%s", b.Text)
		}
	case "sh azure":
		if !needsAzure.MatchString(b.Text) {
			t.Errorf("nothing in this block needs Azure, expected that it is run:\n%s", b.Text)
		}
	case "sh cluster", "sh release", "go", "text", "starlark text", "yaml text":
	case "yaml":
		if name := fileName.FindStringSubmatch(b.Text); name != nil {
			file := filepath.Join(r.Dir, name[1])
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(b.Text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	case "diff":
		cmd := exec.Command("git", "apply", "-")
		cmd.Dir, cmd.Stdin = r.Dir, strings.NewReader(b.Text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("git apply: %v\n%s\n%s", err, out, b.Text)
		}
	case "":
		for part := range strings.SplitSeq(b.Text, "...\n") {
			if !strings.Contains(words(r.printed), words(part)) {
				t.Errorf("the page says that the last commands print\n%s\nbut they print\n%s", part, r.printed)
			}
		}
	default:
		t.Errorf("found a block of %q; expected a kind that the comment on this package lists", b.Info)
	}
}

var (
	needsAzure = regexp.MustCompile(`(?m)^az |-- import `)
	fileName   = regexp.MustCompile(`^# ([\w/.-]+\.yaml)\n`)
)

// Run runs commands in a shell that stops at the first error, and returns what they
// print.
func (r *Reader) Run(commands string) (string, error) {
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir, cmd.Env = r.Dir, r.Environment
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// words returns a text with single spaces, because pages wrap long lines.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// Block is a fenced block of a page.
type Block struct {
	Line       int
	Info, Text string
}

var fence = regexp.MustCompile("(?ms)^```([^`\n]*)\n(.*?)^```$")

// Blocks returns the blocks of a page in their order.
func Blocks(page string) []Block {
	var blocks []Block
	for _, at := range fence.FindAllStringSubmatchIndex(page, -1) {
		blocks = append(blocks, Block{
			Line: 1 + strings.Count(page[:at[0]], "\n"),
			Info: page[at[2]:at[3]],
			Text: page[at[4]:at[5]],
		})
	}
	return blocks
}
