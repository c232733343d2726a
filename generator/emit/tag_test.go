package emit

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
)

func TestTag(t *testing.T) {
	text := ir.TypeRef{Primitive: ir.String}
	for _, arm := range []string{"a`b", "a\"b", `a\b`, "a\nb", "a\tb", "a\x00b", "\ufeff", "a`; func init() {}"} {
		printed := tag(jsonTag("a", "omitempty") + armTag(new(ir.Type), &ir.Property{Name: "a", ARM: arm, Type: text}))
		unquoted, err := strconv.Unquote(printed)
		if err != nil {
			t.Errorf("%q leaves the tag %s", arm, printed)
			continue
		}
		if got := reflect.StructTag(unquoted).Get("arm"); got != arm {
			t.Errorf("%q comes out of its tag as %q", arm, got)
		}
	}
}

func TestBytes(t *testing.T) {
	t.Run("a file that is not Go is an error", func(t *testing.T) {
		f := NewFile("example.com/v1", "v1")
		f.P("var a = `b`c`")
		if text, err := f.Bytes(); err == nil {
			t.Errorf("got\n%s", text)
		}
	})
}
