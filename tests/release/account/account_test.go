// Package account goes the way of a new user, from the files of a release to a storage account.
package account

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tests/release/nodes"
)

// most is how many commands the way may have.
const most = 5

// TestAccount types the commands of docs/install.md, and logs the transcript. ARM is a stand-in, and cert-manager and
// the nodes are doubles, so it says nothing about how long images take to come.
func TestAccount(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	arm, err := armtest.New(os.DirFS(filepath.Join(root, "apis")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { arm.Close() })
	url, err := arm.Listen(nodes.Host() + ":0")
	if err != nil {
		t.Fatal(err)
	}
	n := nodes.Start(t, map[string][]string{
		"webhook": {"--key-dir=/etc/armature/keys"},
		// The identity of a pod in Azure.
		"operator": {"--arm-endpoint=" + url, "--credential-namespace=default", "--subscription=00000000-0000-0000-0000-000000000000"},
	})
	n.CertManager()
	shell := release.Shell{Folder: t.TempDir()}
	n.Publish(shell, "0.1.0", filepath.Join(root, "release", "host"), filepath.Join(root, "tools", "publish", "armature_", "armature"))
	shell.Add(t, "kubeconfig", n.Kubeconfig)
	if err := os.Mkdir(filepath.Join(shell.Folder, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}

	commands := release.Commands(t, filepath.Join(root, "docs", "install.md"), "armature sample StorageAccount")
	var transcript strings.Builder
	begin, typed := time.Now(), 0
	for command := range strings.Lines(strings.ReplaceAll(commands, "\\\n", "")) {
		typed++
		transcript.WriteString("$ " + command + shell.Run(t, strings.Replace(command, "~/bin", "bin", 1)))
	}
	t.Logf("%d commands, %.1f s\n%s", typed, time.Since(begin).Seconds(), &transcript)
	if typed > most {
		t.Errorf("there are %d commands, want %d at most", typed, most)
	}
	isAccount := func(id string) bool { return strings.Contains(strings.ToLower(id), "/storageaccounts/acme") }
	if !slices.ContainsFunc(arm.IDs(), isAccount) {
		t.Errorf("ARM has %q, want a storage account", arm.IDs())
	}
	if nodes.Real() {
		t.Run("all groups stay below the limits of memory", func(t *testing.T) { checkMemory(t, n, shell) })
	}
}

// checkMemory installs all groups of the release. [nodes.Start] fails the test if a container ends.
func checkMemory(t *testing.T, n *nodes.Nodes, shell release.Shell) {
	const ofCRDs = "-crds.yaml" // beside each group's file
	files, err := filepath.Glob(filepath.Join(shell.Folder, "armature-0.1.0-*"+ofCRDs))
	if err != nil {
		t.Fatal(err)
	}
	var groups []string
	for _, file := range files {
		groups = append(groups, "-f "+strings.TrimSuffix(filepath.Base(file), ofCRDs)+".yaml")
	}
	begin := time.Now()
	shell.Run(t, "kubectl apply --server-side "+strings.Join(groups, " "))
	t.Logf("%d groups applied in %.0f s", len(groups), time.Since(begin).Seconds())
	shell.Run(t, `kubectl wait --for=condition=Established --timeout=-1s crd -l app.kubernetes.io/part-of=armature
armature sample UserAssignedIdentity --with-owners --name acme | kubectl apply --server-side -f -
kubectl wait --for=condition=Ready --timeout=-1s userassignedidentities --all`)
	t.Logf("and ready in %.0f s", time.Since(begin).Seconds())
	for _, program := range []string{"webhook", "operator"} {
		for _, pid := range n.Processes(program) {
			most, limit := n.Memory(pid)
			t.Logf("process %d, of the %s, has had %d MiB of %d", pid, program, most>>20, limit>>20)
		}
	}
}
