package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"debug/elf"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func deployment(t *testing.T, objects []Object) *appsv1.Deployment {
	t.Helper()
	return As[appsv1.Deployment](t, only(t, "Deployment", objects))
}

// list returns a list of strings in an object without a Go type.
func list(o Object, fields ...string) []string {
	all, _, _ := unstructured.NestedStringSlice(o.Object, fields...)
	return all
}

func text(o Object, fields ...string) string {
	value, _, _ := unstructured.NestedString(o.Object, fields...)
	return value
}

var base = []string{
	"ClusterRole armature-storage-writer",
	"ClusterRoleBinding armature-storage-writer",
	"Deployment armature-system/armature-webhook",
	"Namespace armature-system",
	"NetworkPolicy armature-system/armature-webhook",
	"PodDisruptionBudget armature-system/armature-webhook",
	"PriorityClass armature-webhook",
	"Service armature-system/armature-webhook",
	"Service armature-system/armature-webhook-metrics",
	"ServiceAccount armature-system/armature-webhook",
}

func TestWebhookObjects(t *testing.T) {
	certificates := append([]string{
		"Certificate armature-system/armature-ca",
		"Certificate armature-system/armature-webhook",
		"Issuer armature-system/armature-ca",
		"Issuer armature-system/armature-self-signed",
	}, base...)
	slices.Sort(certificates)
	for variant, want := range map[string][]string{"ca-bundle": base, "cert-manager": certificates} {
		objects := render(t, read(t), variant+"/webhook")
		if diff := cmp.Diff(want, kinds(objects)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", variant, diff)
		}
		for _, o := range objects {
			// By this label a kustomization of webhook and groups is applied in two steps.
			if labels := o.GetLabels(); labels["app.kubernetes.io/name"] != "armature-webhook" ||
				labels["app.kubernetes.io/part-of"] != "armature" {
				t.Errorf("%s: %v has the labels %v", variant, o, labels)
			}
		}
	}
}

func TestWebhookReferences(t *testing.T) {
	for _, variant := range variants {
		checkReferences(t, variant, render(t, read(t), variant+"/webhook"))
	}
}

// checkReferences checks that selectors, ports, accounts, namespaces and
// certificates match.
func checkReferences(t *testing.T, variant string, objects []Object) {
	t.Helper()
	d := deployment(t, objects)
	budget := As[policyv1.PodDisruptionBudget](t, only(t, "PodDisruptionBudget", objects))
	if budget.Spec.MinAvailable != nil || budget.Spec.MaxUnavailable == nil || budget.Spec.MaxUnavailable.IntValue() != 1 {
		t.Errorf("with one replica the budget %+v refuses each eviction, and a drain waits for ever", budget.Spec)
	}
	policy := As[networkingv1.NetworkPolicy](t, only(t, "NetworkPolicy", objects))
	pod := d.Spec.Template
	selectors := map[string]map[string]string{
		"Deployment":          d.Spec.Selector.MatchLabels,
		"PodDisruptionBudget": budget.Spec.Selector.MatchLabels,
		"NetworkPolicy":       policy.Spec.PodSelector.MatchLabels,
	}
	for _, o := range of("Service", objects) {
		service := As[corev1.Service](t, o)
		selectors[o.String()] = service.Spec.Selector
		for _, port := range service.Spec.Ports {
			if portNamed(pod.Spec, port.TargetPort.String()) == 0 {
				t.Errorf("%v has the target port %s, which the pod does not have", o, port.TargetPort.String())
			}
		}
	}
	for _, spread := range pod.Spec.TopologySpreadConstraints {
		selectors["spread over "+spread.TopologyKey] = spread.LabelSelector.MatchLabels
	}
	for _, over := range []string{corev1.LabelTopologyZone, corev1.LabelHostname} {
		if selectors["spread over "+over] == nil {
			t.Errorf("the pods do not spread over %s", over)
		}
	}
	for what, selector := range selectors {
		if len(selector) == 0 {
			t.Errorf("%s selects everything", what)
		}
		for label, value := range selector {
			if pod.Labels[label] != value {
				t.Errorf("%s selects %s=%s, pods have %v", what, label, value, pod.Labels)
			}
		}
	}
	class := only(t, "PriorityClass", objects)
	if pod.Spec.PriorityClassName != class.GetName() {
		t.Errorf("the pod has the priority %q, the class is %v", pod.Spec.PriorityClassName, class)
	}
	account := only(t, "ServiceAccount", objects)
	if pod.Spec.ServiceAccountName != account.GetName() {
		t.Errorf("the pod runs as %s, the account is %s", pod.Spec.ServiceAccountName, account.GetName())
	}
	in := only(t, "Namespace", objects)
	namespace := in.GetName()
	for _, o := range objects {
		switch o.GetKind() {
		case "Namespace", "ClusterRole", "PriorityClass":
		case "ClusterRoleBinding":
			if subject := As[rbacv1.ClusterRoleBinding](t, o).Subjects[0]; subject.Namespace != namespace {
				t.Errorf("%v binds an account of %s, want one of %s", o, subject.Namespace, namespace)
			}
		default:
			if o.GetNamespace() != namespace {
				t.Errorf("%v is not in %s", o, namespace)
			}
		}
	}
	if variant == "cert-manager" {
		checkCertificates(t, objects, secretOf(t, d))
	}
}

