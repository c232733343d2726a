package reconcile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/prometheus/client_golang/prometheus"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	armclient "github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/outputs"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
	"github.com/armature-dev/armature/runtime/reference"
)

// fatal has the methods of *testing.T and *rapid.T that a world needs.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// world is a cluster in memory, ARM, and the operator between them, with a clock of
// its own. Nothing in it waits or runs in parallel: the queue is a map of times, and
// each step reconciles one object.
type world struct {
	fatal
	now     time.Time
	arm     *armtest.Server
	api     ctrlclient.Client // as the operator sees it
	store   ctrlclient.Client // the same without a crash
	op      *Reconciler
	queue   map[ref]time.Time
	cache   map[ref]kinds.Resource // the objects as the operator's cache has them
	indexed map[indexed]map[ref]bool
	news    []news        // events that have not reached the operator
	lag     time.Duration // how late they reach it
	busy    bool          // the operator is at work
	events  *recorder
	spans   *tracetest.SpanRecorder
	logs    strings.Builder
	uids    int
	options Options
	// crashAt is the number of calls after which the operator stops, or 0.
	crashAt int
	crashes int
	steps   int // reconciles
	// freeze stops the operator at the next PUT, which becomes late.
	freeze bool
	late   *http.Request
	writes int // of the operator to the API server
	reads  int // of the operator from the API server, not from the cache
	// afterRead is called after the next of these reads.
	afterRead func()
	// down is the end of the paths that ARM answers with HTTP 500, "" for none.
	down string
	// overloaded is a part of the paths to which writes are refused with 429. refused counts
	// these refusals.
	overloaded string
	refused    int
	// limit says that these refusals come from ARM's own limits.
	limit bool
	// denied reports whether ARM refuses a request with 403, by its token, nil for none, and
	// denial is the code that says so, "" for AuthorizationFailed.
	denied func(bearer, method, path string) bool
	denial string
	// lost is the fault of each PUT, [armtest.LostRequest] or [armtest.LostAnswer], until [world.behave] is called.
	lost armtest.Fault
	// replies is the status and the code with which ARM refuses a request, status 0 if it does not.
	replies func(method, path string) (status int, code string)
	// tokenless is why the operator's own credential has no token, nil if it has one.
	tokenless error
	// poll is ARM's answer to polls of operations, nil for the stand-in's.
	poll *http.Response
	// asked is called before ARM gets a request, and answered after it has answered, with
	// its method and path.
	asked, answered func(method, path string)
	// refuse is the API server's answer to what the operator makes, patches and deletes, and to a
	// Status that it writes, nil for none.
	refuse func(ctrlclient.Object) error
	// unseen is the kind whose objects the cache never has, nil for none.
	unseen *kinds.Kind
	// owners has the uids that objects have had references to.
	owners        map[types.UID]bool
	errors        []string
	made          int               // credentials of Secrets
	watching      map[ref]func(ref) // whom the watches of Secrets and ConfigMaps tell
	live          ctrlclient.Reader // what the operator reads without a cache
	reviews       reviews
	copied        int             // the objects that lists of the cache have returned
	tokenRequests []string        // for tokens of ServiceAccounts
	tokens        map[string]bool // the tokens that ARM accepts, nil for all
	used          map[string]bool // the tokens that came
	// writing is called before each request but GET. What it returns is called with the status of the answer, 0
	// if there is none.
	writing func(method, path string) func(status int)
	// reading is called before each read of a plan, many at the same time.
	reading func()
	// linked is the token of the tenant to which the Specs of doors refer, "" if there is none.
	linked string
}

// operatorsToken is the token of the operator's own credential. Like every secret it
// contains canary, unless a test says otherwise.
const operatorsToken = "canary of the operator"

const (
	namespace = "shop"
	group     = "/subscriptions/s/resourceGroups/g"
)

// news is an event that has not come yet.
type news struct {
	at   time.Time
	tell func()
	// gone is the uid of an object that is gone, "" for none.
	gone types.UID
}

// crashed is the panic of an operator that stops.
type crashed struct{}

// recorder keeps events.
type recorder struct{ all []string }

func (r *recorder) Eventf(regarding, _ runtime.Object, kind, reason, action, note string, args ...any) {
	r.all = append(r.all, fmt.Sprintf("%s %s %s: ", regarding.(metav1.Object).GetName(), kind, reason)+fmt.Sprintf(note, args...))
}

var _ events.EventRecorder = &recorder{}

func testScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	homes.AddToScheme(s)
	if err := corev1.AddToScheme(s); err != nil {
		panic(err)
	}
	return s
}

// leaveOutCrowd skips a test of hundreds of objects where tests run with -short, as with the race detector,
// which takes half a minute or more for it. A world does one thing at a time, so more objects show no other
// race.
func leaveOutCrowd(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it makes hundreds of objects, and tests are to be short")
	}
}

