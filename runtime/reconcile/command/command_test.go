package command

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/reconcile/command/commandtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

func TestFlags(t *testing.T) {
	t.Setenv("KUBECONFIG", "")
	empty := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"--namespace=system", "more"}, `there are arguments that are no flags: ["more"]`},
		{[]string{"--refresh=x"}, `invalid value "x" for flag --refresh: parse error; --help lists the flags`},
		{[]string{"--refesh=1h"}, "flag provided but not defined: --refesh; --help lists the flags"},
		{[]string{"--namespace=system", "--refresh=0"}, "--refresh: found 0s, expected more than zero"},
		{nil, "--namespace is not set, and this is no pod, whose namespace it would be: name the operator's own, such as"},
		{[]string{"--namespace=system", "--kubeconfig="}, "there is no cluster: this is no pod, and neither"},
		{[]string{"--namespace=system", "--cloud=privat"}, `--cloud: found "privat", expected one of china, government, public`},
		{[]string{"--namespace=system", "--arm-endpoint=management.azure.com"}, "expected a URL such as https://management.azure.com"},
		{[]string{"--namespace=system", "--authority=login.local"},
			`--authority: found "login.local", expected a URL such as https://login.microsoftonline.com/`},
		{[]string{"--namespace=system", "--ca-file=absent"}, "--ca-file: open absent: no such file"},
		{[]string{"--namespace=system", "--ca-file=" + empty}, "--ca-file: " + empty + ": found no certificate in PEM"},
		{[]string{"--namespace=system", "--credential=password"}, "expected one of managed-identity, own, workload-identity"},
		{[]string{"--namespace=system", "--credential-namespace=a"},
			"; annotate the operator's ServiceAccount with azure.workload.identity/client-id"},
		{[]string{"--namespace=system", "--credential=own", "--credential-namespace=a"},
			"--credential=own: found --credential-namespace=a, expected none"},
		{[]string{"--namespace=system", "--kubeconfig=absent"}, "--kubeconfig: stat absent: no such file"},
		{[]string{"--namespace=system", "--workers=0"}, "--workers and --api-requests-per-second: found 0 and 100"},
		{[]string{"--namespace=system", "--lease-duration=1s"}, "--lease-duration: found 1s, expected 5s or more"},
		{[]string{"--namespace=system", "--metrics-cert-dir=a"}, "--metrics-cert-dir: found a folder without --metrics-secure"},
		{[]string{"--namespace=system", "--namespaces=a,"}, `--namespaces: found ""`},
		{[]string{"--selector=a b"}, "invalid value"},
		{[]string{"--namespace=system", "--webhook-keys=A b"}, `--webhook-keys: found "A b", expected the name of a Secret`},
		{[]string{"--namespace=system", "--instance=A b"}, `--instance: found "A b"`},
		{[]string{"--help"}, flag.ErrHelp.Error()},
	} {
		var printed strings.Builder
		err := Run(t.Context(), test.arguments, &printed)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want one line with %s", test.arguments, err, test.want)
		}
		if asked := errors.Is(err, flag.ErrHelp); asked != (printed.Len() > 0) {
			t.Errorf("%q: the help hides the error:\n%s", test.arguments, &printed)
		}
	}
	broken := func(*runtime.Scheme) error { return errors.New("no such group") }
	if err := Run(t.Context(), []string{"--namespace=system"}, io.Discard, broken); err == nil || err.Error() != "no such group" {
		t.Error(err)
	}
}

