package status

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/runtime/annotation"
)

// refreshing asks the operator to read resources from ARM.
type refreshing struct {
	selection
	*cluster.Cluster
	out     io.Writer
	limiter flowcontrol.RateLimiter
	now     func() time.Time
}

// NewRefresh returns the command refresh.
func NewRefresh(groups []string) *cobra.Command {
	r := &refreshing{selection: selection{groups: groups}, now: time.Now}
	var of cluster.Flags
	var rate float32
	c := &cobra.Command{
		Use:   "refresh [KIND [NAME...]]",
		Short: "Let the operator read resources from ARM at once",
		Long: `Let the operator read resources from ARM at once, and write their outputs again: keys that were rotated reach their
Secrets, and what somebody has changed in Azure is told.

It sets the annotation armature.dev/refresh of the objects to the present time. The caller needs the rights list and patch
for the kinds.`,
		Example: `  armature refresh redis sessions
  armature refresh storageaccount --all
  armature refresh --all --rate 5`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := r.arguments(args); err != nil {
				return err
			}
			if r.kind == "" && !r.all {
				return errors.New("found neither a kind nor --all, expected one: armature refresh redis sessions")
			}
			if rate <= 0 {
				return fmt.Errorf("--rate: found %v, expected a number above 0", rate)
			}
			if r.Cluster, err = of.Cluster(); err != nil {
				return err
			}
			r.out, r.limiter = cmd.OutOrStdout(), flowcontrol.NewTokenBucketRateLimiter(rate, max(1, int(rate)))
			return r.run(cmd.Context())
		},
	}
	r.addTo(c)
	c.Flags().Float32Var(&rate, "rate", 20, "`NUMBER` of objects in a second, as each is a request to ARM")
	of.AddTo(c)
	return c
}

func (r *refreshing) run(ctx context.Context) error {
	kinds, err := r.kinds(ctx, r.Cluster)
	if err != nil {
		return err
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]string{
		annotation.Refresh: r.now().UTC().Format(time.RFC3339Nano)}}})
	if err != nil {
		return err
	}
	found := map[string]bool{}
	n := 0
	for _, k := range kinds {
		objects, err := r.list(ctx, r.Cluster, k)
		if err != nil {
			return err
		}
		for _, o := range objects {
			if !r.has(o.Name) {
				continue
			}
			found[o.Name] = true
			if err := r.limiter.Wait(ctx); err != nil {
				return fmt.Errorf("stopped after %d objects: %w", n, context.Cause(ctx))
			}
			err := cluster.Patiently(ctx, r.patience, func() error {
				_, err := r.Metadata.Resource(k.resource).Namespace(o.Namespace).Patch(ctx, o.Name, types.MergePatchType, patch,
					metav1.PatchOptions{FieldManager: "armature-refresh"})
				return err
			})
			if apierrors.IsNotFound(err) { // it was deleted meanwhile
				continue
			}
			if err != nil {
				return fmt.Errorf("%s %s/%s, after %d objects: %w", o.Kind, o.Namespace, o.Name, n, err)
			}
			n++
		}
	}
	if err := r.missing(found); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.out, "the operator reads %d from ARM\n", n)
	return err
}
