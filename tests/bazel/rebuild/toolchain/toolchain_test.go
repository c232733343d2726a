// Package toolchain tests that machines with different Go installations share what they build.
package toolchain

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/tests/bazel/workspace"
)

// module is a workspace that has one Go package.
var module = map[string]string{
	"MODULE.bazel": `bazel_dep(name = "rules_go", version = "0.60.0")

go_sdk = use_extension("@rules_go//go:extensions.bzl", "go_sdk")
go_sdk.host()
`,
	"BUILD.bazel": `load("@rules_go//go:def.bzl", "go_library")

go_library(name = "hello", srcs = ["hello.go"], importpath = "example.com/hello")
`,
	"hello.go": "package hello\n\nimport \"strings\"\n\nfunc Hello() string { return strings.ToUpper(\"hello\") }\n",
}

// other is a release that another machine may have: go.mod names a newer one.
const other = "go1.25.11"

func TestToolchain(t *testing.T) {
	first := build(t, os.Getenv("PATH"))
	second := build(t, filepath.Join(goroot(t, other), "bin")+":"+os.Getenv("PATH"))
	if len(first) < 3 {
		t.Errorf("the first machine ran %v, which is too little to mean anything", first)
	}
	if !maps.Equal(keys(first), keys(second)) {
		t.Errorf("two machines have different keys:\n%v\n%v", first, second)
	}
	for _, s := range second {
		if s.Runner != "disk cache hit" {
			t.Errorf("the second machine ran %s of %s itself (%s)", s.Mnemonic, s.TargetLabel, s.Runner)
		}
	}
}

// keys returns the keys of actions, by what they are called.
func keys(spawns []workspace.Spawn) map[string]string {
	found := map[string]string{}
	for _, s := range spawns {
		found[s.Mnemonic+" "+s.TargetLabel] += " " + s.Digest.Hash
	}
	return found
}

// goroot returns the folder of a Go release, which the installed one fetches.
func goroot(t *testing.T, release string) string {
	t.Helper()
	cmd := exec.Command("go", "env", "GOROOT")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+release)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// build builds the module on a machine with the programs of a PATH, and returns the actions that it needed.
func build(t *testing.T, path string) []workspace.Spawn {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	rc, err := os.ReadFile(filepath.Join(root, ".bazelrc"))
	if err != nil {
		t.Fatal(err)
	}
	dir := workspace.TempDir(t)
	files := map[string]string{".bazelrc": string(rc)}
	maps.Copy(files, module)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bazel := func(args ...string) {
		cmd := exec.Command(filepath.Join(root, "bazelw"), append(workspace.Startup(filepath.Join(dir, "base")), args...)...)
		cmd.Dir, cmd.Env = dir, append(workspace.Environment(), "PATH="+path)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("bazelw %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	log := filepath.Join(dir, "log.json")
	defer bazel("shutdown")
	bazel("build", "--symlink_prefix=/", "--execution_log_json_file="+log, "//:hello")
	return workspace.ReadLog(t, log)
}
