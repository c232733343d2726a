package importing

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	authorization "github.com/armature-dev/armature/apis/authorization/scheme"
	cache "github.com/armature-dev/armature/apis/cache/scheme"
	depot "github.com/armature-dev/armature/apis/depot/scheme"
	keyvault "github.com/armature-dev/armature/apis/keyvault/scheme"
	managedidentity "github.com/armature-dev/armature/apis/managedidentity/scheme"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/cli/program/programtest"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reference"
	"k8s.io/apimachinery/pkg/runtime"
)

const shop = "/subscriptions/s/resourceGroups/shop"

// newAzure is a stand-in for ARM with some resources.
func newAzure(t *testing.T) string {
	t.Helper()
	const redis = shop + "/providers/Microsoft.Cache/redis/"
	const sku = `"sku": {"name": "Premium", "family": "P", "capacity": 1}`
	return standInFor(t, "cache", "2020-12-01", [][2]string{
		{redis + "Sessions_1", `{"location": "westeurope", "properties": {` + sku + `}}`},
		{redis + "a", `{"location": "westeurope", "properties": {` + sku + `}}`},
		{redis + "b", `{"location": "westeurope", "properties": {` + sku + `}}`},
		{redis + "c", `{"location": "westeurope", "properties": {` + sku + `}}`},
		{redis + "a/firewallRules/office", `{"properties": {"startIP": "10.0.0.1", "endIP": "10.0.0.2"}}`},
		{redis + "b/firewallRules/office", `{"properties": {"startIP": "10.0.0.1", "endIP": "10.0.0.2"}}`},
		{redis + "a/linkedServers/b", `{"properties": {"linkedRedisCacheId": "` + redis +
			`b", "linkedRedisCacheLocation": "westeurope", "serverRole": "Secondary"}}`},
	})
}

// standInFor starts a stand-in for ARM with the specs of a group in the tree, in which
// resources are put.
func standInFor(t *testing.T, group, apiVersion string, puts [][2]string) string {
	t.Helper()
	server, err := armtest.New(os.DirFS(filepath.Join("..", "..", "apis", group, "specs")))
	if err != nil {
		t.Fatal(err)
	}
	return listen(t, server, apiVersion, puts)
}

// listen puts resources into a stand-in, and starts it.
func listen(t *testing.T, server *armtest.Server, apiVersion string, puts [][2]string) string {
	t.Helper()
	for _, put := range puts {
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest(http.MethodPut, put[0]+"?api-version="+apiVersion, strings.NewReader(put[1])))
		if w.Code != http.StatusCreated {
			t.Fatalf("%s: %s", put[0], w.Body)
		}
	}
	url, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return url
}

