package roundtrip

import (
	"reflect"
	"strings"
	"testing"
)

type hooked struct {
	Parts map[string][]*hookedPart
	Self  *hooked
}

type hookedPart struct{ Name string }

func (*hookedPart) AssignToPart(*hooked) error   { return nil }
func (*hookedPart) AssignFromPart(*hooked) error { return nil }
func (*hookedPart) AssignToNothing() error       { return nil }

func TestHooksOf(t *testing.T) {
	got := hooksOf(reflect.TypeFor[*hooked](), map[reflect.Type]bool{})
	if want := "hookedPart.AssignFromPart hookedPart.AssignToPart"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

func TestLink(t *testing.T) {
	stored := []string{"v2020storage", "v2018storage", "v2019storage", "v2021storage"}
	for version, want := range map[string]string{
		"v2018": "v2018storage v2019storage", "v2019": "v2019storage v2020storage", "v2020": "v2020storage v2019storage",
		"v2021": "v2021storage v2020storage", "v1api2018": "v1api2018 v1api2018storage",
	} {
		if from, to := link(stored, version); from+" "+to != want {
			t.Errorf("%s: got %s %s, want %s", version, from, to, want)
		}
	}
	if from, to := link([]string{"v2020storage"}, "v2020"); from+" "+to != "v2020 v2020storage" {
		t.Errorf("a single version: got %s %s", from, to)
	}
}
