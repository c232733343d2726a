package arm

import (
	"testing"
	"time"
)

func TestIsResource(t *testing.T) {
	const house = "/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/h"
	t.Run("a body that is not the resource is recognized", func(t *testing.T) {
		for _, body := range []string{"", `{}`, `{"operation":"CreateServer","startTime":"now"}`, `{"status":"Enqueued"}`,
			`{"name":"h"}`, `[]`, `null`,
			`{"id":""}`, `{"id":null}`, `{"id":5}`, `{"id":"/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/other"}`} {
			if IsResource([]byte(body), house) {
				t.Errorf("%s was taken for the resource", body)
			}
		}
	})
	t.Run("ids compare without case, escapes and a slash in the end", func(t *testing.T) {
		for _, id := range []string{house, "/SUBSCRIPTIONS/s/resourcegroups/g/providers/contoso.homes/houses/H/",
			"/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/%68"} {
			if !IsResource([]byte(`{"id":"`+id+`"}`), house) {
				t.Errorf("%s was not recognized", id)
			}
		}
	})
}

// TestScopes compares ids of the same type and name at scopes of which one contains the other: ARM answers so.
func TestScopes(t *testing.T) {
	const role = "/providers/Microsoft.Authorization/roleDefinitions/r"
	const subscription = "/subscriptions/s"
	for _, row := range []struct {
		asked, answered string
		same            bool
	}{
		{subscription + "/resourceGroups/g" + role, subscription + role, true},
		{subscription + "/resourceGroups/g" + role, role, true},
		{"/providers/Microsoft.Management/managementGroups/m" + role, role, true},
		{role, subscription + role, true},
		{subscription + "/resourceGroups/g" + role, "/SUBSCRIPTIONS/s" + role, true},
		{subscription + "/resourceGroups/g" + role, subscription + role + "2", false},
		{subscription + "/resourceGroups/g" + role, "/subscriptions/other" + role, false},
		{"/subscriptions/s2" + role, subscription + role, false},
		{subscription + "/resourceGroups/g" + role, subscription + "/providers/Microsoft.Authorization/locks/r", false},
		{subscription + role, "/providers/Microsoft.Management/managementGroups/m" + role, false},
	} {
		if got := IsResource([]byte(`{"id":"`+row.answered+`"}`), row.asked); got != row.same {
			t.Errorf("asked for %s, %s is the resource: %v", row.asked, row.answered, got)
		}
	}
}

// TestCreatedAt reads when ARM created a resource, in the forms in which services say it.
func TestCreatedAt(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for body, want := range map[string]time.Time{
		`{"systemData":{"createdAt":"2026-01-02T03:04:05Z","createdBy":"a"}}`: at,
		`{"systemData":{"createdAt":"2026-01-02T03:04:05.1234567Z"}}`:         at.Add(123456700),
		`{"systemData":{"createdAt":"2026-01-02T04:04:05+01:00"}}`:            at,
		`{"systemData":{"createdAt":"yesterday"}}`:                            {},
		`{"systemData":{"createdAt":7}}`:                                      {},
		`{"systemData":null}`:                                                 {},
		`{"id":"/a"}`:                                                         {},
		`[]`:                                                                  {},
		``:                                                                    {},
	} {
		got, found := CreatedAt([]byte(body))
		if !got.Equal(want) || found == want.IsZero() {
			t.Errorf("%s: got %v, %v, want %v", body, got, found, want)
		}
	}
}

// TestSameID compares spellings of ids. The key of an id, by which maps and indexes find it, has to agree.
func TestSameID(t *testing.T) {
	const group = "/subscriptions/s/resourceGroups/"
	for _, row := range []struct {
		reason string
		a, b   string
		same   bool
	}{
		{"case", group + "Group", "/SUBSCRIPTIONS/S/resourcegroups/gROUP", true},
		{"a slash at the end", group + "g", group + "g/", true},
		{"escapes", group + "a%20b", group + "a b", true},
		{"an escape that is none", group + "50%", group + "50%", true},
		{"case outside of ASCII", group + "\u00c9t\u00e9", group + "\u00e9T\u00c9", true},
		{"the Kelvin sign is not the letter k", group + "\u212a", group + "k", false},
		{"the long s is not the letter s", group + "\u017f", group + "s", false},
		{"nor is the dotted I the letter i", group + "\u0130", group + "i", false},
		{"another name", group + "g", group + "h", false},
		{"what is below", group + "g", group + "g/providers", false},
	} {
		if got := SameID(row.a, row.b); got != row.same {
			t.Errorf("%s: %q and %q: got %v, want %v", row.reason, row.a, row.b, got, row.same)
		}
	}
}
