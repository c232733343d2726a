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
	"os"
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

// ServeHTTP answers one review. The answer to a review is a review with status 200, even
// for a failure: the API server does not show its user the text of any other answer.
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
	if status, err := checkRequest(request); err != nil {
		http.Error(w, err.Error(), status)
		return invalid
	}
	l, err := h.budget.reserve(ctx)
	if err != nil {
		return h.answerUnread(ctx, w, err)
	}
	defer l.done()
	if err := h.read(ctx, l, w, request); err != nil {
		return h.answerUnread(ctx, w, err)
	}
	hasArrived(ctx)
	r, err := parseReview(*l.body)
	trace.SpanFromContext(ctx).SetAttributes(
		attribute.String("uid", string(r.uid)), attribute.String("desired-api-version", sanitize(r.desired)),
		attribute.Int("object-count", len(r.objects)), attribute.Int("bytes", len(*l.body)))
	if err != nil {
		return h.answerUnparsed(w, r, err)
	}
	isReview(ctx, w.Header())

	results, err := h.convertAll(ctx, l, r)
	switch {
	case request.Context().Err() != nil:
		return cancelled
	case err == errBusy:
		return h.answerUnread(ctx, w, err)
	case err != nil:
		h.answer(w, r, nil, err)
		switch large := (*largeError)(nil); {
		case context.Cause(ctx) == errTimeout:
			return timedOut
		case errors.As(err, &large):
			return tooLarge
		}
		return failed
	}
	h.answer(w, r, results, nil)
	return converted
}

// checkRequest checks the method and the content type of a request. If it returns an error, status
// is the status of the answer.
func checkRequest(request *http.Request) (status int, err error) {
	if request.Method != http.MethodPost {
		return http.StatusMethodNotAllowed, fmt.Errorf("%s: expected a POST of a ConversionReview", sanitize(request.Method))
	}
	if header := request.Header.Get("Content-Type"); header != "" {
		if mediaType, _, _ := mime.ParseMediaType(header); mediaType != "application/json" {
			return http.StatusUnsupportedMediaType, fmt.Errorf("Content-Type %s: expected application/json", quoteShort(header))
		}
	}
	return 0, nil
}

// buffers keeps buffers for the next review, unless they are large.
type buffers struct{ sync.Pool }

var bodies = buffers{sync.Pool{New: func() any { return new([]byte) }}}

func (b *buffers) put(buffer *[]byte) {
	if cap(*buffer) <= 2*firstBytes {
		b.Put(buffer)
	}
}

// read reads the body. It reserves memory as bytes arrive: the review's place has memory for
// the beginning, and only when that has arrived, read reserves memory for the rest.
func (h *Handler) read(ctx context.Context, l *reservation, w http.ResponseWriter, request *http.Request) error {
	size := request.ContentLength
	switch {
	case size > h.options.MaxBytes:
		return &http.MaxBytesError{Limit: h.options.MaxBytes}
	case size < 0:
		size = h.options.MaxBytes
	}
	connection := http.NewResponseController(w)
	defer func() {
		_ = connection.SetReadDeadline(time.Time{}) // otherwise the server's background read would time out, and cancel the request
	}()
	body := http.MaxBytesReader(w, request.Body, h.options.MaxBytes)
	l.body = bodies.Get().(*[]byte)
	buffer := bytes.NewBuffer((*l.body)[:0])
	defer func() { *l.body = buffer.Bytes() }()

	_ = connection.SetReadDeadline(h.readDeadline(ctx)) // it fails in tests, which have no connection
	if n, err := buffer.ReadFrom(io.LimitReader(body, firstBytes)); err != nil || n < firstBytes {
		return err
	}
	if err := l.grow(ctx, size-firstBytes); err != nil {
		return err
	}
	buffer.Grow(int(size-firstBytes) + bytes.MinRead) // ReadFrom needs MinRead to see the end
	_ = connection.SetReadDeadline(h.readDeadline(ctx))
	_, err := buffer.ReadFrom(body)
	return err
}

// readDeadline returns the time by which the next part of a body must have arrived. An API
// server sends a body at once; a slow client must not keep memory that others need.
func (h *Handler) readDeadline(ctx context.Context) time.Time {
	latest := time.Now().Add(h.budget.maxWait)
	if deadline, _ := ctx.Deadline(); deadline.Before(latest) {
		return deadline
	}
	return latest
}

