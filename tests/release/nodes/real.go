package nodes

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/tools/controlplane"
)

// programs returns the folder with the programs of a real node, or "" where the double runs.
func programs() string { return os.Getenv("ARMATURE_NODE") }

// Real reports whether pods run on a real node.
func Real() bool { return programs() != "" }

// Program returns the path of a program that .ci/nodes has made.
func Program(name string) string { return filepath.Join(programs(), name) }

// Host returns the address at which pods reach what a test listens at.
func Host() string {
	if Real() {
		return controlplane.ServiceAddress
	}
	return "127.0.0.1"
}

// startReal starts a node that runs pods as every cluster does: containerd with its network of pods, kubelet,
// kube-controller-manager and kube-scheduler. It is for .ci/nodes, which has made namespaces of the network, of mounts
// and of processes before: their end is the end of all that is left here. So there is one node for each of these.
func (n *Nodes) startReal() {
	n.t.Helper()
	run := func(name string, arguments ...string) {
		n.t.Helper()
		n.run(Program(name), arguments...)
	}
	n.configure("net/pods.conflist", map[string]any{"cniVersion": "0.4.0", "name": "pods", "plugins": []any{map[string]any{
		"type": "bridge", "bridge": "cni0", "isGateway": true, "hairpinMode": true, "ipam": map[string]any{
			"type": "host-local", "dataDir": n.folder + "/addresses", "routes": []any{map[string]any{"dst": "0.0.0.0/0"}},
			"ranges": []any{[]any{map[string]any{"subnet": "10.244.0.0/24"}}}}}}})
	n.write("containerd.toml", fmt.Appendf(nil, containerd, n.folder, n.folder, n.pause(), programs(), n.folder, programs()))
	run("containerd", "--config="+n.file("containerd.toml"))
	n.configure("kubelet.yaml", map[string]any{
		"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
		"authentication":           map[string]any{"anonymous": map[string]any{"enabled": false}},
		"cgroupDriver":             "cgroupfs",
		"cgroupRoot":               os.Getenv("ARMATURE_NODE_CGROUP"),
		"containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
		// A machine without another account of its memory, or one that has an older kernel, is a node, too.
		"enforceNodeAllocatable": []string{}, "failCgroupV1": false, "failSwapOn": false,
		"evictionHard":       map[string]string{"memory.available": "1%", "nodefs.available": "1%", "imagefs.available": "1%"},
		"healthzBindAddress": "127.0.0.1",
		"podLogsDir":         n.file("logs"),
		"resolvConf":         "",
		"volumePluginDir":    n.file("plugins"),
	})
	run("kubelet", "--config="+n.file("kubelet.yaml"), "--kubeconfig="+n.user("system:node:node", "system:nodes"),
		"--root-dir="+n.file("kubelet"), "--hostname-override=node", "--node-ip="+controlplane.ServiceAddress)
	n.write("ca.crt", n.Config.CAData)
	run("kube-controller-manager", "--kubeconfig="+n.user("system:kube-controller-manager"), "--leader-elect=false",
		"--bind-address=127.0.0.1", "--use-service-account-credentials", "--root-ca-file="+n.file("ca.crt"),
		"--service-account-private-key-file="+n.AccountKey())
	run("kube-scheduler", "--kubeconfig="+n.user("system:kube-scheduler"), "--leader-elect=false", "--bind-address=127.0.0.1")
	for container, arguments := range n.arguments {
		n.addArguments(container, arguments)
	}
	await.Until(n.t, "the node is ready", func() error {
		node, err := n.clients.CoreV1().Nodes().Get(n.t.Context(), "node", metav1.GetOptions{})
		if err != nil {
			return err
		}
		isReady := func(c corev1.NodeCondition) bool {
			return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
		}
		if !slices.ContainsFunc(node.Status.Conditions, isReady) || len(node.Spec.Taints) > 0 {
			said := ""
			for _, c := range node.Status.Conditions { // but for when a kubelet has said so
				said += fmt.Sprintf("%s is %s: %s; ", c.Type, c.Status, c.Message)
			}
			return fmt.Errorf("%sits taints are %v", said, node.Spec.Taints)
		}
		return nil
	})
	n.t.Cleanup(n.removePods)
	n.watchPods()
}

// removePods removes what still runs, so that no watch holds up the API server, and no mount the folder of the test.
func (n *Nodes) removePods() {
	ctx := context.Background() // the test's has ended
	deployments, err := n.clients.AppsV1().Deployments(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		n.t.Error(err)
		return
	}
	for _, d := range deployments.Items {
		if err := n.clients.AppsV1().Deployments(d.Namespace).Delete(ctx, d.Name, metav1.DeleteOptions{}); err != nil {
			n.t.Error(err)
		}
	}
	await.Until(n.t, "no pod is left", func() error {
		pods, err := n.clients.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
		if err == nil && len(pods.Items) > 0 {
			err = fmt.Errorf("there are %d", len(pods.Items))
		}
		return err
	})
}

// containerd is the configuration of containerd. It may not lower the score by which the kernel chooses whom it ends
// when memory runs out, because whoever runs the test may not.
const containerd = `version = 2
root = "%s/containerd"
state = "/run/containerd"
[grpc]
address = "/run/containerd/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
path = "%s/opt"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = %q
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "%s/cni"
conf_dir = "%s/net"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
BinaryName = "%s/runc"
`