func portNamed(pod corev1.PodSpec, name string) int32 {
	for _, port := range pod.Containers[0].Ports {
		if port.Name == name {
			return port.ContainerPort
		}
	}
	return 0
}

// secretOf returns the Secret that is mounted at the webhook's --cert-dir.
func secretOf(t *testing.T, d *appsv1.Deployment) string {
	t.Helper()
	pod := d.Spec.Template.Spec
	for _, mount := range pod.Containers[0].VolumeMounts {
		if mount.MountPath == flagOf(t, pod.Containers[0].Args, "cert-dir") {
			i := slices.IndexFunc(pod.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name })
			if i < 0 || pod.Volumes[i].Secret == nil {
				t.Fatalf("the volume %s is not a Secret", mount.Name)
			}
			return pod.Volumes[i].Secret.SecretName
		}
	}
	t.Fatalf("nothing is mounted at --cert-dir: %v", pod.Containers[0].VolumeMounts)
	return ""
}

func flagOf(t *testing.T, args []string, name string) string {
	t.Helper()
	for _, arg := range args {
		if value, found := strings.CutPrefix(arg, "--"+name+"="); found {
			return value
		}
	}
	t.Fatalf("the Deployment does not set --%s: %q", name, args)
	return ""
}

// checkCertificates follows the issuers from the webhook's certificate to a
// self-signed one.
func checkCertificates(t *testing.T, objects []Object, secret string) {
	t.Helper()
	for {
		i := slices.IndexFunc(objects, func(o Object) bool {
			return o.GetKind() == "Certificate" && text(o, "spec", "secretName") == secret
		})
		if i < 0 {
			t.Fatalf("no Certificate makes the Secret %s", secret)
		}
		// A new key would make certificates that the old one has signed invalid.
		if ca, _, _ := unstructured.NestedBool(objects[i].Object, "spec", "isCA"); ca &&
			text(objects[i], "spec", "privateKey", "rotationPolicy") != "Never" {
			t.Errorf("%v gets a new key when it is renewed", objects[i])
		}
		issuer := text(objects[i], "spec", "issuerRef", "name")
		i = slices.IndexFunc(objects, func(o Object) bool { return o.GetKind() == "Issuer" && o.GetName() == issuer })
		if i < 0 {
			t.Fatalf("there is no Issuer %s", issuer)
		}
		if _, self, _ := unstructured.NestedMap(objects[i].Object, "spec", "selfSigned"); self {
			return
		}
		secret = text(objects[i], "spec", "ca", "secretName")
	}
}

// The Deployment must set only flags that the image's program has, and ports and
// durations must match the rest of the pod.
func TestFlags(t *testing.T) {
	r := read(t)
	d := deployment(t, render(t, r, "cert-manager/webhook"))
	pod := d.Spec.Template.Spec
	checkFlags(t, r, Webhook, pod, map[string]string{"address": "reviews", "operations-address": "operations"}, "drain", "timeout")
}

// checkFlags checks that a program has the flags that its pod sets, that those for
// addresses are its ports, and that it has time for what it may do after the signal
// to stop.
func checkFlags(t *testing.T, r *Release, program string, pod corev1.PodSpec, ports map[string]string, stops ...string) {
	t.Helper()
	help, err := exec.Command(r.Unpack(t, program, runtime.GOARCH, t.TempDir()), "--help").CombinedOutput()
	if err != nil {
		t.Fatalf("--help ended with %v: %s", err, help)
	}
	known := flag.NewFlagSet("", flag.ContinueOnError)
	for _, match := range regexp.MustCompile(`(?m)^  --([a-z-]+)`).FindAllStringSubmatch(string(help), -1) {
		known.String(match[1], "", "")
	}
	if err := known.Parse(pod.Containers[0].Args); err != nil || known.NArg() > 0 {
		t.Errorf("%v %q: the program has these flags:\n%s", err, known.Args(), help)
	}
	for name, port := range ports {
		if got, want := flagOf(t, pod.Containers[0].Args, name), fmt.Sprintf(":%d", portNamed(pod, port)); got != want {
			t.Errorf("--%s=%s, but the port %s is %s", name, got, port, want)
		}
	}
	least := 10 * time.Second
	for _, name := range stops {
		duration, err := time.ParseDuration(flagOf(t, pod.Containers[0].Args, name))
		if err != nil {
			t.Fatal(err)
		}
		least += duration
	}
	if grace := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second; grace < least {
		t.Errorf("the pod is killed after %s, but may take %s to stop", grace, least)
	}
}

