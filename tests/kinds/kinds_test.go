// Package kinds compares docs/kinds.md, and what users look for, with the CRDs of all groups.
package kinds

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// TestComments checks that no comment of a group.yaml says of a type that it is not exported, which is.
func TestComments(t *testing.T) {
	files, err := filepath.Glob("../../apis/*/group.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no group.yaml: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range calledUnexported(string(text)) {
			t.Errorf("%s: a comment says that %s is not exported, and it is", file, found)
		}
	}
	const stale = "# Not exported, as no version has them: shops/till, shops/doors.\n\nexports:\n  Contoso.Shop/shops/doors: {kind: Door}\n"
	if got, want := calledUnexported(stale), []string{"shops/doors"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// calledUnexported returns the types that a paragraph of comments calls not exported, and that the file exports. They
// are named without their provider.
func calledUnexported(text string) (found []string) {
	exported := map[string]bool{}
	for _, export := range regexp.MustCompile(`(?m)^  [\w.]+/([\w/]+): \{kind`).FindAllStringSubmatch(text, -1) {
		exported[strings.ToLower(export[1])] = true
	}
	comment := regexp.MustCompile(`(?m)^# Not exported(.*\n(#.+\n)*)`).FindString(text)
	for _, name := range regexp.MustCompile(`\w+(/\w+)*`).FindAllString(comment, -1) {
		if exported[strings.ToLower(name)] {
			found = append(found, name)
		}
	}
	return found
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
