// Package credentials provides the credentials that sign the requests about an object: those in Secrets of
// its namespace, and the operator's own. Its main type is [Store], which keeps an ARM client for each
// credential.
package credentials

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"github.com/armature-dev/armature/runtime/arm/client"
)

// SecretName is the name of the Secret that has the credential of a namespace.
const SecretName = "armature-credential"

// The keys of a Secret with a credential. Tenant and client are always needed.
const (
	TenantKey              = "AZURE_TENANT_ID"
	ClientKey              = "AZURE_CLIENT_ID"
	ClientSecretKey        = "AZURE_CLIENT_SECRET"
	CertificateKey         = "AZURE_CLIENT_CERTIFICATE"
	CertificatePasswordKey = "AZURE_CLIENT_CERTIFICATE_PASSWORD"
	// ServiceAccountKey holds the name of a ServiceAccount of the namespace that the identity in Azure
	// trusts. It replaces a client secret or a certificate.
	ServiceAccountKey = "AZURE_SERVICE_ACCOUNT"
	// SubscriptionKey holds the subscription of resources whose Spec names none.
	SubscriptionKey = "AZURE_SUBSCRIPTION_ID"
)

// The reasons of an [Error].
const (
	// Missing means that there is no credential for the object.
	Missing = "CredentialMissing"
	// Invalid means that a Secret holds something other than a credential.
	Invalid = "CredentialInvalid"
	// SecretForbidden means that the operator has no right to a Secret.
	SecretForbidden = "SecretForbidden"
	// TokenForbidden means that the operator has no right to the tokens of a
	// ServiceAccount.
	TokenForbidden = "TokenForbidden"
	// NoToken means that the API server issues no token of a ServiceAccount now.
	NoToken = client.NoToken
)

