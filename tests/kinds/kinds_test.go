// Package kinds compares docs/kinds.md, and what users look for, with the CRDs of all groups.
package kinds

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/cli/kinds"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/internal/golden"
)

func TestPage(t *testing.T) {
	golden.Equal(t, "../../docs/kinds.md", kinds.Page(all(t)))
}

// TestWanted has a list of ARM types that users of other operators look for. A line with a type alone says that
// there is a kind, and one with a reason behind it that there is none, and why.
func TestWanted(t *testing.T) {
	text, err := os.ReadFile("testdata/wanted.txt")
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, k := range all(t) {
		has[strings.ToLower(k.ARMType)] = true
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for n, line := range lines {
		armType, reason, _ := strings.Cut(line, ": ")
		switch {
		case !has[strings.ToLower(armType)] && reason == "":
			t.Errorf("testdata/wanted.txt:%d: %s has no kind: add it, or write why there is none", n+1, armType)
		case has[strings.ToLower(armType)] && reason != "":
			t.Errorf("testdata/wanted.txt:%d: %s has a kind: remove the reason", n+1, armType)
		}
		if before, _, _ := strings.Cut(lines[max(n-1, 0)], ": "); n > 0 && strings.ToLower(before) >= strings.ToLower(armType) {
			t.Errorf("testdata/wanted.txt:%d: %s is not in order", n+1, armType)
		}
	}
}

// all returns the kinds of all groups.
func all(t *testing.T) []kinds.Kind {
	t.Helper()
	files, err := filepath.Glob("../../apis/*/crds/" + crd.IndexFile)
	if err != nil || len(files) == 0 {
		t.Fatalf("found no groups: %v", err)
	}
	var groups []*crd.Index
	for _, file := range files {
		index, err := crd.ReadIndex(file)
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, index)
	}
	all, err := kinds.Of(nil, groups...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
