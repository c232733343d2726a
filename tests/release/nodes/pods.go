package nodes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tools/controlplane"
)

// deployment is what runs of a Deployment.
type deployment struct {
	pods []*pod
	// progress is what was seen when it last came nearer to what it says, and since when nothing else was.
	progress progress
	since    time.Time
}

// progress is how far a Deployment has come.
type progress struct {
	revision     string
	older, ready int // pods of other templates, and ready ones of this
}

// isLate reports whether a Deployment has made no progress for as long as it may take.
func (d *deployment) isLate(of *appsv1.Deployment, now progress) bool {
	if d.since.IsZero() || d.progress != now {
		d.progress, d.since = now, time.Now()
	}
	return time.Since(d.since) > time.Duration(*of.Spec.ProgressDeadlineSeconds)*time.Second
}

// pod is a process.
type pod struct {
	revision string // of the template that it was made of
	labels   map[string]string
	ports    map[string]string // addresses on loopback, by the names of its ports
	probe    string            // the URL that says whether it is ready
	log      string            // the file that has what it writes
	process  *exec.Cmd
	ended    chan struct{} // closed when the process has ended
	ready    bool
}

// stop ends a pod as a kubelet does, and waits for it.
func (p *pod) stop() {
	_ = p.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		_ = p.process.Process.Kill()
		<-p.ended
	}
}

// hasEnded reports whether the process has ended by itself.
func (p *pod) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// end returns the end of what the process has written.
func (p *pod) end() []byte {
	text, _ := os.ReadFile(p.log)
	return text[max(0, len(text)-1500):]
}

// advance takes one step of a rolling update by one pod more than the Deployment wants, of which none may be missing.
func (n *Nodes) advance(ctx context.Context, of *appsv1.Deployment, d *deployment) error {
	revision, err := revisionOf(of)
	if err != nil {
		return err
	}
	n.mutex.Lock()
	d.pods = slices.DeleteFunc(d.pods, func(p *pod) bool { // one that ends is started again
		ended := p.hasEnded()
		if ended {
			n.t.Errorf("a pod of %s has ended by itself:\n%s", of.Name, p.end())
		}
		return ended
	})
	pods := slices.Clone(d.pods)
	n.mutex.Unlock()
	var older, ready, readyOfIt, ofIt int
	var goes *pod
	for _, p := range pods {
		isReady := probe(ctx, p.probe)
		n.mutex.Lock()
		p.ready = isReady
		n.mutex.Unlock()
		if isReady {
			ready++
		}
		switch {
		case p.revision != revision:
			older++
			if goes == nil || !isReady {
				goes = p
			}
		default:
			ofIt++
			if isReady {
				readyOfIt++
			}
		}
	}
	wanted := int(*of.Spec.Replicas)
	switch {
	case ofIt < wanted && len(pods) <= wanted:
		var p *pod
		if p, err = n.start(ctx, of, revision); p != nil {
			n.mutex.Lock()
			d.pods = append(d.pods, p)
			n.mutex.Unlock()
			ofIt++
		}
	case goes != nil && (ready > wanted || !goes.ready):
		if goes.ready {
			ready--
		}
		n.mutex.Lock()
		goes.ready = false // so that no Service leads there
		d.pods = slices.DeleteFunc(d.pods, func(p *pod) bool { return p == goes })
		n.mutex.Unlock()
		go goes.stop()
		older--
	}
	progressing := appsv1.DeploymentCondition{Type: appsv1.DeploymentProgressing, Status: corev1.ConditionTrue,
		Reason: "ReplicaSetUpdated"}
	switch {
	case older == 0 && readyOfIt == wanted:
		progressing.Reason = "NewReplicaSetAvailable"
	case d.isLate(of, progress{revision, older, readyOfIt}): // so that kubectl does not wait for it forever
		progressing.Status, progressing.Reason = corev1.ConditionFalse, "ProgressDeadlineExceeded"
	}
	return errors.Join(err, n.report(ctx, of, ofIt+older, ofIt, ready, progressing))
}

// revisionOf returns a digest of the template of a Deployment.
func revisionOf(of *appsv1.Deployment) (string, error) {
	text, err := json.Marshal(of.Spec.Template)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6]), nil
}

// report writes the status of a Deployment if it has changed.
func (n *Nodes) report(ctx context.Context, of *appsv1.Deployment, all, updated, ready int,
	progressing appsv1.DeploymentCondition) error {
	status := appsv1.DeploymentStatus{ObservedGeneration: of.Generation, Replicas: int32(all), UpdatedReplicas: int32(updated),
		ReadyReplicas: int32(ready), AvailableReplicas: int32(ready), UnavailableReplicas: int32(max(0, all-ready))}
	available := corev1.ConditionFalse
	if ready >= int(*of.Spec.Replicas) {
		available = corev1.ConditionTrue
	}
	status.Conditions = []appsv1.DeploymentCondition{
		{Type: appsv1.DeploymentAvailable, Status: available, Reason: "Double"}, progressing,
	}
	before, err := json.Marshal(of.Status)
	if err != nil {
		return err
	}
	after, err := json.Marshal(status)
	if err != nil || string(before) == string(after) {
		return err
	}
	of.Status = status
	_, err = n.clients.AppsV1().Deployments(of.Namespace).UpdateStatus(ctx, of, metav1.UpdateOptions{})
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		return nil // the next turn sees why
	}
	return err
}

