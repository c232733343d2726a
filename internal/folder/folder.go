// Package folder writes folders that belong to a command: the folder is as the command
// made it last, as a whole. Its function is [Write].
//
// The file [Manifest] in the folder lists the files with their checksums, in the format
// of sha256sum. By it a later run knows what is its own.
package folder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Manifest is the name of the file with the checksums.
const Manifest = "SHA256SUMS"

// Files has the content of each file by its slashed path in the folder.
type Files map[string][]byte

// Write makes dir have just these files and the manifest. It refuses a folder with
// files that an earlier call did not write, or that were changed since, and then
// changes nothing. A process that is killed leaves the old files or the new ones. A
// folder that has these files is left alone.
func Write(dir string, files Files) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
	}
	manifest, err := manifestOf(files)
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	unlock, err := lock(parent)
	if err != nil {
		return err
	}
	defer unlock()
	// A run that was killed may have left it. The lock says that no other run has it now.
	made := filepath.Join(parent, "."+filepath.Base(dir)+".armature-new")
	if err := recoverFrom(made, dir); err != nil {
		return err
	}
	found, exists, err := read(dir)
	if err != nil {
		return err
	}
	if exists {
		if err := check(dir, found); err != nil {
			return err
		}
		if bytes.Equal(found[Manifest], manifest) {
			return nil
		}
	}
	if err := writeAll(made, files, manifest); err != nil {
		return errors.Join(err, os.RemoveAll(made))
	}
	if exists {
		if err := exchange(made, dir); err != nil {
			return err
		}
		return os.RemoveAll(made)
	}
	return os.Rename(made, dir)
}

// manifestOf returns the text of the manifest. It fails if a path is none within the
// folder.
func manifestOf(files Files) ([]byte, error) {
	var text bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !filepath.IsLocal(name) || name != path.Clean(name) || name == Manifest || strings.Contains(name, "\n") {
			return nil, fmt.Errorf("%q is no path of a file in the folder", name)
		}
		fmt.Fprintf(&text, "%s  %s\n", sum(files[name]), name)
	}
	return text.Bytes(), nil
}

func sum(text []byte) string {
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:])
}

// lock waits until no other process writes below a folder. The lock ends with the
// process.
func lock(parent string) (unlock func(), err error) {
	f, err := os.Open(parent)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", parent, err)
	}
	return func() { f.Close() }, nil
}

// read returns the files of a folder, and reports whether there is one. Anything
// else in it, such as a link, has no content, and no manifest has such a file.
func read(dir string) (files Files, exists bool, err error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	files = Files{}
	err = filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		if !entry.Type().IsRegular() {
			files[filepath.ToSlash(name)] = nil
			return nil
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(file)
		return err
	})
	return files, true, err
}

// listed is the greatest number of files that an error names.
const listed = 10

// check compares the files of a folder with its manifest.
func check(dir string, found Files) error {
	if len(found) == 0 {
		return nil
	}
	manifest, exists := found[Manifest]
	if !exists {
		return fmt.Errorf("%s has files, and no %s of an earlier run: it is not overwritten; name a new or an empty folder", dir, Manifest)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(manifest)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		want[name] = sum
	}
	var faults []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		expected, known := want[name]
		switch {
		case name == Manifest:
		case !known:
			faults = append(faults, name+" was added")
		case sum(found[name]) != expected:
			faults = append(faults, name+" was edited")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if _, there := found[name]; !there {
			faults = append(faults, name+" was removed")
		}
	}
	if len(faults) == 0 {
		return nil
	}
	if more := len(faults) - listed; more > 0 {
		faults = append(faults[:listed], fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s is not as the last run left it, and is not overwritten:\n  %s\n"+
		"move what you need elsewhere, and remove the folder", dir, strings.Join(faults, "\n  "))
}

// writeAll writes the files to a new folder, the manifest last.
func writeAll(dir string, files Files, manifest []byte) error {
	for name, text := range files {
		if err := write(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return write(filepath.Join(dir, Manifest), manifest)
}

func write(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
