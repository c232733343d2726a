// Package walk does what the pages about the operator tell their readers to do: with kubectl, an API
// server, an operator of three groups, and a stand-in for ARM that has their specs.
package walk

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/tests/docs/steps"
	"github.com/armature-dev/armature/tools/demo/stage"
)

const (
	docs    = "../../../docs"
	groupID = "/subscriptions/" + stage.Subscription + "/resourceGroups/"
)

var groups = []string{"authorization", "managedidentity", "network", "resources", "storage"}

// pages are read in this order, on one cluster.
var pages = []string{
	"first-resource.md", "identity.md", "plan.md", "install-operator.md", "credentials.md", "conditions.md", "several-operators.md",
}

// office is what commands of the pages with <kind> and <name> are tried on, rg and office.
const office = `
kubectl apply --server-side -f - <<'EOF'
apiVersion: resources.azure.armature.dev/v20250401
kind: ResourceGroup
metadata: {name: office}
spec: {location: westeurope}
EOF
kubectl wait --for=condition=Ready --timeout=5m rg/office
`

// reason waits until an object is not ready for a reason.
const reason = `
reason() { kubectl wait --timeout=5m --for=jsonpath='{.status.conditions[?(@.type=="Ready")].reason}'="$1" "${@:2}"; }
`

// An effect shows that a command of a page, which prints nothing that the page says, has done
// what the page says it does.
type effect struct {
	of, script string
	// stays has an ARM id that the command did not take away.
	stays string
}

var effects = []effect{
	{of: "kubectl wait --for=condition=Ready --timeout=5m -f identity.yaml", script: `
principal=$(kubectl get userassignedidentity bakery -o jsonpath='{.status.principalId}')
test -n "$principal" -a "$(kubectl get roleassignment bakery-reads-recipes -o jsonpath='{.status.principalId}')" = "$principal"
kubectl get storageaccount bakeryrecipes -o jsonpath='{.status.identity}' | grep -q resourceGroups/bakery`},
	{of: "-- identity ", script: `kubectl -n team-a get secret/armature-credential serviceaccount/azure`},
	{of: "kubectl annotate namespace team-a ", script: `
kubectl apply --server-side -n team-a -f - <<'EOF'
apiVersion: resources.azure.armature.dev/v20250401
kind: ResourceGroup
metadata: {name: outside}
spec: {location: westeurope, owner: {armId: /subscriptions/33333333-3333-3333-3333-333333333333}}
EOF
reason OutsideScopes -n team-a rg/outside`},
	{of: "<name> armature.dev/deletion", script: `
test "$(kubectl get rg office -o jsonpath='{.metadata.annotations.armature\.dev/deletion}')" = detach`},
	{of: "<name> again", script: `test -n "$(kubectl get rg office -o jsonpath='{.metadata.annotations.again}')"`},
	// The operator that manages the object marks it again.
	{of: " armature.dev/operator-", script: `
kubectl wait --timeout=5m --for=jsonpath='{.metadata.annotations.armature\.dev/operator}' -n team-a rg/outside`},
	{of: "kubectl patch secret armature-credential ", script: `
test "$(kubectl -n team-a get secret armature-credential -o jsonpath='{.data.AZURE_CLIENT_SECRET}{.data.AZURE_SERVICE_ACCOUNT}')" \
  = "$(printf … | base64)"`},
	{of: "--all -n team-a --overwrite armature.dev/deletion", script: `
test "$(kubectl get rg outside -n team-a -o jsonpath='{.metadata.annotations.armature\.dev/deletion}')" = detach`},
	{of: "--all -A --overwrite armature.dev/deletion", script: `
test "$(kubectl get rg outside -n team-a -o jsonpath='{.metadata.annotations.armature\.dev/deletion}')" = detach`},
	{of: "kubectl delete <kind> --all -A", script: `test -z "$(kubectl get rg -A -o name)"`, stays: groupID + "office"},
	{of: "kubectl annotate crd -l", script: `
test "$(kubectl get crd -o jsonpath='{.items[0].metadata.annotations.armature\.dev/deletion}')" = delete`},
	{of: "kubectl delete crd -l", script: `test -z "$(kubectl get crd -o name)"`, stays: groupID + "office"},
}

// walker is a reader of the pages.
type walker struct {
	steps.Reader
	arm *armtest.Server
}

func TestOperatorPages(t *testing.T) {
	w := newWalker(t)
	var all strings.Builder
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(docs, page))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
		for _, b := range steps.Blocks(string(text)) {
			if !t.Run(fmt.Sprintf("%s line %d", page, b.Line), func(t *testing.T) { w.follow(t, b) }) {
				t.Fatalf("line %d of %s failed, so nothing after it was tried", b.Line, page)
			}
		}
	}
	t.Run("what is deleted goes, and what is detached stays in Azure", func(t *testing.T) {
		ids := strings.Join(w.arm.IDs(), "\n")
		for id, want := range map[string]bool{
			"shop": true,
			"shop/providers/Microsoft.Network/virtualNetworks/shop":               true,
			"shop/providers/Microsoft.Network/virtualNetworks/shop/subnets/front": true,
			"shop/providers/Microsoft.Storage/storageAccounts/shopfiles":          false,
		} {
			if got := w.has(groupID + id); got != want {
				t.Errorf("ARM has %s: %v, want %v; it has\n%s", id, got, want, ids)
			}
		}
	})
	t.Run("prepare", func(t *testing.T) { w.must(t, office) })
	before := len(w.arm.Requests())
	for _, command := range inline(all.String()) {
		if !t.Run(command, func(t *testing.T) { w.do(t, command) }) {
			t.Fatal("nothing after it was tried")
		}
	}
	t.Run("an uninstalled operator has deleted nothing that was to stay", func(t *testing.T) {
		for _, r := range w.arm.Requests()[before:] {
			if r.Method == http.MethodDelete {
				t.Errorf("DELETE %s", r.ID)
			}
		}
	})
}