// TestHelp checks that the help and docs/operator-flags.md have every flag, and that what
// users need of the library's options is one.
func TestHelp(t *testing.T) {
	var help strings.Builder
	if _, err := parse([]string{"--help"}, &help); !errors.Is(err, flag.ErrHelp) {
		t.Fatal(err)
	}
	var all []string
	for _, found := range regexp.MustCompile(`(?m)^  --([a-z-]+)`).FindAllStringSubmatch(help.String(), -1) {
		all = append(all, found[1])
	}
	t.Run("it has each flag once", func(t *testing.T) {
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		newSettings(flags)
		var want []string
		flags.VisitAll(func(f *flag.Flag) { want = append(want, f.Name) })
		if got := slices.Sorted(slices.Values(all)); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("docs/operator-flags.md has the same", func(t *testing.T) {
		docs, err := os.ReadFile("../../../docs/operator-flags.md")
		if err != nil {
			t.Fatal(err)
		}
		_, table, _ := strings.Cut(string(docs), "\n| flag | |\n")
		table, _, _ = strings.Cut(table, "\n\n")
		told := map[string]bool{}
		for row := range strings.Lines(table) {
			first, _, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
			for _, found := range regexp.MustCompile("`--([a-z-]+)`").FindAllStringSubmatch(first, -1) {
				told[found[1]] = true
			}
		}
		if got := slices.Sorted(maps.Keys(told)); !slices.Equal(got, slices.Sorted(slices.Values(all))) {
			t.Errorf("the table of flags has %q, the help has %q", got, all)
		}
	})
	t.Run("each option of the library is a flag, or is set for a reason", func(t *testing.T) {
		flags := map[string]string{
			"Namespace": "namespace", "Credential": "credential", "CredentialNamespaces": "credential-namespace",
			"WorkloadIdentityNamespaces": "workload-identity-namespace", "ExchangeAudience": "exchange-audience",
			"Subscription": "subscription", "Cloud": "cloud", "Instance": "instance",
			"ManagedNamespaces": "namespaces", "ManagedSelector": "selector",
			"Allow": "leader-elect", "Refresh": "refresh", "Drift": "drift",
			"Adopt": "adopt", "Deletion": "deletion", "Workers": "workers", "Tracing": "otlp-endpoint",
			"InsecureHTTP": "arm-endpoint", "Rights": "health-address", "Transport": "ca-file",
		}
		reasons := map[string]string{
			"Kinds": "the groups of the binary, and what the cluster serves of them", "KeySecret": "one name, which the role has too",
			"NewCredential": "for programs and tests", "Outage": "how long ARM fails, and nobody's choice",
			"RequestTimeout": "ARM gives its services a minute",
			"Metrics":        "for programs and tests", "Now": "likewise",
		}
		for field := range reflect.TypeFor[reconcile.Options]().Fields() {
			if name, found := flags[field.Name]; found != (reasons[field.Name] == "") || found && !slices.Contains(all, name) {
				t.Errorf("Options.%s: want a flag, or a reason why there is none", field.Name)
			}
		}
	})
}

// TestRun runs the operator with an API server that serves no kind. The lease that it asks
// for has its name.
func TestRun(t *testing.T) {
	leases := make(chan string, 100)
	kubeconfig := commandtest.Kubeconfig(t, func(r *http.Request) {
		if strings.Contains(r.URL.Path, "/leases/") {
			select {
			case leases <- r.URL.Path:
			default:
			}
		}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	health := listener.Addr().String()
	listener.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, []string{"--kubeconfig=" + kubeconfig, "--namespace=system", "--instance=team-a",
			"--metrics-address=0", "--health-address=" + health},
			io.Discard, func(s *runtime.Scheme) error { homes.AddToScheme(s); return nil })
	}()
	await.Until(t, "it is ready", func() error {
		select {
		case err := <-ended:
			t.Fatalf("it ended: %v", err)
		default:
		}
		response, err := http.Get("http://" + health + "/readyz")
		if err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK {
			err = errors.New(response.Status)
		}
		return errors.Join(err, response.Body.Close())
	})
	if got, want := <-leases, "/apis/coordination.k8s.io/v1/namespaces/system/leases/team-a"; got != want {
		t.Errorf("it asked for %s, want %s", got, want)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestCloud(t *testing.T) {
	for _, test := range []struct {
		arguments                     []string
		endpoint, audience, authority string
	}{
		{nil, "https://management.azure.com", "https://management.core.windows.net/", "https://login.microsoftonline.com/"},
		{[]string{"--cloud=china"}, "https://management.chinacloudapi.cn", "https://management.core.chinacloudapi.cn/",
			"https://login.chinacloudapi.cn/"},
		{[]string{"--arm-endpoint=https://arm.local", "--arm-audience=https://audience", "--authority=https://login.local/"},
			"https://arm.local", "https://audience", "https://login.local/"},
	} {
		s, err := parse(append(test.arguments, "--namespace=system"), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		at := s.options.Cloud.Services[cloud.ResourceManager]
		if at.Endpoint != test.endpoint || at.Audience != test.audience || s.options.Cloud.ActiveDirectoryAuthorityHost != test.authority {
			t.Errorf("%q: got %+v", test.arguments, s.options.Cloud)
		}
	}
}

func TestCredential(t *testing.T) {
	t.Run("the operator has none unless it serves a namespace", func(t *testing.T) {
		s, err := parse([]string{"--namespace=system"}, io.Discard)
		if err != nil || s.options.Credential != nil {
			t.Errorf("got %T, %v", s.options.Credential, err)
		}
		t.Setenv("AZURE_TENANT_ID", "00000000-0000-0000-0000-000000000000")
		t.Setenv("AZURE_CLIENT_ID", "00000000-0000-0000-0000-000000000000")
		t.Setenv("AZURE_FEDERATED_TOKEN_FILE", "token")
		s, err = parse([]string{"--namespace=system", "--credential-namespace=a", "--credential-namespace=b"}, io.Discard)
		if err != nil || s.options.Credential == nil || strings.Join(s.options.CredentialNamespaces, " ") != "a b" {
			t.Errorf("got %T for %q, %v", s.options.Credential, s.options.CredentialNamespaces, err)
		}
	})
	t.Run("with own it has none, and the lists are apart", func(t *testing.T) {
		for _, arm := range []string{"https://arm.local", "http://127.0.0.1:1"} {
			s, err := parse([]string{"--namespace=system", "--credential=own", "--workload-identity-namespace=a",
				"--arm-endpoint=" + arm}, io.Discard)
			if err != nil || s.options.Credential != nil || len(s.options.CredentialNamespaces) > 0 ||
				!slices.Equal(s.options.WorkloadIdentityNamespaces, []string{"a"}) {
				t.Errorf("got %T for %q and %q, %v", s.options.Credential, s.options.CredentialNamespaces,
					s.options.WorkloadIdentityNamespaces, err)
			}
		}
	})
	t.Run("nothing secret goes over HTTP", func(t *testing.T) {
		s, err := parse([]string{"--namespace=system", "--credential-namespace=*", "--arm-endpoint=http://127.0.0.1:1"}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := s.options.NewCredential(reconcile.CredentialSource{
			Content: map[string][]byte{"AZURE_CLIENT_SECRET": []byte("canary")}, Cloud: s.options.Cloud})
		if err != nil {
			t.Fatal(err)
		}
		for _, credential := range []any{s.options.Credential, theirs} {
			if credential != any(standIn{}) {
				t.Errorf("got %T", credential)
			}
		}
	})
}

// TestCAFile has a cloud whose certificate nobody but the file knows.
func TestCAFile(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/openid-configuration") {
			fmt.Fprintf(w, `{"issuer": "https://%[1]s/t", "authorization_endpoint": "https://%[1]s/t/a", "token_endpoint": "https://%[1]s/t/token"}`,
				r.Host)
			return
		}
		io.WriteString(w, `{"token_type": "Bearer", "expires_in": 3600, "access_token": "token"}`)
	}))
	defer server.Close()
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	folder := t.TempDir()
	caFile, token := filepath.Join(folder, "ca.crt"), filepath.Join(folder, "token")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := errors.Join(os.WriteFile(caFile, text, 0o600), os.WriteFile(token, []byte("a"), 0o600)); err != nil {
		t.Fatal(err)
	}
	const id = "00000000-0000-0000-0000-000000000000"
	t.Setenv("AZURE_TENANT_ID", id)
	t.Setenv("AZURE_CLIENT_ID", id)
	t.Setenv("AZURE_FEDERATED_TOKEN_FILE", token)
	for _, test := range []struct {
		behaviour string
		arguments []string
		trusted   bool
	}{
		{"without it the cloud is not trusted", nil, false},
		{"with it ARM and the authority are", []string{"--ca-file=" + caFile}, true},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			s, err := parse(append(test.arguments, "--namespace=system", "--credential-namespace=a",
				"--arm-endpoint="+server.URL, "--authority="+server.URL), io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := s.options.NewCredential(reconcile.CredentialSource{Cloud: s.options.Cloud, Content: map[string][]byte{
				reconcile.TenantKey: []byte(id), reconcile.ClientKey: []byte(id), reconcile.ClientSecretKey: []byte("secret")}})
			if err != nil {
				t.Fatal(err)
			}
			for whose, credential := range map[string]azcore.TokenCredential{"own": s.options.Credential, "namespace's": theirs} {
				once := policy.WithRetryOptions(t.Context(), policy.RetryOptions{MaxRetries: -1})
				_, err := credential.GetToken(once, policy.TokenRequestOptions{Scopes: []string{"https://arm/.default"}})
				checkTrust(t, "the authority, with the "+whose+" credential", err, test.trusted)
			}
			arm, err := client.New(client.Options{Cloud: s.options.Cloud, Credential: standIn{}, Transport: s.options.Transport})
			if err != nil {
				t.Fatal(err)
			}
			_, err = arm.Get(t.Context(), client.Request{ID: "/subscriptions/" + id + "/resourceGroups/a", APIVersion: "2021-04-01"})
			checkTrust(t, "ARM", err, test.trusted)
		})
	}
}

// checkTrust checks whether a request has failed for want of an authority.
func checkTrust(t *testing.T, whom string, err error, trusted bool) {
	t.Helper()
	if unknown := err != nil && strings.Contains(err.Error(), "certificate signed by unknown authority"); unknown == trusted {
		t.Errorf("%s: %v", whom, err)
	}
}

// TestAuthorities checks that the program trusts the public authorities where there
// are no files, as in its image.
func TestAuthorities(t *testing.T) {
	if os.Getenv("ARMATURE_TEST_NO_FILES") != "" {
		pool, err := x509.SystemCertPool()
		if err != nil || pool.Equal(x509.NewCertPool()) {
			t.Errorf("there are no authorities: %v", err)
		}
		return
	}
	c := exec.Command(os.Args[0], "-test.run=^TestAuthorities$")
	c.Env = []string{"ARMATURE_TEST_NO_FILES=1", "SSL_CERT_FILE=/nowhere", "SSL_CERT_DIR=/nowhere"}
	if text, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, text)
	}
}
