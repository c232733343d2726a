package reconcile

import (
	"testing"

	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

func TestFieldOf(t *testing.T) {
	type status struct {
		Id     *string
		hidden string
	}
	id := "x"
	s := &status{Id: &id}
	if got := kinds.FieldOf[*string](s, "Id"); got == nil || *got != &id {
		t.Errorf("got %v", got)
	}
	for _, row := range []struct {
		what string
		got  any
	}{
		{"no such field", kinds.FieldOf[*string](s, "ID")},
		{"a field of another type", kinds.FieldOf[string](s, "Id")},
		{"a field that is not exported", kinds.FieldOf[string](s, "hidden")},
		{"no pointer", kinds.FieldOf[*string](*s, "Id")},
		{"nil", kinds.FieldOf[*string](nil, "Id")},
		{"a pointer to nothing", kinds.FieldOf[*string]((*status)(nil), "Id")},
		{"a pointer to something else", kinds.FieldOf[*string](&id, "Id")},
	} {
		if found := row.got != (*string)(nil) && row.got != (**string)(nil); found {
			t.Errorf("%s: got %v", row.what, row.got)
		}
	}
}
