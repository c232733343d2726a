// Package migrate is the command armature migrate, which has all objects stored at the
// version at which their kind stores objects, and then removes the others from the CRD's
// status.storedVersions.
//
// An object is rewritten by an empty patch at the storage version itself. There the API server
// converts what is stored once, and neither a schema nor an annotation stands between that and
// what it stores then. Each patch has the resourceVersion that was read, so it writes over
// nothing that somebody else has written.
package migrate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/internal/progress"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// migrating is a run of the command.
type migrating struct {
	*cluster.Cluster
	groups, kinds []string // API groups that are Armature's, and the kinds to migrate
	rate          float32
	settle        time.Duration
	itself        bool // does not ask the cluster to migrate
	dryRun        bool
	out           io.Writer
	progress      progress.Progress
	limiter       flowcontrol.RateLimiter
	// patience is how long a request is repeated that the cluster cannot answer now, and
	// poll how often a migration by the cluster is looked at.
	patience, poll time.Duration
}

// New returns the command. groups has the API groups whose kinds are Armature's even without
// the label of a release.
func New(groups []string) *cobra.Command {
	m := &migrating{groups: groups, patience: 10 * time.Minute, poll: 2 * time.Second}
	var of cluster.Flags
	c := &cobra.Command{
		Use:   "migrate",
		Short: "Have all objects stored at the present storage version",
		Long: `Have all objects stored at the present storage version of their kind, so that a release may come that lacks the
former ones.

It takes each kind with more than one version in status.storedVersions of its CRD, and rewrites the objects, each as it is.
Where the cluster serves StorageVersionMigration (Kubernetes 1.37), and something works on it, the cluster does that; else
the command does it itself. When the last object is rewritten, status.storedVersions has the present storage version alone.
If one object cannot be rewritten, it says why, goes on with the others, and leaves status.storedVersions as it is.

Of managedFields it removes what managers have written at a version that goes, and nothing else. It keeps the fields of a
manager that applies at such a version, and names it.

It may be stopped at any time: run it again, and it goes on with what is left.

The caller needs these rights in the whole cluster; those of cluster-admin suffice:
  get, list, patch               of the kinds
  write                          of storageversions in armature.dev (the ClusterRole armature-storage-writer)
  get, list, patch               of customresourcedefinitions, and patch of customresourcedefinitions/status
  create, delete, get, list      of storageversionmigrations in storagemigration.k8s.io, but not with --itself

The status is 0 if all is done, 1 if it could not begin or was stopped, and 2 if something is left.`,
		Example: `  armature migrate --dry-run
  armature migrate
  armature migrate --kinds Redis,'Virtual*' --rate 20 --itself`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if m.rate <= 0 {
				return fmt.Errorf("--rate: found %v, expected a number above 0", m.rate)
			}
			var err error
			if m.Cluster, err = of.Cluster(); err != nil {
				return err
			}
			m.out, m.progress = cmd.OutOrStdout(), progress.New(cmd.ErrOrStderr())
			m.limiter = flowcontrol.NewTokenBucketRateLimiter(m.rate, max(1, int(m.rate)))
			return m.run(cmd.Context())
		},
	}
	flags := c.Flags()
	of.AddTo(c)
	flags.StringSliceVar(&m.kinds, "kinds", nil, "`NAMES` of kinds, as for kubectl, or patterns such as Redis*; default: all")
	flags.Float32Var(&m.rate, "rate", 50, "`NUMBER` of objects to rewrite in a second, when the command does it itself")
	flags.DurationVar(&m.settle, "settle", 30*time.Second,
		"`TIME` to wait after a change of a CRD, until all API servers of the cluster store at its version")
	flags.BoolVar(&m.itself, "itself", false, "do it itself, even if the cluster serves StorageVersionMigration")
	flags.BoolVar(&m.dryRun, "dry-run", false, "try each write without storing anything, and say which would fail")
	return c
}

// kind is a kind to migrate.
type kind struct {
	crd *apiextensionsv1.CustomResourceDefinition
	hub string
	// going are the other versions at which objects may be stored.
	going []string
}

func newKind(crd *apiextensionsv1.CustomResourceDefinition) kind {
	k := kind{crd: crd, hub: cluster.Hub(crd)}
	k.going = slices.DeleteFunc(slices.Clone(crd.Status.StoredVersions), func(v string) bool { return v == k.hub })
	return k
}

// run migrates all kinds, one after the other.
func (m *migrating) run(ctx context.Context) error {
	kinds, err := m.read(ctx)
	if err != nil {
		return err
	}
	if len(kinds) == 0 {
		fmt.Fprintln(m.out, "no kind has objects at another version than its present storage version")
		return nil
	}
	if err := m.Require(ctx, m.rights(kinds)); err != nil {
		return err
	}
	if !m.dryRun {
		if kinds, err = m.settled(ctx, kinds); err != nil {
			return err
		}
	}
	left := 0
	for _, k := range kinds {
		err := m.migrate(ctx, k)
		if ctx.Err() != nil {
			return fmt.Errorf("%s: stopped: %w; run it again, and it goes on with what is left", k.crd.Name, context.Cause(ctx))
		}
		if err != nil {
			left++
			fmt.Fprintf(m.out, "%s: %v\n", k.crd.Name, err)
		}
	}
	if left > 0 {
		fmt.Fprintf(m.out, "%d of %d kinds are left: status.storedVersions of these is as it was\n", left, len(kinds))
		return program.ErrLook
	}
	return nil
}

