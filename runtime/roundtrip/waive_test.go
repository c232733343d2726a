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

// houses returns the kind with waivers of laws for the color of roomy houses.
func houses(laws ...string) *Kind {
	k := &Kind{
		Options: Options{Seed: 1, Runs: defaultRuns, Waive: []Waiver{
			{Law: "PairEdit", Property: "narrowHouse.color"},
			{Law: "Pair", Property: "narrowHouse.color"},
		}},
		Hub:      &house{},
		Versions: []conversion.Convertible{&narrowHouse{}, &roomyHouse{}},
	}
	for _, law := range laws {
		k.Waive = append(k.Waive, Waiver{Law: law, Property: "roomyHouse.color", Package: packageOf(k.Hub), Reason: "it is forgotten"})
	}
	return k
}

// ofPackage returns the waivers that are not for all versions.
func (k *Kind) ofPackage() []Waiver {
	return slices.DeleteFunc(slices.Clone(k.Waive), func(w Waiver) bool { return w.Package == "" })
}

func (k *Kind) unneeded() []string { return Unneeded([]*Kind{k}, k.ofPackage()) }

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	for i := range got {
		got[i] = strings.Fields(got[i])[2]
	}
	if !slices.Equal(got, want) {
		t.Errorf("the waivers that are not needed are of %q, want %q", got, want)
	}
}

func TestUnneeded(t *testing.T) {
	t.Run("a waiver of pairs is needed in the tests of both versions, and not in those of single versions", waiverOfPairs)
	t.Run("a waiver is needed if one of the kinds needs it", waiverOfOneKind)
	t.Run("a waiver that few objects need is needed, even if it is none of the first", waiverOfFewObjects)
}

func TestTypeName(t *testing.T) {
	k := houses()
	k.Waive = []Waiver{
		{Law: "PairEdit", Property: "house.color", Reason: "it is forgotten"},
		{Law: "Pair", Property: "house.color", Reason: "it is forgotten"},
	}
	waived := func(typ string) bool {
		return (&Trial{Kind: k, law: Law{Name: "Pair"}}).waived([]owner{{typ, "color"}})
	}
	if waived("narrowHouse") {
		t.Error("without TypeName, a waiver is for a type of another name")
	}
	k.TypeName = func(goType string) string { return strings.ReplaceAll(goType, "narrowHouse", "house") }
	if !waived("narrowHouse") || !waived("house") || waived("roomyHouse") {
		t.Error("a waiver is not for the types that TypeName gives its name")
	}
}

func waiverOfPairs(t *testing.T) {
	for _, version := range []conversion.Convertible{&narrowHouse{}, &roomyHouse{}} {
		k := houses("PairEdit", "Pair", "PairFrame")
		k.TryPairs(t, version)
		want(t, k.unneeded(), "PairFrame")
	}
	k := houses("Edit")
	k.TryVersion(t, &roomyHouse{})
	if got := k.unneeded(); len(got) != 1 || !strings.Contains(got[0], "PairEdit") {
		t.Errorf("of the waiver of a law that only pairs break, the version's test says %q", got)
	}
}

func waiverOfOneKind(t *testing.T) {
	other, one := houses("Pair"), houses("Pair")
	one.TryPairs(t, &roomyHouse{})
	want(t, Unneeded([]*Kind{other, one}, one.ofPackage()))
	want(t, Unneeded([]*Kind{other, other}, one.ofPackage()), "Pair")
}

func waiverOfFewObjects(t *testing.T) {
	defer func(f func(string) bool) { forgotten = f }(forgotten)
	k := houses("Pair")
	seen, rare := map[string]bool{}, ""
	for run := range int64(runsBeforeReport) {
		color := k.NewTrial(&roomyHouse{}, nil, k.Seed+run).object().(*roomyHouse).Color
		if run > 2*defaultRuns && !seen[color] {
			rare = color
			break
		}
		seen[color] = true
	}
	forgotten = func(color string) bool { return color == rare }
	k.TryPairs(t, &roomyHouse{})
	if len(k.needed) > 0 {
		t.Fatal("the first objects need the waiver")
	}
	want(t, k.unneeded())
	forgotten = func(string) bool { return false }
	want(t, k.unneeded()) // it remembers
	k = houses("Pair")
	k.TryPairs(t, &roomyHouse{})
	want(t, k.unneeded(), "Pair")
}

func TestWaiver(t *testing.T) {
	for _, l := range Laws {
		for law, ofPairs := range map[string]bool{l.Name: l.Name == "Pair" || l.Name == "Valid", l.OfPairs: true} {
			if law == "" {
				continue
			}
			t.Run("the law "+law, func(t *testing.T) {
				w := Waiver{Law: law, Reason: "it is so"}
				if err := w.check(); err != nil {
					t.Error(err)
				}
				if w.OfPairs() != ofPairs {
					t.Errorf("OfPairs is %v, want %v", !ofPairs, ofPairs)
				}
			})
		}
	}
	t.Run("a waiver of no law is an error", func(t *testing.T) {
		if (Waiver{Reason: "it is so"}).check() == nil {
			t.Error("there is no error")
		}
	})
}
