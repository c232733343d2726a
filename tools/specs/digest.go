package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/armature-dev/armature/tools/specs/digests"
)

// digestsIn returns the digests of all files below a folder, by path. It refuses what
// is not a regular file: a link could lead a build to any file of the machine.
func digestsIn(dir string) (map[string]string, error) {
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
		if found[name], err = digests.Of(text); err != nil {
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

// verify checks that the files of a checkout are those of its pin, and those of more, whose content may be any. It
// returns the digests of all.
func verify(dir string, pin Pin, more []string) (map[string]string, error) {
	found, err := digestsIn(dir)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(pin.Digests)) {
		switch have, ok := found[name]; {
		case !ok:
			errs = append(errs, fmt.Errorf("%s is not there", name))
		case have != pin.Digests[name]:
			errs = append(errs, fmt.Errorf("%s has the digest %s; expected %s, as in %s.sha256", name, have, pin.Digests[name], pin.Folder))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if pin.Digests[name] == "" && !slices.Contains(more, name) {
			errs = append(errs, fmt.Errorf("%s.sha256 does not list %s", pin.Folder, name))
		}
	}
	if len(errs) == 0 {
		return found, nil
	}
	const most = 10
	if n := len(errs) - most; n > 0 {
		errs = append(errs[:most], fmt.Errorf("and %d more", n))
	}
	return nil, fmt.Errorf("the files are not the pinned ones, so they must not be used:\n%w", errors.Join(errs...))
}
