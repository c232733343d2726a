// Package metrics tests on an API server who gets the metrics of an operator that has the component metrics-secure.
package metrics

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/reconcile/command"
	"github.com/armature-dev/armature/tools/controlplane"
)

const namespace = "armature-system"

// stage is an API server with the roles of an operator.
type stage struct {
	*testing.T
	plane  *controlplane.ControlPlane
	client *kubernetes.Clientset
}

func newStage(t *testing.T) *stage {
	t.Helper()
	plane, err := controlplane.Start(controlplane.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	s := &stage{t, plane, client}
	s.apply("serviceaccount.yaml")
	s.apply("roles.yaml")
	return s
}

// in returns the stage for a part of the test.
func (s *stage) in(t *testing.T) *stage { return &stage{t, s.plane, s.client} }

// apply applies a file of release/operator.
func (s *stage) apply(name string) {
	s.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "release", "operator", name))
	if err == nil {
		_, err = s.plane.Apply(s.Context(), text)
	}
	if err != nil {
		s.Fatal(err)
	}
}

// token returns a token of an account.
func (s *stage) token(namespace, name string) string {
	s.Helper()
	request, err := s.client.CoreV1().ServiceAccounts(namespace).CreateToken(s.Context(), name,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		s.Fatal(err)
	}
	return request.Status.Token
}

// operate runs the operator with the rights of its account and flags, and returns the address of its metrics.
func (s *stage) operate(flags ...string) (address string) {
	s.Helper()
	config, err := clientcmd.Load(s.plane.Kubeconfig)
	if err != nil {
		s.Fatal(err)
	}
	for _, user := range config.AuthInfos {
		user.Impersonate = "system:serviceaccount:" + namespace + ":armature-operator"
	}
	kubeconfig := filepath.Join(s.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		s.Fatal(err)
	}
	if address, err = controlplane.FreeAddress(); err != nil {
		s.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- command.Run(ctx, append([]string{"--kubeconfig=" + kubeconfig, "--namespace=" + namespace,
			"--metrics-address=" + address, "--health-address=0", "--leader-elect=false"}, flags...), io.Discard, scheme.AddToScheme)
	}()
	s.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			s.Errorf("the operator: %v", err)
		}
	})
	await.Until(s, "the operator listens", func() error {
		select {
		case err := <-ended:
			ended <- nil
			s.Fatalf("the operator ended: %v", err)
		default:
		}
		connection, err := net.Dial("tcp", address)
		if err == nil {
			err = connection.Close()
		}
		return err
	})
	return address
}

// client does not look at the certificate, as the PodMonitor says.
var client = &http.Client{Transport: &http.Transport{
	TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true,
}}

// get asks for metrics with a token, or without one if it is "".
func get(ctx context.Context, url, token string) (status int, text string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, "", err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), errors.Join(err, response.Body.Close())
}

// want asks until the answer has a status, as rights need a moment. It returns the answer.
func (s *stage) want(status int, url, token string) (text string) {
	s.Helper()
	await.Until(s, fmt.Sprintf("%s answers %d", url, status), func() error {
		got, found, err := get(s.Context(), url, token)
		if text = found; got == status {
			return nil // a server of HTTPS that gets HTTP may cut its answer off
		}
		return fmt.Errorf("%d, %v: %.200s", got, err, text)
	})
	return text
}

func TestSecureMetrics(t *testing.T) {
	s := newStage(t)
	url := "https://" + s.operate("--metrics-secure") + "/metrics"
	stranger := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "prometheus", Namespace: "default"}}
	if _, err := s.client.CoreV1().ServiceAccounts("default").Create(t.Context(), stranger, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	token := s.token("default", "prometheus")
	t.Run("without the roles of the component nobody gets metrics", func(t *testing.T) {
		s.in(t).want(http.StatusInternalServerError, url, token)
	})
	s.apply("metrics-secure/roles.yaml")
	for _, test := range []struct {
		behavior string
		token    string
		status   int
	}{
		{"a token without the right is forbidden", token, http.StatusForbidden},
		{"no token is unauthorized", "", http.StatusUnauthorized},
		{"a token that the API server refuses gets an error", "eyJhbGciOiJSUzI1NiJ9.e30.e30", http.StatusInternalServerError},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if text := s.in(t).want(test.status, url, test.token); strings.Contains(text, "armature_") {
				t.Errorf("the answer has metrics: %s", text)
			}
		})
	}
	t.Run("the account of the component gets metrics", func(t *testing.T) {
		reader := s.in(t).token(namespace, "armature-metrics-reader")
		if text := s.in(t).want(http.StatusOK, url, reader); !strings.Contains(text, "armature_build_info") {
			t.Errorf("the answer is %.200s", text)
		}
	})
	t.Run("the role of the component gives another account the right", func(t *testing.T) {
		if _, err := s.client.CoreV1().ServiceAccounts("default").Create(t.Context(),
			&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "bound"}}, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.client.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "bound"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "armature-metrics-reader"},
			Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Name: "bound", Namespace: "default"}},
		}, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		s.in(t).want(http.StatusOK, url, s.token("default", "bound"))
	})
	t.Run("the account of the operator itself has no right to metrics", func(t *testing.T) {
		s.in(t).want(http.StatusForbidden, url, s.token(namespace, "armature-operator"))
	})
	t.Run("there are none without TLS", func(t *testing.T) {
		text := s.in(t).want(http.StatusBadRequest, strings.Replace(url, "https", "http", 1), token)
		if strings.Contains(text, "armature_") {
			t.Errorf("the answer has metrics: %s", text)
		}
	})
}
