package docs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	cachescheme "github.com/armature-dev/armature/apis/cache/scheme"
	cache "github.com/armature-dev/armature/apis/cache/v20200601"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/changes"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reference"
	"github.com/armature-dev/armature/runtime/webhook"
)

// [TestOperators] checks that the code in docs/write-your-own-operator.md is in this file or in library_test.go, word
// for word.

func newManager(config *rest.Config, armURL string) (manager.Manager, error) {
	scheme := runtime.NewScheme()
	if err := cachescheme.AddToScheme(scheme); err != nil {
		return nil, err
	}
	operator, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	// A Status is no news, the annotation that sets a version by hand is.
	news := predicate.Or(changes.Spec{}, predicate.AnnotationChangedPredicate{})
	return operator, ctrl.NewControllerManagedBy(operator).
		For((&cache.Redis{}).NewHub().(client.Object), builder.WithPredicates(news)).
		Complete(&reconciler{operator.GetClient(), scheme, armURL})
}

type reconciler struct {
	client client.Client
	scheme *runtime.Scheme
	armURL string
}

func (r *reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	stored := (&cache.Redis{}).NewHub().(client.Object)
	if err := r.client.Get(ctx, request.NamespacedName, stored); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.send(ctx, stored.(conversion.KubernetesResource)); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, r.client.Status().Update(ctx, stored)
}

func (r *reconciler) send(ctx context.Context, stored conversion.KubernetesResource) error {
	spec, err := conversion.GetVersionedSpec(stored, r.scheme) // 1: what to send
	if err != nil {
		return err
	}
	request, err := arm.NewRequest(ctx, spec.(arm.ARMTransformer), stored.GetName(), names{})
	if err != nil {
		return err
	}
	answer, err := r.ask(ctx, http.MethodPut, request)
	if err == nil && !arm.IsResource(answer, request.ID) { // such as {"operation": "CreateServer"}
		answer, err = r.ask(ctx, http.MethodGet, request)
	}
	if err != nil {
		return err
	}
	status, err := conversion.NewEmptyVersionedStatus(stored, r.scheme) // 2: what to read the answer into
	if err != nil {
		return err
	}
	if _, err := arm.Decode(answer, status); err != nil {
		return err
	}
	return stored.SetStatus(status) // 3: at the version that is stored
}

// ask sends a request with the method, and the body if that is a PUT.
func (r *reconciler) ask(ctx context.Context, method string, request *arm.Request) ([]byte, error) {
	var body io.Reader
	if method == http.MethodPut {
		body = bytes.NewReader(request.Body)
	}
	asked, err := http.NewRequestWithContext(ctx, method, r.armURL+request.URL(), body)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(asked)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("ARM said: %s", answer)
	}
	return answer, err
}

// names are those of a cluster in which everything belongs to one resource group.
type names struct{}

const group = "/subscriptions/s/resourceGroups/g"

func (names) OwnerID(_ context.Context, armType, name string) (string, error) {
	if armType == "Microsoft.Resources/resourceGroups" {
		return group, nil
	}
	return group + "/providers/" + armType + "/" + name, nil
}

func (names) ResourceID(_ context.Context, ref reference.Resource) (string, error) {
	return "", fmt.Errorf("there is no %s %s", ref.Kind, ref.Name)
}

func (names) SecretValue(_ context.Context, ref reference.Secret) (string, error) {
	return "", fmt.Errorf("there is no Secret %s", ref.Name)
}

func serveConversions(operator manager.Manager) error {
	keys, err := webhook.NewKeyFolder("/etc/armature/keys", slog.Default())
	if err != nil {
		return err
	}
	if err := operator.Add(keys); err != nil { // which reads them again when they change
		return err
	}
	handler, err := webhook.New(webhook.Options{Scheme: operator.GetScheme(), Metrics: metrics.Registry, Keys: keys.Keys})
	if err != nil {
		return err
	}
	operator.GetWebhookServer().Register("/convert", handler)
	return nil
}

// A resource that was created at 2020-06-01 and is stored at 2024-11-01 is sent
// at 2020-06-01, and read where the answer is not the resource. It is not sent at a
// version that lacks some of it.
func Example() {
	fake, err := armtest.New(os.DirFS("../../apis/cache/specs"))
	if err != nil {
		panic(err)
	}
	armURL, err := fake.Listen("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer fake.Close()
	fake.Behave(armtest.Behavior{Rates: armtest.Rates{armtest.NoResource: 1}})

	scheme := runtime.NewScheme()
	if err := cachescheme.AddToScheme(scheme); err != nil {
		panic(err)
	}
	created := &cache.Redis{Spec: cache.Redis_Spec{
		Owner:             &reference.Owner{Name: "g"},
		Location:          new("westeurope"),
		Sku:               &cache.Sku{Name: new(cache.SkuName("Premium")), Family: new(cache.SkuFamily("P")), Capacity: new(int64(1))},
		MinimumTlsVersion: new(cache.TlsVersion("1.2")),
	}}
	created.Name = "sessions"
	stored := created.NewHub().(interface {
		conversion.Hub
		conversion.KubernetesResource
	})
	if err := created.ConvertTo(stored); err != nil {
		panic(err)
	}

	r := &reconciler{scheme: scheme, armURL: armURL}
	if err := r.send(context.Background(), stored); err != nil {
		panic(err)
	}
	for _, request := range fake.Requests() {
		fmt.Println(request.Method, request.ID, request.APIVersion, request.Status)
	}

	stored.SetAnnotations(map[string]string{annotation.APIVersion: "v20170201"})
	err = r.send(context.Background(), stored)
	var unsent *conversion.UnsentError
	if errors.As(err, &unsent) {
		fmt.Println(unsent.Version.Version, "lacks", unsent.Paths)
	}
	// Output:
	// PUT /subscriptions/s/resourceGroups/g/providers/Microsoft.Cache/redis/sessions 2020-06-01 201
	// GET /subscriptions/s/resourceGroups/g/providers/Microsoft.Cache/redis/sessions 2020-06-01 200
	// v20170201 lacks [spec.minimumTlsVersion]
}
