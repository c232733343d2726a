package inline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/runtime/arm"
)

var doors = []arm.Collection{{Path: "properties/doors", Type: "Contoso.Homes/houses/doors"}}

func TestMerge(t *testing.T) {
	for _, row := range []struct{ what, body, has, drop, want string }{
		{"what ARM has is kept", `{"a":1.50}`,
			`{"properties":{"doors":[{"name":"x"}]}}`, "", `{"a":1.50,"properties":{"doors":[{"name":"x"}]}}`},
		{"what the body lists takes its place, whatever the case of its name", `{"properties":{"doors":[{"name":"X","b":1}]}}`,
			`{"properties":{"doors":[{"name":"x"},{"name":"y"}]}}`, "", `{"properties":{"doors":[{"b":1,"name":"X"},{"name":"y"}]}}`},
		{"what is dropped leaves an empty list", `{"a":1}`,
			`{"properties":{"doors":[{"name":"x"}]}}`, "x", `{"a":1,"properties":{"doors":[]}}`},
		{"nothing to keep changes nothing", `{"a": 1}`, `{"properties":{"doors":[]}}`, "", `{"a": 1}`},
		{"an empty list that is meant stays", `{"properties":{"doors":[]}}`, `{}`, "", `{"properties":{"doors":[]}}`},
	} {
		t.Run(row.what, func(t *testing.T) {
			got, err := Merge([]byte(row.body), []byte(row.has), doors, func(_ arm.Collection, e map[string]any) (map[string]any, error) {
				if Name(e) == row.drop {
					return nil, nil
				}
				return e, nil
			})
			if err != nil || string(got) != row.want {
				t.Errorf("got %s and %v, want %s", got, err, row.want)
			}
		})
	}
	t.Run("a body that has something else in the way is refused", func(t *testing.T) {
		_, err := Merge([]byte(`{"properties":1}`), []byte(`{"properties":{"doors":[{"name":"x"}]}}`), doors,
			func(_ arm.Collection, e map[string]any) (map[string]any, error) { return e, nil })
		if err == nil {
			t.Error("got no error")
		}
	})
}

func TestNames(t *testing.T) {
	got, err := Names([]byte(`{"properties":{"doors":[{"name":"B"},{"name":"a"},{"name":"b"},{}]}}`), doors)
	if diff := cmp.Diff(map[string][]string{"properties/doors": {"a", "b"}}, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if got, err := Names([]byte(`{}`), doors); err != nil || len(got) > 0 {
		t.Errorf("got %v and %v", got, err)
	}
}

func TestFill(t *testing.T) {
	onto, _ := arm.ParseObject([]byte(`{"a":{"b":1,"c":"***"},"d":null,"e":["***"],"f":["x"]}`))
	with, _ := arm.ParseObject([]byte(`{"a":{"b":4,"c":"secret","g":5},"d":{"e":5},"e":[{"h":"secret"}],"f":["y"]}`))
	Fill(onto, with, func(s string) bool { return s == "secret" })
	want, _ := arm.ParseObject([]byte(`{"a":{"b":1,"c":"secret","g":5},"d":{"e":5},"e":[{"h":"secret"}],"f":["x"]}`))
	if diff := cmp.Diff(want, onto); diff != "" {
		t.Error(diff)
	}
}

func TestElement(t *testing.T) {
	body, _ := arm.ParseObject([]byte(`{"sku":"x","properties":{"count":1}}`))
	for _, row := range []struct {
		flat bool
		want string
	}{{false, `{"sku":"x","properties":{"count":1}}`}, {true, `{"sku":"x","count":1}`}} {
		want, _ := arm.ParseObject([]byte(row.want))
		if diff := cmp.Diff(want, Element(body, arm.Collection{Flat: row.flat})); diff != "" {
			t.Errorf("flat %v: %s", row.flat, diff)
		}
	}
}
