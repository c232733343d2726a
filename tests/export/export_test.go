// Package export_test exports generated packages as Go modules, and uses them as somebody would who has the go
// command, the module cache and no Bazel.
package export_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/tests/export/plaingo"
)

// root is the runfiles' root, where `bazel run` starts a command.
const root = "../.."

// export runs a command of this package and returns its output.
func export(command, to string) (string, error) {
	cmd := exec.Command("tests/export/"+command+".sh", "--to", filepath.Base(to))
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "BUILD_WORKING_DIRECTORY="+filepath.Dir(to))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustExport(t *testing.T, command, to string) {
	t.Helper()
	if out, err := export(command, to); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func requireBazel(t *testing.T) {
	t.Helper()
	if os.Getenv("TEST_SRCDIR") == "" {
		t.Skip("bazel makes the commands: run ./bazelw test //tests/export:export_test")
	}
}

func TestExport(t *testing.T) {
	requireBazel(t)
	dir := filepath.Join(t.TempDir(), "module")
	mustExport(t, "two", dir)
	first := plaingo.Contents(t, dir)

	other := filepath.Join(t.TempDir(), "elsewhere")
	mustExport(t, "two", other)
	if diff := cmp.Diff(first, plaingo.Contents(t, other)); diff != "" {
		t.Errorf("another export has other bytes: %s", diff)
	}

	mustExport(t, "one", dir)
	one := plaingo.Contents(t, dir)
	for name := range one {
		if strings.HasPrefix(name, "crm/") {
			t.Fatalf("%s is of a group that is gone", name)
		}
	}
	mustExport(t, "two", dir)
	if diff := cmp.Diff(first, plaingo.Contents(t, dir)); diff != "" {
		t.Errorf("the export after another one has other bytes: %s", diff)
	}

	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := export("one", dir)
	if err == nil || !strings.Contains(out, "README.md was edited") || strings.Count(out, "\n") != 3 {
		t.Errorf("%v, want one error that names README.md\n%s", err, out)
	}
	first["README.md"] = "mine"
	if diff := cmp.Diff(first, plaingo.Contents(t, dir)); diff != "" {
		t.Errorf("a refused export changed the folder: %s", diff)
	}
}

// client is a program of a third module, which uses the generated packages.
const client = `package main

import (
	"fmt"

	depot "github.com/armature-dev/armature/apis/depot/scheme"
	"github.com/armature-dev/armature/apis/depot/v20170301alpha1"
	"github.com/armature-dev/armature/apis/depot/v20140401"
	"k8s.io/apimachinery/pkg/runtime"
)

func main() {
	scheme := runtime.NewScheme()
	if err := depot.AddToScheme(scheme); err != nil {
		panic(err)
	}
	old := &v20140401.Depot{}
	old.Name = "one"
	hub := old.NewHub()
	if err := old.ConvertTo(hub); err != nil {
		panic(err)
	}
	newer := &v20170301alpha1.Depot{}
	if err := newer.ConvertFrom(hub); err != nil {
		panic(err)
	}
	fmt.Println(newer.Name)
}
`

func TestModule(t *testing.T) {
	requireBazel(t)
	dir, user := filepath.Join(t.TempDir(), "module"), t.TempDir()
	mustExport(t, "two", dir)
	proxy, err := filepath.Abs(filepath.Join(root, "runtime/module"))
	if err != nil {
		t.Fatal(err)
	}
	run := plaingo.Command(t, proxy)

	// The go.mod is complete: no command writes to it. By day the packages of one group are tested.
	run(dir, "", "build", "./...")
	tested, least := "./depot/...", 5
	if night.Is() {
		tested, least = "./...", 20
		run(dir, "", "vet", "./...")
	}
	if out := run(dir, "", "test", "-vet=off", tested); strings.Count("\n"+out, "\nok ") < least {
		t.Errorf("few packages were tested:\n%s", out)
	}

	write(t, user, "main.go", client)
	write(t, user, "go.mod", "module example.com/client\n\ngo 1.26.0\n\n"+
		"require github.com/armature-dev/armature/apis v0.0.0\n\nreplace github.com/armature-dev/armature/apis => "+dir+"\n")
	if out := run(user, "-mod=mod", "run", "."); !strings.HasSuffix(out, "one\n") {
		t.Errorf("the client printed %s", out)
	}
	folder := strings.TrimSpace(run(user, "-mod=mod", "list", "-m", "-f", "{{.Dir}}", "github.com/armature-dev/armature/runtime"))
	if _, err := os.Stat(filepath.Join(folder, "LICENSE")); err != nil {
		t.Errorf("the runtime has no licence: %v", err)
	}
	graph := run(user, "-mod=mod", "mod", "graph")
	if !strings.Contains(graph, "github.com/armature-dev/armature/runtime@") {
		t.Errorf("the client does not require the runtime:\n%s", graph)
	}
	for _, module := range []string{"honnef.co/go/tools", "github.com/goccy/go-graphviz", "github.com/armature-dev/armature@"} {
		if strings.Contains(graph, " "+module) {
			t.Errorf("a module that the client requires names %s", module)
		}
	}
	// The go.mod of k8s.io/apiextensions-apiserver, whose types the packages use, names etcd. Nothing of it is built.
	goMod, err := os.ReadFile(filepath.Join(user, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(goMod, []byte("etcd")) {
		t.Errorf("the client requires etcd:\n%s", goMod)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
