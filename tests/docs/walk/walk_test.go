// Package walk does what docs/operator.md tells its readers to do: with kubectl, an API
// server, an operator of three groups, and a stand-in for ARM that has their specs.
package walk

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/tests/docs/steps"
	"github.com/armature-dev/armature/tools/controlplane"
)

const (
	page         = "../../../docs/operator.md"
	subscription = "00000000-0000-0000-0000-000000000000"
	groupID      = "/subscriptions/" + subscription + "/resourceGroups/"
)

var groups = []string{"network", "resources", "storage"}

// office is what commands of the page with <kind> and <name> are tried on, rg and office.
const office = `
kubectl apply --server-side -f - <<'EOF'
apiVersion: resources.azure.com/v1beta20250401
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

// An effect shows that a command of the page, which prints nothing that the page says, has done
// what the page says it does.
type effect struct {
	of, script string
	// stays has an ARM id that the command did not take away.
	stays string
}

var effects = []effect{
	{of: "-- identity ", script: `kubectl -n team-a get secret/armature-credential serviceaccount/azure`},
	{of: "kubectl annotate namespace team-a ", script: `
kubectl apply --server-side -n team-a -f - <<'EOF'
apiVersion: resources.azure.com/v1beta20250401
kind: ResourceGroup
metadata: {name: outside}
spec: {location: westeurope, owner: {armId: /subscriptions/33333333-3333-3333-3333-333333333333}}
EOF
reason OutsideScopes -n team-a rg/outside`},
	{of: "<name> armature.dev/reconcile-policy", script: `
test "$(kubectl get rg office -o jsonpath='{.metadata.annotations.armature\.dev/reconcile-policy}')" = detach-on-delete`},
	{of: "<name> again", script: `test -n "$(kubectl get rg office -o jsonpath='{.metadata.annotations.again}')"`},
	// The operator that manages the object marks it again.
	{of: " armature.dev/operator-", script: `
kubectl wait --timeout=5m --for=jsonpath='{.metadata.annotations.armature\.dev/operator}' -n team-a rg/outside`},
	{of: "--all -A --overwrite armature.dev/reconcile-policy", script: `
test "$(kubectl get rg outside -n team-a -o jsonpath='{.metadata.annotations.armature\.dev/reconcile-policy}')" = detach-on-delete`},
	{of: "kubectl delete <kind> --all -A", script: `test -z "$(kubectl get rg -A -o name)"`, stays: groupID + "office"},
	{of: "kubectl delete crd -l", script: `test -z "$(kubectl get crd -o name)"`, stays: groupID + "office"},
}

// walker is a reader of the page.
type walker struct {
	steps.Reader
	arm *armtest.Server
}

func TestOperatorPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	w := newWalker(t)
	for _, b := range steps.Blocks(string(text)) {
		if !t.Run(fmt.Sprintf("line %d", b.Line), func(t *testing.T) { w.follow(t, b) }) {
			t.Fatalf("line %d failed, so nothing after it was tried", b.Line)
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
	for _, command := range inline(string(text)) {
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

// inline returns the commands in the text of the page that change something, those that delete as
// the last, wherever the page has them.
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

// newWalker starts everything that the page takes for granted.
func newWalker(t *testing.T) *walker {
	t.Helper()
	w := &walker{}
	w.Dir = t.TempDir()
	root := os.Getenv("TEST_SRCDIR")
	absolute := func(name string) string { return filepath.Join(root, os.Getenv(name)) }
	binaries, err := filepath.Abs(os.Getenv("KUBEBUILDER_ASSETS"))
	if err != nil {
		t.Fatal(err)
	}
	plane, err := controlplane.Start(controlplane.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	if w.arm, err = armtest.New(os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	armURL, err := w.arm.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.arm.Close() })

	kubeconfig := filepath.Join(w.Dir, "kubeconfig")
	bazelw := fmt.Sprintf("#!/usr/bin/env bash\nshift 3 # run //tools/armature --\nexec %q \"$@\"\n", absolute("ARMATURE"))
	for name, text := range map[string]string{kubeconfig: string(plane.Kubeconfig), filepath.Join(w.Dir, "bazelw"): bazelw} {
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	const a = "11111111-1111-1111-1111-111111111111"
	w.Environment = []string{
		"PATH=" + binaries + ":" + os.Getenv("PATH"), "HOME=" + w.Dir, "KUBECONFIG=" + kubeconfig,
		"TENANT=" + a, "CLIENT=" + a, "SUBSCRIPTION=" + a, "A=" + a, "B=" + a,
	}
	webhook, health := free(t), free(t)
	conversion := controlplane.ConversionAt(webhook, plane.CA)
	for _, group := range groups {
		folder := filepath.Join("..", "..", "..", "apis", group, "crds")
		crds, err := controlplane.ReadCRDs(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, crd := range crds {
			crd.Labels = map[string]string{"app.kubernetes.io/part-of": "armature"} // as in a release
		}
		if err := plane.Install(t.Context(), conversion, crds...); err != nil {
			t.Fatal(err)
		}
		policies, err := filepath.Abs(filepath.Join(folder, group+".azure.com.policies.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		w.must(t, "kubectl apply --server-side -f "+policies)
	}
	w.must(t, "kubectl create namespace team-a")
	operate(t, absolute("OPERATOR"), health, "--kubeconfig="+kubeconfig, "--namespace=default", "--leader-elect=false",
		"--arm-endpoint="+armURL, "--credential-namespace=*", "--subscription="+subscription, "--metrics-address=0",
		"--health-address="+health, "--webhook", "--", "--address="+webhook, "--operations-address=127.0.0.1:0",
		"--cert-dir="+plane.Certificates, "--key-dir="+filepath.Join(w.Dir, "keys"))
	return w
}

// free returns an address on loopback that nothing listens at.
func free(t *testing.T) string {
	t.Helper()
	address, err := controlplane.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// operate runs an operator until the test ends, and waits until it is ready.
func operate(t *testing.T, binary, health string, flags ...string) {
	t.Helper()
	var log bytes.Buffer
	command := exec.Command(binary, flags...)
	command.Stdout, command.Stderr = &log, &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	t.Cleanup(func() {
		command.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the end of the operator's log:\n%s", log.Bytes()[max(log.Len()-4000, 0):])
		}
	})
	for start := time.Now(); time.Since(start) < 5*time.Minute; time.Sleep(100 * time.Millisecond) {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the operator ended: %v\n%s", err, &log)
		default:
		}
		answer, err := http.Get("http://" + health + "/readyz")
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
	}
	t.Fatal("the operator is not ready")
}
