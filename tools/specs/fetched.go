package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// fetched returns what has arrived: the size of git's folder, and how many of some files there are in dir.
func fetched(dir, gitFolder string, names []string) string {
	var size int64
	// git removes files at any time.
	filepath.WalkDir(gitFolder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	text := fmt.Sprintf("%.1f MB fetched", float64(size)/1e6)
	if names == nil {
		return text
	}
	n := 0
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			n++
		}
	}
	return fmt.Sprintf("%s, %d of %d files", text, n, len(names))
}
