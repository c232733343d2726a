// Package armtest is a stand-in for the Azure Resource Manager (ARM), for tests
// and demonstrations: an HTTP server that takes resources at the API versions
// that specs describe. Its main type is [Server].
//
// It refuses a request whose name or body does not satisfy the spec of the API version
// in the URL, with an error in ARM's form. Its answers have resources that satisfy the
// spec. It stores resources in memory, and records every request. There is no
// authentication. What ARM makes along with a resource, such as the blob service "default"
// of a storage account, is there with it. At first nothing takes time, nothing fails, and
// the parents of resources need not exist; [Server.Behave] turns on the other behaviors of
// ARM, each [Fault] at a rate, decided by a seed.
package armtest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxBody is the number of bytes of a request that are read.
const maxBody = 16 << 20

// Request is a request that the Server received, and its answer.
type Request struct {
	Method     string
	ID         string // of the resource
	APIVersion string
	Body       json.RawMessage
	Status     int // of HTTP, or 0 if the connection was dropped
	// Faults are the faults that occurred.
	Faults []Fault
}

// Server is a stand-in for ARM. It is an [http.Handler]; [Server.Listen] lets
// it serve on an address of its own, and [Server.Do] answers without a network.
type Server struct {
	specs *specs

	mutex       sync.Mutex
	requests    []Request
	strangers   []string
	unfit       []string
	resources   map[string]*resource // by id in lower case
	locks       map[string]*resource // the resources that are locks, likewise
	ghosts      map[string]ghost     // likewise
	underWay    map[*resource]bool   // all resources with an operation, and some that had one
	operations  []*longRunning
	signatures  int
	behavior    Behavior
	allowances  map[string]allowance // by subscription and kind of requests
	outages     map[string]time.Time // when each ends, by location
	misfits     map[string]misfit    // by id in lower case
	stuck       map[string]string    // the property that stays as it is, by id in lower case
	random      *rand.Rand
	injected    []string
	collections []Collection

	server *http.Server
	done   chan struct{}
}

// New returns a Server for the resources of all documents in a folder: Swagger, bicep
// types, whose answers are not completed, and files with facts, whose names end with
// .facts.json. It ignores folders called examples.
func New(folder fs.FS) (*Server, error) {
	specs, err := readSpecs(folder)
	if err != nil {
		return nil, err
	}
	s := &Server{specs: specs, resources: map[string]*resource{}, locks: map[string]*resource{},
		ghosts: map[string]ghost{}, misfits: map[string]misfit{}, stuck: map[string]string{}, underWay: map[*resource]bool{}}
	s.Behave(Behavior{})
	return s, nil
}

// Listen serves on an address, such as "127.0.0.1:0" for any free port, until
// [Server.Close], and returns the URL.
func (s *Server) Listen(address string) (url string, err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", err
	}
	s.server, s.done = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}, make(chan struct{})
	go func() {
		defer close(s.done)
		s.server.Serve(listener) // ends when it is closed
	}()
	return "http://" + listener.Addr().String(), nil
}

// Close stops the server that Listen has started.
func (s *Server) Close() error {
	if s.server == nil {
		return nil
	}
	err := s.server.Close()
	<-s.done
	return err
}

// Requests returns all requests in the order in which they came, refused ones included.
func (s *Server) Requests() []Request {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.requests)
}

// Resource returns the last body that was accepted for an id, and false if there
// is no such resource.
func (s *Server) Resource(id string) (json.RawMessage, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.endOperations()
	resource, found := s.resources[key(id)]
	if !found {
		return nil, false
	}
	return encode(resource.body), true
}

// IDs returns the ids of all resources that clients have made or changed, sorted.
func (s *Server) IDs() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.endOperations()
	var all []string
	for _, r := range s.resources {
		if !r.untouched {
			all = append(all, r.id)
		}
	}
	slices.Sort(all)
	return all
}

// Remove removes a resource with its children, as another client would.
func (s *Server) Remove(id string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.endOperations()
	s.remove(id)
}

// Strangers lists the requests to other hosts that [Server.Do] received. A client of ARM
// must send none, because each would carry a token.
func (s *Server) Strangers() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.strangers)
}

