package armtest

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// resource is a resource that the Server stores.
type resource struct {
	id         string
	body       map[string]any
	answer     map[string]any // the body, and all properties that the spec requires of an answer
	state      string         // provisioningState
	finalState string         // provisioningState after an operation that has succeeded
	showsState bool
	etag       int
	untouched  bool         // whether ARM has made it along with its parent, and no client has changed it
	rotations  int          // how often its keys were rotated
	created    time.Time    // shown in systemData
	hidden     time.Time    // until when clients do not see it
	missed     bool         // whether the last GET did not see it, outside of an outage
	operation  *longRunning // or nil
	modifiedBy string       // shown in systemData, "" for a client
	// earlier is what clients see until seesEarlier, nil for the resource itself.
	earlier     *resource
	seesEarlier time.Time
}

// longRunning is a long-running operation that is under way or has ended.
type longRunning struct {
	id     string // of the resource
	delete bool
	fails  bool
	ends   time.Time
	byBody bool // the state is in the body
	sent   []byte
	// odd and oddState are states outside the standard, or "": of the operation, and of the
	// resource during the operation. oddFailure is the state of both after a failure.
	odd, oddState, oddFailure string
}

// ghost is a resource that is shown after it was deleted.
type ghost struct {
	*resource
	until time.Time
}

func key(id string) string { return strings.ToLower(strings.TrimSuffix(id, "/")) }

// endOperations ends the operations that are due.
func (s *Server) endOperations() {
	now := s.behavior.Now()
	var due []*resource
	for r := range s.underWay {
		if r.operation == nil || s.resources[key(r.id)] != r {
			delete(s.underWay, r)
		} else if !r.operation.ends.After(now) {
			due = append(due, r)
		}
	}
	slices.SortFunc(due, func(a, b *resource) int {
		return cmp.Or(a.operation.ends.Compare(b.operation.ends), cmp.Compare(a.id, b.id))
	})
	for _, r := range due {
		o := r.operation
		r.operation = nil
		switch {
		case o.fails && o.delete:
			r.setState(cmp.Or(o.oddFailure, "Failed"))
		case o.delete:
			s.remove(r.id)
			s.touchParent(r.id)
		case o.fails:
			r.setState(cmp.Or(o.oddFailure, "Failed"))
		default:
			r.setState(r.finalState)
		}
	}
	maps.DeleteFunc(s.ghosts, func(_ string, g ghost) bool { return !g.until.After(now) })
}

// remove removes a resource with its children, and with its extension resources except those
// that outlast it.
func (s *Server) remove(id string) {
	id = key(id)
	goes := func(other string, _ *resource) bool {
		return other == id || strings.HasPrefix(other, id+"/") && !strings.Contains(other[len(id):], outlastingPath)
	}
	maps.DeleteFunc(s.resources, goes)
	maps.DeleteFunc(s.locks, goes)
}

// visible returns the resource that clients see under an id, or nil.
func (s *Server) visible(id string) *resource {
	r := s.resources[key(id)]
	if g, found := s.ghosts[key(id)]; r == nil && found {
		return g.resource
	}
	if r != nil && r.hidden.After(s.behavior.Now()) {
		return nil
	}
	return r
}

// seen returns a resource as a GET shows it now.
func (s *Server) seen(r *resource) *resource {
	if r.earlier != nil && r.seesEarlier.After(s.behavior.Now()) {
		return r.earlier
	}
	r.earlier = nil
	return r
}

// Change changes a resource as somebody does who is no client of the Server's. change gets its body, and what it shows,
// and does the same to each. It reports whether there is the resource, and no operation on it.
func (s *Server) Change(id, who string, change func(body map[string]any)) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := s.resources[key(id)]
	if r == nil || r.operation != nil {
		return false
	}
	change(r.body)
	change(r.answer)
	r.etag, r.modifiedBy, r.untouched, r.earlier = r.etag+1, who, false, nil
	return true
}

// Stick lets a property of a resource stay as it is, whatever a PUT says, as some services do without a word.
func (s *Server) Stick(id, property string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.stuck[key(id)] = property
}

// misses reports whether a GET does not see a resource that exists, because of Missed.
func (s *Server) misses(e *exchange, r *resource) bool {
	switch {
	case s.isOut(r):
		return true
	case s.behavior.Outage == 0:
		r.missed = !r.missed && r.operation == nil && s.occurs(Missed, e)
		return r.missed
	}
	location := s.locationOf(r.id)
	isOver := s.behavior.Now().Sub(s.outages[location]) > s.behavior.Outage // as long ago as one can last
	if isOver && r.operation == nil && s.occurs(Missed, e) {
		s.outages[location] = s.behavior.Now().Add(s.randomDuration(s.behavior.Outage))
	}
	return s.isOut(r)
}

