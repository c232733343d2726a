package jsontree_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/internal/specs"
)

const sample = `{
  "b": [1, {"x/y~z": "caf\u00e9 é"}, null],
  "a": {"n": -1.5e2, "i": 1e3, "t": true, "f": false, "s": ""}
}`

func parse(t *testing.T, text string) *jsontree.Document {
	t.Helper()
	doc, err := jsontree.Parse("x.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestNode(t *testing.T) {
	t.Run("members keep the order of the text", memberOrder)
	t.Run("values are read by kind", valuesByKind)
	t.Run("a lookup that finds nothing can be chained", chainedLookups)
	t.Run("a large object is indexed", largeObjects)
}

func memberOrder(t *testing.T) {
	if got := parse(t, sample).Root.Names(); !reflect.DeepEqual(got, []string{"b", "a"}) {
		t.Errorf("names = %q", got)
	}
}

func valuesByKind(t *testing.T) {
	doc := parse(t, sample)
	a := doc.Find("/a")
	if f, ok := a.Get("n").Float(); f != -150 || !ok {
		t.Errorf("n = %v, %v", f, ok)
	}
	if i, ok := a.Get("i").Int(); i != 1000 || !ok {
		t.Errorf("i = %v, %v", i, ok)
	}
	if _, ok := a.Get("s").Int(); ok {
		t.Error("a string is no number")
	}
	if !a.Get("t").True() || a.Get("f").True() || a.Get("absent").True() {
		t.Error("booleans")
	}
	if got := doc.Find("/b/1/x~1y~0z").Text(); got != "café é" {
		t.Errorf("text = %q", got)
	}
	if got := doc.Find("/b/2").Kind(); got != jsontree.Null {
		t.Errorf("kind = %v", got)
	}
}

func chainedLookups(t *testing.T) {
	doc := parse(t, sample)
	for _, pointer := range []string{"/c", "/b/3", "/b/-1", "/b/x", "/a/n/x", "b"} {
		if n := doc.Find(pointer); n != nil || n.Get("x").Get("y").Text() != "" || len(n.Items()) != 0 {
			t.Errorf("%q finds %v", pointer, n)
		}
	}
}

func TestDocument(t *testing.T) {
	t.Run("every node has a pointer and a position", pointersAndPositions)
}

func pointersAndPositions(t *testing.T) {
	doc := parse(t, sample)
	for _, pointer := range []string{"", "/b", "/b/0", "/b/1", "/b/1/x~1y~0z", "/b/2", "/a", "/a/n", "/a/s"} {
		if got := doc.Pointer(doc.Find(pointer)); got != pointer {
			t.Errorf("Pointer(Find(%q)) = %q", pointer, got)
		}
	}
	if line, column := doc.Position(doc.Find("/a/n")); line != 3 || column != 14 {
		t.Errorf("position = %d:%d", line, column)
	}
}

func largeObjects(t *testing.T) {
	var text strings.Builder
	text.WriteString("{")
	for c := 'a'; c <= 'z'; c++ {
		text.WriteString(`"` + string(c) + `": "` + string(c) + `",`)
	}
	text.WriteString(`"last": "last"}`)
	root := parse(t, text.String()).Root
	for _, m := range root.Members() {
		if root.Get(m.Name).Text() != m.Name {
			t.Errorf("Get(%q) = %q", m.Name, root.Get(m.Name).Text())
		}
	}
	if root.Has("A") {
		t.Error("names have case")
	}
}

func TestParse(t *testing.T) {
	t.Run("the error of invalid JSON has its place", invalidJSON)
	t.Run("a text that is too large is refused unread", tooLarge)
	t.Run("a byte order mark is skipped", byteOrderMark)
	t.Run("every published spec is read as encoding/json reads it", publishedSpecs)
}

func invalidJSON(t *testing.T) {
	many := strings.Repeat(`"k":1,`, 1)
	for _, c := range []struct{ text, want, why string }{
		{"", "x.json:1:1: invalid JSON: unexpected EOF", "an empty file"},
		{"{\n  \"a\": 1,\n}", "x.json:2:9: invalid JSON: invalid character ',' at start of value", "a trailing comma"},
		{"{\"a\" 1}", "x.json:1:6: invalid JSON: invalid character '1' after object name (expecting ':')", "no colon"},
		{"{\"a\": 1 \"b\": 2}", "x.json:1:9: invalid JSON: invalid character '\"' after object value (expecting ',' or '}')", "no comma"},
		{"[1 2]", "x.json:1:4: invalid JSON: invalid character '2' after array element (expecting ',' or ']')", "no comma"},
		{"[1, é]", "x.json:1:5: invalid JSON: invalid character 'é' at start of value", "a rune is shown whole"},
		{"{} {}", "x.json:1:4: invalid JSON: found more than one value", "two objects"},
		{"{} x", "x.json:1:4: invalid JSON: invalid character 'x' at start of value", "two values"},
		{"\"abc", "x.json:1:5: invalid JSON: unexpected EOF", "an open string"},
		{"\"a\\", "x.json:1:3: invalid JSON: unexpected EOF", "an open escape"},
		{"\"a\nb\"", "x.json:1:3: invalid JSON: invalid character '\\n' in string (expecting non-control character)", "a bare line end"},
		{"[01]", "x.json:1:3: invalid JSON: invalid character '1' after array element (expecting ',' or ']')", "a leading zero"},
		{"{" + many + "\"k\":2}", "x.json:1:8: invalid JSON: the object has a second member \"k\"",
			"readers differ in which one they take"},
		{strings.Repeat("[", 2000), "x.json:1:1001: invalid JSON: nested deeper than 1000 levels", "the stack is finite"},
	} {
		_, err := jsontree.Parse("x.json", []byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %v", c.why, err, c.want)
		}
	}
}

func tooLarge(t *testing.T) {
	_, err := jsontree.Parse("x.json", make([]byte, 200<<20))
	if err == nil || err.Error() != "x.json: the file has 200 MiB; at most 64 MiB are read" {
		t.Errorf("err = %v", err)
	}
}

func byteOrderMark(t *testing.T) {
	if got := parse(t, "\ufeff{\"a\": 1}").Find("/a").Literal(); got != "1" {
		t.Errorf("a = %q", got)
	}
}

// encoding/json is the oracle: each text is taken or refused alike, and has
// the same values.
func FuzzSameAsEncodingJSON(f *testing.F) {
	for _, text := range []string{sample, `[]`, `{}`, `"\ud83d\ude00"`, `-0`, `1e400`, `[[],{}]`, "\"\xff\"", `"\u12"`, ` null `} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := jsontree.Parse("x.json", text)
		if err != nil && (strings.Contains(err.Error(), "second member") || strings.Contains(err.Error(), "nested deeper")) {
			return // stricter on purpose
		}
		if bytes.HasPrefix(text, []byte("\ufeff")) {
			return // laxer on purpose
		}
		if (err == nil) != json.Valid(text) {
			t.Fatalf("err = %v, valid = %v", err, json.Valid(text))
		}
		if err != nil {
			return
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var want any
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if got := plain(doc.Root); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %#v, want %#v", got, want)
		}
	})
}

