package check

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilversion "k8s.io/apimachinery/pkg/util/version"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// oldestKubernetes is the first version of Kubernetes that has all that a release needs.
const oldestKubernetes = "1.30"

// testedKubernetes are the versions that the tests have run on: the rows of the table in docs/stability.md.
var testedKubernetes = []string{"1.30", "1.32", "1.34", "1.37"}

// clusterRoles is the resource of roles of the whole cluster.
const clusterRoles = "clusterroles"

// verbs are what server-side apply needs.
var verbs = []string{"create", "get", "patch"}

// rights are what the caller needs to be allowed to install the groups of a release.
func rights() []cluster.Right {
	var all []cluster.Right
	for _, of := range []struct {
		group     string
		resources []string
	}{
		{apiextensionsv1.GroupName, []string{"customresourcedefinitions"}},
		{admissionv1.GroupName, []string{"validatingadmissionpolicies", "validatingadmissionpolicybindings"}},
		{rbacv1.GroupName, []string{clusterRoles, "clusterrolebindings"}},
	} {
		for _, resource := range of.resources {
			for _, verb := range verbs {
				all = append(all, cluster.Right{Verb: verb, Group: of.group, Resource: resource})
			}
		}
	}
	return all
}

// compareCluster returns what a person should know before a release is installed in a cluster.
func compareCluster(ctx context.Context, c *cluster.Cluster, after *release) ([]Finding, error) {
	found := &comparison{before: &group{}}
	info, err := c.Discovery.ServerVersion()
	if err != nil {
		return nil, fmt.Errorf("cannot reach the cluster: %w", err)
	}
	found.judgeVersion(info.GitVersion)
	if err := found.judgeManifests(ctx, c, after.manifests); err != nil {
		return nil, err
	}
	if warning := after.price().Warning(); warning != "" {
		found.add(memory, "", "", "", "%s", warning)
	}
	installed, err := c.CRDs.List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(after.groups)) {
		found.before, found.after = &group{name: name}, after.groups[name]
		for _, name := range slices.Sorted(maps.Keys(found.after.crds)) {
			if err := found.judgeCRD(ctx, c, after.conversion, found.after.crds[name], installed.Items); err != nil {
				return nil, err
			}
		}
	}
	return found.findings, nil
}

// judgeVersion judges the version of Kubernetes.
func (c *comparison) judgeVersion(text string) {
	is, err := utilversion.ParseGeneric(text)
	if err != nil {
		c.add(serverVersion, "", "", "", "the cluster has the version %q, which cannot be compared", text)
		return
	}
	of := serverVersion
	switch is = utilversion.MajorMinor(is.Major(), is.Minor()); {
	case is.LessThan(utilversion.MustParseGeneric(oldestKubernetes)):
		of.level = breaks
		c.add(of, "", "", "", "the cluster has %s, and admission policies need %s", text, oldestKubernetes)
	case !slices.Contains(testedKubernetes, is.String()):
		c.add(of, "", "", "", "the cluster has %s, and the tests have run on %s", text, strings.Join(testedKubernetes, ", "))
	}
}

// judgeCRD judges a CRD of the release before it comes to a cluster with others.
func (c *comparison) judgeCRD(ctx context.Context, of *cluster.Cluster, conversion *apiextensionsv1.CustomResourceConversion,
	is *apiextensionsv1.CustomResourceDefinition, installed []apiextensionsv1.CustomResourceDefinition) error {
	kind := is.Spec.Names.Kind
	for i := range installed {
		other := &installed[i]
		if other.Name != is.Name {
			c.judgeNames(kind, is, other)
			continue
		}
		if !apiversion.IsStorage(hub(other)) {
			c.add(nameTaken, kind, "", "", "the cluster has a CRD of this name that is not Armature's: it stores at %s", hub(other))
			return nil
		}
		lost := slices.DeleteFunc(slices.Clone(other.Status.StoredVersions), func(v string) bool { return version(is, v) != nil })
		for _, v := range lost {
			c.add(storedLost, kind, v, "", "objects may be stored at it in the cluster, and the new CRD does not list it")
		}
		if len(lost) > 0 {
			return nil // the API server would say the same
		}
	}
	if summary := c.after.served[is.Name]; summary != nil && summary.Bytes > crd.MaxBytes {
		c.add(tooLarge, kind, "", "", "its CRD has %d bytes, and a request to etcd has room for about %d", summary.Bytes, crd.MaxBytes)
		return nil
	}
	return c.tryCRD(ctx, of, conversion, is)
}

// judgeNames compares the names of a kind with those of another one.
func (c *comparison) judgeNames(kind string, is, other *apiextensionsv1.CustomResourceDefinition) {
	taken := map[string]bool{}
	for _, name := range namesOf(other) {
		taken[name] = true
	}
	var shared []string
	for _, name := range namesOf(is) {
		if taken[name] && !slices.Contains(shared, name) {
			shared = append(shared, name)
		}
	}
	switch {
	case len(shared) == 0 || apiversion.IsStorage(hub(other)) && is.Spec.Group != other.Spec.Group:
	case is.Spec.Group == other.Spec.Group:
		c.add(nameTaken, kind, "", "", "%s of the same group has the name %s", other.Name, strings.Join(shared, ", "))
	default:
		c.add(nameShared, kind, "", "", "%s has the name %s too", other.Name, strings.Join(shared, ", "))
	}
}

// namesOf returns the names by which kubectl finds a kind.
func namesOf(c *apiextensionsv1.CustomResourceDefinition) []string {
	names := c.Spec.Names
	return append([]string{strings.ToLower(names.Kind), names.Plural, names.Singular}, names.ShortNames...)
}

// tryCRD applies a CRD in a dry run.
func (c *comparison) tryCRD(ctx context.Context, of *cluster.Cluster, conversion *apiextensionsv1.CustomResourceConversion,
	is *apiextensionsv1.CustomResourceDefinition) error {
	is = is.DeepCopy()
	is.Spec.Conversion = conversion
	text, err := json.Marshal(is)
	if err != nil {
		return err
	}
	force := true
	_, err = of.CRDs.Patch(ctx, is.Name, types.ApplyPatchType, text,
		metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: "armature-check", Force: &force})
	if err == nil || apierrors.IsForbidden(err) && !strings.Contains(err.Error(), "ValidatingAdmissionPolicy") {
		return nil // who may not try it is told so already
	}
	if _, isAnswer := err.(apierrors.APIStatus); !isAnswer {
		return err
	}
	c.add(refused, is.Spec.Names.Kind, "", "", "the API server refuses its CRD: %v", err)
	return nil
}