// Error says why there is no credential, or no token.
type Error struct {
	Reason, Message string
	absent          bool // there is no such Secret
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Stalled reports whether somebody has to change something.
func (e *Error) Stalled() bool { return e.Reason != NoToken }

// PrivateCloud reports whether the authority of a cloud is not one of Azure's own. Azure's authorities do
// not know such a cloud, and may not be reachable from it.
func PrivateCloud(at cloud.Configuration) bool {
	host := strings.TrimSuffix(at.ActiveDirectoryAuthorityHost, "/")
	for _, public := range []cloud.Configuration{{}, cloud.AzurePublic, cloud.AzureChina, cloud.AzureGovernment} {
		if host == strings.TrimSuffix(public.ActiveDirectoryAuthorityHost, "/") {
			return false
		}
	}
	return true
}

// ExchangeAudience returns the audience that a ServiceAccount token needs so that the authority of a cloud
// exchanges it.
func ExchangeAudience(at cloud.Configuration) string {
	const public = "api://AzureADTokenExchange"
	switch strings.TrimSuffix(at.ActiveDirectoryAuthorityHost, "/") {
	case strings.TrimSuffix(cloud.AzureChina.ActiveDirectoryAuthorityHost, "/"):
		return public + "China"
	case strings.TrimSuffix(cloud.AzureGovernment.ActiveDirectoryAuthorityHost, "/"):
		return public + "USGov"
	}
	return public
}

// Source is what a credential is made from.
type Source struct {
	// Content is the content of the Secret.
	Content map[string][]byte
	// Cloud has the authority that gives tokens.
	Cloud cloud.Configuration
	// Transport sends requests to the authority, by default over HTTPS.
	Transport azpolicy.Transporter
	// OperatorToken reports whether a Secret without a client secret, a certificate or a ServiceAccount may
	// use the operator's own token for workload identity.
	OperatorToken bool
	// AccountToken returns a token of a ServiceAccount of the Secret's namespace, which
	// the authority exchanges. Its errors are of type [*Error].
	AccountToken func(ctx context.Context, name string) (string, error)
}

// text returns the value of a key without white space around it: a value from a file, or from echo, ends
// with a newline.
func text(content map[string][]byte, key string) string {
	return strings.TrimSpace(string(content[key]))
}

// New makes a credential with azidentity: from a client secret, from a certificate, or, without a secret,
// by workload identity. Workload identity uses the token of a ServiceAccount of the namespace, or the
// operator's own, with which the Secret could name any application that trusts the operator.
func New(s Source) (azcore.TokenCredential, error) {
	value := func(key string) string { return text(s.Content, key) }
	options := azpolicy.ClientOptions{Cloud: s.Cloud, Transport: s.Transport}
	private := PrivateCloud(s.Cloud)
	for _, key := range []string{TenantKey, ClientKey} {
		if value(key) == "" {
			return nil, fmt.Errorf("found no key %s, or nothing under it", key) // who may not read the Secret does not learn its keys
		}
	}
	switch account := value(ServiceAccountKey); {
	case account != "" && value(ClientSecretKey)+value(CertificateKey) != "":
		return nil, fmt.Errorf("found %s and a secret, expected one of them", ServiceAccountKey)
	case account != "":
		return newAccount(value(TenantKey), value(ClientKey), func(ctx context.Context) (string, error) {
			return s.AccountToken(ctx, account)
		}, &azidentity.ClientAssertionCredentialOptions{ClientOptions: options, DisableInstanceDiscovery: private})
	case value(ClientSecretKey) != "":
		return azidentity.NewClientSecretCredential(value(TenantKey), value(ClientKey), value(ClientSecretKey),
			&azidentity.ClientSecretCredentialOptions{ClientOptions: options, DisableInstanceDiscovery: private})
	case value(CertificateKey) != "":
		certificates, key, err := azidentity.ParseCertificates(s.Content[CertificateKey], s.Content[CertificatePasswordKey])
		if err != nil {
			return nil, fmt.Errorf("%s: found no certificate with its key in PEM or PKCS #12", CertificateKey)
		}
		return azidentity.NewClientCertificateCredential(value(TenantKey), value(ClientKey), certificates, key,
			&azidentity.ClientCertificateCredentialOptions{ClientOptions: options, DisableInstanceDiscovery: private})
	case !s.OperatorToken:
		return nil, fmt.Errorf("found neither %s, %s nor %s: workload identity with the operator's own token is for the "+
			"namespaces of --workload-identity-namespace", ServiceAccountKey, ClientSecretKey, CertificateKey)
	}
	return azidentity.NewWorkloadIdentityCredential(&azidentity.WorkloadIdentityCredentialOptions{
		ClientOptions: options, DisableInstanceDiscovery: private, TenantID: value(TenantKey), ClientID: value(ClientKey),
		TokenFilePath: os.Getenv("AZURE_FEDERATED_TOKEN_FILE")})
}

// account exchanges tokens of a ServiceAccount for tokens of ARM. It keeps an ARM token until shortly
// before it expires, and requests a new ServiceAccount token for each exchange, which is their only use.
type account struct {
	*azidentity.ClientAssertionCredential
}

// refusalKey is the context key of a pointer to the variable for the API server's error, because azidentity
// turns that error into text.
type refusalKey struct{}

func newAccount(tenant, application string, token func(context.Context) (string, error),
	options *azidentity.ClientAssertionCredentialOptions) (azcore.TokenCredential, error) {
	c, err := azidentity.NewClientAssertionCredential(tenant, application, func(ctx context.Context) (string, error) {
		t, err := token(ctx)
		if to, ok := ctx.Value(refusalKey{}).(*error); ok {
			*to = err
		}
		return t, err
	}, options)
	return account{c}, err
}

// GetToken returns a token of ARM.
func (a account) GetToken(ctx context.Context, options azpolicy.TokenRequestOptions) (azcore.AccessToken, error) {
	var refusal error
	t, err := a.ClientAssertionCredential.GetToken(context.WithValue(ctx, refusalKey{}, &refusal), options)
	if err != nil && refusal != nil {
		err = refusal
	}
	return t, err
}
