package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/armature-dev/armature/tools/specs/digests"
)

// Pin selects files of one repository, by what they contain. The commit to take them from is the one that the pin
// names, or the last one on the branch itself (first parents) before a moment. That only finds the files: whoever may
// push can choose the date of a commit, so nothing is accepted but the files whose digests the pin has.
type Pin struct {
	Folder  string            // the checkout's name below the destination
	Remote  string            // URL
	Commit  string            // the full name of a commit, or "" if there is a moment
	Branch  string            // the branch that the moment refers to
	Before  string            // RFC 3339; the commit is older than this moment
	Digests map[string]string `json:"-"` // of each file, by its path; see [digests.Of]
}

// patterns returns the files of the pin, as in .gitignore: the whole repositories are gigabytes.
func (p Pin) patterns() string {
	return "/" + strings.Join(slices.Sorted(maps.Keys(p.Digests)), "\n/") + "\n"
}

// Checkout brings the checkout of every pin below root to its commit. It keeps what an earlier run completed, so that
// the next run resumes an interrupted one.
func Checkout(ctx context.Context, root string, pins []Pin, stderr io.Writer) error {
	if _, err := exec.LookPath("git"); err != nil {
		return errors.New("git is not on PATH; install git 2.27 or newer")
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	lock, err := os.Create(filepath.Join(root, ".lock"))
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("%s: another run is writing there; wait for it, or name another folder with --dir", root)
	}
	for _, pin := range pins {
		if err := checkout(ctx, root, pin, stderr); err != nil {
			return fmt.Errorf("%s: %w", pin.Folder, err)
		}
	}
	return nil
}

func checkout(ctx context.Context, root string, pin Pin, stderr io.Writer) error {
	dir := filepath.Join(root, pin.Folder)
	commit, err := resolve(ctx, root, pin, stderr)
	if err != nil {
		return err
	}
	// This file is written last. It names the commit and the digests for which the checkout is complete.
	done := filepath.Join(root, pin.Folder+".done")
	state := commit + "\n" + digests.Format(pin.Digests)
	if have, err := os.ReadFile(done); err == nil && string(have) == state {
		fmt.Fprintf(stderr, "%s: already at %s\n", pin.Folder, commit)
		return nil
	}
	os.Remove(done)

	fmt.Fprintf(stderr, "%s: checking out %s\n", pin.Folder, commit)
	if _, err := git(ctx, root, "init", "--quiet", dir); err != nil {
		return err
	}
	// A git that was killed leaves these. The lock on root shows that no other git is running.
	for _, stale := range []string{"index.lock", "shallow.lock", "config.lock"} {
		os.Remove(filepath.Join(dir, ".git", stale))
	}
	if err := os.MkdirAll(filepath.Join(dir, ".git", "info"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "info", "sparse-checkout"), []byte(pin.patterns()), 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"config", "core.sparseCheckout", "true"},
		{"config", "remote.origin.url", pin.Remote},
		// A partial clone: checkout fetches the files that the patterns select, and no others.
		{"config", "remote.origin.promisor", "true"},
		{"config", "remote.origin.partialclonefilter", "blob:none"},
		{"fetch", "--quiet", "--no-tags", "--depth=1", "--filter=blob:none", "origin", commit},
		{"checkout", "--quiet", "--force", "--detach", commit},
		// checkout does not apply changed patterns if HEAD is already at the commit.
		{"read-tree", "-mu", "HEAD"},
	} {
		if _, err := git(ctx, dir, args...); err != nil {
			return err
		}
	}
	if err := verify(dir, pin); err != nil {
		return err
	}
	return os.WriteFile(done, []byte(state), 0o644)
}

// resolve returns the pin's commit. If the pin does not name it, it searches the branch's history, which it fetches
// without trees and files, and stores the answer with the question, so that the next run does not search again.
func resolve(ctx context.Context, root string, pin Pin, stderr io.Writer) (string, error) {
	if pin.Commit != "" {
		return pin.Commit, nil
	}
	file := filepath.Join(root, pin.Folder+".commit")
	question := pin.Remote + " " + pin.Branch + " " + pin.Before
	if have, err := os.ReadFile(file); err == nil {
		if asked, commit, ok := strings.Cut(strings.TrimSpace(string(have)), "\n"); ok && asked == question {
			return commit, nil
		}
	}
	fmt.Fprintf(stderr, "%s: looking for the last commit of %s before %s\n", pin.Folder, pin.Branch, pin.Before)
	history := filepath.Join(root, pin.Folder+".history")
	if err := os.RemoveAll(history); err != nil {
		return "", err
	}
	defer os.RemoveAll(history)
	if _, err := git(ctx, root, "clone", "--quiet", "--bare", "--single-branch", "--no-tags", "--filter=tree:0",
		"--branch", pin.Branch, pin.Remote, history); err != nil {
		return "", err
	}
	commit, err := git(ctx, history, "rev-list", "-1", "--first-parent", "--before="+pin.Before, pin.Branch)
	if err != nil {
		return "", err
	}
	if commit == "" {
		return "", fmt.Errorf("%s has no commit on %s before %s", pin.Remote, pin.Branch, pin.Before)
	}
	// Renamed into place, because half a line would be a wrong commit.
	if err := os.WriteFile(file+".new", []byte(question+"\n"+commit+"\n"), 0o644); err != nil {
		return "", err
	}
	return commit, os.Rename(file+".new", file)
}

// git runs one git command in dir, without the caller's git variables that select a repository.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	for _, kv := range os.Environ() {
		// GIT_DIR and the like would select another repository. The variables about connections are the user's choice.
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") &&
			!strings.HasPrefix(name, "GIT_SSL_") && !strings.HasPrefix(name, "GIT_SSH") && !strings.HasPrefix(name, "GIT_CONFIG") {
			continue
		}
		cmd.Env = append(cmd.Env, kv)
	}
	cmd.Env = append(cmd.Env, "GIT_TERMINAL_PROMPT=0")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", errors.New("interrupted; run again to continue from here")
		}
		return "", fmt.Errorf("git %s: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(stdout.String()), nil
}
