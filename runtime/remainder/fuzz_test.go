package remainder

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/annotation"
)

// FuzzRestore checks, for any annotation and any object, that a note stays the same when
// it is written and read again, and that Restore adds no more than the annotation has.
func FuzzRestore(f *testing.F) {
	cases, _ := filepath.Glob("testdata/format2/*.annotation.json")
	for _, file := range cases {
		value, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		object, err := os.ReadFile(strings.TrimSuffix(file, ".annotation.json") + ".stored.json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(value), string(object))
	}
	id := string(person.digest())
	f.Add(`{"format":2,"lost":{"spec":{"tiers":[{"0":"Gold","1":"IRON"},"AAAAAAAAAAAA"]}},"object":"`+id+`"}`,
		`{"spec":{"tiers":["gold","iron"]}}`)
	f.Add(`{"format":2,"lost":{"spec":{"rules":[{"0":{"$propertyBag":{"a":1}}},"AAAAAAAA","name,part/id"]}},"object":"`+id+`"}`,
		`{"spec":{"rules":[{"name":"a","part":{"id":"b"}}]}}`)
	f.Fuzz(func(t *testing.T, value, object string) {
		stored, written := &resource[string]{}, &resource[tier]{}
		if json.Unmarshal([]byte(object), stored) != nil || json.Unmarshal([]byte(object), written) != nil {
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
			t.Skip() // read with white space around it, it fits
		}
		if again.Lost.text != note.Lost.text || len(note.Lost.Entries()) != note.Lost.Len() {
			t.Fatalf("%s became %s, %d entries", note.Lost.text, again.Lost.text, note.Lost.Len())
		}
		note.Lost.Restore(stored, written, &tally)
		if tally.Applied+tally.Dropped != note.Lost.Len() {
			t.Fatalf("%d entries, %+v", note.Lost.Len(), tally)
		}
		if size := len(text(stored)); size > 6*(len(value)+len(object))+200 {
			t.Fatalf("%d bytes came of %d and %d", size, len(value), len(object))
		}
	})
}
