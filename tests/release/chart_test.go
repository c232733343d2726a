package release

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// renderChart renders the chart of a release as Helm does where no cluster is. It has the functions of Helm that the
// templates use. values are those of an installation, in YAML. The module tests/helm renders and installs it with Helm
// itself.
func renderChart(t *testing.T, folder, namespace, values string) []Object {
	t.Helper()
	return renderChartIn(t, folder, namespace, values, nil)
}

// renderChartIn renders the chart where a cluster has objects, by their names.
func renderChartIn(t *testing.T, folder, namespace, values string, objects map[string]map[string]any) []Object {
	t.Helper()
	lookup := func(_, kind, namespace, name string) map[string]any { return objects[kind+" "+namespace+"/"+name] }
	chart := filepath.Join(folder, "chart")
	text, err := os.ReadFile(filepath.Join(chart, "values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var defaults, given map[string]any
	if err := yaml.UnmarshalStrict(text, &defaults); err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict([]byte(values), &given); err != nil {
		t.Fatal(err)
	}
	merge(t, defaults, given)
	functions := template.FuncMap{
		"join": func(by string, all []any) string {
			var texts []string
			for _, one := range all {
				texts = append(texts, one.(string))
			}
			return strings.Join(texts, by)
		},
		"dict":   func() map[string]any { return map[string]any{} },
		"set":    func(in map[string]any, key string, value any) map[string]any { in[key] = value; return in },
		"hasKey": func(in map[string]any, key string) bool { _, found := in[key]; return found },
		"lookup": lookup,
		"toYaml": func(value any) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
		"indent": func(by int, text string) string {
			return strings.Repeat(" ", by) + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", by))
		},
		"has":        func(item any, list []any) bool { return slices.Contains(list, item) },
		"quote":      func(value any) string { return strconv.Quote(value.(string)) },
		"regexMatch": regexp.MatchString,
	}
	data := map[string]any{"Values": defaults, "Release": map[string]any{"Namespace": namespace}}
	var rendering []Object
	err = fs.WalkDir(os.DirFS(chart), "templates", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(chart, name))
		if err != nil {
			return err
		}
		parsed, err := template.New(name).Option("missingkey=error").Funcs(functions).Parse(string(text))
		if err != nil {
			return err
		}
		var rendered bytes.Buffer
		if err := parsed.Execute(&rendered, data); err != nil || path.Ext(name) != ".yaml" {
			return err
		}
		for _, one := range strings.Split("\n"+rendered.String(), "\n---\n") {
			if strings.TrimSpace(one) == "" {
				continue
			}
			object := Object{text: []byte(one)}
			if err := yaml.UnmarshalStrict(object.text, &object.Object); err != nil {
				return err
			}
			rendering = append(rendering, object)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rendering
}

// merge puts values over others, which must have all of their keys.
func merge(t *testing.T, into, values map[string]any) {
	t.Helper()
	for key, value := range values {
		before, found := into[key]
		if !found {
			t.Fatalf("the chart has no value %s", key)
		}
		inner, isMap := value.(map[string]any)
		if beneath, both := before.(map[string]any); isMap && both && len(beneath) > 0 && key != "resources" {
			merge(t, beneath, inner)
			continue
		}
		into[key] = value
	}
}

// sameObjects compares objects by their names.
func sameObjects(t *testing.T, what string, want, got []Object) {
	t.Helper()
	if diff := cmp.Diff(kinds(want), kinds(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
		return
	}
	byName := map[string]Object{}
	for _, o := range want {
		byName[o.String()] = o
	}
	for _, o := range got {
		if diff := cmp.Diff(byName[o.String()].Object, o.Object); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", what, o, diff)
		}
	}
}

// withoutCRDs returns the objects that are in the chart.
func withoutCRDs(objects []Object) []Object {
	return slices.DeleteFunc(slices.Clone(objects), func(o Object) bool {
		return o.GetKind() == "CustomResourceDefinition" || o.GetKind() == "Namespace"
	})
}

// The chart must have what the other folders have.
func TestChart(t *testing.T) {
	t.Run("with the values that it has itself", testChartDefaults)
	t.Run("without cert-manager, and with the Prometheus operator", testChartVariants)
	t.Run("with another namespace and a prefix", testChartNames)
	t.Run("with other values", testChartValues)
	t.Run("an upgrade keeps the pods of the operator until it is told otherwise", testChartKeep)
	t.Run("a variable of the release that an installation has too comes once", testChartMemory)
	t.Run("without policies of the network there are none", func(t *testing.T) {
		if found := of("NetworkPolicy", renderChart(t, demo, "armature-system", "{networkPolicies: false}")); len(found) > 0 {
			t.Errorf("found %v", found)
		}
	})
	t.Run("an operator of some namespaces has no right to the Secrets of others", testChartNamespaces)
	t.Run("a folder of CRDs has what the chart lacks", testChartCRDs)
	t.Run("the README names every value", testChartReadme)
}

func testChartDefaults(t *testing.T) {
	r := read(t)
	want := slices.Concat(overlay(t, "cert-manager/webhook"), render(t, r, "operator"))
	for _, group := range r.Groups(t) {
		want = append(want, overlay(t, "cert-manager/"+group)...)
	}
	sameObjects(t, "all groups", withoutCRDs(want), renderChart(t, folder, "armature-system", ""))
}

func testChartVariants(t *testing.T) {
	r := readFolder(t, demo)
	r.Add(t, "mine/kustomization.yaml",
		"resources: [../ca-bundle/webhook, ../operator, ../ca-bundle/crm]\ncomponents: [../monitoring, ../operator/monitoring]\n")
	sameObjects(t, "one group", withoutCRDs(render(t, r, "mine")),
		renderChart(t, demo, "armature-system", "{certManager: false, monitoring: true, groups: [crm]}"))
}

// The chart of a release without a prefix must become that of the one which was built with it.
func testChartNames(t *testing.T) {
	named := filepath.Join("..", "..", "release", "named")
	r := readFolder(t, named)
	want := withoutCRDs(slices.Concat(render(t, r, "cert-manager/webhook"), render(t, r, "operator"), render(t, r, "cert-manager/cache")))
	sameObjects(t, "the built one", want, renderChart(t, named, "azure-system", ""))
	installed := renderChart(t, demo, "azure-system", "{namePrefix: azure-, groups: [cache]}")
	for _, o := range slices.Concat(want, installed) { // the policy of the operator has all groups of its release
		if o.GetName() == "azure-armature-operator-writes" {
			unstructured.RemoveNestedField(o.Object, "spec", "variables")
		}
	}
	sameObjects(t, "the installed one", want, installed)
	for _, o := range renderChart(t, demo, "1", "{namePrefix: azure-, monitoring: true}") {
		if !strings.HasPrefix(o.GetName(), "azure-") || strings.Contains(string(o.text), "armature-system") {
			t.Errorf("%v has not all of the names:\n%s", o, o.text)
		}
	}
}

func testChartValues(t *testing.T) {
	r := readFolder(t, demo)
	r.Add(t, "mine/kustomization.yaml", `
resources: [../cert-manager/webhook, ../operator]
components: [../operator/multi-tenant, ../operator/metrics-secure]
images:
- {name: armature-webhook, newName: "registry.example.com:5000/webhook"}
- {name: armature-operator, newName: registry.example.com/operator, newTag: mine}
replicas:
- {name: armature-webhook, count: 3}
- {name: armature-operator, count: 1}
patches:
- target: {kind: ServiceAccount}
  patch: |-
    - {op: add, path: /imagePullSecrets, value: [{name: registry-password}]}
- target: {kind: ServiceAccount, name: armature-operator}
  patch: |-
    - {op: add, path: /metadata/annotations, value: {azure.workload.identity/client-id: "0"}}
- target: {kind: Deployment, name: armature-operator}
  patch: |-
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --ca-file=/etc/armature/ca/ca.crt}
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: "--selector=team in (a, b)"}
    - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: HTTPS_PROXY, value: "http://proxy:3128"}}
    - {op: add, path: /spec/template/spec/containers/0/volumeMounts, value: [{name: ca, mountPath: /etc/armature/ca, readOnly: true}]}
    - {op: add, path: /spec/template/spec/volumes, value: [{name: ca, configMap: {name: corporate}}]}
    - {op: add, path: /spec/template/metadata/annotations, value: {note: a}}
    - {op: add, path: /spec/template/metadata/labels/team, value: azure}
    - {op: replace, path: /spec/template/spec/containers/0/resources, value: {limits: {memory: 4Gi}}}
    - {op: add, path: /spec/template/spec/nodeSelector, value: {pool: system}}
    - {op: add, path: /spec/template/spec/tolerations, value: [{key: CriticalAddonsOnly, operator: Exists}]}
    - {op: add, path: /spec/template/spec/affinity, value: {nodeAffinity: {a: [b]}}}
- target: {kind: Deployment, name: armature-webhook}
  patch: |-
    - {op: add, path: /spec/template/spec/containers/0/args/-, value: --timeout=20s}
    - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: A, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}}
- target: {kind: NetworkPolicy, name: armature-webhook}
  patch: |-
    - {op: add, path: /spec/ingress/0/from, value: [{ipBlock: {cidr: 10.0.0.0/28}}]}
    - {op: add, path: /spec/egress, value: [{ports: [{port: 4317}]}]}
- target: {kind: NetworkPolicy, name: armature-operator}
  patch: |-
    - {op: add, path: /spec/policyTypes/0, value: Egress}
    - {op: add, path: /spec/egress, value: [{ports: [{port: 443}]}]}
- target: {}
  patch: |-
    - {op: add, path: /metadata/labels/team, value: "1"}
`)
	want := render(t, r, "mine")
	got := renderChart(t, demo, "armature-system", `
groups: [none]
imagePullSecrets: [registry-password]
labels: {team: "1"}
webhook:
  image: registry.example.com:5000/webhook
  replicas: 3
  args: [--timeout=20s]
  env: [{name: A, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
  reviewsFrom: [{ipBlock: {cidr: 10.0.0.0/28}}]
  egress: [{ports: [{port: 4317}]}]
operator:
  resources: {limits: {memory: 4Gi}}
  nodeSelector: {pool: system}
  tolerations: [{key: CriticalAddonsOnly, operator: Exists}]
  affinity: {nodeAffinity: {a: [b]}}
  podLabels: {team: azure}
  podAnnotations: {note: a}
  egress: [{ports: [{port: 443}]}]
  image: registry.example.com/operator:mine
  replicas: 1
  args: ["--selector=team in (a, b)"]
  env: [{name: HTTPS_PROXY, value: "http://proxy:3128"}]
  caConfigMap: corporate
  multiTenant: true
  metricsSecure: true
  serviceAccount: {annotations: {azure.workload.identity/client-id: "0"}}
`)
	sameObjects(t, "all values", withoutCRDs(want), got)
}

// The program of a former release may not know a flag of this one's template.
func testChartKeep(t *testing.T) {
	former := map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"args": []any{"--old"}, "image": "old"}}}}
	in := map[string]map[string]any{
		"Deployment azure-system/azure-armature-operator": {"spec": map[string]any{"template": former}},
		"Deployment azure-system/azure-armature-webhook":  {"spec": map[string]any{"template": former}},
	}
	args := func(program, keep string, in map[string]map[string]any) []string {
		objects := renderChartIn(t, demo, "azure-system", "{namePrefix: azure-, operator: {keep: "+keep+"}}", in)
		for _, o := range of("Deployment", objects) {
			if o.GetName() == "azure-armature-"+program {
				d := As[appsv1.Deployment](t, o)
				if *d.Spec.Replicas != 2 || d.Spec.Selector == nil {
					t.Errorf("the Deployment of the %s is not whole: %s", program, o.text)
				}
				return d.Spec.Template.Spec.Containers[0].Args
			}
		}
		t.Fatalf("there is no Deployment of the %s", program)
		return nil
	}
	old := []string{"--old"}
	if got := args("operator", "true", in); !slices.Equal(got, old) {
		t.Errorf("the operator has the arguments %q, want those of the cluster", got)
	}
	if got := args("operator", "false", in); slices.Contains(got, "--old") {
		t.Errorf("without the value the operator has the arguments %q", got)
	}
	if got := args("operator", "true", nil); !slices.Contains(got, "--metrics-address=:8080") {
		t.Errorf("where there is no operator yet, it has the arguments %q", got)
	}
	if got := args("webhook", "true", in); slices.Contains(got, "--old") {
		t.Errorf("the webhook has the arguments %q, want the new ones", got)
	}
}

