// Package plan is the command armature plan: what the operator would do about objects, before it does it. It lets the
// operator's own code rehearse, on a copy of the cluster in memory with the files laid over it.
package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/spf13/cobra"
	"golang.org/x/time/rate"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/cli/azure"
	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/internal/progress"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile"
)

// planning is a call of the command.
type planning struct {
	scheme *runtime.Scheme
	facts  fs.FS

	files     []string
	recursive bool
	namespace string
	all       bool
	offline   bool
	output    string
	show      string
	manager   string
	operator  string
	options   reconcile.Options
	arm       azure.Flags
	of        cluster.Flags

	command *cobra.Command
	// notes are what a reader should know beside the plan.
	notes []string
	// refused are the objects of files that cannot be what they are to be.
	refused []*reconcile.Foretold
}

// New returns the command, for the kinds of a scheme. facts has the files with the facts of their versions, or is nil.
func New(scheme *runtime.Scheme, facts fs.FS) *cobra.Command {
	p := &planning{scheme: scheme, facts: facts}
	c := &cobra.Command{
		Use:   "plan [-f FILE|FOLDER]...",
		Short: "Say what the operator would do, before it does it",
		Long: `Say what the operator would do with the resources in Azure if files were applied, or with what the cluster has: what it
would create, change property by property, take over, delete and leave, what is refused, and what waits for what.

The operator's own code works on a copy of the cluster in memory, over which the files are laid. The cluster is read, and
asked by dry runs what it would make of the files. ARM gets GET and HEAD alone. Nothing is written.

All of it is done as the caller: with the kubeconfig, and with the credential of the Azure CLI or of the environment. What the
caller may not read is unknown. Without the right to read the Secret armature-digest-keys, which is for the operator alone, a
plan takes the operator's records for right, compares with what ARM shows, and says where only the operator can know.

With --offline there are no cluster and no Azure: all is new, and the files are checked against what the program knows of Azure.

The status is 0 if there is nothing to do, 2 if something would change or waits, and 1 if something is refused.`,
		Example: `  armature plan -f shop.yaml
  armature plan -f deploy -R --namespace shop -o markdown
  armature plan --all
  armature plan -f deploy -R --offline`,
		Args: cobra.NoArgs,
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		p.command = c
		return azure.WithoutToken(p.run(c.Context()))
	}
	flags := c.Flags()
	flags.StringSliceVarP(&p.files, "filename", "f", nil, "`FILE` or folder with objects, as YAML or JSON; may be given many times")
	flags.BoolVarP(&p.recursive, "recursive", "R", false, "the folders in folders, too")
	flags.StringVarP(&p.namespace, "namespace", "n", "",
		"`NAME` of the namespace; with files, of objects that name none, by default that of the kubeconfig")
	flags.BoolVarP(&p.all, "all", "A", false, "the objects of all namespaces")
	flags.BoolVar(&p.offline, "offline", false, "without a cluster and without Azure: check files")
	flags.StringVarP(&p.output, "output", "o", "table", "`FORMAT` to print: table, json or markdown")
	flags.StringVar(&p.show, "show", "", "request prints the bodies of requests as well, without secrets")
	flags.StringVar(&p.manager, "field-manager", "kubectl", "`NAME` of the field manager that would apply the files")
	flags.StringVar(&p.operator, "operator", "",
		"`NAMESPACE/NAME` of the operator, by default that of the objects, or armature-system/"+reconcile.DefaultInstance)
	flags.StringVar(&p.options.Subscription, "subscription", "", "as the flag of the operator")
	flags.StringVar(&p.options.Adopt, "adopt", "", "as the flag of the operator")
	flags.StringVar(&p.options.Deletion, "deletion", "", "as the flag of the operator")
	flags.StringVar(&p.options.Drift, "drift", "", "as the flag of the operator")
	p.arm.AddTo(c)
	p.of.AddTo(c)
	return c
}

// check checks the flags.
func (p *planning) check() error {
	switch {
	case p.output != "table" && p.output != "json" && p.output != "markdown":
		return fmt.Errorf("--output: found %q, expected table, json or markdown", p.output)
	case p.show != "" && p.show != "request":
		return fmt.Errorf("--show: found %q, expected request", p.show)
	case p.offline && len(p.files) == 0:
		return errors.New("--offline: found no files, expected -f")
	case p.offline && p.all:
		return errors.New("--offline: found --all, expected files alone")
	case len(p.files) == 0 && p.namespace == "" && !p.all:
		return errors.New("found neither files nor a namespace, expected -f, --namespace or --all")
	}
	return nil
}