// Unfit lists the values in answers that do not satisfy the spec: values that clients
// have sent, and required properties for which the Server has found no value. It makes up
// all other values that the spec requires of an answer.
func (s *Server) Unfit() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.unfit)
}

// Endpoint is the URL of ARM for clients that use [Server.Do].
const Endpoint = "https://arm.example"

// Do answers a request without a network, as the transport of a client. It returns
// io.ErrUnexpectedEOF if the connection was dropped.
func (s *Server) Do(r *http.Request) (response *http.Response, err error) {
	if origin(r) != Endpoint {
		s.mutex.Lock()
		s.strangers = append(s.strangers, r.Method+" "+origin(r)+r.URL.Path)
		s.mutex.Unlock()
		return nil, fmt.Errorf("there is no host %s, expected requests to %s", r.URL.Host, Endpoint)
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	defer func() {
		if problem := recover(); problem == http.ErrAbortHandler {
			response, err = nil, io.ErrUnexpectedEOF
		} else if problem != nil {
			panic(problem)
		}
	}()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	response = w.Result()
	response.Request = r
	return response, nil
}

// origin returns the scheme and the host that a request was sent to.
func origin(r *http.Request) string {
	if r.URL.Host != "" {
		return r.URL.Scheme + "://" + r.URL.Host
	}
	return "http://" + r.Host
}

// exchange is a request, and the faults that have occurred so far.
type exchange struct {
	method, id, version, origin, ifMatch, ifNoneMatch string
	skipToken                                         string // of a list
	body                                              []byte
	faults                                            []Fault
}

// answer is the response to a request.
type answer struct {
	status  int
	header  http.Header
	body    any    // JSON, nil for none
	text    string // instead of JSON
	dropped bool
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e := &exchange{method: r.Method, id: strings.TrimSuffix(r.URL.Path, "/"), version: r.URL.Query().Get("api-version"),
		origin: origin(r), ifMatch: r.Header.Get("If-Match"), ifNoneMatch: r.Header.Get("If-None-Match"),
		skipToken: r.URL.Query().Get("$skiptoken")}
	var err error
	e.body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	a := s.answer(e, err)
	if a.dropped {
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), a.header)
	w.Header().Set("X-Ms-Request-Id", "armtest")
	switch {
	case a.body != nil:
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(a.status)
		w.Write(encode(a.body)) // the client may be gone
	default:
		w.WriteHeader(a.status)
		io.WriteString(w, a.text)
	}
}

// answer answers a request, and records it.
func (s *Server) answer(e *exchange, unreadable error) (a answer) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.endOperations()
	defer func() {
		if !a.dropped && s.occurs(LostAnswer, e) {
			a = answer{dropped: true}
		}
		s.requests = append(s.requests, Request{e.method, e.id, e.version, e.body, a.status, e.faults})
	}()
	if unreadable != nil {
		return refuse(http.StatusRequestEntityTooLarge, "RequestContentTooLarge", unreadable.Error())
	}
	remaining, refusal := s.checkLimit(e)
	defer func() {
		if len(remaining) > 0 {
			a.header = maps.Clone(a.header)
			if a.header == nil {
				a.header = http.Header{}
			}
			maps.Copy(a.header, remaining)
		}
	}()
	if refusal != nil {
		return *refusal
	}
	if obstacle := s.injectFailure(e); obstacle != nil {
		return *obstacle
	}
	if strings.HasPrefix(e.id, operationPath) && e.method == http.MethodGet {
		return s.poll(e)
	}
	if e.version == "" {
		return refuse(http.StatusBadRequest, "MissingApiVersionParameter",
			"The api-version query parameter (?api-version=) is required for all requests.")
	}
	if armType, prefix, ok := listOf(e.id); ok && e.method == http.MethodGet {
		return s.list(e, armType, prefix)
	}
	id := e.id
	if e.method == http.MethodPost {
		id = id[:max(strings.LastIndexByte(id, '/'), 0)]
	}
	op, err := s.specs.find(id, e.version)
	if err != nil {
		return refuse(http.StatusBadRequest, "NoRegisteredProviderFound", err.Error())
	}
	if e.method != http.MethodGet && e.method != http.MethodHead {
		if refusal := s.checkLocks(e); refusal != nil {
			return *refusal
		}
	}
	switch e.method {
	case http.MethodPut:
		return s.put(op, e)
	case http.MethodGet:
		return s.get(e)
	case http.MethodHead:
		a := s.get(e)
		a.body = nil
		if a.status == http.StatusOK {
			a.status = http.StatusNoContent
		}
		return a
	case http.MethodDelete:
		return s.delete(op, e)
	case http.MethodPost:
		return s.post(op, id, e)
	}
	return refuse(http.StatusMethodNotAllowed, "MethodNotAllowed",
		fmt.Sprintf("found %s, expected PUT, GET, HEAD, DELETE or POST", e.method))
}

