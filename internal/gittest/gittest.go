// Package gittest makes git repositories for tests.
package gittest

import (
	"os/exec"
	"testing"
)

// Commit makes a git repository of a folder, with all of its files in one commit.
func Commit(t testing.TB, folder string) {
	t.Helper()
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "--all"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "all"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", folder}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
}
