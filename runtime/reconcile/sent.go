package reconcile

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
)

// phase says how far a PUT has come.
type phase string

const (
	// sending is written before a PUT. Whether ARM got it is not known.
	sending phase = "sending"
	// refused is written when ARM refused it, and so did nothing.
	refused phase = "refused"
	// accepted is written when ARM has done all of it.
	accepted phase = "accepted"
	// done is written when the object needs nothing of ARM any more, because its
	// resource is gone or stays. Then its credential is let go.
	done phase = "done"
)

// sent has the content of the annotation.
type sent struct {
	Phase phase `json:"phase"`
	// UID is that of the object. A copy of the object has sent nothing.
	UID        types.UID `json:"uid"`
	Generation int64     `json:"generation"`
	// Digest is a keyed hash of URL and body, by the key with the id Key.
	Digest string `json:"digest"`
	Key    string `json:"key"`
	// ID is the ARM id. A deletion deletes it, whatever the Spec says by then.
	ID string `json:"id"`
	// Credential is the name of the Secret, or "" for the operator's own.
	Credential string `json:"credential,omitempty"`
	// Previous is the name of the Secret that the credential came from before, while
	// that may still have a finalizer for this object.
	Previous string `json:"previousCredential,omitempty"`
	// Attempt counts the PUTs, so that a write stands before each. It fails if the
	// object has changed since it was read.
	Attempt int `json:"attempt"`
	// Exists reports whether ARM has ever done what it was sent.
	Exists bool `json:"exists,omitempty"`
	// Maybe reports whether there was a PUT of which nobody knows whether ARM took it.
	Maybe bool `json:"maybe,omitempty"`
}

// mayExist reports whether ARM may have the resource from this object. If it has
// refused everything, then what it has under this id is somebody else's.
func (s *sent) mayExist() bool {
	return s.Phase != done && (s.Exists || s.Maybe || s.Phase != refused)
}

// sentOf returns what an object has sent, or nil if it is nothing.
func sentOf(object metav1.Object) *sent {
	text, found := object.GetAnnotations()[annotation.Sent]
	if !found {
		return nil
	}
	s := new(sent)
	if json.Unmarshal([]byte(text), s) != nil || s.UID != object.GetUID() || s.ID == "" {
		return nil
	}
	return s
}

func (s *sent) write(object metav1.Object) {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // it has texts only
	}
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[annotation.Sent] = string(text)
	object.SetAnnotations(annotations)
}

// keys are those of the digests. They lie in a Secret: each under its id, and the
// id of the current one under "current". Who rotates them keeps the old ones.
type keys struct {
	reader client.Reader // not cached
	writer client.Writer
	secret types.NamespacedName

	mutex   sync.Mutex
	values  map[string][]byte
	current string
}

const currentKey = "current"

// digest returns that of a request by a key, or by the current one if id is "".
// Found is false if there is no such key.
func (k *keys) digest(ctx context.Context, request *arm.Request, id string) (digest, key string, found bool, err error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.current == "" || id != "" && k.values[id] == nil {
		if err := k.load(ctx); err != nil {
			return "", "", false, fmt.Errorf("the key of digests in Secret %s: %w", k.secret, err)
		}
	}
	if id == "" {
		id = k.current
	}
	value := k.values[id]
	if value == nil {
		return "", id, false, nil
	}
	h := hmac.New(sha256.New, value)
	fmt.Fprintf(h, "%s\n", request.URL())
	h.Write(request.Body)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)), id, true, nil
}

// load reads the Secret, or makes it.
func (k *keys) load(ctx context.Context) error {
	var secret corev1.Secret
	err := k.reader.Get(ctx, k.secret, &secret)
	if apierrors.IsNotFound(err) {
		id, value := make([]byte, 6), make([]byte, 32)
		rand.Read(id)
		rand.Read(value)
		name := "k" + hex.EncodeToString(id)
		secret = corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: k.secret.Namespace, Name: k.secret.Name},
			Data:       map[string][]byte{name: value, currentKey: []byte(name)},
		}
		if err = k.writer.Create(ctx, &secret); apierrors.IsAlreadyExists(err) {
			err = k.reader.Get(ctx, k.secret, &secret)
		}
	}
	if err != nil {
		return err
	}
	current := string(secret.Data[currentKey])
	if len(secret.Data[current]) < 16 || current == currentKey {
		return fmt.Errorf("found no key of at least 16 bytes under %q, which %q names", current, currentKey)
	}
	k.current, k.values = current, secret.Data
	return nil
}

// forget lets the keys be read again.
func (k *keys) forget() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.current = ""
}
