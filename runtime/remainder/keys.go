package remainder

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
)

// MinKey is the least number of bytes in a key.
const MinKey = 32

// Keys sign the annotations that the webhook writes, and verify that it wrote an annotation.
// The first key signs. The signatures of all keys are accepted, so that a key can be replaced
// while clients hold annotations. Nil Keys sign nothing and accept all annotations.
type Keys struct {
	all      [][]byte
	unsigned bool // whether annotations without a signature are accepted too
}

// NewKeys returns Keys with the given secrets. The first one signs.
func NewKeys(secrets ...[]byte) (*Keys, error) {
	if len(secrets) == 0 {
		return nil, fmt.Errorf("there is no key, expected one or more of %d random bytes", MinKey)
	}
	for i, secret := range secrets {
		if len(secret) < MinKey {
			return nil, fmt.Errorf("key %d has %d bytes, expected %d random bytes or more", i+1, len(secret), MinKey)
		}
	}
	return &Keys{all: secrets}, nil
}

// AcceptUnsigned returns the same keys, which accept annotations without a signature too. They are for a
// webhook that had no keys: clients, and caches of API servers, hold what it has not signed.
func (k *Keys) AcceptUnsigned() *Keys { return &Keys{k.all, true} }

// sign returns the MAC of an annotation, given its text without the MAC.
func (k *Keys) sign(object Object, text string) string {
	return base64.RawURLEncoding.EncodeToString(mac(k.all[0], object, text))
}

// signed reports whether one of the keys has signed the annotation.
func (k *Keys) signed(object Object, e envelope) bool {
	if k == nil || k.unsigned && e.mac == "" {
		return true
	}
	signature, err := base64.RawURLEncoding.DecodeString(e.mac)
	if err != nil {
		return false
	}
	for _, key := range k.all {
		if hmac.Equal(signature, mac(key, object, e.unsigned)) {
			return true
		}
	}
	return false
}

// mac returns the first half of the HMAC-SHA256 of an object's names and the text of its
// annotation. The text contains the UID.
func mac(key []byte, object Object, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("armature remainder "))
	h.Write(object.names())
	h.Write([]byte(text))
	return h.Sum(nil)[:sha256.Size/2]
}
