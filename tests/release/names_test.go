package release

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
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
	without := strings.Replace(example, "transformers:\n- ../cert-manager/names\n", "", 1)
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
