package reconcile

import "testing"

func TestFieldOf(t *testing.T) {
	type status struct {
		Id     *string
		hidden string
	}
	id := "x"
	s := &status{Id: &id}
	if got := fieldOf[*string](s, "Id"); got == nil || *got != &id {
		t.Errorf("got %v", got)
	}
	for _, row := range []struct {
		what string
		got  any
	}{
		{"no such field", fieldOf[*string](s, "ID")},
		{"a field of another type", fieldOf[string](s, "Id")},
		{"a field that is not exported", fieldOf[string](s, "hidden")},
		{"no pointer", fieldOf[*string](*s, "Id")},
		{"nil", fieldOf[*string](nil, "Id")},
		{"a pointer to nothing", fieldOf[*string]((*status)(nil), "Id")},
		{"a pointer to something else", fieldOf[*string](&id, "Id")},
	} {
		if found := row.got != (*string)(nil) && row.got != (**string)(nil); found {
			t.Errorf("%s: got %v", row.what, row.got)
		}
	}
}
