// Package record reads and writes the operator's record of what it sent to ARM for an object. The record is
// an annotation of the object. testdata/README.md specifies its format.
package record

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/paths"
)

// Phase says how far a PUT has come.
type Phase string

// The phases.
const (
	// Sending is written before a PUT. Whether ARM got it is not known.
	Sending Phase = "sending"
	// Refused is written when ARM refused the PUT, and so did nothing.
	Refused Phase = "refused"
	// Accepted is written when ARM has done all of it.
	Accepted Phase = "accepted"
	// Deleting is written when ARM has taken the DELETE of an element of a collection. Until then a PUT of
	// its parent includes the element.
	Deleting Phase = "deleting"
	// Done is written when the object needs nothing of ARM any more, because its resource is gone or is
	// kept. Then its credential is released.
	Done Phase = "done"
)

// Record is the content of the annotation [annotation.Sent].
type Record struct {
	Phase Phase `json:"phase"`
	// UID is the uid of the object. A copy of the object has another one, and has sent nothing.
	UID        types.UID `json:"uid"`
	Generation int64     `json:"generation"`
	// Time is when the last PUT was sent that ARM may have taken. Of several records of one id, the latest counts.
	Time time.Time `json:"time,omitzero"`
	// Digest is a keyed hash of URL and body, by the key with the id Key.
	Digest string `json:"digest"`
	Key    string `json:"key"`
	// ID is the ARM id. A deletion deletes it, whatever the Spec says by then.
	ID string `json:"id"`
	// Credential is the name of the Secret, or "" for the operator's own.
	Credential string `json:"credential,omitempty"`
	// Previous is the name of the Secret of the credential before this one, while that Secret may still
	// have a finalizer for this object.
	Previous string `json:"previousCredential,omitempty"`
	// Attempt counts the PUTs, so that the record is written before each. The write fails if the object has
	// changed since it was read.
	Attempt int `json:"attempt"`
	// Exists reports whether ARM has ever done what it was sent.
	Exists bool `json:"exists,omitempty"`
	// Adopted reports whether ARM had the resource before the object sent it.
	Adopted bool `json:"adopted,omitempty"`
	// Maybe is when the first PUT was sent whose outcome is unknown, so that ARM may have taken it. It is the zero time
	// if the outcomes of all PUTs are known.
	Maybe time.Time `json:"maybe,omitzero"`
	// Inline holds the names of the elements that ARM has, or may have, from the object's Spec, keyed by
	// the paths of the collections.
	Inline map[string][]string `json:"inline,omitempty"`
	// Unchecked reports whether nobody has checked yet what the PUT changed in the elements of collections
	// that have objects of their own.
	Unchecked bool `json:"unchecked,omitempty"`

	// Paths are those in the Spec that ARM has from the object, or may have, also what the Spec no longer sets.
	Paths paths.Hashes `json:"paths,omitempty"`

	// Baseline is what ARM showed otherwise than it was sent, after the PUT. It is nil as long as ARM has not shown it.
	Baseline *paths.Baseline `json:"baseline,omitempty"`

	// Inputs are keyed hashes of the texts from other objects that ARM has in properties which cannot change, by the
	// paths of these.
	Inputs map[string]string `json:"inputs,omitempty"`

	// others are the members that this release does not know.
	others map[string]json.RawMessage
	// text is the text that is signed and mac its signature, as they were read.
	text, mac string
}

// MayExist reports whether ARM may have the resource from the object. If ARM has refused every PUT, a
// resource with this id is somebody else's.
func (r *Record) MayExist() bool {
	return r != nil && r.Phase != Done && (r.Exists || !r.Maybe.IsZero() || r.Phase != Refused)
}

// InDoubt reports whether ARM may have the resource only because of PUTs whose outcomes are unknown, and has
// refused the PUT after them.
func (r *Record) InDoubt() bool {
	return r != nil && r.Phase == Refused && !r.Exists && !r.Maybe.IsZero()
}

// clockSkew is by how much the clocks of ARM and of the operator may differ, with the time that a PUT takes until ARM
// creates the resource.
const clockSkew = 5 * time.Minute

// Predates reports whether ARM's answer shows a later resource than that of the record, which then proves nothing
// about it, and when ARM created it. Of a resource that was deleted and created again, an old record is still signed.
func (r *Record) Predates(body []byte) (createdAt time.Time, later bool) {
	createdAt, found := arm.CreatedAt(body)
	return createdAt, found && createdAt.After(r.Time.Add(clockSkew))
}

// MayHaveMade reports whether ARM's answer may show what a PUT of the record made whose outcome is unknown. If ARM
// does not say when it was created, it may.
func (r *Record) MayHaveMade(body []byte) bool {
	createdAt, found := arm.CreatedAt(body)
	first := r.Time
	if !r.Maybe.IsZero() {
		first = r.Maybe
	}
	return !found || !createdAt.Before(first.Add(-clockSkew)) && !createdAt.After(r.Time.Add(clockSkew))
}

// Keep takes over from another record the members that this release does not know.
func (r *Record) Keep(from *Record) { r.others = from.others }

