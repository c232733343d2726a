package remainder

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/annotation"
)

// FuzzParse checks that a text is read as encoding/json reads it, or not at all.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`null`, ` [ true , false,null ] `, `{"a":{"b":[]},"a":{}}`, `"\u00e9\ud83d\ude00\"\\"`, "\"é\xff\"", "\"\x1f\"",
		`-0`, `01`, `1.`, `.5`, `-`, `1e5`, `1E+05`, `1e`, `[1,]`, `{"a":1,}`, `{"a" 1}`, `{a:1}`, `[1 2]`, `tru`, `nullx`, `"\`,
		`"\u12`, "1\x00", "", "[",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse(text)
		var want any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		wantErr := d.Decode(&want)
		if _, behind := d.Token(); wantErr == nil && behind != io.EOF {
			wantErr = errDamaged
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v, encoding/json says %v", err, wantErr)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%#v, encoding/json says %#v", got, want)
		}
	})
}

// FuzzRestore checks, for any annotation and any object, that what is read is written
// again, and that no more comes out than went in.
func FuzzRestore(f *testing.F) {
	cases, _ := filepath.Glob("testdata/format1/*.annotation.json")
	for _, file := range cases {
		value, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, suffix := range []string{".plain.json", ".stored.json"} {
			object, err := os.ReadFile(file[:len(file)-len(".annotation.json")] + suffix)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(value), string(object))
		}
	}
	f.Add(`{"format":1,"object":"kUWX0ftRp8XMigcFYim6nA","lost":["#","AAAAAAAAAAAAAAAAAAAAAA",{"1":["-",null],"2":["+",[]]},["2","0"]]}`, `[1,null]`)
	f.Add(`{"format":1,"object":"kUWX0ftRp8XMigcFYim6nA","lost":["@",["a","b"],{"[1,2]":["~",1,2],"x":["+",3]},["x","y"],"AAAAAAAAAAA"]}`, `[{"a":1,"b":2},{"a":1,"b":2},[],{}]`)
	f.Fuzz(func(t *testing.T, value, object string) {
		object1, err := parse(object)
		if err != nil {
			t.Skip()
		}
		tally := Tally{}
		note, err := Read(map[string]string{annotation.Remainder: value}, person, nil, &tally)
		if counted := tally.Damaged + tally.Foreign + tally.Older + tally.Newer + tally.Refused; counted > 1 ||
			err != nil && (counted != 1 || !note.Lost.Empty()) {
			t.Fatalf("%v, %+v, %+v", err, tally, note)
		}
		if note.Lost.Empty() {
			t.Skip()
		}
		annotations, err := note.Write(nil, Limits{Annotations: MaxAnnotations}, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(annotations, person, nil, &tally)
		if err != nil {
			t.Skip() // read with white space it fits, or with fewer escapes
		}
		if first, err := again.Write(nil, Limits{Annotations: MaxAnnotations}, nil); err != nil ||
			first[annotation.Remainder] != annotations[annotation.Remainder] {
			t.Fatalf("%s became %s, %v", annotations[annotation.Remainder], first[annotation.Remainder], err)
		}
		entries := len(note.Lost.Entries())
		merged, dropped := apply(t, note.Lost, object1, &tally)
		if tally.Applied+len(dropped) != entries {
			t.Fatalf("%d entries, %d applied, %d dropped", entries, tally.Applied, len(dropped))
		}
		if size := len(text(merged)); size > 6*(len(value)+len(object)) {
			t.Fatalf("%d bytes came of %d and %d", size, len(value), len(object))
		}
	})
}
