package nodes

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// watchPods reports containers that end by themselves, until the test ends.
func (n *Nodes) watchPods() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	said := map[string]string{}
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			pods, err := n.clients.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
			if err != nil {
				continue
			}
			for _, p := range pods.Items {
				for _, s := range p.Status.ContainerStatuses {
					if s.RestartCount > 0 {
						said[p.Name] = fmt.Sprintf("the pod %s was started again: %v", p.Name, s.LastTerminationState)
					}
				}
			}
			time.Sleep(10 * pause)
		}
	}()
	n.t.Cleanup(func() {
		cancel()
		<-ended
		for _, text := range slices.Sorted(maps.Values(said)) {
			if n.MayRestart.Load() {
				n.t.Log(text)
			} else {
				n.t.Error(text)
			}
		}
		if n.t.Failed() {
			n.showPods()
		}
	})
}

// Processes returns the numbers of the processes of a program in pods, in order.
func (n *Nodes) Processes(program string) []int {
	n.t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		n.t.Fatal(err)
	}
	var pids []int
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended meanwhile
		}
		if name, _, _ := strings.Cut(string(line), "\x00"); strings.HasPrefix(name, "/"+program) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err != nil {
				n.t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// Memory returns how many bytes the container of a process has had at most, with the files that the kernel keeps in
// memory for it, and how many it may have.
func (n *Nodes) Memory(pid int) (most, limit int64) {
	n.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		n.t.Fatal(err)
	}
	_, group, _ := strings.Cut(string(text), ":memory:")
	group, _, _ = strings.Cut(group, "\n")
	read := func(file string) int64 {
		n.t.Helper()
		text, err := os.ReadFile(filepath.Join("/sys/fs/cgroup/memory", group, file))
		if err != nil {
			n.t.Fatal(err)
		}
		number, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err != nil {
			n.t.Fatal(err)
		}
		return number
	}
	return read("memory.max_usage_in_bytes"), read("memory.limit_in_bytes")
}

// showPods logs the state of all pods, and the end of what they have written.
func (n *Nodes) showPods() {
	if pods, err := n.clients.CoreV1().Pods(metav1.NamespaceAll).List(context.Background(), metav1.ListOptions{}); err == nil {
		for _, p := range pods.Items {
			n.t.Logf("the pod %s/%s is %s: %v", p.Namespace, p.Name, p.Status.Phase, p.Status.ContainerStatuses)
		}
	}
	if events, err := n.clients.CoreV1().Events(metav1.NamespaceAll).List(context.Background(), metav1.ListOptions{}); err == nil {
		for _, e := range events.Items {
			if e.Type != corev1.EventTypeNormal {
				n.t.Logf("%s %s: %s: %s", e.InvolvedObject.Kind, e.InvolvedObject.Name, e.Reason, e.Message)
			}
		}
	}
	files, _ := filepath.Glob(n.file("logs/*/*/*.log"))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		n.t.Logf("%s:\n%s", file, text[max(0, len(text)-1500):])
	}
}
