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

	"github.com/armature-dev/armature/internal/progress"
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

// Checkout brings the checkout of every pin below root to its commit. It keeps what an earlier run completed, so that
// the next run resumes an interrupted one.
func Checkout(ctx context.Context, root string, pins []Pin, stderr io.Writer) error {
	return alone(root, func() error {
		var others []Pin
		for _, pin := range pins {
			stamp, err := os.ReadFile(stampOf(root, pin))
			if err == nil && len(digests.Others(string(stamp), pin.Digests)) == 0 {
				commit, _, _ := strings.Cut(string(stamp), "\n")
				fmt.Fprintf(stderr, "%s: already at %s\n", pin.Folder, commit)
				continue
			}
			others = append(others, pin)
		}
		if err := incomplete(root, others); err != nil {
			return err
		}
		trees, err := open(ctx, root, others, stderr)
		if err != nil {
			return err
		}
		for _, t := range trees {
			if err := t.complete(ctx, nil); err != nil {
				return fmt.Errorf("%s: %w", t.pin.Folder, err)
			}
		}
		return nil
	})
}

// alone calls do while no other run writes below root.
func alone(root string, do func() error) error {
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
	return do()
}

// stampOf returns the file that says which files the checkout of a pin has. Builds, and tools/add, compare it with
// the pins.
func stampOf(root string, pin Pin) string { return filepath.Join(root, pin.Folder+digests.StampSuffix) }

// tree is a checkout that is being made.
type tree struct {
	root, dir, commit string
	pin               Pin
	files             map[string]bool // all that the commit has, once they are listed
	progress          progress.Progress
	stderr            io.Writer
}

// incomplete empties the stamps of some pins, all before the first checkout changes: none is used until it is complete.
func incomplete(root string, pins []Pin) error {
	for _, pin := range pins {
		if err := os.WriteFile(stampOf(root, pin), nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// open fetches the commits of some pins, without their files.
func open(ctx context.Context, root string, pins []Pin, stderr io.Writer) ([]*tree, error) {
	var trees []*tree
	for _, pin := range pins {
		t := &tree{root: root, dir: filepath.Join(root, pin.Folder), pin: pin, progress: progress.New(stderr), stderr: stderr}
		if err := t.open(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", pin.Folder, err)
		}
		trees = append(trees, t)
	}
	return trees, nil
}

func (t *tree) open(ctx context.Context) (err error) {
	if t.commit, err = t.resolve(ctx); err != nil {
		return err
	}
	fmt.Fprintf(t.stderr, "%s: checking out %s\n", t.pin.Folder, t.commit)
	if _, err := git(ctx, t.root, "init", "--quiet", t.dir); err != nil {
		return err
	}
	// A git that was killed leaves these. The lock on root shows that no other git is running.
	for _, stale := range []string{"index.lock", "shallow.lock", "config.lock"} {
		os.Remove(filepath.Join(t.dir, ".git", stale))
	}
	return t.git(ctx, nil, [][]string{
		{"config", "core.sparseCheckout", "true"},
		{"config", "remote.origin.url", t.pin.Remote},
		// A partial clone: checkout fetches the files that the patterns select, and no others.
		{"config", "remote.origin.promisor", "true"},
		{"config", "remote.origin.partialclonefilter", "blob:none"},
		{"fetch", "--quiet", "--no-tags", "--depth=1", "--filter=blob:none", "origin", t.commit},
	})
}

// git runs git commands in the checkout, and shows meanwhile how many of some files there are.
func (t *tree) git(ctx context.Context, names []string, commands [][]string) error {
	state := func() string { return t.pin.Folder + ": " + fetched(t.dir, filepath.Join(t.dir, ".git"), names) }
	return t.progress.During(state, func() error {
		for _, args := range commands {
			if _, err := git(ctx, t.dir, args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// fill makes the checkout have some files and no others: the whole repositories are gigabytes.
func (t *tree) fill(ctx context.Context, names []string) error {
	if err := os.MkdirAll(filepath.Join(t.dir, ".git", "info"), 0o755); err != nil {
		return err
	}
	patterns := "/" + strings.Join(names, "\n/") + "\n" // as in .gitignore
	if err := os.WriteFile(filepath.Join(t.dir, ".git", "info", "sparse-checkout"), []byte(patterns), 0o644); err != nil {
		return err
	}
	return t.git(ctx, names, [][]string{
		{"checkout", "--quiet", "--force", "--detach", t.commit},
		// checkout does not apply changed patterns if HEAD is already at the commit.
		{"read-tree", "-mu", "HEAD"},
	})
}

// complete fetches the pinned files and more, checks the pinned ones, and writes the stamp. The pin has the digests
// of all then.
func (t *tree) complete(ctx context.Context, more []string) error {
	names := append(slices.Sorted(maps.Keys(t.pin.Digests)), more...)
	if err := t.fill(ctx, names); err != nil {
		return err
	}
	found, err := verify(t.dir, t.pin, more)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.stderr, "%s: %s\n", t.pin.Folder, fetched(t.dir, filepath.Join(t.dir, ".git"), names))
	t.pin.Digests = found
	return os.WriteFile(stampOf(t.root, t.pin), []byte(digests.Stamp(t.commit, found)), 0o644)
}

// resolve returns the pin's commit. If the pin does not name it, it searches the branch's history, which it fetches
// without trees and files, and stores the answer with the question, so that the next run does not search again.
func (t *tree) resolve(ctx context.Context) (string, error) {
	root, pin := t.root, t.pin
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
	fmt.Fprintf(t.stderr, "%s: looking for the last commit of %s before %s\n", pin.Folder, pin.Branch, pin.Before)
	history := filepath.Join(root, pin.Folder+".history")
	if err := os.RemoveAll(history); err != nil {
		return "", err
	}
	defer os.RemoveAll(history)
	state := func() string { return pin.Folder + ": " + fetched("", history, nil) }
	if err := t.progress.During(state, func() error {
		_, err := git(ctx, root, "clone", "--quiet", "--bare", "--single-branch", "--no-tags", "--filter=tree:0",
			"--branch", pin.Branch, pin.Remote, history)
		return err
	}); err != nil {
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
