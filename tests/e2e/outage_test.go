package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	crm "github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/tests/e2e/cluster"
)

func TestOutage(t *testing.T) {
	t.Run("requests fail, write nothing, and succeed again afterwards", testNoAnswer)
	t.Run("a webhook killed during a long list", testKilledDuringList)
}

func testNoAnswer(t *testing.T) {
	installCRM(t)
	good := converter(t, crm.AddToScheme)
	t.Cleanup(func() { crmWebhook.Stop(); crmWebhook.Handle(good); crmWebhook.Start(t) })
	create(t, "v20190909", "ada", full("v20190909").shown("v20190909"))
	restart := func() { crmWebhook.Stop(); crmWebhook.Start(t) }
	repair := func() { crmWebhook.Handle(good) }
	stop := func() { stopWebhook(t, "ada") }
	for _, outage := range []struct {
		name       string
		begin, end func()
		patience   time.Duration
		message    string
	}{
		{"down", stop, restart, 0, "connection refused"},
		{"with a certificate that the CRD does not know",
			func() { stop(); crmWebhook.StartWithOtherCertificate(t) }, restart, 0, "failed to verify certificate"},
		{"crashing", func() { crmWebhook.Handle(http.HandlerFunc(crash)) }, repair, 0, "EOF"},
		// The API server gives up after 30 s and says so. Here the client gives up before that.
		{"slow", func() { crmWebhook.Handle(http.HandlerFunc(stall)) }, repair, 2 * time.Second, ""},
	} {
		stored, objects := server.Stored(t, storedPersons, "ada"), server.Versions(t, storedPersons)
		outage.begin()
		for how, err := range requests(t, outage.patience) {
			switch {
			case err == nil:
				t.Errorf("a webhook %s: %s succeeds", outage.name, how)
			case outage.message == "":
			case !strings.Contains(err.Error(), "conversion webhook for crm.azure.armature.dev/") ||
				!strings.Contains(err.Error(), outage.message):
				t.Errorf("a webhook %s: the message of %s must name the conversion webhook and %q: %v", outage.name,
					how, outage.message, err)
			}
		}
		get(t, hub, "ada") // the stored version needs no webhook
		outage.end()
		if diff := cmp.Diff(stored.Object, server.Stored(t, storedPersons, "ada").Object); diff != "" {
			t.Errorf("a webhook %s: something was written (-before +after):\n%s", outage.name, diff)
		}
		if diff := cmp.Diff(objects, server.Versions(t, storedPersons)); diff != "" {
			t.Errorf("a webhook %s: something was created (-before +after):\n%s", outage.name, diff)
		}
		for how, err := range requests(t, 0) {
			if err != nil {
				t.Errorf("after a webhook %s: %s: %v", outage.name, how, err)
			}
		}
	}
}

// stopWebhook stops the webhook of crm, and lets the API server find out by a person that the
// connections which it had open are closed: a request on one of these fails in other words.
func stopWebhook(t *testing.T, person string) {
	t.Helper()
	crmWebhook.Stop()
	_, _ = persons("v20130303").Get(t.Context(), person, metav1.GetOptions{})
}

func crash(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// stall does not answer until the caller has gone.
func stall(_ http.ResponseWriter, request *http.Request) {
	_, _ = io.Copy(io.Discard, request.Body) // otherwise the server does not notice the end of the connection
	<-request.Context().Done()
}

// requests makes some requests as a client of an old version, and returns the
// errors by verb. It makes no list, because the API server answers a list from
// converted objects in memory.
func requests(t *testing.T, patience time.Duration) map[string]error {
	t.Helper()
	config := rest.CopyConfig(server.Config)
	config.Timeout = patience
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	all := client.Resource(storedPersons.WithVersion("v20130303")).Namespace("default")
	created := person("v20130303", "", base())
	created.SetGenerateName("new-")
	found := map[string]error{}
	_, found["get"] = all.Get(t.Context(), "ada", metav1.GetOptions{})
	label := fmt.Sprintf(`{"metadata": {"labels": {"at": "%d"}}}`, time.Now().UnixNano())
	_, found["patch"] = all.Patch(t.Context(), "ada", types.MergePatchType, []byte(label), metav1.PatchOptions{})
	_, found["create"] = all.Create(t.Context(), created, metav1.CreateOptions{})
	return found
}

// objectsOf returns how many objects a review has, which can be read again. A review does not come to its end if the
// webhook is killed.
func objectsOf(t *testing.T, r *http.Request) (int64, error) {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var review apiextensionsv1.ConversionReview
	if err := json.Unmarshal(body, &review); err != nil || review.Request == nil {
		t.Errorf("%v: %s", err, body)
		return 0, nil
	}
	return int64(len(review.Request.Objects)), nil
}

// The list fails, and no object changes. When the webhook is back, a list has
// all objects.
func testKilledDuringList(t *testing.T) {
	installCRM(t)
	const n = 2000
	// The API server keeps all objects in memory at each version that it serves,
	// and has them converted one by one: two versions are enough here.
	all := cluster.ReadCRDs(t, crds("crm"))
	server.Install(t, crmWebhook, serving(all, "v20130303", hub)...)
	good := converter(t, crm.AddToScheme)
	t.Cleanup(func() {
		crmWebhook.Stop()
		crmWebhook.Handle(good)
		crmWebhook.Start(t)
		clearCRM(t)
		server.Install(t, crmWebhook, all...)
	})
	create(t, hub, "person-0", map[string]any{"owner": map[string]any{"name": "people"}, "knownAs": "Ada", "familyName": "Lovelace"})
	template := server.Stored(t, storedPersons, "person-0")

	crmWebhook.Stop()
	for i := 1; i < n; i++ {
		object := template.DeepCopy()
		object.SetName(fmt.Sprintf("person-%d", i))
		object.SetUID(types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)))
		server.Store(t, storedPersons, object)
	}
	var converted atomic.Int64
	var kill sync.Once
	killed := make(chan struct{})
	crmWebhook.Handle(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A review has one object, or on an older Kubernetes all of a list.
		objects, err := objectsOf(t, r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if converted.Add(objects) < n/2 {
			good.ServeHTTP(w, r)
			return
		}
		kill.Do(func() { go func() { crmWebhook.Stop(); close(killed) }() })
		stall(w, r)
	}))
	crmWebhook.Start(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if list, err := persons("v20130303").List(ctx, metav1.ListOptions{}); err == nil {
		t.Errorf("a list of %d objects succeeds while its webhook is killed", len(list.Items))
	} else if message := err.Error(); !strings.Contains(message, "conversion webhook for crm.azure.armature.dev/") &&
		!strings.Contains(message, "deadline") {
		t.Errorf("the list: %v, want an error of the conversion webhook, or a deadline", err)
	}
	<-killed

	crmWebhook.Handle(good)
	crmWebhook.Start(t)
	var list *unstructured.UnstructuredList
	await.Until(t, "a list when the webhook is back", func() (err error) {
		list, err = persons("v20130303").List(t.Context(), metav1.ListOptions{})
		return err
	})
	if len(list.Items) != n {
		t.Errorf("the list has %d objects, want %d", len(list.Items), n)
	}
	for _, item := range list.Items {
		if first := specOf(&item)["firstName"]; first != "Ada" || item.GetAPIVersion() != "crm.azure.armature.dev/v20130303" {
			t.Fatalf("the list has %v", item)
		}
	}
	if found := server.Versions(t, storedPersons); found[hub] != n {
		t.Errorf("etcd has objects of the versions %v, want %d of %s", found, n, hub)
	}
}