// probe reports whether a pod says that it is ready.
func probe(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// start starts a pod of a Deployment, or returns nil if a Secret that it needs is not there yet.
func (n *Nodes) start(ctx context.Context, of *appsv1.Deployment, revision string) (*pod, error) {
	spec := of.Spec.Template.Spec
	if len(spec.Containers) != 1 {
		return nil, fmt.Errorf("found %d containers, expected one", len(spec.Containers))
	}
	container := spec.Containers[0]
	root, err := os.MkdirTemp(n.folder, of.Name+"-")
	if err != nil {
		return nil, err
	}
	if ready, err := n.mount(ctx, of.Namespace, root, spec.Volumes, container.VolumeMounts); err != nil || !ready {
		return nil, err
	}
	program, err := n.images.pull(ctx, container.Image)
	if err != nil {
		return nil, err
	}
	p := &pod{revision: revision, labels: of.Spec.Template.Labels, ports: map[string]string{}, ended: make(chan struct{}),
		log: filepath.Join(root, "log")}
	arguments := append(slices.Clone(container.Args), n.arguments[container.Name]...)
	for _, m := range container.VolumeMounts {
		for i := range arguments {
			arguments[i] = strings.Replace(arguments[i], "="+m.MountPath, "="+filepath.Join(root, m.MountPath), 1)
		}
	}
	for _, port := range container.Ports {
		address, err := controlplane.FreeAddress()
		if err != nil {
			return nil, err
		}
		p.ports[port.Name] = address
		for i := range arguments {
			if flag, found := strings.CutSuffix(arguments[i], fmt.Sprintf("=:%d", port.ContainerPort)); found {
				arguments[i] = flag + "=" + address
			}
		}
	}
	at := container.ReadinessProbe.HTTPGet
	p.probe = "http://" + p.ports[at.Port.StrVal] + at.Path
	if mounts := spec.AutomountServiceAccountToken; mounts == nil || *mounts {
		kubeconfig := filepath.Join(root, "kubeconfig")
		if err := n.authenticate(ctx, of.Namespace, spec.ServiceAccountName, kubeconfig); err != nil {
			return nil, err
		}
		arguments = append(arguments, "--kubeconfig="+kubeconfig, "--namespace="+of.Namespace)
	}
	out, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer out.Close() // the process has it
	p.process = exec.Command(program, arguments...)
	p.process.Stdout, p.process.Stderr = out, out
	p.process.Env = []string{}
	for _, e := range container.Env {
		if e.ValueFrom != nil {
			return nil, fmt.Errorf("the variable %s has its value from elsewhere, which the nodes do not know", e.Name)
		}
		p.process.Env = append(p.process.Env, e.Name+"="+e.Value)
	}
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	go func() { _ = p.process.Wait(); close(p.ended) }()
	return p, nil
}

// mount writes the Secrets that are mounted below a folder. It reports whether all are there.
func (n *Nodes) mount(ctx context.Context, namespace, root string, volumes []corev1.Volume, mounts []corev1.VolumeMount) (bool, error) {
	for _, m := range mounts {
		i := slices.IndexFunc(volumes, func(v corev1.Volume) bool { return v.Name == m.Name })
		if i < 0 || volumes[i].Secret == nil {
			return false, fmt.Errorf("the volume %s is no Secret, which is all that the nodes know", m.Name)
		}
		from := volumes[i].Secret
		secret, err := n.clients.CoreV1().Secrets(namespace).Get(ctx, from.SecretName, metav1.GetOptions{})
		isOptional := from.Optional != nil && *from.Optional
		if apierrors.IsNotFound(err) && !isOptional {
			return false, nil
		}
		if err != nil && !apierrors.IsNotFound(err) {
			return false, err
		}
		folder := filepath.Join(root, m.MountPath)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return false, err
		}
		for name, text := range secret.Data {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// authenticate writes a kubeconfig with a token of a ServiceAccount.
func (n *Nodes) authenticate(ctx context.Context, namespace, account, file string) error {
	hour := int64(3600)
	token, err := n.clients.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, account,
		&authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &hour}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	config, err := clientcmd.Load(n.Kubeconfig)
	if err != nil {
		return err
	}
	for _, user := range config.AuthInfos {
		user.ClientCertificateData, user.ClientKeyData, user.Token = nil, nil, token.Status.Token
	}
	return clientcmd.WriteToFile(*config, file)
}

// images are the images that a node has.
type images struct {
	folder   string
	programs map[string]string // of those that were pulled, by their names
}

// pull returns the program of an image, which it pulls from its registry unless it is there.
func (i images) pull(ctx context.Context, image string) (program string, err error) {
	if program = i.programs[image]; program != "" {
		return program, nil
	}
	reference, err := name.NewDigest(image, name.StrictValidation)
	if err != nil {
		return "", fmt.Errorf("the image: %w", err)
	}
	pulled, err := remote.Image(reference, remote.WithContext(ctx),
		remote.WithPlatform(v1.Platform{OS: "linux", Architecture: runtime.GOARCH}))
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(i.folder, "")
	if err != nil {
		return "", err
	}
	if program, err = release.Extract(pulled, folder); err == nil {
		i.programs[image] = program
	}
	return program, err
}

// discard returns a logger that writes nothing.
func discard() *log.Logger { return log.New(io.Discard, "", 0) }