// read returns the kinds that have more than one stored version.
func (m *migrating) read(ctx context.Context) ([]kind, error) {
	crds, err := m.Installed(ctx, m.groups, m.kinds)
	if err != nil {
		return nil, err
	}
	var kinds []kind
	for _, crd := range crds {
		if k := newKind(crd); len(k.going) > 0 && apiversion.IsStorage(k.hub) {
			kinds = append(kinds, k)
		}
	}
	return kinds, nil
}

// rights returns what the command needs to be allowed for some kinds.
func (m *migrating) rights(kinds []kind) []cluster.Right {
	const crds = "customresourcedefinitions"
	var rights []cluster.Right
	groups := map[string]bool{}
	for _, k := range kinds {
		group := k.crd.Spec.Group
		for _, verb := range []string{"get", "list", "patch"} {
			rights = append(rights, cluster.Right{Verb: verb, Group: group, Resource: k.crd.Spec.Names.Plural})
		}
		if !groups[group] {
			groups[group] = true
			rights = append(rights, cluster.Right{Verb: "write", Group: annotation.Domain, Resource: "storageversions", Name: group})
		}
	}
	if m.dryRun {
		return rights
	}
	rights = append(rights, cluster.Right{Verb: "patch", Group: apiextensionsv1.GroupName, Resource: crds},
		cluster.Right{Verb: "patch", Group: apiextensionsv1.GroupName, Resource: crds, Subresource: "status"})
	if !m.itself {
		for _, verb := range []string{"create", "delete", "get", "list"} {
			rights = append(rights, cluster.Right{Verb: verb, Group: storagemigrationv1.GroupName, Resource: "storageversionmigrations"})
		}
	}
	return rights
}

// old is how long ago a CRD has changed when every API server certainly knows it, whatever
// the clocks of this machine and of the cluster show.
const old = time.Hour

// settled waits until each API server of the cluster stores objects at the hubs of the kinds:
// each learns of a CRD on its own, and one that does not know it yet stores at the former hub.
// It returns the kinds as they are then.
func (m *migrating) settled(ctx context.Context, kinds []kind) ([]kind, error) {
	for {
		fresh := slices.ContainsFunc(kinds, func(k kind) bool { return time.Since(changed(k.crd)) < old })
		if !fresh || m.settle <= 0 {
			return kinds, nil
		}
		begin := time.Now()
		state := func() string {
			return fmt.Sprintf("a CRD has changed lately: waiting %v until all API servers know it",
				(m.settle - time.Since(begin)).Round(time.Second))
		}
		if err := m.progress.During(state, func() error { return cluster.Sleep(ctx, m.settle) }); err != nil {
			return nil, err
		}
		again, err := m.read(ctx)
		if err != nil {
			return nil, err
		}
		if slices.EqualFunc(kinds, again, func(a, b kind) bool { return a.crd.UID == b.crd.UID && a.crd.Generation == b.crd.Generation }) {
			return again, nil
		}
		kinds = again
	}
}

// changed returns when the Spec of a CRD was last changed, as its managers say.
func changed(crd *apiextensionsv1.CustomResourceDefinition) time.Time {
	last := crd.CreationTimestamp.Time
	for _, m := range crd.ManagedFields {
		if m.Manager != manager && m.Subresource == "" && m.Time != nil && m.Time.After(last) {
			last = m.Time.Time
		}
	}
	return last
}

// migrate migrates the objects of a kind. It returns an error if something is left.
func (m *migrating) migrate(ctx context.Context, k kind) error {
	what := fmt.Sprintf("from %s to %s", strings.Join(k.going, ", "), k.hub)
	p := &pass{migrating: m, kind: k}
	if m.dryRun {
		if err := p.run(ctx); err != nil {
			return err
		}
		fmt.Fprintf(m.out, "%s: would rewrite %d objects, %s\n", k.crd.Name, p.written.Load(), what)
		return nil
	}
	since, err := m.begin(ctx, k)
	if err != nil {
		return err
	}
	by := "rewritten"
	p.since = since
	done, err := m.byCluster(ctx, p)
	if err != nil {
		return err
	}
	if done {
		by = "rewritten by the cluster"
	} else if err := p.run(ctx); err != nil {
		return err
	}
	if err := m.trim(ctx, k); err != nil {
		return err
	}
	fmt.Fprintf(m.out, "%s: all objects are %s, %s\n", k.crd.Name, by, what)
	for _, manager := range p.appliers() {
		fmt.Fprintf(m.out, "%s: %s; apply its manifests at a version that stays\n", k.crd.Name, manager)
	}
	return nil
}

// errChanged is the error of a CRD that somebody has changed meanwhile.
var errChanged = errors.New("somebody has changed the CRD meanwhile: run it again")
