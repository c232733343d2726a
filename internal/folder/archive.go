package folder

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"maps"
	"path"
	"slices"
	"time"
)

// Archive returns files as a tar.gz file, in which all lie in a folder. Those that
// executable names may be run. Equal files give equal bytes: they have no dates and no
// owners.
func Archive(folder string, files Files, executable map[string]bool) ([]byte, error) {
	var text bytes.Buffer
	compressed := gzip.NewWriter(&text)
	out := tar.NewWriter(compressed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		mode := int64(0o644)
		if executable[name] {
			mode = 0o755
		}
		err := out.WriteHeader(&tar.Header{
			Name:    path.Join(folder, name),
			Mode:    mode,
			Size:    int64(len(files[name])),
			ModTime: time.Unix(0, 0),
		})
		if err != nil {
			return nil, err
		}
		if _, err := out.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	err := compressed.Close()
	return text.Bytes(), err
}
