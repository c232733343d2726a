package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/untyped"
)

// worker converts objects, one at a time. It keeps the buffers that each conversion
// would otherwise allocate.
type worker struct {
	*Handler
	reservation *reservation
	desired     string // apiVersion

	input   []byte // the object to decode, if it is not the text in the body
	output  bytes.Buffer
	encoder *json.Encoder
	result  []byte // with the metadata in place
	// overflow has the ends of results that do not fit where their objects were,
	// in chunks that are never moved.
	overflow []byte
	chunks   []*[chunkSize]byte

	// last is the route of the previous object. The next one most likely has the same route.
	last struct {
		apiVersion, kind []byte
		route            *route
	}
}

// chunkSize is the size of a chunk of overflow. Larger ends of results have memory of their own.
const chunkSize = 64 << 10

// result is a converted object, in two parts: the first is in the memory of the original
// object. So a review takes little more memory than its body.
type result [2][]byte

func (r result) size() int { return len(r[0]) + len(r[1]) }

var (
	workers = sync.Pool{New: func() any {
		w := &worker{}
		w.encoder = json.NewEncoder(&w.output)
		w.encoder.SetEscapeHTML(false)
		return w
	}}
	chunks = sync.Pool{New: func() any { return new([chunkSize]byte) }}
)

func (h *Handler) newWorker(desired string, l *reservation) *worker {
	w := workers.Get().(*worker)
	w.Handler, w.desired, w.reservation = h, desired, l
	return w
}

// release returns the worker and its chunks to their pools. Its results are invalid after that.
func (w *worker) release() {
	for _, chunk := range w.chunks {
		chunks.Put(chunk)
	}
	clear(w.chunks)
	w.Handler, w.desired, w.reservation, w.overflow, w.chunks, w.last.route = nil, "", nil, nil, w.chunks[:0], nil
	workers.Put(w)
}

// shrink drops the buffers if a large object has made them large, since no budget counts them.
func (w *worker) shrink() {
	if cap(w.input)+w.output.Cap()+cap(w.result) > spareBytes {
		w.input, w.output, w.result = nil, bytes.Buffer{}, nil
	}
}

// store copies a result to the memory of its object, and the end that does not fit there to
// overflow.
func (w *worker) store(object, converted []byte) (result, error) {
	if err := w.reservation.reserveExtra(int64(max(len(converted)-len(object), 0))); err != nil {
		return result{}, err
	}
	n := copy(object, converted)
	rest := converted[n:]
	switch {
	case len(rest) == 0:
		return result{object[:n]}, nil
	case len(rest) > chunkSize/4:
		return result{object[:n], bytes.Clone(rest)}, nil
	case len(rest) > cap(w.overflow)-len(w.overflow):
		chunk := chunks.Get().(*[chunkSize]byte)
		w.chunks, w.overflow = append(w.chunks, chunk), chunk[:0]
	}
	from := len(w.overflow)
	w.overflow = append(w.overflow, rest...)
	return result{object[:n], w.overflow[from:]}, nil
}

// attempt is the conversion of one object.
type attempt struct {
	measured
	head     head
	metadata metadata
	route    *route
	weight   int64
	// for a conversion through Go types
	context conversion.Context
	carried int // bytes of the remainder
}

// convert converts an object. It waits until the budget has room for it. Unless it fails,
// it reuses the memory of the object for the result, which is valid until the reservation of
// the review is released. If there is no time or no room, the error is that of [budget.enter].
func (w *worker) convert(ctx context.Context, object measured) (converted result, err error) {
	a := &attempt{measured: object, route: w.unknown}
	a.context.Keys = w.options.Keys()
	if err = w.prepare(a); err == nil {
		if err := w.budget.enter(ctx, a.weight); err != nil {
			return result{}, err
		}
		defer w.budget.leave(a.weight)
	}
	start := time.Now()
	if err == nil {
		converted, err = w.convertSafely(a)
	}
	if err == errBusy {
		return result{}, err
	}
	if err != nil {
		err = w.objectError(a, err)
	}
	a.route.metrics.observe(a, time.Since(start), converted.size(), err)
	return converted, err
}

