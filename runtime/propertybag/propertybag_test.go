package propertybag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The stored form of format 1. These bytes are a compatibility contract.
const format1 = `{"alphakey":{"value":"a","version":"2014-04-04"},"alphakey@2014-04-04":{"value":true,"version":"2014-04-04"},"amount":{"value":9223372036854775807,"version":"2014-04-04"},"ratio":{"value":1e+308,"version":"2014-04-04"}}`

func ptr[T any](v T) *T { return &v }

func TestBag(t *testing.T) {
	t.Run("format 1 has golden bytes", goldenBytes)
	t.Run("newer and damaged entries are kept", newerOrDamaged)
}

func goldenBytes(t *testing.T) {
	tally := &Tally{}
	transfer := NewTransfer(nil, "2014-04-04", tally)
	transfer.Stash("ratio", ptr(1e308))
	transfer.Stash("alphaKey", ptr("a"))
	transfer.Stash("alphaKey", ptr(true), "2014-04-04", "2015-05-05")
	transfer.Stash("amount", ptr(int64(math.MaxInt64)))
	data, err := json.Marshal(transfer.Rest())
	if err != nil {
		t.Fatal(err)
	}
	if string(data) != format1 {
		t.Errorf("wrote %s\nwant  %s", data, format1)
	}
	if tally.Stashed != 4 {
		t.Errorf("counted %d stashed values, want 4", tally.Stashed)
	}
}

func TestTransfer(t *testing.T) {
	t.Run("values come back as they were", valuesComeBack)
	t.Run("nothing stale comes back", nothingStale)
	t.Run("the source is never changed", sourceUnchanged)
	t.Run("an empty bag costs nothing", emptyBag)
}

func valuesComeBack(t *testing.T) {
	type nested struct {
		Zones []string          `json:"zones,omitzero"`
		Tags  map[string]string `json:"tags,omitzero"`
	}
	for _, test := range []struct {
		why   string
		value any // a pointer, slice or map as properties are
	}{
		{"the largest integer is no float64", ptr(int64(math.MaxInt64))},
		{"the smallest integer", ptr(int64(math.MinInt64))},
		{"the largest magnitude in use", ptr(1e308)},
		{"the smallest number", ptr(math.SmallestNonzeroFloat64)},
		{"markup and separators that encoding/json likes to escape", ptr("<&>\u2028\"\\\x00𝒳")},
		{"empty is not nil", []string{}},
		{"empty is not nil in maps either", map[string]string{}},
		{"nor within objects", &nested{Zones: []string{}}},
		{"false is not absent", ptr(false)},
	} {
		up := NewTransfer(nil, "v", &Tally{})
		up.Stash("x", test.value)
		data, err := json.Marshal(up.Rest())
		if err != nil {
			t.Fatal(err)
		}
		var stored Bag
		if err := json.Unmarshal(data, &stored); err != nil {
			t.Fatal(err)
		}
		down := NewTransfer(stored, "w", &Tally{})
		back := reflect.New(reflect.TypeOf(test.value))
		down.Recall("X", back.Interface())
		if got := back.Elem().Interface(); !reflect.DeepEqual(got, test.value) {
			t.Errorf("%s: %#v came back as %#v from %s", test.why, test.value, got, data)
		}
		if rest := down.Rest(); rest != nil {
			t.Errorf("%s: %v is left, want nil", test.why, rest)
		}
	}
}

func TestStash(t *testing.T) {
	t.Run("nil is not stashed", nilNotStashed)
	t.Run("a value that JSON does not have is an error", noJSON)
}

func nilNotStashed(t *testing.T) {
	tally := &Tally{}
	transfer := NewTransfer(nil, "v", tally)
	for _, nothing := range []any{nil, (*string)(nil), []string(nil), map[string]string(nil), json.RawMessage("null")} {
		transfer.Stash("x", nothing)
	}
	if rest := transfer.Rest(); rest != nil || tally.Stashed != 0 {
		t.Errorf("%d values are in the bag %v", tally.Stashed, rest)
	}
}

func TestRecall(t *testing.T) {
	t.Run("unreadable entries stay", unreadableStay)
	t.Run("a property is recalled in its own shapes only", ownShapes)
	t.Run("another shape is converted", anotherShape)
}

