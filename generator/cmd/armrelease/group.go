package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/emit"
)

const imageComponent = `# The webhook runs the image of this release: the folder image, wherever it was pushed to.
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
images:
- name: armature-webhook
  digest: %s
`

const groupBase = `# What every cluster with %s has. The CRDs lack the webhook, whom they trust in one of two ways.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- crds
- roles.yaml
labels:
- pairs:
    app.kubernetes.io/part-of: armature
`

const groupOverlay = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- ../../base/groups/%s
components:
- ../ca
`

// roles has the two roles of a group. Whoever may view a namespace may view its
// resources, which have no secrets. Whoever may edit them creates things in Azure
// with the rights of the operator and at somebody's cost, so that role must be
// granted explicitly.
const roles = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: armature-%[1]s-view
  labels:
    rbac.authorization.k8s.io/aggregate-to-view: "true"
rules:
- apiGroups:
  - %[2]s
  resources:
%[3]s  verbs:
  - get
  - list
  - watch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: armature-%[1]s-edit
rules:
- apiGroups:
  - %[2]s
  resources:
%[3]s  verbs:
  - create
  - delete
  - deletecollection
  - get
  - list
  - patch
  - update
  - watch
`

// variants are the folders for the ways to trust the webhook. Each has a
// component ca, which completes the CRDs of the kustomization that includes it.
var variants = []string{"ca-bundle", "cert-manager"}

// webhook is the webhook in the manifests that are written by hand.
var webhook = emit.Webhook{Namespace: "armature-system", Service: "armature-webhook"}

// operator is the operator's service account, which writes at storage versions.
const operator = "armature-system/armature-operator"

// addConversion adds the components that complete CRDs: one to which the
// component ca-bundle/ca adds a bundle, and one for cert-manager.
func (r release) addConversion() error {
	certified := webhook
	certified.Certificate = "armature-system/armature-webhook"
	for folder, webhook := range map[string]emit.Webhook{"base/conversion": webhook, "cert-manager/ca": certified} {
		for name, text := range webhook.Component() {
			if err := r.add(path.Join(folder, name), text); err != nil {
				return err
			}
		}
	}
	return nil
}

// addGroup adds the CRDs of a group, roles for its resources, and an overlay
// for each variant.
func (r release) addGroup(name, folder string) error {
	group, plurals, err := resources(folder)
	if err != nil {
		return err
	}
	base := path.Join("base/groups", name)
	if err := r.copyFolder(path.Join(base, "crds"), folder); err != nil {
		return err
	}
	var list strings.Builder
	for _, plural := range plurals {
		fmt.Fprintf(&list, "  - %s\n", plural)
	}
	files := map[string]string{
		path.Join(base, "kustomization.yaml"): fmt.Sprintf(groupBase, group),
		path.Join(base, "roles.yaml"):         fmt.Sprintf(roles, name, group, list.String()),
	}
	for _, variant := range variants {
		files[path.Join(variant, name, "kustomization.yaml")] = fmt.Sprintf(groupOverlay, name)
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := r.add(file, []byte(files[file])); err != nil {
			return err
		}
	}
	return nil
}

// resources returns the API group and the plural names of the resources. It takes
// them from the names of armcrd's files: <group>_<plural>.yaml.
func resources(folder string) (string, []string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", nil, err
	}
	group, plurals := "", []string{}
	for _, entry := range entries {
		g, plural, isCRD := strings.Cut(strings.TrimSuffix(entry.Name(), ".yaml"), "_")
		if isCRD {
			group, plurals = g, append(plurals, plural)
		}
	}
	if len(plurals) == 0 {
		return "", nil, fmt.Errorf("%s: found no CRDs, which are files <group>_<plural>.yaml", folder)
	}
	slices.Sort(plurals)
	return group, plurals, nil
}
