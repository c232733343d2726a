package kubernetes

import (
	"path"
	"slices"

	"github.com/armature-dev/armature/generator/crd"
)

// Undescribed returns the kinds of which a version has no descriptions, sorted.
func (r *Release) Undescribed() ([]string, error) {
	var kinds []string
	for name, text := range r.files {
		if path.Base(name) != crd.IndexFile {
			continue
		}
		index, err := crd.ParseIndex(name, text)
		if err != nil {
			return nil, err
		}
		for _, s := range index.CRDs {
			if slices.ContainsFunc(s.Versions, func(v crd.Version) bool { return v.WithoutDocs }) {
				kinds = append(kinds, s.Kind+"."+index.Group)
			}
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds), nil
}
