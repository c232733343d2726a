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

// archive returns the release as a tar.gz file, in which all files lie in a
// folder. Equal releases give equal bytes.
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
