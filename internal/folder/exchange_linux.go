package folder

import (
	"errors"

	"golang.org/x/sys/unix"
)

// exchange exchanges two folders in one step. Some file systems cannot.
func exchange(made, dir string) error {
	err := unix.Renameat2(unix.AT_FDCWD, made, unix.AT_FDCWD, dir, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return replace(made, dir)
	}
	return err
}
