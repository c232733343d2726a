package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime"

	cachescheme "github.com/armature-dev/armature/apis/cache/scheme"
	crmscheme "github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/command"
	"github.com/armature-dev/armature/tools/demo/stage"
)

// groups are the service groups of the story. Their files lie below the folder
// where `bazel run` starts the demo, and so do the binaries.
var (
	groups   = []string{"cache", "crm"}
	binaries = filepath.Join("tools", "controlplane", "binaries", "bin")
)

func crds(group string) string { return filepath.Join("apis", group, "crds") }

// build starts what the story is about: a webhook and an operator of two groups, in this process.
// metrics is the URL of the webhook's.
func build(ctx context.Context, s *screen, g *stage.Stage, port int) (metrics string, err error) {
	if _, err := os.Stat(crds(groups[0])); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s is not in this folder; start the demo with ./bazelw run //tools/demo", crds(groups[0]))
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(cachescheme.AddToScheme(scheme), crmscheme.AddToScheme(scheme)); err != nil {
		return "", err
	}
	return metrics, s.steps(ctx, []step{
		{"API server and etcd", func() error { return g.StartControlPlane(binaries, port) }},
		{"conversion webhook", func() (err error) { metrics, err = g.ServeWebhook(scheme); return err }},
		{"stand-in for ARM", func() error { return g.StartARM("apis") }},
		{"CRDs and policies of cache and crm", func() error { return g.Install(ctx, crds("cache"), crds("crm")) }},
		{"operator", func() error { return startOperator(g) }},
	})
}

// startOperator starts what the target tools/operator runs too.
func startOperator(g *stage.Stage) error {
	log, err := g.Log("operator")
	if err != nil {
		return err
	}
	flags := append(g.OperatorFlags(), "--credential-namespace=default", "--health-address=0")
	g.Background(func(ctx context.Context) error {
		return command.Run(ctx, flags, log, cachescheme.AddToScheme, crmscheme.AddToScheme)
	})
	return nil
}

// keep prints commands to try, and then what ARM gets, until the context ends.
func keep(ctx context.Context, s *screen, g *stage.Stage, metrics string) error {
	s.print("", s.bold("It keeps running until ctrl-C. To try in another terminal:"), "")
	printEnvironment(s, g)
	for _, try := range [][2]string{
		{"at the default version, which is the newest", "kubectl get redis,persons"},
		{"as Bob sees it, with the annotation; edits of his lose nothing",
			"kubectl edit redis." + oldest + ".cache.azure.armature.dev sessions"},
		{"as it is stored", "kubectl get redis." + newest + "storage.cache.azure.armature.dev sessions -o yaml"},
		{"ARM gets it at the newest version from now on", "kubectl annotate redis sessions " + annotation.APIVersion + "=" + newest},
		{"a version's properties", "kubectl explain persons.spec --api-version=crm.azure.armature.dev/" + newestPerson},
		{"what ARM has", "curl '" + g.ARMURL + sessionsID + "?api-version=2024-03-01'"},
		{"what the webhook has carried", "curl -s " + metrics + " | grep remainder_entries"},
		{"what the webhook and the operator say", "less " + g.LogOf("webhook") + " " + g.LogOf("operator")},
	} {
		s.print("   "+s.dim("# "+try[0]), "   "+try[1])
	}
	return watch(ctx, s, g)
}

// printEnvironment prints how another terminal comes to the cluster, with the kubectl that was
// built for it.
func printEnvironment(s *screen, g *stage.Stage) {
	s.print("   export KUBECONFIG="+g.Kubeconfig(), "   export PATH="+g.Bin()+":$PATH")
}
