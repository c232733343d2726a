package lawfacts_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/lawfacts"
	"github.com/armature-dev/armature/runtime/laws"
	gocmp "github.com/google/go-cmp/cmp"
)

func TestFacts(t *testing.T) {
	t.Run("the runtime reads what is written", func(t *testing.T) {
		written, read := format(reflect.TypeFor[lawfacts.Facts]()), format(reflect.TypeFor[laws.Facts]())
		// A waiver of the runtime may be for one package. The facts are of one anyway.
		delete(read, ".waivers,omitempty[].package,omitempty")
		// Nothing that packages are made from has these limits of the raw form.
		maps.DeleteFunc(written, func(path, _ string) bool {
			_, limit, _ := strings.Cut(path, "imits,omitempty.")
			return slices.Contains([]string{"format,omitempty", "otherPattern,omitempty", "uniqueItems,omitempty"}, limit)
		})
		if diff := gocmp.Diff(read, written); diff != "" {
			t.Errorf("(-read +written):\n%s", diff)
		}
	})
}

// format returns the path of each JSON field of a type, and the kind of its value.
func format(t reflect.Type) map[string]string {
	fields := map[string]string{}
	var visit func(path string, t reflect.Type)
	visit = func(path string, t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer:
			visit(path, t.Elem())
		case reflect.Slice:
			visit(path+"[]", t.Elem())
		case reflect.Map:
			visit(fmt.Sprintf("%s[%v]", path, t.Key()), t.Elem())
		case reflect.Struct:
			for f := range t.Fields() {
				visit(path+"."+f.Tag.Get("json"), f.Type)
			}
		default:
			fields[path] = t.Kind().String()
		}
	}
	visit("", t)
	return fields
}