func newWorld(t fatal, behavior armtest.Behavior) *world {
	server, err := armtest.New(homes.Specs())
	if err != nil {
		t.Fatalf("%v", err)
	}
	w := &world{
		fatal: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), arm: server, queue: map[ref]time.Time{},
		events: &recorder{}, spans: tracetest.NewSpanRecorder(), used: map[string]bool{}, owners: map[types.UID]bool{},
	}
	server.Collect(armtest.Collection{Parent: "Contoso.Homes/gardens", Path: "properties/plants", Type: "Contoso.Homes/gardens/plants",
		Lacks: map[string][]string{"2019-01-01": {"color"}}})
	w.behave(behavior)
	scheme := testScheme()
	ks, err := kinds.New(scheme, nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	builder := fake.NewClientBuilder().WithScheme(scheme)
	for _, k := range ks.All {
		builder = builder.WithStatusSubresource(k.New())
		for index, keys := range wiring.Indexes {
			builder = builder.WithIndex(k.New(), index, keys)
		}
	}
	w.store = interceptor.NewClient(builder.Build(), w.watched())
	w.api = interceptor.NewClient(w.store.(ctrlclient.WithWatch), w.crashing())
	w.live = w.api
	w.options = Options{
		Namespace:            "operator",
		Credential:           own{w},
		CredentialNamespaces: []string{"*"},
		NewCredential: func(s CredentialSource) (azcore.TokenCredential, error) {
			w.made++
			switch {
			case len(s.Content[ServiceAccountKey]) > 0:
				return accountToken(s), nil
			case string(s.Content[ClientSecretKey]) == wrongSecret:
				return noToken{}, nil
			case len(s.Content[ClientSecretKey]) == 0:
				return nil, fmt.Errorf("no %s beside %s", ClientSecretKey, s.Content[TenantKey])
			}
			return token(s.Content[ClientSecretKey]), nil
		},
		Cloud: cloud.Configuration{Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
			cloud.ResourceManager: {Endpoint: armtest.Endpoint, Audience: "https://arm.example"}}},
		Transport: transport{w},
		Tracing:   sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(w.spans)),
		Now:       func() time.Time { return w.now },
	}
	w.start()
	return w
}

func (w *world) behave(b armtest.Behavior) {
	w.lost = ""
	b.Now, b.WriteOnly = func() time.Time { return w.now }, []string{"password"}
	w.arm.Behave(b)
}

// token is a credential that needs no network.
type token string

func (t token) GetToken(context.Context, azpolicy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: string(t), ExpiresOn: time.Now().Add(time.Hour)}, nil
}

// own is the operator's own credential.
type own struct{ *world }

func (o own) GetToken(ctx context.Context, options azpolicy.TokenRequestOptions) (azcore.AccessToken, error) {
	if o.tokenless != nil {
		return azcore.AccessToken{}, o.tokenless
	}
	return token(operatorsToken).GetToken(ctx, options)
}

// wrongSecret is a client secret for which there is no token, as it is not that of the client.
const wrongSecret = "wrong canary"

type noToken struct{}

func (noToken) GetToken(context.Context, azpolicy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{}, errors.New("AADSTS7000215: Invalid client secret provided")
}

// accountToken is a credential whose tokens are those of a ServiceAccount.
type accountToken CredentialSource

func (a accountToken) GetToken(ctx context.Context, _ azpolicy.TokenRequestOptions) (azcore.AccessToken, error) {
	t, err := a.AccountToken(ctx, string(a.Content[ServiceAccountKey]))
	return azcore.AccessToken{Token: t, ExpiresOn: time.Now().Add(time.Hour)}, err
}

// transport sends requests to the stand-in.
type transport struct{ *world }

