package wiring

import (
	"context"
	"slices"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/labels"
)

// allBut is an API server that allows all writes but those in a place.
type allBut Place

func (a allBut) Allowed(_ context.Context, p Place) (bool, error) { return p != Place(a), nil }

func (allBut) Account(context.Context) (string, error) { return "", nil }

// TestDue has which rights to write are asked for before a write is denied.
func TestDue(t *testing.T) {
	team, err := labels.Parse("team=a")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		reason     string
		namespaces Namespaces
		want       []Place
	}{
		{"an operator of all namespaces", Namespaces{}, []Place{{"g", ""}, {"h", ""}}},
		{"of some", Namespaces{Managed: []string{"a", "b"}}, []Place{{"g", "a"}, {"g", "b"}, {"h", "a"}, {"h", "b"}}},
		{"of those with a label, which are not known", Namespaces{Selector: team}, nil},
	} {
		lacks := Place{"g", "a"}
		s := NewStorageRights(allBut(lacks), &row.namespaces, logr.Discard())
		if got := s.Due([]string{"g", "h"}); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %v, want %v", row.reason, got, row.want)
		}
		for _, p := range append(row.want, lacks) {
			s.Ask(t.Context(), p)
		}
		if got := s.Due([]string{"g", "h"}); !slices.Equal(got, []Place{lacks}) {
			t.Errorf("%s: got %v again, want that without the right", row.reason, got)
		}
	}
}
