package wiring

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

const namespace = "shop"

// watching holds the watches of a fake API server, and the names that were reported to the operator.
type watching struct {
	*testing.T
	*contents
	metadata *fake.FakeMetadataClient
	stops    map[string]func() // what ends the watch of each Secret

	mutex sync.Mutex
	open  map[*counted]string // what each watches
	told  map[string]int
}

// counted is a watch that says when it ends.
type counted struct {
	watch.Interface
	of *watching
}

func (c *counted) Stop() {
	c.of.mutex.Lock()
	delete(c.of.open, c)
	c.of.mutex.Unlock()
	c.Interface.Stop()
}

// newWatching is for a bubble of synctest, whose goroutines have to end.
func newWatching(t *testing.T) *watching {
	scheme := fake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	all := &watching{T: t, metadata: fake.NewSimpleMetadataClient(scheme), stops: map[string]func(){},
		open: map[*counted]string{}, told: map[string]int{}}
	all.contents = &contents{client: all.metadata, ctx: ctx, end: cancel, of: map[named.Object]*watched{}, secretChanged: func(string) {}}
	all.metadata.PrependWatchReactor("*", func(action clienttesting.Action) (bool, watch.Interface, error) {
		inner, err := all.metadata.Tracker().Watch(action.GetResource(), action.GetNamespace())
		of := action.(clienttesting.WatchAction).GetWatchRestrictions().Fields
		c := &counted{inner, all}
		all.mutex.Lock()
		all.open[c] = of.String()
		all.mutex.Unlock()
		return true, c, err
	})
	return all
}

// begin watches a Secret.
func (w *watching) begin(name string) {
	on := named.Of(named.SecretKind, types.NamespacedName{Namespace: namespace, Name: name})
	w.stops[name] = w.watch(on, func(on named.Object) {
		w.mutex.Lock()
		w.told[on.Name]++
		w.mutex.Unlock()
	})
}

// stop ends the watch of a Secret.
func (w *watching) stop(name string) {
	w.stops[name]()
	delete(w.stops, name)
}

// settle waits until all goroutines are idle.
func (w *watching) settle() {
	time.Sleep(time.Second) // of the bubble
	synctest.Wait()
}

// expect checks how many watches there are, and whether one of them is of the namespace.
func (w *watching) expect(what string, n int, all bool) {
	w.Helper()
	w.settle()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	of := slices.Sorted(maps.Values(w.open))
	if len(of) != n || slices.Contains(of, "") != all {
		w.Errorf("%s: found %d watches of %q, want %d, all is %v", what, len(of), of, n, all)
	}
}

// change makes or changes a Secret.
func (w *watching) change(name, version string) {
	w.Helper()
	o := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, ResourceVersion: version}}
	secrets := schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	do := w.metadata.Tracker().Update
	if _, err := w.metadata.Tracker().Get(secrets, namespace, name); err != nil {
		do = func(r schema.GroupVersionResource, o runtime.Object, ns string, _ ...metav1.UpdateOptions) error {
			return w.metadata.Tracker().Create(r, o, ns)
		}
	}
	if err := do(secrets, o, namespace); err != nil {
		w.Fatal(err)
	}
}

// TestContents watches more and more Secrets of a namespace, and then fewer.
func TestContents(t *testing.T) {
	name := func(i int) string { return fmt.Sprintf("s%d", i) }
	// each checks that the changes of each watched Secret are reported.
	each := func(w *watching, version string) {
		w.Helper()
		w.settle()
		w.mutex.Lock()
		w.told = map[string]int{}
		w.mutex.Unlock()
		for i := range 2 * maxWatches {
			w.change(name(i), version)
		}
		w.settle()
		w.mutex.Lock()
		defer w.mutex.Unlock()
		got, want := slices.Sorted(maps.Keys(w.told)), slices.Sorted(maps.Keys(w.stops))
		if strings.Join(got, " ") != strings.Join(want, " ") {
			w.Errorf("at version %s: told of %q, want %q", version, got, want)
		}
	}
	t.Run("many become one for the namespace, few one for each, and none is left", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWatching(t)
			for i := range maxWatches {
				w.begin(name(i))
			}
			w.expect("few", maxWatches, false)
			each(w, "1")
			w.begin(name(maxWatches))
			w.expect("many", 1, true)
			each(w, "2")
			for i := maxWatches + 1; i < 2*maxWatches; i++ {
				w.begin(name(i))
			}
			w.expect("all", 1, true)
			for i := 2*maxWatches - 1; i >= maxWatches/2+1; i-- {
				w.stop(name(i))
			}
			w.expect("not few enough", 1, true)
			each(w, "3")
			w.stop(name(maxWatches / 2))
			w.expect("few again", maxWatches/2, false)
			each(w, "4")
			for i := range maxWatches / 2 {
				w.stop(name(i))
			}
			w.expect("none", 0, false)
			if len(w.of) > 0 {
				t.Errorf("left is %v", w.of)
			}
		})
	})
	t.Run("whoever comes and goes before a watch has begun leaves none", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWatching(t)
			for range 3 {
				for i := range 2 * maxWatches {
					w.begin(name(i))
				}
				for i := range 2 * maxWatches {
					w.stop(name(i))
				}
			}
			w.expect("none", 0, false)
			if len(w.of) > 0 {
				t.Errorf("left is %v", w.of)
			}
		})
	})
}
