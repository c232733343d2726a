package arm

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/runtime/reference"
)

// taker is a Spec with texts that other objects have.
type taker struct {
	Name     *string                 `json:"name,omitempty"`
	NameFrom *reference.Value        `json:"nameFrom,omitempty" arm:"name,createOnly"`
	Deep     *string                 `json:"deep,omitempty" arm:"properties/name"`
	DeepFrom *reference.Value        `json:"deepFrom,omitempty" arm:"properties/name"`
	List     []takerPart             `json:"list,omitempty"`
	Map      map[string]takerPart    `json:"map,omitempty"`
	Part     *takerPart              `json:"part,omitempty" arm:"properties/part"`
	IDs      map[string]takerNothing `json:"ids,omitempty"`
	IDsFrom  []reference.Resource    `json:"idsFrom,omitempty" arm:"ids,keys" armtypes:"Contoso.Crm/people"`
}

type takerPart struct {
	Word     *string          `json:"word,omitempty"`
	WordFrom *reference.Value `json:"wordFrom,omitempty" arm:"word"`
}

type takerNothing struct{}

func (*taker) ARMResource() Resource { return Resource{Type: "Contoso.Crm/takers"} }

// outputs has the values of objects, by the name of the object and a slash and the output.
type outputs struct {
	fake
	values map[string]string
	asked  *[]string
}

func (o outputs) Value(_ context.Context, of Taker, ref reference.Value) (string, error) {
	path := of.Path
	if of.CreateOnly {
		path += "!"
	}
	*o.asked = append(*o.asked, path)
	if value, found := o.values[ref.Name+"/"+ref.Output]; found {
		return value, nil
	}
	return "", errors.New("not there")
}

func TestFillIn(t *testing.T) {
	from := func(name string) *reference.Value { return &reference.Value{Kind: "Pet", Name: name, Output: "o"} }
	text := func(s string) *string { return &s }
	for _, test := range []struct {
		behavior string
		spec     taker
		want     string   // the body
		asked    string   // the paths
		wrong    []string // parts of the error
	}{
		{behavior: "a text is where ARM has it", spec: taker{NameFrom: from("a")}, want: `{"name":"A"}`, asked: "spec.name!"},
		{behavior: "two of one name in ARM at two levels are two", spec: taker{Name: text("x"), DeepFrom: from("a")},
			want: `{"name":"x","properties":{"name":"A"}}`, asked: "spec.deep"},
		{behavior: "in lists, maps and objects",
			spec: taker{List: []takerPart{{}, {WordFrom: from("a")}}, Map: map[string]takerPart{"k": {WordFrom: from("b")}},
				Part: &takerPart{WordFrom: from("a")}},
			want:  `{"list":[{},{"word":"A"}],"map":{"k":{"word":"B"}},"properties":{"part":{"word":"A"}}}`,
			asked: `spec.list[1].word spec.map["k"].word spec.part.word`},
		{behavior: "both are refused", spec: taker{Name: text("x"), NameFrom: from("a")},
			wrong: []string{"spec.nameFrom: name is set, too; set one of the two"}},
		{behavior: "all that is wrong is said, with its place", spec: taker{NameFrom: from("x"), DeepFrom: from("y")},
			wrong: []string{"spec.name: not there", "spec.deep: not there"}, asked: "spec.name! spec.deep"},
		{behavior: "ids become keys of a map, each once", spec: taker{
			IDs:     map[string]takerNothing{"/SUBSCRIPTIONS/S/resourceGroups/g/providers/crm/Person/ANN": {}},
			IDsFrom: []reference.Resource{{Group: "crm", Kind: "Person", Name: "ann"}, {ARMID: "/other"}}},
			want: `{"ids":{"/SUBSCRIPTIONS/S/resourceGroups/g/providers/crm/Person/ANN":{},"/other":{}}}`},
		{behavior: "ids become keys of a map that is not there", spec: taker{IDsFrom: []reference.Resource{{ARMID: "/other"}}},
			want: `{"ids":{"/other":{}}}`},
		{behavior: "an id without a name is refused", spec: taker{IDsFrom: []reference.Resource{{}}},
			wrong: []string{"spec.idsFrom[0]: neither a name nor an ARM id"}},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			var asked []string
			resolver := outputs{values: map[string]string{"a/o": "A", "b/o": "B"}, asked: &asked}
			err := FillIn(t.Context(), &test.spec, resolver)
			for _, wrong := range test.wrong {
				if err == nil || !strings.Contains(err.Error(), wrong) {
					t.Errorf("got %v, want %q in it", err, wrong)
				}
			}
			if got := strings.Join(asked, " "); got != test.asked {
				t.Errorf("it has asked for %q, want %q", got, test.asked)
			}
			if len(test.wrong) > 0 {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := Encode(t.Context(), &test.spec, resolver)
			if diff := cmp.Diff(test.want, string(got)); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
	t.Run("what nobody has asked for is not sent", func(t *testing.T) {
		for _, spec := range []*taker{{NameFrom: from("a")}, {IDsFrom: []reference.Resource{{ARMID: "/other"}}}} {
			if body, err := Encode(t.Context(), spec, outputs{}); err == nil {
				t.Errorf("got %s, want an error", body)
			}
		}
	})
	t.Run("an answer has none", func(t *testing.T) {
		var spec taker
		_, err := Decode([]byte(`{"name":"A","ids":{"/x":{}}}`), &spec)
		if err != nil || spec.NameFrom != nil || spec.IDsFrom != nil || *spec.Name != "A" {
			t.Errorf("got %+v, %v", spec, err)
		}
	})
}

func TestReferTo(t *testing.T) {
	text := func(s string) *string { return &s }
	b := &reference.Value{Kind: "Pet", Name: "b", Output: "word"}
	for _, test := range []struct {
		behavior   string
		spec, want taker
	}{
		{"a text that a source has", taker{Name: text("x"), Part: &takerPart{Word: text("B")}},
			taker{Name: text("x"), Part: &takerPart{WordFrom: b}}},
		{"in lists and maps", taker{List: []takerPart{{}, {Word: text("B")}}, Map: map[string]takerPart{"k": {Word: text("B")}}},
			taker{List: []takerPart{{}, {WordFrom: b}}, Map: map[string]takerPart{"k": {WordFrom: b}}}},
		{"a source is for a property of one name", taker{Name: text("B")}, taker{Name: text("B")}},
		{"a reference that is there stays", taker{Part: &takerPart{Word: text("B"), WordFrom: &reference.Value{Name: "mine"}}},
			taker{Part: &takerPart{Word: text("B"), WordFrom: &reference.Value{Name: "mine"}}}},
		{"ids that are keys", taker{IDs: map[string]takerNothing{"/b": {}, "/a": {}, "/x": {}}},
			taker{IDs: map[string]takerNothing{"/x": {}},
				IDsFrom: []reference.Resource{{Kind: "Person", Name: "a"}, {Kind: "Person", Name: "b"}}}},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if err := ReferTo(&test.spec, petsAndPeople{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, test.spec); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// petsAndPeople are sources: a person of each id but /x, and a pet with a word.
type petsAndPeople struct{}

func (petsAndPeople) Named(id string) (reference.Resource, bool) {
	return reference.Resource{Kind: "Person", Name: strings.TrimPrefix(id, "/")}, id != "/x"
}

func (petsAndPeople) Valued(property, text string) (reference.Value, bool) {
	return reference.Value{Kind: "Pet", Name: strings.ToLower(text), Output: property}, property == "word" && text == "B"
}