// importInto runs the command, and returns the files that are there then.
func importInto(t *testing.T, folder string, args ...string) (files map[string]string, printed string, err error) {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{authorization.AddToScheme, cache.AddToScheme, depot.AddToScheme,
		keyvault.AddToScheme, managedidentity.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	_, printed, err = programtest.Run(t, "", append([]string{"import", "--out=" + folder}, args...), New(scheme))
	files = map[string]string{}
	entries, readErr := os.ReadDir(folder)
	if readErr != nil {
		t.Fatal(readErr)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(text)
	}
	return files, printed, err
}

func TestImport(t *testing.T) {
	url := "--arm-endpoint=" + newAzure(t)
	t.Run("a resource group with the children of its resources", func(t *testing.T) {
		folder := t.TempDir()
		files, printed, err := importInto(t, folder, shop, "--recursive", url, "--version=2020-06-01", "--namespace=team-a")
		if err != nil {
			t.Fatal(err)
		}
		for name, wants := range map[string][]string{
			"redis-sessions-1.yaml": {"apiVersion: cache.azure.armature.dev/v20200601\n", "  azureName: Sessions_1\n",
				"    armId: " + shop + "\n",
				"    armature.dev/adopt: adopt\n  name: sessions-1\n", "  namespace: team-a\n", "    name: Premium\n"},
			"redis-a.yaml": {}, "redis-b.yaml": {}, "redis-c.yaml": {},
			"redisfirewallrule-office.yaml":   {"  owner:\n    name: a\n", "  startIP: 10.0.0.1\n"},
			"redisfirewallrule-b-office.yaml": {"  owner:\n    name: b\n", "  azureName: office\n"},
			"redislinkedserver-b.yaml": {
				"  linkedRedisCacheReference:\n    group: cache.azure.armature.dev\n    kind: Redis\n    name: b\n",
			},
		} {
			text, found := files[name]
			if !found {
				t.Errorf("there is no %s", name)
			}
			for _, want := range wants {
				if !strings.Contains(text, want) {
					t.Errorf("%s has no %q:\n%s", name, want, text)
				}
			}
			delete(files, name)
		}
		if len(files) > 0 || !strings.Contains(printed, "7/7 ") {
			t.Errorf("there are %v besides, and it said\n%s", files, printed)
		}
	})
	t.Run("it goes on where it stopped", func(t *testing.T) {
		folder := t.TempDir()
		mine := filepath.Join(folder, "redis-a.yaml")
		if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		files, printed, err := importInto(t, folder, shop, url)
		if err != nil || files["redis-a.yaml"] != "mine" || len(files) != 4 {
			t.Errorf("%v: found %v", err, files)
		}
		if want := fmt.Sprintf("%s: was there\n", mine); !strings.Contains(printed, want) {
			t.Errorf("it said\n%s", printed)
		}
	})
	t.Run("what may have secrets is only observed, and the rest is adopted", func(t *testing.T) {
		files, printed, err := importInto(t, t.TempDir(), shop+"/providers/Microsoft.Cache/redis/a", url, "--recursive")
		if err != nil {
			t.Fatal(err)
		}
		const hidden = "# ARM does not show spec.redisConfiguration.rdbStorageConnectionString: if it was set, name a Secret there"
		for name, want := range map[string]string{"redis-a.yaml": "observe", "redisfirewallrule-office.yaml": "adopt"} {
			comment, text, _ := strings.Cut(files[name], "apiVersion:")
			if !strings.Contains(text, "\nmetadata:\n  annotations:\n    armature.dev/adopt: "+want+"\n  name:") {
				t.Errorf("%s is not to %s:\n%s", name, want, files[name])
			}
			const begin = "# Nothing is sent for this (armature.dev/adopt: observe), as a PUT may lose what is named here.\n"
			is := strings.HasPrefix(comment, begin) && strings.Contains(comment, hidden) &&
				strings.HasSuffix(comment, "# Set the annotation to adopt when that is settled.\n")
			if is != (want == "observe") || is && !strings.Contains(printed, comment) || !is && comment != "" {
				t.Errorf("%s begins with\n%s", name, comment)
			}
		}
	})
	t.Run("an older version says what it cannot hold", func(t *testing.T) {
		id := shop + "/providers/Microsoft.Cache/redis/zoned"
		url := "--arm-endpoint=" + standInFor(t, "cache", "2024-11-01", [][2]string{{id, `{"location": "westeurope", "zones": ["1", "2"],
			"properties": {"sku": {"name": "Premium", "family": "P", "capacity": 1}, "redisConfiguration": {"aad-enabled": "true"}}}`}})
		const want = "# v20170201 cannot hold these values of v20241101, and a PUT at it may delete them:\n" +
			"#   spec.redisConfiguration.aadEnabled of 2024-03-01: \"true\"\n#   spec.zones of 2017-10-01: [\"1\",\"2\"]\n"
		for version, want := range map[string]string{"2017-02-01": want, "2024-11-01": "", "2019-01-01": ""} {
			files, printed, err := importInto(t, t.TempDir(), id, url, "--version="+version)
			if err != nil {
				t.Fatal(err)
			}
			comment, _, _ := strings.Cut(files["redis-zoned.yaml"], "apiVersion:")
			if !strings.Contains(comment, want) || want == "" && strings.Contains(comment, "cannot hold") {
				t.Errorf("%s: the manifest says\n%swant\n%s", version, comment, want)
			}
			if observed := strings.Contains(files["redis-zoned.yaml"], "armature.dev/adopt: observe\n"); want != "" && !observed {
				t.Errorf("%s is not only observed:\n%s", version, files["redis-zoned.yaml"])
			}
			if !strings.Contains(printed, want) {
				t.Errorf("%s: it said\n%s", version, printed)
			}
		}
	})
	t.Run("an older version of what ARM does not show at the newest one", func(t *testing.T) {
		id := shop + "/providers/Microsoft.Cache/redis/a"
		server, err := armtest.New(os.DirFS(filepath.Join("..", "..", "apis", "cache", "specs")))
		if err != nil {
			t.Fatal(err)
		}
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("api-version") == "2024-11-01" {
				http.Error(w, `{"error": {"code": "NoRegisteredProviderFound", "message": "not here"}}`, http.StatusBadRequest)
				return
			}
			server.ServeHTTP(w, r)
		}))
		defer front.Close()
		body := strings.NewReader(`{"location": "westeurope", "properties": {"sku": {"name": "Premium", "family": "P", "capacity": 1}}}`)
		server.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPut, id+"?api-version=2017-02-01", body))
		files, _, err := importInto(t, t.TempDir(), id, "--arm-endpoint="+front.URL, "--version=2017-02-01")
		const want = "# It is not known what v20170201 cannot hold of v20241101: "
		if err != nil || !strings.Contains(files["redis-a.yaml"], want) ||
			!strings.Contains(files["redis-a.yaml"], "armature.dev/adopt: observe\n") {
			t.Errorf("%v: got %v, want %s", err, files, want)
		}
	})
	t.Run("what ARM shows with another type is left out, and said", func(t *testing.T) {
		const harbour = shop + "/providers/Contoso.Depot/depots/harbour"
		for what, value := range map[string]any{
			"properties.capacity: found a string, expected an integer":                  "canary",
			"properties.capacity: found another number, expected an integer of 64 bits": 3.5,
			"properties.capacity: found an array, expected an integer":                  []any{"canary"},
		} {
			server, err := armtest.New(os.DirFS(filepath.Join("..", "..", "apis", "depot", "specs")))
			if err != nil {
				t.Fatal(err)
			}
			front := httptest.NewServer(server)
			defer front.Close()
			server.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPut, harbour+"?api-version=2018-06-01-preview",
				strings.NewReader(`{"location": "westeurope", "properties": {"capacity": 7}}`)))
			server.Misfit(harbour, "capacity", value)
			files, printed, err := importInto(t, t.TempDir(), harbour, "--arm-endpoint="+front.URL, "--version=2018-06-01-preview")
			text, want := files["depot-harbour.yaml"], "# ARM has "+what+". It is left out.\n"
			if err != nil || !strings.Contains(text, want) || !strings.Contains(text, "armature.dev/adopt: observe\n") ||
				!strings.Contains(text, "\nkind: Depot\n") ||
				strings.Contains(text, "  capacity:") || !strings.Contains(printed, want) || strings.Contains(text+printed, "canary") {
				t.Errorf("got %v, it said\n%s\nand wrote\n%s\nwant %s", err, printed, text, want)
			}
		}
	})
	t.Run("two resources of one type that have fixed names", func(t *testing.T) {
		const harbour = shop + "/providers/Contoso.Depot/depots/harbour"
		url := standInFor(t, "depot", "2018-06-01-preview", [][2]string{
			{harbour, `{"properties": {"capacity": 7}}`},
			{harbour + "/settings/alarm", `{"properties": {"phone": "112"}}`},
			{harbour + "/settings/light", `{"properties": {"lux": 300}}`},
		})
		files, printed, err := importInto(t, t.TempDir(), harbour, "--recursive", "--arm-endpoint="+url, "--version=2018-06-01-preview")
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"depot-harbour.yaml": "  capacity: 7\n", "depotalarm-alarm.yaml": "  phone: \"112\"\n",
			"depotlight-light.yaml": "  lux: 300\n"} {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s has no %q:\n%s", name, want, files[name])
			}
		}
		if len(files) != 3 {
			t.Errorf("found %v, and it said\n%s", files, printed)
		}
	})
	t.Run("what is on a management group, and at the tenant", func(t *testing.T) {
		const scope, of = "/providers/Microsoft.Management/managementGroups/m", "/providers/Microsoft.Authorization/policyAssignments/p"
		url := "--arm-endpoint=" + standInFor(t, "authorization", "2026-07-01", [][2]string{{scope + of, `{}`}, {of, `{}`}})
		for id, owner := range map[string]string{scope + of: scope, of: "/"} {
			files, printed, err := importInto(t, t.TempDir(), id, url)
			want := "spec:\n  owner:\n    armId: " + owner + "\n"
			if text := files["policyassignment-p.yaml"]; err != nil || !strings.Contains(text, want) {
				t.Errorf("%s: %v: got\n%s, want %s; it said\n%s", id, err, text, want, printed)
			}
		}
	})
	t.Run("a value that another one has comes from there", func(t *testing.T) {
		specs := t.TempDir()
		for _, group := range []string{"keyvault", "managedidentity"} {
			if err := os.CopyFS(filepath.Join(specs, group), os.DirFS(filepath.Join("..", "..", "apis", group, "specs"))); err != nil {
				t.Fatal(err)
			}
		}
		server, err := armtest.New(os.DirFS(specs))
		if err != nil {
			t.Fatal(err)
		}
		const identity = shop + "/providers/Microsoft.ManagedIdentity/userAssignedIdentities/baker"
		url := listen(t, server, "2024-11-30", [][2]string{{identity, `{"location": "westeurope"}`}})
		later := time.Now().Add(time.Minute) // Entra ID has made the principal then
		server.Behave(armtest.Behavior{Now: func() time.Time { return later }})
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, identity+"?api-version=2024-11-30", nil))
		var made struct {
			Properties struct{ PrincipalID, TenantID string }
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &made); err != nil || made.Properties.PrincipalID == "" {
			t.Fatalf("%v: %s", err, answer.Body)
		}
		const vault = shop + "/providers/Microsoft.KeyVault/vaults/flour"
		body := fmt.Sprintf(`{"location": "westeurope", "properties": {"tenantId": %q, "sku": {"family": "A", "name": "standard"},
			"accessPolicies": [{"tenantId": %[1]q, "objectId": %q, "permissions": {"secrets": ["get"]}}]}}`,
			made.Properties.TenantID, made.Properties.PrincipalID)
		answer = httptest.NewRecorder()
		server.ServeHTTP(answer, httptest.NewRequest(http.MethodPut, vault+"?api-version=2026-02-01", strings.NewReader(body)))
		if answer.Code != http.StatusCreated {
			t.Fatal(answer.Body)
		}
		const from = "  - objectIdFrom:\n      group: managedidentity.azure.armature.dev\n      kind: UserAssignedIdentity\n" +
			"      name: baker\n      output: principalId\n"
		folder := t.TempDir()
		files, printed, err := importInto(t, folder, shop, "--arm-endpoint="+url)
		text := files["vault-flour.yaml"]
		if err != nil || !strings.Contains(text, from) || strings.Contains(text, made.Properties.PrincipalID) {
			t.Errorf("%v: got\n%s\nwant %s; it said\n%s", err, text, from, printed)
		}
		if want := "  tenantId: " + made.Properties.TenantID + "\n"; !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %s: all have it", text, want)
		}
		if files, _, err := importInto(t, t.TempDir(), vault, "--arm-endpoint="+url); err != nil ||
			!strings.Contains(files["vault-flour.yaml"], "  - objectId: "+made.Properties.PrincipalID+"\n") {
			t.Errorf("%v: without the identity it is\n%v", err, files)
		}
		if err := os.Remove(filepath.Join(folder, "vault-flour.yaml")); err != nil {
			t.Fatal(err)
		}
		if files, _, err := importInto(t, folder, shop, "--arm-endpoint="+url); err != nil || files["vault-flour.yaml"] != text {
			t.Errorf("%v: it goes on with\n%s\nwant\n%s", err, files["vault-flour.yaml"], text)
		}
	})
	t.Run("a stand-in gets no credential", func(t *testing.T) {
		var requests []http.Header
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests = append(requests, r.Header)
			http.NotFound(w, r)
		}))
		defer server.Close()
		_, _, err := importInto(t, t.TempDir(), shop, "--arm-endpoint="+server.URL)
		if err == nil || len(requests) == 0 || requests[0].Get("Authorization") != "" {
			t.Errorf("%v: %d requests, want one without a token: %v", err, len(requests), requests)
		}
	})
	for _, test := range []struct{ id, flag, want string }{
		{"redis", url, "expected the ARM id of a resource or a resource group"},
		{shop + "/providers/Microsoft.Cache/redis/none", url, "was not found"},
		{"/subscriptions/s/resourceGroups/other", url, "there is nothing to import"},
	} {
		if files, _, err := importInto(t, t.TempDir(), test.id, url, test.flag); err == nil ||
			!strings.Contains(err.Error(), test.want) || len(files) > 0 {
			t.Errorf("%s: %v, want %s; wrote %v", test.id, err, test.want, files)
		}
	}
}

