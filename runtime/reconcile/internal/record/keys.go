package record

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/paths"
)

// Keys holds the keys of digests and of signatures. They are stored in a Secret: each under its id, and the
// id of the current one under "current". Whoever rotates them keeps the old ones. Keys that are lost while
// the operator runs are written back, as without them it recognizes none of its records.
type Keys struct {
	Reader client.Reader // not cached
	Writer client.Writer
	Secret types.NamespacedName
	Now    func() time.Time
	// Trusts takes the records of keys that are not there for the operator's own, if they are signed: for a plan of
	// somebody who may not read the keys. Nothing is sent to ARM because of such a record.
	Trusts bool

	mutex   sync.Mutex
	values  map[string][]byte
	current string
	loaded  time.Time
}

// InvalidKeysError is the error of a Secret that does not have the key which it names as the current one.
type InvalidKeysError struct {
	Secret  types.NamespacedName
	Current string
}

// Error returns the message.
func (e *InvalidKeysError) Error() string {
	return fmt.Sprintf("Secret %s with the keys of the operator: found no key of at least 16 bytes under %q, which %q names",
		e.Secret, e.Current, currentKey)
}

// lookAgain is how long to wait before looking for a missing key again: somebody may have written its id
// into thousands of records.
const lookAgain = 30 * time.Second

const currentKey = "current"

// Digest returns the digest of a request by the key with an id, or by the current one if id is "", and the
// id of the key. found is false if there is no such key.
func (k *Keys) Digest(ctx context.Context, request *arm.Request, id string) (digest, key string, found bool, err error) {
	id, value, err := k.key(ctx, id)
	if err != nil || value == nil {
		return "", id, false, err
	}
	return sum(value, request.URL()+"\n"+string(request.Body)), id, true, nil
}

// Sum returns a keyed hash of a value as JSON, by the key with an id.
func (k *Keys) Sum(ctx context.Context, id string, value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	_, key, err := k.key(ctx, id)
	if err != nil {
		return "", err
	}
	return sum(key, "armature value "+string(text)), nil
}

// Input returns a keyed hash of 8 bytes of a text for the property at a path, by the key with an id. found is false if
// there is no such key.
func (k *Keys) Input(ctx context.Context, id, path, text string) (hash string, found bool, err error) {
	_, key, err := k.key(ctx, id)
	if err != nil || key == nil {
		return "", false, err
	}
	return sum(key, "armature input "+path+"\n"+text)[:11], true, nil
}

// Marker returns the keyed hash for what ARM shows of the resource of a record, or nil if the key of the record is
// gone.
func (k *Keys) Marker(ctx context.Context, r *Record) (paths.Sum, error) {
	_, key, err := k.key(ctx, r.Key)
	if err != nil || key == nil {
		return nil, err
	}
	prefix := "armature baseline " + string(r.UID) + " " + arm.IDKey(r.ID) + "\n"
	return func(text string) []byte { return hashOf(key, prefix+text) }, nil
}

// Current returns the id of the current key.
func (k *Keys) Current(ctx context.Context) (id string, err error) {
	id, _, err = k.key(ctx, "")
	return id, err
}

// key returns the key with an id, nil if there is none, or the current one and its id if id is "".
func (k *Keys) key(ctx context.Context, id string) (_ string, value []byte, err error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.current == "" || id != "" && k.values[id] == nil && k.Now().Sub(k.loaded) >= lookAgain {
		if err := k.load(ctx); err != nil {
			return "", nil, fmt.Errorf("the key of digests in Secret %s: %w", k.Secret, err)
		}
	}
	if id == "" {
		id = k.current
	}
	if id == currentKey { // its value is an id and not a key
		return id, nil, nil
	}
	return id, k.values[id], nil
}

func sum(key []byte, text string) string {
	return base64.RawURLEncoding.EncodeToString(hashOf(key, text))
}

func hashOf(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// load reads the Secret, or creates it, and writes back the keys that it lacks.
func (k *Keys) load(ctx context.Context) error {
	var secret corev1.Secret
	err := k.Reader.Get(ctx, k.Secret, &secret)
	if apierrors.IsNotFound(err) {
		secret = corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: k.Secret.Namespace, Name: k.Secret.Name}}
		if secret.Data = maps.Clone(k.values); secret.Data == nil {
			secret.Data = NewKey()
		}
		if err = k.Writer.Create(ctx, &secret); apierrors.IsAlreadyExists(err) {
			err = k.Reader.Get(ctx, k.Secret, &secret)
		}
	}
	if err != nil {
		return err
	}
	lacks := false
	before := secret.DeepCopy()
	for id, value := range k.values {
		if secret.Data[id] == nil {
			if secret.Data == nil {
				secret.Data = map[string][]byte{}
			}
			secret.Data[id], lacks = value, true
		}
	}
	current := string(secret.Data[currentKey])
	if len(secret.Data[current]) < 16 || current == currentKey {
		return &InvalidKeysError{k.Secret, current}
	}
	if lacks {
		if err := k.Writer.Patch(ctx, &secret, client.MergeFrom(before)); err != nil {
			return err
		}
	}
	k.current, k.values, k.loaded = current, secret.Data, k.Now()
	return nil
}

// NewKey returns the content of a Secret with a new key.
func NewKey() map[string][]byte {
	id, value := make([]byte, 6), make([]byte, 32)
	rand.Read(id)
	rand.Read(value)
	name := "k" + hex.EncodeToString(id)
	return map[string][]byte{name: value, currentKey: []byte(name)}
}

// Reload reads the keys again, if they were read before, because their Secret has changed.
func (k *Keys) Reload(ctx context.Context) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.values == nil {
		return nil
	}
	k.current = "" // so that whoever needs one tries again if this fails
	return k.load(ctx)
}
