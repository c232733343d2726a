package gofile

import (
	"strings"
	"testing"
)

func TestIdent(t *testing.T) {
	f := New("example.com/apis/v1", "v1", "types.go")
	f.Reserve("slices")
	f.P("var (")
	for i, ident := range []string{
		f.Ident("k8s.io/apimachinery/pkg/apis/meta/v1", "Time"),
		f.Ident("example.com/apis/v1", "Own"),
		f.Ident("example.com/other/v1", "A"),
		f.Ident("example.com/other/reference", "B"),
		f.Ident("example.com/2nd-one/reference", "C"),
		f.Ident("slices", "Clone"),
		f.Ident("example.com/other/reference", "D"),
	} {
		f.P("x", i, " = ", ident)
	}
	f.P(")")
	got, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	const want = Header + `

package v1

import (
	slices2 "slices"

	ndonereference "example.com/2nd-one/reference"
	"example.com/other/reference"
	otherv1 "example.com/other/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	x0 = metav1.Time
	x1 = Own
	x2 = otherv1.A
	x3 = reference.B
	x4 = ndonereference.C
	x5 = slices2.Clone
	x6 = reference.D
)
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDoc(t *testing.T) {
	f := New("p", "p", "types.go")
	f.Doc(0, strings.Repeat("word ", 19)+"+not:a:marker\nnext\n\n\n+kubebuilder:x second\n")
	f.P("var x int")
	got, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	want := "// " + strings.Repeat("word ", 19) + "+not:a:marker\n// next\n//\n// \"+kubebuilder:x\" second\nvar x int\n"
	if !strings.HasSuffix(string(got), want) {
		t.Errorf("got\n%s\nwant the end\n%s", got, want)
	}
	for line := range strings.Lines(string(got)) {
		if len(line) > lineWidth+len("+not:a:marker")+1 {
			t.Errorf("line of %d columns: %s", len(line), line)
		}
	}
}

func TestBytes(t *testing.T) {
	for _, test := range []struct {
		reason string
		lines  []string
		want   string
	}{
		{"a literal that ends too early", []string{"var (", "a = `b`c`", ")"}, "has a string without an end: a = `b`c`"},
		{"a literal whose last quotation mark is escaped", []string{`var a = "b\"`}, `has a string without an end: var a = "b\"`},
		{"a block without an end", []string{"func f() {"}, "1 blocks are not closed"},
		{"an end without a block", []string{"func f() {}}"}, "closes a block that no line opens: func f() {}}"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			f := New("example.com/v1", "v1", "types.go")
			for _, line := range test.lines {
				f.P(line)
			}
			text, err := f.Bytes()
			const prefix = "the generated code is not Go: example.com/v1/types.go: "
			if err == nil || !strings.HasPrefix(err.Error(), prefix) || !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("error = %v, want %s…%s; got\n%s", err, prefix, test.want, text)
			}
		})
	}
}
