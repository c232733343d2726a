package remainder

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/internal/rawjson"
)

// Format is the format that this release writes, and the only one it reads.
const Format = 2

// MaxAnnotations is how many bytes the keys and values of all annotations of
// an object may have. If an object has more, the API server fails to read it, and
// to list any objects with it.
const MaxAnnotations = 256 << 10

// MaxOwn is how many bytes the keys and values of an object's own annotations may
// have when it is written at an API version. The rest of [MaxAnnotations] is
// enough for a marker, at whichever version the object is read.
const MaxOwn = MaxAnnotations - 4<<10

// Object identifies the object that an annotation is bound to, so that a manifest
// that was copied for another object restores nothing there.
type Object struct {
	Group, Kind, Namespace, Name string
	// UID and Generation are copied from the metadata. If they are not known, both are
	// empty, and the annotation is bound to the names only.
	UID        string
	Generation int64
}

// Note is the content of an annotation.
type Note struct {
	Object Object
	// Generation is the generation of the object when it was read, or 0. An admission
	// policy compares it with the generation of the stored object on a write.
	Generation int64
	// OriginalVersion is the originalVersion of the storage Spec.
	OriginalVersion string
	// Spec is the digest of the Spec as shown. It is empty, and so is
	// OriginalVersion, if the conversion to the hub gives the same version.
	Spec Digest
	// Lost has the data that the conversion loses.
	Lost Remainder
}

// Empty reports whether the note has nothing to say, so that no annotation is needed.
func (n Note) Empty() bool { return n.Lost.Empty() && n.Spec == "" }

// Limits limits the size of annotations.
type Limits struct {
	// Annotations is how many bytes all annotations may have together. 0 means
	// [DefaultLimit], and the limit is never more than [MaxAnnotations].
	Annotations int
	// Writers are the versions at which the object can be written without loss, for
	// the error of a write when the annotations had no room.
	Writers []string
}

// DefaultLimit leaves a quarter of [MaxAnnotations] for the annotations that a
// client adds before it writes.
const DefaultLimit = MaxAnnotations / 4 * 3

// envelope has the members of format 2, in the order of their names.
type envelope struct {
	format          int
	generation      int64
	lost            Remainder
	mac             string
	object          Digest
	originalVersion string
	size            int // of a marker: how many bytes there was no room for
	spec            Digest
	uid             string
	writers         []string

	unsigned string // the text without mac, if the envelope was read
}

// Write replaces the note in annotations, and returns them. If the note is longer than the
// limits allow, it writes a marker instead. It writes neither if the note is empty, or if
// nothing is lost and there is no room for the rest of the note. It changes the annotations,
// unless they are nil. The keys sign what it writes, unless they are nil.
//
// It returns [ErrNoRoom] if not even the marker has room. The caller must then mark the
// object with [Object.Mark].
func (n Note) Write(annotations map[string]string, limits Limits, keys *Keys) (map[string]string, error) {
	annotations = Strip(annotations)
	if n.Empty() {
		return annotations, nil
	}
	if limits.Annotations == 0 {
		limits.Annotations = DefaultLimit
	}
	used := len(annotation.Remainder)
	for key, value := range annotations {
		used += len(key) + len(value)
	}
	e := envelope{
		format: Format, generation: n.Generation, lost: n.Lost, object: n.Object.digest(),
		originalVersion: n.OriginalVersion, spec: n.Spec, uid: n.Object.UID,
	}
	text := e.encode(n.Object, keys)
	if n.Lost.Empty() {
		// Without the note, a write changes only the version that the resource is
		// written for, so it need not be refused.
		if used+len(text) > MaxAnnotations {
			return annotations, nil
		}
	} else if used+len(text) > min(limits.Annotations, MaxAnnotations) {
		marker := envelope{
			format: Format, generation: e.generation, object: e.object, size: len(text), uid: e.uid,
			writers: limits.Writers,
		}
		text = marker.encode(n.Object, keys)
	}
	if used+len(text) > MaxAnnotations {
		return annotations, ErrNoRoom
	}
	if annotations == nil {
		annotations = make(map[string]string, 1)
	}
	annotations[annotation.Remainder] = text
	if list := n.Lost.listUnreadable(); list != "" {
		if used+len(text)+len(annotation.Unreadable)+len(list) <= MaxAnnotations {
			annotations[annotation.Unreadable] = list
		}
	}
	return annotations, nil
}

