package migrate

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/metadata"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/internal/progress"
)

// tries is how often an object is read again that somebody else writes meanwhile.
const tries = 20

// pass goes through all objects of a kind.
type pass struct {
	*migrating
	kind
	// since is the resourceVersion from which on objects are stored at the hub, or "".
	since string
	// fieldsOnly limits the pass to objects with fields to forget.
	fieldsOnly bool

	written atomic.Int64
	mutex   sync.Mutex
	applies map[string]int // the objects of managers that apply at a version that goes
}

// resource returns a client of the objects at the hub.
func (m *migrating) resource(k kind) metadata.Getter {
	return m.Metadata.Resource(schema.GroupVersionResource{Group: k.crd.Spec.Group, Version: k.hub, Resource: k.crd.Spec.Names.Plural})
}

// run rewrites the objects that are due. Its error has the objects that it could not rewrite.
func (p *pass) run(ctx context.Context) error {
	p.applies = map[string]int{}
	walk := &cluster.Walk{Resource: p.resource(p.kind), Patience: p.patience}
	state := func() string { return p.crd.Name + " " + progress.Bar(walk.Progress()) }
	return p.progress.During(state, func() error {
		return walk.Run(ctx, func(object *metav1.PartialObjectMetadata) error { return p.rewrite(ctx, object) })
	})
}

// rewrite rewrites an object, if it is due. If somebody else writes it meanwhile, it looks
// again; one that is gone is done.
func (p *pass) rewrite(ctx context.Context, object *metav1.PartialObjectMetadata) error {
	objects := p.resource(p.kind).Namespace(object.Namespace)
	options := metav1.PatchOptions{FieldManager: manager}
	if p.dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	var err error
	for range tries {
		kept, forgets := p.fields(object)
		if !forgets && (p.fieldsOnly || p.isSince(object)) {
			p.noteAppliers(object)
			return nil
		}
		meta := map[string]any{"resourceVersion": object.ResourceVersion}
		if forgets {
			meta["managedFields"] = kept
		}
		patch, encoding := json.Marshal(map[string]any{"metadata": meta})
		if encoding != nil {
			return encoding
		}
		if err := p.limiter.Wait(ctx); err != nil {
			return err
		}
		err = cluster.Patiently(ctx, p.patience, func() error {
			_, err := objects.Patch(ctx, object.Name, types.MergePatchType, patch, options)
			return err
		})
		switch {
		case err == nil:
			p.written.Add(1)
			p.noteAppliers(object)
			return nil
		case apierrors.IsConflict(err):
			object, err = objects.Get(ctx, object.Name, metav1.GetOptions{})
		}
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return fmt.Errorf("somebody else writes it all the time")
}

// isSince reports whether an object was written when all API servers stored at the hub.
func (p *pass) isSince(object *metav1.PartialObjectMetadata) bool {
	order, err := resourceversion.CompareResourceVersion(object.ResourceVersion, p.since)
	return err == nil && order > 0
}

// goes reports whether managed fields are at a version that goes.
func (p *pass) goes(m metav1.ManagedFieldsEntry) bool {
	return slices.ContainsFunc(p.going, func(v string) bool { return m.APIVersion == p.crd.Spec.Group+"/"+v })
}

// fields returns the managed fields of an object without those to forget: of managers that
// write at a version that goes. It reports whether there are any. Those of managers that apply
// stay, because these own what they apply.
func (p *pass) fields(object *metav1.PartialObjectMetadata) (kept []metav1.ManagedFieldsEntry, forgets bool) {
	for _, m := range object.ManagedFields {
		if p.goes(m) && m.Operation != metav1.ManagedFieldsOperationApply {
			forgets = true
		} else {
			kept = append(kept, m)
		}
	}
	if len(kept) == 0 {
		kept = []metav1.ManagedFieldsEntry{{}} // an empty list would mean that the fields stay
	}
	return kept, forgets
}

// noteAppliers counts the managers of an object that apply at a version that goes.
func (p *pass) noteAppliers(object *metav1.PartialObjectMetadata) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, m := range object.ManagedFields {
		if p.goes(m) && m.Operation == metav1.ManagedFieldsOperationApply {
			p.applies[m.Manager+" applies at "+m.APIVersion]++
		}
	}
}

// appliers returns the managers that apply at a version that goes, with the number of their
// objects.
func (p *pass) appliers() []string {
	var all []string
	for _, manager := range slices.Sorted(maps.Keys(p.applies)) {
		all = append(all, fmt.Sprintf("%s, in %d objects", manager, p.applies[manager]))
	}
	return all
}
