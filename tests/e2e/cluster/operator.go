package cluster

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile"
)

// Operate starts an operator in this process, with a stand-in for ARM. The options need not
// say what has to do with these. The function that it returns stops the operator; further
// calls of it do nothing.
func (c *Cluster) Operate(t testing.TB, scheme *runtime.Scheme, arm *armtest.Server, options reconcile.Options) (stop func()) {
	t.Helper()
	again := true // there may be others in this process
	m, err := ctrl.NewManager(c.Config, ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: &again},
	})
	if err != nil {
		t.Fatal(err)
	}
	options.Namespace, options.CredentialNamespaces = "default", []string{"*"}
	options.Credential, options.Transport, options.RequestTimeout = token{}, arm, 5*time.Second
	options.Metrics = prometheus.NewRegistry()
	options.Cloud = cloud.Configuration{Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
		cloud.ResourceManager: {Endpoint: armtest.Endpoint, Audience: armtest.Endpoint},
	}}
	if err := reconcile.Setup(m, options); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the operator: %v", err)
		}
	})
}

// token is a credential that the stand-in for ARM accepts.
type token struct{}

func (token) GetToken(context.Context, azpolicy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: "t", ExpiresOn: time.Now().Add(time.Hour)}, nil
}
