package release

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// folder is the output of //release:host, which is //release with an image for
// this machine alone, and demo that of //release:demo, which has several groups
// wherever it is built.
var (
	folder = filepath.Join("..", "..", "release", "host")
	demo   = filepath.Join("..", "..", "release", "demo")
)

// bundle stands for the authorities that an administrator provides.
const bundle = "-----BEGIN CERTIFICATE-----\nnot really\n-----END CERTIFICATE-----\n"

var variants = []string{"ca-bundle", "cert-manager"}

// read reads the release with a bundle of authorities.
func read(t *testing.T) *Release { return readFolder(t, folder) }

func readFolder(t *testing.T, folder string) *Release {
	t.Helper()
	r := Read(t, folder)
	r.Add(t, "ca-bundle/ca/ca.crt", bundle)
	return r
}

func render(t *testing.T, r *Release, folder string) []Object {
	t.Helper()
	objects, err := r.Render(folder)
	if err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
	return objects
}

// rendered caches the objects of folders, because large CRDs take kustomize
// seconds.
var rendered = map[string][]Object{}

// overlay renders a folder of the release.
func overlay(t *testing.T, folder string) []Object {
	t.Helper()
	if rendered[folder] == nil {
		rendered[folder] = render(t, read(t), folder)
	}
	return rendered[folder]
}

// kinds lists the objects by kind and name.
func kinds(objects []Object) []string {
	var all []string
	for _, o := range objects {
		all = append(all, o.String())
	}
	slices.Sort(all)
	return all
}

// of returns the objects of a kind.
func of(kind string, objects []Object) []Object {
	return slices.DeleteFunc(slices.Clone(objects), func(o Object) bool { return o.GetKind() != kind })
}

// only returns the only object of a kind.
func only(t *testing.T, kind string, objects []Object) Object {
	t.Helper()
	found := of(kind, objects)
	if len(found) != 1 {
		t.Fatalf("found %v, want one %s", kinds(found), kind)
	}
	return found[0]
}

// The overlay of a group must have its roles, its CRDs and its admission policies,
// and nothing else. A group with outputs has a role and a binding more. The CRDs
// differ from the built ones only in the conversion and the metadata.
func TestGroupOverlay(t *testing.T) {
	r := read(t)
	for _, group := range r.Groups(t) {
		built := builtFor(t, group)
		for _, variant := range variants {
			t.Run(variant+"/"+group, func(t *testing.T) {
				objects := overlay(t, path.Join(variant, group))
				want := []string{
					"ClusterRole armature-" + group + "-edit", "ClusterRole armature-" + group + "-operator",
					"ClusterRole armature-" + group + "-view",
					"ClusterRoleBinding armature-" + group + "-operator",
				}
				for name, crd := range built {
					want = append(want, "CustomResourceDefinition "+name)
					if slices.ContainsFunc(crd.Spec.Versions, hasOutputs) {
						want = append(want, "ClusterRole armature-"+group+"-operator-outputs",
							"ClusterRoleBinding armature-"+group+"-operator-outputs")
					}
					for _, policy := range policiesFor(t, group, crd.Spec.Group) {
						want = append(want, "ValidatingAdmissionPolicy "+policy+crd.Spec.Group,
							"ValidatingAdmissionPolicyBinding "+policy+crd.Spec.Group)
					}
				}
				slices.Sort(want)
				if diff := cmp.Diff(slices.Compact(want), kinds(objects)); diff != "" {
					t.Fatalf("(-want +got):\n%s", diff)
				}
				for _, o := range of("CustomResourceDefinition", objects) {
					crd := As[apiextensionsv1.CustomResourceDefinition](t, o)
					crd.Spec.Conversion.Webhook.ClientConfig, crd.Labels, crd.Annotations = nil, nil, nil
					if diff := cmp.Diff(built[crd.Name], crd); diff != "" {
						t.Errorf("%v is not what the build made (-want +got):\n%s", o, diff)
					}
				}
			})
		}
	}
}

// policiesFor returns the policies of a group. Its specs may limit no name, have no open enum, and require the same at
// all versions.
func policiesFor(t *testing.T, group, apiGroup string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "base", "groups", group, "crds", apiGroup+".policies.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	policies := []string{"annotations.", "arm-ids.", "deletion.", "served-versions.", "storage-versions."}
	for _, policy := range []string{"create-only.", "known-values.", "names.", "required."} {
		if strings.Contains(string(text), "\n  policyName: "+policy+apiGroup+"\n") {
			policies = append(policies, policy)
		}
	}
	return policies
}

