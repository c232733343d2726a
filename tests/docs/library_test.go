package docs_test

import (
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/armature-dev/armature/runtime/reconcile"
)

// [TestOperators] checks that the code in docs/write-your-own-operator.md is in this file or in operator_test.go, word
// for word. What is here only compiles.
var _ = newOperator

func newOperator(
	config *rest.Config, scheme *runtime.Scheme, lock resourcelock.Interface, identity azcore.TokenCredential,
) (manager.Manager, error) {
	lease := reconcile.NewLease(lock, 15*time.Second) // the LeaseDuration of the election
	operator, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme, LeaderElection: true, LeaderElectionResourceLockInterface: lease,
	})
	if err != nil {
		return nil, err
	}
	return operator, reconcile.Setup(operator, reconcile.Options{
		Namespace:            "armature-system", // the operator's own
		Credential:           identity,
		CredentialNamespaces: []string{"team-a"}, // which that serves, "*" for all
		Allow:                lease.Allow,
	})
}