func unreadableStay(t *testing.T) {
	for _, test := range []struct {
		why, entry string
	}{
		{"another type", `{"value":true,"version":"v"}`},
		{"a float is no integer", `{"value":1.5,"version":"v"}`},
		{"a property that the shape lacks", `{"value":{"b":1},"version":"v"}`},
		{"no value", `{"version":"v"}`},
		{"no object", `[1,2]`},
		{"a version that is no string", `{"value":1,"version":2}`},
	} {
		for _, into := range []any{ptr(ptr(int64(5))), ptr(&struct{ A int }{5})} {
			if strings.HasPrefix(test.why, "a property") {
				into = ptr(&struct{ A int }{5})
			}
			var bag Bag
			if err := json.Unmarshal([]byte(`{"x":`+test.entry+`}`), &bag); err != nil {
				t.Fatalf("%s: %v", test.why, err)
			}
			before := reflect.ValueOf(into).Elem().Interface()
			tally := &Tally{}
			transfer := NewTransfer(bag, "w", tally)
			transfer.Recall("x", into, "v", "v2")
			if reflect.ValueOf(into).Elem().Interface() != before || tally.Unreadable != 1 || tally.Recalled != 0 {
				t.Errorf("%s: was recalled", test.why)
			}
			transfer.Stash("x", (*string)(nil))
			if data, _ := json.Marshal(transfer.Rest()); string(data) != `{"x":`+test.entry+`}` {
				t.Errorf("%s: became %s", test.why, data)
			}
		}
	}
}

// bagOf makes a bag of keys and values. The version follows the "@", or an "=" in
// front of the value.
func bagOf(t *testing.T, entries ...string) Bag {
	t.Helper()
	bag := Bag{}
	for _, text := range entries {
		key, rest, _ := strings.Cut(text, " ")
		version, value, _ := strings.Cut(rest, "=")
		bag[key] = Entry{Version: version, Value: json.RawMessage(value)}
	}
	return bag
}

