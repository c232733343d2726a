package helm

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	webhook "github.com/cert-manager/cert-manager/test/webhook"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tools/controlplane"
)

// installCertManager installs the CRDs of cert-manager's own module, and has its webhook check what is written. It
// returns a function that removes both.
func installCertManager(t *testing.T) (remove func()) {
	t.Helper()
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/cert-manager/cert-manager").Output()
	if err != nil {
		t.Fatal(err)
	}
	crds, err := controlplane.ReadCRDs(filepath.Join(strings.TrimSpace(string(folder)), "deploy", "crds"))
	if err != nil {
		t.Fatal(err)
	}
	none := &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
	if err := server.ControlPlane.Install(t.Context(), none, crds...); err != nil {
		t.Fatal(err)
	}
	to, stop := webhook.StartWebhookServer(t, []string{"--kubeconfig=" + kubeconfig})
	url, fail, noEffects := to.URL+"/validate", admissionv1.Fail, admissionv1.SideEffectClassNone
	configurations := kubernetes.NewForConfigOrDie(server.Config).AdmissionregistrationV1().ValidatingWebhookConfigurations()
	_, err = configurations.Create(t.Context(), &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "cert-manager-webhook"},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "webhook.cert-manager.io", AdmissionReviewVersions: []string{"v1"}, FailurePolicy: &fail, SideEffects: &noEffects,
			ClientConfig: admissionv1.WebhookClientConfig{URL: &url, CABundle: to.CAPEM},
			Rules: []admissionv1.RuleWithOperations{{
				Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
				Rule: admissionv1.Rule{APIGroups: []string{"cert-manager.io"}, APIVersions: []string{"v1"},
					Resources: []string{"*/*"}},
			}},
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := configurations.Delete(context.Background(), "cert-manager-webhook", metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
		stop()
		server.Uninstall(t, crds...)
	}
}

// What the release and its chart render for cert-manager must be of cert-manager's own types, without a property that
// these do not have, and its webhook has to take what Helm installs.
func TestCertManager(t *testing.T) {
	defer installCertManager(t)()
	await.True(t, "the webhook refuses a certificate of a minute", func() bool {
		wrong := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "cert-manager.io/v1", "kind": "Certificate", "metadata": map[string]any{"name": "wrong"},
			"spec": map[string]any{"secretName": "wrong", "dnsNames": []any{"wrong"}, "duration": "1m",
				"issuerRef": map[string]any{"name": "wrong"}}}}
		of := certmanagerv1.SchemeGroupVersion.WithResource("certificates")
		_, err := server.Client.Resource(of).Namespace("default").Create(t.Context(), wrong,
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err != nil && strings.Contains(err.Error(), "webhook.cert-manager.io")
	})
	for _, name := range []string{"host", "named"} {
		objects, err := read(t, name).Render("cert-manager/webhook")
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		for _, o := range objects {
			if o.GroupVersionKind().Group != "cert-manager.io" {
				continue
			}
			found[o.GetKind()]++
			if o.GetKind() == "Issuer" {
				checkIssuer(t, release.As[certmanagerv1.Issuer](t, o))
			} else {
				checkCertificate(t, release.As[certmanagerv1.Certificate](t, o))
			}
		}
		if found["Issuer"] != 2 || found["Certificate"] != 2 || len(found) != 2 {
			t.Errorf("%s: found %v, want two issuers and two certificates", name, found)
		}
	}

	chart := filepath.Join(read(t, "demo").Folder, "chart")
	must(t, "install", "armature", chart, "--namespace=armature-certificates", "--create-namespace", "--set=namePrefix=azure-")
	defer must(t, "uninstall", "armature", "--namespace=armature-certificates")
	found := 0
	for _, o := range objectsOf(t, "armature-certificates") {
		if o.GroupVersionKind().Group != "cert-manager.io" {
			continue
		}
		found++
		if o.GetKind() == "Issuer" {
			checkIssuer(t, decode[certmanagerv1.Issuer](t, o))
		} else {
			checkCertificate(t, decode[certmanagerv1.Certificate](t, o))
		}
	}
	if found != 4 {
		t.Errorf("the chart has %d objects of cert-manager, want 4", found)
	}
}

func decode[T any](t *testing.T, o object) *T {
	t.Helper()
	typed := new(T)
	if err := yaml.UnmarshalStrict([]byte(o.text), typed); err != nil {
		t.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
	}
	return typed
}

func checkIssuer(t *testing.T, issuer *certmanagerv1.Issuer) {
	t.Helper()
	if (issuer.Spec.SelfSigned == nil) == (issuer.Spec.CA == nil) {
		t.Errorf("the issuer %s is %+v, want one way to sign", issuer.Name, issuer.Spec)
	}
}

// checkCertificate checks what cert-manager knows only by constants of its types.
func checkCertificate(t *testing.T, c *certmanagerv1.Certificate) {
	t.Helper()
	key := c.Spec.PrivateKey
	if key == nil || key.Algorithm != certmanagerv1.ECDSAKeyAlgorithm {
		t.Fatalf("the certificate %s has the key %+v", c.Name, key)
	}
	want := certmanagerv1.RotationPolicyAlways
	if c.Spec.IsCA {
		want = certmanagerv1.RotationPolicyNever
	}
	if key.RotationPolicy != want {
		t.Errorf("the certificate %s has the rotation policy %s, want %s", c.Name, key.RotationPolicy, want)
	}
	if c.Spec.IssuerRef.Kind != certmanagerv1.IssuerKind || c.Spec.IssuerRef.Name == "" || c.Spec.SecretName == "" {
		t.Errorf("the certificate %s is of %+v", c.Name, c.Spec.IssuerRef)
	}
	for _, usage := range c.Spec.Usages {
		if usage != certmanagerv1.UsageDigitalSignature && usage != certmanagerv1.UsageServerAuth {
			t.Errorf("the certificate %s has the usage %s", c.Name, usage)
		}
	}
}
