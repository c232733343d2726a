package export_test

import (
	"strings"
	"testing"

	authorization "github.com/armature-dev/armature/apis/authorization/scheme"
	managedidentity "github.com/armature-dev/armature/apis/managedidentity/scheme"
	"github.com/armature-dev/armature/cli/objects/objectstest"
	"github.com/armature-dev/armature/cli/program/programtest"
	"github.com/armature-dev/armature/cli/types"
	"github.com/google/go-cmp/cmp"
)

const person = objectstest.Person

// live is person as `kubectl get` prints it.
var live = strings.Replace(person, "metadata:\n", `metadata:
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: "{}"
    team: people
  creationTimestamp: "2026-01-01T00:00:00Z"
  finalizers: [operator]
  generation: 3
  labels: {app: crm}
  managedFields: [{manager: kubectl, operation: Update, apiVersion: crm.azure.armature.dev/v20190909, fieldsType: FieldsV1, fieldsV1: {}}]
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: "1"}]
  resourceVersion: "5"
  uid: "2"
`, 1) + `status:
  conditions:
  - {type: Ready, status: "True", reason: Ready, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
`

func TestExport(t *testing.T) {
	manifest := strings.Replace(person, "metadata:\n", "metadata:\n  annotations:\n    team: people\n  labels:\n    app: crm\n", 1)

	t.Run("what belongs to a cluster is not in a manifest", func(t *testing.T) {
		got, err := objectstest.Armature(t, live, "export", "-f", "-")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(manifest, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})

	t.Run("a resource that was read at an old version is exported at the version that it is written for", func(t *testing.T) {
		old, err := objectstest.Armature(t, live, "convert", "-f", "-", "--to", "v20110101")
		if err != nil {
			t.Fatal(err)
		}
		got, err := objectstest.Armature(t, old, "export", "-f", "-")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(manifest, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})

	t.Run("a version that cannot hold the Spec is an error that names those that can", func(t *testing.T) {
		got, err := objectstest.Armature(t, live, "export", "-f", "-", "--to", "2011-01-01")
		if err == nil || got != "" {
			t.Fatalf("found %v and %q, want an error alone", err, got)
		}
		for _, want := range []string{
			"Person ada: v20110101 cannot hold these values of the Spec:\n",
			`spec.legalName of 2014-04-04: "Augusta Ada King"`,
			"\nexport with --to v20211111, or v20201010, or v20190909",
		} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the error does not have %q:\n%v", want, err)
			}
		}
	})

	t.Run("a Spec that no API version can hold is an error that names the storage version", func(t *testing.T) {
		stored, err := objectstest.Armature(t, live, "convert", "-f", "-", "--to", "v20211111storage")
		if err != nil {
			t.Fatal(err)
		}
		both := strings.Replace(stored, "spec:\n",
			"spec:\n  $propertyBag: {middlename: {value: B., version: 2013-03-03}, pronouns: {value: she, version: 2022-12-12-preview}}\n", 1)
		_, err = objectstest.Armature(t, both, "export", "-f", "-")
		if err == nil || !strings.Contains(err.Error(), "no API version holds all of it: export with --to v20211111storage") {
			t.Errorf("found %v", err)
		}
		got, err := objectstest.Armature(t, both, "export", "-f", "-", "--to", "v20211111storage")
		if err != nil || !strings.Contains(got, "middlename") || !strings.Contains(got, "pronouns") || strings.Contains(got, "uid") {
			t.Errorf("%v:\n%s", err, got)
		}
	})

	t.Run("a list, as kubectl prints several", func(t *testing.T) {
		var list strings.Builder
		list.WriteString("apiVersion: v1\nkind: List\nitems:\n")
		for _, name := range []string{"ada", "bob"} {
			one := strings.Replace(live, "name: ada\n", "name: "+name+"\n", 1)
			list.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(one), "\n", "\n  ") + "\n")
		}
		got, err := objectstest.Armature(t, list.String(), "export", "-f", "-")
		if err != nil {
			t.Fatal(err)
		}
		want := manifest + "---\n" + strings.Replace(manifest, "  name: ada\n", "  name: bob\n", 1)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})

	t.Run("a value that another one has comes from there", func(t *testing.T) {
		const principal = "5c1a3c4e-0000-4000-8000-000000000001"
		const stack = `apiVersion: authorization.azure.armature.dev/v20220401
kind: RoleAssignment
metadata: {name: reads, namespace: default}
spec:
  owner: {armId: /subscriptions/s}
  principalId: ` + principal + `
  roleDefinitionReference: {wellKnownName: Reader}
---
apiVersion: managedidentity.azure.armature.dev/v20241130
kind: UserAssignedIdentity
metadata: {name: bakery, namespace: default}
spec: {location: westeurope, owner: {name: bakery}}
status: {principalId: ` + principal + `}
`
		export := func(in string) (string, error) {
			root, err := types.New(nil, authorization.AddToScheme, managedidentity.AddToScheme)
			if err != nil {
				t.Fatal(err)
			}
			out, _, err := programtest.Run(t, in, []string{"export", "-f", "-"}, root.Commands()...)
			return out, err
		}
		got, err := export(stack)
		const want = "  principalIdFrom:\n    group: managedidentity.azure.armature.dev\n    kind: UserAssignedIdentity\n" +
			"    name: bakery\n    output: principalId\n"
		if err != nil || !strings.Contains(got, want) || strings.Contains(got, principal) {
			t.Errorf("%v: got\n%s\nwant %s", err, got, want)
		}
		alone, _, _ := strings.Cut(stack, "---\n")
		if got, err := export(alone); err != nil || !strings.Contains(got, "  principalId: "+principal+"\n") {
			t.Errorf("%v: without the identity it is\n%s", err, got)
		}
	})
}