// ErrNoRoom says that annotations have no room for a marker.
var ErrNoRoom = errors.New("the annotations have no room to mark that this version cannot hold all of the object")

// Mark adds the label that marks the object, and returns the labels. [Object.Unmark]
// removes the label. Mark changes the labels, unless they are nil.
func (o Object) Mark(labels map[string]string) map[string]string {
	if labels == nil {
		labels = make(map[string]string, 1)
	}
	labels[annotation.RemainderLabel] = o.mark()
	return labels
}

// mark returns the value of the label. It is not Base64, which may begin with a character that
// no label may begin with.
func (o Object) mark() string { return hex.EncodeToString([]byte(o.digest())) }

// Unmark removes [annotation.RemainderLabel], and returns the labels, or nil if no other is
// left. It fails with a [TooLargeError] if the label marks this object: a client that writes
// back what it has read would lose data. The caller sets Writers of the error. Unmark changes
// the labels.
func (o Object) Unmark(labels map[string]string, tally *Tally) (map[string]string, error) {
	mark, ok := labels[annotation.RemainderLabel]
	if !ok {
		return labels, nil
	}
	if mark == o.mark() {
		tally.Refused++
		return labels, &TooLargeError{Object: o}
	}
	tally.Foreign++
	return StripLabel(labels), nil
}

// StripLabel removes the label, and returns nil if it was the last one. It changes the
// labels.
func StripLabel(labels map[string]string) map[string]string {
	return without(labels, annotation.RemainderLabel)
}

// encode writes all members that are not empty, and signs them unless keys is nil. Admission
// policies depend on the beginning of the text, [annotation.RemainderGeneration], and on the
// names lost and size.
func (e envelope) encode(object Object, keys *Keys) string {
	text := make([]byte, 0, len(e.lost.text)+512)
	number := func(name string, value int64) {
		if value != 0 {
			text = strconv.AppendInt(append(append(append(text, ',', '"'), name...), `":`...), value, 10)
		}
	}
	str := func(name, value string) {
		if value != "" {
			text = appendString(append(append(append(text, ',', '"'), name...), `":`...), value)
		}
	}
	number("format", int64(e.format))
	text[0] = '{'
	number("generation", e.generation)
	if e.lost.text != "" {
		text = append(append(text, `,"lost":`...), e.lost.text...)
	}
	at := len(text)
	str("object", string(e.object))
	str("originalVersion", e.originalVersion)
	number("size", int64(e.size))
	str("spec", string(e.spec))
	str("uid", e.uid)
	for i, writer := range e.writers {
		if i == 0 {
			text = append(text, `,"writers":[`...)
		}
		text = append(appendString(text, writer), ',')
		if i == len(e.writers)-1 {
			text[len(text)-1] = ']'
		}
	}
	text = append(text, '}')
	if keys != nil {
		text = slices.Insert(text, at, macMember(keys.sign(object, string(text)))...)
	}
	return string(text)
}

// macMember returns the member that has the MAC. Its text is always the same, so
// that nothing can be hidden in it.
func macMember(mac string) []byte { return []byte(`,"mac":"` + mac + `"`) }

