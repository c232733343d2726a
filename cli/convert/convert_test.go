package convert_test

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/cli/objects/objectstest"
	"github.com/google/go-cmp/cmp"
)

const person = objectstest.Person

func TestConvert(t *testing.T) {
	t.Run("a resource is printed as a client of another version sees it", testConvertToClient)
	t.Run("what a version cannot hold is told by path and value, without the bags", testConvertBags)
	t.Run("a stored version is printed with its bag", testConvertToStored)
	t.Run("nothing is printed if one resource is wrong", testConvertErrors)
}

func testConvertToClient(t *testing.T) {
	got, err := objectstest.Armature(t, person, "convert", "-f", "-", "--to", "v20110101")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Person ada, written at v20190909.\n",
		"# v20110101 cannot hold these values, so ARM would not get them at this version:\n",
		"#   spec.alphaKey of 2014-04-04: \"lovelace\"\n",
		"#   spec.legalName of 2014-04-04: \"Augusta Ada King\"\n",
		"apiVersion: crm.azure.armature.dev/v20110101\n",
		"firstName: Ada\n",
		"lastName: Lovelace\n",
		"armature.dev/remainder: ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the output does not have %q:\n%s", want, got)
		}
	}

	byDate, err := objectstest.Armature(t, person, "convert", "-f", "-", "--to", "2011-01-01")
	if err != nil || byDate != got {
		t.Errorf("by ARM's name of the version: %v\n%s\nwant\n%s", err, byDate, got)
	}

	back, err := objectstest.Armature(t, got, "convert", "-f", "-", "--to", "v20190909")
	if err != nil {
		t.Fatal(err)
	}
	want := "# Person ada, written at v20190909.\n" + person
	if back != want {
		t.Errorf("converted back:\n%s\nwant\n%s", back, want)
	}
}

// A bag is within another one, where two versions on the way to the hub lack properties.
func testConvertBags(t *testing.T) {
	newest := strings.NewReplacer("v20190909", "v20211111", "spec:\n", `spec:
  residentialAddress: {coordinates: {latitude: 1.5}, countryCode: GB, lines: [London, SW1]}
  mailingAddress: {lines: [Dover]}
`).Replace(person)
	got, err := objectstest.Armature(t, newest, "convert", "-f", "-", "--to", "v20110101")
	if err != nil {
		t.Fatal(err)
	}
	want := `# Person ada, written at v20211111.
# v20110101 cannot hold these values, so ARM would not get them at this version:
#   spec.alphaKey of 2014-04-04: "lovelace"
#   spec.legalName of 2014-04-04: "Augusta Ada King"
#   spec.mailingAddress.lines of 2021-11-11: ["Dover"]
#   spec.residentialAddress.countryCode of 2021-11-11: "GB"
#   spec.residentialAddress.lines of 2021-11-11: ["London","SW1"]
#   spec.residentialAddress.latitude of 2020-10-10: 1.5
`
	comment, _, _ := strings.Cut(got, "apiVersion:")
	if diff := cmp.Diff(want, comment); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func testConvertToStored(t *testing.T) {
	old := strings.NewReplacer("v20190909", "v20130303", "familyName", "lastName", "knownAs", "firstName", "legalName",
		"middleName", "  sortKey: lovelace\n", "").Replace(person)
	got, err := objectstest.Armature(t, old, "convert", "-f", "-", "--to", "v20211111storage")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"kind: Person\n", "$propertyBag:", "originalVersion: v20130303\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the output does not have %q:\n%s", want, got)
		}
	}
	back, err := objectstest.Armature(t, got, "convert", "-f", "-", "--to", "v20211111storage")
	if err != nil || back != got {
		t.Errorf("the stored version converted to itself: %v\n%s\nwant\n%s", err, back, got)
	}
}

func testConvertErrors(t *testing.T) {
	for _, test := range []struct {
		why, in, to string
		want        []string
	}{
		{"a version that the kind does not have", person, "v20180909",
			[]string{`resource 1`, `Person.crm.azure.armature.dev has no version "v20180909"; it has v20211111, `}},
		{"a date at which ARM has no version of it", person, "2018-09-09",
			[]string{`Person.crm.azure.armature.dev has no version "2018-09-09"; it has v20211111, `}},
		{"a resource of such a version", strings.Replace(person, "2019", "2018", 1), "v20110101",
			[]string{`no version "v20180909"`}},
		{"a kind of another group", strings.Replace(person, "crm.", "hr.", 1), "v20110101",
			[]string{`found the kind "Person" of the group "hr.azure.armature.dev", expected one of cache.azure.armature.dev, crm`}},
		{"a property that the version does not have", person + "  sort: x\n", "v20110101", []string{`unknown field "spec.sort"`}},
		{"the second and the third", strings.Join([]string{person, person + "  a: x\n", person + "  b: x\n"}, "---\n"), "v20110101",
			[]string{"resource 2", `"spec.a"`, "resource 3", `"spec.b"`}},
		{"no YAML", "a: [", "v20110101", []string{"resource 1", "line 1"}},
	} {
		got, err := objectstest.Armature(t, test.in, "convert", "-f", "-", "--to", test.to)
		if err == nil || got != "" {
			t.Errorf("%s: got error %v and output %q; want an error and no output", test.why, err, got)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error does not have %s:\n%v", test.why, want, err)
			}
		}
	}
}