func (t transport) Do(request *http.Request) (*http.Response, error) {
	t.mayCrash()
	if t.freeze && request.Method == http.MethodPut {
		t.freeze = false
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Fatalf("%v", err)
		}
		t.late = request.Clone(context.Background())
		t.late.Body = io.NopCloser(bytes.NewReader(body))
		panic(crashed{})
	}
	bearer := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
	t.used[bearer] = true
	if t.tokens != nil && !t.tokens[bearer] {
		return &http.Response{StatusCode: 401, Header: http.Header{}, Request: request,
			Body: http.NoBody}, nil
	}
	if t.denied != nil && t.denied(bearer, request.Method, request.URL.Path) {
		return &http.Response{StatusCode: 403, Header: http.Header{"X-Ms-Request-Id": {"r"}}, Request: request, Body: io.NopCloser(
			strings.NewReader(fmt.Sprintf(`{"error":{"code":%q,"message":"The client has no authorization."}}`,
				cmp.Or(t.denial, "AuthorizationFailed"))))}, nil
	}
	if t.linked != "" && request.Method == http.MethodPut && strings.Contains(request.URL.Path, "/doors/") &&
		request.Header.Get("x-ms-authorization-auxiliary") != "Bearer "+t.linked {
		return &http.Response{StatusCode: 403, Header: http.Header{"X-Ms-Request-Id": {"r"}}, Request: request, Body: io.NopCloser(
			strings.NewReader(`{"error":{"code":"LinkedAuthorizationFailed","message":"The current tenant cannot access the linked one."}}`))}, nil
	}
	if t.replies != nil {
		if status, code := t.replies(request.Method, request.URL.Path); status != 0 {
			return &http.Response{StatusCode: status, Header: http.Header{}, Request: request,
				Body: io.NopCloser(strings.NewReader(fmt.Sprintf(`{"error":{"code":%q,"message":"No."}}`, code)))}, nil
		}
	}
	if t.down != "" && strings.HasSuffix(request.URL.Path, t.down) {
		return &http.Response{StatusCode: 500, Header: http.Header{}, Request: request, Body: http.NoBody}, nil
	}
	if t.overloaded != "" && strings.Contains(request.URL.Path, t.overloaded) && request.Method != http.MethodGet {
		t.refused++
		code := map[bool]string{false: "RetryableError", true: "SubscriptionRequestsThrottled"}[t.limit]
		return &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"60"}}, Request: request,
			Body: io.NopCloser(strings.NewReader(`{"error":{"code":"` + code + `","message":"Busy."}}`))}, nil
	}
	if t.poll != nil && strings.Contains(request.URL.Path, "/operations/") {
		answer := *t.poll
		answer.Request, answer.Body = request, io.NopCloser(strings.NewReader(t.poll.Status))
		return &answer, nil
	}
	if t.asked != nil {
		t.asked(request.Method, request.URL.Path)
	}
	losing := t.lost != "" && request.Method == http.MethodPut
	if losing && t.lost == armtest.LostRequest {
		return nil, io.ErrUnexpectedEOF
	}
	wrote := func(int) {}
	if t.writing != nil && request.Method != http.MethodGet {
		wrote = t.writing(request.Method, request.URL.Path)
	}
	response, err := t.arm.Do(request)
	if err == nil {
		wrote(response.StatusCode)
	} else {
		wrote(0)
	}
	t.mayCrash()
	if losing {
		return nil, io.ErrUnexpectedEOF
	}
	if t.answered != nil {
		t.answered(request.Method, request.URL.Path)
	}
	return response, err
}

// start starts the operator anew: without a memory, with everything in its queue.
func (w *world) start() {
	w.options.Metrics = prometheus.NewRegistry()
	w.op = w.newOperator(w.options, w.cluster())
	w.op.evaluation = time.Hour // by its own clock a world needs no time, however busy the machine is
	untold := w.news
	w.queue, w.cache, w.news, w.watching = map[ref]time.Time{}, map[ref]kinds.Resource{}, nil, map[ref]func(ref){}
	w.indexed = map[indexed]map[ref]bool{}
	var secrets corev1.SecretList
	if err := w.store.List(context.Background(), &secrets); err != nil {
		w.Fatalf("%v", err)
	}
	for i := range secrets.Items {
		w.enqueueHeld(&secrets.Items[i])
	}
	w.each(func(k *kinds.Kind, object kinds.Resource) {
		r := named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(object))
		w.see(r, object)
		w.enqueue(r, w.now)
	})
	for _, n := range untold { // the garbage collector knows without the operator
		if n.gone != "" {
			w.collect(n.gone)
		}
	}
}

// newOperator returns an operator of a cluster.
func (w *world) newOperator(options Options, cluster wiring.Cluster) *Reconciler {
	w.Helper()
	err := options.complete()
	var metrics *meters
	if err == nil {
		metrics, err = newMeters(options.Metrics)
	}
	var op *Reconciler
	if err == nil {
		op, err = newReconciler(options, cluster, metrics)
	}
	if err != nil {
		w.Fatalf("%v", err)
	}
	return op
}

// cluster is the world as the operator sees it.
func (w *world) cluster() wiring.Cluster {
	w.Helper()
	set, err := kinds.New(w.api.Scheme(), w.options.Kinds)
	if err != nil {
		w.Fatalf("%v", err)
	}
	set.SetDiscovered(true)
	namespaces := &wiring.Namespaces{
		Get: func(name string) (metav1.Object, error) {
			n := &corev1.Namespace{}
			return n, ctrlclient.IgnoreNotFound(w.store.Get(context.Background(), types.NamespacedName{Name: name}, n))
		},
		Managed: w.options.ManagedNamespaces, Selector: w.options.ManagedSelector, Defaults: w.options.policies(),
	}
	return wiring.Cluster{
		Client: w.api, Objects: &kinds.Objects{Kinds: set, Cache: cache{w}, Live: live{w}}, Namespaces: namespaces,
		Storage: wiring.NewStorageRights(&w.reviews, namespaces, logr.Discard()), Events: w.events, Log: logr.Discard(),
		Wake: func(r ref) { w.enqueue(r, w.now) },
		Watch: func(on ref, changed func(ref)) (stop func()) {
			w.watching[on] = changed
			return func() { delete(w.watching, on) }
		},
		Secret: func(ctx context.Context, name types.NamespacedName) (*corev1.Secret, error) {
			secret := new(corev1.Secret)
			return secret, live{w}.Get(ctx, name, secret)
		},
	}
}

// live reads for the operator without a cache.
type live struct{ *world }

