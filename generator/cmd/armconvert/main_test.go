package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// What the verb writes is emit's matter; this is its call.
func TestRunWritesTheDeclaredFiles(t *testing.T) {
	dir := t.TempDir()
	pkg, err := plan.Encode(&plan.Package{Name: "v1", ImportPath: "example.com/v1", Role: plan.API})
	write(t, filepath.Join(dir, "plan.json"), pkg, err)
	api, err := ir.Encode(&ir.Version{Provider: "Example.Crm"})
	write(t, filepath.Join(dir, "api.json"), api, err)
	out := filepath.Join(dir, "conversion.go")
	args := []string{"--plan=" + filepath.Join(dir, "plan.json"), "--api=" + filepath.Join(dir, "api.json"), "--out=" + out, "--tests=" + filepath.Join(dir, "laws_test.go")}
	if err := Run(context.Background(), args, io.Discard); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(out); err != nil || !strings.Contains(string(text), "package v1") {
		t.Errorf("wrote %q, %v", text, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "laws_test.go")); err != nil || !strings.Contains(string(text), "package v1_test") {
		t.Errorf("wrote tests %q, %v", text, err)
	}
}

func TestRunNamesTheFileThatIsNoIR(t *testing.T) {
	dir := t.TempDir()
	pkg, err := plan.Encode(&plan.Package{Name: "v1", ImportPath: "example.com/v1", Role: plan.API})
	write(t, filepath.Join(dir, "plan.json"), pkg, err)
	api := filepath.Join(dir, "api.json")
	write(t, api, []byte(`{"swagger": "2.0"}`), nil)
	out := filepath.Join(dir, "conversion.go")
	err = Run(context.Background(), []string{"--plan=" + filepath.Join(dir, "plan.json"), "--api=" + api, "--out=" + out, "--tests=" + filepath.Join(dir, "laws_test.go")}, io.Discard)
	if err == nil || !strings.HasPrefix(err.Error(), api+": ") {
		t.Errorf("error: %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed run has written its output")
	}
}

func write(t *testing.T, path string, text []byte, err error) {
	t.Helper()
	if err == nil {
		err = os.WriteFile(path, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
