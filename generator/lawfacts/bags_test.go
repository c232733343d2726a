package lawfacts_test

import (
	"testing"

	"github.com/armature-dev/armature/generator/lawfacts"
	"github.com/armature-dev/armature/generator/plan"
	gocmp "github.com/google/go-cmp/cmp"
)

func TestBags(t *testing.T) {
	steps := func(steps ...plan.NamedStep) []plan.NamedStep { return steps }
	bags := lawfacts.Bags(&plan.Package{Neighbours: []plan.Neighbour{{Pairs: []plan.NamedPair{{
		Here: "Home", There: "House",
		To: steps(
			plan.NamedStep{
				Kind: plan.Recall, Dst: "doorCode", Versions: []string{"2020-01-01"},
				Shapes: []plan.NamedShape{{Shape: "code@2021-01-01"}},
			},
			plan.NamedStep{Kind: plan.Recall, Dst: "anyShape"},
			plan.NamedStep{Kind: plan.Assign, Src: "same"}),
		From: steps(plan.NamedStep{Kind: plan.Stash, Src: "door", Beside: []string{"2022-01-01", "2020-01-01", "2020-01-01"}}),
	}}}}})
	want := map[string][]lawfacts.BagEntry{
		"Home": {
			{Key: "code", Version: "2021-01-01"}, {Key: "code@2021-01-01", Version: "2021-01-01"},
			{Key: "doorcode", Version: "2020-01-01"}, {Key: "doorcode@2020-01-01", Version: "2020-01-01"},
		},
		"House": {
			{Key: "door", Version: "2020-01-01"}, {Key: "door", Version: "2022-01-01"},
			{Key: "door@2020-01-01", Version: "2020-01-01"}, {Key: "door@2022-01-01", Version: "2022-01-01"},
		},
	}
	if diff := gocmp.Diff(want, bags); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
