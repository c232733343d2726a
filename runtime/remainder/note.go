package remainder

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Annotation is the annotation of an object in transit that holds what an API
// version cannot. It is never stored.
const Annotation = "armature.dev/remainder"

// Format is the format that this release writes, and the only one it reads.
const Format = 1

// MaxAnnotations is how many bytes the keys and values of all annotations of
// an object may have. The API server fails the read of one that has more, and
// any list with it.
const MaxAnnotations = 256 << 10

// Object is what an annotation is bound to, so that a manifest that was copied
// for another object brings nothing along.
type Object struct {
	Group, Kind, Namespace, Name string
}

// Note is what an annotation says.
type Note struct {
	Object Object
	// OriginalVersion is the originalVersion of the storage Spec.
	OriginalVersion string
	// Spec is the digest of the Spec as shown. It is empty, and so is
	// OriginalVersion, if the conversion to the hub gives the same version.
	Spec Digest
	// Lost is what the conversion loses.
	Lost Remainder
}

// SpecUnchanged is whether a Spec, a JSON tree in the shape in which Spec was
// made, is the Spec as shown.
func (n Note) SpecUnchanged(spec any) bool { return n.Spec == DigestOf(spec) }

// Empty is whether the note says nothing, so that no annotation is needed.
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

// envelope is format 1, its fields in the order of their names.
type envelope struct {
	Format          int             `json:"format"`
	Lost            json.RawMessage `json:"lost,omitempty"`
	Object          Digest          `json:"object"`
	OriginalVersion string          `json:"originalVersion,omitempty"`
	Size            int             `json:"size,omitempty"` // of a marker: what there is no room for
	Spec            Digest          `json:"spec,omitempty"`
	Writers         []string        `json:"writers,omitempty"`
}

// Write returns annotations with what the note says, in place of any that is
// there; with a marker, if that is more than the limits allow; or without, if
// the note says nothing. It changes the annotations, unless they are nil.
//
// It fails if not even the marker has room, or if what is lost is no JSON. The
// conversion must fail then too: a write of what the client would be shown
// loses data.
func (n Note) Write(annotations map[string]string, limits Limits) (map[string]string, error) {
	annotations = Strip(annotations)
	if n.Empty() {
		return annotations, nil
	}
	if limits.Annotations == 0 {
		limits.Annotations = DefaultLimit
	}
	used := len(Annotation)
	for key, value := range annotations {
		used += len(key) + len(value)
	}
	text, err := n.encode()
	if err != nil && err != errDepth {
		return annotations, fmt.Errorf("the remainder of %s: %w", n.Object, err)
	}
	if err == errDepth || used+len(text) > min(limits.Annotations, MaxAnnotations) {
		marker := envelope{Format: Format, Object: n.Object.digest(), Size: max(len(text), 1), Writers: limits.Writers}
		if text, err = marker.encode(); err != nil {
			return annotations, err
		}
	}
	if used+len(text) > MaxAnnotations {
		return annotations, fmt.Errorf("the annotations of %s have %d of %d bytes, no room to mark what this version cannot hold: remove annotations", n.Object, used-len(Annotation), MaxAnnotations)
	}
	if annotations == nil {
		annotations = make(map[string]string, 1)
	}
	annotations[Annotation] = string(text)
	return annotations, nil
}

func (n Note) encode() ([]byte, error) {
	e := envelope{Format: Format, Object: n.Object.digest(), OriginalVersion: n.OriginalVersion, Spec: n.Spec}
	if !n.Lost.Empty() {
		var lost encoder
		lost.node(n.Lost.root)
		if lost.err != nil {
			return nil, lost.err
		}
		e.Lost = lost.text
	}
	return e.encode()
}

// encode writes the members in the order of their names, and no more escapes
// than JSON needs.
func (e envelope) encode() ([]byte, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(text.String(), "\n")), nil
}

