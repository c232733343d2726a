package propertybag

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestForget(t *testing.T) {
	t.Run("a forgotten property leaves no trace", forget)
}

func forget(t *testing.T) {
	other := Bag{"familyname": {Version: "v"}, "knownas": {Version: "w"}, "knownas@w": {Version: "w"}}
	for _, key := range []string{"knownas", "knownas@v"} {
		bag := other.DeepCopy()
		bag[key] = Entry{Version: "v"}
		want := bag.DeepCopy()
		delete(want, key)
		if bag.Forget("knownAs", "v"); !reflect.DeepEqual(bag, want) {
			t.Errorf("left %v, want %v: another's entries stay", bag, want)
		}
	}
	bag := Bag{"knownas": {Version: "v"}}
	if bag.Forget("knownAs", "v"); bag != nil {
		t.Errorf("left %#v, want nil", bag)
	}
	bag.Forget("knownAs", "v") // of a nil bag
}

func TestNoteOfHook(t *testing.T) {
	t.Run("the version that has the property takes it", noteTaken)
}

func noteTaken(t *testing.T) {
	var bag Bag
	bag.Note("knownAs", "v")
	if !bag.Noted("KnownAs", "v") || bag.Noted("knownAs", "w") || bag.Noted("familyName", "v") {
		t.Errorf("%v: what is noted is another", bag)
	}
	text, err := json.Marshal(bag)
	if err != nil {
		t.Fatal(err)
	}
	var read Bag
	if err := json.Unmarshal(text, &read); err != nil || !read.Noted("knownAs", "v") {
		t.Errorf("%s was read as %v (%v)", text, read, err)
	}
	var tally Tally
	transfer := NewTransfer(read, "w", &tally)
	var known *string
	if transfer.Recall("knownAs", &known); known != nil || transfer.Rest() != nil || tally.Unreadable != 0 {
		t.Errorf("recalled %v, left %v, %d unreadable; want none of each", known, transfer.Rest(), tally.Unreadable)
	}
	transfer = NewTransfer(read, "w", &tally)
	RecallFrom(&transfer, "knownAs", &known, func(s *string) *string { return s }, "v")
	if known != nil || transfer.Rest() != nil {
		t.Errorf("recalled %v from another shape, left %v; want none", known, transfer.Rest())
	}
	transfer = NewTransfer(read, "w", &tally)
	if transfer.Stash("knownAs", "Ada"); transfer.Rest().Noted("knownAs", "v") {
		t.Errorf("left %v: a value takes the note's place", transfer.Rest())
	}
}
