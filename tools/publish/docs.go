package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/internal/bazel"
)

// checkDocs returns an error if the archive for Kubernetes has CRDs without descriptions,
// unless these are wanted.
func (p parts) checkDocs(archive []byte) error {
	if p.withoutDocs {
		return nil
	}
	kinds, err := undescribed(archive)
	if err != nil {
		return fmt.Errorf("%s: %w", p.kubernetes, err)
	}
	if len(kinds) > 0 {
		return fmt.Errorf("the CRDs have no descriptions of %s, because they were built without published specs: "+
			"%s makes a checkout; or publish them as they are with --without-docs", some(kinds), bazel.RunOwn("//tools/specs"))
	}
	return nil
}

// some names the first of the kinds, and says how many there are if there are more.
func some(kinds []string) string {
	if len(kinds) == 1 {
		return "the kind " + kinds[0]
	}
	return fmt.Sprintf("%d kinds, such as %s", len(kinds), kinds[0])
}

// undescribed returns the kinds of which a version in an archive has no descriptions,
// sorted.
func undescribed(archive []byte) ([]string, error) {
	text, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	files := tar.NewReader(text)
	var kinds []string
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			slices.Sort(kinds)
			return slices.Compact(kinds), nil
		}
		if err != nil {
			return nil, err
		}
		if path.Base(header.Name) != crd.IndexFile {
			continue
		}
		var index crd.Index
		if err := json.NewDecoder(files).Decode(&index); err != nil {
			return nil, fmt.Errorf("%s: %w", header.Name, err)
		}
		for _, s := range index.CRDs {
			if slices.ContainsFunc(s.Versions, func(v crd.Version) bool { return v.WithoutDocs }) {
				kinds = append(kinds, s.Kind+"."+index.Group)
			}
		}
	}
}
