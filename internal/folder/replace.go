package folder

import (
	"errors"
	"io/fs"
	"os"
)

// oldSuffix follows the name of the new folder in that of the old one, while there is no
// folder at its place.
const oldSuffix = "-old"

// replace puts a folder in the place of another, which it leaves as made. Between its
// steps there is none. If the process is killed there, the next run begins with
// [recoverFrom].
func replace(made, dir string) error {
	old := made + oldSuffix
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(made, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.Rename(old, made)
}

// recoverFrom removes what a run left that was killed. If it had moved the old folder
// away, and no new one was there yet, it moves the old one back.
func recoverFrom(made, dir string) error {
	old := made + oldSuffix
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.Rename(old, dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return errors.Join(os.RemoveAll(old), os.RemoveAll(made))
}
