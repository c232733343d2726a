package ir

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// canonical is what Canonical has to return, as encoding/json writes it and then
// indents it.
func canonical(value any) (string, error) {
	var text, indented bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return "", err
	}
	err := json.Indent(&indented, text.Bytes(), "", " ")
	return indented.String(), err
}

func TestCanonical(t *testing.T) {
	type named string
	type embedded struct {
		Type string `json:"type"`
	}
	type point struct{ X, Y int }
	five := 5
	for name, value := range map[string]any{
		"a version":          everything(),
		"nothing":            nil,
		"nil":                (*Version)(nil),
		"an empty value":     &Version{},
		"text":               []string{"", "plain", "a\"b\\c", "é\u2028</>&\x7f", "\b\f\n\r\t\x00\x1b"},
		"numbers":            []any{1, int64(-3), int8(4), uint(5), 1e-7, 1e21, 2.0, float32(0.1)},
		"maps":               map[named]map[string]*int{"b": {"y": nil, "x": &five}, "a": {}, "<": nil},
		"maps by number":     map[int]string{2: "b", 1: "a"},
		"lists":              [][]string{nil, {}, {"a"}},
		"lists of any value": []any{nil, []any{}, map[string]any{"a": []any{true, "b"}}},
		"bytes":              []any{[]byte("abc"), [2]byte{1, 2}, json.RawMessage(`{"a":[1,{}]}`)},
		"types with methods": struct{ A, B any }{time.Unix(0, 0).UTC(), map[string]time.Time{"a": time.Unix(1, 0).UTC()}},
		"fields": struct {
			Untagged, unexported string
			Omitted              string            `json:"-"`
			Empty                *int              `json:"empty,omitempty"`
			NoName               bool              `json:",omitempty"`
			Zero                 point             `json:"zero,omitempty"`
			Zeros                [2]int            `json:"zeros,omitempty"`
			Map                  map[string]string `json:"map,omitempty"`
			Count                int               `json:"count,omitempty"`
			Five                 *int              `json:"five"`
		}{Map: map[string]string{}, Five: &five},
		"options": struct {
			Text int   `json:"text,string"`
			Zero point `json:"zero,omitzero"`
		}{},
		"an embedded struct": []any{struct{ embedded }{embedded{"a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Canonical(value)
			if err != nil {
				t.Fatal(err)
			}
			want, err := canonical(value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("(-encoding/json +got):\n%s", diff)
			}
		})
	}
	t.Run("what JSON does not have is an error", func(t *testing.T) {
		if _, err := Canonical([]float64{math.NaN()}); err == nil {
			t.Error("want an error")
		}
	})
}
