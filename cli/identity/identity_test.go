package identity

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// run runs the command, and returns what it prints.
func run(arguments ...string) (string, error) {
	c := New()
	var out bytes.Buffer
	c.SetArgs(arguments)
	c.SetOut(&out)
	c.SetErr(io.Discard)
	err := c.Execute()
	return out.String(), err
}

func TestIdentity(t *testing.T) {
	t.Run("the right is to the tokens of one ServiceAccount, in its namespace", func(t *testing.T) {
		got, err := run("--namespace", "team-a", "--service-account", "azure")
		if err != nil {
			t.Fatal(err)
		}
		want := `# The identity in Azure has to trust the ServiceAccount:
# az identity federated-credential create --resource-group … --identity-name … --name team-a-azure --issuer … \
#   --subject system:serviceaccount:team-a:azure --audiences api://AzureADTokenExchange
apiVersion: v1
kind: ServiceAccount
metadata:
  name: azure
  namespace: team-a
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: armature-operator-token-azure
  namespace: team-a
rules:
- apiGroups:
  - ""
  resourceNames:
  - azure
  resources:
  - serviceaccounts/token
  verbs:
  - create
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: armature-operator-token-azure
  namespace: team-a
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: armature-operator-token-azure
subjects:
- kind: ServiceAccount
  name: armature-operator
  namespace: armature-system
`
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("the Secret names the identity, and has no secret", func(t *testing.T) {
		got, err := run("--namespace", "team-a", "--service-account", "azure",
			"--tenant", "t", "--client", "c", "--subscription", "s", "--operator", "azure-system/azure-armature-operator")
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Split(got, "---\n")
		want := `apiVersion: v1
kind: Secret
metadata:
  name: armature-credential
  namespace: team-a
stringData:
  AZURE_CLIENT_ID: c
  AZURE_SERVICE_ACCOUNT: azure
  AZURE_SUBSCRIPTION_ID: s
  AZURE_TENANT_ID: t
`
		if diff := cmp.Diff(want, all[len(all)-1]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if !strings.Contains(got, "  name: azure-armature-operator\n  namespace: azure-system\n") {
			t.Errorf("the account of the operator is not in\n%s", got)
		}
	})
	t.Run("bad flags are told all at once", func(t *testing.T) {
		_, err := run("--namespace", "Team", "--client", "c")
		if err == nil {
			t.Fatal("there was no error")
		}
		lines := strings.Split(err.Error(), "\n")
		for _, want := range []string{
			`--namespace: found "Team"`, `--service-account: found ""`, `--tenant and --client: found "" and "c"`} {
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, want) }) {
				t.Errorf("want %s in\n%v", want, err)
			}
		}
	})
}
