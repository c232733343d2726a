package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/tools/smoke/record"
)

// azure is how ARM is reached: by the operator, and beside it.
type azure struct {
	cloud      cloud.Configuration
	credential azcore.TokenCredential
	standIn    bool
	recorder   *record.Recorder
}

// Who sends requests, in the log.
const (
	operatorName = "operator"
	checkName    = "check"
)

// newAzure returns the way to ARM with the user's credential, which a stand-in does not get.
func newAzure(endpoint, caFile string, log *record.Log) (*azure, error) {
	public := cloud.AzurePublic.Services[cloud.ResourceManager]
	a := &azure{cloud: cloud.Configuration{
		ActiveDirectoryAuthorityHost: cloud.AzurePublic.ActiveDirectoryAuthorityHost,
		Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
			cloud.ResourceManager: {Endpoint: cmp.Or(endpoint, public.Endpoint), Audience: public.Audience},
		},
	}}
	at, err := url.Parse(a.cloud.Services[cloud.ResourceManager].Endpoint)
	if err != nil || at.Host == "" {
		return nil, fmt.Errorf("--arm-endpoint: found %q, expected a URL such as %s", endpoint, public.Endpoint)
	}
	transport, err := client.NewTransport(caFile)
	if err != nil {
		return nil, fmt.Errorf("--ca-file: %w", err)
	}
	a.recorder = record.New(log, transport)
	if a.standIn = at.Scheme == "http"; a.standIn {
		a.credential = noCredential{}
		return a, nil
	}
	a.credential, err = azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{
		ClientOptions: policy.ClientOptions{Transport: transport}})
	return a, err
}

// client returns a client for requests beside the operator.
func (a *azure) client() (*client.Client, error) {
	return client.New(client.Options{
		Cloud: a.cloud, Credential: a.credential, Transport: a.recorder.As(checkName), InsecureHTTP: a.standIn,
	})
}

// noCredential is the credential for a stand-in of ARM.
type noCredential struct{}

func (noCredential) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: "stand-in", ExpiresOn: time.Now().Add(time.Hour)}, nil
}