func testChartMemory(t *testing.T) {
	for _, program := range []string{"webhook", "operator"} {
		objects := renderChart(t, demo, "armature-system", "{"+program+": {env: [{name: GOMEMLIMIT, value: 1800MiB}]}}")
		for _, o := range of("Deployment", objects) {
			want := "900MiB"
			if o.GetName() == "armature-"+program {
				want = "1800MiB"
			}
			if env := As[appsv1.Deployment](t, o).Spec.Template.Spec.Containers[0].Env; len(env) != 1 || env[0].Value != want {
				t.Errorf("%v has the variables %v, want %s", o, env, want)
			}
		}
	}
}

func testChartNamespaces(t *testing.T) {
	for values, want := range map[string]map[string][]string{
		"": {"ClusterRoleBinding": {"armature-cache-operator-outputs", "armature-operator-secrets"}},
		"namespaces: [team-a, team-b]": {"RoleBinding": {
			"team-a/armature-cache-operator-outputs", "team-a/armature-operator-secrets",
			"team-b/armature-cache-operator-outputs", "team-b/armature-operator-secrets"}},
		"bindSecrets: false": {},
		"bindSecrets: false, namespaces: [team-a, team-b]": {},
	} {
		t.Run(values, func(t *testing.T) {
			objects := renderChart(t, demo, "armature-system", "{groups: [cache], namePrefix: \"\", operator: {"+values+"}}")
			got := reaching(t, objects)
			for _, names := range got {
				slices.Sort(names)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, o := range of("RoleBinding", objects) {
				binding := As[rbacv1.RoleBinding](t, o)
				if s := binding.Subjects[0]; s.Namespace != "armature-system" || s.Name != "armature-operator" {
					t.Errorf("%v binds %v", o, s)
				}
			}
			for _, o := range of("Deployment", objects) {
				if o.GetName() != "armature-operator" {
					continue
				}
				args := As[appsv1.Deployment](t, o).Spec.Template.Spec.Containers[0].Args
				if slices.Contains(args, "--namespaces=team-a,team-b") != strings.Contains(values, "namespaces: [") {
					t.Errorf("the pod has the arguments %q", args)
				}
			}
		})
	}
}

func testChartCRDs(t *testing.T) {
	r := readFolder(t, demo)
	for _, variant := range variants {
		for _, group := range r.Groups(t) {
			want := of("CustomResourceDefinition", render(t, r, path.Join(variant, group)))
			sameObjects(t, variant, want, render(t, r, path.Join(variant, "crds", group)))
		}
	}
}

func testChartReadme(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "chart", "values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	var check func(prefix string, values map[string]any)
	check = func(prefix string, values map[string]any) {
		for name, value := range values {
			if inner, isMap := value.(map[string]any); isMap && len(inner) > 0 && name != "resources" {
				check(prefix+name+".", inner)
			} else if !bytes.Contains(readme, []byte("`"+prefix+name+"`")) {
				t.Errorf("the README does not say what %s%s is", prefix, name)
			}
		}
	}
	check("", values)
}
