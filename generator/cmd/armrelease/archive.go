package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"maps"
	"path"
	"slices"
	"time"
)

// archive is a tar.gz file of the release below a folder, the same each time.
func (r release) archive(folder string) ([]byte, error) {
	var text bytes.Buffer
	compressed := gzip.NewWriter(&text)
	out := tar.NewWriter(compressed)
	for _, name := range slices.Sorted(maps.Keys(r)) {
		err := out.WriteHeader(&tar.Header{
			Name:    path.Join(folder, name),
			Mode:    0o644,
			Size:    int64(len(r[name])),
			ModTime: time.Unix(0, 0),
		})
		if err != nil {
			return nil, err
		}
		if _, err := out.Write(r[name]); err != nil {
			return nil, err
		}
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	err := compressed.Close()
	return text.Bytes(), err
}
