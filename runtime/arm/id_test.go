package arm

import (
	"context"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/reference"
)

// Zone_Spec is at the tenant or on any resource.
type Zone_Spec struct {
	AzureName *string             `json:"azureName,omitempty" arm:"-,name"`
	Owner     *reference.AnyOwner `json:"owner,omitempty"`
}

func (*Zone_Spec) ARMResource() Resource {
	return Resource{Type: "Contoso.Homes/zones", APIVersion: "2020-02-02", Scope: Tenant | Extension}
}

// Grant_Spec has a name that is a GUID.
type Grant_Spec struct {
	AzureName *string             `json:"azureName,omitempty" arm:"-,name"`
	Owner     *reference.AnyOwner `json:"owner,omitempty"`
}

func (*Grant_Spec) ARMResource() Resource {
	return Resource{Type: "Contoso.Homes/grants", APIVersion: "2020-02-02", Scope: Extension, GUIDName: true}
}

func TestID(t *testing.T) {
	t.Run("owner and name make the URL", urls)
	t.Run("a name that is a GUID", guids)
	t.Run("an owner that does not fit is an error", wrongOwners)
}

func guids(t *testing.T) {
	const given = "6bb3b3a5-1d3f-4a5e-9b6e-0123456789aB"
	// The first GUID is a contract: with another one it would be another resource.
	const made = "d4ec37f1-23e0-565f-8e32-c68c37f59916"
	id := func(owner, azureName, name string) (string, error) {
		spec := &Grant_Spec{Owner: &reference.AnyOwner{ARMID: owner}, AzureName: &azureName}
		id, err := ID(context.Background(), spec, name, fake{})
		return id[strings.LastIndexByte(id, '/')+1:], err
	}
	for _, row := range []struct{ reason, owner, azureName, name, want string }{
		{"is made of the owner and the name", "/subscriptions/s", "", "reader", made},
		{"has no case", "/Subscriptions/S/", "", "reader", made},
		{"that is given", "/subscriptions/s", given, "reader", given},
		{"that is the name of the object", "/subscriptions/s", "", strings.ToLower(given), strings.ToLower(given)},
	} {
		if got, err := id(row.owner, row.azureName, row.name); err != nil || got != row.want {
			t.Errorf("%s: got %s, %v, want %s", row.reason, got, err, row.want)
		}
	}
	for reason, row := range map[string][2]string{
		"another owner": {"/subscriptions/t", "reader"}, "another name": {"/subscriptions/s", "writer"},
	} {
		if got, err := id(row[0], "", row[1]); err != nil || got == made || !isGUID(got) {
			t.Errorf("%s: got %s, %v", reason, got, err)
		}
	}
	// An admission policy denies names that are not GUIDs. Users can turn it off where a spec is wrong.
	if got, err := id("/subscriptions/s", "reader", "reader"); err != nil || got != "reader" {
		t.Errorf("got %s, %v", got, err)
	}
	for _, name := range []string{"{" + given + "}", strings.ReplaceAll(given, "-", "")} {
		if got, err := id("/subscriptions/s", "", name); err != nil || got == name || !isGUID(got) {
			t.Errorf("%s is no GUID as ARM writes it: got %s, %v", name, got, err)
		}
	}
}

func urls(t *testing.T) {
	const house = "/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/h"
	for _, row := range []struct {
		reason string
		spec   ARMTransformer
		want   string
	}{
		{"in a resource group, by its name", &House_Spec{Owner: &reference.Owner{Name: "g"}},
			"/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/object"},
		{"by its id, which may end in a slash", &House_Spec{Owner: &reference.Owner{ARMID: "/Subscriptions/s/resourcegroups/g/"}},
			"/Subscriptions/s/resourcegroups/g/providers/Contoso.Homes/houses/object"},
		{"azureName takes precedence over the name of the object", &House_Spec{AzureName: p("n"), Owner: &reference.Owner{Name: "g"}},
			"/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/n"},
		{"a child, with a fixed name", &Deal_Spec{Owner: &reference.Owner{Name: "h"}}, house + "/deals/default"},
		{"ARM has no case", &Deal_Spec{Owner: &reference.Owner{ARMID: strings.ToLower(house)}}, strings.ToLower(house) + "/deals/default"},
		{"on any resource", &Job_Spec{Owner: &reference.AnyOwner{ARMID: house}}, house + "/providers/Contoso.Homes/jobs/object"},
		{"by kind and name", &Job_Spec{Owner: &reference.AnyOwner{Group: "G", Kind: "K", Name: "n"}},
			"/subscriptions/s/resourceGroups/g/providers/G/K/n/providers/Contoso.Homes/jobs/object"},
		{"on an extension of a resource", &Job_Spec{Owner: &reference.AnyOwner{ARMID: house + "/providers/A.B/c/d"}},
			house + "/providers/A.B/c/d/providers/Contoso.Homes/jobs/object"},
		{"a resource group, whose path names no provider", &Group_Spec{Owner: &reference.Owner{ARMID: "/subscriptions/s"}},
			"/subscriptions/s/resourceGroups/object"},
		{"in a subscription", &Job_Spec{Owner: &reference.AnyOwner{ARMID: "/subscriptions/s"}},
			"/subscriptions/s/providers/Contoso.Homes/jobs/object"},
		{"in the subscription that the resolver knows", &Group_Spec{}, "/subscriptions/s/resourceGroups/object"},
		{"at the tenant, without an owner", &Zone_Spec{}, "/providers/Contoso.Homes/zones/object"},
		{"at the tenant", &Zone_Spec{Owner: &reference.AnyOwner{ARMID: "/"}}, "/providers/Contoso.Homes/zones/object"},
		{"an extension of the tenant", &Job_Spec{Owner: &reference.AnyOwner{ARMID: "/"}}, "/providers/Contoso.Homes/jobs/object"},
		{"an extension of a management group",
			&Job_Spec{Owner: &reference.AnyOwner{ARMID: "/providers/Microsoft.Management/managementGroups/m"}},
			"/providers/Microsoft.Management/managementGroups/m/providers/Contoso.Homes/jobs/object"},
	} {
		got, err := ID(context.Background(), row.spec, "object", fake{})
		if err != nil || got != row.want {
			t.Errorf("%s:\n got %s, %v\nwant %s", row.reason, got, err, row.want)
		}
	}
}

