package crm_test

import (
	"bytes"
	"encoding/json"
	"testing"

	old2013 "github.com/armature-dev/armature/apis/crm/v20130303"
	here "github.com/armature-dev/armature/apis/crm/v20130303storage"
	next "github.com/armature-dev/armature/apis/crm/v20140404storage"
	latest "github.com/armature-dev/armature/apis/crm/v20211111"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/google/go-cmp/cmp"
)

// choose takes the last digit of a number, in a system with one digit more than
// there are values, and returns the value for it, or nil for 0.
func choose(number *int, values ...string) *string {
	i := *number % (len(values) + 1)
	if *number /= len(values) + 1; i == 0 {
		return nil
	}
	return &values[i-1]
}

// TestHooks checks that the hooks between 2013-03-03 and 2014-04-04 undo each
// other, for all combinations of some names.
func TestHooks(t *testing.T) {
	t.Run("names of 2013-03-03 come back from 2014-04-04", func(t *testing.T) {
		for number := range 5 * 5 * 5 {
			rest := number
			person := &here.Person_Spec{
				FirstName:  choose(&rest, "", " ", "A", "A B"),
				MiddleName: choose(&rest, "", " ", "A", "A B"),
				LastName:   choose(&rest, "", " ", "A", "A B"),
			}
			up := &next.Person_Spec{}
			down := &here.Person_Spec{}
			undo(t, person, up, down)
		}
	})

	t.Run("names and bags of 2014-04-04 come back from 2013-03-03", func(t *testing.T) {
		const unset = "noted as unset"
		for number := range 4 * 4 * 4 * 4 * 5 * 5 * 5 {
			rest := number
			person := &next.Person_Spec{
				KnownAs:    choose(&rest, "", "A", "B"),
				FamilyName: choose(&rest, "", "A", "B"),
				AlphaKey:   choose(&rest, "", "A", "B"),
				LegalName:  choose(&rest, "A B A", "A  A", "C"),
			}
			bag := map[string]*string{"firstname": choose(&rest, "", "A", "B", unset),
				"middlename": choose(&rest, "", "A", "B", unset), "lastname": choose(&rest, "", "A", "B", unset)}
			for name, value := range bag {
				if value != nil {
					if person.PropertyBag == nil {
						person.PropertyBag = propertybag.Bag{}
					}
					text, _ := json.Marshal(value)
					if *value == unset {
						text = []byte("null")
					}
					person.PropertyBag[name] = propertybag.Entry{Version: "2013-03-03", Value: text}
				}
			}
			undo(t, person, &here.Person_Spec{}, &next.Person_Spec{})
		}
	})
}

// TestEditOfFirstName sets the first name at 2013-03-03, and checks the names of
// the latest version.
func TestEditOfFirstName(t *testing.T) {
	name := func(s string) *string { return &s }
	for _, test := range []struct {
		name      string
		made      conversion.Convertible    // what somebody creates
		meanwhile func(*latest.Person_Spec) // an edit before the first name is set
		want      latest.Person_Spec
	}{
		{"computed names follow", &old2013.Person{Spec: old2013.Person_Spec{FirstName: name("Ada"), LastName: name("King")}},
			func(*latest.Person_Spec) {},
			latest.Person_Spec{KnownAs: name("Eve"), FamilyName: name("King"), SortKey: name("King"), LegalName: name("Eve King")}},
		{"names that somebody has set stay", &old2013.Person{Spec: old2013.Person_Spec{FirstName: name("Ada"), LastName: name("King")}},
			func(s *latest.Person_Spec) { s.KnownAs, s.LegalName = name("Countess"), name("Augusta Ada King") },
			latest.Person_Spec{KnownAs: name("Countess"), FamilyName: name("King"), SortKey: name("King"),
				LegalName: name("Augusta Ada King")}},
		{"a name from which the first name was computed follows it",
			&latest.Person{Spec: latest.Person_Spec{KnownAs: name("Ada"), LegalName: name("Augusta Ada King")}},
			func(*latest.Person_Spec) {},
			latest.Person_Spec{KnownAs: name("Eve"), LegalName: name("Augusta Ada King")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			hub := test.made.(conversion.KubernetesResource).NewHub()
			seen, edited := &latest.Person{}, &old2013.Person{}
			step := func(err error) {
				if err != nil {
					t.Fatal(err)
				}
			}
			step(test.made.ConvertTo(hub))
			step(seen.ConvertFrom(hub))
			test.meanwhile(&seen.Spec)
			step(seen.ConvertTo(hub))
			step(edited.ConvertFrom(hub))
			edited.Spec.FirstName = name("Eve")
			step(edited.ConvertTo(hub))
			step(seen.ConvertFrom(hub))
			if diff := cmp.Diff(test.want, seen.Spec); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// undo converts a Spec to another version and back, and fails the test if it
// differs then.
func undo(t *testing.T, spec, there, back conversion.ConvertibleSpec) {
	t.Helper()
	if err := spec.ConvertSpecTo(there); err != nil {
		t.Fatal(err)
	}
	if err := there.ConvertSpecTo(back); err != nil {
		t.Fatal(err)
	}
	want, _ := json.Marshal(spec)
	got, _ := json.Marshal(back)
	if !bytes.Equal(want, got) {
		between, _ := json.Marshal(there)
		t.Fatalf("%s\nbecame %s\nand    %s", want, between, got)
	}
}
