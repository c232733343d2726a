package reconcile

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	corev1 "k8s.io/api/core/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
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
		if _, err := NewCredential(content, cloud.AzurePublic, row.trusted); (err == nil) != row.ok {
			t.Errorf("%s: got the error %v", row.reason, err)
		}
	}
	t.Run("the authority of a private cloud is asked itself, and not Azure's about it", func(t *testing.T) {
		authority, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer authority.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		asked := make(chan bool, 1)
		go func() {
			if c, err := authority.Accept(); err == nil {
				c.Close()
				asked <- true
			}
			cancel()
		}()
		content := map[string][]byte{TenantKey: []byte(id), ClientKey: []byte(id), ClientSecretKey: []byte("s")}
		c, err := NewCredential(content, cloud.Configuration{
			ActiveDirectoryAuthorityHost: "https://" + authority.Addr().String() + "/"}, false)
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

// TestKept writes Secrets with credentials, whose tokens and limits are kept as long as
// they are still true.
func TestKept(t *testing.T) {
	content := func(client, secret string) map[string]string {
		return map[string]string{TenantKey: "t", ClientKey: client, ClientSecretKey: secret}
	}
	made := 0
	newWorld := func(t *testing.T) *world {
		w := newWorld(t, armtest.Behavior{})
		inner := w.options.NewCredential
		w.options.NewCredential = func(c map[string][]byte, at cloud.Configuration, trusted bool) (azcore.TokenCredential, error) {
			made++
			return inner(c, at, trusted)
		}
		w.start()
		made = 0
		return w
	}
	t.Run("a write that changes nothing of the credential makes none anew", func(t *testing.T) {
		w := newWorld(t)
		w.secret(CredentialSecret, content("c", "canary"))
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, CredentialSecret, func(s *corev1.Secret) { s.Labels = map[string]string{"a": "b"} })
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.has("changed", houseID, `{"rooms":4}`)
		if made != 1 {
			t.Errorf("%d credentials were made", made)
		}
		w.secret(CredentialSecret, content("c", "canary-2"))
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(5)) })
		w.pass(time.Minute)
		w.has("changed again", houseID, `{"rooms":5}`)
		if made != 2 {
			t.Errorf("%d credentials were made after a change", made)
		}
	})
	t.Run("a pause is of the principal, whichever Secret it is in, and however often that is written", func(t *testing.T) {
		w := newWorld(t)
		make := func(name, secret string) {
			h := newHouse(name, 3)
			h.Annotations = map[string]string{annotation.CredentialFrom: secret}
			w.create(h)
			w.pass(time.Second)
		}
		w.secret("a", content("c", "canary"))
		w.secret("b", content("C\n", "canary"))
		w.secret("other", content("d", "canary"))
		w.overloaded, w.limit = "houses/first", true
		make("first", "a")
		w.overloaded = ""
		edit(w, "a", func(s *corev1.Secret) { s.Labels = map[string]string{"a": "b"} })
		make("second", "a")
		make("same", "b")
		make("other", "other")
		for name, want := range map[string]string{
			"first": "False Throttled", "second": "False Throttled", "same": "False Throttled", "other": "True Succeeded",
		} {
			w.expect(name, get[homes.House](w, name), want)
		}
		w.pass(time.Hour)
		for _, name := range []string{"first", "second", "same"} {
			w.expect(name+" in the end", get[homes.House](w, name), "True Succeeded")
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
