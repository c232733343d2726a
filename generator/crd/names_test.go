package crd_test

import (
	"encoding/json"
	"testing"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/crd/crdtest"
)

// indexOf returns the index of a group.
func indexOf(t *testing.T, group string, kinds ...crdtest.Kind) *crd.Index {
	t.Helper()
	x := new(crd.Index)
	if err := json.Unmarshal(crdtest.Files(t, group, kinds...)[crd.IndexFile], x); err != nil {
		t.Fatal(err)
	}
	return x
}

// accounts is a kind with short names.
var accounts = crdtest.Kind{Kind: "StorageAccount", Plural: "storageaccounts", ShortNames: []string{"sto", "stacc"},
	Versions: []string{"v20200101", "v20200101storage"}}

func TestFind(t *testing.T) {
	groups := []*crd.Index{
		indexOf(t, "storage.azure.armature.dev", accounts),
		indexOf(t, "crm.azure.armature.dev", persons, parties),
		indexOf(t, "hr.example.com", persons),
	}
	for _, test := range []struct{ reason, name, want, err string }{
		{"a kind", "StorageAccount", "storageaccounts.storage.azure.armature.dev", ""},
		{"a singular", "storageaccount", "storageaccounts.storage.azure.armature.dev", ""},
		{"a plural, in any case", "StorageAccounts", "storageaccounts.storage.azure.armature.dev", ""},
		{"a short name", "sto", "storageaccounts.storage.azure.armature.dev", ""},
		{"a plural with the group", "persons.hr.example.com", "persons.hr.example.com", ""},
		{"a kind with the beginning of the group", "Person.crm", "persons.crm.azure.armature.dev", ""},
		{"a part of a word is no beginning", "Person.cr", "", `no kind is Person.cr; did you mean "Person"?`},
		{"a kind of another group", "Party.hr", "", `no kind is Party.hr; did you mean "Party"?`},
		{"a name that several groups have", "persons", "",
			"several kinds are named persons: expected one of persons.crm.azure.armature.dev, persons.hr.example.com"},
		{"an unknown name", "StorageAcount", "", `no kind is StorageAcount; did you mean "StorageAccount"?`},
		{"an unknown name that is like a plural", "storageacounts", "", `no kind is storageacounts; did you mean "storageaccounts"?`},
	} {
		found, err := crd.Find(test.name, groups...)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: got the error %v, want %s", test.reason, err, test.err)
			}
			continue
		}
		if err != nil || found.Name != test.want {
			t.Errorf("%s: got %+v, %v; want %s", test.reason, found, err, test.want)
		}
	}
}

func TestCheckKinds(t *testing.T) {
	groups := []*crd.Index{indexOf(t, "crm.azure.armature.dev", persons, parties), indexOf(t, "hr.example.com", persons)}
	for name, want := range map[string]string{
		"P*": "", "pers*": "", "party": "", "persons.hr": "",
		"Partx": `no kind is Partx; did you mean "Party"?`, "X*": "no kind is X*", "[": "no kind is [",
		"Person": "several kinds are named Person: expected one of persons.crm.azure.armature.dev, persons.hr.example.com",
	} {
		got := ""
		if err := crd.CheckKinds([]string{name}, groups...); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got the error %q, want %q", name, got, want)
		}
	}
}

func TestFolderOf(t *testing.T) {
	dir := t.TempDir()
	crdtest.Write(t, dir, "storage.azure.armature.dev", accounts, parties)
	for _, name := range []string{"storage*", "StorageAccount", "sto", "storageaccounts", "storageaccounts.storage"} {
		if got := read(t, dir).Of([]string{name}).CRDs; len(got) != 1 || got[0].Kind != "StorageAccount" {
			t.Errorf("%s: got %d kinds, want StorageAccount alone", name, len(got))
		}
	}
}