// prepare finds the route of an object, and checks the limits of its size.
func (w *worker) prepare(a *attempt) (err error) {
	if a.head, err = headOf(a.raw); err != nil {
		return err
	}
	if a.head.metadata.found() {
		if a.metadata, err = parseMetadata(a.head.metadata.of(a.raw)); err != nil {
			return fmt.Errorf("metadata: %w", err)
		}
	}
	if err := w.findRoute(a); err != nil {
		return err
	}
	// Every stored object must be readable, whatever reading adds to it, so the limits for a
	// write are the lower ones. An object that is being deleted is accepted as it is, because
	// otherwise it could never be deleted.
	written := a.route.write && !a.metadata.deleted
	a.weight = a.route.structSizes.weight(len(a.raw), a.measure, a.metadata.annotationSize())
	limit := w.budget.maxRead
	if written {
		limit = w.budget.maxWritten
	}
	switch {
	case written && a.measure.Depth > w.options.MaxDepth:
		return &largeError{fmt.Sprintf("JSON is nested deeper than the limit of %d", w.options.MaxDepth)}
	case a.weight > limit:
		return &largeError{fmt.Sprintf("%d objects, %d strings, %d lists and %d other values may take %d MB of "+
			"memory to convert, more than the limit of %d MB: its lists are too long",
			a.measure.Objects, a.measure.Strings, a.measure.Lists, a.measure.Others, a.weight>>20, limit>>20)}
	}
	return nil
}

// convertSafely converts an object, and turns a panic into an error.
func (w *worker) convertSafely(a *attempt) (converted result, err error) {
	defer w.shrink() // after the result was copied
	defer func() {
		if value := recover(); value != nil {
			converted, err = result{}, untyped.Recovered(value)
		}
	}()
	switch r := a.route; {
	case r.to == r.from:
		if !valid(a.raw) {
			return result{}, errors.New("invalid JSON, duplicate names or invalid UTF-8")
		}
		return result{a.raw}, nil
	case r.untyped != nil:
		err = w.convertUntyped(a)
	default:
		err = w.convertTyped(a)
	}
	if a.context.Unreadable > 0 {
		w.logUnreadable(a)
	}
	if err != nil {
		return result{}, err
	}
	return w.store(a.raw, w.result)
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
	w.last.apiVersion, w.last.kind, w.last.route = append(w.last.apiVersion[:0], a.head.apiVersion...),
		append(w.last.kind[:0], a.head.kind...), a.route
	return nil
}

// convertTyped converts an object through Go types.
func (w *worker) convertTyped(a *attempt) error {
	input, err := w.withoutManagedFields(a)
	if err != nil {
		return err
	}
	src, err := w.decode(a, input)
	if err != nil {
		return err
	}
	dst := a.route.dst.new()
	before := src.GetObjectMeta().(*metav1.ObjectMeta).DeepCopy() // a conversion may share maps with its source
	if err := a.route.convert(&a.context, src, dst); err != nil {
		return err
	}
	after := *dst.GetObjectMeta().(*metav1.ObjectMeta)
	a.carried = len(after.Annotations[annotation.Remainder])

	// The metadata is written from the request, so it need not be encoded.
	*dst.GetObjectMeta().(*metav1.ObjectMeta) = metav1.ObjectMeta{}
	dst.GetObjectKind().SetGroupVersionKind(a.route.dst.GroupVersionKind)
	w.output.Reset()
	if err := w.encoder.Encode(dst); err != nil {
		return encodingError(err)
	}
	return w.finish(a.metadata, bytes.TrimSuffix(w.output.Bytes(), []byte("\n")), before, &after)
}

// withoutManagedFields returns an object without managed fields.
func (w *worker) withoutManagedFields(a *attempt) (input []byte, err error) {
	if !a.metadata.managedFields.found() {
		return a.raw, nil
	}
	w.input, err = a.metadata.withoutManagedFields(w.input[:0], a.raw, a.head.metadata.from)
	return w.input, err
}

// finish sets the worker's result to an encoded object. Its metadata comes from the request,
// except for labels and annotations that the conversion has changed.
func (w *worker) finish(m metadata, encoded []byte, before, after *metav1.ObjectMeta) (err error) {
	if err := checkMetadata(before, after); err != nil {
		return err
	}
	w.result = w.result[:0]
	if m.raw == nil {
		w.result = append(w.result, encoded...)
		return nil
	}
	w.result, err = splice(w.result, encoded, func(dst []byte) []byte { return m.write(dst, before, after) })
	return err
}

// convert converts src to dst, by way of the hub if neither is the hub.
func (r *route) convert(c *conversion.Context, src, dst object) error {
	switch {
	case r.src.hub:
		return dst.(conversion.Convertible).ConvertFrom(withContext(c, src.(conversion.Hub), dst))
	case r.dst.hub:
		return src.(conversion.Convertible).ConvertTo(withContext(c, dst.(conversion.Hub), src))
	}
	hub := r.hub.new().(conversion.Hub)
	if err := src.(conversion.Convertible).ConvertTo(withContext(c, hub, src)); err != nil {
		return err
	}
	return dst.(conversion.Convertible).ConvertFrom(withContext(c, hub, dst))
}