// behind starts a server that answers as the one at a URL, apart from what change makes of it.
func behind(t *testing.T, url string, change func(path, body string) (status int, _ string)) string {
	t.Helper()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, err := http.NewRequestWithContext(r.Context(), r.Method, url+r.URL.RequestURI(), nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		request.Host = r.Host // which the URLs of next pages have
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		status, text := change(r.URL.Path, string(body))
		w.WriteHeader(cmp.Or(status, answer.StatusCode))
		io.WriteString(w, text)
	}))
	t.Cleanup(front.Close)
	return "--arm-endpoint=" + front.URL
}

// TestImportOddAnswers imports what ARM shows otherwise than the specs say.
func TestImportOddAnswers(t *testing.T) {
	pause = time.Millisecond
	url := newAzure(t)
	const redis = shop + "/providers/Microsoft.Cache/redis/"
	t.Run("a value of an enum in another case is written in the spelling of the spec", func(t *testing.T) {
		at := behind(t, url, func(_, body string) (int, string) { return 0, strings.ReplaceAll(body, `"Secondary"`, `"secondary"`) })
		files, _, err := importInto(t, t.TempDir(), redis+"a/linkedServers/b", at)
		if text := files["redislinkedserver-b.yaml"]; err != nil || !strings.Contains(text, "  serverRole: Secondary\n") ||
			strings.Contains(text, "remainder") {
			t.Errorf("%v: got\n%s", err, text)
		}
	})
	t.Run("a value of an enum that takes others stays as ARM shows it", func(t *testing.T) {
		at := behind(t, url, func(_, body string) (int, string) { return 0, strings.ReplaceAll(body, `"Premium"`, `"premium"`) })
		files, _, err := importInto(t, t.TempDir(), redis+"a", at)
		if text := files["redis-a.yaml"]; err != nil || !strings.Contains(text, "    name: premium\n") {
			t.Errorf("%v: got\n%s", err, files)
		}
	})
	t.Run("what several lists have is looked at once", func(t *testing.T) {
		listed := map[string]int{}
		at := behind(t, url, func(path, body string) (int, string) {
			listed[path]++
			switch path {
			case shop + "/resources": // as ARM lists databases beside their servers
				return 0, strings.Replace(body, `"value":[`, `"value":[{"id":"`+redis+`a/firewallRules/office"},`, 1)
			case redis + "a/firewallRules":
				return 0, strings.Replace(body, `"value":[`, `"value":[{"id":"`+redis+`a"},`, 1)
			}
			return 0, body
		})
		files, printed, err := importInto(t, t.TempDir(), shop, at, "--recursive")
		if err != nil || len(files) != 7 || listed[redis+"a/firewallRules"] != 1 {
			t.Errorf("got %v and %d files, and listed %v:\n%s", err, len(files), listed, printed)
		}
	})
	once := map[string]bool{}
	t.Run("a credential that is refused ends it", func(t *testing.T) {
		refused := behind(t, url, func(path, body string) (int, string) {
			if path == redis+"a/firewallRules" {
				return 401, `{"error": {"code": "ExpiredAuthenticationToken", "message": "It is too old."}}`
			}
			return 0, body
		})
		files, _, err := importInto(t, t.TempDir(), shop, refused, "--recursive")
		if err == nil || errors.Is(err, program.ErrLook) || !strings.Contains(err.Error(), "It is too old.") || len(files) > 0 {
			t.Errorf("got %v, and wrote %v", err, files)
		}
	})
	for _, row := range []struct {
		what   string
		change func(path, body string) (int, string)
		files  int
		says   string
	}{
		{"a child without an id", func(path, body string) (int, string) {
			if path == redis+"a/firewallRules" {
				return 0, `{"value": [{"name": "office"}]}`
			}
			return 0, body
		}, 6, redis + "a/firewallRules: skipped what has no id that is one: \"\""},
		{"an id without its slash", func(_, body string) (int, string) {
			return 0, strings.ReplaceAll(body, `"id":"`+redis+"c", `"id":"`+redis[1:]+"c")
		}, 6, shop + `/resources: skipped what has no id that is one: "` + redis[1:] + `c"`},
		{"an error of the server for one list", func(path, body string) (int, string) {
			if path == redis+"a/firewallRules" {
				return 500, `{"error": {"code": "InternalServerError", "message": "It is broken."}}`
			}
			return 0, body
		}, 6, redis + "a/firewallRules: ARM does not list it: It is broken."},
		{"a list that is refused", func(path, body string) (int, string) {
			if path == redis+"a/firewallRules" {
				return 403, `{"error": {"code": "AuthorizationFailed", "message": "You may not."}}`
			}
			return 0, body
		}, 6, redis + "a/firewallRules: ARM does not list it: You may not."},
		{"an error of the server for one resource", func(path, body string) (int, string) {
			if path == redis+"a/firewallRules/office" {
				return 500, `{"error": {"code": "InternalServerError", "message": "It is broken."}}`
			}
			return 0, body
		}, 6, redis + "a/firewallRules/office: InternalServerError: It is broken."},
		{"an error of the server that passes", func(path, body string) (int, string) {
			if !once[path] {
				once[path] = true
				return 503, ""
			}
			return 0, body
		}, 7, ""},
	} {
		t.Run(row.what, func(t *testing.T) {
			files, printed, err := importInto(t, t.TempDir(), shop, behind(t, url, row.change), "--recursive")
			if (row.says != "") != errors.Is(err, program.ErrLook) || len(files) != row.files || !strings.Contains(printed, row.says) {
				t.Errorf("got %v and %d files, want %d and %q in\n%s", err, len(files), row.files, row.says, printed)
			}
		})
	}
}

