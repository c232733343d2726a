package release

import (
	"errors"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/reconcile/command/commandtest"
	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestOperatorObjects(t *testing.T) {
	want := []string{
		"ClusterRole armature-operator-events",
		"ClusterRole armature-operator-namespaces",
		"ClusterRole armature-operator-secrets",
		"ClusterRoleBinding armature-operator-events",
		"ClusterRoleBinding armature-operator-namespaces",
		"ClusterRoleBinding armature-operator-secrets",
		"Deployment armature-system/armature-operator",
		"NetworkPolicy armature-system/armature-operator",
		"PodDisruptionBudget armature-system/armature-operator",
		"Role armature-system/armature-operator",
		"RoleBinding armature-system/armature-operator",
		"Service armature-system/armature-operator-metrics",
		"ServiceAccount armature-system/armature-operator",
		"ValidatingAdmissionPolicy armature-operator-writes",
		"ValidatingAdmissionPolicyBinding armature-operator-writes",
	}
	objects := render(t, read(t), "operator")
	if diff := cmp.Diff(want, kinds(objects)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, o := range objects {
		if o.GetLabels()["app.kubernetes.io/name"] != "armature-operator" {
			t.Errorf("%v has the labels %v", o, o.GetLabels())
		}
	}
}

// The operator, its selectors and its ports must fit each other.
func TestOperatorReferences(t *testing.T) {
	objects := render(t, read(t), "operator")
	pod := deployment(t, objects).Spec.Template
	service := As[corev1.Service](t, only(t, "Service", objects))
	for what, selector := range map[string]map[string]string{
		"Deployment":          deployment(t, objects).Spec.Selector.MatchLabels,
		"Service":             service.Spec.Selector,
		"PodDisruptionBudget": As[policyv1.PodDisruptionBudget](t, only(t, "PodDisruptionBudget", objects)).Spec.Selector.MatchLabels,
		"NetworkPolicy":       As[networkingv1.NetworkPolicy](t, only(t, "NetworkPolicy", objects)).Spec.PodSelector.MatchLabels,
	} {
		if len(selector) == 0 || pod.Labels["app.kubernetes.io/name"] != selector["app.kubernetes.io/name"] {
			t.Errorf("%s selects %v, pods have %v", what, selector, pod.Labels)
		}
	}
	if portNamed(pod.Spec, service.Spec.Ports[0].TargetPort.String()) == 0 {
		t.Errorf("the Service has the target port %v, which the pod does not have", service.Spec.Ports[0].TargetPort)
	}
	if pod.Labels["azure.workload.identity/use"] != "true" {
		t.Errorf("the pod has the labels %v, want that of workload identity", pod.Labels)
	}
	for what, probe := range map[string]*corev1.Probe{"/healthz": pod.Spec.Containers[0].LivenessProbe,
		"/readyz": pod.Spec.Containers[0].ReadinessProbe} {
		if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != what || probe.HTTPGet.Port.String() != "health" {
			t.Errorf("the probe is %v, want %s at port health", probe, what)
		}
	}
	checkRestricted(t, pod.Spec)
	checkFlags(t, read(t), Operator, pod.Spec, map[string]string{"metrics-address": "metrics", "health-address": "health"}, "stop-timeout")
}

func TestOperatorImage(t *testing.T) {
	checkImage(t, Operator, "armature-operator", "operator")
}

// The PodMonitor must find the operator's pods. What the alerts and the dashboard ask for is checked
// with the metrics, in runtime/reconcile.
func TestOperatorMonitoring(t *testing.T) {
	r := read(t)
	r.Add(t, "mine/kustomization.yaml", "resources: [../operator]\ncomponents: [../operator/monitoring]\n")
	objects := render(t, r, "mine")
	pod := deployment(t, objects).Spec.Template
	monitor := only(t, "PodMonitor", objects)
	selector := mapOf(monitor, "spec", "selector", "matchLabels")
	if len(selector) == 0 || monitor.GetNamespace() != deployment(t, objects).Namespace {
		t.Errorf("the PodMonitor selects %v in %s", selector, monitor.GetNamespace())
	}
	for label, value := range selector {
		if pod.Labels[label] != value {
			t.Errorf("the PodMonitor selects %s=%v, pods have %v", label, value, pod.Labels)
		}
	}
	endpoints, _, _ := unstructured.NestedSlice(monitor.Object, "spec", "podMetricsEndpoints")
	for _, endpoint := range endpoints {
		if port, _ := endpoint.(map[string]any)["port"].(string); portNamed(pod.Spec, port) == 0 {
			t.Errorf("the PodMonitor scrapes the port %q, which the pod does not have", port)
		}
	}
	if len(endpoints) == 0 {
		t.Error("the PodMonitor scrapes nothing")
	}
	only(t, "PrometheusRule", objects)
	if dashboard := only(t, "ConfigMap", objects); dashboard.GetLabels()["grafana_dashboard"] != "1" ||
		len(mapOf(dashboard, "data")) != 1 {
		t.Errorf("found %v, want a dashboard that Grafana's sidecar finds", dashboard.GetLabels())
	}
}

// The network policy must let metrics out to labelled namespaces alone.
func TestOperatorNetworkPolicy(t *testing.T) {
	policy := As[networkingv1.NetworkPolicy](t, only(t, "NetworkPolicy", render(t, read(t), "operator")))
	if rules := policy.Spec.Ingress; len(rules) != 1 || len(rules[0].Ports) != 1 || rules[0].Ports[0].Port.String() != "metrics" ||
		len(rules[0].From) != 1 || len(rules[0].From[0].NamespaceSelector.MatchLabels) == 0 {
		t.Errorf("found %v", rules)
	}
}

// All bindings, in the folder of the operator and in those of the groups, must be of
// the account that its pods have, also under other names.
func TestOperatorAccount(t *testing.T) {
	for _, variant := range variants {
		r := read(t)
		r.Add(t, "azure/kustomization.yaml", strings.ReplaceAll(r.Example(t, "namePrefix: azure-"), "cert-manager/", variant+"/"))
		for in, objects := range map[string][]Object{
			"armature-system/armature-operator": slices.Concat(render(t, r, "operator"),
				render(t, r, path.Join(variant, r.Groups(t)[0])), render(t, r, variant+"/webhook")),
			"azure-system/azure-armature-operator": render(t, r, "azure"),
		} {
			account := ""
			for _, o := range of("Deployment", objects) {
				if name := o.GetLabels()["app.kubernetes.io/name"]; name == "armature-operator" {
					account = path.Join(o.GetNamespace(), text(o, "spec", "template", "spec", "serviceAccountName"))
				}
			}
			if account != in {
				t.Errorf("%s: the pods have the account %q, want %s", variant, account, in)
			}
			bindings := 0
			for _, o := range slices.Concat(of("ClusterRoleBinding", objects), of("RoleBinding", objects)) {
				binding := As[rbacv1.ClusterRoleBinding](t, o)
				if !strings.HasSuffix(binding.RoleRef.Name, "-outputs") { // TestGroupOverlay says which groups have it
					bindings++
				}
				subject := binding.Subjects[0]
				if got := path.Join(subject.Namespace, subject.Name); got != in {
					t.Errorf("%s: %v binds %s, want %s", variant, o, got, in)
				}
			}
			if bindings != 6 {
				t.Errorf("%s: found %d bindings, want those of events, namespaces, secrets, storage versions, the group and the own namespace",
					variant, bindings)
			}
		}
	}
}

// In a cluster of several tenants the operator must have no identity of its own.
func TestOperatorMultiTenant(t *testing.T) {
	r := read(t)
	r.Add(t, "mine/kustomization.yaml", "resources: [../operator]\ncomponents: [../operator/multi-tenant]\n")
	objects := render(t, r, "mine")
	pod := deployment(t, objects).Spec.Template
	if args := pod.Spec.Containers[0].Args; !slices.Contains(args, "--credential=own") {
		t.Errorf("the pod has the arguments %q", args)
	}
	if label, found := pod.Labels["azure.workload.identity/use"]; found {
		t.Errorf("the pod gets a token for Azure: %q", label)
	}
	checkFlags(t, r, Operator, pod.Spec, map[string]string{"metrics-address": "metrics"}, "stop-timeout")
}

// The operator may write the lease of each name that --instance can give it.
func TestOperatorLease(t *testing.T) {
	for _, rule := range As[rbacv1.Role](t, only(t, "Role", render(t, read(t), "operator"))).Rules {
		if slices.Contains(rule.Resources, "leases") {
			if len(rule.ResourceNames) > 0 || !slices.Equal(rule.Verbs, []string{"create", "get", "update"}) {
				t.Errorf("it may %q leases %q", rule.Verbs, rule.ResourceNames)
			}
			return
		}
	}
	t.Error("it may write no lease")
}

// The kustomization of docs/install-operator.md must render, with flags that the program has.
func TestOperatorDocs(t *testing.T) {
	r := read(t)
	r.Add(t, "mine/kustomization.yaml", example(t, "install-operator.md", "```yaml\n# operator/kustomization.yaml\n"))
	objects := render(t, r, "mine")
	if id := As[corev1.ServiceAccount](t, only(t, "ServiceAccount", objects)).Annotations["azure.workload.identity/client-id"]; id == "" {
		t.Error("the account has no identity")
	}
	checkFlags(t, r, Operator, deployment(t, objects).Spec.Template.Spec, map[string]string{"metrics-address": "metrics"})
	if args := deployment(t, objects).Spec.Template.Spec.Containers[0].Args; !slices.Contains(args, "--credential-namespace=team-a") {
		t.Errorf("the pod has the arguments %q", args)
	}
}

// Operators side by side, as docs/several-operators.md has them, must share no object of the cluster, and no role must
// be bound to the account of another.
func TestOperatorsSideBySide(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "several-operators.md"))
	if err != nil {
		t.Fatal(err)
	}
	r := read(t)
	r.Add(t, "second/kustomization.yaml", example(t, "several-operators.md", "```yaml\n"))
	first := map[string]bool{}
	for _, o := range render(t, r, "operator") {
		first[o.String()] = true
	}
	second := render(t, r, "second")
	account := only(t, "ServiceAccount", second)
	for _, o := range second {
		if first[o.String()] {
			t.Errorf("both have %v", o)
		}
		if strings.HasSuffix(o.GetKind(), "RoleBinding") {
			subject := As[rbacv1.ClusterRoleBinding](t, o).Subjects[0]
			if subject.Namespace != account.GetNamespace() || subject.Name != account.GetName() {
				t.Errorf("%v binds %v", o, subject)
			}
		}
	}
	bound := regexp.MustCompile(`(?s)for role in (.*?); do.*--serviceaccount (\S+)`).FindStringSubmatch(string(docs))
	if bound == nil || bound[2] != account.GetNamespace()+":"+account.GetName() {
		t.Fatalf("docs/several-operators.md binds %q, want roles of %v", bound, account)
	}
	roles := map[string]bool{}
	for _, folder := range []string{"cert-manager/webhook", "cert-manager/cache"} {
		for _, o := range render(t, r, folder) {
			roles[o.GetKind()+" "+o.GetName()] = true
		}
	}
	for _, role := range strings.Fields(bound[1]) {
		if !roles["ClusterRole "+role] {
			t.Errorf("docs/several-operators.md binds %s, which the release does not have", role)
		}
	}
	pod := deployment(t, second).Spec.Template.Spec
	if pod.ServiceAccountName != account.GetName() || !slices.Contains(pod.Containers[0].Args, "--namespaces=team-a") {
		t.Errorf("the pod has the account %s and the arguments %q", pod.ServiceAccountName, pod.Containers[0].Args)
	}
	checkFlags(t, r, Operator, pod, map[string]string{"metrics-address": "metrics"})
}

