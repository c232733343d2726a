package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	armature "github.com/armature-dev/armature/cli/serve"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// TestServe chooses the newest version of crm, of which the cluster serves all.
func TestServe(t *testing.T) {
	installCRM(t)
	folder := releaseOf(t, "crm")
	kubeconfig := filepath.Join(folder, "kubeconfig")
	if err := os.WriteFile(kubeconfig, server.Kubeconfig, 0o600); err != nil {
		t.Fatal(err)
	}
	armatureServe := func() (string, error) {
		var out bytes.Buffer
		c := armature.New()
		c.SilenceUsage, c.SilenceErrors = true, true
		c.SetOut(&out)
		c.SetArgs([]string{folder, "--serve=newest=1", "--kubeconfig=" + kubeconfig})
		err := c.ExecuteContext(t.Context())
		return out.String(), err
	}
	chosen := filepath.Join(folder, "base", "groups", "crm", "crds")
	configMaps := server.Client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("default")

	t.Run("a version that something uses stays, and its users are named", func(t *testing.T) {
		const applied, owner, manifest = "v20120202", "v20130303", "v20150505"
		object := person(applied, "applied", full(applied).shown(applied))
		if _, err := persons(applied).Apply(t.Context(), "applied", object, metav1.ApplyOptions{FieldManager: "team"}); err != nil {
			t.Fatal(err)
		}
		object = person(newest, "manifest", full(newest).shown(newest))
		object.SetAnnotations(map[string]string{
			"kubectl.kubernetes.io/last-applied-configuration": `{"apiVersion": "crm.azure.armature.dev/` +
				manifest + `", "kind": "Person"}`,
		})
		created, err := persons(newest).Create(t.Context(), object, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		owned := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "owned"},
		}}
		owned.SetOwnerReferences([]metav1.OwnerReference{{
			APIVersion: "crm.azure.armature.dev/" + owner, Kind: "Person", Name: "manifest", UID: created.GetUID(),
		}})
		if _, err := configMaps.Create(t.Context(), owned, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		before := cluster.ReadCRDs(t, chosen)
		_, err = armatureServe()
		if err == nil {
			t.Fatal("it stops serving versions that are used")
		}
		for _, want := range []string{
			applied + " of Person.crm.azure.armature.dev is used in managed fields: Person default/applied (team)\n",
			owner + " of Person.crm.azure.armature.dev is used in references of owners: ConfigMap default/owned\n",
			manifest + " of Person.crm.azure.armature.dev is used in kubectl apply's last manifests: Person default/manifest\n",
			"nothing was changed: serve these versions too, with " +
				strings.Join([]string{applied, owner, manifest}, ",") + " after a comma in --serve",
		} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the error does not have %q:\n%v", want, err)
			}
		}
		if after := cluster.ReadCRDs(t, chosen); len(after[0].Spec.Versions) != len(before[0].Spec.Versions) {
			t.Error("the release was changed all the same")
		}
		if err := configMaps.Delete(t.Context(), "owned", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		clearCRM(t)
	})

	t.Run("the API server takes a CRD that ends what nothing uses", func(t *testing.T) {
		create(t, newest, "stays", full(newest).shown(newest))
		out, err := armatureServe()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out, "persons.crm.azure.armature.dev is not used at ") {
			t.Errorf("it printed\n%s", out)
		}
		for _, crd := range cluster.ReadCRDs(t, chosen) {
			if crd.Spec.Names.Kind != "Person" {
				continue
			}
			stop := crd.Annotations[annotation.StopServing]
			update := func() error {
				installed, err := server.CRDs.Get(t.Context(), crd.Name, metav1.GetOptions{})
				if err != nil {
					t.Fatal(err)
				}
				installed.Spec.Versions, installed.Annotations = crd.Spec.Versions, map[string]string{annotation.StopServing: stop}
				_, err = server.CRDs.Update(t.Context(), installed, metav1.UpdateOptions{DryRun: dryRun})
				return err
			}
			if err := update(); err != nil {
				t.Error(err)
			}
			stop = ""
			if err := update(); !apierrors.IsInvalid(err) && !apierrors.IsForbidden(err) {
				t.Errorf("without the annotation: %v, want that the policy denies it", err)
			}
		}
	})
}

// releaseOf returns a folder with the CRDs of a group as a release has them.
func releaseOf(t *testing.T, group string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{crd.AllVersions, "crds"} {
		if err := os.CopyFS(filepath.Join(folder, "base", "groups", group, name), os.DirFS(crds(group))); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
