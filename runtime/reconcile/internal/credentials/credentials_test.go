package credentials

import (
	"context"
	"net"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// TestNew checks which credential the content of a Secret gives.
func TestNew(t *testing.T) {
	const id = "00000000-0000-0000-0000-000000000000"
	for _, row := range []struct {
		reason  string
		content map[string]string
		trusted bool
		ok      bool
	}{
		{"a client secret", map[string]string{TenantKey: id, ClientKey: id, ClientSecretKey: "s"}, false, true},
		{"each with the end of a line, as of files and of echo",
			map[string]string{TenantKey: id + "\n", ClientKey: id + "\n", ClientSecretKey: "s\n"}, false, true},
		{"no tenant", map[string]string{ClientKey: id, ClientSecretKey: "s"}, false, false},
		{"an empty client", map[string]string{TenantKey: id, ClientKey: "\n", ClientSecretKey: "s"}, false, false},
		{"a certificate that is none", map[string]string{TenantKey: id, ClientKey: id, CertificateKey: "s"}, false, false},
		{"workload identity of whom the operator does not serve", map[string]string{TenantKey: id, ClientKey: id}, false, false},
	} {
		content := map[string][]byte{}
		for k, v := range row.content {
			content[k] = []byte(v)
		}
		if _, err := New(Source{Content: content, Cloud: cloud.AzurePublic, OperatorToken: row.trusted}); (err == nil) != row.ok {
			t.Errorf("%s: got the error %v", row.reason, err)
		}
	}
	t.Run("the authority of a private cloud is asked itself, and not Azure's about it", func(t *testing.T) {
		authority, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer authority.Close()
		ctx, cancel := context.WithCancel(t.Context())
		asked := make(chan bool, 1)
		go func() {
			if c, err := authority.Accept(); err == nil {
				c.Close()
				asked <- true
			}
			cancel()
		}()
		content := map[string][]byte{TenantKey: []byte(id), ClientKey: []byte(id), ClientSecretKey: []byte("s")}
		c, err := New(Source{Content: content, Cloud: cloud.Configuration{
			ActiveDirectoryAuthorityHost: "https://" + authority.Addr().String() + "/"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.GetToken(ctx, azpolicy.TokenRequestOptions{Scopes: []string{"https://arm.example/.default"}})
		select {
		case <-asked:
		default:
			t.Errorf("it was not asked: %v", err)
		}
	})
}

func TestPrivateCloud(t *testing.T) {
	for host, want := range map[string]bool{
		"": false, "https://login.microsoftonline.com/": false, "https://login.microsoftonline.com": false,
		"https://login.chinacloudapi.cn/":   false,
		"https://login.microsoftonline.us/": false, "https://login.local/": true,
	} {
		if PrivateCloud(cloud.Configuration{ActiveDirectoryAuthorityHost: host}) != want {
			t.Errorf("%q: want %v", host, want)
		}
	}
}
