package migrating

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/metadata"

	"github.com/armature-dev/armature/tools/progress"
)

const (
	// page is the number of objects that one request lists, and workers how many are
	// rewritten at a time.
	page    = 500
	workers = 4
	// enough is how many objects of a kind may fail before the rest is not tried, and shown
	// how many of them are named.
	enough = 100
	shown  = 10
	// tries is how often an object is read again that somebody else writes meanwhile.
	tries = 20
)

// pass goes through all objects of a kind.
type pass struct {
	*migrating
	kind
	// since is the resourceVersion from which on objects are stored at the hub, or "".
	since string
	// fieldsOnly limits the pass to objects with fields to forget.
	fieldsOnly bool

	seen, written atomic.Int64
	total         atomic.Int64
	mutex         sync.Mutex
	failures      []string
	applies       map[string]int // the objects of managers that apply at a version that goes
}

// resource returns a client of the objects at the hub.
func (m *migrating) resource(k kind) metadata.Getter {
	return m.Metadata.Resource(schema.GroupVersionResource{Group: k.crd.Spec.Group, Version: k.hub, Resource: k.crd.Spec.Names.Plural})
}

// list lists a page. After a change of a CRD the API server does not answer lists until it has
// converted all objects.
func (m *migrating) list(ctx context.Context, k kind, options metav1.ListOptions) (list *metav1.PartialObjectMetadataList, err error) {
	err = m.patiently(ctx, func() error {
		list, err = m.resource(k).List(ctx, options)
		return err
	})
	return list, err
}

// patiently calls do until it succeeds, or fails otherwise than because the cluster cannot
// answer now.
func (m *migrating) patiently(ctx context.Context, do func() error) error {
	pause := 100 * time.Millisecond
	for end := time.Now().Add(m.patience); ; pause = min(2*pause, 10*time.Second) {
		err := do()
		isLater := apierrors.IsTooManyRequests(err) || apierrors.IsServiceUnavailable(err) || apierrors.IsServerTimeout(err) ||
			apierrors.IsTimeout(err) || utilnet.IsConnectionRefused(err) || utilnet.IsConnectionReset(err) || utilnet.IsProbableEOF(err)
		if !isLater || time.Now().Add(pause).After(end) {
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// run rewrites the objects that are due, page by page. Its error has the objects that it could
// not rewrite.
func (p *pass) run(ctx context.Context) error {
	p.seen.Store(0)
	p.failures, p.applies = nil, map[string]int{}
	state := func() string {
		return p.crd.Name + " " + progress.Bar(int(p.seen.Load()), int(p.total.Load()))
	}
	if err := p.progress.During(state, func() error { return p.pages(ctx) }); err != nil {
		return err
	}
	if n := len(p.failures); n > 0 {
		slices.Sort(p.failures)
		text := strings.Join(p.failures[:min(n, shown)], "\n  ")
		if n > shown {
			text += fmt.Sprintf("\n  and %d others", n-shown)
		}
		if n >= enough {
			text += "\n  the rest was not tried"
		}
		return fmt.Errorf("%d objects cannot be rewritten:\n  %s", n, text)
	}
	return nil
}

// pages goes through the pages. A token of a page that has expired comes back with another
// one, which continues with the objects that there are now: those that came since need nothing.
func (p *pass) pages(ctx context.Context) error {
	options := metav1.ListOptions{Limit: page}
	for {
		list, err := p.list(ctx, p.kind, options)
		if status, isStatus := err.(apierrors.APIStatus); isStatus && apierrors.IsResourceExpired(err) && options.Continue != "" {
			// Without another token it begins again. What it has rewritten is not due any longer.
			options.Continue = status.Status().Continue
			continue
		}
		if err != nil {
			return fmt.Errorf("cannot list its objects: %w", err)
		}
		rest := int64(0)
		if list.RemainingItemCount != nil {
			rest = *list.RemainingItemCount
		}
		p.total.Store(p.seen.Load() + int64(len(list.Items)) + rest)
		if err := p.rewriteAll(ctx, list.Items); err != nil {
			return err
		}
		if options.Continue = list.Continue; options.Continue == "" || len(p.failures) >= enough {
			return nil
		}
	}
}

// rewriteAll rewrites the objects of a page, several at a time.
func (p *pass) rewriteAll(ctx context.Context, items []metav1.PartialObjectMetadata) error {
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				err := p.rewrite(ctx, &items[i])
				p.seen.Add(1)
				if err != nil && ctx.Err() == nil {
					p.fail(&items[i], err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// fail notes an object that could not be rewritten.
func (p *pass) fail(object *metav1.PartialObjectMetadata, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.failures = append(p.failures, fmt.Sprintf("%s: %v", nameOf(object), err))
}

func nameOf(object *metav1.PartialObjectMetadata) string {
	return strings.TrimPrefix(object.Namespace+"/"+object.Name, "/")
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
		err = p.patiently(ctx, func() error {
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
