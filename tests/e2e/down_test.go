package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// TestWebhookDown shows what the release's README says about the time in which
// no webhook answers.
func TestWebhookDown(t *testing.T) {
	installCRM(t)
	t.Cleanup(func() { crmWebhook.Stop(); crmWebhook.Start(t) })
	for _, name := range []string{"ada", "bob", "cleo"} {
		create(t, "v20190909", name, full("v20190909").shown("v20190909"))
	}
	old := persons("v20130303")
	waitForCache(t, old, 3)
	stopWebhook(t, "ada")

	t.Run("the README shows the API server's messages", func(t *testing.T) {
		text, err := os.ReadFile(filepath.Join("..", "..", "release", "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		readme := strings.Join(strings.Fields(string(text)), " ")
		requests := map[string]error{}
		_, requests["get"] = old.Get(t.Context(), "ada", metav1.GetOptions{})
		requests["delete"] = old.Delete(t.Context(), "ada", metav1.DeleteOptions{})
		requests["deletecollection"] = old.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{})
		for verb, err := range requests {
			if err == nil {
				t.Errorf("%s succeeds", verb)
				continue
			}
			// These differ between clusters.
			differing := regexp.MustCompile(`https://[^"]*|127\.0\.0\.1:\d+|revision=\d+`)
			message := differing.ReplaceAllStringFunc(err.Error(), func(text string) string {
				for _, known := range []string{"https://", "revision="} {
					if strings.HasPrefix(text, known) {
						return known + "…"
					}
				}
				return "…"
			})
			if !strings.Contains(readme, message) {
				t.Errorf("the README does not show what a %s says:\n%s", verb, message)
			}
		}
	})

	t.Run("a list is answered from what the API server has converted before", func(t *testing.T) {
		if server.Before(t, "1.31") {
			t.Skip("the API server converts what it lists each time")
		}
		if list, err := old.List(t.Context(), metav1.ListOptions{}); err != nil || len(list.Items) != 3 {
			t.Errorf("list: %v", err)
		}
	})

	t.Run("at the storage version objects are read, changed and deleted", func(t *testing.T) {
		if list, err := persons(hub).List(t.Context(), metav1.ListOptions{}); err != nil || len(list.Items) != 3 {
			t.Errorf("list: %v", err)
		}
		label := []byte(`{"metadata": {"labels": {"a": "b"}}}`)
		if _, err := persons(hub).Patch(t.Context(), "ada", types.MergePatchType, label, metav1.PatchOptions{}); err != nil {
			t.Errorf("patch: %v", err)
		}
		if err := persons(hub).Delete(t.Context(), "ada", metav1.DeleteOptions{}); err != nil {
			t.Errorf("delete: %v", err)
		}
		if err := persons(hub).DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
			t.Errorf("deletecollection: %v", err)
		}
	})
}

// waitForCache waits until the API server has converted n objects for the version
// of a client. Only a watch needs them converted: a list may be read from etcd.
func waitForCache(t *testing.T, client dynamic.ResourceInterface, n int) {
	t.Helper()
	w, err := client.Watch(t.Context(), metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	for seen := 0; seen < n; {
		switch event, open := <-w.ResultChan(); {
		case !open:
			t.Fatalf("the watch ended after %d of %d objects", seen, n)
		case event.Type == watch.Added:
			seen++
		}
	}
}
