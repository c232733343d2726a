package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/cmd/internal/golden"
	"github.com/armature-dev/armature/generator/plan"
)

func TestMain(m *testing.M) { golden.Main(m, main) }

func TestCases(t *testing.T) { golden.Test(t) }

// TestHostileNames draws names that want to be DOT or SVG.
func TestHostileNames(t *testing.T) {
	elements := func(group, kind string) []string {
		t.Helper()
		picture, err := render(t.Context(), draw([]*plan.Package{{
			Group: group, Name: "v1storage", APIVersion: "2021-01-01", Role: plan.Storage,
			Resources: []plan.Resource{{Kind: kind, Hub: true}},
		}}))
		if err != nil {
			t.Fatalf("%q and %q: %v", group, kind, err)
		}
		var names []string
		for d := xml.NewDecoder(bytes.NewReader(picture)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return names
			}
			if err != nil {
				t.Fatalf("%q and %q: %v\n%s", group, kind, err, picture)
			}
			if start, ok := token.(xml.StartElement); ok {
				names = append(names, start.Name.Local)
			}
		}
	}
	want := elements("crm.contoso.com", "Person")
	for _, text := range []string{`a"] evil [label="`, `a\`, `a\"`, "a\x00\ufeffb", "a<script>alert(1)</script>",
		"</text><script/>", "]]>", "<b>a</b>", "a\"}\nevil"} {
		for _, got := range [][]string{elements(text, "Person"), elements("crm.contoso.com", text)} {
			if !slices.Equal(got, want) {
				t.Errorf("%q: the picture has the elements %q, want %q", text, got, want)
			}
		}
	}
}
