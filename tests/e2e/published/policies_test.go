package published_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// warnings are the API server's about the requests of a client.
type warnings struct {
	mutex sync.Mutex
	texts []string
}

// HandleWarningHeader is called by the client.
func (w *warnings) HandleWarningHeader(_ int, _ string, text string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.texts = append(w.texts, text)
}

// take returns the warnings since the last call.
func (w *warnings) take() []string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	texts := w.texts
	w.texts = nil
	return texts
}

// newClient returns a client of all resources, and the warnings that it gets.
func newClient(t *testing.T) (dynamic.Interface, *warnings) {
	t.Helper()
	config, w := rest.CopyConfig(server.Config), &warnings{}
	config.WarningHandler = w
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client, w
}

// dry makes a request as a dry run.
var dry = []string{metav1.DryRunAll}

// installPolicies installs the policies of a group, and waits until they deny what they
// should: a sample of the group with a version that does not exist. The function that it
// returns removes them, without waiting.
func installPolicies(t *testing.T, group string, of sample) (remove func()) {
	t.Helper()
	probe := of.DeepCopy()
	probe.SetAnnotations(map[string]string{annotation.APIVersion: "none"})
	// The policy of annotations is one of the last of the file, so the others are in force too.
	remove = server.Apply(t, cluster.ReadPolicies(t, folderOf(group, "crds")))
	cluster.AwaitDenied(t, func() error {
		_, err := of.resource.Create(context.Background(), probe, metav1.CreateOptions{DryRun: dry})
		return err
	})
	return remove
}

// object returns an object that a text of YAML describes.
func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.UnmarshalStrict([]byte(text), &o.Object); err != nil {
		t.Fatal(err)
	}
	return o
}

// kinds are the kinds of the tests of policies, by group.
var kinds = map[string][]string{
	"storage": {"storageaccounts"},
	"network": {"networksecuritygroups", "firewallpolicyrulecollectiongroups"},
	"compute": {"virtualmachines"},
}

// The policies of all groups are in force while [TestGroup] applies their samples. This
// tests what they say, and to whom.
func TestPolicies(t *testing.T) {
	_, converter := newConverter(t)
	var crds []*apiextensionsv1.CustomResourceDefinition
	for group, plurals := range kinds {
		for _, crd := range cluster.ReadCRDs(t, folderOf(group, "crds")) {
			if slices.Contains(plurals, crd.Spec.Names.Plural) {
				crds = append(crds, crd)
			}
		}
	}
	server.Install(t, converter, crds...)
	t.Cleanup(func() { server.Uninstall(t, crds...) })
	client, warned := newClient(t)
	p := policies{client, warned}

	// What was there before the policies.
	before := p.account(t, "v20260401", "there-already", "Not_A_Name!")
	before.SetFinalizers([]string{"example.com/test"})
	unstructured.SetNestedField(before.Object, "Unheard_LRS", "spec", "sku", "name")
	p.create(t, before, metav1.CreateOptions{})
	t.Cleanup(func() { // if a subtest has not done it, the CRD could not go
		await.Until(t, before.GetName()+" has no finalizer", func() error {
			err := p.patch("v20260401", before.GetName(), `{"metadata": {"finalizers": null}}`)
			if apierrors.IsNotFound(err) {
				return nil
			}
			return err
		})
	})

	for group, plurals := range kinds {
		probe := object(t, probes[plurals[0]])
		gvk := probe.GroupVersionKind()
		t.Cleanup(installPolicies(t, group, sample{probe, p.at(gvk.Group, gvk.Version, plurals[0])}))
	}
	warned.take()

	t.Run("a name that does not fit is denied", p.testNames)
	t.Run("an object that is there already stays writable", func(t *testing.T) { p.testBefore(t, before.GetName()) })
	t.Run("a value that no list has is accepted with a warning", p.testValues)
	t.Run("what ARM reads but once does not change", p.testFixed)
	t.Run("the largest lists are within the cost of a policy", p.testCosts)
}

