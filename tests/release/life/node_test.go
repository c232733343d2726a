package life

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/tests/release/nodes"
)

// TestNode does to the pods of a release what happens to pods on a node, while clients read and write at two versions.
// The double of nodes knows none of it. cert-manager makes the certificate.
func TestNode(t *testing.T) {
	if !nodes.Real() {
		t.Skip("this needs a real node, which .ci/nodes starts")
	}
	l := newLife(t)
	l.installWithCertManager()
	t.Run("certificates", func(t *testing.T) { l.with(t).checkCertificates() })
	l.run("kubectl create secret generic armature-credential")
	l.create(newer, 6)
	l.remember(older, newer)
	both := []string{older, newer}
	l.MayRestart.Store(true)

	t.Run("pods are deleted one after the other", func(t *testing.T) {
		l := l.with(t)
		l.while(both, func() {
			for _, program := range programs {
				for _, pod := range l.pods(program) {
					l.run("kubectl -n armature-system delete pod " + pod + "\n" + rolledOut)
				}
			}
			l.edit(older, l.names[0], "Amalie")
		})
	})
	t.Run("a drain waits for another node before it takes the last pod of the webhook", func(t *testing.T) {
		l := l.with(t)
		l.while(both, func() {
			_, stderr, err := l.shell.Try(l.T, "kubectl drain node --timeout=30s")
			if err == nil || !strings.Contains(stderr, "disruption budget") {
				l.Errorf("kubectl drain said %q, want that a disruption budget holds it off; %v", stderr, err)
			}
			if len(l.pods("webhook")) == 0 {
				l.Error("no pod of the webhook is left")
			}
			l.run("kubectl uncordon node\n" + rolledOut)
			l.edit(newer, l.names[1], "Noether")
		})
	})
	t.Run("another certificate", func(t *testing.T) {
		l := l.with(t)
		before := l.serials()
		l.while(both, func() {
			l.run("kubectl -n armature-system delete secret armature-webhook-tls")
			await.Until(l.T, "all pods of the webhook have another certificate", func() error {
				now := l.serials()
				for pod, serial := range now {
					if serial == before[pod] {
						return fmt.Errorf("%s has the certificate that it had", pod)
					}
				}
				if len(now) == 0 {
					return errors.New("none is ready")
				}
				return nil
			})
		})
	})
	t.Run("a process is killed, and its pod starts it again", func(t *testing.T) {
		for _, program := range programs {
			l := l.with(t)
			pids := l.Processes(program)
			if len(pids) != 2 {
				l.Fatalf("the %s has the processes %d, want two", program, pids)
			}
			l.endProcess(pids[0])
			await.Until(l.T, "two others run", func() error {
				if now := l.Processes(program); len(now) != 2 || slices.Contains(now, pids[0]) {
					return fmt.Errorf("it has the processes %d", now)
				}
				return nil
			})
			l.run(rolledOut)
			l.while(both, func() { l.edit(older, l.names[2], "Emmy "+program) })
		}
	})
	t.Run("a webhook without enough memory does not replace the one that has it", func(t *testing.T) {
		l := l.with(t)
		l.while(both, func() {
			// The webhook must not even start. With one group, 8 MiB let it become ready and replace the others.
			l.run("kubectl -n armature-system set resources deployment/armature-webhook --requests=memory=6Mi --limits=memory=6Mi")
			await.Until(l.T, "the kernel ends the new pod, or what starts it", func() error {
				out := l.run("kubectl -n armature-system get pods -l app.kubernetes.io/name=armature-webhook " +
					"-o jsonpath='{.items[*].status.containerStatuses[*].lastState}'")
				if !strings.Contains(out, "OOMKilled") && !strings.Contains(out, "OOM-killed") {
					return fmt.Errorf("they ended with %s", out)
				}
				return nil
			})
			l.run("kubectl -n armature-system rollout undo deployment/armature-webhook\n" + rolledOut)
		})
	})
}

// TestCertificates checks that the double of cert-manager does what a release asks of cert-manager. [TestNode] checks
// the same of cert-manager itself.
func TestCertificates(t *testing.T) {
	if nodes.Real() {
		t.Skip("TestNode has it")
	}
	l := newLife(t)
	l.installWithCertManager()
	l.checkCertificates()
}