// The image's program is ready also where the cluster serves no kind yet.
func TestOperatorWithoutKinds(t *testing.T) {
	health := read(t).StartOperator(t, commandtest.Kubeconfig(t), "--namespace=armature-system", "--leader-elect=false")
	await.Until(t, "it is ready", func() error {
		response, err := http.Get("http://" + health + "/readyz")
		if err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK {
			err = errors.New(response.Status)
		}
		return errors.Join(err, response.Body.Close())
	})
}

// installed has the objects of an operator that is installed in one of the ways.
type installed struct {
	how, account string
	objects      []Object
}

func operators(t *testing.T) []installed {
	t.Helper()
	r, named := read(t), readFolder(t, filepath.Join("..", "..", "release", "named"))
	r.Add(t, "azure/kustomization.yaml", r.Example(t, "namePrefix: azure-"))
	r.Add(t, "second/kustomization.yaml", example(t, "several-operators.md", "```yaml\n"))
	const azure = "azure-system:azure-armature-operator"
	return []installed{
		{"the folder", "armature-system:armature-operator", render(t, r, "operator")},
		{"a kustomization with other names", azure, render(t, r, "azure")},
		{"a release that was built with other names", azure, render(t, named, "operator")},
		{"a second operator", "armature-team-a:armature-operator-team-a", render(t, r, "second")},
		{"the chart", "1:armature-operator", renderChart(t, demo, "1", "")},
		{"the chart with a prefix", azure, renderChart(t, demo, "azure-system", "{namePrefix: azure-}")},
	}
}

