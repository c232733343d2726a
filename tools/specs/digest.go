package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// digest returns the SHA-256 of a JSON file in canonical form (RFC 8785). So it does not change with white space, a byte
// order mark or the order of members, which mean nothing.
func digest(text []byte) (string, error) {
	value := jsontext.Value(bytes.TrimPrefix(text, []byte("\ufeff"))).Clone()
	if err := value.Canonicalize(); err != nil {
		return "", err
	}
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:]), nil
}

// digests returns the digests of all files below a folder, by path. It refuses what is not a regular file: a link could
// lead a build to any file of the machine.
func digests(dir string) (map[string]string, error) {
	found := map[string]string{}
	var errs []error
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case name == ".git":
			return fs.SkipDir
		case entry.IsDir():
			return nil
		case !entry.Type().IsRegular():
			errs = append(errs, fmt.Errorf("%s is %s; expected a regular file", name, kindOf(entry.Type())))
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if found[name], err = digest(text); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
		return nil
	})
	return found, errors.Join(append(errs, err)...)
}

func kindOf(mode fs.FileMode) string {
	if mode&fs.ModeSymlink != 0 {
		return "a symbolic link"
	}
	return "no regular file"
}

// verify checks that the files of a checkout are those of its pin.
func verify(dir string, pin Pin) error {
	found, err := digests(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(pin.Digests)) {
		switch have, there := found[name]; {
		case !there:
			errs = append(errs, fmt.Errorf("%s is not there", name))
		case have != pin.Digests[name]:
			errs = append(errs, fmt.Errorf("%s has the digest %s; expected %s, as in %s.sha256", name, have, pin.Digests[name], pin.Folder))
		}
		delete(found, name)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		errs = append(errs, fmt.Errorf("%s.sha256 does not list %s", pin.Folder, name))
	}
	if len(errs) == 0 {
		return nil
	}
	const most = 10
	if n := len(errs) - most; n > 0 {
		errs = append(errs[:most], fmt.Errorf("and %d more", n))
	}
	return fmt.Errorf("the files are not the pinned ones, so they must not be used:\n%w", errors.Join(errs...))
}

// formatDigests returns a list of digests, a line for each file.
func formatDigests(digests map[string]string) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		fmt.Fprintf(&text, "%s  %s\n", digests[name], name)
	}
	return text.String()
}

// parseDigests reads such a list.
func parseDigests(text string) (map[string]string, error) {
	digests := map[string]string{}
	for line := range strings.Lines(text) {
		digest, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || len(digest) != hex.EncodedLen(sha256.Size) || !filepath.IsLocal(name) || strings.ContainsAny(name, `*?[]\! `) {
			return nil, fmt.Errorf("found the line %q; expected a digest and a path", line)
		}
		digests[name] = digest
	}
	return digests, nil
}
