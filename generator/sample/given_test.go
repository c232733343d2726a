package sample

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// given returns the sample of the kind Shop at two versions, with what a file gives of it. The
// older version has the property motto, and the newer one has a limit on the seats.
func given(t *testing.T, text string) (newest, older string, err error) {
	t.Helper()
	values, err := ParseGiven("samples.yaml", []byte(text))
	if err != nil {
		return "", "", err
	}
	newer, was := shop("2022-01-01"), shop("2021-01-01")
	was.Type("Shop_Spec").Properties = append(was.Type("Shop_Spec").Properties,
		&ir.Property{Name: "motto", Type: ir.TypeRef{Primitive: ir.String}})
	newer.Type("Shop_Spec").Property("seats").Validation.Maximum = new(9.0)
	samples, err := All([]*plan.Package{
		pkg("v20210101", "2021-01-01", "Shelf", "Shop"), pkg("v20220101", "2022-01-01", "Shelf", "Shop"),
	}, []*ir.Version{was, newer}, values)
	for _, s := range samples {
		_, spec, _ := strings.Cut(string(s.YAML), "kind: Shop\nmetadata:\n  name: mysample\nspec:\n")
		switch s.File() {
		case "shop.yaml":
			newest = spec
		case "v20210101/shop.yaml":
			older = spec
		}
	}
	return newest, older, err
}

func TestGiven(t *testing.T) {
	newest, older, err := given(t, `
# What a person reads.
Shop:
  azureName: "4711"
  manager:
    person: {}
  motto: We sell
  optional: given
  password: secret
  seats: 20
  shelf: Contoso.Shop/shops/shelves
  size: Big
  tables:
  - {}
  - under: [{under: []}]
`)
	if err != nil {
		t.Fatal(err)
	}
	const want = `  azureName: "4711"
  location: westeurope
  manager:
    person:
      email: admin@example.com
  optional: given
  owner:
    name: mysample
  password:
    key: password
    name: mysample-shop
  seats: 5
  shelf:
    armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Shop/shops/mysample/shelves/mysample
  size: Big
  tables:
  - under: []
  - under:
    - under: []
`
	if diff := cmp.Diff(want, newest); diff != "" {
		t.Errorf("given, completed by what is required, without what the version does not take (-want +got):\n%s", diff)
	}
	wantOlder := strings.NewReplacer("  optional:", "  motto: We sell\n  optional:", "seats: 5", "seats: 20").Replace(want)
	if diff := cmp.Diff(wantOlder, older); diff != "" {
		t.Errorf("at the older version (-want +got):\n%s", diff)
	}
}

func TestGivenErrors(t *testing.T) {
	for _, test := range []struct{ reason, text, want string }{
		{"a kind that the group does not have", "Shopp: {optional: a}",
			`samples.yaml:1:1: "Shopp" is no kind of the group; did you mean "Shop"?`},
		{"a property of no version", "Shop:\n  manager: {person: {mail: a}}",
			`samples.yaml:2:22: Shop.manager.person.mail: no version takes this: v20220101 has no such property; did you mean "email"?`},
		{"a value of another type", "Shop:\n  optional: 5\n  tables: {}\n  manager: a\n", strings.Join([]string{
			`samples.yaml:2:3: Shop.optional: no version takes this: it is 5; expected a text: "5"`,
			`samples.yaml:3:3: Shop.tables: no version takes this: it is a mapping; expected a list`,
			`samples.yaml:4:3: Shop.manager: no version takes this: it is "a"; expected a mapping`}, "\n")},
		{"a number beyond the limits of all versions", "Shop: {seats: 4}",
			`samples.yaml:1:8: Shop.seats: no version takes this: it is 4, which the limits do not allow`},
		{"a name that the limits do not allow", "Shop: {azureName: ab}",
			`samples.yaml:1:8: Shop.azureName: no version takes this: it is "ab"; expected at least 3 characters that match ^[0-9]+$`},
		{"a value that an enum does not list", "Shop: {size: Smal}",
			`samples.yaml:1:8: Shop.size: no version takes this: it is "Smal"; did you mean "Small"?; expected one of Small, Big`},
		{"a secret, and an owner", "Shop: {password: a, owner: {name: a}}", strings.Join([]string{
			`samples.yaml:1:8: Shop.password: no version takes this: it is a secret: write secret, and a sample makes up its value`,
			`samples.yaml:1:21: Shop.owner: no version takes this: a sample makes it up`}, "\n")},
		{"a reference to another type", "Shop: {shelf: Contoso.Shop/shops}",
			`samples.yaml:1:8: Shop.shelf: no version takes this: it is Contoso.Shop/shops; expected one of Contoso.Shop/shops/shelves`},
		{"a reference that is no type", "Shop: {shelf: /subscriptions/a}",
			`samples.yaml:1:8: Shop.shelf: no version takes this: it is "/subscriptions/a"; expected the ARM type of a resource, ` +
				`such as Microsoft.Resources/resourceGroups`},
		{"two variants", "Shop: {manager: {robot: {}, person: {}}}",
			`samples.yaml:1:18: Shop.manager.robot: no version takes this: it is the second one of a union that has one value, after person`},
		{"a kind without properties", "Shop: [a]",
			`samples.yaml:1:1: Shop: no version takes this: it is a list; expected a mapping with properties of the Spec`},
		{"a value given twice", "Shop:\n  size: Big\n  size: Small", `samples.yaml:3:3: "size" is given twice; first on line 2`},
		{"an alias", "Shop: {manager: &a {}, tables: [*a]}", `samples.yaml:1:33: found an alias of YAML; write the value here too`},
		{"a list of kinds", "- Shop", `samples.yaml:1:1: the file is a list; expected a mapping from kinds to values`},
		{"two documents", "Shop: {}\n---\nShop: {}", `samples.yaml:2:1: found a second document; expected one`},
		{"no YAML", "Shop: {", `samples.yaml:1:1: not YAML: did not find expected node content`},
	} {
		_, _, err := given(t, test.text)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s:\ngot  %v\nwant %s", test.reason, err, test.want)
		}
	}
	if _, _, err := given(t, ""); err != nil {
		t.Errorf("an empty file gives nothing: %v", err)
	}
}
