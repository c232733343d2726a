package diag

import "testing"

func TestNearest(t *testing.T) {
	for _, test := range []struct {
		reason, name, want string
		candidates         []string
	}{
		{"one letter of a short name", "tgs", "tags", []string{"tags", "sku"}},
		{"two letters changed places", "Crat", "Cart", []string{"Cart", "Shop"}},
		{"case does not matter", "KIND", "kind", []string{"kind"}},
		{"a third of a long name", "shortName", "shortNames", []string{"plural", "shortNames"}},
		{"of two that are as near, the first by alphabet", "bat", "cat", []string{"hat", "cat"}},
		{"no name is near", "warehouses", "", []string{"carts", "orders"}},
		{"nothing to choose from", "x", "", nil},
	} {
		if got := Nearest(test.name, test.candidates); got != test.want {
			t.Errorf("%s: for %q got %q, want %q", test.reason, test.name, got, test.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	if got, want := DidYouMean("Crat", []string{"Cart"}), `; did you mean "Cart"?`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := DidYouMean("x", []string{"Cart"}); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}

func TestList(t *testing.T) {
	var l List
	if l.Err() != nil {
		t.Error("an empty list is an error, want none")
	}
	l.Addf("b.json", 10, 1, "late")
	l.Addf("b.json", 9, 1, "early")
	l.Addf("a.json", 0, 0, "no place")
	var other List
	other.Addf("b.json", 9, 1, "early")
	l.Merge(&other)
	want := "a.json: no place\nb.json:9:1: early\nb.json:10:1: late"
	if got := l.Err().Error(); got != want {
		t.Errorf("the errors are not sorted, or not each once: got\n%s\nwant\n%s", got, want)
	}
}

func TestPosition(t *testing.T) {
	text := []byte("é{\n}")
	for _, test := range []struct {
		offset       int64
		line, column int
	}{{0, 1, 1}, {2, 1, 3}, {4, 2, 1}, {99, 2, 2}} {
		if line, column := Position(text, test.offset); line != test.line || column != test.column {
			t.Errorf("offset %d is %d:%d, want %d:%d", test.offset, line, column, test.line, test.column)
		}
	}
}
