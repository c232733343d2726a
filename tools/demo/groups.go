package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/tools/demo/stage"
	known "github.com/armature-dev/armature/tools/groups"
)

// built is what Bazel has made of some groups.
type built struct {
	groups            []string
	bin               string // the folder bazel-bin
	shown             string // the same for a person in the workspace
	webhook, operator string
	specs             string // a folder with links to the documents of the groups
}

// try runs groups of the user's choice: a webhook and an operator of just these, and the
// stand-in for ARM with their specs, until the context ends.
func try(ctx context.Context, s *screen, g *stage.Stage, o options) error {
	if workspace := os.Getenv("BUILD_WORKSPACE_DIRECTORY"); workspace != "" {
		if err := known.Check(workspace, o.groups); err != nil {
			return fmt.Errorf("--groups: %w", err)
		}
	}
	s.print("", s.bold("Armature: "+strings.Join(o.groups, ", ")+", and a stand-in for Azure"), "",
		"  The first build of a group compiles a package for each API version, and the first of",
		"  all an API server. On two cores that takes some ten minutes, and later seconds.", "")
	b := &built{groups: o.groups}
	if err := b.build(ctx, s, g); err != nil {
		return err
	}
	err := s.steps(ctx, []step{
		{"API server and etcd", func() error { return g.StartControlPlane(binaries, o.port) }},
		{"stand-in for ARM", func() error { return g.StartARM(b.specs) }},
		{"conversion webhook", func() error { return g.RunWebhook(ctx, b.webhook) }},
		{"CRDs and policies", func() error {
			var folders []string
			for _, group := range b.groups {
				folders = append(folders, filepath.Join(b.bin, "apis", group, "crds"))
			}
			return g.Install(ctx, folders...)
		}},
		{"operator", func() error {
			return g.RunOperator(ctx, b.operator, "--credential-namespace=default", "--subscription="+stage.Subscription)
		}},
	})
	if err != nil {
		return err
	}
	s.print("", s.bold("It runs until ctrl-C. To try in another terminal, in this folder:"), "")
	printEnvironment(s, g)
	for _, group := range b.groups {
		s.print("   kubectl apply -f "+b.samples(group), "   "+s.dim("# one of each kind of "+group))
	}
	s.print("   kubectl wait --for=condition=Ready --timeout=60s -f "+b.samples(b.groups[0]),
		"   "+s.dim("# what ARM has"),
		"   curl '"+g.ARMURL+"/subscriptions/"+stage.Subscription+"/resourceGroups/mysample?api-version=2025-04-01'",
		"   "+s.dim("# what the operator says"), "   less "+g.LogOf("operator"), "",
		"  Here nobody collects garbage, as kube-controller-manager does in a cluster: what belongs",
		"  to a deleted object stays, its children and the Secrets with its outputs.")
	return watch(ctx, s, g)
}

// samples returns the folder with the samples of a group, for a person in the workspace.
func (b *built) samples(group string) string { return filepath.Join(b.shown, "apis", group, "sample") }

// build builds a webhook and an operator of the groups, their CRDs and their samples, and links
// their specs. Bazel runs in the workspace, in which ARMATURE_GROUPS keeps it from all others,
// and shows its progress.
func (b *built) build(ctx context.Context, s *screen, g *stage.Stage) error {
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
	bazel := func(progress io.Writer, arguments ...string) (string, error) {
		command := exec.CommandContext(ctx, "./bazelw", arguments...)
		command.Dir, command.Env = workspace, append(os.Environ(), "ARMATURE_GROUPS="+strings.Join(b.groups, ","))
		var said bytes.Buffer
		command.Stderr = io.MultiWriter(&said, progress)
		out, err := command.Output()
		if err != nil {
			return "", fmt.Errorf("./bazelw %s: %w\n%s", arguments[0], err, faults(said.String()))
		}
		return strings.TrimSpace(string(out)), nil
	}
	s.print("  ./bazelw build " + strings.Join(targets, " "))
	start := time.Now()
	if _, err := bazel(os.Stderr, append([]string{"build", "//tools/operator", "//tools/webhook"}, targets...)...); err != nil {
		return err
	}
	s.ready("build of the groups", start)
	base, err := bazel(io.Discard, "info", "output_base")
	if err != nil {
		return err
	}
	if b.bin, err = bazel(io.Discard, "info", "bazel-bin"); err != nil {
		return err
	}
	b.webhook = filepath.Join(b.bin, "tools", "webhook", "webhook_", "webhook")
	b.operator = filepath.Join(b.bin, "tools", "operator", "operator_", "operator")
	files, err := bazel(io.Discard, "cquery", "--noshow_progress", "--output=files", "set("+strings.Join(documents, " ")+")")
	if err != nil {
		return err
	}
	b.shown = b.bin
	if link, err := os.Readlink(filepath.Join(workspace, "bazel-bin")); err == nil && link == b.bin {
		b.shown = "bazel-bin"
	}
	b.specs = filepath.Join(g.Folder, "specs")
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

// watch prints what ARM gets, until the context ends. The values of Secrets are not shown.
func watch(ctx context.Context, s *screen, g *stage.Stage) error {
	s.print("", s.bold("What ARM gets from now on:"), "")
	g.NewRequests() // which were shown
	for {
		select {
		case <-ctx.Done():
			s.print("", "Stopping.")
			return nil
		case <-time.After(tick):
			requests := g.NewRequests()
			if len(requests) == 0 {
				continue
			}
			hide, err := secrets(ctx, g)
			if err != nil && ctx.Err() == nil {
				return err
			}
			for _, r := range requests {
				s.print("   " + line(r) + " " + hide.Replace(string(r.Body)))
			}
		}
	}
}

// secrets returns what replaces the values of all Secrets in a text.
func secrets(ctx context.Context, g *stage.Stage) (*strings.Replacer, error) {
	list, err := g.Client.Resource(corev1.SchemeGroupVersion.WithResource("secrets")).List(ctx, metav1.ListOptions{})
	if err != nil {
		return strings.NewReplacer(), err
	}
	var pairs []string
	for _, item := range list.Items {
		var secret corev1.Secret
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(item.Object, &secret); err != nil {
			return nil, err
		}
		for _, value := range secret.Data {
			if len(value) > 0 {
				pairs = append(pairs, `"`+string(value)+`"`, `"***"`)
			}
		}
	}
	return strings.NewReplacer(pairs...), nil
}
