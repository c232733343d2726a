package reconcile

import (
	"time"

	"go.opentelemetry.io/otel/trace"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/dependencies"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/locks"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
)

// ref names an object in the cluster.
type ref = named.Object

// Reconciler reconciles the objects of all kinds.
type Reconciler struct {
	cluster  wiring.Cluster
	options  Options
	operator operator
	scheme   *runtime.Scheme
	kinds    *kinds.Set

	memories     *memories
	dependencies *dependencies.Graph
	claims       claims.Claims
	credentials  *credentials.Store
	keys         *record.Keys
	locks        locks.Locks
	families     *family.Families
	metrics      *meters
	tracer       trace.Tracer

	preconditions preconditions

	// planner notes what would be sent, for [Plan], nil otherwise.
	planner *planner
	// evaluation is how long the expressions of an object may take.
	evaluation time.Duration
}

// keysSecret returns the Secret with the keys of records.
func (r *Reconciler) keysSecret() ref { return named.Of(named.SecretKind, r.keys.Secret) }

// unmanage drops what is known about an object that the operator does not manage.
func (r *Reconciler) unmanage(of ref) {
	r.dependencies.Keep(of, nil)
	r.claims.Release(of)
	r.metrics.setState(of, objectState{})
}

// wakeDependents wakes the objects that depend on one.
func (r *Reconciler) wakeDependents(on ref) {
	for _, object := range r.dependencies.Dependents(on) {
		r.cluster.Wake(object)
	}
}