func (s *Server) put(op *operation, e *exchange) answer {
	value, err := decode(e.body)
	if err != nil {
		return refuse(http.StatusBadRequest, "InvalidRequestContent",
			"The request content was invalid and could not be deserialized: "+err.Error())
	}
	name := e.id[strings.LastIndexByte(e.id, '/')+1:]
	violations, err := op.validateName(name)
	if err != nil {
		return refuse(http.StatusInternalServerError, "InvalidSpec", err.Error())
	}
	if len(violations) > 0 {
		return refuse(http.StatusBadRequest, "InvalidResourceName",
			fmt.Sprintf("Resource name %s is invalid: %s.", name, violations[0].Message))
	}
	violations, err = op.validate(name, value)
	if err != nil {
		return refuse(http.StatusInternalServerError, "InvalidSpec", err.Error())
	}
	if len(violations) > 0 {
		return refuse(http.StatusBadRequest, "InvalidRequestContent",
			"The request content does not satisfy the API version "+op.version+".", violations...)
	}
	elsewhere := func(e *exchange) *answer { return s.checkLocation(e, value) }
	for _, check := range []func(*exchange) *answer{s.checkParent, s.checkBusy, s.checkIfNoneMatch, s.checkETag, elsewhere} {
		if refusal := check(e); refusal != nil {
			return *refusal
		}
	}
	now, status := s.behavior.Now(), http.StatusOK
	r := s.resources[key(e.id)]
	if r == nil {
		status, r = http.StatusCreated, &resource{created: now}
		if r.finalState = "Succeeded"; s.occurs(LastingState, e) {
			r.finalState = s.pick(s.behavior.States...)
		}
		if s.occurs(LateVisible, e) {
			r.hidden = now.Add(s.randomDuration(s.behavior.Lag))
		}
	}
	before := r.body
	if r.earlier = nil; before != nil && s.occurs(LateChange, e) {
		old := *r
		r.earlier, r.seesEarlier = &old, now.Add(s.randomDuration(s.behavior.Lag))
	}
	r.id, r.operation, r.untouched, r.modifiedBy = e.id, nil, false, ""
	body := deepCopy(value).(map[string]any)
	if s.alwaysOfType(KeepsProperties, e.id) && addMissing(body, before) {
		s.note(KeepsProperties, e)
	}
	if stuck := s.stuck[key(e.id)]; before != nil && stuck != "" {
		propertiesOf(body)[stuck] = propertiesOf(before)[stuck]
	}
	s.putCollections(op.armType, e, body)
	s.touchParent(e.id)
	properties, _ := body["properties"].(map[string]any)
	if status == http.StatusCreated && len(properties) > 0 && s.occurs(OtherType, e) {
		name := s.pick(slices.Sorted(maps.Keys(properties))...)
		s.misfits[key(e.id)] = misfit{name, s.otherType(properties[name])}
	}
	for _, problem := range s.store(op, r, body) {
		s.unfit = append(s.unfit, op.armType+" "+op.version+": "+problem)
	}
	delete(s.ghosts, key(e.id))
	if status == http.StatusCreated {
		s.makeCompanions(op, r)
	}
	a, started := s.begin(e, r, false)
	if started {
		r.state = map[int]string{http.StatusOK: "Updating", http.StatusCreated: "Creating"}[status]
		r.state = cmp.Or(r.operation.oddState, r.state)
		if status == http.StatusCreated && !r.showsState && s.occurs(HiddenAtWork, e) {
			r.hidden = r.operation.ends
		}
	} else {
		a = answer{status: status, header: http.Header{}}
		if s.occurs(OwnLocation, e) {
			a.status = http.StatusCreated
			a.header.Set("Location", e.id+"?api-version="+e.version)
		}
	}
	a.header.Set("ETag", r.quotedETag())
	a.body = s.show(r, e)
	if s.occurs(NoResource, e) {
		a.body = []any{nil, map[string]any{}, map[string]any{"operation": "Create", "startTime": "2020-01-01T00:00:00Z"},
			map[string]any{"status": "Enqueued"}, map[string]any{"name": r.body["name"]}}[s.random.IntN(5)]
	}
	return a
}