func (l live) Get(ctx context.Context, key ctrlclient.ObjectKey, into ctrlclient.Object, options ...ctrlclient.GetOption) error {
	return l.live.Get(ctx, key, into, options...)
}

func (l live) List(ctx context.Context, into ctrlclient.ObjectList, options ...ctrlclient.ListOption) error {
	return l.live.List(ctx, into, options...)
}

// reviews is an API server that says whether the operator may write at storage versions, if allowed is set.
type reviews struct {
	allowed func(wiring.Place) (bool, error)
}

func (r *reviews) Allowed(_ context.Context, p wiring.Place) (bool, error) { return r.allowed(p) }

func (r *reviews) Account(context.Context) (string, error) { return "", nil }

// takeOver has the administrator say that all objects take over what ARM has, and delete it.
func (w *world) takeOver() {
	w.Helper()
	for _, name := range []string{namespace, "other", "mall", "operator"} {
		n := &corev1.Namespace{}
		if err := w.store.Get(context.Background(), types.NamespacedName{Name: name}, n); err != nil {
			n = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
			w.create(n)
		}
		metav1.SetMetaDataAnnotation(&n.ObjectMeta, annotation.Adopt, annotation.AdoptExact)
		metav1.SetMetaDataAnnotation(&n.ObjectMeta, annotation.Deletion, annotation.DeletionDelete)
		if err := w.store.Update(context.Background(), n); err != nil {
			w.Fatalf("%v", err)
		}
	}
}

// loseKeys stops the operator, loses the keys of records, and starts it anew. What ARM has is taken over then.
func (w *world) loseKeys() {
	w.Helper()
	w.takeOver()
	w.start()
	w.delete(secretOf(w.op.keys.Secret.Namespace, w.op.keys.Secret.Name, nil))
}

// cache reads objects for the operator. It is behind by the news that have not come
// yet.
type cache struct{ *world }

func (c cache) Get(_ context.Context, key ctrlclient.ObjectKey, into ctrlclient.Object, _ ...ctrlclient.GetOption) error {
	if k := c.world.unseen; k != nil && k.Kind == c.kindOf(into) {
		c.Errorf("the cache waits for ever for %s %s", k.Kind, key)
	}
	r := named.Of(schema.GroupKind{Group: homes.Group, Kind: c.kindOf(into)}, key)
	object := c.world.cache[r]
	if object == nil {
		return apierrors.NewNotFound(schema.GroupResource{Group: homes.Group, Resource: r.Kind}, key.Name)
	}
	reflect.ValueOf(into).Elem().Set(reflect.ValueOf(object.DeepCopyObject()).Elem())
	return nil
}

func (c cache) List(_ context.Context, into ctrlclient.ObjectList, options ...ctrlclient.ListOption) error {
	var o ctrlclient.ListOptions
	o.ApplyOptions(options)
	if k := c.world.unseen; k != nil && k.Kind+"List" == c.kindOf(into) {
		c.Errorf("the cache waits for ever for a list of %s", k.Kind)
	}
	kind := strings.TrimSuffix(c.kindOf(into), "List")
	refs := maps.Keys(c.world.cache)
	if o.FieldSelector != nil {
		by := o.FieldSelector.Requirements()[0]
		refs = maps.Keys(c.world.indexed[indexed{kind, by.Field, by.Value}])
	}
	var all []runtime.Object
	for r := range refs {
		if r.Kind != kind || o.Namespace != "" && o.Namespace != r.Namespace {
			continue
		}
		if o.Limit > 0 && int64(len(all)) == o.Limit {
			break
		}
		all = append(all, c.world.cache[r].DeepCopyObject())
		c.world.copied++
	}
	return meta.SetList(into, all)
}

// indexed is a key of an index of the cache.
type indexed struct{ kind, index, key string }

// see updates the cache with an object, or with nil if it was deleted.
func (w *world) see(r ref, object kinds.Resource) {
	old := w.cache[r]
	for name, keys := range wiring.Indexes {
		if old != nil {
			for _, key := range keys(old) {
				delete(w.indexed[indexed{r.Kind, name, key}], r)
			}
		}
		if object != nil {
			for _, key := range keys(object) {
				at := indexed{r.Kind, name, key}
				if w.indexed[at] == nil {
					w.indexed[at] = map[ref]bool{}
				}
				w.indexed[at][r] = true
			}
		}
	}
	if delete(w.cache, r); object != nil {
		w.cache[r] = object
	}
}

// enqueueHeld enqueues a Secret for which the operator's controller of credentials is responsible.
func (w *world) enqueueHeld(s ctrlclient.Object) {
	if s.GetLabels()[annotation.CredentialHolder] == w.op.operator.holder() && wiring.IsDeleting(s) {
		w.enqueue(named.Of(named.SecretKind, ctrlclient.ObjectKeyFromObject(s)), w.now)
	}
}

func (w *world) enqueue(r ref, at time.Time) {
	if old, found := w.queue[r]; !found || at.Before(old) {
		w.queue[r] = at
	}
}

