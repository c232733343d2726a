package roundtrip

import (
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/conversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrlconversion "sigs.k8s.io/controller-runtime/pkg/conversion"
)

// A hub, a version that has all of it, and one that forgets the colors that
// forgotten says.

type house struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Name              string `json:"name"`
	Color             string `json:"color"`
}

type roomyHouse house

type narrowHouse house

var forgotten = func(string) bool { return true }

func (*house) Hub() {}

func (h *roomyHouse) ConvertTo(hub ctrlconversion.Hub) error {
	*hub.(*house) = house(*h)
	return nil
}

func (h *roomyHouse) ConvertFrom(hub ctrlconversion.Hub) error {
	*h = roomyHouse(*hub.(*house))
	return nil
}

func (h *narrowHouse) ConvertTo(hub ctrlconversion.Hub) error {
	dst := hub.(*house)
	if *dst = house(*h); forgotten(h.Color) {
		dst.Color = ""
	}
	return nil
}

func (h *narrowHouse) ConvertFrom(hub ctrlconversion.Hub) error {
	*h = narrowHouse(*hub.(*house))
	return nil
}

func (h *house) DeepCopyObject() runtime.Object { c := *h; c.ObjectMeta = *h.DeepCopy(); return &c }
func (h *roomyHouse) DeepCopyObject() runtime.Object {
	c := *h
	c.ObjectMeta = *h.DeepCopy()
	return &c
}
func (h *narrowHouse) DeepCopyObject() runtime.Object {
	c := *h
	c.ObjectMeta = *h.DeepCopy()
	return &c
}

// houses has the waivers of laws for the color of roomy houses.
func houses(laws ...string) *Kind {
	k := &Kind{
		Options: Options{Seed: 1, Runs: defaultRuns, Waive: []Waiver{
			{Law: "PairEdit", Property: "narrowHouse.color"},
			{Law: "Pair", Property: "narrowHouse.color"},
		}},
		Hub:      &house{},
		Versions: []conversion.Convertible{&narrowHouse{}, &roomyHouse{}},
		waivers:  map[string][]Waiver{},
	}
	for _, law := range laws {
		pkg := packageOf(k.Hub)
		k.waivers[pkg] = append(k.waivers[pkg], Waiver{Law: law, Property: "roomyHouse.color", Reason: "it is forgotten"})
	}
	return k
}

func (k *Kind) unneededHere() []string { return unneeded([]*Kind{k}, k.waiversOf(k.Hub)) }

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	for i := range got {
		got[i] = strings.Fields(got[i])[2]
	}
	if !slices.Equal(got, want) {
		t.Errorf("the waivers that are not needed are of %q, want %q", got, want)
	}
}

// A waiver that pairs alone need is needed in the test of either version of
// the pair, and not in that of a version alone.
func TestAWaiverOfPairsIsNeededInEitherOrder(t *testing.T) {
	for _, version := range []conversion.Convertible{&narrowHouse{}, &roomyHouse{}} {
		k := houses("PairEdit", "Pair", "PairFrame")
		k.tryPairs(t, version)
		want(t, k.unneededHere(), "PairFrame")
	}
	k := houses("Edit")
	k.tryVersion(t, &roomyHouse{}, false)
	if got := k.unneededHere(); len(got) != 1 || !strings.Contains(got[0], "PairEdit") {
		t.Errorf("of the waiver of a law that only pairs break, the version's test says %q", got)
	}
}

// A waiver is needed if one of the kinds of its version needs it.
func TestAWaiverIsNeededByOneOfTheKinds(t *testing.T) {
	other, one := houses("Pair"), houses("Pair")
	one.tryPairs(t, &roomyHouse{})
	want(t, unneeded([]*Kind{other, one}, one.waiversOf(one.Hub)))
	want(t, unneeded([]*Kind{other, other}, one.waiversOf(one.Hub)), "Pair")
}

// A waiver that few objects need is needed, if none of the first is among them too.
func TestAWaiverThatFewObjectsNeedIsNeeded(t *testing.T) {
	defer func(f func(string) bool) { forgotten = f }(forgotten)
	k := houses("Pair")
	seen, rare := map[string]bool{}, ""
	for run := range int64(farther) {
		color := k.NewTrial(&roomyHouse{}, nil, k.Seed+run).object().(*roomyHouse).Color
		if run > 2*defaultRuns && !seen[color] {
			rare = color
			break
		}
		seen[color] = true
	}
	forgotten = func(color string) bool { return color == rare }
	k.tryPairs(t, &roomyHouse{})
	if len(k.needed) > 0 {
		t.Fatal("the first objects need the waiver")
	}
	want(t, k.unneededHere())
	forgotten = func(string) bool { return false }
	want(t, k.unneededHere()) // it remembers
	k = houses("Pair")
	k.tryPairs(t, &roomyHouse{})
	want(t, k.unneededHere(), "Pair")
}

// Only the waivers of laws that pairs alone keep are left to the test of pairs.
func TestEachWaiverIsJudged(t *testing.T) {
	for _, l := range Laws {
		for law, ofPairs := range map[string]bool{l.Name: l.Name == "Pair" || l.Name == "Valid", l.OfPairs: true} {
			if w := (Waiver{Law: law, Reason: "it is so"}); law != "" && (w.ofPairs() != ofPairs || w.check() != nil) {
				t.Errorf("the waiver of %s: of pairs alone: %v, %v", law, w.ofPairs(), w.check())
			}
		}
	}
	if (Waiver{Reason: "it is so"}).check() == nil {
		t.Error("a waiver of no law is one")
	}
}
