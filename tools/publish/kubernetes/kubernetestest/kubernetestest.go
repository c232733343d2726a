// Package kubernetestest has a small release for tests. Its main function is [Files].
package kubernetestest

import (
	"strings"

	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/internal/folder"
)

// The digests of the images in [Files].
var (
	Webhook  = "sha256:" + strings.Repeat("1", 64)
	Operator = "sha256:" + strings.Repeat("2", 64)
)

// Files returns the files of a release with one group.
func Files() folder.Files {
	deployment := func(program string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: armature-" + program + "}\n" +
			"spec: {template: {spec: {containers: [{name: " + program + ", image: armature-" + program + "}]}}}\n"
	}
	layout := func(digest string) string {
		return `{"schemaVersion": 2, "manifests": [{"mediaType": "application/vnd.oci.image.index.v1+json", "size": 3, "digest": "` +
			digest + `"}]}`
	}
	object := func(kind, name string) string {
		return "apiVersion: v1\nkind: " + kind + "\nmetadata: {name: " + name + "}\n"
	}
	files := folder.Files{}
	for name, text := range map[string]string{
		"image/index.json":          layout(Webhook),
		"operator-image/index.json": layout(Operator),
		"chart/Chart.yaml":          "apiVersion: v2\nname: armature\ndescription: A chart.\nversion: 1.2.3\nappVersion: 1.2.3\n",
		"chart/values.yaml":         "webhook:\n  # Where.\n  image: armature-webhook\noperator:\n  image: armature-operator\n",
		"chart/templates/a.yaml":    "a: {{ .Values.webhook.image }}\n",

		"base/image/kustomization.yaml": string(
			manifests.Image{Program: "webhook", Folder: "image", Digest: Webhook}.Component()),
		"base/operator-image/kustomization.yaml": string(
			manifests.Image{Program: "operator", Folder: "operator-image", Digest: Operator}.Component()),
		"base/webhook/kustomization.yaml":         "resources: [namespace.yaml, deployment.yaml]\n",
		"base/webhook/namespace.yaml":             object("Namespace", "armature-system"),
		"base/webhook/deployment.yaml":            deployment("webhook"),
		"cert-manager/webhook/kustomization.yaml": "resources: [../../base/webhook, issuer.yaml]\ncomponents: [../../base/image]\n",
		"cert-manager/webhook/issuer.yaml":        object("Issuer", "armature-webhook"),
		"ca-bundle/webhook/kustomization.yaml":    "resources: [../../base/webhook]\ncomponents: [../../base/image]\n",
		"operator/kustomization.yaml":             "resources: [deployment.yaml]\ncomponents: [../base/operator-image]\n",
		"operator/deployment.yaml":                deployment("operator"),
		"base/groups/crm/kustomization.yaml":      "resources: [crd.yaml, policy.yaml]\n",
		"base/groups/crm/crd.yaml":                object("CustomResourceDefinition", "persons.crm.example.com"),
		"base/groups/crm/policy.yaml":             object("ValidatingAdmissionPolicy", "names.crm.example.com"),
		"base/groups/crm/versions/crds.json":      `{"group": "crm.example.com", "crds": [{"kind": "Person", "versions": [{}]}]}`,
		"cert-manager/crm/kustomization.yaml":     "resources: [../../base/groups/crm]\n",
	} {
		files[name] = []byte(text)
	}
	return files
}