// each calls do with every object.
func (w *world) each(do func(*kinds.Kind, kinds.Resource)) {
	for _, k := range w.op.kinds.All {
		list, err := k.NewList()
		if err == nil {
			err = w.store.List(context.Background(), list)
		}
		if err == nil {
			err = meta.EachListItem(list, func(item runtime.Object) error { do(k, item.(kinds.Resource)); return nil })
		}
		if err != nil {
			w.Fatalf("%v", err)
		}
	}
}

func (w *world) mayCrash() {
	if w.crashAt == 0 {
		return
	}
	if w.crashAt--; w.crashAt == 0 {
		panic(crashed{})
	}
}

// crashing lets the operator stop before or after any write.
func (w *world) crashing() interceptor.Funcs {
	around := func(do func() error) error {
		w.mayCrash()
		w.writes++
		err := do()
		w.mayCrash()
		return err
	}
	// terminating refuses what is to be made in a namespace that is being deleted, as an API server does.
	terminating := func(o ctrlclient.Object) error {
		n := getIn[corev1.Namespace](w, types.NamespacedName{Name: o.GetNamespace()})
		if n == nil || !wiring.IsDeleting(n) {
			return nil
		}
		err := apierrors.NewForbidden(corev1.Resource("any"), o.GetName(), fmt.Errorf("namespace %s is being terminated", n.Name))
		err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
		return err
	}
	return interceptor.Funcs{
		Get: func(ctx context.Context, c ctrlclient.WithWatch, key ctrlclient.ObjectKey, o ctrlclient.Object,
			opts ...ctrlclient.GetOption) error {
			w.reads++
			err := c.Get(ctx, key, o, opts...)
			if do := w.afterRead; do != nil {
				w.afterRead = nil
				do()
			}
			return err
		},
		Create: func(ctx context.Context, c ctrlclient.WithWatch, o ctrlclient.Object, opts ...ctrlclient.CreateOption) error {
			if w.refuse != nil {
				if err := w.refuse(o); err != nil {
					return err
				}
			}
			if err := terminating(o); err != nil {
				return err
			}
			return around(func() error { return c.Create(ctx, o, opts...) })
		},
		Update: func(ctx context.Context, c ctrlclient.WithWatch, o ctrlclient.Object, opts ...ctrlclient.UpdateOption) error {
			return around(func() error { return c.Update(ctx, o, opts...) })
		},
		Delete: func(ctx context.Context, c ctrlclient.WithWatch, o ctrlclient.Object, opts ...ctrlclient.DeleteOption) error {
			if w.refuse != nil {
				if err := w.refuse(o); err != nil {
					return err
				}
			}
			return around(func() error { return c.Delete(ctx, o, opts...) })
		},
		Patch: func(ctx context.Context, c ctrlclient.WithWatch, o ctrlclient.Object, p ctrlclient.Patch,
			opts ...ctrlclient.PatchOption) error {
			if w.refuse != nil {
				if err := w.refuse(o); err != nil {
					return err
				}
			}
			return around(func() error { return c.Patch(ctx, o, p, opts...) })
		},
		SubResourceUpdate: func(ctx context.Context, c ctrlclient.Client, sub string, o ctrlclient.Object,
			opts ...ctrlclient.SubResourceUpdateOption) error {
			if w.refuse != nil {
				if err := w.refuse(o); err != nil {
					return err
				}
			}
			return around(func() error { return c.SubResource(sub).Update(ctx, o, opts...) })
		},
		SubResourceCreate: func(ctx context.Context, c ctrlclient.Client, sub string, o, request ctrlclient.Object,
			opts ...ctrlclient.SubResourceCreateOption) error {
			w.tokenRequests = append(w.tokenRequests, ctrlclient.ObjectKeyFromObject(o).String()+
				fmt.Sprintf(" for %q", request.(*authenticationv1.TokenRequest).Spec.Audiences))
			if w.refuse != nil {
				if err := w.refuse(o); err != nil {
					return err
				}
			}
			if err := terminating(o); err != nil {
				return err
			}
			return c.SubResource(sub).Create(ctx, o, request, opts...)
		},
	}
}

