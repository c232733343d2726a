package main

import (
	"fmt"

	"github.com/armature-dev/armature/internal/bazel"
	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/tools/publish/kubernetes"
)

// forClusters returns the chart and the files for kubectl, whose names begin with that of the release. release is what
// they are made of.
func (p parts) forClusters(name string, release *kubernetes.Release) (folder.Files, error) {
	if err := p.checkDocs(release); err != nil {
		return nil, err
	}
	manifests, err := release.Manifests()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.kubernetes, err)
	}
	files := folder.Files{}
	for part, text := range manifests {
		files[name+"-"+part] = text
	}
	chart, err := release.Chart()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.kubernetes, err)
	}
	files[name+"-chart.tgz"] = chart.Archive
	layout, err := chart.Layout()
	if err != nil {
		return nil, err
	}
	files[name+"-chart-oci.tar.gz"], err = folder.Archive(name+"-chart-oci", layout, nil)
	return files, err
}

// checkDocs returns an error if the release has CRDs without descriptions, unless these are wanted.
func (p parts) checkDocs(release *kubernetes.Release) error {
	if p.withoutDocs {
		return nil
	}
	kinds, err := release.Undescribed()
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
