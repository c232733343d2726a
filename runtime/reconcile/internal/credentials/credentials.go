// Package credentials has the credentials that requests about objects are signed with:
// those in Secrets of their namespaces, and the operator's own. Its main type is
// [Store], which keeps a client of ARM for each.
package credentials

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"github.com/armature-dev/armature/runtime/arm/client"
)

// SecretName is the name of the Secret that has the credential of a namespace.
const SecretName = "armature-credential"

// The keys of a Secret with a credential. Tenant and client are needed always.
const (
	TenantKey              = "AZURE_TENANT_ID"
	ClientKey              = "AZURE_CLIENT_ID"
	ClientSecretKey        = "AZURE_CLIENT_SECRET"
	CertificateKey         = "AZURE_CLIENT_CERTIFICATE"
	CertificatePasswordKey = "AZURE_CLIENT_CERTIFICATE_PASSWORD"
	// ServiceAccountKey has the name of a ServiceAccount of the namespace, which the
	// identity in Azure trusts. It stands in place of a client secret or a certificate.
	ServiceAccountKey = "AZURE_SERVICE_ACCOUNT"
	// SubscriptionKey has the subscription of resources whose Spec names none.
	SubscriptionKey = "AZURE_SUBSCRIPTION_ID"
)

// The reasons of an [Error].
const (
	// Missing means that there is no credential for the object.
	Missing = "CredentialMissing"
	// Invalid means that a Secret has something else than a credential.
	Invalid = "CredentialInvalid"
	// SecretForbidden means that the operator has no right to a Secret.
	SecretForbidden = "SecretForbidden"
	// TokenForbidden means that the operator has no right to the tokens of a
	// ServiceAccount.
	TokenForbidden = "TokenForbidden"
	// NoToken means that the API server gives no token of a ServiceAccount now.
	NoToken = client.NoToken
)

// Error says why there is no credential, or no token.
type Error struct {
	Reason, Message string
	absent          bool // there is no such Secret
}

func (e *Error) Error() string { return e.Message }

// Stalled reports whether somebody has to change something.
func (e *Error) Stalled() bool { return e.Reason != NoToken }

// PrivateCloud reports whether a cloud has an authority that is none of Azure's own.
// Those know nothing of it, and may not be reached from there.
func PrivateCloud(at cloud.Configuration) bool {
	host := strings.TrimSuffix(at.ActiveDirectoryAuthorityHost, "/")
	for _, public := range []cloud.Configuration{{}, cloud.AzurePublic, cloud.AzureChina, cloud.AzureGovernment} {
		if host == strings.TrimSuffix(public.ActiveDirectoryAuthorityHost, "/") {
			return false
		}
	}
	return true
}

// ExchangeAudience returns the audience of the tokens of ServiceAccounts that the
// authority of a cloud exchanges.
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

// Source is what a credential is made of.
type Source struct {
	// Content is that of the Secret.
	Content map[string][]byte
	// Cloud has the authority that gives tokens.
	Cloud cloud.Configuration
	// Transport sends requests to the authority, by default over HTTPS.
	Transport azpolicy.Transporter
	// OperatorToken reports whether a Secret without a secret, and without a
	// ServiceAccount, may speak by the operator's own token of workload identity.
	OperatorToken bool
	// AccountToken returns a token of a ServiceAccount of the Secret's namespace, which
	// the authority exchanges. Its errors are of type [*Error].
	AccountToken func(ctx context.Context, name string) (string, error)
}

// text returns the value of a key. What comes of a file, or of echo, ends with the end
// of a line.
func text(content map[string][]byte, key string) string {
	return strings.TrimSpace(string(content[key]))
}

// New makes a credential with azidentity: of a client secret, of a certificate, or by
// workload identity, without a secret. Then the token is that of a ServiceAccount of
// the namespace, or the operator's own, for which the Secret could name any application
// that trusts the operator.
func New(s Source) (azcore.TokenCredential, error) {
	value := func(key string) string { return text(s.Content, key) }
	options := azpolicy.ClientOptions{Cloud: s.Cloud, Transport: s.Transport}
	private := PrivateCloud(s.Cloud)
	for _, key := range []string{TenantKey, ClientKey} {
		if value(key) == "" {
			return nil, fmt.Errorf("found the keys %q, expected %s too", slices.Sorted(maps.Keys(s.Content)), key)
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

// account exchanges the tokens of a ServiceAccount for those of ARM. It keeps the latter
// until shortly before their end, and asks for one of the former each time that it needs
// one, as they are for that alone.
type account struct {
	*azidentity.ClientAssertionCredential
}

// refusalKey has, in a context, where the error of the API server goes. azidentity makes
// a text of it.
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
