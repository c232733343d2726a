package command

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cache "github.com/armature-dev/armature/apis/cache/scheme"
	"github.com/armature-dev/armature/runtime/arm/armtest"
)

const shop = "/subscriptions/s/resourceGroups/shop"

// azure is a stand-in for ARM with some resources.
func azure(t *testing.T) string {
	t.Helper()
	server, err := armtest.New(os.DirFS(filepath.Join("..", "..", "..", "apis", "cache", "specs")))
	if err != nil {
		t.Fatal(err)
	}
	const redis = shop + "/providers/Microsoft.Cache/redis/"
	const sku = `"sku": {"name": "Premium", "family": "P", "capacity": 1}`
	for _, put := range [][2]string{
		{redis + "Sessions_1", `{"location": "westeurope", "properties": {` + sku + `}}`},
		{redis + "a", `{"location": "westeurope", "properties": {` + sku + `}}`},
		{redis + "b", `{"location": "westeurope", "properties": {` + sku + `}}`},
		{redis + "c", `{"location": "westeurope", "properties": {` + sku + `}}`},
		{redis + "a/firewallRules/office", `{"properties": {"startIP": "10.0.0.1", "endIP": "10.0.0.2"}}`},
		{redis + "b/firewallRules/office", `{"properties": {"startIP": "10.0.0.1", "endIP": "10.0.0.2"}}`},
		{redis + "a/linkedServers/b", `{"properties": {"linkedRedisCacheId": "` + redis + `b", "linkedRedisCacheLocation": "westeurope", "serverRole": "Secondary"}}`},
	} {
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest(http.MethodPut, put[0]+"?api-version=2020-12-01", strings.NewReader(put[1])))
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
func importInto(t *testing.T, folder string, args ...string) (files map[string]string, said string, err error) {
	t.Helper()
	root, err := New(cache.AddToScheme)
	if err != nil {
		t.Fatal(err)
	}
	var progress bytes.Buffer
	root.SetErr(&progress)
	root.SetArgs(append([]string{"import", "--out=" + folder}, args...))
	err = root.Execute()
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
	return files, progress.String(), err
}

func TestImport(t *testing.T) {
	url := "--arm-endpoint=" + azure(t)
	t.Run("a resource group with the children of its resources", func(t *testing.T) {
		folder := t.TempDir()
		files, said, err := importInto(t, folder, shop, "--recursive", url, "--version=2020-06-01", "--namespace=team-a")
		if err != nil {
			t.Fatal(err)
		}
		for name, wants := range map[string][]string{
			"redis-sessions-1.yaml": {"apiVersion: cache.azure.com/v1beta20200601\n", "  azureName: Sessions_1\n", "    armId: " + shop + "\n",
				"    armature.dev/reconcile-policy: skip\n", "  namespace: team-a\n", "    name: Premium\n"},
			"redis-a.yaml": {}, "redis-b.yaml": {}, "redis-c.yaml": {},
			"redisfirewallrule-office.yaml":   {"  owner:\n    name: a\n", "  startIP: 10.0.0.1\n"},
			"redisfirewallrule-b-office.yaml": {"  owner:\n    name: b\n", "  azureName: office\n"},
			"redislinkedserver-b.yaml":        {"  linkedRedisCacheReference:\n    group: cache.azure.com\n    kind: Redis\n    name: b\n"},
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
		if len(files) > 0 || !strings.Contains(said, "7/7 ") {
			t.Errorf("there are %v besides, and it said\n%s", files, said)
		}
	})
	t.Run("it goes on where it stopped", func(t *testing.T) {
		folder := t.TempDir()
		mine := filepath.Join(folder, "redis-a.yaml")
		if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		files, said, err := importInto(t, folder, shop, url)
		if err != nil || files["redis-a.yaml"] != "mine" || len(files) != 4 {
			t.Errorf("%v: found %v", err, files)
		}
		if want := fmt.Sprintf("%s: was there\n", mine); !strings.Contains(said, want) {
			t.Errorf("it said\n%s", said)
		}
	})
	t.Run("one resource, to be managed at once", func(t *testing.T) {
		files, _, err := importInto(t, t.TempDir(), shop+"/providers/Microsoft.Cache/redis/a", url, "--policy=manage")
		if err != nil || len(files) != 1 || strings.Contains(files["redis-a.yaml"], "reconcile-policy") {
			t.Errorf("%v: found %v", err, files)
		}
	})
	for _, test := range []struct{ id, flag, want string }{
		{"redis", url, "expected the ARM id of a resource or a resource group"},
		{shop + "/providers/Microsoft.Cache/redis/none", url, "was not found"},
		{"/subscriptions/s/resourceGroups/other", url, "there is nothing to import"},
		{shop, "--policy=mine", "expected skip, detach-on-delete or manage"},
	} {
		if files, _, err := importInto(t, t.TempDir(), test.id, url, test.flag); err == nil || !strings.Contains(err.Error(), test.want) || len(files) > 0 {
			t.Errorf("%s: %v, want %s; wrote %v", test.id, err, test.want, files)
		}
	}
}