// example returns an example of a page of docs, which begins after a text, for a folder of the release.
func example(t *testing.T, page, begin string) string {
	t.Helper()
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	_, example, found := strings.Cut(string(docs), begin)
	example, _, _ = strings.Cut(example, "```")
	if !found {
		t.Fatalf("docs/%s has no %q", page, begin)
	}
	return strings.ReplaceAll(example, "../release/", "../")
}

// Whatever an operator is called, a policy must limit what its account writes, and nobody else's: the roles let it
// write all Secrets. What the policy denies is tested in tests/release/rights.
func TestOperatorWrites(t *testing.T) {
	for _, operator := range operators(t) {
		t.Run(operator.how, func(t *testing.T) {
			account, objects := operator.account, operator.objects
			var policies []*admissionregistrationv1.ValidatingAdmissionPolicy
			for _, o := range of("ValidatingAdmissionPolicy", objects) {
				if strings.Contains(o.GetName(), "operator-writes") {
					policies = append(policies, As[admissionregistrationv1.ValidatingAdmissionPolicy](t, o))
				}
			}
			if len(policies) != 1 || len(policies[0].Spec.MatchConditions) != 1 ||
				*policies[0].Spec.FailurePolicy != admissionregistrationv1.Fail {
				t.Fatalf("found %v, want one policy that fails closed, with one condition", policies)
			}
			joined := strings.ReplaceAll(policies[0].Spec.MatchConditions[0].Expression, "' + '", "")
			if want := "request.userInfo.username == 'system:serviceaccount:" + account + "'"; joined != want {
				t.Errorf("the policy is for %s, want %s", joined, want)
			}
			bound := false
			for _, o := range of("ValidatingAdmissionPolicyBinding", objects) {
				spec := As[admissionregistrationv1.ValidatingAdmissionPolicyBinding](t, o).Spec
				bound = bound || spec.PolicyName == policies[0].Name && spec.MatchResources == nil &&
					slices.Equal(spec.ValidationActions, []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny})
			}
			if !bound {
				t.Errorf("no binding of %s denies", policies[0].Name)
			}
			for _, o := range objects {
				if !strings.HasSuffix(o.GetKind(), "RoleBinding") {
					continue
				}
				for _, subject := range As[rbacv1.ClusterRoleBinding](t, o).Subjects {
					if subject.Namespace+":"+subject.Name != account {
						t.Errorf("%v binds %s/%s, which the policy does not limit", o, subject.Namespace, subject.Name)
					}
				}
			}
		})
	}
}