// answerUnread answers a request whose body cannot be read or needs more memory than there
// is. It returns the result for the metrics.
func (h *Handler) answerUnread(ctx context.Context, w http.ResponseWriter, err error) string {
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &size):
		http.Error(w, fmt.Sprintf("the ConversionReview is larger than the webhook's limit of %d bytes", size.Limit),
			http.StatusRequestEntityTooLarge)
		return tooLarge
	case err == errBusy:
		w.Header().Set("Retry-After", retryAfter)
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return busy
	case context.Cause(ctx) == errTimeout, errors.Is(err, os.ErrDeadlineExceeded):
		http.Error(w, fmt.Sprintf("the ConversionReview did not arrive within %s", h.budget.maxWait), http.StatusRequestTimeout)
		return timedOut
	}
	http.Error(w, "the ConversionReview ended early", http.StatusBadRequest)
	return cancelled
}

// answerUnparsed answers a request whose body is not a review that this webhook can read. It
// returns the result for the metrics.
func (h *Handler) answerUnparsed(w http.ResponseWriter, r *review, err error) string {
	err = fmt.Errorf("the ConversionReview cannot be read: %w", err)
	if r.uid == nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	} else {
		h.answer(w, r, nil, err)
	}
	if large := (*largeError)(nil); errors.As(err, &large) {
		return tooLarge
	}
	return invalid
}

// convertAll converts the objects of a review in parallel. The results are in
// the order of the objects, and valid until the reservation is released.
func (h *Handler) convertAll(ctx context.Context, l *reservation, r *review) ([]result, error) {
	j := &job{objects: r.objects, results: make([]result, len(r.objects))}
	count := min(h.options.Workers, len(r.objects))
	l.users.Add(int64(count))
	for range count {
		l.workers = append(l.workers, h.newWorker(r.desired, l))
	}
	done := make(chan struct{})
	var working atomic.Int64
	working.Store(int64(count))
	for _, w := range l.workers {
		go func() {
			defer l.done()
			j.work(ctx, w)
			if working.Add(-1) == 0 {
				close(done)
			}
		}()
	}
	if count > 0 {
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
	if finished := int(j.finished.Load()); ctx.Err() != nil && finished < len(r.objects) {
		return nil, fmt.Errorf("%d of %d objects were converted within %s: ask for fewer objects at a time, or "+
			"give the webhook more CPU", finished, len(r.objects), h.options.Timeout)
	}
	return j.results, j.err()
}

// job has the objects of a review, which its workers take one after another.
type job struct {
	objects  []measured
	results  []result
	next     atomic.Int64
	finished atomic.Int64
	busy     atomic.Bool // there was no memory left

	mu       sync.Mutex
	failures []failure
}

// failure describes an object that does not convert.
type failure struct {
	index int
	err   error
}

// maxFailures is the number of failures in a message. Workers stop when there are so many.
const maxFailures = 10

func (j *job) work(ctx context.Context, w *worker) {
	for ctx.Err() == nil {
		i := int(j.next.Add(1)) - 1
		if i >= len(j.objects) {
			return
		}
		result, err := w.convert(ctx, j.objects[i])
		if err == errBusy {
			j.busy.Store(true)
			j.next.Store(int64(len(j.objects)))
			return
		}
		if err == context.Cause(ctx) && err != nil {
			return
		}
		j.results[i] = result
		j.finished.Add(1)
		if err != nil && j.fail(i, err) >= maxFailures {
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

// err returns the failures, or nil if all objects were converted.
func (j *job) err() error {
	if j.busy.Load() {
		return errBusy
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	slices.SortFunc(j.failures, func(a, b failure) int { return a.index - b.index })
	var errs []error
	for _, f := range j.failures[:min(len(j.failures), maxFailures)] {
		if len(j.objects) > 1 {
			f.err = fmt.Errorf("object %d: %w", f.index, f.err)
		}
		errs = append(errs, f.err)
	}
	if len(j.failures) >= maxFailures {
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
		h.options.Logger.Info("writing an answer failed", "error", err)
	}
	out.Reset(io.Discard)
}

// writers keeps the writers that join results: most results are smaller than a TLS record.
var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(io.Discard, 64<<10) }}

// sanitize returns a text from a client, for a log or an error, without unprintable characters,
// which could imitate other output, and cuts a long text.
func sanitize(text string) string {
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
