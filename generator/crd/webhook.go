package crd

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"

	"github.com/armature-dev/armature/generator/manifests"
)

// Webhook says which webhook converts the objects of CRDs: a Service, at port
// 443 and path /convert, or a URL, and how the API server comes to trust it. Where
// neither CABundle nor Certificate is set, something else has to write the bundle.
type Webhook struct {
	Namespace, Service string
	// URL is where a webhook is that does not run in the cluster, such as
	// https://127.0.0.1:9443/convert, instead of a Service.
	URL string
	// CABundle holds the certificates, in PEM, that sign the webhook's own.
	CABundle []byte
	// Certificate is the <namespace>/<name> of cert-manager's Certificate of
	// the webhook, from which cert-manager writes the bundle.
	Certificate string
}

// CheckPlace returns an error if there is not exactly one webhook.
func (w Webhook) CheckPlace() error {
	hasService := w.Namespace != "" && w.Service != ""
	switch at, err := url.Parse(w.URL); {
	case w.URL == "" && !hasService:
		return fmt.Errorf("found the Service %q of the namespace %q, and no URL; expected both names, or a URL", w.Service, w.Namespace)
	case w.URL == "":
	case w.Namespace != "" || w.Service != "":
		return fmt.Errorf("found the Service %s/%s and the URL %s of a webhook; expected one of them", w.Namespace, w.Service, w.URL)
	case err != nil || at.Scheme != "https" || at.Host == "":
		return fmt.Errorf("found the URL %q of a webhook; expected one such as https://127.0.0.1:9443/convert", w.URL)
	}
	return nil
}

// Check returns an error if the bundle holds no certificates, or if there are
// two ways to trust the webhook.
func (w Webhook) Check() error {
	if w.CABundle == nil {
		return nil
	}
	if w.Certificate != "" {
		return fmt.Errorf("found a CA bundle and the Certificate %s of cert-manager, which writes the bundle itself; expected one of them",
			w.Certificate)
	}
	rest := w.CABundle
	for found := 0; ; found++ {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			if found == 0 || len(bytes.TrimSpace(rest)) > 0 {
				return fmt.Errorf("found %d certificates and then %.40q in the CA bundle; expected certificates in PEM", found, rest)
			}
			return nil
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil || block.Type != "CERTIFICATE" {
			return fmt.Errorf("found a block %s in the CA bundle (%v); expected certificates in PEM", block.Type, err)
		}
	}
}

// conversion returns the stanza that names the webhook.
func (w Webhook) conversion() conversion {
	config := new(clientConfig)
	config.CABundle = base64.StdEncoding.EncodeToString(w.CABundle)
	if config.URL = w.URL; w.URL == "" {
		config.Service = &service{Name: w.Service, Namespace: w.Namespace, Path: "/convert", Port: 443}
	}
	c := newConversion()
	c.Webhook.ClientConfig = config
	return c
}

// annotations returns those by which cert-manager knows whom a CRD trusts.
func (w Webhook) annotations() map[string]string {
	if w.Certificate == "" {
		return nil
	}
	return map[string]string{"cert-manager.io/inject-ca-from": w.Certificate}
}

// Component returns the files of a kustomize component that completes every CRD of
// the kustomization that includes it.
func (w Webhook) Component() map[string][]byte {
	patch := &Definition{APIVersion: apiVersion, Kind: kind}
	patch.Metadata.Annotations = w.annotations()
	patch.Metadata.Name = "any"
	patch.Spec.Conversion = w.conversion()
	text := bytes.TrimPrefix(patch.Text(), []byte("---\n"))
	return map[string][]byte{"conversion.yaml": text, manifests.KustomizationFile: manifests.ConversionComponent()}
}

// Complete makes a CRD name the webhook. It is an error if the CRD names one already.
func (w Webhook) Complete(d *Definition) error {
	if d.Spec.Conversion.Webhook.ClientConfig != nil {
		return errors.New("found a CRD that names its webhook; expected one that a group's target crds has made")
	}
	d.Spec.Conversion = w.conversion()
	for name, value := range w.annotations() {
		d.annotate(name, value)
	}
	return nil
}

// annotate sets an annotation of the CRD.
func (d *Definition) annotate(name, value string) {
	if d.Metadata.Annotations == nil {
		d.Metadata.Annotations = map[string]string{}
	}
	d.Metadata.Annotations[name] = value
}