// hasOutputs reports whether a version can ask the operator for outputs.
func hasOutputs(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
	none := func(r apiextensionsv1.ValidationRule) bool {
		return r.FieldPath == ".secrets" && strings.HasSuffix(r.Rule, "self.secrets.size() == 0")
	}
	operatorSpec, found := v.Schema.OpenAPIV3Schema.Properties["spec"].Properties["operatorSpec"]
	return found && !slices.ContainsFunc(operatorSpec.XValidations, none)
}

// builtFor returns the CRDs that the build has made for a group, by name.
func builtFor(t *testing.T, group string) map[string]*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "base", "groups", group, "crds", "*_*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no CRDs of %s: %v", group, err)
	}
	crds := map[string]*apiextensionsv1.CustomResourceDefinition{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(text, crd); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		crds[crd.Name] = crd
	}
	return crds
}

func TestConversionStanza(t *testing.T) {
	r := read(t)
	for _, variant := range variants {
		webhook := overlay(t, variant+"/webhook")
		for _, group := range r.Groups(t) {
			checkStanzas(t, variant, webhook, overlay(t, path.Join(variant, group)))
		}
	}
}

// checkStanzas checks that every CRD converts through the webhook's Service and
// trusts its certificate.
func checkStanzas(t *testing.T, variant string, webhook, objects []Object) {
	t.Helper()
	service := serviceOf(t, webhook)
	port := As[corev1.Service](t, service).Spec.Ports[0].Port
	for _, o := range of("CustomResourceDefinition", objects) {
		crd := As[apiextensionsv1.CustomResourceDefinition](t, o)
		if crd.Labels["app.kubernetes.io/part-of"] != "armature" {
			t.Errorf("%v has no label app.kubernetes.io/part-of=armature: %v", o, crd.Labels)
		}
		client := &apiextensionsv1.WebhookClientConfig{Service: &apiextensionsv1.ServiceReference{
			Namespace: service.GetNamespace(), Name: service.GetName(), Path: new("/convert"), Port: &port,
		}}
		wantInjection := ""
		if variant == "ca-bundle" {
			client.CABundle = []byte(bundle)
		} else {
			wantInjection = certificateOf(t, service, webhook)
		}
		want := &apiextensionsv1.CustomResourceConversion{
			Strategy: apiextensionsv1.WebhookConverter,
			Webhook:  &apiextensionsv1.WebhookConversion{ConversionReviewVersions: []string{"v1"}, ClientConfig: client},
		}
		if diff := cmp.Diff(want, crd.Spec.Conversion); diff != "" {
			t.Errorf("%s: conversion of %v (-want +got):\n%s", variant, o, diff)
		}
		if got := crd.Annotations["cert-manager.io/inject-ca-from"]; got != wantInjection {
			t.Errorf("%s: %v has its authority from %q, want %q", variant, o, got, wantInjection)
		}
	}
}

// serviceOf returns the Service that takes reviews.
func serviceOf(t *testing.T, objects []Object) Object {
	t.Helper()
	return only(t, "Service", slices.DeleteFunc(slices.Clone(objects), func(o Object) bool {
		return o.GetKind() != "Service" || As[corev1.Service](t, o).Spec.Ports[0].Name != "reviews"
	}))
}

// certificateOf returns the Certificate for a Service, as cert-manager's
// annotation names it.
func certificateOf(t *testing.T, service Object, objects []Object) string {
	t.Helper()
	host := fmt.Sprintf("%s.%s.svc", service.GetName(), service.GetNamespace())
	for _, o := range of("Certificate", objects) {
		if slices.Contains(list(o, "spec", "dnsNames"), host) {
			return path.Join(o.GetNamespace(), o.GetName())
		}
	}
	t.Fatalf("no Certificate is for %s", host)
	return ""
}

func TestRoles(t *testing.T) {
	r := read(t)
	for _, group := range r.Groups(t) {
		objects := overlay(t, "cert-manager/"+group)
		var apiGroup string
		var resources []string
		for _, o := range of("CustomResourceDefinition", objects) {
			crd := As[apiextensionsv1.CustomResourceDefinition](t, o)
			apiGroup, resources = crd.Spec.Group, append(resources, crd.Spec.Names.Plural)
		}
		slices.Sort(resources)
		for _, o := range of("ClusterRole", objects) {
			role := As[rbacv1.ClusterRole](t, o)
			rule := func(resources []string, verbs ...string) rbacv1.PolicyRule {
				return rbacv1.PolicyRule{APIGroups: []string{apiGroup}, Resources: resources, Verbs: verbs}
			}
			var want []rbacv1.PolicyRule
			switch strings.TrimPrefix(role.Name, "armature-"+group+"-") {
			case "view":
				want = []rbacv1.PolicyRule{rule(resources, "get", "list", "watch")}
				if role.Labels["rbac.authorization.k8s.io/aggregate-to-view"] != "true" {
					t.Errorf("%s is not part of the role view", role.Name)
				}
			case "edit":
				want = []rbacv1.PolicyRule{
					rule(resources, "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"),
				}
			case "operator":
				var statuses []string
				for _, resource := range resources {
					statuses = append(statuses, resource+"/status")
				}
				want = []rbacv1.PolicyRule{rule(resources, "get", "list", "patch", "watch"), rule(statuses, "update")}
			case "operator-outputs":
				want = []rbacv1.PolicyRule{{
					APIGroups: []string{""}, Resources: []string{"configmaps", "secrets"},
					Verbs: []string{"create", "delete", "get", "list", "update", "watch"},
				}}
			}
			if diff := cmp.Diff(want, role.Rules); diff != "" {
				t.Errorf("%s (-want +got):\n%s", role.Name, diff)
			}
		}
	}
}