func plain(n *jsontree.Node) any {
	switch n.Kind() {
	case jsontree.Bool:
		return n.True()
	case jsontree.Number:
		return json.Number(n.Literal())
	case jsontree.String:
		return n.Text()
	case jsontree.Array:
		items := []any{}
		for _, item := range n.Items() {
			items = append(items, plain(item))
		}
		return items
	case jsontree.Object:
		members := map[string]any{}
		for _, m := range n.Members() {
			members[m.Name] = plain(m.Value)
		}
		return members
	}
	return nil
}

// corpus returns the published specs, if there are any.
func corpus(tb testing.TB) map[string][]byte {
	root := specs.Folder()
	if root == "" {
		tb.Skip("ARMATURE_SPECS is not set: no published specs to read")
	}
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		files[path], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(files) == 0 {
		tb.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

func publishedSpecs(t *testing.T) {
	for name, text := range corpus(t) {
		doc, err := jsontree.Parse(name, text)
		if err != nil {
			t.Error(err)
			continue
		}
		var want any
		decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
		decoder.UseNumber()
		if err := decoder.Decode(&want); err != nil || !reflect.DeepEqual(plain(doc.Root), want) {
			t.Errorf("%s: not what encoding/json reads (%v)", name, err)
		}
	}
}

func BenchmarkPublishedSpecs(b *testing.B) {
	files := corpus(b)
	size := 0
	for _, text := range files {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for name, text := range files {
			if _, err := jsontree.Parse(name, text); err != nil {
				b.Fatal(err)
			}
		}
	}
}
