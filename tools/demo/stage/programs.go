package stage

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/runtime/webhook"
	"github.com/armature-dev/armature/tools/controlplane"
)

// Log creates the log of a program.
func (s *Stage) Log(program string) (*os.File, error) { return os.Create(s.LogOf(program)) }

// LogOf returns the name of the log of a program.
func (s *Stage) LogOf(program string) string { return filepath.Join(s.Folder, program+".log") }

// ServeWebhook starts the server that webhooks run, in this process, for the kinds of a scheme, and
// returns the URL of its metrics.
func (s *Stage) ServeWebhook(scheme *runtime.Scheme) (metrics string, err error) {
	log, err := s.Log("webhook")
	if err != nil {
		return "", err
	}
	registry := prometheus.NewRegistry()
	handler, err := webhook.New(webhook.Options{Scheme: scheme, Metrics: registry, Logger: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		return "", err
	}
	server, err := webhook.NewServer(handler, webhook.ServerOptions{
		Address:    "127.0.0.1:0",
		Operations: "127.0.0.1:0",
		CertFile:   filepath.Join(s.Certificates, "tls.crt"),
		KeyFile:    filepath.Join(s.Certificates, "tls.key"),
		Metrics:    registry,
		Drain:      -1,
	})
	if err != nil {
		return "", err
	}
	s.Background(server.Run)
	s.ConvertAt(server.Address())
	return "http://" + server.Operations() + "/metrics", nil
}

// RunWebhook runs the binary of a webhook, and waits until it is ready.
func (s *Stage) RunWebhook(ctx context.Context, binary string) error {
	address, err := controlplane.FreeAddress()
	if err != nil {
		return err
	}
	s.ConvertAt(address)
	return s.run(ctx, "webhook", binary, "--operations-address", "--address="+address, "--cert-dir="+s.Certificates,
		"--key-dir="+filepath.Join(s.Folder, "keys"))
}

// RunOperator runs the binary of an operator, and waits until it is ready.
func (s *Stage) RunOperator(ctx context.Context, binary string, flags ...string) error {
	return s.run(ctx, "operator", binary, "--health-address", append(s.OperatorFlags(), flags...)...)
}

// OperatorFlags are those of every operator of the stage.
func (s *Stage) OperatorFlags() []string {
	return []string{
		"--kubeconfig=" + s.Kubeconfig(), "--namespace=default", "--leader-elect=false", "--arm-endpoint=" + s.ARMURL,
		"--metrics-address=0", "--log-level=debug",
	}
}

// run runs a program until the stage is stopped, and waits until it says that it is ready, at
// the address that a flag gives it.
func (s *Stage) run(ctx context.Context, name, binary, healthFlag string, flags ...string) error {
	log, err := s.Log(name)
	if err != nil {
		return err
	}
	defer log.Close() // the program has it
	health, err := controlplane.FreeAddress()
	if err != nil {
		return err
	}
	command := exec.Command(binary, append(flags, healthFlag+"="+health)...)
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ctrl-C is for the caller, which stops it
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	s.stops = append(s.stops, func() error {
		command.Process.Signal(syscall.SIGTERM)
		return <-ended
	})
	for {
		select {
		case err := <-ended:
			ended <- err
			text, _ := os.ReadFile(s.LogOf(name))
			return fmt.Errorf("the %s ended: %v\n%s", name, err, text)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
			if answer, err := http.Get("http://" + health + "/readyz"); err == nil {
				answer.Body.Close()
				if answer.StatusCode == http.StatusOK {
					return nil
				}
			}
		}
	}
}
