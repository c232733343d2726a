package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// dryRun asks the API server for its answer alone.
var dryRun = []string{metav1.DryRunAll}

func TestCRDs(t *testing.T) {
	installCRM(t)
	refused := func(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition, err error) {
		t.Helper()
		if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.conversion.webhookClientConfig: Required value") {
			t.Errorf("%s: found %v, expected that the webhook's clientConfig is required", crd.Name, err)
		}
	}
	t.Run("a CRD that names no webhook is refused", func(t *testing.T) {
		for _, crd := range cluster.ReadCRDs(t, crds("crm")) {
			_, err := server.CRDs.Create(t.Context(), crd, metav1.CreateOptions{DryRun: dryRun})
			refused(t, crd, err)
		}
	})
	t.Run("an update that takes the webhook away is refused", func(t *testing.T) {
		for _, crd := range cluster.ReadCRDs(t, crds("crm")) {
			installed, err := server.CRDs.Get(t.Context(), crd.Name, metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			installed.Spec = crd.Spec
			_, err = server.CRDs.Update(t.Context(), installed, metav1.UpdateOptions{DryRun: dryRun})
			refused(t, crd, err)
		}
	})
	t.Run("a CRD of arm_webhook_crds is taken without a warning", func(t *testing.T) {
		server.Warnings = nil
		for _, crd := range cluster.ReadCRDs(t, filepath.Join("..", "docs", "crds")) {
			created, err := server.CRDs.Create(t.Context(), crd, metav1.CreateOptions{DryRun: dryRun})
			if err != nil {
				t.Fatal(err)
			}
			if created.Spec.Conversion.Webhook.ClientConfig.Service.Name != "operator-webhook" || len(server.Warnings) > 0 {
				t.Errorf("%s converts by %v; warnings: %q", crd.Name, created.Spec.Conversion, server.Warnings)
			}
		}
	})
}
