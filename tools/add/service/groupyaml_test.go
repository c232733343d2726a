package service

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/config"
)

func TestExtend(t *testing.T) {
	const exports = "exports:\n  Contoso.Shop/orders: {kind: Order}\n"
	mark := func(property, name, why string) proposal {
		return proposal{property: property, Mark: config.Mark{Name: name, Why: why}, safe: true}
	}
	open := mark("Order.dId", config.Reference, "its name alone")
	open.safe = false
	none := mark("Order.bId", config.Reference, "its own")
	none.Not = true
	for _, test := range []struct {
		behaviour, text string
		proposals       []proposal
		renames         []typeRename
		want            string
	}{
		{
			"lines go between those of other properties, and comments stay where they are",
			"properties:\n  # Ours.\n  Order.aId: reference\n  # The color.\n  Order.cId: secret # a word\n  # The end.\n\nretired: []\n",
			[]proposal{none, mark("Order.aKey", config.Secret, "the name says so"), open}, nil,
			"properties:\n  # Ours.\n  Order.aId: reference\n  Order.aKey: secret # the name says so\n" +
				"  Order.bId: {not: reference, why: \"its own\"}\n  # The color.\n  Order.cId: secret # a word\n" +
				config.Question + "#  Order.dId: reference # its name alone\n  # The end.\n\nretired: []\n",
		},
		{
			"a property gets another mark in its line, and each has its evidence",
			"properties:\n  Order.aId: reference # ids in the examples\n  Order.bId: {not: secret, why: \"a: b\"}\n",
			[]proposal{mark("Order.aId", config.CreateOnly, "swagger says so"), none}, nil,
			"properties:\n  Order.aId: [reference, createOnly] # ids in the examples; createOnly: swagger says so\n" +
				"  Order.bId: [{not: secret, why: \"a: b\"}, {not: reference, why: \"its own\"}]\n",
		},
		{
			"marks on several lines come to one, with their comments",
			"properties:\n  # Ours.\n  Order.aId:\n    - {not: secret,\n       why: a word\n      }\n    - reference # by hand\n" +
				"  Order.cId: secret\n",
			[]proposal{
				mark("Order.aId", config.CreateOnly, "swagger says so"), mark("Order.bKey", config.Secret, "the name says so"),
			}, nil,
			"properties:\n  # Ours.\n" +
				"  Order.aId: [{not: secret, why: \"a word\"}, reference, createOnly] # by hand; createOnly: swagger says so\n" +
				"  Order.bKey: secret # the name says so\n  Order.cId: secret\n",
		},
		{"without properties they come last", "", []proposal{mark("Order.aId", config.Reference, "ids in the examples"), open}, nil,
			"\nproperties:\n  Order.aId: reference # ids in the examples\n" +
				config.Question + "#  Order.dId: reference # its name alone\n"},
		{"questions alone are a comment", "", []proposal{open}, nil,
			"\n#properties:\n" + config.Question + "#  Order.dId: reference # its name alone\n"},
		{
			"renames go between those of other versions",
			"changes:\n  - {type: A, since: 2020-01-01, renamed: B} # by hand\n  - {type: B, since: 2022-01-01, renamed: C}\n", nil,
			[]typeRename{{"D", "E", "2021-01-01", "Order.d"}, {"E", "F", "2023-01-01", "Order.d"}},
			"changes:\n  - {type: A, since: 2020-01-01, renamed: B} # by hand\n" +
				"  - {type: D, since: \"2021-01-01\", renamed: E} # the type of Order.d\n  - {type: B, since: 2022-01-01, renamed: C}\n" +
				"  - {type: E, since: \"2023-01-01\", renamed: F} # the type of Order.d\n",
		},
		{"without changes they come last", "", nil, []typeRename{{"D", "E", "2021-01-01", "Order.d"}},
			"\nchanges:\n  - {type: D, since: \"2021-01-01\", renamed: E} # the type of Order.d\n"},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			decisions, err := config.Parse("group.yaml", []byte(exports+test.text))
			if err != nil {
				t.Fatal(err)
			}
			got, err := extend(decisions, []byte(exports+test.text), nil, test.proposals, "", test.renames)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(exports+test.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if _, err := config.Parse("group.yaml", got); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestEvidence has a mark that is made anew beside a correction, whose reason is its own.
func TestEvidence(t *testing.T) {
	const text = "exports:\n  Contoso.Shop/orders: {kind: Order}\n\nproperties:\n" +
		"  Order.a: [{not: writeOnly, why: \"ARM shows it\", source: \"https://a.example\"}, createOnly] # a.json:%s of 2022-01-01\n"
	before := fmt.Sprintf(text, "1")
	decisions, err := config.Parse("group.yaml", []byte(before))
	if err != nil {
		t.Fatal(err)
	}
	createOnly := config.Mark{Name: config.CreateOnly}
	anew := proposal{property: "Order.a", Mark: config.Mark{Name: config.CreateOnly, Why: "a.json:2 of 2022-01-01"}, safe: true}
	got, err := extend(decisions, []byte(before), map[string][]config.Mark{"Order.a": {createOnly}}, []proposal{anew}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fmt.Sprintf(text, "2"), string(got)); diff != "" {
		t.Errorf("the evidence is not that of now alone (-want +got):\n%s", diff)
	}
}
