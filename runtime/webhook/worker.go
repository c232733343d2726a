package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/convert"
	"github.com/armature-dev/armature/runtime/remainder"
)

// worker converts objects, one at a time. It has what they would otherwise
// allocate each.
type worker struct {
	*Handler
	desired string // apiVersion

	input   []byte // what is decoded, where it is not as it came
	output  bytes.Buffer
	encoder *json.Encoder
	// arena has the results, in chunks that are never moved.
	arena  []byte
	chunks [][]byte

	// last is the route of the object before, which most likely is the next one's too.
	last struct {
		apiVersion, kind []byte
		route            *route
	}
}

// chunkSize is the size of a chunk of an arena. An object that needs more has
// one of its own.
const chunkSize = 256 << 10

var (
	workers = sync.Pool{New: func() any {
		w := &worker{}
		w.encoder = json.NewEncoder(&w.output)
		w.encoder.SetEscapeHTML(false)
		return w
	}}
	chunks = sync.Pool{New: func() any { return new([chunkSize]byte) }}
)

func (h *Handler) newWorker(desired string) *worker {
	w := workers.Get().(*worker)
	w.Handler, w.desired = h, desired
	return w
}

// release gives all that the worker had back. Its results are gone then.
func (w *worker) release() {
	for _, chunk := range w.chunks {
		if cap(chunk) == chunkSize {
			chunks.Put((*[chunkSize]byte)(chunk[:chunkSize]))
		}
	}
	*w = worker{input: w.input[:0], output: w.output, encoder: w.encoder}
	if cap(w.input)+w.output.Cap() <= 2*chunkSize { // a single huge object is not to be paid for ever after
		workers.Put(w)
	}
}

// reserve makes room for a result of about n bytes.
func (w *worker) reserve(n int) {
	if cap(w.arena)-len(w.arena) >= n {
		return
	}
	if n > chunkSize/4 {
		w.arena = make([]byte, 0, n)
	} else {
		w.arena = chunks.Get().(*[chunkSize]byte)[:0]
	}
	w.chunks = append(w.chunks, w.arena)
}

// attempt is the conversion of one object.
type attempt struct {
	raw   []byte
	head  head
	route *route
	// about conversion through Go types
	context conversion.Context
	carried int // bytes of the remainder
}

// convert converts an object. The result is valid until the worker is released.
func (w *worker) convert(raw []byte) (converted []byte, err error) {
	a := &attempt{raw: raw, route: w.unknown}
	start := time.Now()
	defer func() {
		if value := recover(); value != nil {
			converted, err = nil, convert.Recovered(value)
		}
		if err != nil {
			err = w.failed(a, err)
		}
		a.route.metrics.observe(a, time.Since(start), len(converted), err)
	}()
	if a.head, err = headOf(raw, w.options.MaxDepth); err != nil {
		return nil, err
	}
	if err := w.findRoute(a); err != nil {
		return nil, err
	}
	switch r := a.route; {
	case r.to == r.from:
		if !valid(raw) {
			return nil, errors.New("it is no JSON, or has duplicate names or invalid UTF-8")
		}
		return raw, nil
	case r.untyped != nil:
		return w.convertUntyped(a)
	default:
		return w.convertTyped(a)
	}
}

func (w *worker) findRoute(a *attempt) error {
	if w.last.route != nil && bytes.Equal(w.last.apiVersion, a.head.apiVersion) && bytes.Equal(w.last.kind, a.head.kind) {
		a.route = w.last.route
		return nil
	}
	apiVersion, err := unquote(a.head.apiVersion)
	if err != nil {
		return errors.New("its apiVersion is not a string")
	}
	kind, err := unquote(a.head.kind)
	if err != nil {
		return errors.New("its kind is not a string")
	}
	if a.route, err = w.routeOf(string(apiVersion), string(kind), w.desired); err != nil {
		return err
	}
	w.last.apiVersion, w.last.kind, w.last.route = a.head.apiVersion, a.head.kind, a.route
	return nil
}