// store keeps a body as that of a resource, whose answers get all properties that the spec requires. It returns what
// does not satisfy the spec.
func (s *Server) store(op *operation, r *resource, body map[string]any) (unfit []string) {
	name := r.id[strings.LastIndexByte(r.id, '/')+1:]
	body["id"], body["name"], body["type"] = r.id, name, op.armType
	r.body, r.answer = body, deepCopy(body).(map[string]any)
	r.etag, r.state, r.showsState = r.etag+1, r.finalState, r.showsState || s.showsState(r.id)
	unfit, err := op.complete(r.answer)
	if err != nil {
		unfit = []string{err.Error()}
	}
	if properties, _ := r.answer["properties"].(map[string]any); properties["provisioningState"] != nil {
		r.showsState = true
	}
	s.resources[key(r.id)] = r
	if strings.EqualFold(op.armType, lockType) {
		s.locks[key(r.id)] = r
	}
	return unfit
}

// addMissing adds to an object the members of another that it lacks, and likewise to the objects in it. It reports
// whether there were any.
func addMissing(to, from map[string]any) (added bool) {
	for name, value := range from {
		existing, found := to[name]
		if !found {
			to[name], added = deepCopy(value), true
			continue
		}
		inner, isObject := value.(map[string]any)
		if into, ok := existing.(map[string]any); ok && isObject {
			added = addMissing(into, inner) || added
		}
	}
	return added
}

func (s *Server) get(e *exchange) answer {
	r := s.visible(e.id)
	if r == nil || s.misses(e, r) {
		return s.absent(e)
	}
	r = s.seen(r)
	header := http.Header{}
	if !s.occurs(NoETag, e) {
		header.Set("ETag", r.quotedETag())
	}
	if e.ifNoneMatch == r.quotedETag() && !s.occurs(IgnoresETag, e) {
		return answer{status: http.StatusNotModified, header: header}
	}
	if r.state == unknownState {
		s.askToWait(header)
	}
	body := s.show(r, e)
	if s.occurs(NoID, e) {
		delete(body, "id")
	}
	return answer{status: http.StatusOK, header: header, body: body}
}

// absent returns the answer for a resource that does not exist, or whose parent does not exist.
func (s *Server) absent(e *exchange) answer {
	if refusal := s.checkParent(e); refusal != nil {
		return *refusal
	}
	if s.alwaysOfType(OtherWords, e.id) {
		s.note(OtherWords, e)
		bodies := []any{nil, map[string]any{"code": 404002}, map[string]any{"title": "Not Found", "status": 404},
			map[string]any{"error": map[string]any{"code": "UserError", "message": "There is none."}}}
		return answer{status: http.StatusNotFound, body: bodies[s.random.IntN(len(bodies))]}
	}
	return refuse(http.StatusNotFound, "ResourceNotFound", fmt.Sprintf("The resource %q was not found.", e.id))
}

