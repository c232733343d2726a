package main

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/serve"
)

const imageComponent = `# The %[1]s runs the image of this release: the folder %[2]s, wherever it was pushed to.
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
images:
- name: armature-%[1]s
  digest: %[3]s
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

// roles has the roles of a group. Whoever may view a namespace may view its
// resources, which have no secrets. Whoever may edit them creates things in Azure
// with the rights of the operator and at somebody's cost, so that role must be
// granted explicitly. The operator writes metadata and Statuses, and never makes or
// deletes an object.
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
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: armature-%[1]s-operator
rules:
- apiGroups:
  - %[2]s
  resources:
%[3]s  verbs:
  - get
  - list
  - patch
  - watch
- apiGroups:
  - %[2]s
  resources:
%[4]s  verbs:
  - update
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: armature-%[1]s-operator
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: armature-%[1]s-operator
subjects:
- kind: ServiceAccount
  name: armature-operator
  namespace: armature-system
`

// outputRoles has the role for the Secrets and ConfigMaps with outputs, which the
// operator makes, keeps and removes. It has a binding of its own, for those who bind it
// in the namespaces of the objects alone.
const outputRoles = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: armature-%[1]s-operator-outputs
rules:
- apiGroups:
  - ""
  resources:
%[2]s  verbs:
  - create
  - delete
  - get
  - list
  - update
  - watch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: armature-%[1]s-operator-outputs
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: armature-%[1]s-operator-outputs
subjects:
- kind: ServiceAccount
  name: armature-operator
  namespace: armature-system
`

// rolesOf returns the roles of a group.
func rolesOf(name, group string, crds *serve.Folder) string {
	var list, statuses strings.Builder
	secrets, configMaps := false, false
	for _, crd := range crds.List() {
		plural, _, _ := strings.Cut(crd.Name, ".")
		fmt.Fprintf(&list, "  - %s\n", plural)
		fmt.Fprintf(&statuses, "  - %s/status\n", plural)
		secrets, configMaps = secrets || crd.Outputs, configMaps || crd.OutputsInConfigMaps
	}
	text := fmt.Sprintf(roles, name, group, list.String(), statuses.String())
	switch {
	case configMaps:
		text += fmt.Sprintf(outputRoles, name, "  - configmaps\n  - secrets\n")
	case secrets:
		text += fmt.Sprintf(outputRoles, name, "  - secrets\n")
	}
	return text
}

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

// addGroup adds the CRDs of a group with the versions of a choice, roles for its
// resources, and an overlay for each variant. It adds the CRDs with all versions
// too, from which the command armature makes others.
func (r release) addGroup(name, folder string, crds *serve.Folder, choice serve.Choice) error {
	if len(crds.CRDs) == 0 {
		return fmt.Errorf("%s: none of the kinds is of this group; leave the group out", name)
	}
	group := crds.List()[0].Group
	base := path.Join("base/groups", name)
	if err := r.copyFolder(path.Join(base, serve.AllVersions), folder); err != nil {
		return err
	}
	for file, text := range crds.Serve(choice).Files() {
		if err := r.add(path.Join(base, "crds", file), text); err != nil {
			return err
		}
	}
	files := map[string]string{
		path.Join(base, "kustomization.yaml"): fmt.Sprintf(groupBase, group),
		path.Join(base, "roles.yaml"):         rolesOf(name, group, crds),
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
