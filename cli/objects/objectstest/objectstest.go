// Package objectstest runs the commands that need the Go types of groups, in tests, and has an object for them. Its
// main function is [Armature].
package objectstest

import (
	"testing"

	cache "github.com/armature-dev/armature/apis/cache/scheme"
	crm "github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/cli/program/programtest"
	"github.com/armature-dev/armature/cli/types"
)

// Person is an object of the group crm.
const Person = `apiVersion: crm.azure.armature.dev/v20190909
kind: Person
metadata:
  name: ada
  namespace: default
spec:
  azureName: ada
  familyName: Lovelace
  knownAs: Ada
  legalName: Augusta Ada King
  owner:
    name: people
  sortKey: lovelace
`

// Armature runs the program armature-types of two groups, and returns what it prints.
func Armature(t *testing.T, in string, arguments ...string) (string, error) {
	t.Helper()
	root, err := types.New(nil, crm.AddToScheme, cache.AddToScheme)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := programtest.Run(t, in, arguments, root.Commands()...)
	return out, err
}