// isOut reports whether there is an outage at the location of a resource.
func (s *Server) isOut(r *resource) bool {
	return s.outages[s.locationOf(r.id)].After(s.behavior.Now())
}

// Fail begins an outage at a location, "" for resources without one: see Missed.
func (s *Server) Fail(location string, until time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.outages[location] = until
}

// locationOf returns the location of a resource, or of the nearest one that contains it and has a location, as bodies
// spell it, or "".
func (s *Server) locationOf(id string) string {
	for ok := true; ok; id, ok = parentOf(id) {
		if r := s.resources[key(id)]; r != nil {
			if location, _ := r.body["location"].(string); location != "" {
				return location
			}
		}
	}
	return ""
}

// checkBusy returns the refusal of a write to a resource while another operation is under
// way on it or its parent, or nil.
func (s *Server) checkBusy(e *exchange) *answer {
	for r := range s.underWay {
		id := key(r.id)
		if r.operation == nil || s.resources[id] != r || id != key(e.id) && !strings.HasPrefix(key(e.id), id+"/") {
			continue
		}
		if s.occurs(Busy, e) {
			a := refuse(http.StatusConflict, "AnotherOperationInProgress", fmt.Sprintf("Another operation on %q is in progress.", r.id))
			return &a
		}
	}
	return nil
}

// checkLocation returns the refusal of a body whose location is not that of the existing resource,
// or nil.
func (s *Server) checkLocation(e *exchange, body any) *answer {
	r := s.resources[key(e.id)]
	if r == nil {
		return nil
	}
	place := func(body any) string {
		members, _ := body.(map[string]any)
		location, _ := members["location"].(string)
		return strings.ToLower(strings.ReplaceAll(location, " ", ""))
	}
	is, wanted := place(r.body), place(body)
	if is == "" || wanted == "" || is == wanted || !s.occurs(FixedLocation, e) {
		return nil
	}
	a := refuse(http.StatusConflict, "InvalidResourceLocation", fmt.Sprintf("The resource %q exists in location %q already.", e.id, is))
	return &a
}

// checkParent returns the refusal of a resource whose parent does not exist, or nil.
func (s *Server) checkParent(e *exchange) *answer {
	parent, ok := parentOf(e.id)
	if !ok || s.visible(parent) != nil || !s.occurs(MissingParent, e) {
		return nil
	}
	a := refuse(http.StatusNotFound, "ParentResourceNotFound", fmt.Sprintf("The parent resource %q was not found.", parent))
	return &a
}

// parentOf returns the id of the resource that a child belongs to.
func parentOf(id string) (parent string, ok bool) {
	segments := strings.Split(id, "/")
	at := -1
	for i, s := range segments {
		if strings.EqualFold(s, "providers") {
			at = i
		}
	}
	if at < 0 || len(segments)-at <= 4 {
		return "", false
	}
	return strings.Join(segments[:len(segments)-2], "/"), true
}

// begin starts an operation on a resource, if a fault starts one, and returns the
// answer that announces it.
func (s *Server) begin(e *exchange, r *resource, deletes bool) (answer, bool) {
	now := s.behavior.Now()
	o := &longRunning{id: r.id, sent: e.body, delete: deletes, ends: now.Add(s.randomDuration(s.behavior.Slowest))}
	a := answer{status: http.StatusAccepted, header: http.Header{}}
	switch {
	case s.occurs(AsyncOperation, e):
		o.byBody = true
		a.header.Set("Azure-AsyncOperation", s.operationURL(e, o))
		if s.random.IntN(2) == 0 {
			a.header.Set("Location", s.operationURL(e, o))
		}
		if !deletes {
			a.status = []int{http.StatusOK, http.StatusCreated, http.StatusAccepted}[s.random.IntN(3)]
		}
	case s.occurs(LocationOperation, e):
		a.header.Set("Location", s.operationURL(e, o))
		if s.occurs(ForeignHost, e) {
			a.header.Set("Location", "https://elsewhere.example/operations/1")
		}
	case !deletes && s.occurs(StateOperation, e):
		r.showsState = true
		a.status = []int{http.StatusOK, http.StatusCreated, http.StatusAccepted}[s.random.IntN(3)]
	default:
		return answer{}, false
	}
	if s.occurs(OddState, e) {
		o.odd = s.pick("Enqueued", "Dequeued", "CreatingAgentPools: 0/1 nodes completed", "Inprogress", unknownState)
		o.oddState = s.pick("ResolvingDNS", "ProvisioningResources", unknownState)
	}
	if o.fails = s.occurs(OperationFails, e); o.fails && !o.byBody {
		r.showsState = true // otherwise a client could not learn of the failure
	}
	if o.fails && s.occurs(OddFailure, e) {
		o.oddFailure = s.pick("Cancelled", "CreateFailed", "UpdateError", "TimedOut")
	}
	if o.odd == unknownState || o.oddState == unknownState || s.random.IntN(2) == 0 {
		s.askToWait(a.header)
	}
	r.operation = o
	s.underWay[r] = true
	return a, true
}

