package ir

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everything returns a version with every kind of value that files have, and
// with strings that the fast path reads and strings that it does not.
func everything() *Version {
	v := redis()
	length, limit := int64(-3), 1e-7
	v.Types[0].Properties[0].Validation = &Validation{
		Pattern: "^[\"\\\\]\t\u2028é</>$", MinLength: &length, Maximum: &limit, ExclusiveMaximum: true,
	}
	v.Types[0].Properties[1].ListKeys = []string{}
	v.Types[0].Doc = `a backslash \`
	v.Resources = append(v.Resources, nil)
	return v
}

// FuzzDecodeStrict tests that DecodeStrict gives the same result as encoding/json.
func FuzzDecodeStrict(f *testing.F) {
	text, err := Canonical(everything())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, text := range []string{
		``, `{}`, ` { } `, `[]`, `null`, `{"provider":null}`, `{"provider":"a"} `, `{"provider":"a"} {}`, `{"provider":"a"}x`,
		"{}\x00", `{"provider":"a",}`, `{"provider" "a"}`, `{"Provider":"a"}`, `{"new":1}`, `{"provider":1}`, `{"provider":"\u00e9\n\\"}`,
		`{"provider":"\"`, `{"provider":"\x"}`, "{\"provider\":\"a\tb\"}", "{\"provider\":\"\xff\"}", "{\t\"provider\":\"a\"}",
		`{"types":[]}`, `{"types":[{}]}`, `{"types":[{},]}`, `{"types":[{"open":true},{"open":false}]}`, `{"types":[{"open":tru}]}`,
		`{"types":[{"properties":[{"validation":{"minLength":01}}]}]}`, `{"types":[{"properties":[{"validation":{"minLength":+1}}]}]}`,
		`{"types":[{"properties":[{"validation":{"minLength":1.0}}]}]}`, `{"types":[{"properties":[{"validation":{"maximum":2}}]}]}`,
		`{"provider":"a","provider":"b"}`, `{"types":[{"name":"a"}],"types":[{"kind":"b"}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got, want Version
		gotErr := DecodeStrict(string(text), &got)
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		wantErr := d.Decode(&want)
		if wantErr == nil && d.More() {
			wantErr = errors.New("text after the end")
		}
		if (gotErr == nil) != (wantErr == nil) || gotErr != nil && gotErr.Error() != wantErr.Error() {
			t.Fatalf("error %v, want %v", gotErr, wantErr)
		}
		if diff := cmp.Diff(want, got); wantErr == nil && diff != "" {
			t.Errorf("-encoding/json +got:\n%s", diff)
		}
	})
}

// TestFastPath tests that canonical text is not left to encoding/json.
func TestFastPath(t *testing.T) {
	text, err := Canonical(everything())
	if err != nil {
		t.Fatal(err)
	}
	if r := newReader(string(text)); !r.value(reflect.ValueOf(new(Version)).Elem()) {
		t.Errorf("left to encoding/json, from here on: %s", r.text[r.at:])
	}
}

// TestSlices tests that slices in which elements are collected leave nothing behind.
func TestSlices(t *testing.T) {
	type node struct {
		Name  string `json:"name,omitempty"`
		Below []node `json:"below,omitempty"`
	}
	want := []node{
		{"a", []node{{"b", []node{{Name: "c"}, {Name: "d"}}}, {Name: "e"}}},
		{"f", []node{{}, {Below: []node{{}, {}, {Name: "g"}}}}},
		{},
	}
	text, err := Canonical(want)
	if err != nil {
		t.Fatal(err)
	}
	var got []node
	if r := newReader(string(text)); !r.value(reflect.ValueOf(&got).Elem()) {
		t.Fatalf("left to encoding/json, from here on: %s", r.text[r.at:])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
