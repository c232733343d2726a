// Package folder writes folders that belong to a command: the folder is as the command
// made it last, as a whole. Its functions are [Write] and [Add].
//
// The file [Manifest] in the folder lists the files with their checksums, in the format
// of sha256sum. By it a later run knows what is its own. Beside it there may be its
// [Signature], which stays until the manifest changes.
package folder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
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

// Signature is the name of a signature of the manifest, which somebody else adds.
const Signature = Manifest + ".sig"

// Files has the content of each file by its slashed path in the folder.
type Files map[string][]byte

// Write makes dir have just these files and the manifest. It refuses a folder with
// files that an earlier call did not write, or that were changed since, and then
// changes nothing. A process that is killed leaves the old files or the new ones. A
// folder that has these files is left alone.
func Write(dir string, files Files) error {
	return update(dir, func(Sums) (Files, Sums, error) { return files, nil, nil })
}

// Sums has the checksum of each file, by its slashed path in the folder, as the manifest has it.
type Sums map[string]string

// Add does what [Write] does, but keeps the files that are there and that change does not return. change gets the
// checksums of those that are there. No other process writes dir meanwhile.
func Add(dir string, change func(found Sums) (Files, error)) error {
	return update(dir, func(found Sums) (Files, Sums, error) {
		files, err := change(found)
		return files, found, err
	})
}

// update makes dir have the files that change returns, and those of its own of which change returns the checksums.
func update(dir string, change func(found Sums) (files Files, kept Sums, err error)) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
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
	}
	before := found[Manifest]
	delete(found, Manifest)
	files, kept, err := change(found)
	if err != nil {
		return err
	}
	sums := Sums{}
	maps.Copy(sums, kept)
	for name, text := range files {
		sums[name] = Sum(text)
	}
	manifest, err := manifestOf(sums)
	if err != nil {
		return err
	}
	if exists && before == Sum(manifest) {
		return nil
	}
	if err := writeAll(made, dir, files, sums, manifest); err != nil {
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
func manifestOf(sums Sums) ([]byte, error) {
	var text bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if !filepath.IsLocal(name) || name != path.Clean(name) || name == Manifest || name == Signature || strings.Contains(name, "\n") {
			return nil, fmt.Errorf("%q is no path of a file in the folder", name)
		}
		fmt.Fprintf(&text, "%s  %s\n", sums[name], name)
	}
	return text.Bytes(), nil
}

// Sum returns the checksum of a text.
func Sum(text []byte) string {
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

// read returns the checksums of the files of a folder, the manifest among them but not its
// signature, and reports whether there is a folder. Anything else in it, such as a link, has
// the checksum "", which is in no manifest.
func read(dir string) (sums Sums, exists bool, err error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	sums = Sums{}
	err = filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil || name == Signature && entry.Type().IsRegular() {
			return err
		}
		sums[filepath.ToSlash(name)] = ""
		if entry.Type().IsRegular() {
			sums[filepath.ToSlash(name)], err = sumOf(file)
		}
		return err
	})
	return sums, true, err
}

// sumOf returns the checksum of a file.
func sumOf(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// listed is the greatest number of files that an error names.
const listed = 10

// check compares the files of a folder with its manifest.
func check(dir string, found Sums) error {
	if len(found) == 0 {
		return nil
	}
	if found[Manifest] == "" {
		return fmt.Errorf("%s has files, and no %s of an earlier run: it is not overwritten; name a new or an empty folder", dir, Manifest)
	}
	manifest, err := os.ReadFile(filepath.Join(dir, Manifest))
	if err != nil {
		return err
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
		case found[name] != expected:
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

// writeAll writes the files to a new folder, with those of another one that are in sums besides, and the manifest last.
func writeAll(made, from string, files Files, sums Sums, manifest []byte) error {
	for name := range sums {
		file := filepath.FromSlash(name)
		text, isNew := files[name]
		var err error
		if isNew {
			err = write(filepath.Join(made, file), bytes.NewReader(text))
		} else {
			err = copyFile(filepath.Join(made, file), filepath.Join(from, file))
		}
		if err != nil {
			return err
		}
	}
	return write(filepath.Join(made, Manifest), bytes.NewReader(manifest))
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return write(to, in)
}

func write(name string, text io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, text)
	return errors.Join(err, file.Close())
}
