package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tools/controlplane"
)

// createKinds creates the kinds of cert-manager that a release uses. Their schemas are open: tests/helm checks the
// objects against cert-manager's own.
func (n *Nodes) createKinds() {
	n.t.Helper()
	for plural, kind := range map[string]string{"certificates": "Certificate", "issuers": "Issuer"} {
		open := true
		crd := &apiextensionsv1.CustomResourceDefinition{
			ObjectMeta: metav1.ObjectMeta{Name: plural + ".cert-manager.io"},
			Spec: apiextensionsv1.CustomResourceDefinitionSpec{
				Group: "cert-manager.io",
				Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: kind, Plural: plural},
				Scope: apiextensionsv1.NamespaceScoped,
				Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true,
					Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
						Type: "object", XPreserveUnknownFields: &open}}}},
			},
		}
		if _, err := n.CRDs.Create(n.t.Context(), crd, metav1.CreateOptions{}); err != nil {
			n.t.Fatal(err)
		}
	}
}

var certificates = schema.GroupVersionResource{Group: "cert-manager.io", Version: "v1", Resource: "certificates"}

// CertManager does what cert-manager does, until the test ends: it makes the Secrets of Certificates, and writes the
// authority into the CRDs that ask for it. With a real node, it is the real one.
func (n *Nodes) CertManager() {
	n.t.Helper()
	if Real() {
		n.startCertManager()
		return
	}
	n.createKinds()
	authority := release.NewAuthority(n.t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			if err := errors.Join(n.issue(ctx, authority), n.inject(ctx, authority)); err != nil && ctx.Err() == nil {
				n.t.Logf("cert-manager: %v", err)
			}
			time.Sleep(pause)
		}
	}()
	n.t.Cleanup(func() { cancel(); <-ended })
}

// startCertManager starts cert-manager itself.
func (n *Nodes) startCertManager() {
	n.t.Helper()
	crds, err := controlplane.ReadCRDs(Program("cert-manager"))
	if err != nil {
		n.t.Fatal(err)
	}
	none := &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
	if err := n.ControlPlane.Install(n.t.Context(), none, crds...); err != nil {
		n.t.Fatal(err)
	}
	n.run(Program("certmanager"), "--kubeconfig="+n.write("certmanager.kubeconfig", n.Kubeconfig))
}

// issue makes the Secrets of Certificates that have none.
func (n *Nodes) issue(ctx context.Context, authority *release.Authority) error {
	list, err := n.Client.Resource(certificates).List(ctx, metav1.ListOptions{})
	if apierrors.IsNotFound(err) {
		return nil // the API server does not serve the kind yet
	}
	if err != nil {
		return err
	}
	for _, c := range list.Items {
		name, _, _ := unstructured.NestedString(c.Object, "spec", "secretName")
		names, _, _ := unstructured.NestedStringSlice(c.Object, "spec", "dnsNames")
		secrets := n.clients.CoreV1().Secrets(c.GetNamespace())
		if _, err := secrets.Get(ctx, name, metav1.GetOptions{}); err == nil {
			continue
		}
		folder, err := os.MkdirTemp(n.folder, "certificate-")
		if err != nil {
			return err
		}
		authority.Issue(n.t, folder, names...)
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}, Type: corev1.SecretTypeTLS,
			Data: map[string][]byte{"ca.crt": authority.Bundle}}
		for _, file := range []string{corev1.TLSCertKey, corev1.TLSPrivateKeyKey} {
			if secret.Data[file], err = os.ReadFile(filepath.Join(folder, file)); err != nil {
				return err
			}
		}
		if _, err := secrets.Create(ctx, secret, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// inject writes the authority into the CRDs that have the annotation for it.
func (n *Nodes) inject(ctx context.Context, authority *release.Authority) error {
	list, err := n.CRDs.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, crd := range list.Items {
		if crd.Annotations["cert-manager.io/inject-ca-from"] == "" ||
			strings.TrimSpace(string(crd.Spec.Conversion.Webhook.ClientConfig.CABundle)) != "" {
			continue
		}
		patch, err := json.Marshal(map[string]any{"spec": map[string]any{"conversion": map[string]any{"webhook": map[string]any{
			"clientConfig": map[string]any{"caBundle": authority.Bundle}}}}})
		if err != nil {
			return err
		}
		options := metav1.PatchOptions{FieldManager: "cert-manager"}
		if _, err := n.CRDs.Patch(ctx, crd.Name, types.MergePatchType, patch, options); err != nil {
			return err
		}
	}
	return nil
}
