package propertybag

import (
	"reflect"
	"testing"
)

func TestAForgottenPropertyLeavesNoTrace(t *testing.T) {
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
