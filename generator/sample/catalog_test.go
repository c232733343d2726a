package sample

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// town has kinds of three groups, whose samples refer to each other. The clinic and the
// pharmacy refer to each other in a circle. The owner of an audit can be of any kind.
var town = map[Kind]string{
	{Group: "resources.example.com", Kind: "ResourceGroup", ARMType: "Microsoft.Resources/resourceGroups"}: `
apiVersion: resources.example.com/v1
kind: ResourceGroup
spec:
  location: westeurope
`,
	{Group: "care.example.com", Kind: "Clinic", ARMType: "Contoso.Care/clinics"}: `
apiVersion: v1
kind: Secret
stringData:
  password: secret
---
apiVersion: care.example.com/v2
kind: Clinic
spec:
  owner:
    name: mysample
  password:
    key: password
    name: mysample-clinic
  pharmacies:
  - armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Drugs/pharmacies/mysample
  - armId: /subscriptions/1/resourceGroups/mine/providers/Contoso.Drugs/pharmacies/mine
`,
	{Group: "care.example.com", Kind: "ClinicWard", ARMType: "Contoso.Care/clinics/wards/first"}: `
apiVersion: care.example.com/v2
kind: ClinicWard
spec:
  owner:
    name: mysample
  sponsor:
    armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Bank/accounts/mysample
  street:
    group: care.example.com
    kind: Street
    name: mysample
`,
	{Group: "law.example.com", Kind: "Audit", ARMType: "Contoso.Law/audits"}: `
apiVersion: law.example.com/v1
kind: Audit
spec:
  owner:
    armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Care/clinics/mysample
`,
	{Group: "drugs.example.com", Kind: "Pharmacy", ARMType: "Contoso.Drugs/pharmacies"}: `
apiVersion: drugs.example.com/v3
kind: Pharmacy
spec:
  clinic:
    armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Care/clinics/mysample
  owner:
    group: resources.example.com
    kind: ResourceGroup
    name: mysample
`,
	{Group: "care.example.com", Kind: "Street", ARMType: "Contoso.Care/streets", Absent: true}: "",
}

// catalog returns the catalog of the town, in which some kinds are absent.
func catalog(absent ...string) *Catalog {
	var kinds []Kind
	texts := map[string]string{}
	for k, text := range town {
		texts[k.Kind] = strings.TrimPrefix(text, "\n")
		for _, name := range absent {
			k.Absent = k.Absent || k.Kind == name
		}
		kinds = append(kinds, k)
	}
	return NewCatalog(kinds, func(k Kind, version string) ([]byte, error) {
		if texts[k.Kind] == "" {
			return nil, errors.New(k.Kind + " has no sample")
		}
		if version == "" {
			return []byte(texts[k.Kind]), nil
		}
		return []byte(strings.Replace(texts[k.Kind], "/v2", "/"+version, 1)), nil
	})
}

const (
	theGroup = "apiVersion: resources.example.com/v1\nkind: ResourceGroup\nspec:\n  location: westeurope\n"
	theWard  = `apiVersion: care.example.com/VERSION
kind: ClinicWard
spec:
  owner:
    name: mysample
  sponsor:
    armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Bank/accounts/mysample
  street:
    armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Care/streets/mysample
`
	theClinic = `apiVersion: v1
kind: Secret
stringData:
  password: secret
---
apiVersion: care.example.com/v2
kind: Clinic
spec:
  owner:
    name: mysample
  password:
    key: password
    name: mysample-clinic
  pharmacies:
  - group: drugs.example.com
    kind: Pharmacy
    name: mysample
  - armId: /subscriptions/1/resourceGroups/mine/providers/Contoso.Drugs/pharmacies/mine
`
	thePharmacy = `apiVersion: drugs.example.com/v3
kind: Pharmacy
spec:
  clinic:
    armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Care/clinics/mysample
  owner:
    group: resources.example.com
    kind: ResourceGroup
    name: mysample
`
)

func TestCatalog(t *testing.T) {
	ward := func(version string) string { return strings.Replace(theWard, "VERSION", version, 1) }
	const noGroup = "armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample\n"
	for _, test := range []struct {
		reason, kind, version string
		withOwners            bool
		absent                []string
		want                  []string
	}{
		{"the object alone, with its Secret", "Clinic", "", false, nil, []string{theClinic}},
		{"all that it is in, and all that this refers to, each once", "ClinicWard", "", true, nil,
			[]string{theGroup, thePharmacy, theClinic, ward("v2")}},
		{"a version of the object, and the newest of the others", "ClinicWard", "v1", true, nil,
			[]string{theGroup, thePharmacy, theClinic, ward("v1")}},
		{"a circle is broken at the same place", "Pharmacy", "", true, nil, []string{theGroup, thePharmacy}},
		{"an owner of any kind has its group and kind", "Audit", "", true, nil, []string{theGroup, thePharmacy, theClinic,
			"apiVersion: law.example.com/v1\nkind: Audit\nspec:\n  owner:\n    group: care.example.com\n    kind: Clinic\n    name: mysample\n"}},
		{"an owner whose kind is absent has an id", "Pharmacy", "", true, []string{"ResourceGroup"},
			[]string{thePharmacy[:strings.Index(thePharmacy, "group:")] + noGroup}},
	} {
		var k Kind
		for other := range town {
			if other.Kind == test.kind {
				k = other
			}
		}
		got, err := catalog(test.absent...).Sample(k, test.version, test.withOwners)
		if err != nil {
			t.Errorf("%s: %v", test.reason, err)
		}
		if diff := cmp.Diff(strings.Join(test.want, "---\n"), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
	t.Run("a sample that cannot be read is an error", func(t *testing.T) {
		k := Kind{Group: "care.example.com", Kind: "Street", ARMType: "Contoso.Care/streets"}
		if _, err := catalog().Sample(k, "", true); err == nil || err.Error() != "Street has no sample" {
			t.Errorf("got %v", err)
		}
	})
}
