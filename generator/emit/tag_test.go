package emit

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/gofile"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
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

// TestARMResource checks what a Spec says of a resource whose export ends in its fixed
// name, and of which there is no DELETE.
func TestARMResource(t *testing.T) {
	g := &types{Package: &shape.Package{Package: &plan.Package{APIVersion: "2020-01-01"}}}
	f := gofile.New("example.com/v1", "v1", "types.go")
	g.genARMResource(f, shape.Resource{
		Resource: &plan.Resource{Kind: "Web", ARMType: "Contoso.Shop/sites/config/web"},
		Shape: &ir.Resource{ARM: "Contoso.Shop/sites/config", Parent: "Contoso.Shop/sites", FixedName: "web", NoDelete: true,
			Spec: "Web_Spec"},
	})
	text, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	const want = `Type: "Contoso.Shop/sites/config", APIVersion: "2020-01-01", FixedName: "web", NoDelete: true}`
	if !strings.Contains(string(text), want) {
		t.Errorf("got %s, want %s", text, want)
	}
}