// Read reads the note in an object's annotations. The note is empty if there is no
// annotation, or if the annotation was made for another object, is damaged, or is in an
// older format; the tally, which may be nil, counts these three cases.
//
// Read fails with a [TooLargeError] if the annotation is a marker, and with a
// [NewerError] if a newer release wrote it, because the write would lose data.
// It fails with an [UntrustedError] if none of the keys has signed the annotation,
// unless the keys are nil, and if the annotation is for an earlier state of the object:
// restoring its data would be as wrong as losing it. Read does not change the annotations;
// see [Strip].
func Read(annotations map[string]string, object Object, keys *Keys, tally *Tally) (Note, error) {
	text, ok := annotations[annotation.Remainder]
	if !ok {
		return Note{}, nil
	}
	if tally == nil {
		tally = &Tally{}
	}
	e, err := decode(text)
	own := e.object == object.digest()
	switch {
	case err != nil:
		tally.Damaged++
	case e.format > Format && own:
		tally.Newer++
		return Note{}, &NewerError{Object: object, Format: e.format}
	case e.format < Format:
		tally.Older++
	case !own:
		tally.Foreign++
	case !keys.signed(object, e):
		tally.Forged++
		return Note{}, &UntrustedError{Object: object}
	case e.stale(object):
		tally.Stale++
		return Note{}, &UntrustedError{Object: object, Stale: true}
	case e.size > 0:
		tally.Refused++
		return Note{}, &TooLargeError{Object: object, Size: e.size, Writers: e.writers}
	default:
		return Note{Object: object, Generation: e.generation, OriginalVersion: e.originalVersion, Spec: e.spec, Lost: e.lost}, nil
	}
	return Note{}, nil
}

var errDamaged = errors.New("damaged")

// decode reads an annotation. If it is in another format, decode reads only the format and
// the object.
func decode(text string) (e envelope, err error) {
	if len(text) > MaxAnnotations {
		return e, errDamaged
	}
	text = strings.TrimSpace(text) // people add space when they paste an annotation
	r := rawjson.New([]byte(text))
	defer r.Free()
	integer := func() int64 {
		i, err := strconv.ParseInt(string(r.Value()), 10, 64)
		if err != nil {
			r.Fail(errDamaged)
		}
		return i
	}
	first := true
	for name := range r.Members {
		member := string(name)
		switch {
		case first != (member == "format"):
			r.Fail(errDamaged)
		case first:
			e.format, first = int(integer()), false
		case member == "object":
			e.object = Digest(r.Text())
		case e.format != Format:
			r.Value()
		case member == "generation":
			e.generation = integer()
		case member == "lost":
			node, entries := readNode(r)
			e.lost = Remainder{text: text[r.Offset()-len(node) : r.Offset()], entries: entries}
		case member == "mac":
			e.mac = string(r.Text())
			end, own := r.Offset(), string(macMember(e.mac))
			if !strings.HasSuffix(text[:end], own) {
				r.Fail(errDamaged)
				break
			}
			e.unsigned = text[:end-len(own)] + text[end:]
		case member == "originalVersion":
			e.originalVersion = string(r.Text())
		case member == "size":
			e.size = int(integer())
		case member == "spec":
			e.spec = Digest(r.Text())
		case member == "uid":
			e.uid = string(r.Text())
		case member == "writers":
			for range r.Elements {
				e.writers = append(e.writers, string(r.Text()))
			}
		default:
			r.Fail(errDamaged)
		}
	}
	return e, r.End()
}

// stale reports whether the note is for an earlier state of an object, as far as that
// can be known. A change of the Spec increments the generation, and when the note is
// read, the API server has already counted the write that carries it. An object that was
// deleted and created again from a backup has another UID than its note; the note is
// accepted as long as nobody has changed the object.
func (e *envelope) stale(object Object) bool {
	switch {
	case e.uid == "" || object.UID == "":
		return false
	case e.uid != object.UID:
		return object.Generation > 1
	}
	return e.generation > 0 && object.Generation > 0 && object.Generation-1 > e.generation
}

// Strip removes [annotation.Remainder] and [annotation.Unreadable], and returns nil if
// it removed the last annotation. It changes the annotations.
func Strip(annotations map[string]string) map[string]string {
	return without(without(annotations, annotation.Remainder), annotation.Unreadable)
}