// The keys that sign annotations must be where the program looks for them, and pods must wait for them: no webhook
// writes annotations without a signature that a later key would refuse. The operator of the release makes the Secret.
func TestKeys(t *testing.T) {
	r := read(t)
	pod := deployment(t, render(t, r, "ca-bundle/webhook")).Spec.Template.Spec
	help, _ := exec.Command(r.Unpack(t, Webhook, runtime.GOARCH, t.TempDir()), "--help").CombinedOutput()
	folder := regexp.MustCompile(`-key-dir string\n.*\(default "(.*)"\)`).FindSubmatch(help)
	if folder == nil {
		t.Fatalf("there is no default of --key-dir in\n%s", help)
	}
	for _, mount := range pod.Containers[0].VolumeMounts {
		if mount.MountPath != string(folder[1]) {
			continue
		}
		i := slices.IndexFunc(pod.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name })
		secret := pod.Volumes[i].Secret
		if secret == nil || secret.Optional != nil && *secret.Optional || !mount.ReadOnly {
			t.Fatalf("found %v at %s, want a Secret that pods wait for", pod.Volumes[i], mount.MountPath)
		}
		operator := deployment(t, render(t, r, "operator")).Spec.Template.Spec.Containers[0].Args
		if made := flagOf(t, operator, "webhook-keys"); made != secret.SecretName {
			t.Errorf("the operator makes the Secret %q, want %q", made, secret.SecretName)
		}
		readme, err := r.files.ReadFile("/README.md")
		if err != nil || !strings.Contains(string(readme), "create secret generic "+secret.SecretName+" ") {
			t.Errorf("%v: the README does not say how to make the Secret %s without an operator", err, secret.SecretName)
		}
		return
	}
	t.Errorf("nothing is mounted at %s: %v", folder[1], pod.Containers[0].VolumeMounts)
}

// The program must answer at the paths and ports of the probes.
func TestProbes(t *testing.T) {
	r := read(t)
	pod := deployment(t, render(t, r, "ca-bundle/webhook")).Spec.Template.Spec
	container := pod.Containers[0]
	webhook := r.Start(t, NewAuthority(t), container.Args...)
	for what, probe := range map[string]*corev1.Probe{"/healthz": container.LivenessProbe, "/readyz": container.ReadinessProbe} {
		if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != what || probe.HTTPGet.Port.String() != "operations" {
			t.Errorf("the probe is %v, want %s at port operations", probe, what)
			continue
		}
		response, err := http.Get("http://" + webhook.Operations + probe.HTTPGet.Path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", what, response.Status)
		}
	}
}

// The test in the folder apply asks the API server whether the pod is restricted.
func TestPodSecurity(t *testing.T) {
	objects := render(t, read(t), "ca-bundle/webhook")
	pod := deployment(t, objects).Spec.Template.Spec
	checkRestricted(t, pod)
	if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
		t.Error("the pod has a token, which it does not need")
	}
	if As[corev1.Namespace](t, only(t, "Namespace", objects)).Labels["pod-security.kubernetes.io/enforce"] != "restricted" {
		t.Error("the namespace admits pods that are not restricted")
	}
}

// checkRestricted checks that a pod has no more rights than it needs, and says what
// it takes.
func checkRestricted(t *testing.T, pod corev1.PodSpec) {
	t.Helper()
	container := pod.Containers[0]
	wantPod := &corev1.PodSecurityContext{
		RunAsNonRoot: new(true), SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
	if diff := cmp.Diff(wantPod, pod.SecurityContext); diff != "" {
		t.Errorf("pod (-want +got):\n%s", diff)
	}
	wantContainer := &corev1.SecurityContext{
		AllowPrivilegeEscalation: new(false),
		ReadOnlyRootFilesystem:   new(true),
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
	}
	if diff := cmp.Diff(wantContainer, container.SecurityContext); diff != "" {
		t.Errorf("container (-want +got):\n%s", diff)
	}
	for _, resource := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if request := container.Resources.Requests[resource]; request.IsZero() {
			t.Errorf("the container requests no %s", resource)
		}
	}
	if limit := container.Resources.Limits[corev1.ResourceMemory]; limit.IsZero() {
		t.Error("the container's memory has no limit")
	}
}