func show(bag Bag) string {
	var all []string
	for key, entry := range bag {
		all = append(all, fmt.Sprintf("%s %s=%s", key, entry.Version, entry.Value))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func ownShapes(t *testing.T) {
	for _, test := range []struct {
		why, bag string
		shapes   []string
		want     string // "" if nothing
		rest     string
	}{
		{"any version, if no shapes are given", "x v1=1", nil, "1", ""},
		{"a version that is given", "x v1=1", []string{"v2", "v1"}, "1", ""},
		{"a shape of another version is another property", "x v1=1", []string{"v2"}, "", "x v1=1"},
		{"an entry beside others of its name", "x@v2 v2=2", []string{"v2", "v3"}, "2", ""},
		{"the other's place does not matter", "x v1=true,x@v2 v2=2", []string{"v2"}, "2", "x v1=true"},
		{"a property that had another name", "home v1=1", []string{"home@v1", "v2"}, "1", ""},
		{"a property that had another name, beside others", "home@v1 v1=1", []string{"home@v1", "v2"}, "1", ""},
		{"a name without its version is not enough", "home v3=1", []string{"home@v1", "v2"}, "", "home v3=1"},
		{"the key has another version than the entry", "x@v2 v3=2", []string{"v2"}, "", "x@v2 v3=2"},
	} {
		tally := &Tally{}
		transfer := NewTransfer(bagOf(t, strings.Split(test.bag, ",")...), "w", tally)
		var got *int64
		transfer.Recall("X", &got, test.shapes...)
		if text := ""; got != nil {
			if text = fmt.Sprint(*got); text != test.want {
				t.Errorf("%s: recalled %s", test.why, text)
			}
		} else if test.want != "" {
			t.Errorf("%s: nothing was recalled", test.why)
		}
		if rest := show(transfer.Rest()); rest != test.rest {
			t.Errorf("%s: %q is left, want %q", test.why, rest, test.rest)
		}
		if tally.Unreadable > 0 {
			t.Errorf("%s: counted as unreadable", test.why)
		}
	}
}

func anotherShape(t *testing.T) {
	parse := func(s *string) *int64 {
		if n, err := strconv.ParseInt(*s, 10, 64); err == nil {
			return &n
		}
		return nil
	}
	for _, test := range []struct {
		why, bag   string
		set        *int64
		want       string
		rest       string
		unreadable int
	}{
		{"a value that fits", `x v1="7"`, nil, "7", "", 0},
		{"a value that does not fit stays", `x v1="seven"`, nil, "<nil>", `x v1="seven"`, 0},
		{"what is not of the shape stays, and is counted", "x v1=7", nil, "<nil>", "x v1=7", 1},
		{"a property that is set keeps its value", `x v1="7"`, ptr(int64(5)), "5", `x v1="7"`, 0},
		{"another version", `x v2="7"`, nil, "<nil>", `x v2="7"`, 0},
	} {
		tally := &Tally{}
		transfer := NewTransfer(bagOf(t, test.bag), "w", tally)
		x := test.set
		RecallFrom(&transfer, "x", &x, parse, "v1")
		got := "<nil>"
		if x != nil {
			got = fmt.Sprint(*x)
		}
		if rest := show(transfer.Rest()); got != test.want || rest != test.rest || tally.Unreadable != test.unreadable {
			t.Errorf("%s: got %s, left %q, %d unreadable", test.why, got, rest, tally.Unreadable)
		}
	}
}

// A value that was set meanwhile takes the place of what the bag has of the
// property, and of nothing else.
func nothingStale(t *testing.T) {
	both := []string{"v1", "v2", "old@v0"}
	for _, test := range []struct {
		why, bag string
		act      func(*Transfer)
		rest     string
	}{
		{"stashing replaces", "x v1=1,y v1=2", func(t *Transfer) { t.Stash("x", ptr(5)) }, "x w=5, y v1=2"},
		{"nothing to stash replaces nothing", "x v1=1", func(t *Transfer) { t.Stash("x", (*int)(nil)) }, "x v1=1"},
		{"all shapes of the property", "x v1=1,x@v2 v2=2,old v0=3,x@v9 v9=9", func(t *Transfer) { t.Stash("x", ptr(5), both...) },
			"x@v9 v9=9, x@w w=5"},
		{"but no other property of the name", "x v9=1", func(t *Transfer) { t.Stash("x", ptr(5), both...) }, "x v9=1, x@w w=5"},
		{"a value that fits", "x v1=[1]", func(t *Transfer) { Fit(t, "x", ptr(5), ptr("5")) }, ""},
		{"a value that does not", "x v1=[1]", func(t *Transfer) { Fit(t, "x", ptr("a"), (*int)(nil)) }, `x w="a"`},
		{"beside others", "x v9=1,x@v1 v1=2", func(t *Transfer) { Fit(t, "x", ptr(5), ptr("5"), both...) }, "x v9=1"},
		{"no value", "x v1=[1]", func(t *Transfer) { Fit(t, "x", (*int)(nil), (*string)(nil)) }, "x v1=[1]"},
	} {
		transfer := NewTransfer(bagOf(t, strings.Split(test.bag, ",")...), "w", &Tally{})
		test.act(&transfer)
		if rest := show(transfer.Rest()); rest != test.rest {
			t.Errorf("%s: %q is left, want %q", test.why, rest, test.rest)
		}
	}
}

func sourceUnchanged(t *testing.T) {
	source := Bag{}
	if err := json.Unmarshal([]byte(format1), &source); err != nil {
		t.Fatal(err)
	}
	before := source.DeepCopy()
	transfer := NewTransfer(source, "2015-05-05", &Tally{})
	var key *string
	transfer.Recall("alphaKey", &key)
	transfer.Stash("amount", ptr(int64(1)))
	rest := transfer.Rest()
	if key == nil || *key != "a" {
		t.Error("alphaKey was not recalled")
	}
	if _, ok := rest["alphakey"]; ok {
		t.Error("a recalled value is still in the bag")
	}
	if string(rest["amount"].Value) != "1" || rest["amount"].Version != "2015-05-05" {
		t.Errorf("amount is %s", rest["amount"].Value)
	}
	for _, entry := range rest {
		clear(entry.Value)
	}
	if !reflect.DeepEqual(source, before) {
		t.Error("the source's bag changed")
	}
}

func newerOrDamaged(t *testing.T) {
	for _, text := range []string{
		`{"x":{"digest":"abc","value":1,"version":"v"}}`,
		`{"x":{"Value":1,"version":"v"}}`,
		`{"x":"text","y":{"value":1e2,"version":"v"}}`,
		`{"":"no bag at all"}`,
	} {
		var bag Bag
		if err := json.Unmarshal([]byte(text), &bag); err != nil {
			t.Fatal(err)
		}
		if data, err := json.Marshal(bag.DeepCopy()); err != nil || string(data) != text {
			t.Errorf("%s became %s, %v", text, data, err)
		}
	}
	var bag Bag
	if err := json.Unmarshal([]byte(`[1]`), &bag); err != nil {
		t.Error("a bag that is no object makes its owner unreadable:", err)
	}
}

func noJSON(t *testing.T) {
	tally := &Tally{}
	transfer := NewTransfer(nil, "v", tally)
	transfer.Stash("x", ptr(math.NaN()))
	if len(tally.Errors) != 1 || !strings.Contains(tally.Errors[0].Error(), `property "x"`) {
		t.Errorf("errors: %v", tally.Errors)
	}
}

func emptyBag(t *testing.T) {
	type object struct {
		name *string
		list []string
		bag  Bag
	}
	src, dst, tally := &object{}, &object{}, &Tally{}
	if n := testing.AllocsPerRun(100, func() {
		transfer := NewTransfer(src.bag, "v", tally)
		transfer.Recall("camelCase", &dst.name)
		transfer.Stash("camelCase", src.list)
		transfer.Stash("otherCase", src.name)
		dst.bag = transfer.Rest()
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzEntry checks that an entry is read as encoding/json reads its members.
func FuzzEntry(f *testing.F) {
	for _, seed := range []string{
		`{"value":1,"version":"2020-01-01"}`, `{"value":null,"version":""}`, `{"value":"\",\"version\":\"x","version":"y"}`,
		`{"value":{"version":"x"},"version":"y"}`, `{"value": 1,"version":"x"}`, `{"value":1 ,"version":"x"}`,
		`{"value":1,"version":"x\n"}`,
		`{"value":1,"version":"\""}`, `{"value":1,"more":2,"version":"x"}`, `{"value":1,"value":2,"version":"x"}`,
		`{"value":1,"version":"é"}`,
		`{"value":1,"version":"x","version":"y"}`, `{"value":,"version":"x"}`, `{"value":1,"version":x"}`, `null`, `"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			t.Skip()
		}
		var got, want Entry
		if err := got.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		var members map[string]json.RawMessage
		_ = json.Unmarshal([]byte(text), &members) // nil if it is no object
		version, versioned := members["version"]
		value, valued := members["value"]
		known := versioned && valued && !isNull(version) && json.Unmarshal(version, &want.Version) == nil
		if known {
			want.Value = value
		} else {
			want.Version = ""
		}
		if !known || len(members) != 2 {
			want.Source = json.RawMessage(text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is read as %+v, want %+v", text, got, want)
		}
	})
}

// FuzzBag checks that any JSON is read as a bag and written as it was read, and that
// what can be recalled comes back when it is stashed again.
func FuzzBag(f *testing.F) {
	f.Add(format1)
	f.Add(`{"x":{"value":{"a":[1,2.50,"\u2028"]},"version":"v","more":1}}`)
	f.Add(`{"x":[],"X":null}`)
	f.Add(`[1]`)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			t.Skip()
		}
		var bag, again Bag
		if err := json.Unmarshal([]byte(text), &bag); err != nil {
			t.Fatal(err)
		}
		first, err := json.Marshal(bag)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(first, &again); err != nil {
			t.Fatal(err)
		}
		second, err := json.Marshal(again)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%s\n%s\n%v", first, second, err)
		}
		tally := &Tally{}
		for name, entry := range bag {
			transfer := NewTransfer(bag, entry.Version, tally)
			var value any
			transfer.Recall(name, &value)
			transfer.Stash(name, value)
			if rest := transfer.Rest(); len(rest) != len(bag) && name == Fold(name) {
				t.Fatalf("%v became %v", bag, rest)
			}
		}
	})
}