// Read reads the note on an object. There is none if there is no annotation,
// if it was made for another object, and if it is damaged or in a format of
// the past; the tally, which may be nil, counts the latter.
//
// It fails with a [TooLargeError] if the annotation is a marker, and with a
// [NewerError] if a newer release wrote it: what those stand for would be
// lost. Read leaves the annotations as they are; see [Strip].
func Read(annotations map[string]string, object Object, tally *Tally) (Note, error) {
	text, ok := annotations[Annotation]
	if !ok {
		return Note{}, nil
	}
	if tally == nil {
		tally = &Tally{}
	}
	e, lost, err := decode(text)
	switch {
	case err != nil:
		tally.Damaged++
	case e.Format > Format && e.Object == object.digest():
		tally.Newer++
		return Note{}, &NewerError{Object: object, Format: e.Format}
	case e.Format < Format:
		tally.Older++
	case e.Object != object.digest():
		tally.Foreign++
	case e.Size > 0:
		tally.Refused++
		return Note{}, &TooLargeError{Object: object, Size: e.Size, Writers: e.Writers}
	default:
		return Note{Object: object, OriginalVersion: e.OriginalVersion, Spec: e.Spec, Lost: Remainder{lost}}, nil
	}
	return Note{}, nil
}

var errDamaged = errors.New("damaged")

// decode reads an annotation. Of another format it reads the format and the
// object only.
func decode(text string) (envelope, *node, error) {
	if len(text) > MaxAnnotations {
		return envelope{}, nil, errDamaged
	}
	tree, err := parse([]byte(text))
	if err != nil {
		return envelope{}, nil, err
	}
	members, ok := tree.(map[string]any)
	if !ok {
		return envelope{}, nil, errDamaged
	}
	r := reader{members: members}
	e := envelope{Format: r.int("format"), Object: Digest(r.string("object"))}
	if !r.damaged && e.Format != Format {
		return e, nil, nil
	}
	e.OriginalVersion, e.Spec = r.string("originalVersion"), Digest(r.string("spec"))
	e.Size, e.Writers = r.int("size"), r.strings("writers")
	var lost *node
	if tree, ok := r.take("lost"); ok {
		lost = decodeNode(tree)
		r.damaged = r.damaged || lost == nil
	}
	if r.damaged || len(members) > 0 {
		return envelope{}, nil, errDamaged
	}
	return e, lost, nil
}

// reader takes members out of an object. What is absent is empty.
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
	value, there := r.take(name)
	s, ok := value.(string)
	r.damaged = r.damaged || there && !ok
	return s
}

func (r *reader) int(name string) int {
	value, there := r.take(name)
	number, _ := value.(json.Number)
	i, err := strconv.Atoi(string(number))
	r.damaged = r.damaged || there && err != nil
	return i
}

func (r *reader) strings(name string) []string {
	value, there := r.take(name)
	if !there {
		return nil
	}
	all, ok := decodeStrings(value)
	r.damaged = r.damaged || !ok
	return all
}

// Strip removes the annotation, and the map if nothing else is in it. It
// changes the annotations.
func Strip(annotations map[string]string) map[string]string {
	if _, ok := annotations[Annotation]; !ok {
		return annotations
	}
	if delete(annotations, Annotation); len(annotations) == 0 {
		return nil
	}
	return annotations
}

// digest binds an annotation to its object.
func (o Object) digest() Digest {
	return DigestOf([]any{o.Group, o.Kind, o.Namespace, o.Name})
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

// TooLargeError refuses a write through a version that cannot hold all of the
// object, when what it lacks had no room in the annotation.
type TooLargeError struct {
	Object Object
	// Size is how many bytes the annotation would have.
	Size int
	// Writers are the versions that can write the object.
	Writers []string
}

func (e *TooLargeError) Error() string {
	with := "a newer version"
	if len(e.Writers) > 0 {
		with = strings.Join(e.Writers, ", ")
	}
	return fmt.Sprintf("%s has more that this version cannot hold than fits into its annotations (%d bytes): read and write it with %s", e.Object, e.Size, with)
}

// NewerError refuses a write of what a newer release was asked for.
type NewerError struct {
	Object Object
	Format int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("the annotation %s of %s has format %d of a newer release, this one reads %d: read the object again, then write", Annotation, e.Object, e.Format, Format)
}
