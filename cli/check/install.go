package check

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apischema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/generator/diag"
)

// certManager is the folder of a release whose kinds cert-manager has. Who has a certificate from elsewhere applies
// another one in its place.
const certManager = "cert-manager"

// installedFolders are the folders of a release with what is applied besides CRDs and policies, without those below
// them.
var installedFolders = []string{"base/webhook", "base/groups/*", "operator", certManager + "/webhook"}

// manifest is an object that a release installs, and its file.
type manifest struct {
	file string
	unstructured.Unstructured
}

// optional reports whether a release can be installed without the object.
func (m manifest) optional() bool { return strings.HasPrefix(m.file, certManager+"/") }

// readManifests returns the objects in the folders of a release, without those that are only for kustomize.
func readManifests(folder string) ([]manifest, error) {
	var all []manifest
	var errs diag.List
	for _, pattern := range installedFolders {
		files, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern), "*.yaml"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			name, err := filepath.Rel(folder, file)
			if err != nil {
				return nil, err
			}
			objects, err := readObjects(file)
			if err != nil {
				errs.Addf(file, 0, 0, "%v; %s", err, mend)
			}
			for _, o := range objects {
				if o.GetKind() != "" && !strings.HasSuffix(o.GroupVersionKind().Group, "kustomize.config.k8s.io") {
					all = append(all, manifest{filepath.ToSlash(name), o})
				}
			}
		}
	}
	return all, errs.Err()
}

// readObjects returns the objects in a file.
func readObjects(file string) ([]unstructured.Unstructured, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	var all []unstructured.Unstructured
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		var o unstructured.Unstructured
		if err == nil {
			err = yaml.Unmarshal(document, &o.Object)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
}

// judgeManifests judges what the release installs besides CRDs and policies: whether the cluster has the kinds, and
// whether the caller may make the objects.
func (c *comparison) judgeManifests(ctx context.Context, of *cluster.Cluster, all []manifest) error {
	resources := map[apischema.GroupVersion]*metav1.APIResourceList{}
	needed := rights()
	absent := map[string][]string{} // kinds, by API version
	var roles []manifest
	for _, m := range all {
		gvk := m.GroupVersionKind()
		if _, known := resources[gvk.GroupVersion()]; !known {
			list, err := of.Discovery.ServerResourcesForGroupVersion(gvk.GroupVersion().String())
			if err != nil && !apierrors.IsNotFound(err) {
				return fmt.Errorf("cannot ask which kinds the cluster has: %w", err)
			}
			resources[gvk.GroupVersion()] = list
		}
		resource := resourceOf(resources[gvk.GroupVersion()], gvk.Kind)
		if resource == nil {
			needs := kindMissing
			if m.optional() {
				needs = certificateMissing
			}
			key := needs.name + " " + gvk.GroupVersion().String()
			if !slices.Contains(absent[key], gvk.Kind) {
				absent[key] = append(absent[key], gvk.Kind)
				c.add(needs, "", "", "", "the cluster has no kind %s of %s, which %s has", gvk.Kind, gvk.GroupVersion(), m.file)
			}
			continue
		}
		right := cluster.Right{Group: gvk.Group, Resource: resource.Name}
		if resource.Namespaced {
			right.Namespace = m.GetNamespace()
		}
		for _, right.Verb = range verbs {
			if !slices.Contains(needed, right) {
				needed = append(needed, right)
			}
		}
		if gvk.GroupKind() == rbacv1.SchemeGroupVersion.WithKind("ClusterRole").GroupKind() {
			roles = append(roles, m)
		}
	}
	missing, err := of.Missing(ctx, needed)
	if err != nil {
		return err
	}
	for _, right := range missing {
		c.add(rightsMissing, "", "", "", "the caller may not %s", right)
	}
	if slices.ContainsFunc(missing, func(r cluster.Right) bool { return r.Resource == clusterRoles }) {
		return nil // which says it already
	}
	for _, role := range roles {
		if err := c.tryRole(ctx, of, role); err != nil {
			return err
		}
	}
	return nil
}

// resourceOf returns the resource of a kind in a list that may be nil, or nil.
func resourceOf(list *metav1.APIResourceList, kind string) *metav1.APIResource {
	if list == nil {
		return nil
	}
	for i, r := range list.APIResources {
		if r.Kind == kind && !strings.Contains(r.Name, "/") {
			return &list.APIResources[i]
		}
	}
	return nil
}

// tryRole applies a role in a dry run: who lacks one of its rights may not give it to others.
func (c *comparison) tryRole(ctx context.Context, of *cluster.Cluster, role manifest) error {
	text, err := json.Marshal(role.Object)
	if err != nil {
		return err
	}
	force := true
	resource := of.Objects.Resource(rbacv1.SchemeGroupVersion.WithResource(clusterRoles))
	_, err = resource.Patch(ctx, role.GetName(), types.ApplyPatchType, text,
		metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: "armature-check", Force: &force})
	if apierrors.IsForbidden(err) {
		c.add(rightsMissing, "", "", "", "the caller may not make the ClusterRole %s of %s: %v", role.GetName(), role.file, err)
		return nil
	}
	return err
}