// IsSigned reports whether a record was read with a signature, whoever made it.
func (r *Record) IsSigned() bool { return r.mac != "" }

// Of returns the record of an object, or nil if it has none. Whoever may write the object may write the
// annotation, so this need not be the operator's own record; see [Keys.Read].
func Of(object metav1.Object) *Record {
	if r := parse(object); r != nil && r.UID == object.GetUID() {
		return r
	}
	return nil
}

// macMember begins the last member of a record, the signature of the text before it.
const macMember = `,"mac":"`

// parse returns the record in the annotation of an object, whatever its uid, or nil.
func parse(object metav1.Object) *Record {
	text, found := object.GetAnnotations()[annotation.Sent]
	if !found {
		return nil
	}
	r := &Record{text: text}
	if i := strings.LastIndex(text, macMember); i >= 0 && strings.HasSuffix(text, `"}`) {
		r.text, r.mac = text[:i]+"}", text[i+len(macMember):len(text)-len(`"}`)]
	}
	if json.Unmarshal([]byte(r.text), r) != nil || json.Unmarshal([]byte(r.text), &r.others) != nil || r.ID == "" {
		return nil
	}
	maps.DeleteFunc(r.others, func(name string, _ json.RawMessage) bool { return knownMembers[name] })
	return r
}

// knownMembers are the names of the members of a record.
var knownMembers = func() map[string]bool {
	all := map[string]bool{"mac": true}
	for f := range reflect.TypeFor[Record]().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			all[name] = true
		}
	}
	return all
}()

// Read returns the record of an object, nil if it has none, and whether it is the operator's own. Of a
// record that is not, it returns only what says what may have been sent: the rest is neither believed nor
// signed.
func (k *Keys) Read(ctx context.Context, object metav1.Object) (r *Record, confirmed bool, err error) {
	if r = Of(object); r == nil {
		return nil, false, nil
	}
	if confirmed, err = k.confirms(ctx, object, r); err != nil || confirmed {
		return r, confirmed, err
	}
	maybe := time.Time{}
	if r.MayExist() {
		maybe = time.Unix(max(r.Time.Unix(), 1), 0).UTC() // the time may be missing
	}
	return &Record{Phase: r.Phase, UID: r.UID, Time: r.Time, ID: r.ID, Credential: r.Credential, Previous: r.Previous,
		Maybe: maybe}, false, nil
}

// Restored returns the record that an object had before it was restored from a backup: one that the
// operator signed for an object of the same name and another uid. It says nothing of what this object has
// sent. It returns nil if there is none.
func (k *Keys) Restored(ctx context.Context, object metav1.Object) (*Record, error) {
	r := parse(object)
	if r == nil || r.UID == object.GetUID() {
		return nil, nil
	}
	if confirmed, err := k.confirms(ctx, object, r); err != nil || !confirmed {
		return nil, err
	}
	return r, nil
}

// confirms reports whether a record of an object is the operator's own. A record whose key is gone is not
// confirmed.
func (k *Keys) confirms(ctx context.Context, object metav1.Object, r *Record) (bool, error) {
	if r.mac == "" || r.Key == "" {
		return false, nil
	}
	_, key, err := k.key(ctx, r.Key)
	if err != nil || key == nil {
		return err == nil && k.Trusts, err
	}
	return hmac.Equal([]byte(r.mac), []byte(sign(key, object, r.text))), nil
}

// sign returns the signature of the text of a record. The prefix of the signed text binds the record to the
// name of the object, as the uid in it changes when the object is restored.
func sign(key []byte, object metav1.Object, text string) string {
	return sum(key, "armature record "+object.GetNamespace()+"/"+object.GetName()+" "+text)
}

// Write writes a record into an object, signed by the record's key, or by the current one if that key is
// gone or the record has none.
func (k *Keys) Write(ctx context.Context, r *Record, object metav1.Object) error {
	_, key, err := k.key(ctx, r.Key)
	if err == nil && key == nil {
		r.Digest = "" // which nobody can compare any more
		r.Key, key, err = k.key(ctx, "")
	}
	if err != nil {
		return err
	}
	r.text = r.marshal()
	r.mac = sign(key, object, r.text)
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[annotation.Sent] = strings.TrimSuffix(r.text, "}") + macMember + r.mac + `"}`
	object.SetAnnotations(annotations)
	return nil
}

// Unsigned returns the text of a record without a signature. It says no more than what anybody could have written.
func (r *Record) Unsigned() string { return r.marshal() }

// marshal returns the text to sign: the members that are known, and then the others.
func (r *Record) marshal() string {
	all, err := json.Marshal(r)
	if err != nil {
		panic(err) // it has texts, numbers and a time only
	}
	for _, name := range slices.Sorted(maps.Keys(r.others)) {
		quoted, err := json.Marshal(name)
		if err != nil {
			panic(err)
		}
		all = append(all[:len(all)-1], ',')
		all = append(append(append(append(all, quoted...), ':'), r.others[name]...), '}')
	}
	return string(all)
}
