package shape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
)

func TestKnown(t *testing.T) {
	enum := func(values ...string) *ir.Type {
		t := &ir.Type{Name: "Color", Kind: ir.Enum, Base: ir.String, Open: true}
		for _, v := range values {
			t.Values = append(t.Values, ir.EnumValue{Value: v})
		}
		return t
	}
	closed := enum("Red")
	closed.Open = false
	var many []string
	for i := range 200 {
		many = append(many, fmt.Sprintf("Standard_D%d", i))
	}
	for _, test := range []struct {
		of                *ir.Type
		doc, want, reason string
	}{
		{enum("Red", "Blue"), "The colour", "The colour. Known values: Red, Blue.", "a sentence of its own"},
		{enum("Red"), "The colour.", "The colour. Known values: Red.", "after a period"},
		{enum("Red"), "Values are:", "Values are: Known values: Red.", "after a colon, before what a shorter description leaves out"},
		{enum("Red"), "", "Known values: Red.", "without a description"},
		{enum("", "a b", "c,d"), "", `Known values: "", "a b", "c,d".`, "what could be mistaken is quoted"},
		{closed, "The colour.", "The colour.", "a closed enum has its values in the schema"},
		{nil, "The colour.", "The colour.", "no enum"},
	} {
		if got := WithKnown(test.doc, Known(test.of)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, got, test.want)
		}
	}
	t.Run("a long list is cut", func(t *testing.T) {
		got := Known(enum(many...))
		if len(got) > maxKnown+len(", and 200 more.") || !strings.HasSuffix(got, " more.") {
			t.Errorf("got %d bytes: %s", len(got), got)
		}
	})
}
