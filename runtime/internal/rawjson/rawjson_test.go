package rawjson_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
	"github.com/go-json-experiment/json/jsontext"
)

// value makes what encoding/json makes of a value, with numbers as they are
// written.
func value(r *rawjson.Reader) any {
	switch kind := r.Next(); kind {
	case '{':
		object := map[string]any{}
		for name := range r.Members {
			key := string(name)
			object[key] = value(r)
		}
		return object
	case '[':
		list := []any{}
		for i := range r.Elements {
			if i != len(list) {
				panic("the index is wrong")
			}
			list = append(list, value(r))
		}
		return list
	case '"':
		return string(r.Text())
	case '0':
		return json.Number(r.Value())
	case 't', 'f':
		r.Value()
		return kind == 't'
	}
	r.Value()
	return nil
}

// FuzzReader checks that a text is read as encoding/json reads it, or refused as it refuses it.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		`null`, ` [ true , false,null ] `, `{"a":{"b":[]},"a":{}}`, `"\u00e9\ud83d\ude00\"\\"`, "\"é\xff\"", "\"\x1f\"", `"\ud800"`,
		`-0`, `01`, `1.`, `.5`, `-`, `1e5`, `1E+05`, `1e`, `[1,]`, `{"a":1,}`, `{"a" 1}`, `{a:1}`, `[1 2]`, `tru`, `nullx`, `"\`,
		`"\u12`, "1\x00", "", "[", "{} {}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := rawjson.New([]byte(text))
		defer r.Free()
		got := value(r)
		err, checked := r.End(), rawjson.Check([]byte(text))
		if (err == nil) != json.Valid([]byte(text)) || (err == nil) != (checked == nil) {
			t.Fatalf("%q: %v, %v", text, err, checked)
		}
		if err != nil {
			return
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %#v, want %#v, %v", text, got, want, err)
		}
		passed := rawjson.New([]byte(text))
		defer passed.Free()
		if raw, _ := passed.Nested(); passed.End() != nil || string(raw) != strings.Trim(text, " \t\r\n") {
			t.Fatalf("%q was passed as %q, %v", text, raw, passed.Err())
		}
	})
}

func TestReader(t *testing.T) {
	read := func(t *testing.T, text string) *rawjson.Reader {
		t.Helper()
		r := rawjson.New([]byte(text))
		t.Cleanup(r.Free)
		return r
	}
	t.Run("an error says where and what was expected", func(t *testing.T) {
		for _, test := range []struct {
			text string
			use  func(r *rawjson.Reader)
			want string
		}{
			{`  17`, func(r *rawjson.Reader) { r.Text() }, "byte 2: found a number, expected a string"},
			{` []`, func(r *rawjson.Reader) { r.Open(jsontext.KindBeginObject) }, "byte 1: found an array, expected an object"},
			{`[1, 2]`, func(r *rawjson.Reader) { r.Open('['); r.Value(); r.Close(']') },
				"byte 4: found a number, expected the end of an array"},
			{`{} {}`, func(r *rawjson.Reader) { r.Value() }, "byte 4: found more than one value"},
			{`{"a": tru}`, func(r *rawjson.Reader) { r.Value() }, "byte 9: invalid character '}' in literal true (expecting 'e')"},
			{``, func(r *rawjson.Reader) { r.Value() }, "byte 0: unexpected EOF"},
			{`[1`, func(r *rawjson.Reader) { r.Nested() }, "byte 2: unexpected EOF"},
		} {
			r := read(t, test.text)
			if test.use(r); r.End() == nil || r.Err().Error() != test.want {
				t.Errorf("%s: %v, want %s", test.text, r.Err(), test.want)
			}
		}
	})
	t.Run("after an error everything is empty", func(t *testing.T) {
		r := read(t, `["a", "b", x]`)
		var got []string
		for range r.Elements {
			got = append(got, string(r.Text()))
		}
		raw, depth := r.Nested()
		if len(got) != 2 || r.Err() == nil || r.Next() != 0 || r.Text() != nil || r.Value() != nil || raw != nil || depth != 0 {
			t.Errorf("got %q, then %v %q", got, r.Next(), raw)
		}
	})
	t.Run("a value is measured", func(t *testing.T) {
		r := read(t, `[{"a":[1,true,{"b":"{}"}],"c":null},{}]`)
		raw, m := r.Measured()
		if want := (rawjson.Measure{Depth: 4, Objects: 4, Strings: 4, Lists: 2, Others: 2}); r.End() != nil || m != want {
			t.Errorf("%s measures %+v, want %+v", raw, m, want)
		}
	})
	t.Run("what was read since a place is a part of the text", func(t *testing.T) {
		r := read(t, `{"a" : [1, "b"] , "c":x}`)
		r.Open('{')
		r.Text()
		rest := r.Rest()
		if before := r.Since(rest); len(before) != 0 {
			t.Errorf("%s before anything was read", before)
		}
		for range r.Elements {
			r.Value()
		}
		if list := string(r.Since(rest)); list != `[1, "b"]` {
			t.Errorf("the list is %s", list)
		}
		r.Text()
		if rest := r.Rest(); r.Value() != nil || len(r.Since(rest)) != 0 {
			t.Errorf("%s was read of what is no JSON", r.Since(rest))
		}
	})
	t.Run("a value is a part of the text", func(t *testing.T) {
		text := ` {"a" : [1, {"b":[]}] , "c":"\u00e9"} `
		r := read(t, text)
		r.Open('{')
		r.Text()
		raw, depth := r.Nested()
		if string(raw) != `[1, {"b":[]}]` || depth != 3 || text[r.Offset()-len(raw):r.Offset()] != string(raw) {
			t.Errorf("%s, depth %d, up to %d", raw, depth, r.Offset())
		}
		if rest := string(r.Rest()); rest != `"c":"\u00e9"} ` {
			t.Errorf("the rest is %s", rest)
		}
		if r.Text(); string(r.Text()) != "é" {
			t.Error("a string with an escape is not read")
		}
	})
	t.Run("it allocates nothing", func(t *testing.T) {
		text := []byte(`{"a":[1,{"b":"c"}],"d":null}`)
		if n := testing.AllocsPerRun(100, func() {
			r := rawjson.New(text)
			defer r.Free()
			for range r.Members {
				r.Nested()
			}
		}); n > 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestIsPlain(t *testing.T) {
	for text, want := range map[string]bool{"": true, "abc ~\x7f": true, `a"`: false, `\`: false, "\n": false, "é": false, "\xff": false} {
		if rawjson.IsPlain(text) != want || rawjson.IsPlain([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