// operationURL returns a signed URL of an operation, new each time. The signature is
// as secret as a password. It has the word canary, to find it where it should not be.
func (s *Server) operationURL(e *exchange, o *longRunning) string {
	at := slices.Index(s.operations, o)
	if at < 0 {
		at = len(s.operations)
		s.operations = append(s.operations, o)
	}
	s.signatures++
	return fmt.Sprintf("%s%s%d?sig=canary-%d", e.origin, operationPath, at, s.signatures)
}

// unknownState is a word for work that no service has used before. ARM asks to wait with it, since
// a client could not know its meaning.
const unknownState = "Percolated"

const operationPath = "/subscriptions/armtest/operations/"

// poll answers a request about an operation.
func (s *Server) poll(e *exchange) answer {
	at, err := strconv.Atoi(strings.TrimPrefix(e.id, operationPath))
	if err != nil || at < 0 || at >= len(s.operations) {
		return refuse(http.StatusNotFound, "OperationNotFound", "There is no such operation.")
	}
	o := s.operations[at]
	r := s.resources[key(o.id)]
	if s.occurs(RefusedPoll, e) {
		switch status := []int{200, 401, 403, 500}[s.random.IntN(4)]; status {
		case http.StatusOK:
			return answer{status: status}
		default:
			return s.refusal(e, status, strings.ReplaceAll(http.StatusText(status), " ", ""))
		}
	}
	ended := r == nil || r.operation != o
	if ended && s.occurs(Forgotten, e) {
		return refuse(http.StatusNotFound, "NotFound", "There is no such operation any more.")
	}
	a := answer{status: http.StatusOK, header: http.Header{}}
	header := "Location"
	if o.byBody {
		header = "Azure-AsyncOperation"
	}
	if !ended {
		if s.occurs(NewURL, e) {
			a.header.Set(header, s.operationURL(e, o))
		}
		if o.odd == unknownState || s.random.IntN(2) == 0 {
			s.askToWait(a.header)
		}
	}
	message := "There is no room in this region."
	if o.fails && len(o.sent) > 0 && s.occurs(Echoes, e) {
		message += " Found " + string(o.sent)
	}
	switch {
	case !o.byBody && !ended:
		a.status = http.StatusAccepted
	case !o.byBody && o.fails && !o.delete && r != nil && s.random.IntN(2) == 0:
		a.body = s.show(r, e) // only its state shows the failure
	case !o.byBody && o.oddFailure != "":
		a.body = map[string]any{"status": "Failed", "error": map[string]any{"code": "NoRoom", "message": message}}
	case !o.byBody && o.fails:
		return refuse(http.StatusConflict, "NoRoom", message)
	case !o.byBody && o.delete:
		a.status = http.StatusNoContent
	case !o.byBody && r != nil:
		a.body = s.show(r, e)
	case !o.byBody:
		a.status = http.StatusNoContent
	case !ended:
		a.body = map[string]any{"status": cmp.Or(o.odd, "InProgress"), "error": nil}
	case o.fails:
		a.body = map[string]any{
			"status": cmp.Or(o.oddFailure, s.pick("Failed", "Canceled", "failed")),
			"error":  map[string]any{"code": "NoRoom", "message": message},
		}
	default:
		a.body = map[string]any{"status": s.pick("Succeeded", "succeeded"), "error": map[string]any{"code": "None"}}
	}
	return a
}

// showsState reports whether the resource with an id shows its provisioningState. The
// result is always the same for an id.
func (s *Server) showsState(id string) bool { return s.always(ShowsState, key(id)) }

// alwaysOfType reports whether a fault occurs for the resources of a type, given the id of one. The result is always
// the same for a type.
func (s *Server) alwaysOfType(f Fault, id string) bool {
	armType, _ := typeOf(id)
	return s.always(f, strings.ToLower(armType))
}

// always reports whether a fault occurs for a text. The result is always the same for a text.
func (s *Server) always(f Fault, text string) bool {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", s.behavior.Seed, text)
	return float64(h.Sum64()%1000)/1000 < s.behavior.Rates[f]
}