// withContext returns the hub for a conversion, with the Context if the
// conversion is generated. Conversions that were written by hand do not know the Context.
func withContext(c *conversion.Context, hub conversion.Hub, spoke object) conversion.Hub {
	if _, generated := spoke.(conversion.KubernetesResource); generated {
		return c.Hub(hub)
	}
	return hub
}

// convertUntyped converts an object through a function of package untyped.
func (w *worker) convertUntyped(a *attempt) error {
	result, err := a.route.untyped(untyped.Convertible{RawExtension: runtime.RawExtension{Raw: a.raw}}, w.desired)
	if err != nil {
		return err
	}
	encoded, err := result.MarshalJSON()
	if err != nil {
		return encodingError(err)
	}
	if err := w.checkResult(a, encoded); err != nil {
		return err
	}
	input, err := w.withoutManagedFields(a)
	if err != nil {
		return err
	}
	var before, after metav1.PartialObjectMetadata
	if err := decodeStrictly(input, &before); err != nil {
		return decodingError(err)
	}
	if err := decodeStrictly(encoded, &after); err != nil {
		return fmt.Errorf("the result of the conversion: %w", decodingError(err))
	}
	after.ManagedFields = nil
	err = w.finish(a.metadata, encoded, &before.ObjectMeta, &after.ObjectMeta)
	if err == nil && a.route.metrics == w.unknown.metrics {
		w.storeRoute(a.route)
	}
	return err
}

// checkResult checks that the result of a function has the kind and the version that were
// asked for.
func (w *worker) checkResult(a *attempt, encoded []byte) error {
	h, err := headOf(encoded)
	if err != nil {
		return fmt.Errorf("the result of the conversion: %w", err)
	}
	apiVersion, err1 := unquote(h.apiVersion)
	kind, err2 := unquote(h.kind)
	if err1 != nil || err2 != nil || string(apiVersion) != w.desired || string(kind) != a.route.kind {
		return fmt.Errorf("the result of the conversion has kind %s and apiVersion %s, expected %s and %s", quoteShort(string(kind)),
			quoteShort(string(apiVersion)), a.route.kind, w.desired)
	}
	return nil
}

// encodingError returns an error that names the type that cannot be encoded. It does not
// contain the value, which may be secret.
func encodingError(err error) error {
	var unsupported *json.UnsupportedValueError
	var marshaler *json.MarshalerError
	switch {
	case errors.As(err, &unsupported):
		return fmt.Errorf("the result of the conversion cannot be encoded as JSON: %w", err) // such as NaN
	case errors.As(err, &marshaler):
		return fmt.Errorf("the result of the conversion cannot be encoded as JSON: its type is %s", marshaler.Type)
	}
	return errors.New("the result of the conversion cannot be encoded as JSON")
}

// objectError adds the name of the object and its versions to an error. It logs a panic with
// its stack.
func (w *worker) objectError(a *attempt, err error) error {
	name := nameOf(a.raw, a.head.metadata)
	kind, from := "object", ""
	if a.route.kind != "" {
		kind = a.route.kind + "." + a.route.group
	}
	if version, e := unquote(a.head.apiVersion); e == nil && len(version) > 0 {
		from = " of " + path.Base(sanitize(string(version)))
	}
	message := fmt.Sprintf("%s %s%s does not convert to %s", kind, name, from, path.Base(sanitize(w.desired)))
	var panicked *untyped.PanicError
	if errors.As(err, &panicked) {
		w.options.Logger.Error("panic in a conversion", "object", message, "place", panicked.Place, "stack", string(panicked.Stack))
	}
	return fmt.Errorf("%s: %w", message, err)
}

// nameOf returns the namespace and the name of an object, as far as they can be found.
func nameOf(object []byte, m span) string {
	var namespace, name string
	if m.found() {
		metadata := m.of(object)
		_ = values(metadata, func(f member, v span) error {
			text, err := unquote(v.of(metadata))
			switch {
			case err != nil:
			case string(f.name) == "namespace":
				namespace = sanitize(string(text))
			case string(f.name) == "name":
				name = sanitize(string(text))
			}
			return nil
		})
	}
	if name == "" {
		name = "without a name"
	}
	return path.Join(namespace, name)
}

// logUnreadable logs that a bag has entries that cannot be read.
func (w *worker) logUnreadable(a *attempt) {
	w.options.Logger.Warn("entries of a bag cannot be read: they are kept in the bag", "object",
		nameOf(a.raw, a.head.metadata), "kind", a.route.kind, "group", a.route.group, "entries", a.context.Unreadable)
}