// watched notifies the operator as its watches would, and sets uids, times and generations in the
// fake as an API server does.
func (w *world) watched() interceptor.Funcs {
	around := func(c ctrlclient.Client, o ctrlclient.Object, do func() error) error {
		before := w.look(c, o)
		if err := do(); err != nil {
			return err
		}
		after := w.look(c, o)
		if after != nil {
			for _, owner := range after.GetOwnerReferences() {
				w.owners[owner.UID] = true
			}
		}
		n := news{at: w.now.Add(w.lag), tell: func() { w.tell(before, after, o) }}
		if before != nil && after == nil {
			n.gone = before.GetUID()
		}
		w.news = append(w.news, n)
		if !w.busy {
			w.flush()
		}
		return nil
	}
	// write refuses a write into an object that was made again: an API server never has a resource version twice, and
	// the fake begins again with each object.
	write := func(c ctrlclient.Client, o ctrlclient.Object, do func() error) error {
		if now := w.look(c, o); now != nil && now.GetUID() != o.GetUID() && o.GetResourceVersion() != "" {
			return apierrors.NewConflict(corev1.Resource("any"), o.GetName(), errors.New("it was made again"))
		}
		return around(c, o, do)
	}
	return interceptor.Funcs{
		Create: func(ctx context.Context, c ctrlclient.WithWatch, o ctrlclient.Object, opts ...ctrlclient.CreateOption) error {
			w.uids++
			o.SetUID(types.UID(fmt.Sprintf("uid-%03d", w.uids)))
			o.SetCreationTimestamp(metav1.NewTime(w.now))
			o.SetGeneration(1)
			return around(c, o, func() error { return c.Create(ctx, o, opts...) })
		},
		Update: func(ctx context.Context, c ctrlclient.WithWatch, o ctrlclient.Object, opts ...ctrlclient.UpdateOption) error {
			return write(c, o, func() error { return c.Update(ctx, o, opts...) })
		},
		Patch: func(ctx context.Context, c ctrlclient.WithWatch, o ctrlclient.Object, p ctrlclient.Patch,
			opts ...ctrlclient.PatchOption) error {
			return write(c, o, func() error { return c.Patch(ctx, o, p, opts...) })
		},
		Delete: func(ctx context.Context, c ctrlclient.WithWatch, o ctrlclient.Object, opts ...ctrlclient.DeleteOption) error {
			return around(c, o, func() error { return c.Delete(ctx, o, opts...) })
		},
		SubResourceUpdate: func(ctx context.Context, c ctrlclient.Client, sub string, o ctrlclient.Object,
			opts ...ctrlclient.SubResourceUpdateOption) error {
			return write(c, o, func() error { return c.SubResource(sub).Update(ctx, o, opts...) })
		},
	}
}

// look returns an object as it is, or nil.
func (w *world) look(c ctrlclient.Client, o ctrlclient.Object) ctrlclient.Object {
	now := o.DeepCopyObject().(ctrlclient.Object)
	if err := c.Get(context.Background(), ctrlclient.ObjectKeyFromObject(o), now); apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		w.Fatalf("%v", err)
	}
	return now
}

// flush tells the operator what has changed meanwhile.
func (w *world) flush() {
	busy := w.busy
	defer func() { w.busy = busy }()
	w.busy = true // what it writes because of this is told after it
	for len(w.news) > 0 && !w.news[0].at.After(w.now) {
		first := w.news[0]
		w.news = w.news[1:]
		w.orCrash(first.tell)
	}
}

// orCrash runs work of the operator, and restarts the operator if it stops meanwhile. It reports
// whether the operator did not stop.
func (w *world) orCrash(do func()) (done bool) {
	defer func() {
		switch problem := recover(); problem {
		case nil:
			done = true
		case crashed{}:
			w.crashes++
			w.start()
		default:
			panic(problem)
		}
	}()
	do()
	return true
}

// tell tells the operator of a change.
func (w *world) tell(before, after, of ctrlclient.Object) {
	for _, kind := range []schema.GroupKind{named.SecretKind, named.ConfigMapKind} {
		if w.kindOf(of) != kind.Kind {
			continue
		}
		w.tellContent(named.Of(kind, ctrlclient.ObjectKeyFromObject(of)))
		if after != nil && kind == named.SecretKind {
			w.enqueueHeld(after)
		}
		if o := cmp.Or(after, before); o.GetLabels()[annotation.OutputOf] != "" && w.watching[outputs.In(kind, of.GetNamespace())] != nil {
			if owner, found := wiring.OwnerOf(w.op.kinds, o); found {
				w.enqueue(owner, w.now)
			}
		}
		return
	}
	if now, isNamespace := after.(*corev1.Namespace); isNamespace && before != nil {
		handler{w.op}.NamespaceChanged(before, now)
	}
	if _, isKind := of.(kinds.Resource); !isKind {
		return
	}
	r := named.Of(schema.GroupKind{Group: homes.Group, Kind: w.kindOf(of)}, ctrlclient.ObjectKeyFromObject(of))
	object, _ := after.(kinds.Resource)
	w.see(r, object)
	k := w.op.kinds.ByName[r.GroupKind]
	if before == nil || after == nil || (handler{w.op}).Updated(k, before, after) {
		w.enqueue(r, w.now)
	}
	handler{w.op}.Changed(k, before, after)
	if after == nil {
		w.collect(before.GetUID())
	}
}

// tellContent tells the operator that a Secret or a ConfigMap has changed.
func (w *world) tellContent(on ref) {
	if on.GroupKind == named.SecretKind && on.NamespacedName == w.op.keys.Secret {
		handler{w.op}.KeysChanged()
	}
	if changed := w.watching[on]; changed != nil {
		changed(on)
	}
}

func (w *world) kindOf(o runtime.Object) string {
	gvks, _, err := w.store.Scheme().ObjectKinds(o)
	if err != nil {
		w.Fatalf("%v", err)
	}
	return gvks[0].Kind
}