// The policy must know the groups whose objects may have outputs.
func TestOperatorWritesGroups(t *testing.T) {
	r := read(t)
	policy := As[admissionregistrationv1.ValidatingAdmissionPolicy](t, only(t, "ValidatingAdmissionPolicy", render(t, r, "operator")))
	groups := policy.Spec.Variables[0].Expression
	for _, group := range r.Groups(t) {
		for name, crd := range builtFor(t, group) {
			if slices.ContainsFunc(crd.Spec.Versions, hasOutputs) && !strings.Contains(groups, "'"+crd.Spec.Group+"'") {
				t.Errorf("%s has outputs, which the policy denies: it has the groups %s", name, groups)
			}
		}
	}
}

// With the component no binding has a right to Secrets or ConfigMaps, and everything else is the same.
func TestOperatorSomeNamespaces(t *testing.T) {
	r := read(t)
	const page, begin = "install-operator.md", "```yaml\n# secrets/kustomization.yaml\n"
	text := example(t, page, begin)
	r.Add(t, "mine/kustomization.yaml", text)
	objects := render(t, r, "mine")
	if args := deployment(t, objects).Spec.Template.Spec.Containers[0].Args; !slices.Contains(args, "--namespaces=team-a,team-b") {
		t.Errorf("the pod has the arguments %q", args)
	}
	reach := reaching(t, objects)
	if len(reach["ClusterRoleBinding"]) > 0 || len(reach["RoleBinding"]) > 0 {
		t.Errorf("the rights to Secrets are bound by %v", reach)
	}
	r.Add(t, "all/kustomization.yaml", strings.Replace(text, "components:\n- ../operator/some-namespaces\n", "", 1))
	all := render(t, r, "all")
	left := reaching(t, all)["ClusterRoleBinding"]
	if got := len(all) - len(objects); got != len(left) || got != 2 {
		t.Errorf("%d objects are left out, want those of %v", got, left)
	}
	roles, _, _ := strings.Cut(example(t, page, "```sh release\nfor role in "), ";")
	if diff := cmp.Diff(left, strings.Fields(roles)); diff != "" {
		t.Errorf("docs/%s binds others than are left out (-want +got):\n%s", page, diff)
	}
}

