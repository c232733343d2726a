// Package published applies the files of a release page to a real API server, with kubectl.
package published

import (
	"fmt"
	"os"
	"path/filepath"
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
	release.Shell
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
	p := page{Shell: release.Shell{Folder: t.TempDir()}, cluster: cluster.New(t)}
	files["ca.crt"], files["kubeconfig"] = release.NewAuthority(t).Bundle, p.cluster.Kubeconfig
	for name, text := range files {
		p.Add(t, name, text)
	}
	return p
}

// readme has the commands.
var readme = filepath.Join("..", "..", "..", "release", "demo", "README.md")

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
		"storage", "crm").Replace(release.Commands(t, readme, "-webhook.yaml"))
	out := p.Run(t, install)
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
		want, err := os.ReadFile(filepath.Join(p.Folder, "ca.crt"))
		if err != nil {
			t.Fatal(err)
		}
		p.Run(t, release.Commands(t, readme, "kubectl patch"))
		p.Run(t, install)
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
		if out := p.Run(t, "kubectl diff --server-side -f cache-crds.yaml"); out != "" {
			t.Errorf("they differ from those that are applied:\n%s", out)
		}
	})
}
