package webhook

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// ServeHTTP answers one review. What is a review is answered as one, with
// status 200, and with the failure in it if there is one: of any other answer
// the API server does not show the text to its user.
func (h *Handler) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	start := time.Now()
	h.metrics.inFlight.Inc()
	defer h.metrics.inFlight.Dec()
	ctx := propagation.TraceContext{}.Extract(request.Context(), propagation.HeaderCarrier(request.Header))
	ctx, span := h.tracer.Start(ctx, "ConversionReview", trace.WithSpanKind(trace.SpanKindServer))
	defer span.End()
	ctx, cancel := context.WithTimeoutCause(ctx, h.options.Timeout, errTimeout)
	defer cancel()

	result := h.serve(ctx, w, request)
	if result != converted {
		span.SetStatus(codes.Error, result)
	}
	h.metrics.reviews.WithLabelValues(result).Inc()
	h.metrics.duration.Observe(time.Since(start).Seconds())
}

var errTimeout = errors.New("timeout")

// serve answers a review and returns its result for the metrics.
func (h *Handler) serve(ctx context.Context, w http.ResponseWriter, request *http.Request) string {
	if status, err := acceptable(request); err != nil {
		http.Error(w, err.Error(), status)
		return invalid
	}
	deadline, _ := ctx.Deadline()
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(deadline) // where there is a connection
	body, err := h.read(w, request)
	_ = connection.SetReadDeadline(time.Time{}) // or else the wait for its end would be over, and with it the request
	if err != nil {
		return h.unread(ctx, w, err)
	}
	r, err := parseReview(*body, h.options.MaxDepth)
	trace.SpanFromContext(ctx).SetAttributes(
		attribute.String("uid", string(r.uid)), attribute.String("desired-api-version", clean(r.desired)),
		attribute.Int("object-count", len(r.objects)), attribute.Int("bytes", len(*body)))
	if err != nil {
		bodies.put(body)
		return h.unparsed(w, r, err)
	}

	c, err := h.convertAll(ctx, r)
	switch {
	case c.abandoned:
		// A worker still has the body and what it made of it.
	default:
		defer bodies.put(body)
		defer c.release()
	}
	switch {
	case request.Context().Err() != nil:
		return cancelled
	case err != nil:
		h.answer(w, r, nil, err)
		if context.Cause(ctx) == errTimeout {
			return timedOut
		}
		return failed
	}
	h.answer(w, r, c.results, nil)
	return converted
}

// acceptable checks that the request may have a review.
func acceptable(request *http.Request) (status int, err error) {
	if request.Method != http.MethodPost {
		return http.StatusMethodNotAllowed, fmt.Errorf("%s: expected a POST of a ConversionReview", clean(request.Method))
	}
	if header := request.Header.Get("Content-Type"); header != "" {
		if mediaType, _, _ := mime.ParseMediaType(header); mediaType != "application/json" {
			return http.StatusUnsupportedMediaType, fmt.Errorf("Content-Type %s: expected application/json", clip(header))
		}
	}
	return 0, nil
}

// buffers are kept for the next review, unless they are large.
type buffers struct{ sync.Pool }

var bodies = buffers{sync.Pool{New: func() any { return new([]byte) }}}

func (b *buffers) put(buffer *[]byte) {
	if cap(*buffer) <= 1<<20 {
		b.Put(buffer)
	}
}

// read reads the body, into memory of the size that the request says it has.
func (h *Handler) read(w http.ResponseWriter, request *http.Request) (*[]byte, error) {
	if request.ContentLength > h.options.MaxBytes {
		return nil, &http.MaxBytesError{Limit: h.options.MaxBytes}
	}
	body := bodies.Get().(*[]byte)
	buffer := bytes.NewBuffer((*body)[:0])
	if n := request.ContentLength; n > 0 {
		buffer.Grow(int(n) + bytes.MinRead) // with what ReadFrom wants to see the end
	}
	_, err := buffer.ReadFrom(http.MaxBytesReader(w, request.Body, h.options.MaxBytes))
	*body = buffer.Bytes()
	if err != nil {
		bodies.put(body)
		return nil, err
	}
	return body, nil
}

// unread answers where there is no body.
func (h *Handler) unread(ctx context.Context, w http.ResponseWriter, err error) string {
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &size):
		http.Error(w, fmt.Sprintf("the ConversionReview is larger than the webhook's limit of %d bytes", size.Limit), http.StatusRequestEntityTooLarge)
		return tooLarge
	case context.Cause(ctx) == errTimeout:
		http.Error(w, fmt.Sprintf("the ConversionReview did not arrive within %s", h.options.Timeout), http.StatusRequestTimeout)
		return timedOut
	}
	http.Error(w, "the ConversionReview ended early", http.StatusBadRequest)
	return cancelled
}

// unparsed answers what is no review that this webhook can read.
func (h *Handler) unparsed(w http.ResponseWriter, r *review, err error) string {
	err = fmt.Errorf("the ConversionReview cannot be read: %w", err)
	if r.uid == nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	} else {
		h.answer(w, r, nil, err)
	}
	if depth := (*depthError)(nil); errors.As(err, &depth) {
		return tooLarge
	}
	return invalid
}