// TestHidden looks for secrets that are not there.
func TestHidden(t *testing.T) {
	type part struct {
		Key  *reference.Secret `json:"key"`
		Name string            `json:"name"`
		Part *part             `json:"part"` // of itself
	}
	type spec struct {
		Part  *part                       `json:"part"`
		Parts []part                      `json:"parts"`
		ByKey map[string]part             `json:"byKey"`
		Keys  map[string]reference.Secret `json:"keys"`
	}
	set := &reference.Secret{Name: "n", Key: "k"}
	for behavior, row := range map[string]struct {
		of   spec
		want []string
	}{
		"a part that is absent may have only a secret, and so may a map of secrets": {
			spec{}, []string{"spec.part.key", "spec.keys"}},
		"what refers to a Secret is not hidden": {
			spec{Part: &part{Key: set}, Keys: map[string]reference.Secret{"a": *set}}, nil},
		"elements of lists and maps have secrets of their own": {
			spec{Part: &part{Key: set, Part: &part{Key: set}}, Parts: []part{{Key: set, Part: &part{Key: set}}, {Part: &part{Key: set}}},
				ByKey: map[string]part{"b": {Part: &part{Key: set}}, "a": {Part: &part{Key: set}}}},
			[]string{"spec.parts[1].key", "spec.byKey.a.key", "spec.byKey.b.key", "spec.keys"}},
	} {
		t.Run(behavior, func(t *testing.T) {
			if got := hidden(reflect.ValueOf(&row.of), "spec", nil); !slices.Equal(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
