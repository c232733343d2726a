package release

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// TestNames renders the kustomization of the README that changes the namespace
// and the names.
func TestNames(t *testing.T) {
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			r := read(t)
			r.Add(t, "azure/kustomization.yaml", strings.ReplaceAll(r.Example(t, "namePrefix: azure-"), "cert-manager/", variant+"/"))
			var webhook, groups []Object
			for _, o := range render(t, r, "azure") {
				if o.GetLabels()["app.kubernetes.io/name"] == "armature-webhook" {
					webhook = append(webhook, o)
				} else {
					groups = append(groups, o)
				}
			}
			checkReferences(t, variant, webhook)
			if len(of("CustomResourceDefinition", groups)) == 0 {
				t.Fatalf("there are no CRDs in %v", kinds(groups))
			}
			checkStanzas(t, variant, webhook, groups)
			for _, o := range slices.Concat(webhook, groups) {
				named := strings.HasPrefix(o.GetName(), "azure-")
				if o.GetKind() != "CustomResourceDefinition" && !named {
					t.Errorf("%v does not begin with the prefix", o)
				}
				if text := string(o.text); strings.Contains(text, "armature-system") {
					t.Errorf("%v still names the namespace armature-system:\n%s", o, text)
				}
			}
			account := As[corev1.ServiceAccount](t, only(t, "ServiceAccount", webhook))
			if len(account.ImagePullSecrets) != 1 {
				t.Errorf("the account has the imagePullSecrets %v, want those of the README", account.ImagePullSecrets)
			}
		})
	}
}

// Without the transformer of the README the names would not match.
func TestNamesWithoutTransformer(t *testing.T) {
	r := read(t)
	example := r.Example(t, "namePrefix: azure-")
	without := strings.Replace(example, "\n- ../cert-manager/names\n", "\n", 1)
	if without == example {
		t.Fatalf("the README does not use the transformer:\n%s", example)
	}
	r.Add(t, "azure/kustomization.yaml", without)
	objects := render(t, r, "azure")
	crd := of("CustomResourceDefinition", objects)[0]
	service := serviceOf(t, objects)
	if text(crd, "spec", "conversion", "webhook", "clientConfig", "service", "name") == service.GetName() {
		t.Error("kustomize renames the Service in CRDs by itself: the transformer need not")
	}
}

// TestNamedRelease renders a release that was built with another namespace and a prefix.
// Each of its folders has these names, without a kustomization around them.
func TestNamedRelease(t *testing.T) {
	r := readFolder(t, filepath.Join("..", "..", "release", "named"))
	operator := render(t, r, "operator")
	r.Add(t, "tenants/kustomization.yaml", "resources: [../operator]\ncomponents: [../operator/multi-tenant]\n")
	if d := deployment(t, render(t, r, "tenants")); !slices.Contains(d.Spec.Template.Spec.Containers[0].Args, "--credential=own") {
		t.Errorf("operator/multi-tenant does not change the Deployment %s", d.Name)
	}
	var account string
	for _, o := range of("Deployment", operator) {
		account = path.Join(o.GetNamespace(), text(o, "spec", "template", "spec", "serviceAccountName"))
	}
	if account != "azure-system/azure-armature-operator" {
		t.Errorf("the operator's account is %s", account)
	}
	for _, variant := range variants {
		webhook, groups := render(t, r, variant+"/webhook"), render(t, r, variant+"/cache")
		checkReferences(t, variant, webhook)
		checkStanzas(t, variant, webhook, groups)
		all := slices.Concat(webhook, groups, operator)
		bindings := 0
		for _, o := range all {
			isNamed := strings.HasPrefix(o.GetName(), "azure-")
			if o.GetKind() != "CustomResourceDefinition" && !isNamed || strings.HasPrefix(o.GetName(), "azure-azure-") {
				t.Errorf("%v: want the prefix azure- once", o)
			}
			if strings.Contains(string(o.text), "armature-system") {
				t.Errorf("%v names the namespace armature-system:\n%s", o, o.text)
			}
			if o.GetKind() == "ClusterRoleBinding" || o.GetKind() == "RoleBinding" {
				bindings++
				binding := As[rbacv1.ClusterRoleBinding](t, o)
				if got := path.Join(binding.Subjects[0].Namespace, binding.Subjects[0].Name); got != account {
					t.Errorf("%v binds %s, want %s", o, got, account)
				}
				if !slices.ContainsFunc(all, func(role Object) bool {
					return role.GetKind() == binding.RoleRef.Kind && role.GetName() == binding.RoleRef.Name
				}) {
					t.Errorf("%v is of %s %s, which is not there", o, binding.RoleRef.Kind, binding.RoleRef.Name)
				}
			}
		}
		if bindings < 6 {
			t.Errorf("%s: found %d bindings", variant, bindings)
		}
	}
	readme, err := os.ReadFile(filepath.Join(r.Folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"`azure-armature-webhook.azure-system.svc`", "deployment/azure-armature-operator", "`azure-armature-storage-writer`",
	} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("the README does not name %s", want)
		}
	}
}
