package crd_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/emit/emittest"
	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// newBundle returns the certificate of an authority in PEM.
func newBundle(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func TestWebhookComplete(t *testing.T) {
	g := widgets(t)
	bundle := newBundle(t)
	port, path := int32(443), "/convert"
	for name, text := range g.CRDs(t) {
		t.Run("the API server refuses "+name+" as it is", func(t *testing.T) {
			_, refusals := emittest.Validate(t, text)
			if len(refusals) != 1 || refusals[0].Field != "spec.conversion.webhookClientConfig" {
				t.Errorf("found %v, expected that spec.conversion.webhookClientConfig is required, and nothing else", refusals)
			}
		})
		for _, test := range []struct {
			name            string
			webhook         crd.Webhook
			wantBundle      []byte
			wantAnnotations map[string]string
		}{
			{"with a CA bundle", crd.Webhook{Namespace: "system", Service: "webhook", CABundle: bundle}, bundle, nil},
			{
				"with a certificate of cert-manager", crd.Webhook{Namespace: "system", Service: "webhook", Certificate: "system/serving"},
				nil, map[string]string{"cert-manager.io/inject-ca-from": "system/serving"},
			},
			{"at a URL", crd.Webhook{URL: "https://127.0.0.1:9443/convert", CABundle: bundle}, bundle, nil},
			{"with a bundle that is written later", crd.Webhook{Namespace: "system", Service: "webhook"}, nil, nil},
		} {
			t.Run(name+" "+test.name+" is accepted and otherwise the same", func(t *testing.T) {
				d, err := crd.Decode(text)
				if err != nil {
					t.Fatal(err)
				}
				if err := test.webhook.Complete(d); err != nil {
					t.Fatal(err)
				}
				want, _ := emittest.Validate(t, text)
				want.Annotations = test.wantAnnotations
				want.Spec.Conversion.Webhook.ClientConfig = &apiextensionsv1.WebhookClientConfig{
					CABundle: test.wantBundle,
					Service:  &apiextensionsv1.ServiceReference{Namespace: "system", Name: "webhook", Path: &path, Port: &port},
				}
				if url := test.webhook.URL; url != "" {
					want.Spec.Conversion.Webhook.ClientConfig.Service, want.Spec.Conversion.Webhook.ClientConfig.URL = nil, &url
				}
				got, refusals := emittest.Validate(t, d.Text())
				if diff := cmp.Diff(want, got); diff != "" || len(refusals) > 0 {
					t.Errorf("refused: %v; the CRD (-want +got):\n%s", refusals, diff)
				}
				if err := test.webhook.Complete(d); err == nil {
					t.Error("a CRD that has a webhook is completed again, expected an error")
				}
			})
		}
	}
}

func TestWebhookCheckPlace(t *testing.T) {
	for _, test := range []struct {
		reason  string
		webhook crd.Webhook
		want    string
	}{
		{"a Service", crd.Webhook{Namespace: "system", Service: "webhook"}, ""},
		{"a URL", crd.Webhook{URL: "https://127.0.0.1:9443/convert"}, ""},
		{"nothing", crd.Webhook{}, "expected both names, or a URL"},
		{"a Service without a namespace", crd.Webhook{Service: "webhook"}, "expected both names, or a URL"},
		{"both", crd.Webhook{Namespace: "system", Service: "webhook", URL: "https://a/convert"}, "expected one of them"},
		{"a URL without TLS", crd.Webhook{URL: "http://127.0.0.1/convert"}, "expected one such as https://"},
	} {
		err := test.webhook.CheckPlace()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: found %v, expected %q", test.reason, err, test.want)
		}
	}
}

func TestWebhookCheck(t *testing.T) {
	bundle := newBundle(t)
	key := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("secret")})
	for _, test := range []struct {
		name    string
		webhook crd.Webhook
		want    string
	}{
		{"no bundle", crd.Webhook{}, ""},
		{"one certificate", crd.Webhook{CABundle: bundle}, ""},
		{"an old and a new certificate", crd.Webhook{CABundle: append(bundle[:len(bundle):len(bundle)], newBundle(t)...)}, ""},
		{"an empty file", crd.Webhook{CABundle: []byte{}}, "found 0 certificates"},
		{"a file of another format", crd.Webhook{CABundle: []byte("hello")}, `found 0 certificates and then "hello"`},
		{"text after a certificate", crd.Webhook{CABundle: append(bundle[:len(bundle):len(bundle)], "hello"...)},
			`found 1 certificates and then "hello"`},
		{"a private key", crd.Webhook{CABundle: key}, "found a block PRIVATE KEY"},
		{"a bundle and cert-manager", crd.Webhook{CABundle: bundle, Certificate: "system/serving"}, "expected one of them"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.webhook.Check()
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("found %v, expected %q", err, test.want)
			}
		})
	}
}

func TestWebhookComponent(t *testing.T) {
	got := map[string]string{}
	for name, text := range (crd.Webhook{Namespace: "system", Service: "webhook", Certificate: "system/serving"}).Component() {
		got[name] = string(text)
	}
	want := map[string]string{
		"conversion.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    cert-manager.io/inject-ca-from: system/serving
  name: any
spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service:
          name: webhook
          namespace: system
          path: "/convert"
          port: 443
      conversionReviewVersions:
      - v1
`,
		"kustomization.yaml": `# Every CRD of what includes this converts through the webhook.
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
- path: conversion.yaml
  target:
    group: apiextensions.k8s.io
    kind: CustomResourceDefinition
`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