var probes = map[string]string{
	"storageaccounts": `
apiVersion: storage.azure.armature.dev/v20260401
kind: StorageAccount
metadata: {name: account}
spec: {owner: {name: shop}, location: westeurope, kind: StorageV2, sku: {name: Standard_LRS}}
`,
	"networksecuritygroups": `
apiVersion: network.azure.armature.dev/v20250901
kind: NetworkSecurityGroup
metadata: {name: rules}
spec: {owner: {name: shop}, location: westeurope}
`,
	"virtualmachines": `
apiVersion: compute.azure.armature.dev/v20260401
kind: VirtualMachine
metadata: {name: machine}
spec: {owner: {name: shop}, location: westeurope}
`,
}

// policies makes requests and reads what the policies say.
type policies struct {
	client dynamic.Interface
	warned *warnings
}

func (p policies) at(group, version, plural string) dynamic.ResourceInterface {
	return p.client.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: plural}).Namespace("default")
}

func (p policies) accounts(version string) dynamic.ResourceInterface {
	return p.at("storage.azure.armature.dev", version, "storageaccounts")
}

// empty is an azureName that is there and says nothing.
const empty = "(empty)"

// account returns a storage account, without azureName if that is "".
func (p policies) account(t *testing.T, version, name, azureName string) *unstructured.Unstructured {
	t.Helper()
	o := object(t, probes["storageaccounts"])
	o.SetAPIVersion("storage.azure.armature.dev/" + version)
	o.SetName(name)
	if azureName == empty {
		unstructured.SetNestedField(o.Object, "", "spec", "azureName")
	} else if azureName != "" {
		unstructured.SetNestedField(o.Object, azureName, "spec", "azureName")
	}
	return o
}

func (p policies) create(t *testing.T, o *unstructured.Unstructured, options metav1.CreateOptions) {
	t.Helper()
	if err := p.try(t, o, options); err != nil {
		t.Fatal(err)
	}
}

// try creates a storage account, with strict validation.
func (p policies) try(t *testing.T, o *unstructured.Unstructured, options metav1.CreateOptions) error {
	t.Helper()
	options.FieldValidation = "Strict"
	_, err := p.accounts(o.GroupVersionKind().Version).Create(t.Context(), o, options)
	return err
}

// patch patches a storage account with a merge patch, also in a cleanup.
func (p policies) patch(version, name, text string) error {
	_, err := p.accounts(version).Patch(context.Background(), name, types.MergePatchType, []byte(text), metav1.PatchOptions{})
	return err
}

func (p policies) testNames(t *testing.T) {
	const newest, lower, storage = "v20260401", "3 to 24 characters that match ^[a-z0-9]+$", "v20260401storage"
	for _, test := range []struct {
		reason, version, name, azureName string
		message                          string // "" if the account is accepted
	}{
		{"both fit", newest, "account", "account1", ""},
		{"another name of the object", newest, "my-account", "account1", ""},
		{"the name of the object, which fits", newest, "account", "", ""},
		{"an empty name, which is none", newest, "account", empty, ""},
		{"an empty name of an object whose name does not fit", newest, "my-account", empty, "the name in Azure is my-account"},
		{"characters", newest, "account", "my-account",
			"spec.azureName: the name in Azure is my-account, expected " + lower + "; without azureName it is metadata.name"},
		{"too short", newest, "account", "ab", "the name in Azure is ab, expected " + lower},
		{"too long", newest, "account", "abcdefghijklmnopqrstuvwxy", "the name in Azure is abcdefghijklmnopqrstuvwxy, expected " + lower},
		{"the name of the object", newest, "my-account", "",
			"spec.azureName: the name in Azure is my-account, expected " + lower + "; without azureName it is metadata.name"},
		{"a version that lists a length only", "v20210401", "account", "ab", "the name in Azure is ab, expected 3 to 24 characters"},
		{"characters that this version does not list", "v20210401", "account", "my-account", ""},
		// The message has to be one line, of 5 KB at most.
		{"two lines", newest, "account", "my\naccount",
			"spec.azureName: ARM does not take this name, which without azureName is metadata.name"},
		{"very long", newest, "account", strings.Repeat("a", 100_000), "spec.azureName: ARM does not take this name"},
		{"a backup", storage, "account", "my-account", ""},
	} {
		t.Run(test.reason, func(t *testing.T) {
			err := p.try(t, p.account(t, test.version, test.name, test.azureName), metav1.CreateOptions{DryRun: dry})
			expectDenied(t, err, test.message)
		})
	}
	t.Run("a name that the API server makes", func(t *testing.T) {
		o := p.account(t, newest, "", "")
		o.SetGenerateName("account-")
		expectDenied(t, p.try(t, o, metav1.CreateOptions{DryRun: dry}), "the name in Azure is account-")
	})
	t.Run("server-side apply", func(t *testing.T) {
		_, err := p.accounts(newest).Apply(t.Context(), "my-account", p.account(t, newest, "my-account", ""),
			metav1.ApplyOptions{FieldManager: "test", DryRun: dry})
		expectDenied(t, err, "the name in Azure is my-account")
	})
}

