package reconcile

import (
	"context"
	"net/http"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
)

// isGone reports whether an error shows that ARM no longer has a resource that it had, or may have
// had. A single 404 may be a mistake. So it takes two, some seconds apart, without a sign of the
// resource in between, and none counts while ARM may not show yet what it has created. Call isGone
// before sending anything because of a 404.
func (r *run) isGone(e *client.Error, id string) bool {
	m, key := r.memory, arm.IDKey(id)
	if !e.Gone() || r.mayBeHidden() {
		return false
	}
	if first, found := m.missing[key]; found {
		return r.now.Sub(first) >= decide.FirstRetry
	}
	if m.missing == nil {
		m.missing = map[string]time.Time{}
	}
	m.missing[key] = r.now
	return false
}

// noteExists notes that ARM has a resource, or is at work on it.
func (r *run) noteExists(id string) { delete(r.memory.missing, arm.IDKey(id)) }

// mayBeHidden reports whether ARM may have created the resource, or may be creating it, and not show it yet.
func (r *run) mayBeHidden() bool {
	m, s := &r.memory.known, r.sent
	return s != nil && (s.Exists || !r.confirmed || m.Operation.Current != nil) && r.now.Sub(m.Wrote) <= decide.Visible
}

// readSoon postpones the next read of a resource for a few seconds, and returns when it is due.
func (r *run) readSoon() decide.Outcome {
	at := r.now.Add(decide.FirstRetry)
	r.memory.known.Postpone(decide.GetRequest, at)
	return decide.ComeBack(at)
}

// readFirst reads a resource for a decision about what to send. The answer is nil if ARM does not have the resource.
// A single 404 shows that if had is false, which means that ARM is not known to have ever had the resource.
func (r *run) readFirst(ctx context.Context, request decide.Request, id, version string, had bool) (*client.Answer, decide.Outcome) {
	m := &r.memory.known
	if at := m.NextRead(); r.now.Before(at) {
		return nil, decide.ComeBack(at)
	}
	answered := decide.Answered
	if request == decide.ChildRequest {
		answered = decide.ChildAnswered
	}
	answer, err := r.read(ctx, id, version, "")
	e, isRefusal := client.AsError(err)
	switch {
	case err == nil:
		m.Happened(answered)
		return answer, decide.GoOn()
	case isRefusal && e.Gone() && !had, isRefusal && r.isGone(e, id):
		m.Happened(answered)
		return nil, decide.GoOn()
	case isRefusal && e.Gone():
		return nil, r.readSoon()
	case !isRefusal:
		return nil, decide.Stop(err)
	}
	return nil, comeBack(r.countARMRefusal(request, e, false))
}

// read reads a resource, unless it still has the ETag. If the resource cannot be read, it asks
// by HEAD whether the resource exists. HEAD is not used otherwise: it counts as much as GET
// towards ARM's limits, and does not say what has changed.
func (r *run) read(ctx context.Context, id, version, etag string) (*client.Answer, error) {
	request := client.Request{ID: id, APIVersion: version, Tenant: r.object.GetNamespace(), IfNoneMatch: etag}
	answer, err := r.credential.Get(ctx, request)
	if e, ok := client.AsError(err); ok && e.Status == http.StatusMethodNotAllowed {
		answer, err = &client.Answer{}, r.credential.Head(ctx, request)
	}
	if err == nil {
		r.noteExists(id)
	}
	return answer, err
}