// follow does what a block says. Commands that print nothing have an effect.
func (w *walker) follow(t *testing.T, b steps.Block) {
	t.Helper()
	w.Do(t, b)
	if b.Info == "sh" {
		w.check(t, b.Text)
	}
}

// do does a command of the text, which has an effect.
func (w *walker) do(t *testing.T, command string) {
	t.Helper()
	w.must(t, strings.NewReplacer("<kind>", "rg", "<name>", "office").Replace(command))
	if !w.check(t, command) {
		t.Fatal("this test does not know what the command does: add its effect")
	}
}

// check checks the effect of commands, and reports whether it is known.
func (w *walker) check(t *testing.T, commands string) bool {
	t.Helper()
	at := slices.IndexFunc(effects, func(e effect) bool { return strings.Contains(commands, e.of) })
	if at < 0 {
		return false
	}
	w.must(t, reason+effects[at].script)
	if id := effects[at].stays; id != "" && !w.has(id) {
		t.Errorf("what shall stay is not in ARM any more; it has\n%s", strings.Join(w.arm.IDs(), "\n"))
	}
	return true
}

// has reports whether ARM has a resource.
func (w *walker) has(id string) bool {
	_, found := w.arm.Resource(id)
	return found
}

// must runs commands that have to succeed.
func (w *walker) must(t *testing.T, commands string) {
	t.Helper()
	if out, err := w.Run(commands); err != nil {
		t.Fatalf("%v\n%s\n%s", err, commands, out)
	}
}

// inline returns the commands in the text of the pages that change something, those that delete as
// the last, wherever the pages have them.
func inline(page string) []string {
	for _, b := range steps.Blocks(page) {
		page = strings.Replace(page, b.Text, "", 1)
	}
	var commands []string
	quoted := regexp.MustCompile("(?s)`(kubectl (?:annotate|delete|label|patch|apply) [^`]*)`")
	for _, found := range quoted.FindAllStringSubmatch(page, -1) {
		if strings.Contains(found[1], "<") || strings.Contains(found[1], "=") {
			commands = append(commands, strings.Join(strings.Fields(found[1]), " "))
		}
	}
	slices.SortStableFunc(commands, func(x, y string) int {
		return strings.Count(x, "kubectl delete") - strings.Count(y, "kubectl delete")
	})
	return commands
}

// newWalker starts everything that the pages take for granted, on the demo's stage.
func newWalker(t *testing.T) *walker {
	t.Helper()
	w := &walker{}
	w.Dir = t.TempDir()
	root := os.Getenv("TEST_SRCDIR")
	absolute := func(name string) string { return filepath.Join(root, os.Getenv(name)) }
	t.Setenv("TMPDIR", w.Dir)
	g, err := stage.New()
	t.Cleanup(func() {
		if err := g.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err == nil {
		err = g.StartControlPlane(os.Getenv("KUBEBUILDER_ASSETS"), 0)
	}
	if err == nil {
		err = g.StartARM(root)
	}
	if err == nil {
		err = g.RunWebhook(t.Context(), absolute("WEBHOOK"))
	}
	if err != nil {
		t.Fatal(err)
	}
	w.arm = g.ARM
	bazelw := fmt.Sprintf("#!/usr/bin/env bash\nshift 3 # run //tools/armature --\nexec %q \"$@\"\n", absolute("ARMATURE"))
	if err := os.WriteFile(filepath.Join(w.Dir, "bazelw"), []byte(bazelw), 0o700); err != nil {
		t.Fatal(err)
	}
	plans := fmt.Sprintf("#!/usr/bin/env bash\nexec %q \"$@\" --arm-endpoint=%s --subscription=%s\n", absolute("TYPES"),
		g.ARMURL, stage.Subscription)
	if err := os.WriteFile(filepath.Join(w.Dir, "armature"), []byte(plans), 0o700); err != nil {
		t.Fatal(err)
	}
	const a = "11111111-1111-1111-1111-111111111111"
	w.Environment = []string{
		"PATH=" + g.Bin() + ":" + w.Dir + ":" + os.Getenv("PATH"), "HOME=" + w.Dir, "KUBECONFIG=" + g.Kubeconfig(),
		"TENANT=" + a, "CLIENT=" + a, "SUBSCRIPTION=" + a, "A=" + a, "B=" + a,
	}
	var folders []string
	for _, group := range groups {
		folders = append(folders, filepath.Join("..", "..", "..", "apis", group, "crds"))
	}
	if err := g.Install(t.Context(), folders...); err != nil {
		t.Fatal(err)
	}
	w.must(t, "kubectl create namespace team-a")
	err = g.RunOperator(t.Context(), absolute("OPERATOR"), "--credential-namespace=*", "--subscription="+stage.Subscription)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := os.ReadFile(g.LogOf("operator"))
			t.Logf("the end of the operator's log:\n%s", log[max(len(log)-4000, 0):])
		}
	})
	return w
}