// delete removes a resource with its children.
func (s *Server) delete(op *operation, e *exchange) answer {
	if op.noDelete {
		return refuse(http.StatusMethodNotAllowed, "MethodNotAllowed",
			fmt.Sprintf("The spec of the type %s at %s has a PUT and no DELETE.", op.armType, op.version))
	}
	r := s.visible(e.id)
	if _, isGhost := s.ghosts[key(e.id)]; r == nil || isGhost || s.isOut(r) {
		if s.occurs(GoneIs404, e) {
			return s.absent(e)
		}
		return answer{status: http.StatusNoContent}
	}
	for _, check := range []func(*exchange) *answer{s.checkBusy, s.checkETag} {
		if refusal := check(e); refusal != nil {
			return *refusal
		}
	}
	if e.ifMatch == "" && s.occurs(WantsIfMatch, e) {
		return s.refuseWithoutIfMatch()
	}
	if a, started := s.begin(e, r, true); started {
		r.setState("Deleting")
		return a
	}
	s.remove(e.id)
	s.touchParent(e.id)
	if s.occurs(LateGone, e) {
		s.ghosts[key(e.id)] = ghost{r, s.behavior.Now().Add(s.randomDuration(s.behavior.Lag))}
	}
	if s.occurs(DeletedIs204, e) {
		return answer{status: http.StatusNoContent}
	}
	return answer{status: http.StatusOK}
}

// refuseWithoutIfMatch returns the refusal of a request that has to have If-Match, in one of the ways of services.
func (s *Server) refuseWithoutIfMatch() answer {
	switch s.random.IntN(4) {
	case 0:
		return refuse(http.StatusPreconditionRequired, "PreconditionRequired", "A condition is missing.")
	case 1:
		return refuse(http.StatusBadRequest, "MissingRequiredHeader", "The request has no header 'If-Match'.")
	case 2:
		return refuse(http.StatusBadRequest, "MissingIfMatchHeader", "A header is missing.")
	}
	return refuse(http.StatusPreconditionFailed, "PreconditionFailed", "The request has to have If-Match.")
}

// checkETag returns the refusal of a request whose If-Match is not the ETag of the
// resource, or nil.
func (s *Server) checkETag(e *exchange) *answer {
	r := s.resources[key(e.id)]
	if r != nil && e.method == http.MethodPut && e.ifMatch == "" && s.alwaysOfType(PutWantsIfMatch, e.id) {
		s.note(PutWantsIfMatch, e)
		a := s.refuseWithoutIfMatch()
		return &a
	}
	if e.ifMatch == "" || e.ifMatch == "*" && r != nil || r != nil && e.ifMatch == r.quotedETag() {
		return nil
	}
	a := refuse(http.StatusPreconditionFailed, "PreconditionFailed", "The resource has another ETag.")
	return &a
}

// checkIfNoneMatch returns the refusal of a PUT that must not change a resource that exists, or nil.
func (s *Server) checkIfNoneMatch(e *exchange) *answer {
	var a answer
	switch {
	case e.ifNoneMatch == "":
		return nil
	case s.alwaysOfType(RefusesIfNoneMatch, e.id):
		s.note(RefusesIfNoneMatch, e)
		a = refuse(http.StatusBadRequest, "InvalidHeader", "The header If-None-Match is not supported.")
	case s.resources[key(e.id)] == nil:
		return nil
	case s.alwaysOfType(IgnoresIfNoneMatch, e.id):
		s.note(IgnoresIfNoneMatch, e)
		return nil
	default:
		a = refuse(http.StatusPreconditionFailed, "PreconditionFailed", "The resource exists.")
	}
	return &a
}

// setState changes the state of a resource, and its ETag.
func (r *resource) setState(state string) { r.etag, r.state = r.etag+1, state }

func (r *resource) quotedETag() string { return fmt.Sprintf(`"%d"`, r.etag) }

// violation describes one value that does not satisfy a schema.
type violation struct {
	Code    string `json:"code"`
	Target  string `json:"target"`
	Message string `json:"message"`
}

// refuse returns an error in ARM's form.
func refuse(status int, code, message string, details ...violation) answer {
	type armError struct {
		Code    string      `json:"code"`
		Message string      `json:"message"`
		Details []violation `json:"details,omitempty"`
	}
	return answer{status: status, body: map[string]armError{"error": {code, message, details}}}
}

// decode reads a JSON object, and keeps numbers as they are written.
func decode(body []byte) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	var value map[string]any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	if value == nil {
		return nil, errors.New("found null, expected an object")
	}
	return value, nil
}

func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was JSON before
	}
	return text
}
