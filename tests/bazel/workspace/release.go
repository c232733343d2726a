package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Describe adds a version to the changelog of a copy of the repository, which has no such section yet. A release needs
// one.
func Describe(t testing.TB, dir, version string) {
	t.Helper()
	file := filepath.Join(dir, "CHANGELOG.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, fmt.Appendf(text, "\n## %s - 2027-01-31\n\nA test.\n", version), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Commit makes a git repository of a folder, with all of its files.
func Commit(t testing.TB, dir string) {
	t.Helper()
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "--all"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "all"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
}
