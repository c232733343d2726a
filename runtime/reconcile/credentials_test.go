package reconcile

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
)

// TestNewCredential checks what is made of the content of a Secret.
func TestNewCredential(t *testing.T) {
	const id = "00000000-0000-0000-0000-000000000000"
	for _, row := range []struct {
		reason  string
		content map[string]string
		trusted bool
		ok      bool
	}{
		{"a client secret", map[string]string{TenantKey: id, ClientKey: id, ClientSecretKey: "s"}, false, true},
		{"each with the end of a line, as of files and of echo", map[string]string{TenantKey: id + "\n", ClientKey: id + "\n", ClientSecretKey: "s\n"}, false, true},
		{"no tenant", map[string]string{ClientKey: id, ClientSecretKey: "s"}, false, false},
		{"an empty client", map[string]string{TenantKey: id, ClientKey: "\n", ClientSecretKey: "s"}, false, false},
		{"a certificate that is none", map[string]string{TenantKey: id, ClientKey: id, CertificateKey: "s"}, false, false},
		{"workload identity of whom the operator does not serve", map[string]string{TenantKey: id, ClientKey: id}, false, false},
	} {
		content := map[string][]byte{}
		for k, v := range row.content {
			content[k] = []byte(v)
		}
		if _, err := NewCredential(content, cloud.AzurePublic, row.trusted); (err == nil) != row.ok {
			t.Errorf("%s: got the error %v", row.reason, err)
		}
	}
}
