package life

import (
	"fmt"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tests/release/nodes"
)

// TestHelm takes a cluster through the life of a release that Helm installs, by the commands of the release's README:
// with cert-manager, in a namespace in which pods are restricted. Helm is no program of the double's.
func TestHelm(t *testing.T) {
	if !nodes.Real() {
		t.Skip("this needs a real node, which .ci/nodes starts")
	}
	l := newLife(t)
	l.shell.Link(t, "helm", nodes.Program("helm"))
	l.CertManager()
	l.run("mkdir old new\ntar -xzf armature-0.1.0-kubernetes.tar.gz -C old --strip-components=1\n" +
		"tar -xzf armature-0.2.0-kubernetes.tar.gz -C new --strip-components=1\n")

	l.run(l.helm("helm install", 0) + rolledOut)
	l.run("kubectl create secret generic armature-credential")
	l.create(older, 6)
	l.remember(older)
	reads := []string{older}

	t.Run("an image that is not there replaces nothing, and a rollback ends it", func(t *testing.T) {
		l := l.with(t)
		l.while(reads, func() {
			l.run("helm upgrade armature old/chart --namespace armature-system --reset-then-reuse-values " +
				"--set webhook.image=" + l.Registry + "/nobody:1")
			await.Until(l.T, "a pod waits for its image", func() error {
				out := l.run("kubectl -n armature-system get pods -o jsonpath='{.items[*].status.containerStatuses[*].state.waiting.reason}'")
				if !strings.Contains(out, "ImagePull") {
					return fmt.Errorf("they wait for %s", out)
				}
				return nil
			})
			l.edit(older, l.names[0], "Amalie")
			l.run("helm rollback armature --namespace armature-system\n" + rolledOut)
		})
	})
	t.Run("the next release", func(t *testing.T) {
		l := l.with(t)
		l.run("armature serve new\narmature check old new --cluster")
		l.while(reads, func() {
			l.run(l.helm("operator.keep=true", 1) + rolledOut)
			l.edit(older, l.names[1], "Noether")
		})
		l.wantStored(older+"storage", newer+"storage")
		l.create(newer, 2)
	})
	l.run("armature uninstall --azure delete\nkubectl delete crd -l app.kubernetes.io/part-of=armature\n" + l.helm("helm uninstall", 1))
	if left := l.arm.IDs(); len(left) > 0 {
		t.Errorf("ARM still has %q", left)
	}
	l.checkGone()
}

// helm returns a block of commands of the release's README, for one of the releases and its only group.
func (l *life) helm(with string, i int) string {
	l.Helper()
	return strings.NewReplacer(
		"kubectl apply --server-side -k release/cert-manager/crds/storage\n", "",
		" --set 'groups={cache,storage}'", "",
		"crds/cache", "crds/"+published[i].group,
		"release/", []string{"old/", "new/"}[i],
		"registry.example.com", l.Registry,
	).Replace(release.Commands(l.T, docs(readme), with))
}
