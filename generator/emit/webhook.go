package emit

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Webhook says which webhook converts the objects of CRDs: a Service, at port
// 443 and path /convert, and how the API server comes to trust it. Where neither
// CABundle nor Certificate is set, something else has to write the bundle.
type Webhook struct {
	Namespace, Service string
	// CABundle holds the certificates, in PEM, that sign the webhook's own.
	CABundle []byte
	// Certificate is the <namespace>/<name> of cert-manager's Certificate of
	// the webhook, from which cert-manager writes the bundle.
	Certificate string
}

// reviewVersions is the part of the stanza that every webhook shares. CRDs has
// the stanza with this alone: clientConfig is required, so the API server
// refuses such a CRD. Without any stanza it would take the CRD, convert nothing
// but apiVersion, and so store objects in the wrong shape without an error.
func reviewVersions() node {
	return node{"strategy": "Webhook", "webhook": node{"conversionReviewVersions": list{"v1"}}}
}

// Check returns an error if the bundle holds no certificates, or if there are
// two ways to trust the webhook.
func (w Webhook) Check() error {
	if w.CABundle == nil {
		return nil
	}
	if w.Certificate != "" {
		return fmt.Errorf("found a CA bundle and the Certificate %s of cert-manager, which writes the bundle itself; expected one of them", w.Certificate)
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

// clientConfig returns the part of the stanza that differs between webhooks.
func (w Webhook) clientConfig() node {
	config := node{"service": node{
		"name":      w.Service,
		"namespace": w.Namespace,
		"path":      "/convert",
		"port":      int64(443),
	}}
	if w.CABundle != nil {
		config["caBundle"] = base64.StdEncoding.EncodeToString(w.CABundle)
	}
	return config
}

// annotations returns those by which cert-manager knows whom a CRD trusts.
func (w Webhook) annotations() node {
	if w.Certificate == "" {
		return nil
	}
	return node{"cert-manager.io/inject-ca-from": w.Certificate}
}

// Component returns the files of a kustomize component that completes the
// stanza of every CRD of the kustomization that includes it.
func (w Webhook) Component() map[string][]byte {
	conversion := reviewVersions()
	conversion["webhook"].(node)["clientConfig"] = w.clientConfig()
	metadata := node{"name": "any"}
	if annotations := w.annotations(); annotations != nil {
		metadata["annotations"] = annotations
	}
	return map[string][]byte{
		"conversion.yaml": encodeYAML(node{
			"apiVersion": "apiextensions.k8s.io/v1",
			"kind":       "CustomResourceDefinition",
			"metadata":   metadata,
			"spec":       node{"conversion": conversion},
		}),
		"kustomization.yaml": append([]byte("# Every CRD of what includes this converts through the webhook.\n"), encodeYAML(node{
			"apiVersion": "kustomize.config.k8s.io/v1alpha1",
			"kind":       "Component",
			"patches": list{node{
				"path":   "conversion.yaml",
				"target": node{"group": "apiextensions.k8s.io", "kind": "CustomResourceDefinition"},
			}},
		})...),
	}
}

// Complete returns the text of a CRD that CRDs has made, with its stanza
// completed.
func (w Webhook) Complete(crd []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(crd, &document); err != nil {
		return nil, err
	}
	webhook := memberOf(&document, "spec", "conversion", "webhook")
	if webhook == nil || memberOf(webhook, "clientConfig") != nil {
		return nil, errors.New("found no CRD whose conversion lacks a clientConfig; expected a file that a group's target crds has made")
	}
	if err := addMember(webhook, "clientConfig", w.clientConfig()); err != nil {
		return nil, err
	}
	if annotations := w.annotations(); annotations != nil {
		if err := addMember(memberOf(&document, "metadata"), "annotations", annotations); err != nil {
			return nil, err
		}
	}
	out := bytes.NewBufferString("---\n")
	encoder := yaml.NewEncoder(out)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := errors.Join(encoder.Encode(&document), encoder.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// memberOf returns the value at a path of keys, or nil if there is none.
func memberOf(n *yaml.Node, path ...string) *yaml.Node {
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	if len(path) == 0 {
		return n
	}
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == path[0] {
				return memberOf(n.Content[i+1], path[1:]...)
			}
		}
	}
	return nil
}

// addMember adds a key with its value in front of the others.
func addMember(n *yaml.Node, key string, value node) error {
	var member yaml.Node
	if err := member.Encode(map[string]any{key: value}); err != nil {
		return err
	}
	n.Content = append(member.Content, n.Content...)
	return nil
}
