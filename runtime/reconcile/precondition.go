package reconcile

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"sync"

	"github.com/armature-dev/armature/runtime/arm/client"
)

// preconditions is what this instance has learned from refusals about the PUTs of ARM types, in lower case. The zero
// value knows nothing.
type preconditions struct {
	// ifNoneMatch has the types whose services take If-None-Match, noIfNoneMatch those whose services refuse it, and
	// ifMatch those whose services refuse a change without If-Match.
	ifNoneMatch, noIfNoneMatch, ifMatch sync.Map
}

func learn(types *sync.Map, armType string) { types.Store(strings.ToLower(armType), true) }

func isLearned(types *sync.Map, armType string) bool {
	_, found := types.Load(strings.ToLower(armType))
	return found
}

// send sends a PUT. If ARM has answered that it does not have the resource, the PUT says so to ARM, by If-None-Match:
// such an answer may be wrong. A service may refuse that header, or a change without If-Match. Then the resource is
// read, and sent as the service wants it, and if that succeeds, so are the next ones of the type.
func (r sending) send(ctx context.Context, s *outgoing) (*client.Answer, error) {
	learned, armType := &r.op.preconditions, r.request.Type
	switch {
	case r.absent && !isLearned(&learned.noIfNoneMatch, armType):
		s.IfNoneMatch = "*"
	case !r.absent && s.IfMatch == "" && isLearned(&learned.ifMatch, armType):
		if answer, err := r.read(ctx, s.ID, s.APIVersion, ""); err == nil {
			s.IfMatch = cmp.Or(answer.ETag, "*")
		}
	}
	if err := (foretelling{r.run}).put(ctx, s); err != nil {
		return nil, err
	}
	answer, err := r.credential.Put(ctx, s.Request)
	e, isRefusal := client.AsError(err)
	s.exists = s.IfNoneMatch != "" && isRefusal && e.Status == http.StatusPreconditionFailed
	if s.IfNoneMatch != "" && (err == nil || s.exists) {
		learn(&learned.ifNoneMatch, armType)
	}
	switch {
	case !isRefusal, s.exists:
	case s.IfNoneMatch != "" && !isLearned(&learned.ifNoneMatch, armType) && mayRefuseIfNoneMatch(e):
		_, readErr := r.read(ctx, s.ID, s.APIVersion, "")
		if e, ok := client.AsError(readErr); !ok || !saysGone(e) {
			s.exists = readErr == nil
			return answer, err
		}
		s.IfNoneMatch = ""
		return r.sendAgain(ctx, s, &learned.noIfNoneMatch)
	case s.IfNoneMatch == "" && s.IfMatch == "" && lacksIfMatch(e):
		shown, readErr := r.read(ctx, s.ID, s.APIVersion, "")
		if readErr != nil {
			return answer, err
		}
		s.IfMatch = cmp.Or(shown.ETag, "*")
		return r.sendAgain(ctx, s, &learned.ifMatch)
	}
	return answer, err
}

// sendAgain sends a PUT with another precondition. If ARM takes it, the others of the type are sent so at once.
func (r sending) sendAgain(ctx context.Context, s *outgoing, learned *sync.Map) (*client.Answer, error) {
	r.credential.Reserve(ctx, http.MethodPut, &s.Request)
	answer, err := r.credential.Put(ctx, s.Request)
	if err == nil {
		learn(learned, r.request.Type)
	}
	return answer, err
}

// mayRefuseIfNoneMatch reports whether a PUT with If-None-Match may have been refused because of the header.
func mayRefuseIfNoneMatch(e *client.Error) bool {
	switch e.Status {
	case http.StatusConflict, http.StatusNotFound:
		return false
	case http.StatusInternalServerError, http.StatusNotImplemented:
		return true
	}
	return !e.Failed && !mayPass(e) && e.Class != client.Unauthorized && e.Class != client.Invalid
}

// lacksIfMatch reports whether a PUT or a DELETE may have been refused because it had no If-Match.
func lacksIfMatch(e *client.Error) bool {
	text := strings.ToLower(e.Code + " " + e.Message)
	return e.Status == http.StatusPreconditionFailed || e.Status == http.StatusPreconditionRequired ||
		e.Status == http.StatusBadRequest && (strings.Contains(text, "if-match") || strings.Contains(text, "ifmatch"))
}