func (w *worker) convertTyped(a *attempt) ([]byte, error) {
	m, input, err := w.readable(a)
	if err != nil {
		return nil, err
	}
	src, dst := a.route.src.new(), a.route.dst.new()
	if err := a.route.src.decode(input, src); err != nil {
		return nil, decodingError(err)
	}
	before := src.GetObjectMeta().(*metav1.ObjectMeta).DeepCopy() // a conversion may share maps with its source
	if err := a.route.through(&a.context, src, dst); err != nil {
		return nil, err
	}
	after := *dst.GetObjectMeta().(*metav1.ObjectMeta)
	a.carried = len(after.Annotations[remainder.Annotation])

	// The metadata is written from its source, so it need not be encoded.
	*dst.GetObjectMeta().(*metav1.ObjectMeta) = metav1.ObjectMeta{}
	dst.GetObjectKind().SetGroupVersionKind(a.route.dst.GroupVersionKind)
	w.output.Reset()
	if err := w.encoder.Encode(dst); err != nil {
		return nil, encodingError(err)
	}
	return w.finish(m, bytes.TrimSuffix(w.output.Bytes(), []byte("\n")), before, &after)
}

// readable is the metadata of an object, and the object without managed fields.
func (w *worker) readable(a *attempt) (metadata, []byte, error) {
	if !a.head.metadata.found() {
		return metadata{}, a.raw, nil
	}
	m, err := parseMetadata(a.head.metadata.of(a.raw), w.options.MaxDepth)
	if err != nil {
		return m, nil, fmt.Errorf("metadata: %w", err)
	}
	if !m.managedFields.found() {
		return m, a.raw, nil
	}
	w.input, err = m.withoutManagedFields(w.input[:0], a.raw, a.head.metadata.from)
	return m, w.input, err
}

// finish checks the metadata of a converted object and puts its own in place
// of what the encoded one has.
func (w *worker) finish(m metadata, encoded []byte, before, after *metav1.ObjectMeta) ([]byte, error) {
	if err := checkMetadata(before, after); err != nil {
		return nil, err
	}
	room := len(encoded) + len(m.raw)
	for name, value := range after.Annotations {
		room += len(name) + 2*len(value) // with what JSON escapes
	}
	w.reserve(room)
	from := len(w.arena)
	if m.raw == nil {
		w.arena = append(w.arena, encoded...)
		return w.arena[from:], nil
	}
	var err error
	w.arena, err = splice(w.arena, encoded, func(dst []byte) []byte { return m.write(dst, before, after) })
	return w.arena[from:len(w.arena):len(w.arena)], err
}

// through converts src to dst, by way of the hub where neither is it.
func (r *route) through(c *conversion.Context, src, dst object) error {
	switch {
	case r.src.hub:
		return dst.(conversion.Convertible).ConvertFrom(accompanied(c, src.(conversion.Hub), dst))
	case r.dst.hub:
		return src.(conversion.Convertible).ConvertTo(accompanied(c, dst.(conversion.Hub), src))
	}
	hub := r.hub.new().(conversion.Hub)
	if err := src.(conversion.Convertible).ConvertTo(accompanied(c, hub, src)); err != nil {
		return err
	}
	return dst.(conversion.Convertible).ConvertFrom(accompanied(c, hub, dst))
}

// accompanied is the hub for a conversion that the Context goes along with. A
// conversion that somebody wrote by hand knows nothing of a Context.
func accompanied(c *conversion.Context, hub conversion.Hub, spoke object) conversion.Hub {
	if _, generated := spoke.(conversion.KubernetesResource); generated {
		return c.Hub(hub)
	}
	return hub
}