// All overlays of a variant must fit into one kustomization. kustomize refuses an
// object that comes twice, so the test compares the names of all overlays, and
// renders only two groups together.
func TestOverlaysTogether(t *testing.T) {
	for _, variant := range variants {
		from := map[string]string{}
		for _, folder := range append([]string{"webhook"}, read(t).Groups(t)...) {
			for _, o := range overlay(t, path.Join(variant, folder)) {
				if other, twice := from[o.String()]; twice {
					t.Errorf("%s: %v is in %s and in %s", variant, o, other, folder)
				}
				from[o.String()] = folder
			}
		}
		r := readFolder(t, demo)
		want := 0
		resources := ""
		for _, folder := range append([]string{"webhook"}, r.Groups(t)...) {
			want += len(render(t, r, path.Join(variant, folder)))
			resources += fmt.Sprintf("- ../%s/%s\n", variant, folder)
		}
		r.Add(t, "mine/kustomization.yaml", "resources:\n"+resources)
		if got := len(render(t, r, "mine")); got != want {
			t.Errorf("%s: together there are %d objects, want %d", variant, got, want)
		}
	}
}

// The release is for Azure's services. The demo has made-up ones besides.
func TestGroups(t *testing.T) {
	if groups := Read(t, folder).Groups(t); slices.Contains(groups, "crm") {
		t.Errorf("the release has the groups %v, and crm is made up", groups)
	}
	if groups := Read(t, demo).Groups(t); !slices.Contains(groups, "crm") {
		t.Errorf("the release of the demo has the groups %v, want crm too", groups)
	}
}

// Whoever unpacks a release has no sources beside it.
func TestLinks(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllStringSubmatch(string(text), -1) {
		if strings.HasPrefix(link[1], "https://") {
			continue
		}
		if _, err := os.Stat(filepath.Join(folder, link[1])); err != nil || !filepath.IsLocal(link[1]) {
			t.Errorf("the README has a link to %s, which is not in the release", link[1])
		}
	}
}

// The error for a missing bundle of authorities must name the file.
func TestMissingBundle(t *testing.T) {
	r := Read(t, folder)
	_, err := r.Render("ca-bundle/" + r.Groups(t)[0])
	if err == nil || !strings.Contains(err.Error(), "ca.crt") {
		t.Errorf("found %v, want an error that names ca.crt", err)
	}
}

// A kustomization may name another registry, and keeps the digest. A tag
// replaces the digest, for images that were made in another way.
func TestImageName(t *testing.T) {
	r := read(t)
	_, digest := r.Index(t, Webhook)
	for _, test := range []struct{ entry, want string }{
		{"newName: registry.example.com/armature/webhook", "registry.example.com/armature/webhook@" + digest.String()},
		{"newTag: mine", "armature-webhook:mine"},
	} {
		r.Add(t, "mine/kustomization.yaml", "resources: [../cert-manager/webhook]\nimages:\n- name: armature-webhook\n  "+test.entry+"\n")
		if got := deployment(t, render(t, r, "mine")).Spec.Template.Spec.Containers[0].Image; got != test.want {
			t.Errorf("%s: the image is %s, want %s", test.entry, got, test.want)
		}
	}
}

// What docs/policies.md says for clusters without admission policies must leave
// out the policies, and nothing else.
func TestWithoutPolicies(t *testing.T) {
	r := read(t)
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "policies.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, patches, _ := strings.Cut(string(text), "```yaml\npatches:\n")
	patches, _, _ = strings.Cut(patches, "```")
	group := r.Groups(t)[0]
	r.Add(t, "mine/kustomization.yaml", "resources: [../ca-bundle/"+group+"]\npatches:\n"+patches)
	want := slices.DeleteFunc(kinds(overlay(t, "ca-bundle/"+group)),
		func(name string) bool { return strings.HasPrefix(name, "ValidatingAdmissionPolicy") })
	if diff := cmp.Diff(want, kinds(render(t, r, "mine"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