// collect deletes what refers to an owner that is gone, as the garbage collector
// does.
func (w *world) collect(owner types.UID) {
	if !w.owners[owner] {
		return
	}
	w.each(func(k *kinds.Kind, object kinds.Resource) {
		if slices.ContainsFunc(object.GetOwnerReferences(), func(o metav1.OwnerReference) bool { return o.UID == owner }) &&
			object.GetDeletionTimestamp().IsZero() {
			w.delete(object)
		}
	})
	for _, list := range []ctrlclient.ObjectList{&corev1.SecretList{}, &corev1.ConfigMapList{}} {
		if err := w.store.List(context.Background(), list); err != nil {
			w.Fatalf("%v", err)
		}
		err := meta.EachListItem(list, func(item runtime.Object) error {
			object := item.(ctrlclient.Object)
			if all := object.GetOwnerReferences(); len(all) == 1 && all[0].UID == owner {
				w.delete(object)
			}
			return nil
		})
		if err != nil {
			w.Fatalf("%v", err)
		}
	}
}

// deleteNamespace deletes the namespace of the objects, as its controller does: first what has no finalizer.
func (w *world) deleteNamespace() {
	w.Helper()
	w.setNamespace(func(n *corev1.Namespace) { n.Finalizers = []string{"example.com/kubernetes"} })
	w.delete(getIn[corev1.Namespace](w, types.NamespacedName{Name: namespace}))
	for _, list := range []ctrlclient.ObjectList{&corev1.ServiceAccountList{}, &corev1.ConfigMapList{}, &corev1.SecretList{}} {
		err := w.store.List(context.Background(), list, ctrlclient.InNamespace(namespace))
		if err == nil {
			err = meta.EachListItem(list, func(item runtime.Object) error { w.delete(item.(ctrlclient.Object)); return nil })
		}
		if err != nil {
			w.Fatalf("%v", err)
		}
	}
	w.each(func(_ *kinds.Kind, object kinds.Resource) {
		if object.GetNamespace() == namespace {
			w.delete(object)
		}
	})
}

func (w *world) delete(o ctrlclient.Object) {
	if err := ctrlclient.IgnoreNotFound(w.store.Delete(context.Background(), o)); err != nil {
		w.Fatalf("%v", err)
	}
}

// step reconciles the object whose time comes first. It reports whether that was
// before a time.
func (w *world) step(before time.Time) bool {
	w.Helper()
	var r ref
	for other, at := range w.queue {
		c := at.Compare(w.queue[r])
		if r == (ref{}) || cmp.Or(c, strings.Compare(other.Kind, r.Kind), strings.Compare(other.Namespace, r.Namespace),
			strings.Compare(other.Name, r.Name)) < 0 {
			r = other
		}
	}
	empty := len(w.queue) == 0
	if len(w.news) > 0 && !w.news[0].at.After(before) && (empty || !w.news[0].at.After(w.queue[r])) {
		if w.news[0].at.After(w.now) {
			w.now = w.news[0].at
		}
		w.flush()
		return true
	}
	if empty || w.queue[r].After(before) {
		return false
	}
	if at := w.queue[r]; at.After(w.now) {
		w.now = at
	}
	delete(w.queue, r)
	w.steps++
	w.busy = true
	done := w.orCrash(func() {
		if r.GroupKind == named.SecretKind {
			result, err := w.op.releaseUnused(context.Background(), r.NamespacedName)
			w.after(r, result, err)
			return
		}
		logger := funcr.New(func(prefix, args string) { w.logs.WriteString(prefix + " " + args + "\n") }, funcr.Options{Verbosity: 10})
		result, err := w.op.reconcile(log.IntoContext(context.Background(), logger.WithValues("object", r.String())),
			w.op.kinds.ByName[r.GroupKind], r.NamespacedName)
		w.after(r, result, err)
	})
	if w.busy = false; done {
		w.flush()
	}
	return true
}

// after enqueues what was reconciled, as its controller does.
func (w *world) after(r ref, result reconcile.Result, err error) {
	if err != nil {
		w.errors = append(w.errors, err.Error())
		w.enqueue(r, w.now.Add(time.Second))
	} else if result.RequeueAfter > 0 {
		w.enqueue(r, w.now.Add(result.RequeueAfter))
	}
}

// pass lets a time go by.
func (w *world) pass(d time.Duration) {
	w.Helper()
	until := w.now.Add(d)
	for steps := 0; w.step(until); steps++ {
		if steps > 20000 {
			w.Fatalf("the operator does not come to rest in %v: %v", d, slices.Sorted(maps.Keys(names(w.queue))))
		}
	}
	w.now = until
}

func names(queue map[ref]time.Time) map[string]bool {
	all := map[string]bool{}
	for r := range queue {
		all[r.String()] = true
	}
	return all
}

// create makes an object.
func (w *world) create(o ctrlclient.Object) {
	w.Helper()
	if err := w.store.Create(context.Background(), o); err != nil {
		w.Fatalf("%v", err)
	}
}

// get returns an object, or nil.
func get[T any, P interface {
	*T
	ctrlclient.Object
}](w *world, name string) P {
	w.Helper()
	return getIn[T, P](w, types.NamespacedName{Namespace: namespace, Name: name})
}