func without(all map[string]string, key string) map[string]string {
	if _, ok := all[key]; !ok {
		return all
	}
	if delete(all, key); len(all) == 0 {
		return nil
	}
	return all
}

// CheckSize fails if the annotations have more than [MaxOwn] bytes, without those of this
// package.
func (o Object) CheckSize(annotations map[string]string) error {
	size := 0
	for key, value := range annotations {
		if key != annotation.Remainder && key != annotation.Unreadable {
			size += len(key) + len(value)
		}
	}
	if size <= MaxOwn {
		return nil
	}
	return fmt.Errorf("the annotations of %s have %d bytes, expected at most %d, to leave room for marking the "+
		"object at older versions: remove annotations", o, size, MaxOwn)
}

// digest returns the digest of a list of the object's four names. It binds an annotation to
// its object.
func (o Object) digest() Digest { return encodeDigest(sum128(o.names())) }

// listUnreadable returns the paths of the entries of bags that no version can read, as a
// text for people.
func (r Remainder) listUnreadable() string {
	places := slices.Clone(r.unreadable)
	for i, place := range places {
		if len(place) > maxListedBytes {
			places[i] = strings.ToValidUTF8(place[:maxListedBytes], "") + "…"
		}
	}
	if more := len(places) - maxListed; more > 0 {
		places = append(places[:maxListed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(places, ", ")
}

// The annotation armature.dev/unreadable lists at most maxListed paths, each of at
// most maxListedBytes bytes.
const (
	maxListed      = 20
	maxListedBytes = 200
)

// names returns the canonical text of a list of group, kind, namespace and name.
func (o Object) names() []byte {
	text := append(make([]byte, 0, 256), '[')
	for _, s := range [...]string{o.Group, o.Kind, o.Namespace, o.Name} {
		text = append(appendString(text, s), ',')
	}
	return text
}

func (o Object) String() string {
	name := o.Name
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	kind := o.Kind
	if o.Group != "" {
		kind += "." + o.Group
	}
	return kind + " " + name
}

// TooLargeError is the error of a write at a version that cannot hold all data of the
// object, if the annotations had no room for the rest.
type TooLargeError struct {
	Object Object
	// Size is how many bytes the annotation would have, or 0 if it is not known because
	// there was no room for a marker either.
	Size int
	// Writers are the versions that can write the object.
	Writers []string
}

func (e *TooLargeError) Error() string {
	version := "at a version that has all of its properties, such as the newest one"
	if len(e.Writers) > 0 {
		version = "at version " + strings.Join(e.Writers, " or ")
	}
	if e.Size == 0 {
		return fmt.Sprintf("%s has data that this version cannot represent, and no room for it in its annotations: read "+
			"and write it %s, or remove the label %s to write it without that data", e.Object, version, annotation.RemainderLabel)
	}
	return fmt.Sprintf("%s has %d bytes that this version cannot represent, more than its annotations have room for: "+
		"read and write it %s", e.Object, e.Size, version)
}

// NewerError is the error of a write with an annotation of a newer release.
type NewerError struct {
	Object Object
	Format int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("the annotation %s of %s has format %d of a newer release, expected format %d: read the "+
		"object again and repeat your change", annotation.Remainder, e.Object, e.Format, Format)
}

// UntrustedError is the error of a write whose annotation cannot be trusted.
type UntrustedError struct {
	Object Object
	// Stale is true if the annotation is for an earlier state of the object, and
	// false if none of the keys has signed it.
	Stale bool
}

func (e *UntrustedError) Error() string {
	why := "was not written by this webhook, or the key that signed it is gone"
	if e.Stale {
		why = "is of an earlier state of the object"
	}
	return fmt.Sprintf("the annotation %s of %s %s: read the object again and repeat your change, or remove the "+
		"annotation from what you write; a manifest should not have it", annotation.Remainder, e.Object, why)
}
