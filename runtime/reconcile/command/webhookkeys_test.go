package command

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/armature-dev/armature/runtime/remainder"
)

func TestWebhookKeys(t *testing.T) {
	get := func(t *testing.T, c *fake.Clientset) *corev1.Secret {
		t.Helper()
		secret, err := c.CoreV1().Secrets("system").Get(t.Context(), "keys", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return secret
	}
	t.Run("the Secret has one random key, with which the webhook signs", func(t *testing.T) {
		var keys []string
		for range 2 {
			c := fake.NewClientset()
			makeWebhookKeys(t.Context(), c.CoreV1().Secrets("system"), "keys", time.Hour, logr.Discard())
			data := get(t, c).Data
			if len(data) != 1 || len(data["current"]) != remainder.MinKey {
				t.Fatalf("got %v", data)
			}
			keys = append(keys, string(data["current"]))
		}
		if keys[0] == keys[1] || keys[0] == strings.Repeat("\x00", remainder.MinKey) {
			t.Errorf("got the keys %q", keys)
		}
	})
	t.Run("one that is there stays as it is", func(t *testing.T) {
		c := fake.NewClientset(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: "keys"},
			Data: map[string][]byte{"current": []byte("theirs")}})
		makeWebhookKeys(t.Context(), c.CoreV1().Secrets("system"), "keys", time.Hour, logr.Discard())
		if data := get(t, c).Data; len(data) != 1 || string(data["current"]) != "theirs" {
			t.Errorf("got %q", data)
		}
	})
	t.Run("it is made once the rights are there, and the log says once why not before", func(t *testing.T) {
		c := fake.NewClientset()
		refusals := 3
		c.PrependReactor("create", "secrets", func(clienttesting.Action) (bool, runtime.Object, error) {
			refusals--
			return refusals >= 0, nil, apierrors.NewForbidden(corev1.Resource("secrets"), "keys", errors.New("no right"))
		})
		var log strings.Builder
		logger := funcr.New(func(_, args string) { log.WriteString(args + "\n") }, funcr.Options{})
		makeWebhookKeys(t.Context(), c.CoreV1().Secrets("system"), "keys", time.Millisecond, logger)
		get(t, c)
		if text := log.String(); strings.Count(text, "no right") != 1 || !strings.Contains(text, "the webhook's pods do not start") {
			t.Errorf("the log has\n%s", text)
		}
	})
}
