package helm

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tools/controlplane"
)

// installCertManager installs the CRDs of cert-manager's own module. It returns a function that removes them.
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
	return func() { server.Uninstall(t, crds...) }
}

// What the release and its chart render for cert-manager must be of cert-manager's own types, without a property that
// these do not have.
func TestCertManager(t *testing.T) {
	t.Cleanup(installCertManager(t))
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
