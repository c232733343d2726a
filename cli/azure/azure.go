// Package azure is what the commands share that ask Azure's Resource Manager (ARM): where it is, and with whose
// credential. Its main type is [Flags].
package azure

import (
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/runtime/arm/client"
)

// Flags say where ARM is.
type Flags struct{ endpoint, caFile string }

// AddTo gives the flags to a command.
func (f *Flags) AddTo(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.endpoint, "arm-endpoint", "",
		"URL of ARM, by default that of the public cloud; with http it is a stand-in, which gets no credential")
	flags.StringVar(&f.caFile, "ca-file", "",
		"file with certificate authorities of ARM or of a proxy, in PEM, which are trusted beside those of the system")
}

// Access is how a user reaches ARM.
type Access struct {
	Cloud     cloud.Configuration
	Transport policy.Transporter
	// Credential is that of the Azure CLI, or what the environment says. It is nil for a stand-in.
	Credential azcore.TokenCredential
}

// IsStandIn reports whether the flags lead to a stand-in for ARM.
func (f *Flags) IsStandIn() bool { return strings.HasPrefix(f.endpoint, "http:") }

// Access returns how to reach ARM.
func (f *Flags) Access() (*Access, error) {
	transport, err := client.NewTransport(f.caFile)
	if err != nil {
		return nil, fmt.Errorf("--ca-file: %w", err)
	}
	a := &Access{Cloud: cloud.AzurePublic, Transport: transport}
	if f.endpoint != "" {
		a.Cloud.Services = map[cloud.ServiceName]cloud.ServiceConfiguration{cloud.ResourceManager: {
			Endpoint: f.endpoint, Audience: cloud.AzurePublic.Services[cloud.ResourceManager].Audience}}
	}
	if f.IsStandIn() {
		return a, nil
	}
	a.Credential, err = azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{
		ClientOptions: policy.ClientOptions{Transport: transport}})
	return a, err
}

// Client returns a client of ARM.
func (f *Flags) Client() (*client.Client, error) {
	a, err := f.Access()
	if err != nil {
		return nil, err
	}
	return client.New(client.Options{Cloud: a.Cloud, Transport: a.Transport, Credential: a.Credential})
}

// Login is what to do without a credential.
const Login = "log in with az login, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET"

// WithoutToken says what to do if an error is that there is no credential.
func WithoutToken(err error) error {
	if e, ok := client.AsError(err); ok && e.Code == client.NoToken {
		return fmt.Errorf("there is no credential that Azure takes: %s; tried: %s", Login, e.Message)
	}
	return err
}
