// Package record is the operator's record of what it sent to ARM for an object, which
// is an annotation of the object.
package record

import (
	"context"
	"crypto/hmac"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/annotation"
)

// Phase says how far a PUT has come.
type Phase string

// The phases.
const (
	// Sending is written before a PUT. Whether ARM got it is not known.
	Sending Phase = "sending"
	// Refused is written when ARM refused it, and so did nothing.
	Refused Phase = "refused"
	// Accepted is written when ARM has done all of it.
	Accepted Phase = "accepted"
	// Done is written when the object needs nothing of ARM any more, because its
	// resource is gone or stays. Then its credential is let go.
	Done Phase = "done"
)

// Record has the content of the annotation [annotation.Sent].
type Record struct {
	Phase Phase `json:"phase"`
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
	// Writes counts the PUTs that ARM took, or may have taken.
	Writes int `json:"writes,omitempty"`
	// Exists reports whether ARM has ever done what it was sent.
	Exists bool `json:"exists,omitempty"`
	// Maybe reports whether there was a PUT of which nobody knows whether ARM took it.
	Maybe bool `json:"maybe,omitempty"`
	// Inline has, by the paths of collections, the names of the elements that ARM has
	// from the object's Spec, or may have.
	Inline map[string][]string `json:"inline,omitempty"`
	// Parent is the number of Writes of its parent when an element of a collection was
	// last sent or compared, -1 if the last one had not ended. Shown is a digest of what ARM
	// showed of it then.
	Parent int    `json:"parent,omitempty"`
	Shown  string `json:"shown,omitempty"`
	// MAC is a keyed hash of the rest, by the same key. Whoever may write the object may
	// write the annotation, and what is believed of it reaches what the operator's
	// credential reaches.
	MAC string `json:"mac,omitempty"`
}

// MayExist reports whether ARM may have the resource from the object. If it has
// refused everything, then what it has under this id is somebody else's.
func (r *Record) MayExist() bool {
	return r != nil && r.Phase != Done && (r.Exists || r.Maybe || r.Phase != Refused)
}

// Of returns the record of an object, or nil if it has none. Whether it is the
// operator's own is not known; see [Keys.Confirms].
func Of(object metav1.Object) *Record {
	text, found := object.GetAnnotations()[annotation.Sent]
	if !found {
		return nil
	}
	r := new(Record)
	if json.Unmarshal([]byte(text), r) != nil || r.UID != object.GetUID() || r.ID == "" {
		return nil
	}
	return r
}

// Confirms reports whether a record is the operator's own. That of an older release,
// which has no MAC, is none, and neither is one whose key is gone.
func (k *Keys) Confirms(ctx context.Context, r *Record) (bool, error) {
	if r.MAC == "" {
		return false, nil
	}
	_, key, err := k.key(ctx, r.Key)
	if err != nil || key == nil {
		return false, err
	}
	return hmac.Equal([]byte(r.MAC), []byte(r.mac(key))), nil
}

// Write writes a record into an object. The record's key, which a digest was made with,
// signs it.
func (k *Keys) Write(ctx context.Context, r *Record, object metav1.Object) error {
	_, key, err := k.key(ctx, r.Key)
	if err != nil {
		return err
	}
	if r.MAC = ""; key != nil {
		r.MAC = r.mac(key)
	}
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[annotation.Sent] = r.text()
	object.SetAnnotations(annotations)
	return nil
}

func (r *Record) mac(key []byte) string {
	unsigned := *r
	unsigned.MAC = ""
	return sum(key, "armature record "+unsigned.text())
}

func (r *Record) text() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // it has texts and numbers only
	}
	return string(text)
}