// copyOf is the copy of a cluster.
type copyOf struct {
	live ctrlclient.Reader
	// objects are those of the kinds, old those that files change, and files those of files.
	objects, old []ctrlclient.Object
	files        map[string]bool
	// namespaces are those that the plan is about, nil for all.
	namespaces []string
}

func (p *planning) run(ctx context.Context) error {
	if err := p.check(); err != nil {
		return err
	}
	if err := corev1.AddToScheme(p.scheme); err != nil {
		return err
	}
	from := p.read
	if p.offline {
		from = p.readOffline
	}
	world, err := from(ctx)
	if err != nil {
		return err
	}
	o := reconcile.PlanOptions{Options: p.options, Scheme: p.scheme, Objects: world.objects, Old: world.old, Live: world.live,
		Selected: func(object ctrlclient.Object) bool {
			return world.namespaces == nil || slices.Contains(world.namespaces, object.GetNamespace())
		}}
	o.Namespace, o.Instance = p.operatorOf(world.objects)
	if err := p.reach(&o); err != nil {
		return err
	}
	var settled, total atomic.Int64
	o.Progress = func(done, all int) { settled.Store(int64(done)); total.Store(int64(all)) }
	var all []*reconcile.Foretold
	err = progress.New(p.command.ErrOrStderr()).During(
		func() string { return progress.Bar(int(settled.Load()), int(total.Load())) },
		func() (err error) {
			all, err = reconcile.Plan(ctx, o)
			return err
		})
	if err != nil {
		return err
	}
	return p.print(p.merge(all, world))
}

// operatorOf returns the namespace and the name of the operator.
func (p *planning) operatorOf(objects []ctrlclient.Object) (namespace, name string) {
	namespace, name = reconcile.OperatorOf(objects)
	if p.operator != "" {
		namespace, name, _ = strings.Cut(p.operator, "/")
	}
	return cmp.Or(namespace, "armature-system"), cmp.Or(name, reconcile.DefaultInstance)
}

// readsPerSecond and readsAtOnce are how many reads ARM permits a principal in a subscription:
// https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling.
const readsPerSecond, readsAtOnce = 25, 250

// reach says how to reach ARM, or its stand-in.
func (p *planning) reach(o *reconcile.PlanOptions) error {
	o.Wait = func(ctx context.Context, refused time.Duration) error { return ctx.Err() }
	if p.offline {
		server, err := armtest.New(p.facts)
		if err != nil {
			return err
		}
		server.Behave(armtest.Behavior{})
		o.Transport, o.StandIn, o.InsecureHTTP = server, true, true
		o.Cloud = cloud.Configuration{Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
			cloud.ResourceManager: {Endpoint: armtest.Endpoint, Audience: armtest.Endpoint}}}
		o.Subscription = cmp.Or(o.Subscription, "00000000-0000-0000-0000-000000000000")
		return nil
	}
	access, err := p.arm.Access()
	if err != nil {
		return err
	}
	o.Transport, o.Cloud, o.Credential, o.InsecureHTTP = access.Transport, access.Cloud, access.Credential, p.arm.IsStandIn()
	if p.arm.IsStandIn() {
		return nil
	}
	limit := rate.NewLimiter(readsPerSecond, readsAtOnce)
	o.Wait = func(ctx context.Context, refused time.Duration) error {
		select {
		case <-time.After(refused):
			return limit.Wait(ctx)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// merge adds the refused objects of files to a plan, and takes away what is not to be shown: without --all or a
// namespace, objects that are in no file and about which nothing would be sent.
func (p *planning) merge(all []*reconcile.Foretold, world *copyOf) []*reconcile.Foretold {
	wide := p.all || len(p.files) == 0
	shown := slices.Clone(p.refused)
	for _, f := range all {
		if p.isRefused(f) || !wide && !world.files[keyOf(f.Group, f.Kind, f.Namespace, f.Name)] && len(f.Requests) == 0 {
			continue
		}
		shown = append(shown, f)
	}
	slices.SortStableFunc(shown, func(a, b *reconcile.Foretold) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return shown
}

func (p *planning) isRefused(f *reconcile.Foretold) bool {
	return slices.ContainsFunc(p.refused, func(r *reconcile.Foretold) bool {
		return keyOf(r.Group, r.Kind, r.Namespace, r.Name) == keyOf(f.Group, f.Kind, f.Namespace, f.Name)
	})
}

func keyOf(group, kind, namespace, name string) string {
	return kind + "." + group + "/" + types.NamespacedName{Namespace: namespace, Name: name}.String()
}
