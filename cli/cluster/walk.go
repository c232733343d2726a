package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/metadata"
)

const (
	// Page is the number of objects that one request lists, and Workers how many are worked on
	// at a time.
	Page    = 500
	Workers = 4
	// enough is how many objects may fail before the rest is not tried, and shown how many of
	// them are named.
	enough = 100
	shown  = 10
)

// Sleep waits, unless the context ends before.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// webhookPatience is how long the conversion webhook may not answer. A pod of it that was killed is asked for a second
// or two more, and one that is started again answers after some.
const webhookPatience = 30 * time.Second

// Patiently calls do until it succeeds, or fails otherwise than because the cluster cannot
// answer now. After a change of a CRD, for example, an API server does not answer lists until it
// has converted all objects.
func Patiently(ctx context.Context, patience time.Duration, do func() error) error {
	pause := 100 * time.Millisecond
	for begin := time.Now(); ; pause = min(2*pause, 10*time.Second) {
		err := do()
		end := begin
		switch {
		case apierrors.IsTooManyRequests(err) || apierrors.IsServiceUnavailable(err) || apierrors.IsServerTimeout(err) ||
			apierrors.IsTimeout(err) || utilnet.IsConnectionRefused(err) || utilnet.IsConnectionReset(err) || utilnet.IsProbableEOF(err):
			end = begin.Add(patience)
		case isUnconverted(err):
			end = begin.Add(min(patience, webhookPatience))
		}
		if time.Now().Add(pause).After(end) {
			return err
		}
		if err := Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// isUnconverted reports whether the conversion webhook did not answer an API server, which says so in a text alone.
func isUnconverted(err error) bool {
	return err != nil && strings.Contains(err.Error(), "conversion webhook for ") && strings.Contains(err.Error(), " failed: Post ")
}

// Walk goes through the metadata of all objects of a resource. It keeps one page of them in
// memory.
type Walk struct {
	Resource metadata.Getter
	// Patience is how long a list is asked for that the cluster cannot answer now.
	Patience time.Duration

	seen, total atomic.Int64
	mutex       sync.Mutex
	failures    []string
}

// Progress returns how many objects it has seen, of how many.
func (w *Walk) Progress() (seen, total int) { return int(w.seen.Load()), int(w.total.Load()) }

// Run calls do for each object, for several at a time. Its error names the objects for which do
// failed.
//
// A token of a page that has expired comes back with another one, which continues with the
// objects that there are now. Without another one it begins again, so do is called twice for
// some.
func (w *Walk) Run(ctx context.Context, do func(*metav1.PartialObjectMetadata) error) error {
	options := metav1.ListOptions{Limit: Page}
	for first := true; first || options.Continue != "" && len(w.failures) < enough; {
		var list *metav1.PartialObjectMetadataList
		err := Patiently(ctx, w.Patience, func() (err error) {
			list, err = w.Resource.List(ctx, options)
			return err
		})
		if status, isStatus := err.(apierrors.APIStatus); isStatus && apierrors.IsResourceExpired(err) && options.Continue != "" {
			options.Continue = status.Status().Continue
			first = options.Continue == ""
			continue
		}
		if err != nil {
			return fmt.Errorf("cannot list its objects: %w", err)
		}
		rest := int64(0)
		if list.RemainingItemCount != nil {
			rest = *list.RemainingItemCount
		}
		w.total.Store(w.seen.Load() + int64(len(list.Items)) + rest)
		if err := w.page(ctx, list.Items, do); err != nil {
			return err
		}
		first, options.Continue = false, list.Continue
	}
	return w.err()
}

// page calls do for the objects of a page.
func (w *Walk) page(ctx context.Context, items []metav1.PartialObjectMetadata, do func(*metav1.PartialObjectMetadata) error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	for range Workers {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				err := do(&items[i])
				w.seen.Add(1)
				if err != nil && ctx.Err() == nil {
					w.mutex.Lock()
					w.failures = append(w.failures, fmt.Sprintf("%s: %v", NameOf(&items[i]), err))
					w.mutex.Unlock()
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// NameOf returns the namespace and the name of an object.
func NameOf(object metav1.Object) string {
	return strings.TrimPrefix(object.GetNamespace()+"/"+object.GetName(), "/")
}

// err returns an error with the objects that failed.
func (w *Walk) err() error {
	n := len(w.failures)
	if n == 0 {
		return nil
	}
	slices.Sort(w.failures)
	text := strings.Join(w.failures[:min(n, shown)], "\n  ")
	if n > shown {
		text += fmt.Sprintf("\n  and %d others", n-shown)
	}
	if n >= enough {
		text += "\n  the rest was not tried"
	}
	return fmt.Errorf("%d of its objects failed:\n  %s", n, text)
}
