package licences

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "licences.json")
	const text = `{"example.com/a": {"LICENSE": "l", "NOTICE": "n", "b/LICENSE": "b", "b/c/PATENTS": "c", "d/LICENSE": "d"},
		"example.com/none": {"NOTICE": "n", "b/LICENSE": "b", "LICENSE_TEMPLATE": "t"}}`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		reason   string
		packages []string
		want     []string
	}{
		{"the root package", []string{"example.com/a"}, []string{"LICENSE", "NOTICE"}},
		{"a package below one with a licence of its own", []string{"example.com/a/b/c/d"},
			[]string{"LICENSE", "NOTICE", "b/LICENSE", "b/c/PATENTS"}},
		{"two packages", []string{"example.com/a/b", "example.com/a/d"}, []string{"LICENSE", "NOTICE", "b/LICENSE", "d/LICENSE"}},
	} {
		files, err := l.Of("example.com/a", test.packages...)
		if diff := cmp.Diff(test.want, slices.Sorted(maps.Keys(files))); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", test.reason, err, diff)
		}
	}
	for _, module := range []string{"example.com/none", "example.com/absent"} {
		_, err := l.Of(module, module+"/b")
		if err == nil || !strings.Contains(err.Error(), "the module "+module+" has no licence file") {
			t.Errorf("%s: error %v", module, err)
		}
	}
}

const isc = "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, " +
	"provided that the above copyright notice and this permission notice appear in all copies.\n\nTHE SOFTWARE IS PROVIDED " +
	"\"AS IS\" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF " +
	"MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL " +
	"DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE " +
	"OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.\n"

func TestExpression(t *testing.T) {
	apache, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		reason string
		files  map[string]string
		want   string
	}{
		{"one licence, and what to pass on", map[string]string{"LICENSE": isc, "NOTICE": "Of somebody."}, "ISC"},
		{"two files", map[string]string{"LICENSE": isc, "b/COPYING": string(apache)}, "Apache-2.0 AND ISC"},
		{"two licences in a file", map[string]string{"LICENSE": isc + "\n\n" + string(apache)}, "Apache-2.0 AND ISC"},
		{"one that is not known beside one that is", map[string]string{"LICENSE": isc, "b/LICENSE": "Do as you like."}, ""},
		{"more than is known", map[string]string{"LICENSE": isc + strings.Repeat("But only on Mondays. ", 50)}, ""},
	} {
		if got, err := Expression(test.files); got != test.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", test.reason, got, err, test.want)
		}
	}
}