func (l *life) installWithCertManager() {
	l.Helper()
	l.CertManager()
	l.run("kubectl apply --server-side -f armature-0.2.0-webhook.yaml -f armature-0.2.0-crm.yaml -f armature-0.2.0-operator.yaml\n" +
		rolledOut)
}

// checkCertificates checks what cert-manager makes of a release.
func (l *life) checkCertificates() {
	l.Helper()
	get := func(what, path string) string {
		l.Helper()
		return l.run("kubectl -n armature-system get " + what + " -o jsonpath='{" + path + "}'")
	}
	decoded := func(text string) []byte {
		l.Helper()
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			l.Fatal(err)
		}
		return data
	}
	const secret, crd, bundle = "secret armature-webhook-tls", "crd persons." + group, ".spec.conversion.webhook.clientConfig.caBundle"
	check := func() (authority string) {
		l.Helper()
		if kind := get(secret, ".type"); kind != "kubernetes.io/tls" {
			l.Errorf("the Secret has the type %s", kind)
		}
		var data map[string]string
		if err := json.Unmarshal([]byte(get(secret, ".data")), &data); err != nil {
			l.Fatal(err)
		}
		if keys := slices.Sorted(maps.Keys(data)); !slices.Equal(keys, []string{"ca.crt", "tls.crt", "tls.key"}) {
			l.Fatalf("the Secret has %q", keys)
		}
		pair, err := tls.X509KeyPair(decoded(data["tls.crt"]), decoded(data["tls.key"]))
		if err != nil {
			l.Fatal(err)
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(decoded(data["ca.crt"]))
		if _, err := pair.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: "armature-webhook.armature-system.svc"}); err != nil {
			l.Error(err)
		}
		await.Until(l.T, "the CRD has the authority", func() error {
			if got := get(crd, bundle); got != data["ca.crt"] {
				return fmt.Errorf("it has %s", got)
			}
			return nil
		})
		return data["ca.crt"]
	}
	authority := check()
	// A release has a space there, which says that cert-manager writes it.
	l.run("kubectl apply --server-side --force-conflicts -f armature-0.2.0-crm.yaml")
	if check() != authority {
		l.Error("there is another authority after the CRDs were applied again")
	}
	before := get(secret, ".metadata.uid")
	l.run("kubectl -n armature-system delete " + secret)
	await.Until(l.T, "the Secret is made anew", func() error {
		out, stderr, err := l.shell.Try(l.T, "kubectl -n armature-system get "+secret+" -o jsonpath='{.metadata.uid}'")
		if err != nil || out == before {
			return fmt.Errorf("%v: %s%s", err, out, stderr)
		}
		return nil
	})
	if check() != authority {
		l.Error("there is another authority after the Secret was deleted")
	}
}

// rolledOut waits until all pods of a release are ready.
const rolledOut = "kubectl -n armature-system rollout status deployment/armature-webhook\n" +
	"kubectl -n armature-system rollout status deployment/armature-operator\n"

// with returns the same life in another test.
func (l *life) with(t *testing.T) *life {
	of := *l
	of.T = t
	return &of
}

// pods returns the names of the pods of a program that are ready.
func (l *life) pods(program string) []string {
	l.Helper()
	return strings.Fields(l.run("kubectl -n armature-system get pods -l app.kubernetes.io/name=armature-" + program +
		` -o jsonpath='{range .items[?(@.status.containerStatuses[0].ready==true)]}{.metadata.name} {end}'`))
}

// serials returns the number of the certificate that each pod of the webhook has, by its name.
func (l *life) serials() map[string]string {
	l.Helper()
	serials := map[string]string{}
	for _, pod := range l.pods("webhook") {
		address := l.run("kubectl -n armature-system get pod " + pod + " -o jsonpath='{.status.podIP}'")
		c, err := tls.Dial("tcp", net.JoinHostPort(address, "9443"), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			l.Fatal(err)
		}
		serials[pod] = c.ConnectionState().PeerCertificates[0].SerialNumber.String()
		c.Close()
	}
	return serials
}

// endProcess ends a process as the kernel does where memory is short.
func (l *life) endProcess(pid int) {
	l.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		l.Fatal(err)
	}
}
