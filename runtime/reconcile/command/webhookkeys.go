package command

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/remainder"
)

// signingKey is the key of the Secret with the webhook's keys that has the one which signs.
const signingKey = "current"

// makeWebhookKeys makes the Secret with the keys of the webhook, unless it is there. The webhook has no rights in the
// cluster, so it cannot do that itself, and its pods wait for the Secret. makeWebhookKeys tries again until it succeeds
// or the context ends: the rights and the policy for it may come later than the operator.
func makeWebhookKeys(ctx context.Context, secrets corev1client.SecretInterface, name string, again time.Duration, logger logr.Logger) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string][]byte{signingKey: make([]byte, remainder.MinKey)}}
	rand.Read(secret.Data[signingKey])
	for last := ""; ; {
		_, err := secrets.Create(ctx, secret, metav1.CreateOptions{})
		switch {
		case err == nil:
			logger.Info("made the key with which the webhook signs the annotation "+annotation.Remainder, "secret", name)
			return
		case apierrors.IsAlreadyExists(err) || ctx.Err() != nil:
			return
		case err.Error() != last:
			last = err.Error()
			logger.Error(err, "the Secret with the keys of the webhook cannot be made: until it is there, the webhook's pods "+
				"do not start", "secret", name)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(again):
		}
	}
}