// getIn returns an object of any namespace, or nil.
func getIn[T any, P interface {
	*T
	ctrlclient.Object
}](w *world, name types.NamespacedName) P {
	w.Helper()
	o := P(new(T))
	if err := ctrlclient.IgnoreNotFound(w.store.Get(context.Background(), name, o)); err != nil {
		w.Fatalf("%v", err)
	}
	if o.GetUID() == "" {
		return nil
	}
	return o
}

// edit changes an object, which has a new generation if its Spec is another.
func edit[T any, P interface {
	*T
	ctrlclient.Object
}](w *world, name string, change func(P)) {
	w.Helper()
	o := get[T, P](w, name)
	if o == nil {
		w.Fatalf("there is no %s", name)
	}
	before := specOf(o)
	change(o)
	if specOf(o) != before {
		o.SetGeneration(o.GetGeneration() + 1)
	}
	if err := w.store.Update(context.Background(), o); err != nil {
		w.Fatalf("%v", err)
	}
}

func specOf(o any) string {
	if r, ok := o.(kinds.Resource); ok {
		o = r.GetSpec()
	}
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// put makes or replaces a Secret.
func (w *world) secret(name string, content map[string]string) {
	w.Helper()
	s := secretOf(namespace, name, content)
	if old := get[corev1.Secret](w, name); old != nil {
		s.ObjectMeta = old.ObjectMeta
		if err := w.store.Update(context.Background(), s); err != nil {
			w.Fatalf("%v", err)
		}
		return
	}
	w.create(s)
}

// ready returns the condition Ready as "True Succeeded".
func ready(r kinds.Resource) string {
	c := meta.FindStatusCondition(*kinds.ConditionsOf(r), Ready)
	if c == nil {
		return "none"
	}
	return string(c.Status) + " " + c.Reason
}

func message(r kinds.Resource) string {
	if c := meta.FindStatusCondition(*kinds.ConditionsOf(r), Ready); c != nil {
		return c.Message
	}
	return ""
}

// expect checks the condition of an object that has a message.
func (w *world) expect(what string, r kinds.Resource, want string, texts ...string) {
	w.Helper()
	if got := ready(r); got != want {
		w.Errorf("%s: got %s %q, want %s", what, got, message(r), want)
	}
	for _, text := range texts {
		if !strings.Contains(message(r), text) {
			w.Errorf("%s: got the message %q, want %q in it", what, message(r), text)
		}
	}
}

// count returns how many requests of a method ARM got for an id, or for all if it
// is "".
func (w *world) count(method, id string) int {
	n := 0
	for _, r := range w.arm.Requests() {
		if r.Method == method && (id == "" || strings.EqualFold(r.ID, id)) {
			n++
		}
	}
	return n
}

// has checks the body that ARM has for an id: "" for none.
func (w *world) has(what, id, want string) {
	w.Helper()
	got, found := w.arm.Resource(id)
	var body struct{ Properties map[string]any }
	if err := json.Unmarshal(got, &body); found && err != nil {
		w.Fatalf("%v", err)
	}
	text, _ := json.Marshal(body.Properties)
	if want == "" && found || want != "" && string(text) != want {
		w.Errorf("%s: ARM has %s, want %q", what, text, want)
	}
}

func p[T any](value T) *T { return &value }

func objectMeta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name}
}

// newHouse returns a House at 2020-02-02 in the resource group.
func newHouse(name string, rooms int64) *homes.House {
	h := &homes.House{ObjectMeta: objectMeta(name)}
	h.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	h.Spec.Fields.Rooms = &rooms
	return h
}

// newDoor returns a Door of a House.
func newDoor(name, house string) *homes.Door {
	d := &homes.Door{ObjectMeta: objectMeta(name)}
	d.Spec.Fields.Owner = &reference.Owner{Name: house}
	return d
}

const (
	houseID = group + "/providers/Contoso.Homes/houses/h"
	doorID  = houseID + "/doors/d"
)

// TestMain lets the models run as often as ARMATURE_RUNS says, with the seed ARMATURE_SEED. By default their histories
// are the same each time, so that a change fails for what it does. The night finds others.
func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())
	debug.SetGCPercent(400) // objects are small, live shortly, and there are many of them
	for name, value := range map[string]string{
		"rapid.checks": os.Getenv("ARMATURE_RUNS"), "rapid.seed": cmp.Or(os.Getenv("ARMATURE_SEED"), "1"),
	} {
		if value == "" || value == "random" {
			continue
		}
		if err := flag.Set(name, value); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}

func clientRequest(id string) armclient.Request {
	return armclient.Request{ID: id, APIVersion: "2020-02-02"}
}

func secretOf(namespace, name string, content map[string]string) *corev1.Secret {
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Data: map[string][]byte{}}
	for k, v := range content {
		s.Data[k] = []byte(v)
	}
	return s
}

func refOf(w *world, o kinds.Resource) ref {
	return named.Of(schema.GroupKind{Group: homes.Group, Kind: w.kindOf(o)}, ctrlclient.ObjectKeyFromObject(o))
}