// file returns the path of a file of the node.
func (n *Nodes) file(name string) string { return filepath.Join(n.folder, name) }

// write writes a file of the node, and returns its path.
func (n *Nodes) write(name string, text []byte) string {
	n.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(n.file(name)), 0o755), os.WriteFile(n.file(name), text, 0o600)); err != nil {
		n.t.Fatal(err)
	}
	return n.file(name)
}

// configure writes a value as JSON, which is YAML, too.
func (n *Nodes) configure(name string, value any) {
	n.t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		n.t.Fatal(err)
	}
	n.write(name, text)
}

// user returns the path of a kubeconfig for a user.
func (n *Nodes) user(name string, groups ...string) string {
	n.t.Helper()
	kubeconfig, err := n.User(name, groups...)
	if err != nil {
		n.t.Fatal(err)
	}
	return n.write(name+".kubeconfig", kubeconfig)
}

// run runs a program until the test ends, and then shows the end of its log if the test has failed.
func (n *Nodes) run(program string, arguments ...string) {
	n.t.Helper()
	log := n.file(filepath.Base(program) + ".log")
	out, err := os.Create(log)
	if err != nil {
		n.t.Fatal(err)
	}
	defer out.Close() // the process has it
	process := exec.Command(program, arguments...)
	process.Stdout, process.Stderr = out, out
	process.Env = append(os.Environ(), "PATH="+programs()+":"+os.Getenv("PATH"))
	if err := process.Start(); err != nil {
		n.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = process.Wait(); close(ended) }()
	n.t.Cleanup(func() {
		select {
		case <-ended:
			n.t.Errorf("%s has ended by itself: %v", program, process.ProcessState)
		default:
			_ = process.Process.Signal(syscall.SIGTERM)
			select {
			case <-ended:
			case <-time.After(time.Minute):
				_ = process.Process.Kill()
			}
		}
		if n.t.Failed() {
			text, _ := os.ReadFile(log)
			n.t.Logf("%s:\n%s", program, text[max(0, len(text)-3000):])
		}
	})
}

// pause pushes the image of the first process of pods, and returns its name.
func (n *Nodes) pause() string {
	n.t.Helper()
	program, err := os.ReadFile(Program("pause"))
	if err != nil {
		n.t.Fatal(err)
	}
	var files bytes.Buffer
	to := tar.NewWriter(&files)
	if err := to.WriteHeader(&tar.Header{Name: "pause", Mode: 0o755, Size: int64(len(program))}); err != nil {
		n.t.Fatal(err)
	}
	if _, err := to.Write(program); err != nil {
		n.t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		n.t.Fatal(err)
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files.Bytes())), nil })
	if err != nil {
		n.t.Fatal(err)
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err == nil {
		image, err = mutate.ConfigFile(image, &v1.ConfigFile{OS: "linux", Architecture: "amd64",
			RootFS: v1.RootFS{Type: "layers", DiffIDs: []v1.Hash{must(n, layer.DiffID)}},
			Config: v1.Config{Entrypoint: []string{"/pause"}}})
	}
	if err != nil {
		n.t.Fatal(err)
	}
	reference, err := name.ParseReference(n.Registry + "/pause:1")
	if err == nil {
		err = remote.Write(reference, image)
	}
	if err != nil {
		n.t.Fatal(err)
	}
	return reference.String()
}

func must[V any](n *Nodes, of func() (V, error)) V {
	n.t.Helper()
	v, err := of()
	if err != nil {
		n.t.Fatal(err)
	}
	return v
}

// addArguments has the containers of a name get more arguments than their Deployment says.
func (n *Nodes) addArguments(container string, arguments []string) {
	n.t.Helper()
	var adds []string
	for _, a := range arguments {
		adds = append(adds, fmt.Sprintf(`JSONPatch{op: "add", path: "/spec/containers/0/args/-", value: %s}`, strconv.Quote(a)))
	}
	policy := fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: arguments-of-%[1]s}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  matchConditions: [{name: container, expression: "object.spec.containers[0].name == '%[1]s'"}]
  reinvocationPolicy: Never
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: '[%[2]s]'}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: arguments-of-%[1]s}
spec: {policyName: arguments-of-%[1]s}
`, container, strings.Join(adds, ", "))
	for i, resource := range []string{"mutatingadmissionpolicies", "mutatingadmissionpolicybindings"} {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(strings.Split(policy, "---\n")[i]), &o.Object); err != nil {
			n.t.Fatal(err)
		}
		of := schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: resource}
		if _, err := n.Client.Resource(of).Create(n.t.Context(), o, metav1.CreateOptions{}); err != nil {
			n.t.Fatal(err)
		}
	}
	probe := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "probe"}, Spec: corev1.PodSpec{Containers: []corev1.Container{
		{Name: container, Image: "probe", Args: []string{"first"}}}}}
	await.Until(n.t, "the API server adds arguments to pods", func() error {
		dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
		pod, err := n.clients.CoreV1().Pods("default").Create(n.t.Context(), probe, dry)
		if err == nil && !slices.Equal(pod.Spec.Containers[0].Args[1:], arguments) {
			err = fmt.Errorf("they have %q", pod.Spec.Containers[0].Args)
		}
		return err
	})
}