// reaching returns the names of the bindings by kind that let the operator read or write Secrets or ConfigMaps outside
// of its own namespace.
func reaching(t *testing.T, objects []Object) map[string][]string {
	t.Helper()
	roles := map[string]bool{}
	for _, o := range of("ClusterRole", objects) {
		for _, rule := range As[rbacv1.ClusterRole](t, o).Rules {
			if slices.Contains(rule.Resources, "secrets") || slices.Contains(rule.Resources, "configmaps") {
				roles[o.GetName()] = true
			}
		}
	}
	found := map[string][]string{}
	for _, o := range objects {
		if strings.HasSuffix(o.GetKind(), "RoleBinding") && roles[As[rbacv1.ClusterRoleBinding](t, o).RoleRef.Name] {
			found[o.GetKind()] = append(found[o.GetKind()], strings.TrimPrefix(o.GetNamespace()+"/"+o.GetName(), "/"))
		}
	}
	return found
}

// Nobody may have the tokens of all ServiceAccounts of the cluster: with them the operator, or who takes it over, could
// be anybody. RBAC cannot limit the audience of a token. A namespace gives the right to its own ones, by a Role. Who
// may create Secrets gets tokens too, by their type: that right is for the operator's account alone, which the policy
// of TestOperatorWrites limits.
func TestTokenRights(t *testing.T) {
	ofOperator := regexp.MustCompile("^armature-(operator-secrets|.+-operator-outputs)$") // which TestOperatorAccount looks at
	r := read(t)
	found := 0
	folders := []string{"operator"}
	for _, variant := range variants {
		folders = append(folders, variant+"/webhook")
		for _, group := range r.Groups(t) {
			folders = append(folders, path.Join(variant, group))
		}
	}
	for _, folder := range folders {
		objects := render(t, r, folder)
		for _, kind := range reaching(t, objects) {
			for _, name := range kind {
				if !ofOperator.MatchString(name) {
					t.Errorf("%s: %s has a right to Secrets", folder, name)
				}
			}
		}
		for _, o := range objects {
			if o.GetKind() != "ClusterRole" && o.GetKind() != "Role" {
				continue
			}
			found++
			for _, rule := range As[rbacv1.ClusterRole](t, o).Rules {
				for _, resource := range rule.Resources {
					if resource == "*" || resource == "serviceaccounts/*" || resource == "*/token" || resource == "serviceaccounts/token" ||
						resource == "serviceaccounts" && slices.Contains(rule.Verbs, "impersonate") {
						t.Errorf("%s: %v has a right to %s", folder, o, resource)
					}
				}
				if slices.Contains(rule.Verbs, "escalate") || slices.Contains(rule.Verbs, "bind") || slices.Contains(rule.Verbs, "*") {
					t.Errorf("%s: %v may %q", folder, o, rule.Verbs)
				}
			}
		}
	}
	if found < 5 {
		t.Errorf("found %d roles", found)
	}
}
