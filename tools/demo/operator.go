package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	cache "github.com/armature-dev/armature/apis/cache/v1beta20200601"
	crm "github.com/armature-dev/armature/apis/crm/v1beta20130303"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/changes"
	"github.com/armature-dev/armature/runtime/conversion"
)

// resource is a resource of any kind at its stored version.
type resource interface {
	client.Object
	conversion.KubernetesResource
}

// kinds has a function for each kind that the operator watches. It returns an
// empty object of the stored version.
var kinds = map[string]func() resource{
	"redis":  func() resource { return (&cache.Redis{}).NewHub().(resource) },
	"person": func() resource { return (&crm.Person{}).NewHub().(resource) },
}

// conditions returns the conditions in the Status, which every kind has.
func conditions(r resource) *[]metav1.Condition {
	return reflect.ValueOf(r).Elem().FieldByName("Status").FieldByName("Conditions").Addr().Interface().(*[]metav1.Condition)
}

// newOperator returns a manager that sends changed resources to ARM, and calls
// tell for each request.
func newOperator(config *rest.Config, scheme *runtime.Scheme, armURL string, tell func(sent)) (manager.Manager, error) {
	operator, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return nil, err
	}
	// A new Status is ignored. Annotations count, because one of them sets the version.
	news := builder.WithPredicates(predicate.Or(changes.Spec{}, predicate.AnnotationChangedPredicate{}))
	for name, empty := range kinds {
		r := &reconciler{operator.GetClient(), scheme, armURL, tell, empty}
		if err := ctrl.NewControllerManagedBy(operator).Named(name).For(empty(), news).Complete(r); err != nil {
			return nil, err
		}
	}
	return operator, nil
}

// reconciler sends the resources of a kind to ARM.
type reconciler struct {
	client client.Client
	scheme *runtime.Scheme
	armURL string
	tell   func(sent)
	empty  func() resource
}

// sent is a request to ARM with the status of the answer.
type sent struct {
	*arm.Request
	Status int
}

// Reconcile sends one resource to ARM and writes the answer into its status.
func (r *reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	stored := r.empty()
	if err := r.client.Get(ctx, request.NamespacedName, stored); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Succeeded", ObservedGeneration: stored.GetGeneration()}
	if err := r.send(ctx, stored); err != nil {
		ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, "Failed", err.Error()
	}
	meta.SetStatusCondition(conditions(stored), ready)
	return reconcile.Result{}, r.client.Status().Update(ctx, stored)
}

// send sends a resource to ARM at its original version, whatever version is
// stored.
func (r *reconciler) send(ctx context.Context, stored resource) error {
	spec, err := conversion.GetVersionedSpec(stored, r.scheme) // 1: what to send
	if err != nil {
		return err
	}
	request, err := arm.NewRequest(ctx, spec.(arm.ARMTransformer), stored.GetName(), nil)
	if err != nil {
		return err
	}
	answer, err := r.ask(ctx, http.MethodPut, request)
	if err == nil && !arm.IsResource(answer, request.ID) {
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
	own := *conditions(stored)     // ARM has none
	err = stored.SetStatus(status) // 3: at the version that is stored
	*conditions(stored) = own
	return err
}

// ask sends a request with the method, and the body if that is a PUT. It returns
// what ARM answers.
func (r *reconciler) ask(ctx context.Context, method string, request *arm.Request) ([]byte, error) {
	var body io.Reader
	if method == http.MethodPut {
		body = bytes.NewReader(request.Body)
	}
	asked, err := http.NewRequestWithContext(ctx, method, r.armURL+request.URL(), body)
	if err != nil {
		return nil, err
	}
	asked.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(asked)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if method == http.MethodPut {
		r.tell(sent{request, response.StatusCode})
	}
	if response.StatusCode >= 300 {
		return nil, refusal(answer)
	}
	return answer, nil
}

// refusal returns ARM's error in one line.
func refusal(answer []byte) error {
	var body struct {
		Error struct {
			Message string
			Details []struct{ Target, Message string }
		}
	}
	if err := json.Unmarshal(answer, &body); err != nil {
		return fmt.Errorf("ARM said: %s", answer)
	}
	message := "ARM said: " + body.Error.Message
	for _, d := range body.Error.Details {
		message += " " + d.Target + ": " + d.Message
	}
	return fmt.Errorf("%s", message)
}
