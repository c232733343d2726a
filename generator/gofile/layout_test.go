package gofile

import (
	"go/format"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLayout compares the layout with gofmt's, for code that emitters print and for
// edge cases of gofmt's rules. tests/bench/sizes does the same for all groups.
func TestLayout(t *testing.T) {
	for _, test := range []struct {
		reason string
		print  func(f *File)
	}{
		{"nothing", func(*File) {}},
		{"imports alone", func(f *File) { f.Import("fmt"); f.Import("k8s.io/api/v1"); f.P("var x int") }},
		{"one group of imports", func(f *File) { f.Import("k8s.io/api/v1"); f.P("var x int") }},
		{"blank lines at either end, and too many", func(f *File) {
			f.P()
			f.P("var x int")
			f.P()
			f.P()
			f.P("func f() {")
			f.P()
			f.P("g()")
			f.P()
			f.P("}")
			f.P()
		}},
		{"columns, which blank lines, comments and lines without any end", func(f *File) {
			f.P("type T struct {")
			f.P("A\tstring\t`json:\"a\"`")
			f.P("LongName\tmap[string]string\t`json:\"longName\"`")
			f.P("B\tÄ\t`json:\"b\"`")
			f.Doc(1, "C is further down.")
			f.P("C\tint\t`json:\"c\"`")
			f.P()
			f.P("Other\tint\t`json:\"other\"`")
			f.P("D\t[]string\t`json:\"d\"`")
			f.P("Embedded")
			f.P("E\tint\t`json:\"e\"`")
			f.P("}")
		}},
		{"embedded types", func(f *File) {
			f.P("type T struct { // why")
			f.P("a.TypeMeta\t`json:\",inline\"`")
			f.P("a.LongerMeta\t`json:\"metadata\"`")
			f.P("}")
		}},
		{"constants", func(f *File) {
			f.P("const (")
			f.P("A\tT\t= \"a\"")
			f.P("Second\tT\t= \"(\"")
			f.P("Third\tT\t= \"\\\"{\"")
			f.P(")")
		}},
		{"one constant", func(f *File) {
			f.P("const (")
			f.P("A\tT\t= \"a\"")
			f.P(")")
		}},
		{"functions in calls", func(f *File) {
			f.P("func f() {")
			f.P("g(a, func(v T) U {\nreturn h(v, func(w V) W {\nreturn w\n})\n}, b)")
			f.P("add(c,")
			f.P("&A{}, &B{},")
			f.P(")")
			f.P("}")
		}},
		{"comments that end in a bracket", func(f *File) { f.P("// See (here"); f.P("var x int") }},
		{"lists", func(f *File) { f.Doc(0, "One of:\n\n- this\n\n- that"); f.P("var x int") }},
		{"numbers", func(f *File) { f.Doc(0, "1. this and that. 2. another."); f.P("var x int") }},
		{"headings", func(f *File) { f.Doc(0, "One.\n\nA Heading\n\nThe text."); f.P("var x int") }},
		{"links", func(f *File) { f.Doc(0, "See\n\n[here]: https://example.com"); f.P("var x int") }},
		{"quotation marks", func(f *File) { f.Doc(0, "It is ``so''."); f.P("var x int") }},
		{"code", func(f *File) { f.Doc(0, "It is {"); f.P("var x int") }},
	} {
		f := New("p", "p", "types.go")
		test.print(f)
		checkFormat(t, test.reason, f)
	}
	for length := range 120 {
		f := New("p", "p", "types.go")
		f.Func("func f"+strings.Repeat("x", length)+"()", "return true")
		f.P()
		f.P("var v = ", Function("func(x"+strings.Repeat("x", length)+" int) string", "return f()"))
		checkFormat(t, "functions of one line", f)
	}
}

func checkFormat(t *testing.T, reason string, f *File) {
	t.Helper()
	got, err := f.Bytes()
	if err != nil {
		t.Fatalf("%s: %v", reason, err)
	}
	want, err := format.Source(got)
	if err != nil {
		t.Fatalf("%s: %v\n%s", reason, err, got)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-gofmt +got):\n%s", reason, diff)
	}
}
