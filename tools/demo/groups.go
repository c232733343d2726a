package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/tools/controlplane"
)

// subscription is the one in which the operator creates resource groups.
const subscription = "00000000-0000-0000-0000-000000000000"

// built is what Bazel has made of some groups.
type built struct {
	groups   []string
	bin      string // the folder bazel-bin
	operator string
	specs    string // a folder with links to the documents of the groups
}

// try runs groups of the user's choice: an operator of just these, which is the webhook as
// well, and the stand-in for ARM with their specs, until the context ends.
func try(ctx context.Context, s *screen, o options) (err error) {
	s.print("", s.bold("Armature: "+strings.Join(o.groups, ", ")+", and a stand-in for Azure"), "")
	g := &stage{}
	defer func() {
		if stopErr := g.stop(); stopErr != nil {
			err = errors.Join(err, fmt.Errorf("stopping: %w", stopErr))
		}
	}()
	if err := g.makeFolder(); err != nil {
		return err
	}
	b := &built{groups: o.groups}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"build of the groups", func() error { return b.build(ctx, g) }},
		{"API server and etcd", func() error { return g.startControlPlane(o.port) }},
		{"stand-in for ARM", func() error { return g.startARM(b.specs) }},
		{"CRDs", func() error { return g.installBuilt(ctx, b) }},
		{"operator and webhook", func() error { return g.runOperator(ctx, b) }},
	} {
		if err := s.step(step.name, step.do); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	s.print("", s.bold("It runs until ctrl-C. To try in another terminal:"), "",
		"   export KUBECONFIG="+g.kubeconfig())
	for _, group := range b.groups {
		s.print("   kubectl apply -f "+b.samples(group), "   "+s.dim("# one of each kind of "+group))
	}
	s.print("   kubectl wait --for=condition=Ready --timeout=60s -f "+b.samples(b.groups[0]),
		"   "+s.dim("# what ARM has"),
		"   curl '"+g.armURL+"/subscriptions/"+subscription+"/resourceGroups/mysample?api-version=2025-04-01'",
		"   "+s.dim("# what the operator says"), "   less "+g.logOf("operator"))
	return g.watch(ctx, s)
}

// samples returns the folder with the samples of a group.
func (b *built) samples(group string) string { return filepath.Join(b.bin, "apis", group, "sample") }

// build builds an operator of the groups, their CRDs and their samples, and links their
// specs. Bazel runs in the workspace, in which ARMATURE_GROUPS keeps it from all others.
func (b *built) build(ctx context.Context, g *stage) error {
	workspace := os.Getenv("BUILD_WORKSPACE_DIRECTORY")
	if workspace == "" {
		return errors.New("BUILD_WORKSPACE_DIRECTORY is not set: start it with ./bazelw run //tools/demo")
	}
	var targets, documents []string
	for _, group := range b.groups {
		at := "//apis/" + group
		targets = append(targets, at+":crds", at+":sample")
		documents = append(documents, at+":documents")
	}
	bazel := func(arguments ...string) (string, error) {
		command := exec.CommandContext(ctx, "./bazelw", arguments...)
		command.Dir, command.Env = workspace, append(os.Environ(), "ARMATURE_GROUPS="+strings.Join(b.groups, ","))
		var said bytes.Buffer
		command.Stderr = &said
		out, err := command.Output()
		if err != nil {
			return "", fmt.Errorf("./bazelw %s: %w\n%s", arguments[0], err, faults(said.String()))
		}
		return strings.TrimSpace(string(out)), nil
	}
	if _, err := bazel(append([]string{"build", "--noshow_progress", "//tools/operator"}, targets...)...); err != nil {
		return err
	}
	base, err := bazel("info", "output_base")
	if err != nil {
		return err
	}
	if b.bin, err = bazel("info", "bazel-bin"); err != nil {
		return err
	}
	b.operator = filepath.Join(b.bin, "tools", "operator", "operator_", "operator")
	files, err := bazel("cquery", "--noshow_progress", "--output=files", "set("+strings.Join(documents, " ")+")")
	if err != nil {
		return err
	}
	b.specs = filepath.Join(g.folder, "specs")
	for file := range strings.Lines(files) {
		file = strings.TrimSpace(file)
		from := filepath.Join(workspace, file)
		if strings.HasPrefix(file, "external/") {
			from = filepath.Join(base, file)
		}
		to := filepath.Join(b.specs, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Symlink(from, to)); err != nil {
			return err
		}
	}
	return nil
}

// faults returns the lines in which Bazel says what is wrong.
func faults(said string) string {
	var lines []string
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "ERROR") || strings.HasPrefix(line, "Error") || strings.HasPrefix(line, "bazelw:") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// installBuilt installs the CRDs of the groups, which name the webhook that the operator
// is going to be.
func (g *stage) installBuilt(ctx context.Context, b *built) (err error) {
	if g.webhook, err = controlplane.FreeAddress(); err != nil {
		return err
	}
	g.conversion = controlplane.ConversionAt(g.webhook, g.CA)
	var all []*apiextensionsv1.CustomResourceDefinition
	for _, group := range b.groups {
		crds, err := controlplane.ReadCRDs(filepath.Join(b.bin, "apis", group, "crds"))
		if err != nil {
			return err
		}
		all = append(all, crds...)
	}
	return g.Install(ctx, g.conversion, all...)
}

// runOperator runs the operator of the groups, and waits until it and its webhook are
// ready.
func (g *stage) runOperator(ctx context.Context, b *built) error {
	log, err := g.log("operator")
	if err != nil {
		return err
	}
	health, err := controlplane.FreeAddress()
	if err != nil {
		return err
	}
	command := exec.Command(b.operator, append(g.operatorFlags(health), "--subscription="+subscription, "--webhook", "--",
		"--address="+g.webhook, "--operations-address=127.0.0.1:0", "--cert-dir="+g.Certificates,
		"--key-dir="+filepath.Join(g.folder, "keys"))...)
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ctrl-C is for the demo, which stops it
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	g.stops = append(g.stops, func() error {
		command.Process.Signal(syscall.SIGTERM)
		return <-ended
	})
	for {
		select {
		case err := <-ended:
			ended <- err
			text, _ := os.ReadFile(g.logOf("operator"))
			return fmt.Errorf("the operator ended: %w\n%s", err, text)
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

// watch prints what ARM gets, until the context ends.
func (g *stage) watch(ctx context.Context, s *screen) error {
	s.print("", s.bold("What ARM gets from now on:"), "")
	g.newRequests() // which were shown
	for {
		select {
		case <-ctx.Done():
			s.print("", "Stopping.")
			return nil
		case <-time.After(tick):
			for _, r := range g.newRequests() {
				s.print("   " + line(r) + " " + string(r.Body))
			}
		}
	}
}
