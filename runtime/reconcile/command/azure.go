package command

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
)

// azure has the flags that say where ARM is, and who asks it.
type azure struct {
	cloud, endpoint, audience, authority, credential, caFile string
}

var clouds = map[string]cloud.Configuration{
	"public": cloud.AzurePublic, "china": cloud.AzureChina, "government": cloud.AzureGovernment,
}

// ownIsNone is the value of --credential of an operator that has none of its own.
const ownIsNone = "own"

// identities make the operator's own credential, of what its environment says.
var identities = map[string]func(policy.ClientOptions) (azcore.TokenCredential, error){
	"workload-identity": func(o policy.ClientOptions) (azcore.TokenCredential, error) {
		return azidentity.NewWorkloadIdentityCredential(&azidentity.WorkloadIdentityCredentialOptions{
			ClientOptions: o, DisableInstanceDiscovery: credentials.PrivateCloud(o.Cloud)})
	},
	ownIsNone: func(policy.ClientOptions) (azcore.TokenCredential, error) { return nil, nil },
	"managed-identity": func(o policy.ClientOptions) (azcore.TokenCredential, error) {
		options := &azidentity.ManagedIdentityCredentialOptions{ClientOptions: o}
		if id := os.Getenv(credentials.ClientKey); id != "" {
			options.ID = azidentity.ClientID(id)
		}
		return azidentity.NewManagedIdentityCredential(options)
	},
}

func names[V any](of map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(of)), ", ")
}

func (a *azure) register(flags *flag.FlagSet, options *reconcile.Options) {
	flags.StringVar(&a.cloud, "cloud", "public", "the cloud: one of "+names(clouds))
	flags.StringVar(&a.endpoint, "arm-endpoint", "",
		"URL of ARM, by default the cloud's; with http it is a stand-in, which gets no credential")
	flags.StringVar(&a.audience, "arm-audience", "", "audience of ARM's tokens, by default the cloud's")
	flags.StringVar(&a.authority, "authority", "", "URL of the authority that gives tokens, by default the cloud's")
	flags.StringVar(&a.caFile, "ca-file", "", "file with certificate authorities of ARM, of the authority or of a proxy, in PEM, "+
		"which are trusted beside those of the system; it is read at the start")
	flags.StringVar(&a.credential, "credential", "workload-identity", "what the operator's own credential is: one of "+names(identities)+
		"; with "+ownIsNone+" it has none, and each namespace needs its own")
	flags.StringVar(&options.Subscription, "subscription", "",
		"id of the subscription of resources that are in one and whose Spec names none, such as resource groups, "+
			"with the operator's own credential")
	flags.Func("credential-namespace", "a namespace that the operator's own credential serves, * for all; may be "+
		"given many times. Whoever may create objects there reaches whatever the credential reaches", list(&options.CredentialNamespaces))
	flags.Func("workload-identity-namespace", "a namespace whose Secrets may have workload identity with the operator's own "+
		"token, * for all; may be given many times. Whoever may create a Secret there reaches whatever an application "+
		"reaches that trusts the operator", list(&options.WorkloadIdentityNamespaces))
	flags.StringVar(&options.ExchangeAudience, "exchange-audience", "",
		"audience of the tokens of ServiceAccounts that the authority exchanges, by default the cloud's")
}

// list returns a flag that adds to a list.
func list(to *[]string) func(string) error {
	return func(value string) error {
		*to = append(*to, value)
		return nil
	}
}

// complete sets the cloud and the operator's own credential, which it has only for
// namespaces that it serves.
func (a *azure) complete(options *reconcile.Options) error {
	base, known := clouds[a.cloud]
	if !known {
		return fmt.Errorf("--cloud: found %q, expected one of %s", a.cloud, names(clouds))
	}
	standard := base.Services[cloud.ResourceManager]
	options.Cloud = cloud.Configuration{
		ActiveDirectoryAuthorityHost: cmp.Or(a.authority, base.ActiveDirectoryAuthorityHost),
		Services: map[cloud.ServiceName]cloud.ServiceConfiguration{cloud.ResourceManager: {
			Endpoint: cmp.Or(a.endpoint, standard.Endpoint),
			Audience: cmp.Or(a.audience, standard.Audience),
		}},
	}
	endpoint, err := url.Parse(options.Cloud.Services[cloud.ResourceManager].Endpoint)
	if err != nil || endpoint.Host == "" || endpoint.Scheme != "https" && endpoint.Scheme != "http" {
		return fmt.Errorf("--arm-endpoint: found %q, expected a URL such as %s", a.endpoint, standard.Endpoint)
	}
	if authority, err := url.Parse(options.Cloud.ActiveDirectoryAuthorityHost); err != nil || authority.Host == "" ||
		authority.Scheme != "https" {
		return fmt.Errorf("--authority: found %q, expected a URL such as %s", a.authority, base.ActiveDirectoryAuthorityHost)
	}
	newCredential, known := identities[a.credential]
	if !known {
		return fmt.Errorf("--credential: found %q, expected one of %s", a.credential, names(identities))
	}
	if a.credential == ownIsNone && len(options.CredentialNamespaces) > 0 {
		return fmt.Errorf("--credential=%s: found --credential-namespace=%s, expected none: namespaces have their own credential alone",
			ownIsNone, options.CredentialNamespaces[0])
	}
	if a.caFile != "" {
		if options.Transport, err = client.NewTransport(a.caFile); err != nil {
			return fmt.Errorf("--ca-file: %w", err)
		}
	}
	if endpoint.Scheme == "http" {
		options.InsecureHTTP = true
		if a.credential != ownIsNone {
			options.Credential = standIn{}
		}
		options.NewCredential = func(reconcile.CredentialSource) (azcore.TokenCredential, error) { return standIn{}, nil }
		return nil
	}
	options.NewCredential = func(s reconcile.CredentialSource) (azcore.TokenCredential, error) {
		s.Transport = options.Transport
		return credentials.New(s)
	}
	if len(options.CredentialNamespaces) == 0 {
		return nil
	}
	if options.Credential, err = newCredential(policy.ClientOptions{Cloud: options.Cloud, Transport: options.Transport}); err != nil {
		return fmt.Errorf("--credential=%s, for --credential-namespace: %w; %s", a.credential, err, credentialHints[a.credential])
	}
	return nil
}

// credentialHints say what to do if there is no such credential.
var credentialHints = map[string]string{
	"workload-identity": "annotate the operator's ServiceAccount with azure.workload.identity/client-id and see that the webhook of " +
		"workload identity runs, or choose another credential",
	"managed-identity": "choose another credential where there is none",
}

// standIn is the credential for a stand-in of ARM. What goes over plain HTTP has
// nothing secret.
type standIn struct{}

func (standIn) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: "stand-in", ExpiresOn: time.Now().Add(time.Hour)}, nil
}