// conversions are the results of a review.
type conversions struct {
	results []result
	workers []*worker
	// abandoned is true if a worker is still at work though the time is over.
	abandoned bool
}

func (c *conversions) release() {
	for _, w := range c.workers {
		w.release()
	}
}

// convertAll converts the objects of a review in parallel. The results are in
// the order of the objects, and valid until released.
func (h *Handler) convertAll(ctx context.Context, r *review) (*conversions, error) {
	j := &job{objects: r.objects, results: make([]result, len(r.objects))}
	c := &conversions{results: j.results}
	helpers := h.takeHelpers(len(r.objects) - 1)
	done := make(chan struct{})
	var working atomic.Int64
	working.Store(int64(helpers) + 1)
	for i := range helpers + 1 {
		w := h.newWorker(r.desired)
		c.workers = append(c.workers, w)
		go func() {
			j.work(ctx, w)
			if i > 0 {
				<-h.helpers
			}
			if working.Add(-1) == 0 {
				close(done)
			}
		}()
	}
	select {
	case <-done:
	case <-ctx.Done():
		select {
		case <-done:
		default:
			c.abandoned = true
		}
	}
	if finished := int(j.finished.Load()); ctx.Err() != nil && finished < len(r.objects) {
		return c, fmt.Errorf("%d of %d objects were converted within %s: ask for fewer objects at a time, or give the webhook more CPU", finished, len(r.objects), h.options.Timeout)
	}
	return c, j.err()
}

// takeHelpers takes as many of the workers beyond the first as there are, but
// no more than are of use.
func (h *Handler) takeHelpers(most int) (taken int) {
	for taken < most {
		select {
		case h.helpers <- struct{}{}:
			taken++
		default:
			return taken // all others are busy with other reviews
		}
	}
	return taken
}

// job has the objects of a review, which its workers take one after another.
type job struct {
	objects  [][]byte
	results  []result
	next     atomic.Int64
	finished atomic.Int64

	mu       sync.Mutex
	failures []failure
}

// failure is an object that does not convert.
type failure struct {
	index int
	err   error
}

// mostFailures is the number of failures that a message has. Workers stop then.
const mostFailures = 10

func (j *job) work(ctx context.Context, w *worker) {
	for ctx.Err() == nil {
		i := int(j.next.Add(1)) - 1
		if i >= len(j.objects) {
			return
		}
		result, err := w.convert(j.objects[i])
		j.results[i] = result
		j.finished.Add(1)
		if err != nil && j.fail(i, err) >= mostFailures {
			j.next.Store(int64(len(j.objects)))
		}
	}
}

func (j *job) fail(index int, err error) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.failures = append(j.failures, failure{index, err})
	return len(j.failures)
}

// err returns the failures, nil if all objects were converted.
func (j *job) err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	slices.SortFunc(j.failures, func(a, b failure) int { return a.index - b.index })
	var errs []error
	for _, f := range j.failures[:min(len(j.failures), mostFailures)] {
		if len(j.objects) > 1 {
			f.err = fmt.Errorf("object %d: %w", f.index, f.err)
		}
		errs = append(errs, f.err)
	}
	if len(j.failures) >= mostFailures {
		errs = append(errs, fmt.Errorf("and maybe more of %d objects", len(j.objects)))
	}
	return errors.Join(errs...)
}

// answer writes a ConversionReview with all results, or with a failure.
func (h *Handler) answer(w http.ResponseWriter, r *review, results []result, failure error) {
	apiVersion := r.apiVersion
	if failure == nil || apiVersion == "" {
		apiVersion = apiextensionsv1.SchemeGroupVersion.String()
	}
	head := quote([]byte(`{"kind":"ConversionReview","apiVersion":`), apiVersion)
	head = append(append(append(head, `,"response":{"uid":`...), r.uid...), `,"convertedObjects":[`...)
	tail := []byte(`],"result":{"metadata":{},"status":"Success"}}}`)
	if failure != nil {
		h.options.Logger.Info("a review failed", "error", failure.Error())
		tail = quote([]byte(`],"result":{"metadata":{},"status":"Failure","message":`), failure.Error())
		tail = append(tail, `}}}`...)
	}
	size := len(head) + len(tail) + max(len(results)-1, 0)
	for _, result := range results {
		size += result.size()
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(size))
	out := writers.Get().(*bufio.Writer)
	defer writers.Put(out)
	out.Reset(w)
	_, _ = out.Write(head)
	for i, result := range results {
		if i > 0 {
			_ = out.WriteByte(',')
		}
		_, _ = out.Write(result[0])
		_, _ = out.Write(result[1])
	}
	_, _ = out.Write(tail)
	if err := out.Flush(); err != nil {
		h.options.Logger.Info("an answer was not taken", "error", err)
	}
	out.Reset(io.Discard)
}

// writers join the results, which are smaller than what a TLS record has room for.
var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(io.Discard, 64<<10) }}

// clean returns a text from outside without characters that could pass for
// something else in a log or an error.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
	if len(text) > 300 {
		text = text[:300] + "…"
	}
	return text
}