// Reviews may come from everywhere, metrics go to labelled namespaces only.
func TestNetworkPolicy(t *testing.T) {
	r := read(t)
	objects := render(t, r, "cert-manager/webhook")
	policy := As[networkingv1.NetworkPolicy](t, only(t, "NetworkPolicy", objects))
	pod := deployment(t, objects).Spec.Template.Spec
	r.Add(t, "narrow/kustomization.yaml", example(t, "webhook.md", "```yaml\n# narrow/kustomization.yaml\n"))
	narrow := As[networkingv1.NetworkPolicy](t, only(t, "NetworkPolicy", render(t, r, "narrow"))).Spec.Ingress
	if len(narrow[0].From) != 2 || len(narrow) != len(policy.Spec.Ingress) {
		t.Errorf("the example of docs/webhook.md makes %v of the policy", narrow)
	}
	open := map[string]bool{}
	for _, rule := range policy.Spec.Ingress {
		for _, port := range rule.Ports {
			if portNamed(pod, port.Port.String()) == 0 {
				t.Errorf("the policy names the port %v, which the pod does not have", port.Port)
			}
			open[port.Port.String()] = len(rule.From) == 0
		}
		for _, from := range rule.From {
			if from.NamespaceSelector == nil || len(from.NamespaceSelector.MatchLabels) == 0 {
				t.Errorf("%v: want namespaces with a label", from)
			}
		}
	}
	if diff := cmp.Diff(map[string]bool{"reviews": true, "operations": false}, open); diff != "" {
		t.Errorf("ports that are open to all (-want +got):\n%s", diff)
	}
}

// The image must have one program, for this machine, which runs as a user other
// than root. The image of //release has one for each architecture: the verb's own
// tests make such an index, and those of the rules ask for two programs.
func TestImage(t *testing.T) {
	checkImage(t, Webhook, "armature-webhook", "cert-manager/webhook")
}

// checkImage checks the image of a program, and that the Deployment of a folder runs
// it.
func checkImage(t *testing.T, image, name, folder string) {
	t.Helper()
	r := read(t)
	index, digest := r.Index(t, image)
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(manifest.Manifests) != 1 {
		t.Errorf("the index has %v, want one image", manifest.Manifests)
	}
	info, err := buildinfo.ReadFile(r.Unpack(t, image, runtime.GOARCH, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	goSum, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	isListed := func(m *debug.Module) bool {
		return strings.Contains(string(goSum), fmt.Sprintf("%s %s %s\n", m.Path, m.Version, m.Sum))
	}
	if len(info.Deps) < 20 || slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return !isListed(m) }) ||
		info.Main.Path != "github.com/armature-dev/armature" || strings.Contains(info.String(), "go.etcd.io") {
		t.Errorf("the program says that it is made of\n%s\nwant modules of go.sum, and those that are linked", info)
	}
	config, err := r.Image(t, image, runtime.GOARCH).ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	// A kubelet can only check a number, not a name.
	if !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(config.Config.User) {
		t.Errorf("the user is %q, want two numbers other than 0", config.Config.User)
	}
	if !config.Created.Equal(time.Unix(0, 0)) {
		t.Errorf("the image has the date %v, want the epoch", config.Created)
	}
	into := t.TempDir()
	program := r.Unpack(t, image, runtime.GOARCH, into)
	files, err := filepath.Glob(filepath.Join(into, "*"))
	want := []string{program, program + ".spdx.json", filepath.Join(into, "licenses")}
	slices.Sort(want)
	if diff := cmp.Diff(want, files); err != nil || diff != "" {
		t.Errorf("%v: the image has (-want +got):\n%s", err, diff)
	}
	binary, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer binary.Close()
	if machine := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH]; binary.Machine != machine {
		t.Errorf("the program is for %v, want %v", binary.Machine, machine)
	}
	if got := deployment(t, render(t, r, folder)).Spec.Template.Spec.Containers[0].Image; got != name+"@"+digest.String() {
		t.Errorf("the Deployment runs %s, the index is %s", got, digest)
	}
}

// The tarball must have the same files as the folder.
func TestTarball(t *testing.T) {
	file, err := os.Open(folder + ".tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	uncompressed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for in := tar.NewReader(uncompressed); ; found++ {
		header, err := in.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(filepath.Dir(folder), header.Name))
		if err != nil || !bytes.Equal(want, got) {
			t.Errorf("%s differs from the file in the folder: %v", header.Name, err)
		}
		if !header.ModTime.Equal(time.Unix(0, 0)) {
			t.Errorf("%s has the date %v", header.Name, header.ModTime)
		}
	}
	want := 0
	fs.WalkDir(os.DirFS(folder), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			want++
		}
		return err
	})
	if found != want || want == 0 {
		t.Errorf("the tarball has %d files, the folder %d", found, want)
	}
}
