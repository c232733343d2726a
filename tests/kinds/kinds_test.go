// Package kinds compares docs/kinds.md with the CRDs of all groups.
package kinds

import (
	"path/filepath"
	"testing"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/tools/armature/kinds"
)

func TestPage(t *testing.T) {
	files, err := filepath.Glob("../../apis/*/crds/" + crd.IndexFile)
	if err != nil || len(files) == 0 {
		t.Fatalf("found no groups: %v", err)
	}
	var groups []*crd.Index
	for _, file := range files {
		index, err := crd.ReadIndex(file)
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, index)
	}
	all, err := kinds.Of(nil, groups...)
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "../../docs/kinds.md", kinds.Page(all))
}