func (w *worker) convertUntyped(a *attempt) ([]byte, error) {
	result, err := a.route.untyped(convert.Convertible{RawExtension: runtime.RawExtension{Raw: a.raw}}, w.desired)
	if err != nil {
		return nil, err
	}
	encoded, err := result.MarshalJSON()
	if err != nil {
		return nil, encodingError(err)
	}
	if err := w.promised(a, encoded); err != nil {
		return nil, err
	}
	m, input, err := w.readable(a)
	if err != nil {
		return nil, err
	}
	var before, after metav1.PartialObjectMetadata
	if err := decodeStrictly(input, &before); err != nil {
		return nil, decodingError(err)
	}
	if err := decodeStrictly(encoded, &after); err != nil {
		return nil, fmt.Errorf("what it converted to: %w", decodingError(err))
	}
	after.ManagedFields = nil
	finished, err := w.finish(m, encoded, &before.ObjectMeta, &after.ObjectMeta)
	if err == nil && a.route.metrics == w.unknown.metrics {
		w.converts(a.route)
	}
	return finished, err
}

// promised checks that a function made an object of the kind and version that
// were asked for.
func (w *worker) promised(a *attempt, encoded []byte) error {
	h, err := headOf(encoded, w.options.MaxDepth)
	if err != nil {
		return fmt.Errorf("what it converted to: %w", err)
	}
	apiVersion, err1 := unquote(h.apiVersion)
	kind, err2 := unquote(h.kind)
	if err1 != nil || err2 != nil || string(apiVersion) != w.desired || string(kind) != a.route.kind {
		return fmt.Errorf("it converted to kind %s of apiVersion %s, expected %s of %s", clip(string(kind)), clip(string(apiVersion)), a.route.kind, w.desired)
	}
	return nil
}

// encodingError says which type is no JSON, and nothing of what it has.
func encodingError(err error) error {
	var unsupported *json.UnsupportedValueError
	var marshaler *json.MarshalerError
	switch {
	case errors.As(err, &unsupported):
		return fmt.Errorf("it converted to what is no JSON: %w", err) // such as NaN
	case errors.As(err, &marshaler):
		return fmt.Errorf("it converted to what is no JSON: a %s", marshaler.Type)
	}
	return errors.New("it converted to what is no JSON")
}

// failed says which object it was. It logs a panic, with its stack.
func (w *worker) failed(a *attempt, err error) error {
	name := nameOf(a.raw, a.head.metadata, w.options.MaxDepth)
	kind, from := "object", ""
	if a.route.kind != "" {
		kind = a.route.kind + "." + a.route.group
	}
	if version, e := unquote(a.head.apiVersion); e == nil && len(version) > 0 {
		from = " of " + path.Base(clean(string(version)))
	}
	message := fmt.Sprintf("%s %s%s does not convert to %s", kind, name, from, path.Base(clean(w.desired)))
	var panicked *convert.PanicError
	if errors.As(err, &panicked) {
		w.options.Logger.Error("panic in a conversion", "object", message, "place", panicked.Place, "stack", string(panicked.Stack))
	}
	return fmt.Errorf("%s: %w", message, err)
}

// nameOf is namespace and name of an object, as far as they can be found.
func nameOf(object []byte, m span, depth int) string {
	var namespace, name string
	s := scanner{data: object, at: m.from, limit: depth}
	if m.found() {
		_ = s.values(func(f member, v span) error {
			text, err := unquote(v.of(object))
			switch {
			case err != nil:
			case string(f.name) == "namespace":
				namespace = clean(string(text))
			case string(f.name) == "name":
				name = clean(string(text))
			}
			return nil
		})
	}
	if name == "" {
		name = "without a name"
	}
	return path.Join(namespace, name)
}

// unreadable logs what a bag has and cannot be read. It stays in the bag.
func (w *worker) unreadable(a *attempt) {
	w.options.Logger.Warn("entries of a bag cannot be read; they stay in it", "object",
		nameOf(a.raw, a.head.metadata, w.options.MaxDepth), "kind", a.route.kind, "group", a.route.group, "entries", a.context.Tally.Unreadable)
}