func wrongOwners(t *testing.T) {
	for _, row := range []struct {
		reason string
		spec   ARMTransformer
		want   string
	}{
		{"no owner", &House_Spec{}, "spec.owner: missing: Contoso.Homes/houses belongs to a resource group"},
		{"no owner of what may be in a subscription or elsewhere", &Job_Spec{},
			"spec.owner: missing: Contoso.Homes/jobs belongs to a subscription or any resource"},
		{"an empty owner of what is in a subscription", &Group_Spec{Owner: &reference.Owner{}}, "spec.owner: neither a name nor an ARM id"},
		{"an owner with a name and an id", &House_Spec{Owner: &reference.Owner{Name: "g", ARMID: "/x"}},
			"spec.owner: both a name and an ARM id: expected one of them"},
		{"an owner of any kind with a kind and an id", &Job_Spec{Owner: &reference.AnyOwner{Kind: "K", ARMID: "/x"}},
			"spec.owner: both a name and an ARM id: expected one of them"},
		{"an empty owner", &House_Spec{Owner: &reference.Owner{}}, "spec.owner: neither a name nor an ARM id"},
		{"a subscription for a resource group", &House_Spec{Owner: &reference.Owner{ARMID: "/subscriptions/s"}},
			"expected the ARM id of a resource group"},
		{"a resource in a group", &House_Spec{Owner: &reference.Owner{
			ARMID: "/subscriptions/s/resourceGroups/g/providers/A.B/c/d"}}, "expected the ARM id of a resource group"},
		{"a resource group for a parent", &Deal_Spec{Owner: &reference.Owner{ARMID: "/subscriptions/s/resourceGroups/g"}},
			"a Contoso.Homes/houses"},
		{"a parent of another type", &Deal_Spec{Owner: &reference.Owner{ARMID: "/providers/Contoso.Homes/tents/t"}},
			"a Contoso.Homes/houses"},
		{"an id that is cut", &Job_Spec{Owner: &reference.AnyOwner{ARMID: "/subscriptions"}}, "any resource"},
		{"cut after its provider", &Job_Spec{Owner: &reference.AnyOwner{ARMID: "/subscriptions/s/providers/A.B"}}, "any resource"},
		{"cut after providers", &Job_Spec{Owner: &reference.AnyOwner{ARMID: "/subscriptions/s/providers"}}, "any resource"},
		{"with a hole", &Job_Spec{Owner: &reference.AnyOwner{ARMID: "/subscriptions//resourceGroups/g"}}, "any resource"},
		{"that leads to another subscription", &Job_Spec{
			Owner: &reference.AnyOwner{ARMID: "/subscriptions/s/../t/resourceGroups/g"}}, "any resource"},
		{"that leads to another group", &House_Spec{Owner: &reference.Owner{ARMID: "/subscriptions/s/resourceGroups/.."}},
			"expected the ARM id of a resource group"},
		{"that stays where it is", &House_Spec{Owner: &reference.Owner{ARMID: "/subscriptions/./resourceGroups/g"}},
			"expected the ARM id of a resource group"},
		{"that leads elsewhere by the resolver", &House_Spec{Owner: &reference.Owner{Name: ".."}},
			"expected the ARM id of a resource group"},
		{"no id", &Job_Spec{Owner: &reference.AnyOwner{ARMID: "scope"}}, "any resource"},
		{"the tenant, where it may not be", &House_Spec{Owner: &reference.Owner{ARMID: "/"}}, "a resource group"},
		{"an owner that does not exist", &Job_Spec{Owner: &reference.AnyOwner{Kind: "K", Name: "missing"}},
			"spec.owner: there is no K missing"},
		{"a name that leads elsewhere", &Zone_Spec{AzureName: p("../x")}, "spec.azureName"},
		{"the name of a folder", &Zone_Spec{AzureName: p("..")}, "spec.azureName"},
	} {
		if got, err := ID(context.Background(), row.spec, "object", fake{}); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %q, %v, want %q", row.reason, got, err, row.want)
		}
	}
}

func TestNewRequest(t *testing.T) {
	t.Run("it has all that ARM needs", completeRequest)
	t.Run("the error lists everything that is wrong with a Spec", allErrors)
}

func completeRequest(t *testing.T) {
	spec := &House_Spec{Owner: &reference.Owner{Name: "g 1"}, Location: p("here"), AzureName: p("50%?#")}
	r, err := NewRequest(context.Background(), spec, "object", fake{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Name != "50%?#" || r.Type != "Contoso.Homes/houses" || string(r.Body) != `{"location":"here"}` {
		t.Errorf("got %+v", r)
	}
	const want = "/subscriptions/s/resourceGroups/g%201/providers/Contoso.Homes/houses/50%25%3F%23?api-version=2020-02-02"
	if r.URL() != want {
		t.Errorf("got  %s\nwant %s", r.URL(), want)
	}
}

func allErrors(t *testing.T) {
	_, err := NewRequest(context.Background(), &House_Spec{Street: &reference.Resource{}}, "object", fake{})
	if err == nil || !strings.Contains(err.Error(), "spec.owner") || !strings.Contains(err.Error(), "spec.streetReference") {
		t.Errorf("got %v", err)
	}
}
