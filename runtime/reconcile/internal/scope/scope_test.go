package scope

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, row := range []struct {
		reason, text string
		want         []string // in the error, none if there is none
	}{
		{"a subscription", "/subscriptions/S-1", nil},
		{"several, as YAML folds them", "/subscriptions/s,\n  /SUBSCRIPTIONS/t/ResourceGroups/a.b_(c)-ä\n", nil},
		{"nothing", "", []string{"found no id"}},
		{"commas alone", " , ", []string{"found no id"}},
		{"all that is wrong at once", "subscriptions/s, /subscriptions/s/resourceGroups, /subscriptions/s",
			[]string{`"subscriptions/s"`, `"/subscriptions/s/resourceGroups"`}},
		{"a resource", "/subscriptions/s/resourceGroups/g/providers/A.B/c/d", []string{"resourceGroups/g/providers"}},
		{"no id", "*", []string{`"*"`}},
		{"all subscriptions", "/subscriptions/*", []string{`"/subscriptions/*"`}},
		{"a pattern", "/subscriptions/s/resourceGroups/a*", []string{"a*"}},
		{"a slash at the end, which might be meant as all below", "/subscriptions/s/", []string{`"/subscriptions/s/"`}},
		{"a way out", "/subscriptions/../resourceGroups/g", []string{".."}},
		{"a management group", "/providers/Microsoft.Management/managementGroups/m", nil},
		{"all of a type", "/providers/Microsoft.Subscription/aliases", nil},
		{"a billing account", "/providers/Microsoft.Billing/billingAccounts/5e98e158-0000:1234_2019-05-31", nil},
		{"a provider alone", "/providers/Microsoft.Management", []string{`"/providers/Microsoft.Management"`}},
		{"what is in a management group", "/providers/Microsoft.Management/managementGroups/m/providers/A.B/c/d",
			[]string{"managementGroups/m/providers"}},
		{"a pattern of management groups", "/providers/Microsoft.Management/managementGroups/m*", []string{"m*"}},
		{"the tenant", "/", []string{`"/"`}},
	} {
		s, err := Parse(row.text)
		if (err == nil) != (row.want == nil) {
			t.Errorf("%s: got %v", row.reason, err)
		}
		for _, want := range row.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %s in it", row.reason, err, want)
			}
		}
		if err == nil && len(s.all) == 0 {
			t.Errorf("%s: got nothing", row.reason)
		}
	}
}

func TestAllow(t *testing.T) {
	s, err := Parse("/subscriptions/s/resourceGroups/a, /subscriptions/k, /subscriptions/u/resourceGroups/kä, " +
		"/providers/Microsoft.Management/managementGroups/a, /providers/N.N/all")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		reason, id string
		want       bool
	}{
		{"the group itself", "/subscriptions/s/resourceGroups/a", true},
		{"a resource in it, in another case", "/Subscriptions/S/resourcegroups/A/providers/N.N/t/n", true},
		{"a group that begins with the same text", "/subscriptions/s/resourceGroups/ab", false},
		{"a group that the scope begins with", "/subscriptions/u/resourceGroups/k", false},
		{"its subscription", "/subscriptions/s", false},
		{"another resource of its subscription", "/subscriptions/s/providers/N.N/t/n", false},
		{"another subscription", "/subscriptions/t/resourceGroups/a", false},
		{"a whole subscription", "/subscriptions/K/resourceGroups/any", true},
		{"a subscription that begins with the same text", "/subscriptions/k2", false},
		{"a letter that Unicode folds to another one", "/subscriptions/\u212a", false},
		{"a way out", "/subscriptions/s/resourceGroups/a/../b", false},
		{"a way out that is escaped", "/subscriptions/s/resourceGroups/a/%2e%2e/b", false},
		{"an empty segment", "/subscriptions/s/resourceGroups/a//providers/N.N/t/n", false},
		{"no id", "", false},
		{"without the slash", "subscriptions/k", false},
		{"a management group, in another case", "/providers/microsoft.management/managementgroups/A", true},
		{"an extension of it", "/providers/Microsoft.Management/managementGroups/a/providers/N.N/t/n", true},
		{"another one, which begins with the same text", "/providers/Microsoft.Management/managementGroups/ab", false},
		{"a way to another one", "/providers/Microsoft.Management/managementGroups/a/../b", false},
		{"one of a type of which all are", "/providers/N.N/all/x", true},
		{"another type of its provider", "/providers/N.N/alls/x", false},
		{"the tenant", "/", false},
		{"an extension of the tenant", "/providers/Microsoft.Authorization/roleAssignments/x", false},
	} {
		if got := s.Allow(row.id); got != row.want {
			t.Errorf("%s: %s: got %v", row.reason, row.id, got)
		}
	}
	if (Scopes{}).Allow("/subscriptions/s") {
		t.Error("nothing allows something")
	}
}

func TestOutside(t *testing.T) {
	s, err := Parse("/subscriptions/s/resourceGroups/a, /providers/Microsoft.Management/managementGroups/a")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ reason, body, id, path string }{
		{"nothing", `{"properties":{"n":1,"s":"text","b":true,"o":null}}`, "", ""},
		{"ids within", `{"x":[{"id":"/subscriptions/S/resourceGroups/A/providers/N.N/t/n"}]}`, "", ""},
		{"a reference", `{"x":[{"id":"/subscriptions/s/resourceGroups/b/providers/N.N/t/n"}]}`,
			"/subscriptions/s/resourceGroups/b", "x[0].id"},
		{"the key of an identity", `{"identity":{"ids":{"/subscriptions/t/resourceGroups/a/providers/N.N/t/n":{}}}}`,
			"/subscriptions/t/resourceGroups/a", "identity.ids./subscriptions/t/resourceGroups/a/providers/N.N/t/n"},
		{"a URL", `{"x":"https://management.azure.com/subscriptions/t/providers/N.N/t/n"}`, "/subscriptions/t", "x"},
		{"one of several in a text", `{"x":"/subscriptions/s/resourceGroups/a/x,/subscriptions/s/resourceGroups/ab"}`,
			"/subscriptions/s/resourceGroups/ab", "x"},
		{"its whole subscription", `{"scope":"/subscriptions/s"}`, "/subscriptions/s", "scope"},
		{"a way out", `{"x":"/subscriptions/s/resourceGroups/a/../b/providers/N.N/t/n"}`, "/subscriptions/s/resourceGroups/a", "x"},
		{"a path of an API, which is no id", `{"urlTemplate":"/subscriptions/{id}/cancel"}`, "", ""},
		{"a definition that is built in", `{"roleDefinitionId":"/providers/Microsoft.Authorization/roleDefinitions/b24988ac"}`, "", ""},
		{"a management group", `{"x":"/providers/Microsoft.Management/managementGroups/m"}`,
			"/providers/Microsoft.Management/managementGroups/m", "x"},
		{"a management group within", `{"x":"/providers/Microsoft.Management/managementGroups/A"}`, "", ""},
		{"two of them", `{"x":"/providers/Microsoft.Management/managementGroups/a,/providers/Microsoft.Management/managementGroups/b"}`,
			"/providers/Microsoft.Management/managementGroups/a,/providers/Microsoft.Management/managementGroups/b", "x"},
	} {
		id, path, err := s.Outside([]byte(row.body))
		if id != row.id || id != "" && path != row.path || err != nil {
			t.Errorf("%s: got %q at %q, %v", row.reason, id, path, err)
		}
	}
}
