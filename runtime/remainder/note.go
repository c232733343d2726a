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
// an object may have. The API server fails the read of one that has more, and
// any list with it.
const MaxAnnotations = 256 << 10

// MaxOwn is how many bytes the keys and values of an object's other annotations
// may have when it is written at an API version. The rest of [MaxAnnotations] is
// enough for a marker, at whichever version the object is read.
const MaxOwn = MaxAnnotations - 4<<10

// Object identifies the object that an annotation is bound to. So a manifest
// that was copied for another object restores nothing there.
type Object struct {
	Group, Kind, Namespace, Name string
	// UID and Generation are those of the metadata. Both are empty where they
	// are not known, and bind nothing then.
	UID        string
	Generation int64
}

// Note is the content of an annotation.
type Note struct {
	Object Object
	// Generation is that of the object as it was read, or 0. An admission policy
	// compares it with the generation of the object that is written to.
	Generation int64
	// OriginalVersion is the originalVersion of the storage Spec.
	OriginalVersion string
	// Spec is the digest of the Spec as shown. It is empty, and so is
	// OriginalVersion, if the conversion to the hub gives the same version.
	Spec Digest
	// Lost has what the conversion loses.
	Lost Remainder
}

// Empty reports whether the note has nothing to say, so that no annotation is needed.
func (n Note) Empty() bool { return n.Lost.Empty() && n.Spec == "" }

// Limits bounds what is written.
type Limits struct {
	// Annotations is how many bytes all annotations may have together,
	// [DefaultLimit] if it is 0, never more than [MaxAnnotations].
	Annotations int
	// Writers are the versions that a client can write without loss, for the
	// error that it gets where there is no room.
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
	size            int // of a marker: what there is no room for
	spec            Digest
	uid             string
	writers         []string

	unsigned string // the text without mac, where it was read
}

// Write returns annotations with the note in place of a former one; with a marker, if
// the note is longer than the limits allow; or without either, if the note is empty, or
// nothing is lost and there is no room for the rest. It changes the annotations, unless
// they are nil. The keys sign what it writes, unless they are nil.
//
// It returns [ErrNoRoom] if not even the marker has room: [Object.Mark] has to mark the
// object then.
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
		// A write without the note changes no more than the version that the
		// resource is written for, so it need not be refused.
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
var ErrNoRoom = errors.New("the annotations have no room to mark what this version cannot hold")

// Mark returns labels with the one that marks the object, which [Object.Unmark]
// removes. It changes the labels, unless they are nil.
func (o Object) Mark(labels map[string]string) map[string]string {
	if labels == nil {
		labels = make(map[string]string, 1)
	}
	labels[annotation.RemainderLabel] = o.mark()
	return labels
}

// mark is the label's value. Base64 may begin with what a label may not.
func (o Object) mark() string { return hex.EncodeToString([]byte(o.digest())) }

// Unmark returns labels without [annotation.RemainderLabel], and nil if no other is
// left. It fails with a [TooLargeError] if the label marks the object: a client that
// writes back what it was shown would lose data. The caller adds to the error which
// versions can write the object. Unmark changes the labels.
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

// encode writes all members but those that are empty, signed by keys. Admission policies
// know the beginning, [annotation.RemainderGeneration], and the names lost and size.
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

// Read reads the note on an object. There is none if there is no annotation, if it was
// made for another object, and if it is damaged or in an older format; the tally, which
// may be nil, counts the last three.
//
// It fails with a [TooLargeError] if the annotation is a marker, and with a
// [NewerError] if a newer release wrote it: otherwise what these carry would be lost.
// It fails with an [UntrustedError] if none of the keys has signed the annotation,
// unless the keys are nil, and if it is of an earlier state of the object: applying it
// would be as wrong as losing what it carries. Read leaves the annotations as they are;
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

// decode reads an annotation. Of another format it reads the format and the
// object only.
func decode(text string) (e envelope, err error) {
	if len(text) > MaxAnnotations {
		return e, errDamaged
	}
	text = strings.TrimSpace(text) // which people add when they paste it
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

// stale reports whether the note is of an earlier state of an object, as far as
// that can be known. A change of the Spec makes the generation one larger, and
// the API server has counted the change that carries the note when the note is
// read. An object that was deleted and made again from a backup has another UID
// than the one in its note; it takes the note as long as nobody has changed it.
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

// CheckSize fails if annotations, without this package's own, have more than
// [MaxOwn] bytes.
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
	return fmt.Errorf("the annotations of %s have %d bytes, at most %d leave room to mark what an older version "+
		"cannot hold: remove annotations", o, size, MaxOwn)
}

// digest binds an annotation to its object. It is the digest of a list of the four
// names.
func (o Object) digest() Digest { return encodeDigest(half(o.names())) }

// listUnreadable returns the places of the entries of bags that no version can
// read, for people.
func (r Remainder) listUnreadable() string {
	places := slices.Clone(r.unreadable)
	for i, place := range places {
		if len(place) > mostBytes {
			places[i] = strings.ToValidUTF8(place[:mostBytes], "") + "…"
		}
	}
	if more := len(places) - mostListed; more > 0 {
		places = append(places[:mostListed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(places, ", ")
}

// The annotation armature.dev/unreadable lists at most mostListed places, each of at
// most mostBytes bytes.
const (
	mostListed = 20
	mostBytes  = 200
)

// names returns the text of a list of group, kind, namespace and name.
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

// TooLargeError refuses a write at a version that cannot hold all of the object, where
// the rest had no room in the annotation.
type TooLargeError struct {
	Object Object
	// Size is how many bytes the annotation would have, 0 if there was no room for a
	// marker either.
	Size int
	// Writers are the versions that can write the object.
	Writers []string
}

func (e *TooLargeError) Error() string {
	with := "a newer version"
	if len(e.Writers) > 0 {
		with = strings.Join(e.Writers, ", ")
	}
	if e.Size == 0 {
		return fmt.Sprintf("%s has more than this version can hold, and no room for it in its annotations: read "+
			"and write it with %s, or remove the label %s to write without the rest", e.Object, with, annotation.RemainderLabel)
	}
	return fmt.Sprintf("%s has more that this version cannot hold than fits into its annotations (%d bytes): "+
		"read and write it with %s", e.Object, e.Size, with)
}

// NewerError refuses a write with an annotation of a newer release.
type NewerError struct {
	Object Object
	Format int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("the annotation %s of %s has format %d of a newer release, this one reads %d: read the "+
		"object again, then write", annotation.Remainder, e.Object, e.Format, Format)
}

// UntrustedError refuses a write whose annotation cannot be applied.
type UntrustedError struct {
	Object Object
	// Stale is true if the annotation is of an earlier state of the object, and
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
