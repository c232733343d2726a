package remainder

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/runtime/annotation"
)

// Format is the format that this release writes, and the only one it reads.
const Format = 1

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

// envelope has the members of format 1, in the order of their names.
type envelope struct {
	format          int
	generation      int64
	lost            *node
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
// object then. It fails if what is lost is no JSON. The conversion must fail then too:
// a client that writes back what it is shown would lose data.
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
		format: Format, generation: n.Generation, lost: n.Lost.root, object: n.Object.digest(),
		originalVersion: n.OriginalVersion, spec: n.Spec, uid: n.Object.UID,
	}
	text, err := e.encode(n.Object, keys)
	if err != nil && err != errDepth {
		return annotations, fmt.Errorf("the remainder of %s: %w", n.Object, err)
	}
	if n.Lost.Empty() {
		// A write without the note changes no more than the version that the
		// resource is written for, so it need not be refused.
		if used+len(text) > MaxAnnotations {
			return annotations, nil
		}
	} else if err == errDepth || used+len(text) > min(limits.Annotations, MaxAnnotations) {
		marker := envelope{
			format: Format, generation: e.generation, object: e.object, size: max(len(text), 1), uid: e.uid,
			writers: limits.Writers,
		}
		if text, err = marker.encode(n.Object, keys); err != nil {
			return annotations, err
		}
	}
	if used+len(text) > MaxAnnotations {
		return annotations, ErrNoRoom
	}
	if annotations == nil {
		annotations = make(map[string]string, 1)
	}
	annotations[annotation.Remainder] = text
	if n.Lost.unreadable {
		if list := n.Lost.listUnreadable(); used+len(text)+len(annotation.Unreadable)+len(list) <= MaxAnnotations {
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
func (e envelope) encode(object Object, keys *Keys) (text string, err error) {
	encoded(func(w *encoder) {
		w.depth = -1 // the depth is that of what is lost
		w.open('{')
		w.name("format")
		w.value(int64(e.format))
		if e.generation != 0 {
			w.name("generation")
			w.value(e.generation)
		}
		if e.lost != nil {
			w.name("lost")
			w.node(e.lost)
		}
		at := len(w.text)
		w.name("object")
		w.string(string(e.object))
		if e.originalVersion != "" {
			w.name("originalVersion")
			w.string(e.originalVersion)
		}
		if e.size != 0 {
			w.name("size")
			w.value(int64(e.size))
		}
		if e.spec != "" {
			w.name("spec")
			w.string(string(e.spec))
		}
		if e.uid != "" {
			w.name("uid")
			w.string(e.uid)
		}
		if len(e.writers) > 0 {
			w.name("writers")
			w.strings(e.writers)
		}
		w.shut('}')
		if keys != nil {
			w.text = slices.Insert(w.text, at, macMember(keys.sign(object, string(w.text)))...)
		}
		text, err = string(w.text), w.err
	})
	return text, err
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
		return Note{Object: object, Generation: e.generation, OriginalVersion: e.originalVersion, Spec: e.spec,
			Lost: Remainder{root: e.lost}}, nil
	}
	return Note{}, nil
}

var errDamaged = errors.New("damaged")

// decode reads an annotation. Of another format it reads the format and the
// object only.
func decode(text string) (envelope, error) {
	if len(text) > MaxAnnotations {
		return envelope{}, errDamaged
	}
	text = strings.TrimSpace(text) // which people add when they paste it
	var e envelope
	r := reader{members: map[string]any{}}
	p := newParser([]byte(text), text)
	p.members(func(name string) {
		switch {
		case name == "format":
			e.format = p.int()
		case name == "lost" && e.format == Format: // which comes before it
			e.lost = p.node()
		case name == "mac" && e.format == Format:
			e.mac = p.string()
			end, member := p.Offset(), string(macMember(e.mac))
			if !strings.HasSuffix(text[:end], member) {
				p.fail()
				return
			}
			e.unsigned = text[:end-len(member)] + text[end:]
		default:
			r.members[name] = p.value()
		}
	})
	if err := p.end(); err != nil {
		return envelope{}, err
	}
	e.object = Digest(r.string("object"))
	if !r.damaged && e.format != Format {
		return e, nil
	}
	e.originalVersion, e.spec = r.string("originalVersion"), Digest(r.string("spec"))
	e.generation, e.size, e.writers = int64(r.int("generation")), r.int("size"), r.strings("writers")
	e.uid = r.string("uid")
	if r.damaged || len(r.members) > 0 {
		return envelope{}, errDamaged
	}
	return e, nil
}

// reader takes members out of an object. An absent member is empty.
type reader struct {
	members map[string]any
	damaged bool
}

func (r *reader) take(name string) (any, bool) {
	value, ok := r.members[name]
	delete(r.members, name)
	return value, ok
}

func (r *reader) string(name string) string {
	value, present := r.take(name)
	s, ok := value.(string)
	r.damaged = r.damaged || present && !ok
	return s
}

func (r *reader) int(name string) int {
	value, present := r.take(name)
	number, _ := value.(json.Number)
	i, err := strconv.Atoi(string(number))
	r.damaged = r.damaged || present && err != nil
	return i
}

func (r *reader) strings(name string) []string {
	value, present := r.take(name)
	array, ok := value.([]any)
	r.damaged = r.damaged || present && !ok
	var all []string
	for _, element := range array {
		s, ok := element.(string)
		r.damaged = r.damaged || !ok
		all = append(all, s)
	}
	return all
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