// expectDenied checks that the policy of names denies a write with a message, or that there
// is no error if the message is "".
func expectDenied(t *testing.T, err error, message string) {
	t.Helper()
	switch {
	case message == "" && err != nil:
		t.Error(err)
	case message != "" && (!cluster.IsDenied(err) || !strings.Contains(err.Error(), "'names.") || !strings.Contains(err.Error(), message)):
		t.Errorf("the error is\n%v\nwant a denial with\n%s", err, message)
	}
}

// testBefore writes an object whose name and SKU the policies would not let pass, with all
// that a user and an operator do, and deletes it.
func (p policies) testBefore(t *testing.T, name string) {
	const version = "v20260401"
	accounts := p.accounts(version)
	p.warned.take()
	for _, test := range []struct {
		reason  string
		kind    types.PatchType
		text    string
		of      []string
		changes bool // the Spec
	}{
		{"a label", types.MergePatchType, `{"metadata": {"labels": {"team": "a"}}}`, nil, false},
		{"an annotation", types.MergePatchType, `{"metadata": {"annotations": {"team": "a"}}}`, nil, false},
		{"another property", types.MergePatchType, `{"spec": {"accessTier": "Hot"}}`, nil, true},
		{"the same Spec", types.MergePatchType, `{"spec": {"accessTier": "Hot"}}`, nil, false},
		{"server-side apply", types.ApplyPatchType, `{"apiVersion": "storage.azure.armature.dev/v20260401", "kind": "StorageAccount",
			"metadata": {"name": "there-already"}, "spec": {"accessTier": "Cool"}}`, nil, true},
		{"the status", types.MergePatchType, `{"status": {"provisioningState": "Succeeded"}}`, []string{"status"}, false},
		{"a finalizer", types.MergePatchType, `{"metadata": {"finalizers": ["example.com/test", "example.com/other"]}}`, nil, false},
		{"one finalizer less", types.MergePatchType, `{"metadata": {"finalizers": ["example.com/test"]}}`, nil, false},
	} {
		t.Run(test.reason, func(t *testing.T) {
			options := metav1.PatchOptions{FieldManager: "test"}
			if test.kind == types.ApplyPatchType {
				options.Force = new(true)
			}
			patch := func() []string {
				_, err := accounts.Patch(t.Context(), name, test.kind, []byte(test.text), options, test.of...)
				if err != nil {
					t.Error(err)
				}
				return p.warned.take()
			}
			got := patch()
			if len(got) > 0 && !test.changes {
				// An API server begins with the object of its cache. Where that lacks the write before, it
				// admits a change, and finds out when it stores it.
				got = patch()
			}
			if (len(got) > 0) != test.changes {
				t.Errorf("the warnings are %q; the Spec changes: %v", got, test.changes)
			}
		})
	}
	t.Run("at every version", func(t *testing.T) {
		for _, version := range []string{"v20250801", "v20210401", "v20190601", "v20260401storage"} {
			if err := p.patch(version, name, `{"metadata": {"labels": {"version": "`+version+`"}}}`); err != nil {
				t.Errorf("%s: %v", version, err)
			}
		}
	})
	t.Run("it is deleted once its finalizer is gone", func(t *testing.T) {
		if err := accounts.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := p.patch(version, name, `{"metadata": {"finalizers": null}}`); err != nil {
			t.Fatal(err)
		}
		if _, err := accounts.Get(t.Context(), name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("it is still there: %v", err)
		}
		if got := p.warned.take(); len(got) > 0 {
			t.Errorf("the warnings are %q, want none", got)
		}
	})
}

