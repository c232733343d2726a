// Package published applies the files of a release page to a real API server, with kubectl.
package published

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/tests/e2e/cluster"
	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tools/publish/kubernetes"
)

// registry is where the release has its images.
const registry = "registry.example.com/azure"

// page is a folder with the files of a release page.
type page struct {
	folder  string
	cluster *cluster.Cluster
}

// newPage writes the files of the release of the demo, and the authority of its webhook, and starts an API server.
func newPage(t *testing.T) page {
	t.Helper()
	archive, err := os.ReadFile(filepath.Join("..", "..", "..", "release", "demo.tar.gz"))
	if err != nil {
		t.Fatalf("%v; run the test with ./bazelw test, which builds the release", err)
	}
	from, err := kubernetes.New(archive, registry)
	if err != nil {
		t.Fatal(err)
	}
	files, err := from.Manifests()
	if err != nil {
		t.Fatal(err)
	}
	p := page{folder: t.TempDir()}
	files["ca.crt"] = release.NewAuthority(t).Bundle
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(p.folder, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if p.cluster, err = cluster.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(p.folder, "kubeconfig"), p.cluster.Kubeconfig, 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// run runs commands in the folder, and returns what they print.
func (p page) run(t *testing.T, commands string) string {
	t.Helper()
	binaries, err := filepath.Abs(os.Getenv("KUBEBUILDER_ASSETS"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(p.folder, "kubeconfig"), "HOME="+p.folder,
		"PATH="+binaries+":"+os.Getenv("PATH"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s%s", err, commands, out, &stderr)
	}
	return string(out)
}

// step returns the block of commands of the release's README that has a text.
func step(t *testing.T, with string) string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join("..", "..", "..", "release", "demo", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(readme), -1) {
		if strings.Contains(block[1], with) {
			return block[1]
		}
	}
	t.Fatalf("the README has no commands with %q", with)
	return ""
}

// bundles returns the bundles of authorities that the CRDs in the cluster have, by their names.
func (p page) bundles(t *testing.T) map[string]string {
	t.Helper()
	all, err := p.cluster.CRDs.List(t.Context(), metav1.ListOptions{LabelSelector: "app.kubernetes.io/part-of=armature"})
	if err != nil {
		t.Fatal(err)
	}
	bundles := map[string]string{}
	for _, crd := range all.Items {
		bundles[crd.Name] = string(crd.Spec.Conversion.Webhook.ClientConfig.CABundle)
	}
	return bundles
}

// TestKubectl follows the steps of the README for kubectl alone, where there is no cert-manager.
func TestKubectl(t *testing.T) {
	p := newPage(t)
	install := strings.NewReplacer("https://example.com/armature/armature-0.1.0-", "", "webhook.yaml", "webhook-ca-bundle.yaml",
		"storage", "crm").Replace(step(t, "-webhook.yaml"))
	out := p.run(t, install)
	if strings.Contains(install, "https:") || !strings.Contains(out, "customresourcedefinition.apiextensions.k8s.io/redis.cache.") {
		t.Fatalf("the commands\n%s\nprint\n%s", install, out)
	}
	t.Run("every image is in the registry of the release, by its digest", func(t *testing.T) {
		for _, program := range []string{"webhook", "operator"} {
			deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
			deployment, err := p.cluster.Client.Resource(deployments).Namespace("armature-system").
				Get(t.Context(), "armature-"+program, metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			text, err := deployment.MarshalJSON()
			want := fmt.Sprintf(`"image":"%s/armature-%s@sha256:`, registry, program)
			if err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%v, want %s in\n%s", err, want, text)
			}
		}
	})
	t.Run("the authority that somebody writes into the CRDs outlives the next apply", func(t *testing.T) {
		want, err := os.ReadFile(filepath.Join(p.folder, "ca.crt"))
		if err != nil {
			t.Fatal(err)
		}
		p.run(t, step(t, "kubectl patch"))
		p.run(t, install)
		bundles := p.bundles(t)
		if len(bundles) < 3 {
			t.Errorf("found the CRDs %v, want those of two groups", bundles)
		}
		for crd, got := range bundles {
			if got != string(want) {
				t.Errorf("%s trusts %q, want\n%s", crd, got, want)
			}
		}
	})
	t.Run("the CRDs alone are those of the group", func(t *testing.T) {
		if out := p.run(t, "kubectl diff --server-side -f cache-crds.yaml"); out != "" {
			t.Errorf("they differ from those that are applied:\n%s", out)
		}
	})
}