// said checks that there is one warning, which ends in a text.
func (p policies) said(t *testing.T, policy, text string) {
	t.Helper()
	got := p.warned.take()
	if len(got) != 1 || !strings.Contains(got[0], "'"+policy+"'") || !strings.HasSuffix(got[0], ": "+text) {
		t.Errorf("the warnings are\n%s\nwant one of %s that ends in\n%s", strings.Join(got, "\n"), policy, text)
	}
}

func (p policies) testValues(t *testing.T) {
	const newest, old = "v20260401", "v20210401"
	const policy = "known-values.storage.azure.armature.dev"
	const skus = "Standard_LRS, Standard_GRS, Standard_RAGRS, Standard_ZRS, Premium_LRS, Premium_ZRS, Standard_GZRS, Standard_RAGZRS, " +
		"StandardV2_LRS, StandardV2_GRS, StandardV2_ZRS, StandardV2_GZRS, PremiumV2_LRS, PremiumV2_ZRS"
	warning := func(version, skus string) string {
		return "spec.sku.name is none of " + skus + ": these are what " + version + " lists, and ARM may refuse others"
	}
	unknown := func(version, name string) *unstructured.Unstructured {
		o := p.account(t, version, name, "")
		unstructured.SetNestedField(o.Object, "Unheard_LRS", "spec", "sku", "name")
		return o
	}
	t.Run("a create", func(t *testing.T) {
		p.create(t, unknown(newest, "stored"), metav1.CreateOptions{})
		p.said(t, policy, warning(newest, skus))
	})
	t.Cleanup(func() {
		if err := p.accounts(newest).Delete(context.Background(), "stored", metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
	t.Run("an update of the Spec, and none that leaves it", func(t *testing.T) {
		for text, changes := range map[string]bool{
			`{"spec": {"accessTier": "Hot"}}`:           true,
			`{"metadata": {"labels": {"a": "b"}}}`:      false,
			`{"metadata": {"annotations": {"a": "b"}}}`: false,
		} {
			if err := p.patch(newest, "stored", text); err != nil {
				t.Error(err)
			}
			if changes {
				p.said(t, policy, warning(newest, skus))
			} else if got := p.warned.take(); len(got) > 0 {
				t.Errorf("%s: the warnings are %q, want none", text, got)
			}
		}
	})
	t.Run("each version has its own list", func(t *testing.T) {
		o := unknown(old, "account")
		p.create(t, o, metav1.CreateOptions{DryRun: dry})
		const listed = "Standard_LRS, Standard_GRS, Standard_RAGRS, Standard_ZRS, Premium_LRS, Premium_ZRS, Standard_GZRS, Standard_RAGZRS"
		p.said(t, policy, warning(old, listed))
	})
	t.Run("each value is named, at any depth", func(t *testing.T) {
		o := unknown(newest, "account")
		unstructured.SetNestedField(o.Object, "Unheard", "spec", "kind")
		p.create(t, o, metav1.CreateOptions{DryRun: dry})
		got := strings.Join(p.warned.take(), "\n")
		for _, property := range []string{"spec.sku.name is none of", "spec.kind is none of"} {
			if !strings.Contains(got, property) {
				t.Errorf("the warning is\n%s\nwant in it %q", got, property)
			}
		}
	})
	t.Run("a known value, and another that the same list has", func(t *testing.T) {
		for _, sku := range []string{"Standard_LRS", "PremiumV2_ZRS"} {
			o := unknown(newest, "account")
			unstructured.SetNestedField(o.Object, sku, "spec", "sku", "name")
			p.create(t, o, metav1.CreateOptions{DryRun: dry})
			if got := p.warned.take(); len(got) > 0 {
				t.Errorf("%s: the warnings are %q, want none", sku, got)
			}
		}
	})
	t.Run("the storage version, at which the operator writes", func(t *testing.T) {
		p.create(t, unknown(newest+"storage", "account"), metav1.CreateOptions{DryRun: dry})
		if got := p.warned.take(); len(got) > 0 {
			t.Errorf("the warnings are %q, want none", got)
		}
	})
	t.Run("a long list is cut", func(t *testing.T) {
		o := object(t, probes["virtualmachines"])
		unstructured.SetNestedField(o.Object, "Unheard_D2", "spec", "hardwareProfile", "vmSize")
		machines := p.at("compute.azure.armature.dev", o.GroupVersionKind().Version, "virtualmachines")
		if _, err := machines.Create(t.Context(), o, metav1.CreateOptions{DryRun: dry, FieldValidation: "Strict"}); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(p.warned.take(), "\n")
		if !strings.Contains(got, "spec.hardwareProfile.vmSize is none of Basic_A0, ") ||
			!strings.Contains(got, "…: these are what v20") || len(got) > 1000 {
			t.Errorf("the warning is\n%s", got)
		}
	})
}

// testCosts makes requests with lists that are about as long as the webhook converts. Of the
// last element's value a policy that costs too much would say nothing.
func (p policies) testCosts(t *testing.T) {
	const largest = 1_000_000
	for _, test := range []struct {
		kind, plural, property string
		// element is one of the list, with its number and a value. known is one that it may have.
		element, known string
		spec           func(list []any) map[string]any
	}{
		{"NetworkSecurityGroup", "networksecuritygroups", "spec.securityRules[].properties.protocol",
			`{"name": "r%d", "properties": {"access": "Allow", "direction": "Inbound", "priority": 100, "protocol": "%s"}}`, "Tcp",
			func(list []any) map[string]any {
				return map[string]any{"location": "westeurope", "securityRules": list}
			}},
		{"FirewallPolicyRuleCollectionGroup", "firewallpolicyrulecollectiongroups",
			"spec.ruleCollections[].firewallPolicyFilterRuleCollection.rules[].networkRule.ipProtocols[]",
			`{"name": "r%d", "networkRule": {"ipProtocols": ["TCP", "UDP", "ICMP", "%s"]}}`, "Any",
			func(list []any) map[string]any {
				return map[string]any{"ruleCollections": []any{
					map[string]any{"firewallPolicyFilterRuleCollection": map[string]any{"rules": list}},
				}}
			}},
	} {
		t.Run(test.kind, func(t *testing.T) {
			var list []any
			add := func(value string) (size int) {
				var element any
				text := fmt.Sprintf(test.element, len(list), value)
				if err := json.Unmarshal([]byte(text), &element); err != nil {
					t.Fatal(err)
				}
				list = append(list, element)
				return len(text)
			}
			for size := 0; size < largest; size += add(test.known) {
			}
			for _, unknown := range []bool{false, true} {
				if unknown {
					add("Unheard")
				}
				o := object(t, probes["networksecuritygroups"])
				o.SetKind(test.kind)
				o.Object["spec"] = test.spec(list)
				unstructured.SetNestedField(o.Object, "shop", "spec", "owner", "name")
				err := cluster.Patiently(func() error {
					_, err := p.at("network.azure.armature.dev", o.GroupVersionKind().Version, test.plural).Create(t.Context(), o,
						metav1.CreateOptions{DryRun: dry, FieldValidation: "Strict"})
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				got := strings.Join(p.warned.take(), "\n")
				if unknown != strings.Contains(got, test.property+" is none of ") || !unknown && got != "" {
					t.Errorf("%d elements, one unknown: %v; the warnings are %q", len(list), unknown, got)
				}
			}
		})
	}
}
